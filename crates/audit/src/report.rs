//! What an audit found.

use serde::Serialize;
use townsfolk_store::{ResidentId, Tick};

use crate::story::Story;

/// How many findings of one check are kept; further ones are counted.
pub const MOST_FINDINGS: usize = 20;

/// What came of all checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The town's name.
    pub town: String,
    /// Which run.
    pub run_id: String,
    /// The last tick that was looked at; none in a run that has not begun.
    pub head: Option<Tick>,
    /// One outcome per check, always in the same order.
    pub checks: Vec<Outcome>,
}

impl Report {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.faults() == 0
    }

    /// How many faults there are, over all checks.
    pub fn faults(&self) -> u64 {
        self.checks.iter().map(|check| check.faults).sum()
    }
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The check's name, such as `hearsay`.
    pub name: &'static str,
    /// What it states.
    pub holds: &'static str,
    /// How many rows it was put to.
    pub examined: u64,
    /// How many of them are at fault.
    pub faults: u64,
    /// The first [`MOST_FINDINGS`] faults.
    pub findings: Vec<Finding>,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The tick of the row at fault.
    pub tick: Tick,
    /// Whom it concerns, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resident: Option<String>,
    /// What is wrong, naming the rows.
    pub what: String,
}

/// A check at work: counts what it looks at and keeps what it finds.
pub(crate) struct Examination<'s> {
    story: &'s Story<'s>,
    examined: u64,
    faults: u64,
    findings: Vec<Finding>,
}

impl<'s> Examination<'s> {
    pub(crate) fn of(story: &'s Story<'s>) -> Self {
        Self {
            story,
            examined: 0,
            faults: 0,
            findings: Vec::new(),
        }
    }

    /// Counts a row that is looked at.
    pub(crate) fn look(&mut self) {
        self.examined += 1;
    }

    /// Keeps a fault of somebody.
    pub(crate) fn fault(&mut self, tick: Tick, resident: ResidentId, what: impl FnOnce() -> String) {
        let resident = Some(self.story.name(resident));
        self.keep(tick, resident, what);
    }

    /// Keeps a fault that concerns nobody in particular.
    pub(crate) fn fault_of_the_town(&mut self, tick: Tick, what: impl FnOnce() -> String) {
        self.keep(tick, None, what);
    }

    fn keep(&mut self, tick: Tick, resident: Option<String>, what: impl FnOnce() -> String) {
        self.faults += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(Finding {
                tick,
                resident,
                what: what(),
            });
        }
    }

    pub(crate) fn outcome(self, name: &'static str, holds: &'static str) -> Outcome {
        Outcome {
            name,
            holds,
            examined: self.examined,
            faults: self.faults,
            findings: self.findings,
        }
    }
}
