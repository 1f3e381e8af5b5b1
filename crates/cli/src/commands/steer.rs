//! Steering a run from outside: `whisper`, `say`, `object`, `resident`, `history`.
//!
//! Each opens the run, records what is to happen at its next tick (or at a later one), and leaves it
//! paused. What is over stays: a moment of the past is refused with the way to fork there.

use std::path::Path;

use anyhow::anyhow;
use townsfolk_engine::{Input, Run, Written};
use townsfolk_smallville::read_history;
use townsfolk_store::{RunReader, RunState};
use townsfolk_town::Town;
use townsfolk_world::{PlaceId, Tile, World};

use super::{options, resume};
use crate::Done;
use crate::args::Pace;
use crate::args_steering::*;
use crate::failure::Failure;
use crate::models;
use crate::output;
use crate::people;
use crate::when::{Clock, When};
use crate::words;

/// `townsfolk whisper`.
pub(crate) fn whisper(args: &WhisperArgs) -> Done {
    steer(&args.run, args.when.at, |town| {
        Ok(vec![Written::Whisper {
            resident: town.name(&args.resident)?,
            text: args.text.clone(),
        }])
    })
}

/// `townsfolk object set`.
pub(crate) fn object(args: &ObjectArgs) -> Done {
    let ObjectWhat::Set(args) = &args.what;
    steer(&args.run, args.when.at, |_| {
        Ok(vec![Written::SetObject {
            object: args.object.clone(),
            state: args.state.clone(),
        }])
    })
}

/// `townsfolk resident`.
pub(crate) fn resident(args: &ResidentArgs) -> Done {
    match &args.what {
        ResidentWhat::Add(args) => steer(&args.run, args.when.at, |town| {
            let newcomer = town.town().read_newcomer(&args.file).map_err(Failure::usage)?;
            Ok(vec![Written::Join {
                newcomer: Box::new(newcomer),
            }])
        }),
        ResidentWhat::Remove(args) => steer(&args.run, args.when.at, |town| {
            Ok(vec![Written::Leave {
                who: town.name(&args.resident)?,
            }])
        }),
        ResidentWhat::Move(args) => steer(&args.run, args.when.at, |town| {
            let name = town.name(&args.resident)?;
            let Tile { x, y } = spot(&town.town().world, &args.to)?;
            let people = town.run.engine().people().iter();
            let visits = people.into_iter().any(|p| **p.name() == *name && p.is_visitor());
            Ok(vec![if visits {
                Written::Walk {
                    visitor: name,
                    to: [x, y],
                }
            } else {
                Written::Move {
                    resident: name,
                    to: [x, y],
                }
            }])
        }),
    }
}

/// `townsfolk history`.
pub(crate) fn history(args: &HistoryArgs) -> Done {
    let told = read_history(&args.file).map_err(Failure::usage)?;
    steer(&args.run, args.when.at, |town| {
        let mut whispers = Vec::new();
        for one in &told {
            let resident = town.name(&one.name).map_err(|failure| {
                let file = words::path(&args.file);
                Failure::Usage(anyhow!(
                    "{file}:{}: {}; nothing was told to anybody",
                    one.line,
                    failure.message()
                ))
            })?;
            whispers.extend(one.texts.iter().map(|text| Written::Whisper {
                resident: resident.clone(),
                text: text.clone(),
            }));
        }
        Ok(whispers)
    })
}

/// `townsfolk say`.
pub(crate) fn say(args: &SayArgs) -> Done {
    let mut opened = Opened::open(&args.run)?;
    let name = opened.name(&args.resident)?;
    let engine = opened.run.engine();
    let to = engine
        .find(&name)
        .ok_or_else(|| Failure::Usage(anyhow!("{name} is not in town yet")))?;
    let mut inputs = Vec::new();
    let visitor = match opened.run.find(&args.visitor) {
        Some(visitor) => visitor,
        None => {
            let tile = engine
                .tile_beside(to)
                .ok_or_else(|| Failure::Usage(anyhow!("{name} is not in town yet")))?;
            inputs.push(Input::Arrive {
                name: args.visitor.trim().to_owned(),
                role: args.role.clone(),
                tile,
            });
            opened.run.next_id()
        }
    };
    inputs.push(Input::Speak {
        visitor,
        to,
        text: args.text.clone(),
        ends: args.end,
    });
    let tick = opened.run.inputs(&inputs)?;
    opened.close(tick, inputs.len())
}

