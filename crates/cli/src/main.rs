//! The `townsfolk` program: runs towns, resumes and forks runs, and looks into them.
//!
//! - `args`: the command line and its help.
//! - `commands`: one file for each command; `drive` runs a town with progress and Ctrl-C.
//! - `inputs_file`: files of what is done from outside, and when.
//! - `questions`: files of interview questions.
//! - `report`: what happened in the days of a run, from its file alone.
//! - `view`: everything else that can be looked at, as data (`--json`) and as text.
//! - `page`, `people`, `when`: text for a terminal, finding residents, moments of a run.
//!
//! No rule of the town lives here. An error is printed once, with what to do, and gives one of the
//! exit codes of [`failure::Failure`]; `docs/command-line.md` describes them for users.

mod args;
mod args_steering;
mod commands;
mod failure;
mod inputs_file;
mod likeness;
mod models;
mod output;
mod page;
mod people;
mod progress;
mod questions;
mod report;
mod run_at;
mod town_source;
mod view;
mod when;
mod words;

use std::panic::{PanicHookInfo, catch_unwind, set_hook};
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Command, RunArgs};
use crate::failure::Failure;

fn main() -> ExitCode {
    // Errors of the command line end here, with exit code 2; help and version with 0.
    let cli = Cli::parse();
    set_hook(Box::new(own_fault));
    match catch_unwind(|| obey(cli)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        Err(_) => ExitCode::FAILURE,
    }
}

fn obey(cli: Cli) -> Done {
    match cli.command {
        None => commands::run::plain(&RunArgs::default()),
        Some(Command::Run(args)) => commands::run::run(&args),
        Some(Command::Resume(args)) => commands::resume::resume(&args),
        Some(Command::Serve(args)) => commands::serve::serve(&args),
        Some(Command::Fork(args)) => commands::fork::fork(&args),
        Some(Command::ReEmbed(args)) => commands::re_embed::re_embed(&args),
        Some(Command::Models(args)) => commands::models::models(&args),
        Some(Command::Inspect(args)) => view::inspect(&args),
        Some(Command::Interview(args)) => commands::interview::interview(&args),
        Some(Command::Whisper(args)) => commands::steer::whisper(&args),
        Some(Command::Say(args)) => commands::steer::say(&args),
        Some(Command::Object(args)) => commands::steer::object(&args),
        Some(Command::Resident(args)) => commands::steer::resident(&args),
        Some(Command::History(args)) => commands::steer::history(&args),
        Some(Command::Towns(args)) => commands::towns::towns(&args),
        Some(Command::Check(args)) => commands::check::check(&args),
    }
}

/// Says that the fault is the program's own. Ticks are committed whole, so no run is damaged.
fn own_fault(info: &PanicHookInfo<'_>) {
    let at = info
        .location()
        .map(|at| format!(" at {}:{}", at.file(), at.line()))
        .unwrap_or_default();
    let what = info.payload_as_str().unwrap_or("no particulars");
    output::error(&format!(
        "a fault in Townsfolk itself{at}: {what}\nA run being written keeps everything up to its last tick. \
         Please report this with the command you typed."
    ));
}

/// What commands give back.
type Done = Result<(), Failure>;
