//! An answer to a question from outside.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::Recalled;
use crate::model::reader::Plain;
use crate::model::wire::{Bound, numbers, positions, references, spoken};
use crate::model::{Fit, Remembered, Stretch, Who};
use crate::routine::{Rules, interview};
use crate::{Identity, Schedule, Task, TaskKind};

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
    /// What is so at that moment.
    pub present: Present<'a>,
}

/// What somebody knows of its present without remembering anything: empty where there is no town.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Present<'a> {
    /// Where it stands: the sector, then the arena.
    pub place: Vec<&'a str>,
    /// Where it lives: the sector, then the arena.
    pub home: Vec<&'a str>,
    /// What it is doing, in words that follow "is".
    pub doing: Option<&'a str>,
    /// Today's plan as it stands.
    pub plan: Option<&'a Schedule>,
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

/// The answer as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// The words.
    pub answer: String,
    /// Numbers of the memories the answer uses.
    #[serde(default)]
    pub used: Vec<u32>,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    now: String,
    date: String,
    place: String,
    doing: Option<Cow<'a, str>>,
    plan: Vec<Stretch<'a>>,
    summary: Cow<'a, str>,
    history: Vec<ExchangeView<'a>>,
    question: Cow<'a, str>,
    memories: Vec<Remembered<'a>>,
}

#[derive(Serialize)]
struct ExchangeView<'a> {
    question: Cow<'a, str>,
    answer: Cow<'a, str>,
}

impl Task for Interview<'_> {
    const KIND: TaskKind = TaskKind::Interview;
    type Answer = InterviewAnswer;

    type Wire = Wire;

    const PLAIN: Plain = Plain::Sentences;

    fn bounds(&self, fit: &Fit<'_>) -> Vec<Bound> {
        references("used", "used[]", fit.shown(self.recalled.len()))
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        let latest = self.history.len().saturating_sub(fit.latest_lines());
        fit.leave_out_lines(latest);
        let history = self.history[latest..].iter().map(|exchange| ExchangeView {
            question: fit.text(&exchange.question),
            answer: fit.text(&exchange.answer),
        });
        View {
            who: fit.who(self.who),
            now: fit.clock(self.now.minute_of_day()),
            date: fit.date(self.now.date()),
            place: self.present.place.join(", "),
            doing: self.present.doing.map(|doing| fit.text(doing)),
            plan: self.present.plan.map_or_else(Vec::new, |plan| {
                let awake = plan.entries().iter().filter(|entry| !entry.asleep);
                awake.map(|entry| fit.stretch(entry)).collect()
            }),
            summary: fit.text(self.summary),
            history: history.collect(),
            question: fit.text(self.question),
            memories: fit.memories(self.recalled),
        }
    }

    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<InterviewAnswer, String> {
        let used = positions(&wire.used, fit.shown(self.recalled.len()));
        let mut answer = wire.answer.trim();
        for name in [&*self.who.name, &*self.who.first_name] {
            let after = answer
                .strip_prefix(name)
                .and_then(|rest| rest.trim_start().strip_prefix([':', '：']));
            answer = after.map_or(answer, str::trim);
        }
        let answer = answer.trim_matches(['"', '“', '”']).trim().to_owned();
        spoken(&answer)?;
        Ok(InterviewAnswer { answer, used })
    }

    fn write(&self, answer: &InterviewAnswer) -> Wire {
        Wire {
            answer: answer.answer.clone(),
            used: numbers(&answer.used),
        }
    }

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
