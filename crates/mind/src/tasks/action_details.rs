//! How an action shows: emoji, event triple and the state of the object it uses, in one answer.

use serde::{Deserialize, Serialize};

use crate::routine::{Rules, details};
use crate::{Identity, Task, TaskKind};

/// Asks how an action shows.
#[derive(Clone, Debug, Serialize)]
pub struct ActionDetails<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What is done.
    pub activity: &'a str,
    /// Whether it is sleep.
    pub asleep: bool,
    /// Name of the object it uses, if any.
    pub object: Option<&'a str>,
}

/// How an action shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// One or two emoji.
    pub emoji: String,
    /// Predicate of the event whose subject is the resident, such as "cooks".
    pub predicate: String,
    /// Object of the event, such as "dinner".
    pub object: String,
    /// State of the used object, such as "being cooked on"; none where no object is used.
    #[serde(default)]
    pub object_state: Option<String>,
}

impl Task for ActionDetails<'_> {
    const KIND: TaskKind = TaskKind::ActionDetails;
    type Answer = Details;

    fn check(&self, answer: &Details) -> Result<(), String> {
        if answer.emoji.is_empty()
            || answer.emoji.chars().count() > 12
            || answer.emoji.chars().any(|c| c.is_ascii_alphanumeric())
        {
            return Err("give one or two emoji".to_owned());
        }
        if answer.predicate.trim().is_empty() {
            return Err("the event needs a predicate".to_owned());
        }
        if self.object.is_some() && answer.object_state.as_ref().is_none_or(|s| s.trim().is_empty()) {
            return Err("say what state the object is in".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Details {
        details::details(self)
    }
}
