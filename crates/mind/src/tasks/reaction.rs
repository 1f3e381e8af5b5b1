//! What to do about somebody or something seen.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Recalled;
use crate::model::doing::doing;
use crate::model::wire::Bound;
use crate::model::{Fit, Remembered, Who};
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
    /// Nothing outside: a thought that came of itself, such as a whisper.
    Thought {
        /// The thought.
        text: &'a str,
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

/// The decision as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// What to do.
    pub choice: ChoiceWire,
    /// What else to do, for `change_plan`; otherwise empty.
    #[serde(default)]
    pub instead: String,
    /// How long to wait or to do it; otherwise 0.
    #[serde(default)]
    pub minutes: u16,
}

/// The ways to react, as models write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ChoiceWire {
    #[allow(missing_docs, reason = "as in Reaction")]
    CarryOn,
    #[allow(missing_docs, reason = "as in Reaction")]
    Talk,
    #[allow(missing_docs, reason = "as in Reaction")]
    Wait,
    #[allow(missing_docs, reason = "as in Reaction")]
    ChangePlan,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    now: String,
    date: String,
    doing: Cow<'a, str>,
    minutes_left: u16,
    person: Option<PersonView<'a>>,
    object: Option<ObjectView<'a>>,
    thought: Option<Cow<'a, str>>,
    memories: Vec<Remembered<'a>>,
    news: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
struct PersonView<'a> {
    name: &'a str,
    doing: Cow<'a, str>,
    memories: u32,
    talks: u32,
    hours_since_talk: Option<u32>,
    in_the_way: bool,
    may_talk: bool,
}

#[derive(Serialize)]
struct ObjectView<'a> {
    name: &'a str,
    state: Cow<'a, str>,
}

/// Nobody waits longer, in minutes.
const LONGEST_WAIT: u16 = 60;
/// Nobody does something else for longer without planning it, in minutes.
const LONGEST_CHANGE: u16 = 240;
/// Waiting takes this long where nobody says, in minutes.
const A_WHILE: u16 = 10;
/// Doing something else takes this long where nobody says, in minutes.
const HALF_AN_HOUR: u16 = 30;

impl Task for React<'_> {
    const KIND: TaskKind = TaskKind::Reaction;
    type Answer = Reaction;

    type Wire = Wire;

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        // 0 where nothing takes time.
        vec![Bound::within("minutes", 0..=LONGEST_CHANGE.into())]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        let (mut person, mut object, mut thought) = (None, None, None);
        match &self.seen {
            Seen::Person {
                name,
                doing,
                acquaintance,
                in_the_way,
                may_talk,
            } => {
                person = Some(PersonView {
                    name,
                    doing: fit.text(doing),
                    memories: acquaintance.memories,
                    talks: acquaintance.talks,
                    hours_since_talk: acquaintance.minutes_since_talk.map(|m| m / 60),
                    in_the_way: *in_the_way,
                    may_talk: *may_talk,
                });
            }
            Seen::Object { name, state } => {
                object = Some(ObjectView {
                    name,
                    state: fit.text(state),
                });
            }
            Seen::Thought { text } => thought = Some(fit.text(text)),
        }
        View {
            who: fit.who(self.who),
            now: fit.clock(self.now.minute_of_day()),
            date: fit.date(self.now.date()),
            doing: fit.text(self.doing),
            minutes_left: self.minutes_left,
            person,
            object,
            thought,
            memories: fit.memories(self.recalled),
            news: self.news[..fit.shown(self.news.len())]
                .iter()
                .map(|n| fit.text(&n.text))
                .collect(),
        }
    }

    /// Times out of range become the nearest possible ones.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Reaction, String> {
        let minutes = |usual: u16, most: u16| {
            if wire.minutes == 0 {
                usual
            } else {
                wire.minutes.min(most)
            }
        };
        Ok(match wire.choice {
            ChoiceWire::CarryOn => Reaction::CarryOn,
            ChoiceWire::Talk => Reaction::Talk,
            ChoiceWire::Wait => Reaction::Wait {
                minutes: minutes(A_WHILE, LONGEST_WAIT),
            },
            ChoiceWire::ChangePlan => {
                let activity = match wire.instead.trim() {
                    "" => String::new(),
                    instead => doing(instead, "activity", self.who)?,
                };
                Reaction::ChangePlan {
                    activity,
                    minutes: minutes(HALF_AN_HOUR, LONGEST_CHANGE),
                }
            }
        })
    }

    fn write(&self, answer: &Reaction) -> Wire {
        let (choice, instead, minutes) = match answer {
            Reaction::CarryOn => (ChoiceWire::CarryOn, "", 0),
            Reaction::Talk => (ChoiceWire::Talk, "", 0),
            Reaction::Wait { minutes } => (ChoiceWire::Wait, "", *minutes),
            Reaction::ChangePlan { activity, minutes } => {
                (ChoiceWire::ChangePlan, activity.as_str(), *minutes)
            }
        };
        Wire {
            choice,
            instead: instead.to_owned(),
            minutes,
        }
    }

    fn check(&self, answer: &Reaction) -> Result<(), String> {
        match (answer, &self.seen) {
            (Reaction::Talk, Seen::Person { may_talk: true, .. }) | (Reaction::CarryOn, _) => Ok(()),
            (Reaction::Talk, _) => Err("nobody can be spoken to now".to_owned()),
            (
                Reaction::Wait {
                    minutes: 1..=LONGEST_WAIT,
                },
                _,
            ) => Ok(()),
            (Reaction::Wait { .. }, _) => Err(format!("wait for 1 to {LONGEST_WAIT} minutes")),
            (
                Reaction::ChangePlan {
                    activity,
                    minutes: 1..=LONGEST_CHANGE,
                },
                _,
            ) if !activity.trim().is_empty() => Ok(()),
            (Reaction::ChangePlan { .. }, _) => {
                Err(format!("say what to do, for 1 to {LONGEST_CHANGE} minutes"))
            }
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Reaction {
        reactions::react(self, rules)
    }
}
