//! What a talk was about.

use std::sync::Arc;

use serde::Serialize;

use super::{Line, TextTask};
use crate::model::first_person::by_name;
use crate::model::wire::sentence;
use crate::model::{Fit, Said, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, TaskKind};

/// Asks what a talk was about, as the resident will remember it.
#[derive(Clone, Debug, Serialize)]
pub struct ConversationSummary<'a> {
    /// Who remembers.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// With whom the talk was.
    pub other: &'a Arc<str>,
    /// What was said, never empty.
    pub lines: &'a [Line],
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    other: &'a str,
    lines: Vec<Said<'a>>,
}

impl TextTask for ConversationSummary<'_> {
    const ASKS: TaskKind = TaskKind::ConversationSummary;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            other: self.other,
            lines: fit.lines(self.lines),
        }
    }

    /// A sentence about the resident by name.
    fn take(&self, line: String) -> Result<String, String> {
        sentence(&line)?;
        Ok(by_name(&line, &self.who.name, &self.who.first_name))
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        summaries::conversation(self)
    }
}
