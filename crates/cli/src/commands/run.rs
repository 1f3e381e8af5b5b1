//! `townsfolk run`: a town, a new file, and the days.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use townsfolk_engine::{Run, Setting};
use townsfolk_mind::Phrases;
use townsfolk_store::{RunReader, StoreError};
use townsfolk_time::{DAY_SECONDS, GameTime};
use townsfolk_town::Town;

use super::drive::{Drive, Origin};
use super::dry_run::{Planned, dry_run};
use super::{countable, interrupt, options, replay, resume};
use crate::Done;
use crate::args::{Length, ResumeArgs, RunArgs};
use crate::args_steering::Part;
use crate::failure::Failure;
use crate::inputs_file::{self, Scheduled};
use crate::models::{Purpose, Wanted};
use crate::output;
use crate::town_source::{DEFAULT_TOWN, Extras, Source};
use crate::when::Clock;
use crate::words;

/// Days that a new run has unless something else is asked for.
const USUAL_DAYS: i64 = 2;

/// `townsfolk` without a command.
pub(crate) fn plain(args: &RunArgs) -> Done {
    let mut page = output::aside();
    page.paragraph(
        0,
        "Running two days of the town that comes with Townsfolk, as `townsfolk run` does; `townsfolk --help` \
         shows what else there is.",
    );
    output::remark(page.text());
    run(args)
}

/// Runs a town from its start.
pub(crate) fn run(args: &RunArgs) -> Done {
    if let Some(old) = &args.replay {
        return replay::replay(args, old);
    }
    let source = Source::find(args.town.as_deref())?;
    if let Source::Run(path) = source {
        return go_on(args, path);
    }
    let extras = Extras {
        assets: args.assets.as_deref(),
        history: args.history.as_deref(),
    };
    let (mut town, report) = source.read(extras)?;
    if let Some(start) = args.start {
        begin_at(&mut town, start)?;
    }
    if let Some(language) = &args.language {
        if !is_known(language) {
            return Err(Failure::Usage(anyhow!(
                "--language {language}: residents cannot speak it; choose en, zh or ja"
            )));
        }
        town.language.clone_from(language);
        town.validate().map_err(Failure::usage)?;
    }
    do_without(&mut town, &args.without);
    let ticks = countable(length(args.length, &town)?)?;
    let inputs = match &args.inputs {
        Some(file) => inputs_file::read(file, &town, clock_of(&town))?,
        None => Vec::new(),
    };
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}.run", source.stem())));
    if let Some(report) = report.filter(|report| !report.notes.is_empty()) {
        let left_out = words::count(report.notes.len(), "detail", "details");
        let name = words::path(Path::new(args.town.as_deref().unwrap_or(DEFAULT_TOWN)));
        output::remark(&format!(
            "{left_out} of this base did not fit and were left out; `townsfolk check {name}` lists them\n"
        ));
    }
    let seed = args.seed.unwrap_or(0);
    let wanted = Wanted {
        flags: &args.models,
        language: &town.language,
        stored: None,
        purpose: if args.dry_run {
            Purpose::Estimate
        } else {
            Purpose::Live
        },
    };
    let minds = wanted.minds(interrupt::stop())?;
    if args.dry_run {
        let planned = Planned {
            town,
            seed,
            minds,
            ticks,
        };
        return dry_run(planned, options(args.pace), args.pace);
    }
    let setting = Setting::new(town, seed, minds);
    let version = env!("CARGO_PKG_VERSION");
    // Before the file is there, so that Ctrl-C never leaves one without saying so.
    interrupt::listen();
    let mut run = Run::create(&out, setting, options(args.pace), version).map_err(|error| match error {
        townsfolk_engine::RunError::Store(StoreError::Exists { path }) => taken(&path),
        other => other.into(),
    })?;
    let scheduled = inputs
        .into_iter()
        .try_for_each(|Scheduled { place, tick, input }| {
            let scheduled = run.schedule(vec![(tick, input)]);
            scheduled.map_err(|error| Failure::from(error).at(place))
        });
    if let Err(failure) = scheduled {
        // A story that cannot begin leaves no file behind.
        drop(run);
        std::fs::remove_file(&out)?;
        return Err(failure);
    }
    Drive {
        run,
        file: out,
        until: ticks,
        origin: Origin::New,
        pace: args.pace,
        max_fallback: args.models.max_fallback,
        serving: args.serving.clone(),
    }
    .complete()
}

