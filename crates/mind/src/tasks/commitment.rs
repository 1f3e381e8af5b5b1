//! What a text commits the resident to attend.

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Occasion;
use crate::routine::{Rules, concerns};
use crate::{Identity, Task, TaskKind};

/// Asks which occasion, if any, a text about the resident's own affairs fixes: "Mara Ilves is
/// planning a lantern supper at the boathouse on June 4 at 18:00" makes Mara its host.
#[derive(Clone, Debug, Serialize)]
pub struct Commitment<'a> {
    /// Whose text it is.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The moment, for "tomorrow" and dates without a year.
    pub now: GameTime,
    /// The text.
    pub text: &'a str,
}

/// The occasion, if the text fixes one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    /// None where the text fixes nothing the resident takes part in.
    #[serde(default)]
    pub occasion: Option<Occasion>,
}

impl Task for Commitment<'_> {
    const KIND: TaskKind = TaskKind::Commitment;
    type Answer = Committed;

    fn check(&self, answer: &Committed) -> Result<(), String> {
        match &answer.occasion {
            Some(o) if o.minutes == 0 || o.start >= 1_440 || o.what.trim().is_empty() => {
                Err("an occasion has a name, starts within a day and takes time".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Committed {
        Committed {
            occasion: concerns::commitment(self.who, self.now, self.text),
        }
    }
}
