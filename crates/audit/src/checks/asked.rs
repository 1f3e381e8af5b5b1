//! What minds were asked, and what they answered.

use std::collections::BTreeMap;

use serde::Deserialize;
use townsfolk_store::{At, CallFilter, CallId, MemoryId, Result, StoreError, TaskFilter, TaskRow, Tick};

use super::memories::quoted;
use crate::report::Examination;
use crate::story::Story;

/// So many ticks' questions are read at a time.
const TICKS: u32 = 500;

/// The memories that a question names: what came to mind before it was asked.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Question {
    recalled: Vec<Recalled>,
    news: Vec<Recalled>,
    topics: Vec<Recalled>,
}

#[derive(Deserialize)]
struct Recalled {
    id: MemoryId,
    text: String,
}

fn each_question(story: &Story<'_>, mut look: impl FnMut(At<TaskRow>)) -> Result<()> {
    let mut from = 0;
    while from <= story.head {
        let until = from.saturating_add(TICKS - 1).min(story.head);
        let filter = TaskFilter {
            from: Some(from),
            until: Some(until),
            ..TaskFilter::default()
        };
        story.run.tasks(&filter)?.into_iter().for_each(&mut look);
        from = until.saturating_add(1);
    }
    Ok(())
}

pub(crate) fn recalled(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    each_question(story, |task| {
        let Some(who) = task.row.resident else { return };
        // A question without memories in it has nothing to be held against.
        let Ok(question) = serde_json::from_str::<Question>(&task.row.input) else {
            return;
        };
        let named = question.recalled.into_iter().chain(question.news);
        for recalled in named.chain(question.topics) {
            examination.look();
            let held = story.held(who, recalled.id, task.tick);
            if held.is_none_or(|memory| memory.row.text != recalled.text) {
                examination.fault(task.tick, who, || {
                    format!(
                        "{} was asked with memory {} ({}), which was not there",
                        task.row.kind,
                        recalled.id,
                        quoted(&recalled.text)
                    )
                });
            }
        }
    })
}

pub(crate) fn answers(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    each_question(story, |task| {
        examination.look();
        let row = &task.row;
        let fault = match &row.fallback {
            _ if row.answer.trim().is_empty() || row.answer == "null" => "has no answer",
            Some(reason) if reason.trim().is_empty() => "was answered by rule for no reason",
            None if row.mind == "routine" && !row.calls.is_empty() => {
                "was put to a model and answered by rule, and nobody said why"
            }
            _ => return,
        };
        fault_of(examination, &task, || fault.to_owned());
    })
}

pub(crate) fn calls(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    // The tick of each call that is in the file and that some attempt rests on.
    let mut made: BTreeMap<CallId, Tick> = BTreeMap::new();
    story.run.calls(&CallFilter::default(), |used| {
        made.insert(used.call.id, used.call.row.key.tick);
        Ok::<(), StoreError>(())
    })?;
    each_question(story, |task| {
        for used in &task.row.calls {
            examination.look();
            let found = match made.get(&used.call) {
                None => "is not in the file",
                Some(tick) if *tick > task.tick => "was made later",
                Some(_) => continue,
            };
            fault_of(examination, &task, || {
                format!(
                    "rests in attempt {} on call {}, which {found}",
                    used.attempt, used.call.0
                )
            });
        }
    })
}

fn fault_of(examination: &mut Examination<'_>, task: &At<TaskRow>, found: impl FnOnce() -> String) {
    let what = || {
        let row = &task.row;
        format!("question {} of the tick, {}, {}", row.seq, row.kind, found())
    };
    match task.row.resident {
        Some(who) => examination.fault(task.tick, who, what),
        None => examination.fault_of_the_town(task.tick, what),
    }
}
