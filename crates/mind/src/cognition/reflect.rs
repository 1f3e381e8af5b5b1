//! Reflecting: when enough has happened, questions about it are asked and answered from memory.
//!
//! Park et al. 2023, section 4.2: the latest records raise the most salient questions, each
//! question recalls memories, and what follows from them is stored with its evidence.

use townsfolk_memory::{MemoryId, MemoryKind, Triple};
use townsfolk_time::GameTime;

use super::intents::Journal;
use super::remember::{Note, recall, recalled, remember};
use super::resident::Resident;
use crate::ReflectionRecords;
use crate::asker::{Asker, Halted};
use crate::routine::insights::most_met;
use crate::tasks::{FocalQuestions, Insights, Recalled};

/// How many of the latest records raise questions (paper: 100).
const RECORDS: usize = 100;
/// How many questions are asked (paper: 3).
const QUESTIONS: usize = 3;
/// How many insights a question gives at most (paper: 5).
const INSIGHTS: usize = 5;
/// How long a thought lasts (2023 code: 30 days), in seconds.
pub(crate) const THOUGHT_LASTS: i64 = 30 * townsfolk_time::DAY_SECONDS;

/// Reflects if enough has happened since the last time.
///
/// # Errors
/// As [`reflect`].
pub async fn reflect_if_due(
    resident: &mut Resident,
    now: GameTime,
    asker: &Asker<'_>,
    journal: &mut Journal,
) -> Result<Vec<MemoryId>, Halted> {
    if resident.settings.reflection && resident.life.trigger.due() {
        reflect(resident, now, asker, journal).await
    } else {
        Ok(Vec::new())
    }
}

/// Reflects, whether it is time to or not, and counts anew from here. What was concluded comes back.
///
/// # Errors
/// If the mind or the embedder cannot answer.
pub async fn reflect(
    resident: &mut Resident,
    now: GameTime,
    asker: &Asker<'_>,
    journal: &mut Journal,
) -> Result<Vec<MemoryId>, Halted> {
    let latest = records(resident);
    if latest.is_empty() {
        resident.life.trigger.reset();
        return Ok(Vec::new());
    }
    let task = FocalQuestions {
        who: &resident.life.identity,
        recalled: &latest,
        wanted: QUESTIONS,
    };
    let questions = asker.ask(&task).await?.questions;

    let mut found: Vec<(String, Vec<Recalled>)> = Vec::new();
    for question in questions {
        let memories = recall(resident, now, asker, &question, resident.settings.recall).await?;
        if !memories.is_empty() {
            found.push((question, memories));
        }
    }
    let who = &resident.life.identity;
    let remembered = resident
        .stream
        .iter()
        .filter_map(|memory| recalled(resident, memory.id));
    let most_met = most_met(remembered, &who.name);
    let tasks: Vec<Insights<'_>> = found
        .iter()
        .map(|(question, recalled)| Insights {
            who,
            question,
            recalled,
            wanted: INSIGHTS,
            most_met: most_met.as_deref(),
        })
        .collect();
    let answers = asker.ask_all(&tasks).await?;

    let mut notes: Vec<Note> = Vec::new();
    for ((_, memories), answer) in found.iter().zip(answers) {
        for insight in answer.insights {
            let known = |text: &str| notes.iter().any(|n| *n.text == *text) || is_known(resident, text);
            if known(&insight.text) {
                continue;
            }
            let subject = memories[insight.evidence[0]].subject.clone();
            let triple = Triple::new(who.name.clone(), "conclude", subject);
            let mut note = Note::new(MemoryKind::Reflection, triple, insight.text);
            note.evidence = insight.evidence.iter().map(|e| memories[*e].id).collect();
            note.evidence.sort_unstable();
            note.evidence.dedup();
            note.expires = Some(now + THOUGHT_LASTS);
            notes.push(note);
        }
    }
    let insights = remember(resident, now, asker, journal, notes).await?;
    // Whoever could not finish thinking will try again.
    resident.life.trigger.reset();
    Ok(insights)
}

/// The records that raise questions, oldest first: nothing mundane, which idle things are.
fn records(resident: &Resident) -> Vec<Recalled> {
    if !resident.settings.memory {
        return Vec::new();
    }
    let count = match resident.settings.reflection_records {
        ReflectionRecords::Latest => RECORDS,
        ReflectionRecords::SinceLast => resident.life.trigger.observed() as usize,
    };
    let latest = resident
        .stream
        .iter()
        .rev()
        .filter(|memory| memory.importance > 1);
    let mut records: Vec<Recalled> = latest
        .take(count)
        .filter_map(|memory| recalled(resident, memory.id))
        .collect();
    records.reverse();
    records
}

/// Whether the resident has concluded just this before.
fn is_known(resident: &Resident, text: &str) -> bool {
    resident
        .stream
        .iter()
        .rev()
        .any(|memory| memory.kind == MemoryKind::Reflection && *memory.text == *text)
}
