//! A task: one question put to a resident's mind.
//!
//! Each task is one file under `tasks/`: a typed input, a typed answer, a check of what may stand, the
//! answer that the routine mind gives by rules, and for language models what the prompt says and
//! the shape in which they answer. Adding a task touches that file, the list of kinds below, and the
//! prompt files with their sample.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::Fit;
use crate::model::reader::Plain;
use crate::model::wire::Bound;
use crate::routine::Rules;

/// One question put to a mind.
pub trait Task: Serialize + Send + Sync {
    /// Which question this is.
    const KIND: TaskKind;
    /// What answers it.
    type Answer: Serialize + DeserializeOwned + Clone + Debug + PartialEq + Send + Sync;

    /// The answer as a model writes it: a small object with short keys, numbers from 1 for what was
    /// numbered, "HH:MM" for times. A field with a default may be left out.
    type Wire: Serialize + DeserializeOwned + JsonSchema + Send;

    /// What plain text is taken for the answer, where that is one text.
    const PLAIN: Plain = Plain::Words;

    /// The answer, where it is known without asking any mind.
    fn known(&self) -> Option<Self::Answer> {
        None
    }

    /// What the schema of an answer says beyond the types of [`Task::Wire`], for a prompt filled with the same
    /// `fit`: how many of something are wanted and how large a number may be.
    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        Vec::new()
    }

    /// What the prompt says, as the variables of its template.
    fn view(&self, fit: &Fit<'_>) -> impl Serialize;

    /// The answer in what a model wrote, whose prompt was filled with the same `fit`; or what is wrong
    /// with it, in words that tell the model what to mend.
    fn read(&self, wire: Self::Wire, fit: &Fit<'_>) -> Result<Self::Answer, String>;

    /// An answer as a model would write it: the way back from [`Task::read`].
    fn write(&self, answer: &Self::Answer) -> Self::Wire;

    /// Refuses an answer that cannot stand, in words that tell a model what to mend.
    fn check(&self, answer: &Self::Answer) -> Result<(), String>;

    /// The routine mind's answer. Total: every input has one, it passes [`Task::check`], and it
    /// says nothing that is not in the input.
    fn by_rule(&self, rules: &Rules<'_>) -> Self::Answer;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident => $name:literal,)*) => {
        /// The questions a mind can be asked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum TaskKind {
            $($(#[$doc])* $kind,)*
        }

        impl TaskKind {
            /// Every kind, in the order of a resident's day.
            pub const ALL: &[TaskKind] = &[$(TaskKind::$kind,)*];

            /// The kind's name in files, records and reports.
            pub const fn name(self) -> &'static str {
                match self { $(TaskKind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// When the resident gets up.
    WakeUp => "wake_up",
    /// The day in five to eight strokes.
    DayPlan => "day_plan",
    /// The whole day, hour by hour.
    HourlySchedule => "hourly_schedule",
    /// One stretch of the day in steps of 5 to 15 minutes.
    Decompose => "decompose",
    /// Where to do something.
    ChoosePlace => "choose_place",
    /// Emoji, event and object state of an action.
    ActionDetails => "action_details",
    /// How poignant several things are.
    Importance => "importance",
    /// What to do about something seen.
    Reaction => "reaction",
    /// The rest of the day after something came between.
    ReviseSchedule => "revise_schedule",
    /// The next line of a talk.
    NextLine => "next_line",
    /// What the resident makes of somebody.
    Relationship => "relationship",
    /// What a talk was about.
    ConversationSummary => "conversation_summary",
    /// What to remember for planning and as a memo after a talk.
    AfterTalk => "after_talk",
    /// What the resident might ask itself about recent memories.
    FocalQuestions => "focal_questions",
    /// What follows from memories, with evidence.
    Insights => "insights",
    /// What occupies the resident from tomorrow on.
    ReviseIdentity => "revise_identity",
    /// The resident in a few sentences.
    ResidentSummary => "resident_summary",
    /// An answer to a question from outside.
    Interview => "interview",
    /// An object's state from a user's words.
    ObjectState => "object_state",
    /// A whisper as a thought of one's own.
    InnerThought => "inner_thought",
    /// What a text commits the resident to attend.
    Commitment => "commitment",
}
