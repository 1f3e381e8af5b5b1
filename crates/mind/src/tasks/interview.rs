//! An answer to a question from outside.

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Recalled;
use crate::routine::{Rules, interview};
use crate::{Identity, Task, TaskKind};

/// Puts a question from outside to the resident.
#[derive(Clone, Debug, Serialize)]
pub struct Interview<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The moment.
    pub now: GameTime,
    /// The resident in a few sentences.
    pub summary: &'a str,
    /// What was asked and answered before, oldest first.
    pub history: &'a [Exchange],
    /// The question.
    pub question: &'a str,
    /// What came to mind for it, best first.
    pub recalled: &'a [Recalled],
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterviewAnswer {
    /// The words, never empty.
    pub answer: String,
    /// Positions of the memories the answer uses.
    #[serde(default)]
    pub used: Vec<usize>,
}

impl Task for Interview<'_> {
    const KIND: TaskKind = TaskKind::Interview;
    type Answer = InterviewAnswer;

    fn check(&self, answer: &InterviewAnswer) -> Result<(), String> {
        if answer.answer.trim().is_empty() {
            return Err("the answer is empty".to_owned());
        }
        if answer.used.iter().any(|u| *u >= self.recalled.len()) {
            return Err("the answer uses memories that were not given".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> InterviewAnswer {
        interview::answer(self, rules)
    }
}
