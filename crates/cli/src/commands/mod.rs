//! The commands, one to a file.

pub(crate) mod check;
mod check_run;
pub(crate) mod drive;
pub(crate) mod dry_run;
pub(crate) mod fork;
pub(crate) mod interrupt;
pub(crate) mod interview;
pub(crate) mod models;
pub(crate) mod re_embed;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod serve;
mod showing;
pub(crate) mod steer;
pub(crate) mod towns;

use anyhow::anyhow;
use townsfolk_engine::Options;

use crate::args::Pace;
use crate::failure::Failure;

/// Refuses an end that ticks cannot count, before anything is written.
fn countable(ticks: u64) -> Result<u64, Failure> {
    if ticks < u64::from(u32::MAX) {
        return Ok(ticks);
    }
    Err(Failure::Usage(anyhow!(
        "a run has {} ticks at most; ask for an earlier end",
        u32::MAX - 1
    )))
}

/// How to compute.
fn options(pace: Pace) -> Options {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        workers: pace.workers.map_or_else(processors, usize::from),
    }
}
