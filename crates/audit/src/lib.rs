//! What must hold in any run, checked from its file alone.
//!
//! [`audit`] reads a run and puts every check of [`Report::checks`] to it: that nobody knows news
//! before somebody told them, that plans are whole days, that what is concluded rests on older
//! memories, and so on. It does not matter which mind answered, how many workers there were, or
//! whether the run was resumed, forked or steered: the checks know only rows.
//!
//! A fault is a *finding*, with tick, resident and row, never an error. [`audit`] fails only where the
//! file cannot be read at all.

mod checks;
mod drift;
mod report;
mod story;

pub use drift::{Description, Drift, Drifted, drift};
pub use report::{Finding, MOST_FINDINGS, Outcome, Report};

use townsfolk_store::{Result, RunReader};

use crate::checks::CHECKS;
use crate::report::Examination;
use crate::story::Story;

/// Checks a whole run as it stands.
///
/// # Errors
/// Those of reading the file, such as [`StoreError::Torn`](townsfolk_store::StoreError::Torn).
pub fn audit(run: &RunReader) -> Result<Report> {
    run.snapshot(|run| {
        let story = Story::read(run)?;
        let mut outcomes = Vec::with_capacity(CHECKS.len());
        for check in CHECKS {
            let mut examination = Examination::of(&story);
            (check.examine)(&story, &mut examination)?;
            outcomes.push(examination.outcome(check.name, check.holds));
        }
        Ok(Report {
            town: story.info.town,
            run_id: story.info.run_id,
            head: story.info.head,
            checks: outcomes,
        })
    })
}
