//! The tasks, one file each, and the few shapes that several of them share.

mod action_details;
mod after_talk;
mod choose_place;
mod commitment;
mod conversation_summary;
mod day_plan;
mod decompose;
mod focal_questions;
mod hourly_schedule;
mod importance;
mod inner_thought;
mod insights;
mod interview;
mod next_line;
mod object_state;
mod reaction;
mod relationship;
mod resident_summary;
mod revise_identity;
mod revise_schedule;
mod wake_up;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::{Date, GameTime, Minute};
use townsfolk_world::PlaceId;

use crate::model::Fit;
use crate::model::reader::Plain;
use crate::model::wire::sentence;
use crate::routine::Rules;
use crate::{Task, TaskKind};

pub use action_details::{ActionDetails, Details};
pub use after_talk::{AfterTalk, Notes};
pub use choose_place::{Choice, ChoosePlace, Chosen};
pub use commitment::{Commitment, Committed};
pub use conversation_summary::ConversationSummary;
pub use day_plan::{DayPlan, Stroke, Strokes};
pub use decompose::{Decompose, Step, Steps};
pub use focal_questions::{FocalQuestions, Questions};
pub use hourly_schedule::{Block, Blocks, HourlySchedule};
pub use importance::{Importance, Scores};
pub use inner_thought::InnerThought;
pub use insights::{Insight, InsightList, Insights};
pub use interview::{Exchange, Interview, InterviewAnswer, Present};
pub use next_line::{Decision, Line, NextLine, Topic, Utterance};
pub use object_state::ObjectState;
pub use reaction::{Acquaintance, React, Reaction, Seen};
pub use relationship::Relationship;
pub use resident_summary::ResidentSummary;
pub use revise_identity::ReviseIdentity;
pub use revise_schedule::ReviseSchedule;
pub use wake_up::{WakeUp, WakeUpAt};

pub use crate::routine::atlas::KnownPlace;

/// An answer that is one piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text; never empty.
    pub text: String,
}

/// A text as models write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextWire {
    /// The text alone.
    pub text: String,
}

/// A task whose answer is one text: what it has to say for itself.
trait TextTask: Serialize + Send + Sync {
    /// Which question it is.
    const ASKS: TaskKind;

    /// As [`Task::PLAIN`].
    const READ_PLAIN: Plain = Plain::Sentences;

    /// As [`Task::view`].
    fn shown(&self, fit: &Fit<'_>) -> impl Serialize;

    /// The answer in a line that a model wrote, or what is wrong with it. A sentence is taken as it is.
    fn take(&self, line: String) -> Result<String, String> {
        sentence(&line)?;
        Ok(line)
    }

    /// As [`Task::by_rule`].
    fn text_by_rule(&self, rules: &Rules<'_>) -> String;
}

impl<T: TextTask> Task for T {
    const KIND: TaskKind = T::ASKS;
    type Answer = Text;

    type Wire = TextWire;

    const PLAIN: Plain = T::READ_PLAIN;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        self.shown(fit)
    }

    fn read(&self, wire: TextWire, _fit: &Fit<'_>) -> Result<Text, String> {
        let line = wire.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = self.take(line)?;
        Ok(Text { text })
    }

    fn write(&self, answer: &Text) -> TextWire {
        TextWire {
            text: answer.text.clone(),
        }
    }

    fn check(&self, answer: &Text) -> Result<(), String> {
        if answer.text.trim().is_empty() {
            Err("the text is empty".to_owned())
        } else {
            Ok(())
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Text {
        Text {
            text: self.text_by_rule(rules),
        }
    }
}

/// A memory as a task sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recalled {
    /// Which memory of the resident.
    pub id: MemoryId,
    /// What kind it is.
    pub kind: MemoryKind,
    /// Its text.
    pub text: Arc<str>,
    /// What or whom it is about.
    pub subject: Arc<str>,
    /// 1 to 10.
    pub importance: u8,
    /// When it was made.
    pub created: GameTime,
    /// Who told it, if it is hearsay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_by: Option<Arc<str>>,
    /// Whether it says what is so, known from the start or whispered, rather than what happened when it was made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known: bool,
}

/// Something that happens at a time and perhaps a place, and that a resident may attend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occasion {
    /// What it is, such as "Valentine's Day party".
    pub what: String,
    /// The day.
    pub date: Date,
    /// When it starts, minutes after midnight.
    pub start: Minute,
    /// How long it lasts, in minutes.
    pub minutes: u16,
    /// Where, in the words of whoever told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Whose it is, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// An occasion that a resident means to attend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appointment {
    /// What, when and where.
    pub occasion: Occasion,
    /// The place among those the resident knows, if it could be found.
    pub place: Option<PlaceId>,
    /// The memory it rests on; none where it comes from the resident's own identity.
    pub memory: Option<MemoryId>,
}
