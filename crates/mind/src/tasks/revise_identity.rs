//! What occupies the resident from the new day on.

use serde::Serialize;
use townsfolk_time::Date;

use super::{Recalled, Text, TextWire};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, concerns};
use crate::{Identity, Task, TaskKind};

/// Asks, overnight, what occupies the resident from `date` on; the answer replaces
/// [`Identity::current`].
#[derive(Clone, Debug, Serialize)]
pub struct ReviseIdentity<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day that begins.
    pub date: Date,
    /// What came to mind about plans and important recent events, best first.
    pub recalled: &'a [Recalled],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    memories: Vec<Remembered<'a>>,
}

impl Task for ReviseIdentity<'_> {
    const KIND: TaskKind = TaskKind::ReviseIdentity;
    type Answer = Text;

    type Wire = TextWire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            date: fit.date(self.date),
            memories: fit.memories(self.recalled),
        }
    }

    fn read(&self, wire: TextWire, _fit: &Fit<'_>) -> Result<Text, String> {
        wire.read_sentence()
    }

    fn write(&self, answer: &Text) -> TextWire {
        TextWire::write(answer)
    }

    fn check(&self, answer: &Text) -> Result<(), String> {
        answer.check()
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Text {
        Text {
            text: concerns::revise(self),
        }
    }
}
