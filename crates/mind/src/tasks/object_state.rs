//! An object's state from a user's words.

use std::borrow::Cow;

use serde::Serialize;

use super::TextTask;
use crate::TaskKind;
use crate::model::Fit;
use crate::model::reader::Plain;
use crate::model::wire::{named, unstopped};
use crate::routine::{Rules, details};

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

/// The answer is the state alone, such as "being descaled".
impl TextTask for ObjectState<'_> {
    const ASKS: TaskKind = TaskKind::ObjectState;
    const READ_PLAIN: Plain = Plain::Words;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            object: self.object,
            words: fit.text(self.words),
        }
    }

    /// The state alone, also where the thing is named with it.
    fn take(&self, line: String) -> Result<String, String> {
        let state = details::state(self.object, unstopped(&line));
        named(&state, "state")?;
        // Words without a state in them say nothing of the object, not that it is idle.
        if state == details::state(self.object, "") && !line.contains(&state) {
            return Err(format!("\"{line}\" does not say what state it is in"));
        }
        Ok(state)
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        details::state(self.object, self.words)
    }
}
