//! How poignant several things are to a resident, in one answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::routine::{Rules, importance};
use crate::{Identity, Task, TaskKind};

/// Asks how poignant some events, thoughts or talks are.
#[derive(Clone, Debug, Serialize)]
pub struct Importance<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What is rated, never empty.
    pub items: &'a [Arc<str>],
}

/// A rating for each item, in order: 1 (brushing teeth) to 10 (a divorce, a death).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// 1 to 10 each.
    pub scores: Vec<u8>,
}

impl Task for Importance<'_> {
    const KIND: TaskKind = TaskKind::Importance;
    type Answer = Scores;

    fn check(&self, answer: &Scores) -> Result<(), String> {
        if answer.scores.len() != self.items.len() {
            return Err(format!("rate all {} items, in order", self.items.len()));
        }
        if answer.scores.iter().any(|s| !(1..=10).contains(s)) {
            return Err("ratings go from 1 to 10".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Scores {
        let concern = importance::Concern::of(self.who);
        let scores = self
            .items
            .iter()
            .map(|text| importance::rate(&concern, text))
            .collect();
        Scores { scores }
    }
}
