//! What a text commits the resident to attend.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Occasion;
use crate::model::wire::OccasionWire;
use crate::model::{Fit, Who};
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

/// The occasion as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// The occasion, or null.
    #[serde(default)]
    pub occasion: Option<OccasionWire>,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    today: String,
    now: String,
    text: Cow<'a, str>,
}

impl Task for Commitment<'_> {
    const KIND: TaskKind = TaskKind::Commitment;
    type Answer = Committed;

    type Wire = Wire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            date: fit.date(self.now.date()),
            today: self.now.date().to_string(),
            now: fit.clock(self.now.minute_of_day()),
            text: fit.text(self.text),
        }
    }

    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Committed, String> {
        let occasion = wire
            .occasion
            .map(|occasion| occasion.read(self.now))
            .transpose()?;
        Ok(Committed { occasion })
    }

    fn write(&self, answer: &Committed) -> Wire {
        Wire {
            occasion: answer.occasion.as_ref().map(OccasionWire::write),
        }
    }

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
