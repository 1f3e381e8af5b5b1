//! The commands, one to a file.

pub(crate) mod check;
pub(crate) mod drive;
pub(crate) mod fork;
pub(crate) mod interrupt;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod towns;

use std::sync::Arc;

use townsfolk_embed::BuiltIn;
use townsfolk_engine::Options;
use townsfolk_memory::Embedder;

use crate::args::Pace;

/// The embedder that every run uses.
fn embedder() -> Arc<dyn Embedder> {
    Arc::new(BuiltIn::get())
}

/// How to compute.
fn options(pace: Pace) -> Options {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        workers: pace.workers.map_or_else(processors, usize::from),
    }
}
