//! `townsfolk fork`: a new run that shares another's past.

use anyhow::{Context as _, anyhow};
use townsfolk_engine::{Run, RunError};
use townsfolk_store::{RunReader, RunState, StoreError, Tick};
use townsfolk_time::GameTime;

use super::drive::{Drive, Origin};
use super::{interrupt, options, resume, run};
use crate::Done;
use crate::args::ForkArgs;
use crate::failure::Failure;
use crate::models::{self, Purpose};
use crate::output;
use crate::when::Clock;
use crate::words;

/// Forks a run, and runs the fork if a length was given.
pub(crate) fn fork(args: &ForkArgs) -> Done {
    let reader = RunReader::open(&args.parent)?;
    let info = reader.info()?;
    let clock = Clock {
        start: GameTime::from_seconds(info.start),
        seconds_per_tick: i64::from(info.seconds_per_tick.max(1)),
    };
    let parent = words::path(&args.parent);
    let Some(head) = info.head else {
        return Err(Failure::Usage(anyhow!(
            "{parent}: nothing has happened in it yet, so there is nothing to share"
        )));
    };
    let tick = clock
        .tick(args.at, head)
        .with_context(|| parent.clone())
        .map_err(Failure::Usage)?;
    let end = resume::asked(args.length, clock, u64::from(tick) + 1);
    if end.is_some_and(|end| end <= u64::from(tick)) {
        let at = words::moment_with_year(clock.time(tick));
        return Err(Failure::Usage(anyhow!(
            "the fork would end before it begins, at {at}; give a later --until"
        )));
    }
    let minds = models::of_run(&args.parent, &args.models, Purpose::Live)?;
    interrupt::listen();
    let fork = Run::fork(
        &args.parent,
        &args.out,
        u64::from(tick),
        minds,
        options(args.pace),
    );
    let run = fork.map_err(|error| match error {
        RunError::Store(StoreError::Exists { path }) if path == args.out => run::taken(&path),
        other => resume::offer_re_embed(other, &args.parent),
    })?;
    let (child, at) = (words::path(&args.out), words::moment_with_year(clock.time(tick)));
    let left = reader.inputs(tick + 1..=Tick::MAX)?.len();
    if left > 0 && !args.pace.quiet {
        let left = words::count(left, "input", "inputs");
        output::remark(&format!("{left} for later moments stay with {parent}.\n"));
    }
    match end {
        Some(until) => {
            let origin = Origin::Forked { parent };
            Drive {
                run,
                file: args.out.clone(),
                until,
                origin,
                pace: args.pace,
                max_fallback: args.models.max_fallback,
                serving: args.serving.clone(),
            }
            .complete()
        }
        None if args.pace.json => {
            run.finish(RunState::Paused)?;
            output::print_json_line(&serde_json::json!({
                "event": "forked", "parent": args.parent, "file": args.out, "tick": tick,
                "time": clock.time(tick).to_string(),
            }))
        }
        None => {
            run.finish(RunState::Paused)?;
            output::print(&format!(
                "{child} shares {parent} up to tick {tick}, {at}\nTo run it: townsfolk resume {child} --days 1\n"
            ))
        }
    }
}
