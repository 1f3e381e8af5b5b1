//! One stretch of the day in steps of 5 to 15 minutes, just in time.

use serde::{Deserialize, Serialize};
use townsfolk_time::Date;

use crate::routine::{Rules, steps};
use crate::{Entry, Identity, Task, TaskKind};

/// Asks for the steps of one stretch of the day.
#[derive(Clone, Debug, Serialize)]
pub struct Decompose<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day.
    pub date: Date,
    /// The stretch.
    pub entry: &'a Entry,
    /// What comes before it, if anything.
    pub before: Option<&'a Entry>,
    /// What comes after it, if anything.
    pub after: Option<&'a Entry>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is done.
    pub activity: String,
    /// How long, in minutes; at least 1.
    pub minutes: u16,
}

/// The steps of a stretch; together exactly as long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// In order.
    pub steps: Vec<Step>,
}

impl Task for Decompose<'_> {
    const KIND: TaskKind = TaskKind::Decompose;
    type Answer = Steps;

    fn check(&self, answer: &Steps) -> Result<(), String> {
        if answer
            .steps
            .iter()
            .any(|s| s.minutes == 0 || s.activity.trim().is_empty())
        {
            return Err("each step needs an activity and at least one minute".to_owned());
        }
        let total: u32 = answer.steps.iter().map(|s| u32::from(s.minutes)).sum();
        let wanted = u32::from(self.entry.minutes);
        if total == wanted {
            Ok(())
        } else {
            Err(format!("the steps take {total} minutes, not {wanted}"))
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Steps {
        Steps {
            steps: steps::steps(self, rules),
        }
    }
}
