//! The whole day, hour by hour, in one answer.

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, Date, Minute};

use super::Stroke;
use crate::routine::{Rules, days};
use crate::{Entry, Identity, Schedule, Task, TaskKind};

/// Asks for the whole day from its broad strokes.
#[derive(Clone, Debug, Serialize)]
pub struct HourlySchedule<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day to plan.
    pub date: Date,
    /// When the resident gets up, minutes after midnight.
    pub wake: Minute,
    /// The broad strokes, by start.
    pub strokes: &'a [Stroke],
}

/// One stretch of the day, which lasts until the next begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// When it starts, minutes after midnight.
    pub start: Minute,
    /// What is done.
    pub activity: String,
    /// Whether the resident sleeps through it.
    #[serde(default)]
    pub asleep: bool,
    /// The memory it comes from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<MemoryId>,
}

/// A day as stretches; the first starts at minute 0, the last ends at midnight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// By start.
    pub blocks: Vec<Block>,
}

impl Blocks {
    /// The stretches as entries, each lasting until the next begins and the last until midnight.
    pub fn entries(&self) -> Vec<Entry> {
        let ends = self.blocks.iter().skip(1).map(|b| b.start).chain([DAY_MINUTES]);
        let entry = |(block, end): (&Block, Minute)| Entry {
            start: block.start,
            minutes: end.saturating_sub(block.start),
            activity: block.activity.as_str().into(),
            asleep: block.asleep,
            cause: block.cause,
            step: false,
        };
        self.blocks.iter().zip(ends).map(entry).collect()
    }
}

impl Task for HourlySchedule<'_> {
    const KIND: TaskKind = TaskKind::HourlySchedule;
    type Answer = Blocks;

    fn check(&self, answer: &Blocks) -> Result<(), String> {
        let schedule = Schedule::new(answer.entries()).map_err(|e| e.to_string())?;
        if schedule.entries().iter().all(|e| e.asleep) {
            return Err("the resident cannot sleep all day".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Blocks {
        Blocks {
            blocks: days::hours(self.who, self.wake, self.strokes),
        }
    }
}
