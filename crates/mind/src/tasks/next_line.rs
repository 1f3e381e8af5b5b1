//! The next line of a talk, with what it passes on, what it decides, and whether it ends the talk.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::GameTime;

use super::{Appointment, Occasion, Recalled};
use crate::model::reader::Plain;
use crate::model::utterance::Speaker;
use crate::model::wire::{Bound, OccasionWire, named, numbers, positions, references, said, spoken};
use crate::model::{Fit, Remembered, Said, Stretch, Who};
use crate::routine::{Rules, retold, talk};
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
    /// What the speaker knows of that does not take place.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub called_off: &'a [Occasion],
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

impl Topic {
    /// The memory as it is told at `now`: of the days that its words meant when it was made.
    #[must_use]
    pub fn as_told(&self, now: GameTime) -> Arc<str> {
        match retold(&self.recalled.text, self.recalled.created, now) {
            Cow::Borrowed(_) => self.recalled.text.clone(),
            Cow::Owned(told) => told.into(),
        }
    }
}

/// A line that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Who said it.
    pub speaker: Arc<str>,
    /// The words.
    pub text: Arc<str>,
    /// What the line passed on: the speaker's memories and their texts, as they were told.
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

/// What is said next, as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// The speaker's answer to a request or invitation.
    #[serde(default)]
    pub answers: AnswersWire,
    /// The occasion, where the answer is to an invitation; else null.
    #[serde(default)]
    pub occasion: Option<OccasionWire>,
    /// What was asked or offered, or empty.
    #[serde(default)]
    pub on: String,
    /// The spoken words.
    pub say: String,
    /// Whether this line ends the talk.
    #[serde(default)]
    pub stops: bool,
    /// Numbers of the memories that the words pass on.
    #[serde(default)]
    pub tells: Vec<u32>,
    /// Why the answer is so, or empty.
    #[serde(default)]
    pub why: String,
}

/// The speaker's answer to a request, as models write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum AnswersWire {
    // Without descriptions the schema is a plain list of values, which every provider takes and the reader
    // forgives.
    #[default]
    #[allow(missing_docs, reason = "as in Decision")]
    Nothing,
    #[allow(missing_docs, reason = "as in Decision")]
    Yes,
    #[allow(missing_docs, reason = "as in Decision")]
    No,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    listener: &'a str,
    now: String,
    date: String,
    today: String,
    place: Cow<'a, str>,
    doing: Cow<'a, str>,
    listener_doing: Cow<'a, str>,
    relationship: Cow<'a, str>,
    memories: Vec<TopicView<'a>>,
    lines: Vec<Said<'a>>,
    lines_left: u16,
    plan: Vec<Stretch<'a>>,
    appointments: Vec<OccasionView<'a>>,
    answered: Vec<OccasionView<'a>>,
}

#[derive(Serialize)]
struct TopicView<'a> {
    #[serde(flatten)]
    memory: Remembered<'a>,
    shared: bool,
}

#[derive(Serialize)]
struct OccasionView<'a> {
    what: Cow<'a, str>,
    date: String,
    at: String,
    place: Option<&'a str>,
}

impl NextLine<'_> {
    fn occasion<'t>(fit: &Fit<'_>, occasion: &'t Occasion) -> OccasionView<'t> {
        OccasionView {
            what: fit.text(&occasion.what),
            date: occasion.date.to_string(),
            at: fit.clock(occasion.start),
            place: occasion.place.as_deref(),
        }
    }

    /// Whether somebody is called so in what the speaker has in mind.
    fn is_name(&self, name: &str) -> bool {
        let mut topics = self.topics.iter().map(|topic| &topic.recalled);
        topics.any(|topic| topic.subject.contains(name) || topic.text.contains(&format!("{name} ")))
    }
}

impl Task for NextLine<'_> {
    const KIND: TaskKind = TaskKind::NextLine;
    type Answer = Utterance;

    type Wire = Wire;

    const PLAIN: Plain = Plain::Sentences;

    fn bounds(&self, fit: &Fit<'_>) -> Vec<Bound> {
        references("tells", "tells[]", fit.shown(self.topics.len()))
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        let shown = fit.shown(self.topics.len());
        fit.leave_out_memories(self.topics.len() - shown);
        let topics = self.topics[..shown].iter().enumerate();
        View {
            who: fit.who(self.who),
            listener: self.listener,
            now: fit.clock(self.now.minute_of_day()),
            date: fit.date(self.now.date()),
            today: self.now.date().to_string(),
            place: fit.text(self.place),
            doing: fit.text(self.doing),
            listener_doing: fit.text(self.listener_doing),
            relationship: fit.text(self.relationship),
            memories: topics
                .map(|(i, topic)| TopicView {
                    memory: fit.memory(i + 1, &topic.recalled),
                    shared: topic.shared,
                })
                .collect(),
            lines: fit.lines(self.lines),
            lines_left: self.lines_left,
            plan: fit.plan(self.plan),
            appointments: self
                .appointments
                .iter()
                .map(|a| Self::occasion(fit, &a.occasion))
                .collect(),
            answered: self.answered.iter().map(|o| Self::occasion(fit, o)).collect(),
        }
    }

    /// The last line that may be said ends the talk. An occasion counts only with an answer, and must be one that
    /// can be read where the answer is yes; one without a day leaves the answer without it.
    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<Utterance, String> {
        let speaker = Speaker {
            name: &self.who.name,
            first_name: &self.who.first_name,
            listener: self.listener,
        };
        let text = speaker.words_of(&wire.say, |name| self.is_name(name))?;
        if text.is_empty() {
            return Err("say something".to_owned());
        }
        spoken(&text)?;
        let occasion = wire.occasion.filter(OccasionWire::is_fixed);
        let occasion = occasion.map(|occasion| occasion.read(self.now)).transpose();
        let occasion = match wire.answers {
            AnswersWire::Yes => occasion?,
            _ => occasion.unwrap_or_default(),
        };
        let decision = match wire.answers {
            AnswersWire::Nothing => None,
            answer => Some(Decision {
                on: said(wire.on)
                    .filter(|on| named(on, "request").is_ok())
                    .or_else(|| occasion.as_ref().map(|o| o.what.clone()))
                    .or_else(|| self.lines.last().map(|line| line.text.to_string()))
                    .unwrap_or_default(),
                accept: answer == AnswersWire::Yes,
                reason: said(wire.why)
                    .filter(|why| named(why, "reason").is_ok())
                    .unwrap_or_default(),
                occasion,
            }),
        };
        Ok(Utterance {
            text,
            tells: positions(&wire.tells, fit.shown(self.topics.len())),
            decision,
            ends: wire.stops || self.lines_left <= 1,
        })
    }

    fn write(&self, answer: &Utterance) -> Wire {
        let decision = answer.decision.as_ref();
        Wire {
            answers: match decision {
                None => AnswersWire::Nothing,
                Some(decision) if decision.accept => AnswersWire::Yes,
                Some(_) => AnswersWire::No,
            },
            occasion: decision
                .and_then(|d| d.occasion.as_ref())
                .map(OccasionWire::write),
            on: decision.map(|d| d.on.clone()).unwrap_or_default(),
            say: answer.text.clone(),
            stops: answer.ends,
            tells: numbers(&answer.tells),
            why: decision.map(|d| d.reason.clone()).unwrap_or_default(),
        }
    }

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
