//! What to keep of a talk: a note for planning, a memo, and anything agreed to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::{Line, Occasion};
use crate::routine::{Rules, summaries};
use crate::{Identity, Task, TaskKind};

/// Asks what to keep of a talk.
#[derive(Clone, Debug, Serialize)]
pub struct AfterTalk<'a> {
    /// Who remembers.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// With whom the talk was.
    pub other: &'a Arc<str>,
    /// When it ended.
    pub now: GameTime,
    /// What was said, never empty.
    pub lines: &'a [Line],
}

/// What is kept of a talk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes {
    /// What matters for the resident's plans; none where nothing does.
    #[serde(default)]
    pub planning: Option<String>,
    /// What the resident found worth remembering; none where nothing was.
    #[serde(default)]
    pub memo: Option<String>,
    /// What the resident agreed to attend, or hosts, with it.
    #[serde(default)]
    pub agreed: Vec<Occasion>,
}

impl Task for AfterTalk<'_> {
    const KIND: TaskKind = TaskKind::AfterTalk;
    type Answer = Notes;

    fn check(&self, answer: &Notes) -> Result<(), String> {
        if answer.agreed.iter().any(|o| o.minutes == 0 || o.start >= 1_440) {
            return Err("an occasion starts within a day and takes time".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Notes {
        summaries::after_talk(self)
    }
}
