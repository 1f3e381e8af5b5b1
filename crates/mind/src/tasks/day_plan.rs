//! The day in five to eight strokes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{Date, Minute};

use super::{Appointment, Recalled};
use crate::routine::{Rules, days};
use crate::{Identity, Task, TaskKind};

/// Asks for the broad strokes of a day.
#[derive(Clone, Debug, Serialize)]
pub struct DayPlan<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day to plan.
    pub date: Date,
    /// When the resident gets up, minutes after midnight.
    pub wake: Minute,
    /// What the resident has agreed to attend that day, by start.
    pub appointments: &'a [Appointment],
    /// What came to mind about plans and recent days, best first.
    pub recalled: &'a [Recalled],
    /// Names of the sectors that the resident knows, in the town's order.
    pub known_places: &'a [Arc<str>],
}

/// One broad stroke of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stroke {
    /// When it starts, minutes after midnight.
    pub start: Minute,
    /// What is done.
    pub activity: String,
    /// The memory it comes from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<MemoryId>,
}

/// The broad strokes of a day, by start, without sleep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strokes {
    /// Five to eight as a rule; at least one.
    pub strokes: Vec<Stroke>,
}

impl Task for DayPlan<'_> {
    const KIND: TaskKind = TaskKind::DayPlan;
    type Answer = Strokes;

    fn check(&self, answer: &Strokes) -> Result<(), String> {
        let strokes = &answer.strokes;
        if strokes.is_empty() {
            return Err("the day has no strokes".to_owned());
        }
        if strokes.iter().any(|s| s.activity.trim().is_empty()) {
            return Err("a stroke says nothing".to_owned());
        }
        if strokes.iter().any(|s| s.start >= 1_440) || !strokes.is_sorted_by_key(|s| s.start) {
            return Err("strokes start within the day and in order".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Strokes {
        Strokes {
            strokes: days::strokes(self, rules),
        }
    }
}
