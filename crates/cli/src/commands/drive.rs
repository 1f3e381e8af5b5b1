//! Taking a run to its end while people watch, and saying how it went.

use std::ops::ControlFlow;
use std::path::PathBuf;

use townsfolk_engine::{Run, RunError};
use townsfolk_store::RunState;

use super::{interrupt, resume};
use crate::Done;
use crate::args::Pace;
use crate::failure::Failure;
use crate::progress::{Begun, Show};
use crate::report::Report;
use crate::run_at::RunAt;
use crate::{output, words};

/// A run, and where it is to go.
pub(super) struct Drive {
    /// The run.
    pub(super) run: Run,
    /// Its file.
    pub(super) file: PathBuf,
    /// How many ticks it is to have.
    pub(super) until: u64,
    /// How it came about.
    pub(super) origin: Origin,
    /// How to show it.
    pub(super) pace: Pace,
}

/// How a run came about.
pub(super) enum Origin {
    /// It is new.
    New,
    /// It was there and goes on.
    Resumed,
    /// It was forked.
    Forked { parent: String },
}

impl Drive {
    /// Computes up to the end, or until Ctrl-C.
    pub(super) fn complete(mut self) -> Done {
        let mut show = Show::new(self.pace, self.begun());
        show.started()?;
        let computed = self.compute(&mut show);
        let tick = self.run.engine().tick();
        let state = match (&computed, tick >= self.until) {
            (Err(error), _) => return Err(self.failed(error.to_string(), show)),
            (Ok(()), true) => RunState::Finished,
            (Ok(()), false) => RunState::Paused,
        };
        if let Err(error) = self.run.finish(state) {
            let failure = Failure::from(error);
            show.failed(&failure.message())?;
            return Err(failure);
        }
        if state == RunState::Paused {
            show.paused(tick)?;
            return Err(Failure::Interrupted);
        }
        show.finished(tick)?;
        if self.pace.json || self.pace.quiet {
            return Ok(());
        }
        let report = Report::of(&RunAt::open(&self.file, None)?)?;
        let mut page = output::page();
        report.write(&mut page);
        output::print(page.text())
    }

    fn compute(&mut self, show: &mut Show) -> Result<(), RunError> {
        self.run.set_goal(self.until)?;
        self.run.run_until(self.until, |progress| {
            show.progress(progress.engine.tick(), &progress.engine.pulse());
            if interrupt::asked() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// What to say of a failure: what is saved, and how to go on.
    fn failed(&self, message: String, mut show: Show) -> Failure {
        let file = words::path(&self.file);
        let advice = format!("{message}\nWhat happened before is saved; go on with: townsfolk resume {file}");
        // The failure itself is reported in any case.
        let _ = show.failed(&message);
        Failure::Failed(anyhow::anyhow!(advice))
    }

    fn begun(&self) -> Begun {
        let engine = self.run.engine();
        let setting = engine.setting();
        Begun {
            how: match &self.origin {
                Origin::New => None,
                Origin::Resumed => Some("resumed".to_owned()),
                Origin::Forked { parent } => Some(format!("forked from {parent}")),
            },
            file: self.file.clone(),
            town: setting.town.name.clone(),
            residents: setting.town.residents.len(),
            seed: setting.seed,
            clock: resume::clock_of(setting),
            tick: engine.tick(),
            until: self.until,
        }
    }
}
