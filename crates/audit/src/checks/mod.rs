//! The checks, by subject. Each is one statement about all rows of some kind.

mod appointments;
mod asked;
mod memories;
mod motion;
mod news;
mod plans;
mod sleep;
mod talks;
mod words;

use townsfolk_store::Result;

use crate::report::Examination;
use crate::story::Story;

/// One check.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) holds: &'static str,
    pub(crate) examine: fn(&Story<'_>, &mut Examination<'_>) -> Result<()>,
}

macro_rules! checks {
    ($($name:literal, $examine:path, $holds:literal;)*) => {
        /// Every check, in the order of reports.
        pub(crate) const CHECKS: &[Check] = &[$(Check { name: $name, holds: $holds, examine: $examine },)*];
    };
}

checks! {
    "memories", memories::whole, "each stream is numbered without gaps, in order of time, importance is 1 to 10, and vectors are as long as the embedder's";
    "evidence", memories::evidence, "what is concluded rests on older memories of the same mind and lies one deeper than the deepest";
    "tells", news::tells, "a line tells only what its speaker remembered then";
    "hearsay", news::hearsay, "nobody knows news before somebody who knew it told them";
    "conversations", talks::turns, "a talk is between two people, who speak in turn, and ends for a reason";
    "one talk each", talks::one_each, "nobody is in two talks at once";
    "talks end", talks::end, "each talk ends, or is going on as the run stands";
    "sleep", sleep::sleep, "nobody walks, speaks or is spoken to asleep";
    "plans", plans::whole, "each plan of a day covers its 1,440 minutes once";
    "plans' past", plans::past, "a revision leaves the day's past as it was";
    "plans' causes", plans::causes, "what a plan was changed for is remembered";
    "days", plans::days, "nobody is up and about without a plan of the day";
    "appointments", appointments::appointments, "an appointment takes time and rests on a memory";
    "steps", motion::steps, "nobody leaps or walks through walls, unless put there from outside";
    "presence", motion::presence, "nobody does anything before they come to town or after they leave it";
    "recalled", asked::recalled, "nobody acts on a memory they do not have";
    "answers", asked::answers, "each question was answered, and where rules answered for a model it says why";
    "calls", asked::calls, "the calls to models that an answer rests on are in the file and were made by then";
    "words", words::words, "no error, refusal, reasoning or template is remembered, planned or said";
}
