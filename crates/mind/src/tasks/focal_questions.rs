//! The questions that recent memories raise.

use serde::{Deserialize, Serialize};

use super::Recalled;
use crate::routine::{Rules, insights};
use crate::{Identity, Task, TaskKind};

/// Asks for the most salient questions about recent memories.
#[derive(Clone, Debug, Serialize)]
pub struct FocalQuestions<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The latest memories, oldest first; never empty.
    pub recalled: &'a [Recalled],
    /// How many questions are wanted; 3 in the paper.
    pub wanted: usize,
}

/// Questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Questions {
    /// At least one, at most as many as wanted.
    pub questions: Vec<String>,
}

impl Task for FocalQuestions<'_> {
    const KIND: TaskKind = TaskKind::FocalQuestions;
    type Answer = Questions;

    fn check(&self, answer: &Questions) -> Result<(), String> {
        if answer.questions.is_empty() || answer.questions.iter().any(|q| q.trim().is_empty()) {
            return Err("ask at least one question, none of them empty".to_owned());
        }
        if answer.questions.len() > self.wanted {
            return Err(format!("ask {} questions at most", self.wanted));
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Questions {
        Questions {
            questions: insights::focal_questions(self),
        }
    }
}
