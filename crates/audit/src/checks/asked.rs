//! What minds were asked, and what they answered.

use serde::Deserialize;
use townsfolk_store::{At, MemoryId, Result, TaskFilter, TaskRow};

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
    topics: Vec<Topic>,
}

#[derive(Deserialize)]
struct Topic {
    recalled: Recalled,
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
        let topics = question.topics.into_iter().map(|topic| topic.recalled);
        for recalled in question.recalled.into_iter().chain(question.news).chain(topics) {
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
            Some(reason) if reason.trim().is_empty() => "was answered by rule for no reason",
            None if !row.calls.is_empty() && row.mind == "routine" => {
                "was put to a model and answered by rule, and nobody said why"
            }
            _ => return,
        };
        let what = || format!("question {} of the tick, {}, {fault}", row.seq, row.kind);
        match row.resident {
            Some(who) => examination.fault(task.tick, who, what),
            None => examination.fault_of_the_town(task.tick, what),
        }
    })
}
