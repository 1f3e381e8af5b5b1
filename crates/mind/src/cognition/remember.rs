//! Putting things into memory, and bringing them back to mind.

use std::sync::Arc;

use townsfolk_memory::{Embedding, Hearsay, Memory, MemoryId, MemoryKind, NewMemory, Query, Triple};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;

use super::intents::Journal;
use super::resident::Resident;
use super::situation::ConversationId;
use crate::asker::{Asker, Halted};
use crate::tasks::{Importance, Recalled};

/// Something to remember.
#[derive(Clone, Debug)]
pub struct Note {
    /// What sort of record it becomes.
    pub kind: MemoryKind,
    /// Its shortest form.
    pub triple: Triple,
    /// Its text.
    pub text: Arc<str>,
    /// Words it can be looked up by.
    pub keywords: Vec<Arc<str>>,
    /// 1 to 10; rated by the mind where none is given.
    pub importance: Option<u8>,
    /// The memories it rests on.
    pub evidence: Vec<MemoryId>,
    /// Who told it.
    pub hearsay: Option<Hearsay>,
    /// When it stops coming to mind.
    pub expires: Option<GameTime>,
    /// The talk it comes from.
    pub conversation: Option<ConversationId>,
    /// Where it was made.
    pub place: Option<PlaceId>,
}

impl Note {
    /// A note found by its subject and object, and nothing else.
    pub fn new(kind: MemoryKind, triple: Triple, text: impl Into<Arc<str>>) -> Self {
        let keywords = vec![triple.subject.clone(), triple.object.clone()];
        Self {
            kind,
            triple,
            text: text.into(),
            keywords,
            importance: None,
            evidence: Vec::new(),
            hearsay: None,
            expires: None,
            conversation: None,
            place: None,
        }
    }
}

/// How many memories about something are looked at for the same words.
const SAME_WORDS_AMONG: usize = 200;

/// What the same words about the same were rated before: nobody needs to be asked again.
fn rated_before(resident: &Resident, note: &Note) -> Option<u8> {
    let about = resident.stream.about(&note.triple.subject).take(SAME_WORDS_AMONG);
    let mut memories = about.filter_map(|id| resident.stream.get(id));
    memories
        .find(|memory| memory.text == note.text)
        .map(|memory| memory.importance)
}

/// Remembers `notes`, in order, all or none. What has no importance is rated, in as few questions as there may be.
///
/// # Errors
/// If the mind or the embedder cannot answer, or a note does not fit the stream; then nothing was
/// remembered.
pub async fn remember(
    resident: &mut Resident,
    now: GameTime,
    asker: &Asker<'_>,
    journal: &mut Journal,
    mut notes: Vec<Note>,
) -> Result<Vec<MemoryId>, Halted> {
    for note in notes.iter_mut().filter(|note| note.importance.is_none()) {
        note.importance = rated_before(resident, note);
    }
    let unrated: Vec<Arc<str>> = notes
        .iter()
        .filter(|n| n.importance.is_none())
        .map(|n| n.text.clone())
        .collect();
    let questions = Importance::of_all(&resident.life.identity, &unrated);
    let rated = asker.ask_all(&questions).await?;
    let mut scores = rated.into_iter().flat_map(|rated| rated.scores);
    let texts: Vec<&str> = notes.iter().map(|note| &*note.text).collect();
    let embeddings = asker.embed_all(&texts).await?;
    let mut sources = Vec::with_capacity(notes.len());
    let mut new = Vec::with_capacity(notes.len());
    for (note, embedding) in notes.into_iter().zip(embeddings) {
        sources.push((note.conversation, note.place));
        let memory = NewMemory {
            kind: note.kind,
            created: now,
            expires: note.expires,
            triple: note.triple,
            text: note.text,
            importance: note.importance.or_else(|| scores.next()).unwrap_or(1),
            keywords: note.keywords,
            evidence: note.evidence,
            hearsay: note.hearsay,
        };
        new.push((memory, embedding));
    }
    let ids = resident.stream.add_all(new).map_err(|e| Halted {
        reason: e.to_string(),
    })?;
    for (id, (conversation, place)) in ids.iter().zip(sources) {
        if let Some(memory) = resident.stream.get(*id) {
            resident.life.trigger.observe(memory);
        }
        journal.memories.push((*id, conversation, place));
    }
    Ok(ids)
}

/// Brings to mind what matters for `about` now, best first, and marks it as accessed.
///
/// # Errors
/// If the embedder does not answer.
pub async fn recall(
    resident: &mut Resident,
    now: GameTime,
    asker: &Asker<'_>,
    about: &str,
    count: usize,
) -> Result<Vec<Recalled>, Halted> {
    if !resident.settings.memory {
        return Ok(Vec::new());
    }
    let embedding = asker.embed(about).await?;
    Ok(recall_embedded(resident, now, &embedding, count))
}

fn recall_embedded(
    resident: &mut Resident,
    now: GameTime,
    embedding: &Embedding,
    count: usize,
) -> Vec<Recalled> {
    let query = Query {
        embedding,
        now,
        count,
        retrieval: &resident.settings.retrieval,
        filter: resident.settings.recall_filter(),
    };
    let found = resident.stream.retrieve(&query);
    found.iter().filter_map(|f| recalled(resident, f.id)).collect()
}

/// The same for several questions; what answers more than one comes once, where it came first.
///
/// # Errors
/// If the embedder does not answer.
pub async fn recall_all(
    resident: &mut Resident,
    now: GameTime,
    asker: &Asker<'_>,
    about: &[&str],
    count: usize,
) -> Result<Vec<Recalled>, Halted> {
    let mut all: Vec<Recalled> = Vec::new();
    if !resident.settings.memory {
        return Ok(all);
    }
    for embedding in asker.embed_all(about).await? {
        for memory in recall_embedded(resident, now, &embedding, count) {
            if all.iter().all(|m| m.id != memory.id) {
                all.push(memory);
            }
        }
    }
    Ok(all)
}

/// What a resident knew of somebody from the start or was whispered: facts that what is seen every
/// day must not crowd out.
pub fn facts_about(resident: &Resident, other: &str) -> Vec<Recalled> {
    if !resident.settings.memory {
        return Vec::new();
    }
    let facts = resident
        .stream
        .iter()
        .filter(|memory| &*memory.triple.predicate == KNOWS && memory.text.contains(other));
    facts
        .take(FACTS)
        .filter_map(|memory| recalled(resident, memory.id))
        .collect()
}

/// Predicate of memories that state a fact about the resident.
pub const KNOWS: &str = "know";
/// How many facts about somebody come to mind without being looked for.
const FACTS: usize = 6;

/// Whether a memory says what was so when it was taken in: known from the start, or whispered. What an agent was
/// told to remember happened when it was told, and has no statement as its object.
pub(crate) fn is_known(memory: &Memory) -> bool {
    &*memory.triple.predicate == KNOWS && !memory.triple.object.is_empty()
}

/// A memory as tasks see it.
pub fn recalled(resident: &Resident, id: MemoryId) -> Option<Recalled> {
    let memory = resident.stream.get(id)?;
    Some(Recalled {
        id,
        kind: memory.kind,
        text: memory.text.clone(),
        subject: memory.triple.subject.clone(),
        importance: memory.importance,
        created: memory.created,
        told_by: memory.hearsay.as_ref().map(|h| h.teller.clone()),
        known: is_known(memory),
    })
}
