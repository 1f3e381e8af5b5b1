//! What a talk was about.

use std::sync::Arc;

use serde::Serialize;

use super::{Line, Text, TextWire};
use crate::model::{Fit, Said, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, Task, TaskKind};

/// Asks what a talk was about, as the resident will remember it.
#[derive(Clone, Debug, Serialize)]
pub struct ConversationSummary<'a> {
    /// Who remembers.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// With whom the talk was.
    pub other: &'a Arc<str>,
    /// What was said, never empty.
    pub lines: &'a [Line],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    other: &'a str,
    lines: Vec<Said<'a>>,
}

impl Task for ConversationSummary<'_> {
    const KIND: TaskKind = TaskKind::ConversationSummary;
    type Answer = Text;

    type Wire = TextWire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            other: self.other,
            lines: fit.lines(self.lines),
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
            text: summaries::conversation(self),
        }
    }
}
