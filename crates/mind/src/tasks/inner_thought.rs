//! A whisper as a thought of one's own.

use serde::Serialize;

use super::Text;
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

impl Task for InnerThought<'_> {
    const KIND: TaskKind = TaskKind::InnerThought;
    type Answer = Text;

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
