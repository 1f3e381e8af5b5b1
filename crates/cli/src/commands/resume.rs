//! `townsfolk resume`: going on with a run that was stopped, killed, or has ended.

use std::path::Path;

use anyhow::anyhow;
use townsfolk_engine::{Run, RunError, Setting};
use townsfolk_store::{RunReader, RunState};
use townsfolk_time::{DAY_SECONDS, GameTime};

use super::drive::{Drive, Origin};
use super::{countable, interrupt, options};
use crate::Done;
use crate::args::{Length, ResumeArgs};
use crate::failure::Failure;
use crate::models::{self, Purpose};
use crate::when::Clock;
use crate::words;

/// Goes on with a run, to the end that is asked for or was asked for before.
pub(crate) fn resume(args: &ResumeArgs) -> Done {
    let ticks = countable(end(&args.run, args.length)?)?;
    let minds = models::of_run(&args.run, &args.models, Purpose::Live)?;
    interrupt::listen();
    let run = Run::resume(&args.run, minds, options(args.pace))
        .map_err(|error| offer_re_embed(error, &args.run))?;
    Drive {
        run,
        file: args.run.clone(),
        until: ticks,
        origin: Origin::Resumed,
        pace: args.pace,
        max_fallback: args.models.max_fallback,
        serving: args.serving.clone(),
    }
    .complete()
}

/// Another embedder than the run was written with: how to go on all the same.
pub(super) fn offer_re_embed(error: RunError, run: &Path) -> Failure {
    let offer = matches!(error, RunError::Embedder { .. });
    match Failure::from(error) {
        Failure::Usage(error) if offer => {
            let (file, other) = (words::path(run), words::path(&run.with_extension("2.run")));
            Failure::Usage(anyhow!(
                "{error}\n\x20 to make a run with other vectors: townsfolk re-embed {file} --embedder EMBEDDER --out {other}"
            ))
        }
        other => other,
    }
}

/// How many ticks the run is to have in the end.
fn end(path: &Path, length: Length) -> Result<u64, Failure> {
    let info = RunReader::open(path)?.info()?;
    let clock = Clock {
        start: GameTime::from_seconds(info.start),
        seconds_per_tick: i64::from(info.seconds_per_tick.max(1)),
    };
    let reached = info.head.map_or(0, |head| u64::from(head) + 1);
    let file = words::path(path);
    let asked = asked(length, clock, reached);
    let Some(end) = asked.or(info.goal.map(u64::from)) else {
        return Err(Failure::Usage(anyhow!(
            "{file}: it is not known how long this run is to be; say so with --days, --ticks or --until"
        )));
    };
    // A run killed between its last tick and its end is only to be brought to an end.
    if end > reached || (asked.is_none() && info.state != RunState::Finished) {
        return Ok(end);
    }
    let now = words::moment_with_year(clock.start + reached as i64 * clock.seconds_per_tick);
    Err(Failure::Usage(anyhow!(if asked.is_some() {
        format!("{file}: has reached {now} already, and cannot go back; fork it at an earlier moment")
    } else {
        format!(
            "{file}: has reached its end, {now}; to go on, say how far: `townsfolk resume {file} --days 1`"
        )
    })))
}

/// The end in ticks that a length means for a run that stands at `from`, if there is a length.
pub(super) fn asked(length: Length, clock: Clock, from: u64) -> Option<u64> {
    let ticks = |seconds: i64| (seconds.max(0) as u64).div_ceil(clock.seconds_per_tick as u64);
    match length {
        Length {
            ticks: Some(more), ..
        } => Some(from + u64::from(more)),
        Length { days: Some(days), .. } => Some(from + ticks(i64::from(days) * DAY_SECONDS)),
        Length {
            until: Some(until), ..
        } => Some(ticks(until - clock.start)),
        Length { .. } => None,
    }
}

/// How a run counts time.
pub(super) fn clock_of(setting: &Setting) -> Clock {
    Clock {
        start: setting.town.start,
        seconds_per_tick: i64::from(setting.town.seconds_per_tick.max(1)),
    }
}
