//! What occupies the resident from the new day on.

use serde::Serialize;
use townsfolk_time::Date;

use super::{Recalled, TextTask};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, concerns};
use crate::{Identity, TaskKind};

/// Asks, overnight, what occupies the resident from `date` on; the answer replaces
/// [`Identity::current`].
#[derive(Clone, Debug, Serialize)]
pub struct ReviseIdentity<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day that begins.
    pub date: Date,
    /// What came to mind about plans and important recent events, best first.
    pub recalled: &'a [Recalled],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    memories: Vec<Remembered<'a>>,
}

impl TextTask for ReviseIdentity<'_> {
    const ASKS: TaskKind = TaskKind::ReviseIdentity;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            date: fit.date(self.date),
            memories: fit.memories(self.recalled),
        }
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        concerns::revise(self)
    }
}
