//! Showing a run in the browser: what the server needs from the program, and the link for people.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use townsfolk_engine::{Minds, Run, at};
use townsfolk_server::{Means, Others, Resume, ServeOptions, Server, Stage};
use townsfolk_store::RunState;

use super::options;
use crate::args::{Door, Pace, Serving};
use crate::failure::Failure;
use crate::output;

/// Where a token may be kept that is not to stand on a command line.
const TOKEN_VARIABLE: &str = "TOWNSFOLK_TOKEN";

/// A run that is to be shown.
pub(super) struct Showing<'a> {
    /// Its file.
    pub(super) file: &'a Path,
    /// How it is computed when it goes on.
    pub(super) pace: Pace,
    /// Who answers in it.
    pub(super) minds: Minds,
}

impl Showing<'_> {
    /// How to take the run up again.
    pub(super) fn resume(&self) -> Resume {
        let (file, pace, minds) = (self.file.to_owned(), self.pace, self.minds.clone());
        Box::new(move || Run::resume(&file, minds.clone(), options(pace)))
    }

    /// Serves the run while it is computed. Where that cannot be and nobody asked for it in so many
    /// words, the run goes on without.
    pub(super) fn beside_a_run(
        &self,
        serving: &Serving,
        stage: &Arc<Stage>,
    ) -> Result<Option<Server>, Failure> {
        let Door {
            port,
            host,
            token,
            open,
            speed,
        } = &serving.door;
        let asked = port.is_some() || host.is_some() || token.is_some() || *open || speed.is_some();
        if serving.no_serve || (self.pace.quiet && !asked) {
            return Ok(None);
        }
        match self.server(&serving.door, stage) {
            Ok(server) => {
                output::remark(&format!("Watch it: {}\n", server.link()));
                tell_others(&server);
                if *open {
                    open_page(server.link());
                }
                Ok(Some(server))
            }
            Err(failure) if asked => Err(failure),
            Err(failure) => {
                output::remark(&format!(
                    "The run is not shown in the browser: {}\n",
                    failure.message()
                ));
                Ok(None)
            }
        }
    }

    /// Serves the run.
    pub(super) fn server(&self, door: &Door, stage: &Arc<Stage>) -> Result<Server, Failure> {
        let pace = self.pace;
        let (forking, looking) = (self.minds.clone(), self.minds.clone());
        let means = Means {
            forks: Arc::new(move |parent, child, tick| {
                let fork = Run::fork(parent, child, tick.into(), forking.clone(), options(pace))?;
                fork.finish(RunState::Paused)
            }),
            moments: Arc::new(move |run, tick| at(run, tick, looking.clone(), options(pace))),
        };
        let kept = || std::env::var(TOKEN_VARIABLE).ok();
        let options = ServeOptions {
            host: door.host.clone(),
            port: door.port,
            token: door.token.clone().or_else(kept),
        };
        let server = Server::start(&options, self.file, Arc::clone(stage), means);
        server.map_err(|error| Failure::Failed(error.into()))
    }
}

/// Says how other machines find the page, where the link for this one does not lead them there.
pub(super) fn tell_others(server: &Server) {
    match server.others() {
        Others::SameLink => {}
        Others::Link(link) => output::remark(&format!("From other machines: {link}\n")),
        Others::Unknown => output::remark(
            "From other machines: the same link with an address of this machine in place of localhost.\n",
        ),
    }
}

/// Opens the page in the browser that the system prefers; where there is none, the link stands in the
/// terminal.
pub(super) fn open_page(link: &str) {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command.arg(link).stdin(Stdio::null()).stdout(Stdio::null());
    if quiet.stderr(Stdio::null()).spawn().is_err() {
        output::remark("No browser was found to open it in; open the link yourself.\n");
    }
}
