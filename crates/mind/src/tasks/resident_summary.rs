//! The resident in a few sentences, from memories.

use serde::Serialize;

use super::{Recalled, TextTask};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, TaskKind};

/// Asks for a summary of the resident.
#[derive(Clone, Debug, Serialize)]
pub struct ResidentSummary<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What came to mind about core characteristics, current occupation and the feeling about
    /// recent progress (the paper's three queries), best first, without repeats.
    pub recalled: &'a [Recalled],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    memories: Vec<Remembered<'a>>,
}

impl TextTask for ResidentSummary<'_> {
    const ASKS: TaskKind = TaskKind::ResidentSummary;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            memories: fit.memories(self.recalled),
        }
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        summaries::resident(self)
    }
}
