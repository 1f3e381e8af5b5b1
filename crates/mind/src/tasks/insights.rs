//! What follows from memories, each insight with its evidence.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Recalled;
use crate::model::first_person::by_name;
use crate::model::wire::{Bound, numbers, positions, sentence};
use crate::model::{Fit, Remembered, Who};
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
    /// Whom the resident has met most often by far, of all that it remembers.
    #[serde(skip)]
    pub most_met: Option<&'a str>,
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

/// The conclusions as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// At most as many as wanted.
    pub insights: Vec<InsightWire>,
}

/// A conclusion as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InsightWire {
    /// Numbers of the memories it rests on.
    pub because: Vec<u32>,
    /// The conclusion.
    pub text: String,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    question: Cow<'a, str>,
    memories: Vec<Remembered<'a>>,
    wanted: usize,
}

impl Task for Insights<'_> {
    const KIND: TaskKind = TaskKind::Insights;
    type Answer = InsightList;

    type Wire = Wire;

    fn bounds(&self, fit: &Fit<'_>) -> Vec<Bound> {
        let shown = fit.shown(self.recalled.len());
        vec![
            Bound::within("insights", 0..=self.wanted),
            Bound::within("insights[].because", 1..=shown),
            Bound::within("insights[].because[]", 1..=shown),
        ]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            question: fit.text(self.question),
            memories: fit.memories(self.recalled),
            wanted: self.wanted,
        }
    }

    /// Numbers that were not shown are no evidence, and what rests on nothing else is refused. Of too
    /// many insights the first count.
    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<InsightList, String> {
        let shown = fit.shown(self.recalled.len());
        let mut insights = Vec::new();
        for insight in wire.insights.into_iter().take(self.wanted) {
            let evidence = positions(&insight.because, shown);
            if evidence.is_empty() {
                return Err(format!(
                    "name for each insight the memories it rests on, by their numbers 1 to {shown}"
                ));
            }
            let text = insight.text.replace('*', "");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            sentence(&text)?;
            let text = by_name(&text, &self.who.name, &self.who.first_name);
            insights.push(Insight { text, evidence });
        }
        Ok(InsightList { insights })
    }

    fn write(&self, answer: &InsightList) -> Wire {
        let insights = answer.insights.iter().map(|insight| InsightWire {
            because: numbers(&insight.evidence),
            text: insight.text.clone(),
        });
        Wire {
            insights: insights.collect(),
        }
    }

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
