//! Taking a run to its end while people watch, and saying how it went.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use townsfolk_engine::{Progress, Run};
use townsfolk_server::{Conductor, Server, Watch};
use townsfolk_store::RunState;

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
}

impl Drive {
    /// Computes up to the end, or until Ctrl-C, and shows it in the browser meanwhile.
    pub(super) fn complete(self) -> Done {
        let mut show = Show::new(self.pace, self.begun());
        show.started()?;
        let Self {
            run,
            file,
            until,
            pace,
            serving,
            ..
        } = self;
        let showing = Showing { file: &file, pace };
        let (mut conductor, stage) = Conductor::of_run(run, until, showing.resume());
        let server = showing.beside_a_run(&serving, &stage)?;
        let mut watch = Driving {
            show: &mut show,
            server: server.as_ref(),
            watched: None,
        };
        let computed = conductor.conduct(&mut watch);
        let until = conductor.until();
        drop(server);
        if let Err(error) = computed {
            return Err(failed(&file, error.to_string(), show));
        }
        let Some(run) = conductor.into_run() else {
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
        if pace.json || pace.quiet {
            return Ok(());
        }
        let report = Report::of(&RunAt::open(&file, None)?)?;
        let mut page = output::page();
        report.write(&mut page);
        output::print(page.text())
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
}

/// How long a page may be away, to be loaded again, before it counts as closed.
const RELOADING: Duration = Duration::from_secs(5);

impl Watch for Driving<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        let tick = progress.engine.tick();
        self.show.progress(tick, &progress.engine.pulse());
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
