//! What to do about somebody or something seen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Recalled;
use crate::routine::{Rules, reactions};
use crate::{Identity, Task, TaskKind};

/// Asks what to do about something seen.
#[derive(Clone, Debug, Serialize)]
pub struct React<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The moment.
    pub now: GameTime,
    /// What the resident is doing.
    pub doing: &'a str,
    /// How many minutes of it are left.
    pub minutes_left: u16,
    /// What is seen.
    pub seen: Seen<'a>,
    /// What came to mind about it, best first.
    pub recalled: &'a [Recalled],
    /// What the resident knows that the person seen has not heard from them, best first.
    pub news: &'a [Recalled],
}

/// What is seen.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen<'a> {
    /// Somebody who could be spoken to.
    Person {
        /// Their name.
        name: &'a Arc<str>,
        /// What they are doing, in words.
        doing: &'a str,
        /// How well the resident knows them.
        acquaintance: Acquaintance,
        /// Whether they use, alone, the very object the resident needs now.
        in_the_way: bool,
        /// Whether talking is possible: both awake, free, and past the cool-down.
        may_talk: bool,
    },
    /// An object whose state has changed.
    Object {
        /// Its name.
        name: &'a str,
        /// Its state.
        state: &'a str,
    },
}

/// How well a resident knows somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Acquaintance {
    /// How many memories are about them.
    pub memories: u32,
    /// How many talks they had.
    pub talks: u32,
    /// Minutes since the last talk ended, if there was one.
    pub minutes_since_talk: Option<u32>,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "reaction")]
pub enum Reaction {
    /// Nothing.
    CarryOn,
    /// Speak to the person.
    Talk,
    /// Wait for the person or object to be free, this many minutes at most.
    Wait {
        /// 1 to 60.
        minutes: u16,
    },
    /// Do something else instead.
    ChangePlan {
        /// What.
        activity: String,
        /// How long, in minutes; 1 to 240.
        minutes: u16,
    },
}

impl Task for React<'_> {
    const KIND: TaskKind = TaskKind::Reaction;
    type Answer = Reaction;

    fn check(&self, answer: &Reaction) -> Result<(), String> {
        match (answer, &self.seen) {
            (Reaction::Talk, Seen::Person { may_talk: true, .. }) | (Reaction::CarryOn, _) => Ok(()),
            (Reaction::Talk, _) => Err("nobody can be spoken to now".to_owned()),
            (Reaction::Wait { minutes: 1..=60 }, _) => Ok(()),
            (Reaction::Wait { .. }, _) => Err("wait for 1 to 60 minutes".to_owned()),
            (
                Reaction::ChangePlan {
                    activity,
                    minutes: 1..=240,
                },
                _,
            ) if !activity.trim().is_empty() => Ok(()),
            (Reaction::ChangePlan { .. }, _) => Err("say what to do, for 1 to 240 minutes".to_owned()),
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Reaction {
        reactions::react(self, rules)
    }
}
