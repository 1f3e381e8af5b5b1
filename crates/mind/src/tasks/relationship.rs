//! What the resident makes of somebody, asked once per talk.

use std::sync::Arc;

use serde::Serialize;

use super::{Recalled, TextTask};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, TaskKind};

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
    /// How often they have talked with each other.
    pub talks: u32,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    other: &'a str,
    memories: Vec<Remembered<'a>>,
}

impl TextTask for Relationship<'_> {
    const ASKS: TaskKind = TaskKind::Relationship;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            other: self.other,
            memories: fit.memories(self.recalled),
        }
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        summaries::relationship(self)
    }
}
