//! The resident in a few sentences, from memories.

use serde::Serialize;

use super::{Recalled, Text, TextWire};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, Task, TaskKind};

/// Asks for a summary of the resident.
#[derive(Clone, Debug, Serialize)]
pub struct ResidentSummary<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What came to mind about core characteristics, current occupation and the feeling about
    /// recent progress (the paper's three queries), best first, without repeats.
    pub recalled: &'a [Recalled],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    memories: Vec<Remembered<'a>>,
}

impl Task for ResidentSummary<'_> {
    const KIND: TaskKind = TaskKind::ResidentSummary;
    type Answer = Text;

    type Wire = TextWire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
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
            text: summaries::resident(self),
        }
    }
}
