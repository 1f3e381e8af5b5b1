//! An object's state from a user's words.

use std::borrow::Cow;

use serde::Serialize;

use super::{Text, TextWire};
use crate::model::Fit;
use crate::model::wire::named;
use crate::routine::{Rules, details};
use crate::{Task, TaskKind};

/// Asks for an object's state from a user's words, such as "the kettle is being descaled".
#[derive(Clone, Debug, Serialize)]
pub struct ObjectState<'a> {
    /// The object's name.
    pub object: &'a str,
    /// What the user wrote.
    pub words: &'a str,
}

#[derive(Serialize)]
struct View<'a> {
    object: &'a str,
    words: Cow<'a, str>,
}

impl Task for ObjectState<'_> {
    const KIND: TaskKind = TaskKind::ObjectState;
    /// The state alone, such as "being descaled".
    type Answer = Text;

    type Wire = TextWire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            object: self.object,
            words: fit.text(self.words),
        }
    }

    /// The state alone, also where the thing is named with it.
    fn read(&self, wire: TextWire, _fit: &Fit<'_>) -> Result<Text, String> {
        let written = wire.read().text;
        let text = details::state(self.object, &written);
        named(&text, "state")?;
        // Words without a state in them say nothing of the object, not that it is idle.
        if text == details::state(self.object, "") && !written.contains(&text) {
            return Err(format!("\"{written}\" does not say what state it is in"));
        }
        Ok(Text { text })
    }

    fn write(&self, answer: &Text) -> TextWire {
        TextWire::write(answer)
    }

    fn check(&self, answer: &Text) -> Result<(), String> {
        answer.check()
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Text {
        Text {
            text: details::state(self.object, self.words),
        }
    }
}
