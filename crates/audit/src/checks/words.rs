//! Texts that are no resident's words: errors, refusals, a model's reasoning, templates, raw JSON. What is refused in an
//! answer is found here by the same check.

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};

use serde_json::Value;
use townsfolk_mind::model::reader::{Unreadable, check_words};
use townsfolk_store::{CallFilter, Result, StoreError, TaskFilter};

use super::memories::quoted;
use crate::report::Examination;
use crate::story::Story;

/// A shorter reason says too little to be recognised in a text.
const RECOGNISABLE_BYTES: usize = 16;

pub(crate) fn words(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    let errors = errors(story)?;
    let given = given(story)?;
    let fault = |text: &str| {
        if let Err(unreadable) = check_words(text)
            && !given.contains(&discriminant(&unreadable))
        {
            return Some(format!("{} in", kind(&unreadable)));
        }
        if text.contains("{\"") {
            return Some("data in".to_owned());
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

/// What is in words that came from people: who writes of an AI assistant, or of errors, into a town makes residents
/// speak of it.
fn given(story: &Story<'_>) -> Result<Vec<Discriminant<Unreadable>>> {
    let identities = story
        .run
        .residents()?
        .into_iter()
        .map(|resident| resident.identity);
    let inputs = story.inputs.iter().map(|input| input.row.json.clone());
    let mut found = Vec::new();
    for json in identities.chain(inputs) {
        let Ok(value) = serde_json::from_str(&json) else {
            continue;
        };
        find_unwanted(&value, &mut found);
    }
    Ok(found)
}

fn find_unwanted(value: &Value, found: &mut Vec<Discriminant<Unreadable>>) {
    match value {
        Value::String(text) => found.extend(check_words(text).err().map(|kind| discriminant(&kind))),
        Value::Array(list) => list.iter().for_each(|value| find_unwanted(value, found)),
        Value::Object(object) => object.values().for_each(|value| find_unwanted(value, found)),
        _ => {}
    }
}

/// What is wrong with a text, in a word or two.
fn kind(unreadable: &Unreadable) -> &'static str {
    match unreadable {
        Unreadable::Error(_) => "an error's text",
        Unreadable::Refusal(_) => "a model's refusal",
        _ => "a mark of reasoning or of a template",
    }
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
