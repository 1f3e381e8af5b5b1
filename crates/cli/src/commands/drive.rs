//! Taking a run to its end while people watch, and saying how it went.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use townsfolk_engine::{Progress, Run, RunError};
use townsfolk_server::{Conductor, Server, Watch};
use townsfolk_store::{RunState, RunWriter};

use super::showing::Showing;
use super::{interrupt, resume};
use crate::Done;
use crate::args::{Pace, Serving};
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
    /// In what share of the questions put to models the routine mind may answer; none for any.
    pub(super) max_fallback: Option<f64>,
    /// How to show it in the browser.
    pub(super) serving: Serving,
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
    /// Computes up to the end, or until Ctrl-C, and shows it in the browser meanwhile.
    pub(super) fn complete(self) -> Done {
        let mut show = Show::new(self.pace, self.begun());
        show.started()?;
        let minds = self.run.engine().setting().minds.clone();
        let Self {
            run,
            file,
            until,
            pace,
            max_fallback,
            serving,
            origin,
        } = self;
        let showing = Showing {
            file: &file,
            pace,
            minds,
        };
        let tick = run.engine().tick();
        let (mut conductor, stage) = Conductor::of_run(run, until, showing.resume());
        conductor.set_speed(serving.door.speed());
        let server = showing.beside_a_run(&serving, &stage)?;
        let mut watch = Driving {
            show: &mut show,
            server: server.as_ref(),
            watched: None,
            tick,
        };
        let computed = conductor.conduct(&mut watch);
        let tick = watch.tick;
        let until = conductor.until();
        drop(server);
        let left = conductor.into_run();
        match computed {
            Ok(()) => {}
            Err(RunError::Stopped) => {
                pause(&file)?;
                show.paused(tick)?;
                return Err(Failure::Interrupted);
            }
            Err(error @ (RunError::Halted(_) | RunError::Budget(_))) => {
                pause(&file)?;
                return Err(halted(&file, &error, tick, show));
            }
            // A run that cannot be replayed any further is no run to go on with: models would be paid.
            Err(error) if matches!(origin, Origin::Replayed { .. }) => {
                let message = format!(
                    "{error}\n{} holds what could be replayed; remove it before another try",
                    words::path(&file)
                );
                let _ = show.failed(&message);
                return Err(Failure::Failed(anyhow::anyhow!(message)));
            }
            Err(error) => return Err(failed(&file, error.to_string(), show)),
        }
        let Some(run) = left else {
            // Given up only with an error, which has been reported.
            return Ok(());
        };
        let tick = run.engine().tick();
        let state = if tick >= until {
            RunState::Finished
        } else {
            RunState::Paused
        };
        if let Err(error) = run.finish(state) {
            let failure = Failure::from(error);
            show.failed(&failure.message())?;
            return Err(failure);
        }
        if state == RunState::Paused {
            show.paused(tick)?;
            return Err(Failure::Interrupted);
        }
        show.finished(tick)?;
        let reached = RunAt::open(&file, None)?;
        if !pace.json && !pace.quiet {
            let mut page = output::page();
            Report::of(&reached)?.write(&mut page);
            output::print(page.text())?;
        }
        match max_fallback {
            Some(most) => few_fallbacks(&reached, most),
            None => Ok(()),
        }
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
            mind: setting.minds.name().to_owned(),
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
        asked += count.put_to_models();
        fallbacks += count.fallbacks;
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

/// Leaves the file of a run that was given up as one whole file, to be taken up later.
fn pause(file: &Path) -> Result<(), Failure> {
    Ok(RunWriter::open(file)?.finish(RunState::Paused)?)
}

/// What to say where the run cannot go on for now: why, and how to go on.
fn halted(file: &Path, error: &RunError, tick: u64, mut show: Show) -> Failure {
    let file = words::path(file);
    let advice = match error {
        RunError::Budget(_) => {
            format!(
                "Go on with a larger budget: townsfolk resume {file} --budget-tokens N (or --budget-usd USD)"
            )
        }
        _ => {
            format!(
                "Once it is mended, go on with: townsfolk resume {file} (paid replies are not bought again)"
            )
        }
    };
    // Why it paused is reported in any case.
    let _ = show.halted(tick, &error.to_string());
    Failure::Paused(anyhow::anyhow!("{error}\n{advice}"))
}

/// What to say of a failure: what is saved, and how to go on.
fn failed(file: &Path, message: String, mut show: Show) -> Failure {
    let file = words::path(file);
    let advice = format!("{message}\nWhat happened before is saved; go on with: townsfolk resume {file}");
    // The failure itself is reported in any case.
    let _ = show.failed(&message);
    Failure::Failed(anyhow::anyhow!(advice))
}

/// Watches a run on its way: shows progress, heeds Ctrl-C, and stays at the end while people look.
struct Driving<'a> {
    show: &'a mut Show,
    server: Option<&'a Server>,
    /// When somebody was last seen to watch.
    watched: Option<Instant>,
    /// The next tick.
    tick: u64,
}

/// How long a page may be away, to be loaded again, before it counts as closed.
const RELOADING: Duration = Duration::from_secs(5);

impl Watch for Driving<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        self.tick = progress.engine.tick();
        self.show.progress(progress);
    }

    fn stop(&self) -> bool {
        interrupt::asked()
    }

    fn stay(&mut self, viewers: usize) -> bool {
        let Some(server) = self.server else { return false };
        if viewers > 0 {
            if self.watched.is_none() {
                let link = server.link();
                output::remark(&format!(
                    "\nThe run has reached its end and is still shown at {link}; close the page or press Ctrl-C to go on.\n"
                ));
            }
            self.watched = Some(Instant::now());
        }
        self.watched.is_some_and(|when| when.elapsed() < RELOADING)
    }
}
