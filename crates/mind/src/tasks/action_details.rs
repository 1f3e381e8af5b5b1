//! How an action shows: emoji, event triple and the state of the object it uses, in one answer.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Fit;
use crate::model::wire::{named, said, unstopped};
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

/// The same as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// One or two emoji.
    pub emoji: String,
    /// State of the used object, or empty.
    #[serde(default)]
    pub state: String,
    /// What the verb is about, or empty.
    #[serde(default)]
    pub thing: String,
    /// Third person singular.
    pub verb: String,
}

/// Longer verbs, things and states are something else, in characters.
const LONGEST_DETAIL: usize = 80;

#[derive(Serialize)]
struct View<'a> {
    activity: Cow<'a, str>,
    object: Option<&'a str>,
}

/// The emoji in a text, three at most; letters, digits and marks around them go.
fn emoji_in(text: &str) -> String {
    let joins = |c: char| matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let mut emoji = String::new();
    let mut count = 0;
    for c in text.chars() {
        let is_emoji = matches!(
            u32::from(c),
            0x203c | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x2bff | 0x3030 | 0x303d | 0x3297 | 0x3299 | 0x1f000..=0x1faff
        );
        if joins(c) && !emoji.is_empty() {
            emoji.push(c);
        } else if is_emoji {
            // What a joiner ties to the one before is part of it.
            if !emoji.ends_with('\u{200d}') {
                count += 1;
            }
            if count > 3 {
                break;
            }
            emoji.push(c);
        }
    }
    emoji
}

impl Task for ActionDetails<'_> {
    const KIND: TaskKind = TaskKind::ActionDetails;
    type Answer = Details;

    type Wire = Wire;

    /// Says nothing of who it is: many residents do the same, and equal prompts share an answer.
    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            activity: fit.text(self.activity),
            object: self.object,
        }
    }

    /// Without any emoji, the rules' one stands: the words are worth keeping.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Details, String> {
        let emoji = match emoji_in(&wire.emoji) {
            none if none.is_empty() => details::details(self).emoji,
            emoji => emoji,
        };
        let details = Details {
            emoji,
            predicate: wire.verb.trim().to_owned(),
            object: said(wire.thing).unwrap_or_default(),
            object_state: self.object.and_then(|_| said(unstopped(&wire.state).to_owned())),
        };
        let state = details.object_state.as_deref().unwrap_or_default();
        for (text, what) in [
            (&*details.predicate, "verb"),
            (&*details.object, "thing"),
            (state, "state"),
        ] {
            if text.chars().count() > LONGEST_DETAIL {
                return Err(format!("the {what} takes a few words and no more"));
            }
            if !text.is_empty() {
                named(text, what)?;
            }
        }
        Ok(details)
    }

    fn write(&self, answer: &Details) -> Wire {
        Wire {
            emoji: answer.emoji.clone(),
            state: answer.object_state.clone().unwrap_or_default(),
            thing: answer.object.clone(),
            verb: answer.predicate.clone(),
        }
    }

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
