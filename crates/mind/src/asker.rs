//! How a resident's thinking puts questions to its mind, and what is written down about it.

use std::sync::{Arc, Mutex};

use serde::Serialize;
use townsfolk_memory::Embedding;

use crate::routine::{Meanings, Rules};
use crate::{Chance, Task, TaskKind};

/// Thinking cannot go on and the run must pause: nothing of this tick may be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Halted {
    /// What happened and what to do about it.
    pub reason: String,
}

/// One question that was put to a mind, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// Which question.
    pub kind: TaskKind,
    /// The typed input, as JSON.
    pub input: String,
    /// The typed answer, as JSON.
    pub answer: String,
    /// Who answered.
    pub mind: &'static str,
}

/// Puts one resident's questions of one tick to its mind and keeps a record of each.
///
/// Questions that do not need each other's answers are asked together (`join!`). A joined branch
/// asks one question only, so that records stand in the same order however fast replies come.
pub struct Asker<'a> {
    rules: Rules<'a>,
    meanings: &'a Meanings,
    records: Mutex<Vec<TaskRecord>>,
}

impl<'a> Asker<'a> {
    /// An asker for the routine mind.
    pub fn routine(chance: Chance, meanings: &'a Meanings) -> Self {
        Self {
            rules: Rules::new(chance, meanings),
            meanings,
            records: Mutex::default(),
        }
    }

    /// Draws for this resident and tick.
    pub fn chance(&self) -> Chance {
        self.rules.chance
    }

    /// Asks one question. The answer passes the task's check.
    pub async fn ask<T: Task>(&self, task: &T) -> Result<T::Answer, Halted> {
        let answer = task.by_rule(&self.rules);
        if let Err(fault) = task.check(&answer) {
            let reason = format!(
                "the routine mind gave an answer to {} that cannot stand: {fault}",
                T::KIND.name()
            );
            return Err(Halted { reason });
        }
        self.record(TaskRecord {
            kind: T::KIND,
            input: json(task)?,
            answer: json(&answer)?,
            mind: "routine",
        });
        Ok(answer)
    }

    /// The meaning of a text.
    pub async fn embed(&self, text: &str) -> Result<Embedding, Halted> {
        Ok(self.meanings.embedder().embed(text))
    }

    /// What was asked, in order.
    pub fn into_records(self) -> Vec<TaskRecord> {
        self.records
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn record(&self, record: TaskRecord) {
        self.records
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .push(record);
    }
}

fn json(value: &impl Serialize) -> Result<String, Halted> {
    serde_json::to_string(value).map_err(|e| Halted {
        reason: format!("a task could not be written down: {e}"),
    })
}

/// A place's, person's or object's name, shared.
pub(crate) type Name = Arc<str>;