/// Records what `what` gives, at a moment or at the run's next tick.
pub(super) fn steer(
    path: &Path,
    at: Option<When>,
    what: impl FnOnce(&Opened) -> Result<Vec<Written>, Failure>,
) -> Done {
    let mut opened = Opened::open(path)?;
    let tick = match at {
        None => opened.run.engine().tick(),
        Some(when) => opened.tick(when)?,
    };
    let inputs = what(&opened)?;
    let count = inputs.len();
    opened
        .run
        .schedule(inputs.into_iter().map(|input| (tick, input)).collect())?;
    opened.close(tick, count)
}

/// A run that something is done to.
pub(super) struct Opened {
    run: Run,
    file: std::path::PathBuf,
    /// How it was left.
    state: RunState,
    clock: Clock,
}

impl Opened {
    /// Opens a run at its last tick; one that was killed first catches up with itself.
    fn open(path: &Path) -> Result<Self, Failure> {
        let info = RunReader::open(path)?.info()?;
        let mut run = Run::resume(path, models::for_a_look(path)?, options(Pace::default()))?;
        let reached = info.head.map_or(0, |head| u64::from(head) + 1);
        if run.engine().tick() < reached {
            run.run_until(reached, |_| std::ops::ControlFlow::Continue(()))?;
        }
        let clock = resume::clock_of(run.engine().setting());
        let state = match info.state {
            RunState::Finished => RunState::Finished,
            _ => RunState::Paused,
        };
        Ok(Self {
            run,
            file: path.to_owned(),
            state,
            clock,
        })
    }

    fn town(&self) -> &Town {
        &self.run.engine().setting().town
    }

    /// The full name of whoever `asked` means, among all who are or will be in town.
    fn name(&self, asked: &str) -> Result<String, Failure> {
        let people = self.run.expected();
        let names: Vec<&str> = people.iter().map(|person| &**person.name()).collect();
        let index = people::find(&names, asked).map_err(Failure::usage)?;
        Ok(names[index].to_owned())
    }

    /// The tick of a moment to come.
    fn tick(&self, when: When) -> Result<u64, Failure> {
        let next = self.run.engine().tick();
        let tick = self.clock.tick(when, Clock::LAST).map_err(Failure::usage)?;
        if u64::from(tick) >= next {
            return Ok(tick.into());
        }
        let file = words::path(&self.file);
        let other = words::path(&self.file.with_extension("2.run"));
        let before = tick.saturating_sub(1);
        Err(Failure::Usage(anyhow!(
            "{file}: {} is over, and what happened stays\n\
             \x20 to change what came of it:  townsfolk fork {file} --at {before} --out {other}\n\
             \x20                             and then the same command with {other} and without --at\n\
             \x20 to go on from here:         leave out --at, or give a moment from {} on",
            words::moment_with_year(self.clock.time(tick)),
            words::moment_with_year(self.clock.time(u32::try_from(next).unwrap_or(u32::MAX))),
        )))
    }

    /// Leaves the run as it was, and says when it happens.
    fn close(self, tick: u64, count: usize) -> Done {
        let time = self.clock.time(u32::try_from(tick).unwrap_or(u32::MAX));
        let file = words::path(&self.file);
        self.run.finish(self.state)?;
        output::remark(&format!(
            "{} recorded; {} at {}, when the run goes on: townsfolk resume {file} --ticks 60\n",
            words::count(count, "input", "inputs"),
            if count == 1 { "it acts" } else { "they act" },
            words::moment_with_year(time),
        ));
        Ok(())
    }
}

/// A tile, or where one can stand at a place.
fn spot(world: &World, written: &str) -> Result<Tile, Failure> {
    if let Some((x, y)) = written.split_once(',')
        && let (Ok(x), Ok(y)) = (x.trim().parse(), y.trim().parse())
    {
        return Ok(Tile { x, y });
    }
    let place: Option<PlaceId> = world
        .find(written)
        .or_else(|| world.find(&format!("{}:{written}", world.name())));
    let tile = place.and_then(|place| world.standing_tiles(place).first().copied());
    tile.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "\"{written}\" is no place of this map where one can stand; write an address such as \"{}\", or a tile \
             such as 12,40",
            world.places().last().map_or_else(String::new, |place| world.address(place.id))
        ))
    })
}
