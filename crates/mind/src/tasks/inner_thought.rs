//! A whisper as a thought of one's own.

use std::borrow::Cow;

use serde::Serialize;

use super::{Text, TextWire};
use crate::model::{Fit, Who};
use crate::routine::{Rules, speech};
use crate::{Identity, Task, TaskKind};

/// Asks for a whisper ("You are planning a party") as a statement about the resident ("Mara Ilves
/// is planning a party").
#[derive(Clone, Debug, Serialize)]
pub struct InnerThought<'a> {
    /// Who hears it.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The whisper.
    pub whisper: &'a str,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    whisper: Cow<'a, str>,
}

impl Task for InnerThought<'_> {
    const KIND: TaskKind = TaskKind::InnerThought;
    type Answer = Text;

    type Wire = TextWire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            whisper: fit.text(self.whisper),
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
        let who = self.who;
        let thought = speech::thought(self.whisper, &who.name, &who.first_name);
        // Nothing whispered is still something that happened to somebody.
        let text = if thought.is_empty() {
            who.name.to_string()
        } else {
            thought
        };
        Text { text }
    }
}
