//! The rest of the day after something came between.

use serde::Serialize;
use townsfolk_memory::MemoryId;
use townsfolk_time::{Date, Minute};

use super::Blocks;
use crate::routine::{Rules, revise};
use crate::{Entry, Identity, Schedule, Task, TaskKind};

/// Asks for the rest of the day, from `now`, with something new in it.
#[derive(Clone, Debug, Serialize)]
pub struct ReviseSchedule<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day.
    pub date: Date,
    /// The minute from which the day may change.
    pub now: Minute,
    /// The day as planned.
    pub plan: &'a Schedule,
    /// What must stand in the answer; none where the reason may only move or drop what is planned.
    pub new: Option<&'a Entry>,
    /// Why, in words: what was heard, seen or agreed.
    pub reason: &'a str,
    /// The memory behind it, where there is one.
    pub cause: Option<MemoryId>,
}

impl Task for ReviseSchedule<'_> {
    const KIND: TaskKind = TaskKind::ReviseSchedule;
    /// The blocks from `now` to midnight; the first starts at `now`.
    type Answer = Blocks;

    fn check(&self, answer: &Blocks) -> Result<(), String> {
        if answer.blocks.first().map(|b| b.start) != Some(self.now) {
            return Err(format!("the first block starts at minute {}", self.now));
        }
        let mut revised = self.plan.clone();
        revised.splice(answer.entries()).map_err(|e| e.to_string())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Blocks {
        Blocks {
            blocks: revise::revise(self),
        }
    }
}
