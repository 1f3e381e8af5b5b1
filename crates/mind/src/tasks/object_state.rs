//! An object's state from a user's words.

use serde::Serialize;

use super::Text;
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

impl Task for ObjectState<'_> {
    const KIND: TaskKind = TaskKind::ObjectState;
    /// The state alone, such as "being descaled".
    type Answer = Text;

    fn check(&self, answer: &Text) -> Result<(), String> {
        answer.check()
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Text {
        Text {
            text: details::state(self.object, self.words),
        }
    }
}
