//! Taking a run to its end while people watch, and saying how it went.

use std::ops::ControlFlow;
use std::path::PathBuf;

use townsfolk_engine::{Run, RunError};
use townsfolk_store::RunState;

use super::{interrupt, resume};
use crate::Done;
use crate::args::Pace;
use crate::failure::Failure;
use crate::models::ROUTINE;
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
    /// In what share of the questions put to models the routine mind may answer; none for any.
    pub(super) max_fallback: Option<f64>,
}

/// How a run came about.
pub(super) enum Origin {
    /// It is new.
    New,
    /// It was there and goes on.
    Resumed,
    /// It was forked.
    Forked { parent: String },
    /// It is another run computed again.
    Replayed { old: String },
}

impl Drive {
    /// Computes up to the end, or until Ctrl-C.
    pub(super) fn complete(mut self) -> Done {
        let mut show = Show::new(self.pace, self.begun());
        show.started()?;
        let computed = self.compute(&mut show);
        let tick = self.run.engine().tick();
        let state = match (computed, tick >= self.until) {
            (Err(RunError::Stopped), _) => RunState::Paused,
            (Err(error @ (RunError::Halted(_) | RunError::Budget(_))), _) => {
                return Err(self.halted(error, tick, show));
            }
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
        let run = RunAt::open(&self.file, None)?;
        if !self.pace.json && !self.pace.quiet {
            let mut page = output::page();
            Report::of(&run)?.write(&mut page);
            output::print(page.text())?;
        }
        match self.max_fallback {
            Some(most) => few_fallbacks(&run, most),
            None => Ok(()),
        }
    }

    fn compute(&mut self, show: &mut Show) -> Result<(), RunError> {
        self.run.set_goal(self.until)?;
        self.run.run_until(self.until, |progress| {
            show.progress(progress);
            if interrupt::asked() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// What to say where the run cannot go on for now: why, and how to go on.
    fn halted(self, error: RunError, tick: u64, mut show: Show) -> Failure {
        let file = words::path(&self.file);
        let advice = match &error {
            RunError::Budget(_) => format!(
                "\nGo on with a larger budget: townsfolk resume {file} --budget-tokens N (or --budget-usd USD)"
            ),
            _ => format!(
                "\nOnce it is mended, go on with: townsfolk resume {file} (paid replies are not bought again)"
            ),
        };
        let message = error.to_string();
        // The run is left as it is in any case, and why is said.
        let _ = show.halted(tick, &message);
        match self.run.finish(RunState::Paused) {
            Ok(()) => Failure::Paused(anyhow::anyhow!("{message}{advice}")),
            Err(error) => error.into(),
        }
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
                Origin::Replayed { old } => Some(format!("replayed from {old}")),
            },
            file: self.file.clone(),
            town: setting.town.name.clone(),
            residents: setting.town.residents.len(),
            seed: setting.seed,
            mind: match &setting.minds.models {
                Some(plan) => plan.roles.thinking.model.name().to_owned(),
                None => ROUTINE.to_owned(),
            },
            clock: resume::clock_of(setting),
            tick: engine.tick(),
            until: self.until,
        }
    }
}

/// Fails a run in which the routine mind answered too often in a model's place.
fn few_fallbacks(run: &RunAt, most: f64) -> Done {
    let (mut asked, mut fallbacks) = (0_u64, 0_u64);
    for count in run.reader.task_counts(run.tick)? {
        // Questions whose answer was known anyway were put to nobody.
        if count.mind != KNOWN && (count.mind != ROUTINE || count.fallbacks > 0) {
            asked += if count.mind == ROUTINE {
                count.fallbacks
            } else {
                count.tasks
            };
            fallbacks += count.fallbacks;
        }
    }
    let share = fallbacks as f64 / asked.max(1) as f64;
    if share <= most {
        return Ok(());
    }
    let file = words::path(run.reader.path());
    Err(Failure::TooManyFallbacks(anyhow::anyhow!(
        "the routine mind answered {fallbacks} of {asked} questions in a model's place, {:.1} %, and {:.1} % are \
         allowed; the run is complete all the same, and `townsfolk inspect {file} calls --failed` says why each \
         was necessary",
        share * 100.0,
        most * 100.0
    )))
}

/// Who a run file says to have answered where nobody had to be asked.
const KNOWN: &str = "known";