/// A run that is named where a town could be.
fn go_on(args: &RunArgs, run: PathBuf) -> Done {
    let refused = [
        (args.start.is_some(), "--start"),
        (args.seed.is_some(), "--seed"),
        (args.out.is_some(), "--out"),
        (args.assets.is_some(), "--assets"),
        (args.history.is_some(), "--history"),
        (args.language.is_some(), "--language"),
        (args.dry_run, "--dry-run"),
        (args.inputs.is_some(), "--inputs"),
        (!args.without.is_empty(), "--without"),
    ];
    if let Some((_, flag)) = refused.iter().find(|(given, _)| *given) {
        let file = words::path(&run);
        return Err(Failure::Usage(anyhow!(
            "{file}: is a run, whose town, start and seed are fixed, so {flag} cannot be used; leave it out, or \
             name a town"
        )));
    }
    resume::resume(&ResumeArgs {
        run,
        length: args.length,
        models: args.models.clone(),
        pace: args.pace,
        serving: args.serving.clone(),
    })
}

/// Takes parts of the mind from everybody.
fn do_without(town: &mut Town, parts: &[Part]) {
    for resident in &mut town.residents {
        let settings = &mut resident.settings;
        for part in parts {
            match part {
                Part::Reflection => settings.reflection = false,
                Part::Planning => settings.planning = false,
                Part::Memory => settings.memory = false,
            }
        }
    }
}

/// How the story counts time.
fn clock_of(town: &Town) -> Clock {
    Clock {
        start: town.start,
        seconds_per_tick: i64::from(town.seconds_per_tick.max(1)),
    }
}

/// Whether there are words for a language; what there is none for is spoken in English.
fn is_known(language: &str) -> bool {
    let main = language.split(['-', '_']).next().unwrap_or_default();
    main.eq_ignore_ascii_case("en") || !std::ptr::eq(Phrases::of(language), Phrases::of("en"))
}

/// Lets the story start at another time.
fn begin_at(town: &mut Town, start: GameTime) -> Done {
    town.start = start;
    town.validate().map_err(Failure::usage)
}

/// How many ticks a new run is asked for.
fn length(length: Length, town: &Town) -> Result<u64, Failure> {
    let seconds_per_tick = i64::from(town.seconds_per_tick.max(1));
    let seconds = match length {
        Length {
            ticks: Some(ticks), ..
        } => return Ok(u64::from(ticks)),
        Length {
            until: Some(until), ..
        } if until <= town.start => {
            return Err(Failure::Usage(anyhow!(
                "--until {until}: the story only starts at {}",
                town.start
            )));
        }
        Length {
            until: Some(until), ..
        } => until - town.start,
        Length { days, .. } => days.map_or(USUAL_DAYS, i64::from) * DAY_SECONDS,
    };
    Ok((seconds as u64).div_ceil(seconds_per_tick as u64))
}

/// The name is taken: what one may have wanted instead.
pub(crate) fn taken(path: &Path) -> Failure {
    let file = words::path(path);
    if RunReader::open(path).is_err() {
        return Failure::Usage(anyhow!(
            "{file} is there already and cannot be read as a run, and nothing is overwritten; choose another name with --out"
        ));
    }
    let other = words::path(&path.with_extension("2.run"));
    Failure::Usage(anyhow!(
        "{file} is there already, and nothing is overwritten\n\
         \x20 to go on with it:          townsfolk resume {file}\n\
         \x20 to branch off from it:     townsfolk fork {file} --at \"day 1 12:00\" --out {other}\n\
         \x20 to start from the start:   choose another name with --out {other}"
    ))
}
