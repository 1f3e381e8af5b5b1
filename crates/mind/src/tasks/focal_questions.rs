//! The questions that recent memories raise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Recalled;
use crate::model::wire::{Bound, sentence};
use crate::model::{Fit, Remembered, Who};
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

/// The questions as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// As many as wanted.
    pub questions: Vec<String>,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    memories: Vec<Remembered<'a>>,
    wanted: usize,
}

impl Task for FocalQuestions<'_> {
    const KIND: TaskKind = TaskKind::FocalQuestions;
    type Answer = Questions;

    type Wire = Wire;

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        vec![Bound::within("questions", 1..=self.wanted)]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            memories: fit.latest(self.recalled),
            wanted: self.wanted,
        }
    }

    /// Of too many the first count.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Questions, String> {
        let questions = wire
            .questions
            .iter()
            .map(|q| q.trim().to_owned())
            .filter(|q| !q.is_empty());
        let questions: Vec<String> = questions.take(self.wanted).collect();
        questions.iter().try_for_each(|question| sentence(question))?;
        Ok(Questions { questions })
    }

    fn write(&self, answer: &Questions) -> Wire {
        Wire {
            questions: answer.questions.clone(),
        }
    }

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
