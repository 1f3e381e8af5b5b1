//! `townsfolk serve`: a run in the browser.

use anyhow::anyhow;
use townsfolk_engine::Progress;
use townsfolk_server::{Conductor, Watch};
use townsfolk_store::RunState;

use super::interrupt;
use super::showing::{Showing, open_page, tell_others};
use crate::Done;
use crate::args::{Pace, ServeArgs};
use crate::failure::Failure;
use crate::models::{self, Purpose};
use crate::output;

/// Shows a run until Ctrl-C.
pub(crate) fn serve(args: &ServeArgs) -> Done {
    if args.models.max_fallback.is_some() {
        return Err(Failure::Usage(anyhow!(
            "--max-fallback is judged when a run has reached its end, which a page may move; use it with run, resume \
             or fork"
        )));
    }
    interrupt::listen();
    let showing = Showing {
        file: &args.run,
        pace: Pace::default(),
        minds: models::of_run(&args.run, &args.models, Purpose::Live)?,
    };
    let (mut conductor, stage) = Conductor::of_file(&args.run, showing.resume())?;
    conductor.set_speed(args.door.speed());
    if args.read_only {
        stage.show_only();
    }
    let server = showing.server(&args.door, &stage)?;
    output::print(&format!("{}\n", server.link()))?;
    tell_others(&server);
    output::remark("Open this link in a browser. Press Ctrl-C to end.\n");
    if args.door.open {
        open_page(server.link());
    }
    // The page shows what went wrong, and can try again.
    while let Err(error) = conductor.conduct(&mut Serving) {
        output::remark(&format!("{error}\n"));
    }
    drop(server);
    let until = conductor.until();
    let Some(run) = conductor.into_run() else {
        return Ok(());
    };
    let ended = run.engine().tick() >= until;
    let state = if ended {
        RunState::Finished
    } else {
        RunState::Paused
    };
    run.finish(state).map_err(Failure::from)
}

/// Stays until Ctrl-C.
struct Serving;

impl Watch for Serving {
    fn progress(&mut self, _: &Progress<'_>) {}

    fn stop(&self) -> bool {
        interrupt::asked()
    }

    fn stay(&mut self, _: usize) -> bool {
        true
    }
}
