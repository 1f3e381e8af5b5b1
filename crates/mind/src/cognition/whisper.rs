//! What comes from outside: the texts a resident starts with, and whispers.

use townsfolk_memory::{MemoryId, MemoryKind, Triple};

use super::intents::{Intents, Stance};
use super::remember::{KNOWS, Note, remember};
use super::resident::Resident;
use super::situation::Situation;
use super::{plan, react};
use crate::asker::{Asker, Halted};
use crate::phrases::fill;
use crate::tasks::{Commitment, Exchange, InnerThought};

/// Once: what the resident remembers from before the story is taken in, what occupies it becomes its first memories (Park et al. 2023, section 3.1), and
/// what it fixes becomes an appointment.
pub(crate) async fn settle_in(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    if std::mem::replace(&mut resident.life.settled_in, true) {
        return Ok(());
    }
    for memory in situation.past {
        let embedding = asker.embed(&memory.text).await?;
        let id = resident.stream.add(memory.clone(), &embedding);
        intents.journal.memories.push((
            id.map_err(|e| Halted {
                reason: e.to_string(),
            })?,
            None,
            None,
        ));
    }
    let current = resident.life.identity.current.clone();
    let statements = situation.phrases.statements(&current);
    take_in(resident, situation, asker, intents, statements).await?;
    Ok(())
}

/// Whispers become thoughts of the resident's own, and may change its plans.
pub(crate) async fn listen(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let who = &resident.life.identity;
    let tasks: Vec<InnerThought<'_>> = situation
        .whispers
        .iter()
        .map(|whisper| InnerThought { who, whisper })
        .collect();
    let thoughts = asker.ask_all(&tasks).await?;
    let thoughts = thoughts.into_iter().map(|thought| thought.text).collect();
    for id in take_in(resident, situation, asker, intents, thoughts).await? {
        if resident.life.day.is_some() {
            plan::heed(resident, situation, asker, intents, id).await?;
            if resident.life.doing.as_ref().is_some_and(|doing| !doing.asleep) {
                react::react_to_thought(resident, situation, asker, intents, id).await?;
            }
        }
    }
    Ok(())
}

/// What the resident answered to somebody from outside becomes a memory, where that is asked for.
pub(crate) async fn remember_answers(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let name = resident.life.identity.name.clone();
    let note = |exchange: &&Exchange| {
        let values: &[(&str, &str)] = &[
            ("name", &name),
            ("question", exchange.question.trim()),
            ("answer", exchange.answer.trim()),
        ];
        let text = fill(&situation.phrases.told_outsider, values);
        let triple = Triple::new(name.clone(), "answer", exchange.question.as_str());
        let mut note = Note::new(MemoryKind::Observation, triple, text);
        note.keywords.truncate(1);
        note
    };
    let notes: Vec<Note> = situation.answers.iter().map(note).collect();
    if !notes.is_empty() {
        remember(resident, situation.now, asker, &mut intents.journal, notes).await?;
    }
    Ok(())
}

/// Remembers statements about the resident, and means to attend what they fix.
async fn take_in(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    statements: Vec<String>,
) -> Result<Vec<MemoryId>, Halted> {
    let now = situation.now;
    let name = resident.life.identity.name.clone();
    let note = |text: &String| {
        Note::new(
            MemoryKind::Observation,
            Triple::new(name.clone(), KNOWS, text.as_str()),
            text.as_str(),
        )
    };
    let mut notes: Vec<Note> = statements.iter().map(note).collect();
    for note in &mut notes {
        // The words of a statement lead nowhere as a keyword.
        note.keywords.truncate(1);
    }
    if notes.is_empty() {
        return Ok(Vec::new());
    }
    let ids = remember(resident, now, asker, &mut intents.journal, notes).await?;
    for id in &ids {
        plan::rearrange(resident, situation, intents, *id);
    }
    let who = resident.life.identity.clone();
    let statements = statements.iter();
    let tasks: Vec<Commitment<'_>> = statements
        .map(|text| Commitment { who: &who, now, text })
        .collect();
    let fixed = asker.ask_all(&tasks).await?;
    for (committed, id) in fixed.into_iter().zip(&ids) {
        if let Some(occasion) = committed.occasion {
            plan::attend(
                resident,
                situation,
                asker,
                intents,
                occasion,
                Stance::Own,
                Some(*id),
            )
            .await?;
        }
    }
    Ok(ids)
}
