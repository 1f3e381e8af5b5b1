//! The calls of a run that is only read.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question};
use townsfolk_mind::{Halted, TaskKind};
use townsfolk_model::ChatRequest;
use townsfolk_store::{CallRecord, Result, RunReader, StoreError};

use super::key_row;

/// The ledger of a run that is only read: every reply comes from it, and none is bought.
#[derive(Clone)]
pub struct Recorded {
    run: Arc<Mutex<RunReader>>,
    mismatches: Arc<Mutex<Vec<Mismatch>>>,
}

/// A call that is not the one which was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which call would have been made.
    pub key: CallKey,
    /// For which task.
    pub kind: TaskKind,
    /// What is different.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallKey {
            tick, resident, seq, ..
        } = &self.key;
        let (kind, what) = (self.kind.name(), &self.what);
        write!(
            f,
            "tick {tick}, resident {}, question {seq} ({kind}): {what}",
            resident.0
        )
    }
}

impl Recorded {
    /// Reads the run at `path`.
    ///
    /// # Errors
    /// What [`RunReader::open`] reports.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            run: Arc::new(Mutex::new(RunReader::open(path)?)),
            mismatches: Arc::default(),
        })
    }

    /// The calls that were not found, by key.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let mismatches = self.mismatches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut mismatches = mismatches.clone();
        mismatches.sort_by(|a, b| a.key.cmp(&b.key));
        mismatches
    }

    /// The vector of a text.
    pub(super) fn vector(&self, text: &str) -> Result<Option<Vec<u8>>> {
        self.run
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .vector(text)
    }

    /// The call that the question rested on, if it asked the same.
    pub(super) fn look_up(&self, question: &Question<'_>) -> Result<Option<CallRecord>> {
        let key = key_row(question.key);
        let found = {
            let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
            match run.used_call(&key)? {
                Some(used) => Some(used),
                None => run.call(&key)?,
            }
        };
        let what = match &found {
            Some(call) if call.row.key.hash == question.key.hash => return Ok(found),
            Some(call) => difference(&call.row.model, &call.row.request, question),
            None => "was not asked then".to_owned(),
        };
        let mut mismatches = self.mismatches.lock().unwrap_or_else(PoisonError::into_inner);
        mismatches.push(Mismatch {
            key: question.key.clone(),
            kind: question.kind,
            what,
        });
        Ok(None)
    }
}

impl Ledger for Recorded {
    fn find(&self, question: &Question<'_>) -> std::result::Result<Option<Found>, Halted> {
        let found = self.look_up(question).map_err(|error: StoreError| Halted {
            reason: error.to_string(),
        })?;
        match found {
            Some(call) => Ok(Some(Found {
                reply: townsfolk_record::reply(&call.row),
                origin: origin(&call, question),
            })),
            None => Err(not_recorded(question)),
        }
    }

    fn record(&self, call: Call) -> std::result::Result<(), Halted> {
        let reason = format!(
            "a call for {} was made where none may be; nothing of it is kept",
            call.kind.name()
        );
        Err(Halted { reason })
    }
}

/// Whether a call was this question's own.
pub(super) fn origin(call: &CallRecord, question: &Question<'_>) -> Origin {
    if u64::from(call.row.key.tick) == question.key.tick {
        Origin::Recorded
    } else {
        Origin::Cache
    }
}

fn not_recorded(question: &Question<'_>) -> Halted {
    let CallKey { tick, resident, .. } = question.key;
    let kind = question.kind.name();
    Halted {
        reason: format!(
            "the recorded run has no reply to what resident {} is asked at tick {tick} ({kind})",
            resident.0
        ),
    }
}

/// Which part of a request is not as it was, and where it first differs.
fn difference(model: &str, request: &str, question: &Question<'_>) -> String {
    if model != question.model {
        return format!("the model is \"{}\", it was \"{model}\"", question.model);
    }
    let read = |text: &str| serde_json::from_str::<ChatRequest>(text).ok();
    let (Some(then), Some(now)) = (read(request), read(question.request)) else {
        return "the request is another one".to_owned();
    };
    if then.system != now.system {
        return format!(
            "the instructions (system prompt) differ{}",
            first_difference(&then.system, &now.system)
        );
    }
    if then.turns.len() != now.turns.len() {
        return format!("{} turns instead of {}", now.turns.len(), then.turns.len());
    }
    for (number, (then, now)) in then.turns.iter().zip(&now.turns).enumerate() {
        if then != now {
            let part = match number {
                0 => "the question differs",
                1 => "the reply that had to be corrected differs",
                _ => "the correction differs",
            };
            return format!("{part}{}", first_difference(&then.text, &now.text));
        }
    }
    let parts = [
        (then.shape != now.shape, "the schema of the answer"),
        (
            then.max_tokens != now.max_tokens,
            "the greatest length of the answer",
        ),
        (then.temperature != now.temperature, "the temperature"),
        (then.seed != now.seed, "the seed"),
    ];
    let changed: Vec<&str> = parts
        .iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, part)| *part)
        .collect();
    match changed.as_slice() {
        [] => "the request is written otherwise".to_owned(),
        _ => format!("{} changed", changed.join(", ")),
    }
}

/// The first line in which two texts differ, around the first difference.
fn first_difference(then: &str, now: &str) -> String {
    let (mut then, mut now) = (then.lines(), now.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (was, is) = (then.next(), now.next());
        if was != is {
            let same = was
                .unwrap_or_default()
                .chars()
                .zip(is.unwrap_or_default().chars());
            let same = same.take_while(|(was, is)| was == is).count();
            let [is, was] =
                [is, was].map(|line| line.map_or("(no such line)".to_owned(), |line| around(line, same)));
            return format!(" in line {number}: \"{is}\", it was \"{was}\"");
        }
        if was.is_none() {
            return " in white space at the end".to_owned();
        }
    }
}

/// A line from a little before its character number `at` on; what is left out on either side is an ellipsis.
fn around(line: &str, at: usize) -> String {
    const BEFORE: usize = 20;
    const SHOWN: usize = 60;
    let from = at.saturating_sub(BEFORE);
    let shown: String = line.chars().skip(from).take(SHOWN).collect();
    let begin = if from > 0 { "…" } else { "" };
    let end = if line.chars().nth(from + SHOWN).is_some() {
        "…"
    } else {
        ""
    };
    format!("{begin}{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_shown_wherever_in_a_line_it_stands() {
        let then = "You are Mara.\nThe answer is JSON and nothing else, such as the one that stands below this line.";
        let now = then.replace("below", "beneath");
        assert_eq!(
            first_difference(then, &now),
            " in line 2: \"…e one that stands beneath this line.\", it was \"…e one that stands \
             below this line.\""
        );
        let long = format!("{}!", "a".repeat(90));
        assert_eq!(
            first_difference(&long, "b"),
            format!(" in line 1: \"b\", it was \"{}…\"", "a".repeat(60))
        );
        assert_eq!(
            first_difference("a", "a\nb"),
            " in line 2: \"b\", it was \"(no such line)\""
        );
    }
}
