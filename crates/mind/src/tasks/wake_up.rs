//! When the resident gets up.

use serde::{Deserialize, Serialize};
use townsfolk_time::{Date, Minute};

use crate::routine::Rules;
use crate::routine::lifestyle::Lifestyle;
use crate::{Identity, Task, TaskKind};

/// Asks when the resident gets up on `date`.
#[derive(Clone, Debug, Serialize)]
pub struct WakeUp<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day.
    pub date: Date,
}

/// When the resident gets up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeUpAt {
    /// Minutes after midnight, 0 to 1,439.
    pub minute: Minute,
}

impl Task for WakeUp<'_> {
    const KIND: TaskKind = TaskKind::WakeUp;
    type Answer = WakeUpAt;

    fn check(&self, answer: &WakeUpAt) -> Result<(), String> {
        if answer.minute < 1_440 {
            Ok(())
        } else {
            Err("a day has hours 0 to 23".to_owned())
        }
    }

    /// The stated hour, give or take ten minutes.
    fn by_rule(&self, rules: &Rules<'_>) -> WakeUpAt {
        let usual = i32::from(Lifestyle::of(self.who).wake);
        let shift = 5 * (rules.chance.below("wake up", 5) as i32 - 2);
        WakeUpAt {
            minute: (usual + shift).rem_euclid(1_440) as Minute,
        }
    }
}
