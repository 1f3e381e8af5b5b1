//! The `townsfolk` program: runs towns, resumes and forks runs, and looks into them.
//!
//! - `args`: the command line and its help.
//! - `commands`: one file for each command; `drive` runs a town with progress and Ctrl-C.
//! - `report`: what happened in the days of a run, from its file alone.
//! - `view`: everything else that can be looked at, as data (`--json`) and as text.
//! - `page`, `people`, `when`: text for a terminal, finding residents, moments of a run.
//!
//! No rule of the town lives here. An error is printed once, with what to do, and gives one of the
//! exit codes of [`failure::Failure`]; `docs/command-line.md` describes them for users.

mod args;
mod commands;
mod failure;
mod output;
mod page;
mod people;
mod progress;
mod report;
mod run_at;
mod town_source;
mod view;
mod when;
mod words;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command, RunArgs};
use crate::failure::Failure;

fn main() -> ExitCode {
    // Errors of the command line end here, with exit code 2; help and version with 0.
    let cli = Cli::parse();
    let done = match cli.command {
        None => commands::run::plain(&RunArgs::default()),
        Some(Command::Run(args)) => commands::run::run(&args),
        Some(Command::Resume(args)) => commands::resume::resume(&args),
        Some(Command::Fork(args)) => commands::fork::fork(&args),
        Some(Command::Inspect(args)) => view::inspect(&args),
        Some(Command::Towns(args)) => commands::towns::towns(&args),
        Some(Command::Check(args)) => commands::check::check(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What commands give back.
type Done = Result<(), Failure>;
