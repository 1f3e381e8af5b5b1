//! What the resident makes of somebody, asked once per talk.

use std::sync::Arc;

use serde::Serialize;

use super::{Recalled, Text};
use crate::routine::{Rules, summaries};
use crate::{Identity, Task, TaskKind};

/// Asks what the resident makes of `other`.
#[derive(Clone, Debug, Serialize)]
pub struct Relationship<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// About whom.
    pub other: &'a Arc<str>,
    /// What came to mind about them, best first.
    pub recalled: &'a [Recalled],
}

impl Task for Relationship<'_> {
    const KIND: TaskKind = TaskKind::Relationship;
    type Answer = Text;

    fn check(&self, answer: &Text) -> Result<(), String> {
        answer.check()
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Text {
        Text {
            text: summaries::relationship(self),
        }
    }
}
