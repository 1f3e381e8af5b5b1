//! Streams of memories, and what rests on what.

use townsfolk_store::{MemoryKind, MemoryRow, Result};

use crate::report::Examination;
use crate::story::Story;

const IMPORTANCE: std::ops::RangeInclusive<u8> = 1..=10;

pub(crate) fn whole(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        let mut before = 0;
        let vectors = &person.vectors;
        for ((memory, vector), expected) in person.memories.iter().zip(vectors).zip(0..) {
            examination.look();
            let (tick, row) = (memory.tick, &memory.row);
            let mut fault = |what: String| examination.fault(tick, person.id, || what);
            if row.id != expected {
                fault(format!(
                    "memory {} stands where memory {expected} belongs",
                    row.id
                ));
                break;
            }
            if tick < before {
                fault(format!("memory {expected} is older than the one before it"));
            }
            if row.created > story.time(tick).seconds() {
                fault(format!("memory {expected} was made before its time came"));
            }
            if !IMPORTANCE.contains(&row.importance) {
                fault(format!("memory {expected} has importance {}", row.importance));
            }
            if row.text.trim().is_empty() {
                fault(format!("memory {expected} has no words"));
            }
            // A byte for each component.
            if *vector != story.info.embedding_dimensions as usize {
                fault(format!(
                    "memory {expected} has a vector of {vector} numbers, and not {}",
                    story.info.embedding_dimensions
                ));
            }
            before = tick;
        }
    }
    Ok(())
}

pub(crate) fn evidence(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        for memory in &person.memories {
            let (tick, row) = (memory.tick, &memory.row);
            let concluded = row.kind == MemoryKind::Reflection;
            if !concluded && row.evidence.is_empty() && row.depth == 0 {
                continue;
            }
            examination.look();
            let mut fault = |what: String| examination.fault(tick, person.id, || what);
            let mut deepest = 0;
            for id in &row.evidence {
                // Of the memories of one tick the older ones have lower ids.
                match story.held(person.id, *id, tick).filter(|_| *id < row.id) {
                    Some(evidence) => deepest = deepest.max(evidence.row.depth),
                    None => fault(format!("{} rests on memory {id}, which is not older", words(row))),
                }
            }
            let depth = if concluded { deepest.saturating_add(1) } else { 0 };
            if row.depth != depth {
                fault(format!(
                    "{} has depth {} instead of {depth}",
                    words(row),
                    row.depth
                ));
            }
            let from_before = row.created < story.info.start;
            if concluded && row.evidence.is_empty() && !from_before {
                fault(format!("{} rests on nothing", words(row)));
            }
        }
    }
    Ok(())
}

/// A memory as findings name it.
pub(crate) fn words(memory: &MemoryRow) -> String {
    format!("{} {} ({})", memory.kind, memory.id, quoted(&memory.text))
}

/// The beginning of a text, in quotation marks.
pub(crate) fn quoted(text: &str) -> String {
    const LETTERS: usize = 80;
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}
