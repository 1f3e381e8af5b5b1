//! What follows from memories, each insight with its evidence.

use serde::{Deserialize, Serialize};

use super::Recalled;
use crate::routine::{Rules, insights};
use crate::{Identity, Task, TaskKind};

/// Asks what can be concluded from memories about a question.
#[derive(Clone, Debug, Serialize)]
pub struct Insights<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The question the memories were recalled for.
    pub question: &'a str,
    /// The memories, best first; never empty.
    pub recalled: &'a [Recalled],
    /// How many insights are wanted at most; 5 in the paper.
    pub wanted: usize,
}

/// One conclusion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insight {
    /// The conclusion.
    pub text: String,
    /// Positions of the memories it rests on; at least one.
    pub evidence: Vec<usize>,
}

/// Conclusions; may be empty where nothing honest follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsightList {
    /// At most as many as wanted.
    pub insights: Vec<Insight>,
}

impl Task for Insights<'_> {
    const KIND: TaskKind = TaskKind::Insights;
    type Answer = InsightList;

    fn check(&self, answer: &InsightList) -> Result<(), String> {
        if answer.insights.len() > self.wanted {
            return Err(format!("give {} insights at most", self.wanted));
        }
        for insight in &answer.insights {
            if insight.text.trim().is_empty() {
                return Err("an insight says nothing".to_owned());
            }
            if insight.evidence.is_empty() || insight.evidence.iter().any(|e| *e >= self.recalled.len()) {
                return Err(format!(
                    "evidence is numbered 0 to {}, at least one for each insight",
                    self.recalled.len() - 1
                ));
            }
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> InsightList {
        InsightList {
            insights: insights::insights(self),
        }
    }
}
