//! When the resident gets up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::{DAY_MINUTES, Date, Minute, clock};

use crate::model::wire::minute;
use crate::model::{Fit, Who};
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

/// The same as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// When the resident gets up, HH:MM.
    pub wake: String,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
}

/// Getting up further than this from the stated hour is out of character, in minutes.
const OUT_OF_CHARACTER: Minute = 180;

impl Task for WakeUp<'_> {
    const KIND: TaskKind = TaskKind::WakeUp;
    type Answer = WakeUpAt;

    type Wire = Wire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            date: fit.date(self.date),
        }
    }

    /// An hour far from the stated one becomes the stated one; where none is stated, any hour stands.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<WakeUpAt, String> {
        let said = minute(&wire.wake)?;
        let minute = match Lifestyle::stated_wake(self.who) {
            Some(usual) => {
                let apart = said.abs_diff(usual);
                let apart = apart.min(DAY_MINUTES - apart);
                if apart > OUT_OF_CHARACTER { usual } else { said }
            }
            None => said,
        };
        Ok(WakeUpAt { minute })
    }

    fn write(&self, answer: &WakeUpAt) -> Wire {
        Wire {
            wake: clock(answer.minute),
        }
    }

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
