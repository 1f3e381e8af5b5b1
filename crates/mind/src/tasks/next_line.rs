//! The next line of a talk, with what it passes on, what it decides, and whether it ends the talk.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::GameTime;

use super::{Appointment, Occasion, Recalled};
use crate::routine::{Rules, talk};
use crate::{Entry, Identity, Task, TaskKind};

/// Asks what to say next.
#[derive(Clone, Debug, Serialize)]
pub struct NextLine<'a> {
    /// Who speaks.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// Who listens.
    pub listener: &'a Arc<str>,
    /// The moment.
    pub now: GameTime,
    /// Where they stand, in words.
    pub place: &'a str,
    /// What the speaker was doing.
    pub doing: &'a str,
    /// What the listener was seen doing.
    pub listener_doing: &'a str,
    /// What the speaker makes of the listener; empty where nothing is known.
    pub relationship: &'a str,
    /// What came to mind for this listener and the last line, best first.
    pub topics: &'a [Topic],
    /// What was said so far, oldest first.
    pub lines: &'a [Line],
    /// How many more lines the speaker may say, this one included; at least 1.
    pub lines_left: u16,
    /// The speaker's plan for the rest of the day.
    pub plan: &'a [Entry],
    /// What the speaker has already agreed to attend, on any day.
    pub appointments: &'a [Appointment],
    /// The occasions that speaker and listener have asked each other to and answered about.
    pub answered: &'a [Occasion],
}

/// A memory that could be spoken of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Topic {
    /// The memory.
    #[serde(flatten)]
    pub recalled: Recalled,
    /// Whether the listener told it to the speaker, or has heard it from the speaker.
    pub shared: bool,
}

/// A line that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Who said it.
    pub speaker: Arc<str>,
    /// The words.
    pub text: Arc<str>,
    /// What the line passed on: the speaker's memories and their texts.
    pub tells: Vec<(MemoryId, Arc<str>)>,
    /// What the speaker decided with it.
    pub decision: Option<Decision>,
}

/// A decision, apart from its wording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What was asked or offered, in words.
    pub on: String,
    /// Whether the speaker agrees.
    pub accept: bool,
    /// Why.
    pub reason: String,
    /// The occasion, where it is about attending one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occasion: Option<Occasion>,
}

/// What is said next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// The words, never empty.
    pub text: String,
    /// Which topics (by position) the words pass on to the listener.
    #[serde(default)]
    pub tells: Vec<usize>,
    /// What the speaker decides about something the listener asked or offered.
    #[serde(default)]
    pub decision: Option<Decision>,
    /// Whether the speaker ends the talk with this line.
    pub ends: bool,
}

impl Task for NextLine<'_> {
    const KIND: TaskKind = TaskKind::NextLine;
    type Answer = Utterance;

    fn check(&self, answer: &Utterance) -> Result<(), String> {
        if answer.text.trim().is_empty() {
            return Err("say something".to_owned());
        }
        if answer.tells.iter().any(|t| *t >= self.topics.len()) {
            return Err(format!(
                "topics are numbered 0 to {}",
                self.topics.len().saturating_sub(1)
            ));
        }
        Ok(())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Utterance {
        talk::next_line(self, rules)
    }
}
