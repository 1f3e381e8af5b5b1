//! Texts that are no resident's words: errors, a model's reasoning, templates, raw JSON.

use std::collections::BTreeSet;

use townsfolk_store::{CallFilter, Result, StoreError, TaskFilter};

use super::memories::quoted;
use crate::report::Examination;
use crate::story::Story;

/// Whoever says one of these, it is not a resident; compared in lower case.
const MARKS: &[&str] = &[
    // A model's reasoning and the tokens of chat templates.
    "<think",
    "</think",
    "<|",
    // Templates that were not filled in: ours, and those of the 2023 code.
    "{{",
    "}}",
    "{%",
    "!<input",
    // Structure instead of words.
    "{\"",
    "```",
    // What the 2023 code kept where there was nothing, and errors it took for answers.
    "this is blank",
    "chatgpt error",
    "token limit exceeded",
    // Errors of programs and of the web.
    "traceback (most recent call last)",
    "429 too many requests",
    "500 internal server error",
    "502 bad gateway",
    "503 service unavailable",
];

/// A shorter reason says too little to be recognised in a text.
const RECOGNISABLE_BYTES: usize = 16;

pub(crate) fn words(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    let errors = errors(story)?;
    let fault = |text: &str| {
        let lower = text.to_lowercase();
        if let Some(mark) = MARKS.iter().find(|mark| lower.contains(**mark)) {
            return Some(format!("{mark} in"));
        }
        if let Some(blank) = placeholder(text) {
            return Some(format!("the blank {blank} in"));
        }
        errors
            .iter()
            .any(|error| text.contains(error.as_str()))
            .then(|| "an error's text in".to_owned())
    };
    for person in &story.people {
        for memory in &person.memories {
            examination.look();
            if let Some(found) = fault(&memory.row.text) {
                examination.fault(memory.tick, person.id, || {
                    format!("{found} memory {}: {}", memory.row.id, quoted(&memory.row.text))
                });
            }
        }
        for action in &person.actions {
            examination.look();
            if let Some(found) = fault(&action.row.activity) {
                examination.fault(action.tick, person.id, || {
                    format!("{found} an action: {}", quoted(&action.row.activity))
                });
            }
        }
        for plan in &person.plans {
            for entry in &plan.row.entries {
                examination.look();
                if let Some(found) = fault(&entry.activity) {
                    examination.fault(plan.tick, person.id, || {
                        format!(
                            "{found} the plan of {}: {}",
                            plan.row.date,
                            quoted(&entry.activity)
                        )
                    });
                }
            }
        }
    }
    for line in story.conversations.iter().flat_map(|talk| &talk.lines) {
        examination.look();
        if let Some(found) = fault(&line.row.text) {
            examination.fault(line.tick, line.row.speaker, || {
                format!(
                    "{found} line {} of talk {}: {}",
                    line.row.turn,
                    line.row.conversation,
                    quoted(&line.row.text)
                )
            });
        }
    }
    Ok(())
}

/// Every reason that the run gives for a fallback or a call that failed.
fn errors(story: &Story<'_>) -> Result<BTreeSet<String>> {
    let counts = story.run.task_counts(story.head)?;
    let mut reasons = BTreeSet::new();
    let kinds: BTreeSet<String> = counts
        .into_iter()
        .filter(|count| count.fallbacks > 0)
        .map(|count| count.kind)
        .collect();
    for kind in kinds {
        let filter = TaskFilter {
            kind: Some(kind),
            ..TaskFilter::default()
        };
        let tasks = story.run.tasks(&filter)?;
        reasons.extend(tasks.into_iter().filter_map(|task| task.row.fallback));
    }
    story.run.calls(&CallFilter::default(), |used| {
        reasons.extend(used.call.row.outcome.err());
        Ok::<(), StoreError>(())
    })?;
    reasons.retain(|reason| reason.len() >= RECOGNISABLE_BYTES);
    Ok(reasons)
}

/// A blank such as `{name}` that nobody filled in.
fn placeholder(text: &str) -> Option<&str> {
    let blank = |rest: &str| {
        let end = rest.find('}')?;
        let name = &rest[..end];
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_name.then_some(end)
    };
    text.match_indices('{').find_map(|(at, _)| {
        let end = blank(&text[at + 1..])?;
        Some(&text[at..at + end + 2])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_told_from_braces() {
        assert_eq!(placeholder("{name} is here"), Some("{name}"));
        assert_eq!(placeholder("a {set} of {things}"), Some("{set}"));
        assert_eq!(placeholder("a smile :} and {1, 2}"), None);
        assert_eq!(placeholder("林 秋 { }"), None);
    }
}
