//! `townsfolk run --replay`: another run computed again out of its recorded replies.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use townsfolk_engine::{Run, RunError};
use townsfolk_store::{RunReader, StoreError};

use super::drive::{Drive, Origin};
use super::{interrupt, options, run};
use crate::Done;
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::models::{self, Purpose, ROUTINE};
use crate::{output, words};

/// Computes the run at `old` again into a new file, and compares the two.
pub(super) fn replay(args: &RunArgs, old: &Path) -> Done {
    let name = words::path(old);
    let reader = RunReader::open(old)?;
    let info = reader.info()?;
    let Some(head) = info.head else {
        return Err(Failure::Usage(anyhow!("{name}: nothing has happened in it yet")));
    };
    let minds = models::of_run(old, &args.models, Purpose::Replay(old))?;
    if minds.name() != info.mind {
        return Err(other_minds(&name, &info.mind, minds.name()));
    }
    let out = args.out.clone().unwrap_or_else(|| replayed(old));
    interrupt::listen();
    let version = env!("CARGO_PKG_VERSION");
    let run = Run::replay(old, &out, minds, options(args.pace), version).map_err(|error| match error {
        RunError::Store(StoreError::Exists { path }) if path == out => run::taken(&path),
        other => other.into(),
    })?;
    Drive {
        run,
        file: out.clone(),
        until: u64::from(head) + 1,
        origin: Origin::Replayed { old: name.clone() },
        pace: args.pace,
        serving: args.serving.clone(),
        max_fallback: args.models.max_fallback,
    }
    .complete()?;
    let new = RunReader::open(&out)?;
    let parted = parted(&reader, &new, head)?;
    if parted.is_empty() {
        output::remark(&format!(
            "It is the same as {name}, to the last byte of what happened.\n"
        ));
        return Ok(());
    }
    Err(Failure::Failed(anyhow!(
        "{} is not the same as {name}: what differs is {}; was {name} written by another version of townsfolk?",
        words::path(&out),
        words::list(&parted)
    )))
}

/// The run did not begin with the minds it is to be computed again with.
fn other_minds(run: &str, began_with: &str, named: &str) -> Failure {
    let in_a_file = match began_with {
        ROUTINE => "",
        _ => " (or --models FILE, if it was set up in one)",
    };
    Failure::Usage(anyhow!(
        "{run}: it began with {began_with}, and {named} is to compute it again; name whom it began with, and it is \
         replayed up to where others took over: townsfolk run --replay {run} --model {began_with}{in_a_file}"
    ))
}

/// The tables in which two runs differ at `tick`.
fn parted(old: &RunReader, new: &RunReader, tick: u32) -> Result<Vec<String>, Failure> {
    let (old, new) = (old.table_digests(tick)?, new.table_digests(tick)?);
    let differing = old.iter().zip(&new).filter(|(old, new)| old != new);
    Ok(differing.map(|((table, _), _)| (*table).to_owned()).collect())
}

/// `monday.run` gives `monday.replay.run`.
fn replayed(old: &Path) -> PathBuf {
    old.with_extension("replay.run")
}
