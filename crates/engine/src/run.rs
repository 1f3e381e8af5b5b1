//! A run: an engine and its run file, started, resumed and forked.
//!
//! Each tick that changed anything is committed before the next is computed, so a killed process
//! loses at most the tick in flight. Once a game hour the engine's whole state is kept as a
//! checkpoint. To resume, everything later than the last checkpoint is forgotten and computed again:
//! chance is addressed and replies are recorded, so the same comes out, byte for byte.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use townsfolk_memory::Embedder;
use townsfolk_mind::{Halted, ResidentId};
use townsfolk_store::{At, Kept, RunReader, RunState, RunWriter, StoreError};
use townsfolk_town::Town;

use crate::engine::{Engine, Options, Setting};
use crate::input::{Input, InputError, Written};
use crate::snapshot::SnapshotError;
use crate::steer::View;
use crate::{at, rows};

/// Game seconds between checkpoints.
const CHECKPOINT_SECONDS: i64 = 3_600;

/// A run going on.
pub struct Run {
    engine: Engine,
    writer: RunWriter,
    /// The next tick when the last checkpoint was written.
    checkpoint: u64,
}

/// What is reported after each tick that was computed.
pub struct Progress<'a> {
    /// The town.
    pub engine: &'a Engine,
    /// The tick the run goes to.
    pub until: u64,
}

/// Why a run cannot start, go on or be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Thinking came to a halt. Everything up to the tick before is in the file.
    #[error("{0}; everything up to the tick before is saved, resume when it is mended")]
    Halted(#[from] Halted),
    /// A checkpoint does not fit.
    #[error("{path}: {error}; fork the run at an earlier tick, or run the town anew")]
    Snapshot {
        /// The run file.
        path: String,
        /// What is wrong.
        error: SnapshotError,
    },
    /// The town in the run file cannot be read.
    #[error("{path}: the town in it cannot be read ({detail}); use the version of townsfolk that wrote it")]
    Town {
        /// The run file.
        path: String,
        /// What is wrong.
        detail: String,
    },
    /// Its memories were made with another embedder.
    #[error(
        "{path}: its memories were embedded by \"{wrote}\", but this program embeds with \"{has}\"; use the version of townsfolk that wrote it"
    )]
    Embedder {
        /// The run file.
        path: String,
        /// The embedder it was written with.
        wrote: String,
        /// The embedder at hand.
        has: String,
    },
    /// An input in the file that this program does not know.
    #[error(
        "{path}: the input of tick {tick} cannot be read ({detail}); use the version of townsfolk that wrote it"
    )]
    UnknownInput {
        /// The run file.
        path: String,
        /// Its tick.
        tick: u32,
        /// What is wrong.
        detail: String,
    },
    /// Something from outside cannot be done.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Something from outside is to be done in the past.
    #[error(
        "tick {tick} is over, and what happened stays; fork the run there (`townsfolk fork RUN --at {tick} --out OTHER.run`) \
         and do it in the fork, or do it from tick {next} on"
    )]
    Past {
        /// The tick asked for.
        tick: u64,
        /// The next to be computed.
        next: u64,
    },
    /// A run is longer than ticks can be counted.
    #[error("a run ends at tick {} at the latest", u32::MAX - 1)]
    TooLong,
}

impl Run {
    /// Starts a run of a town in a new file.
    ///
    /// # Errors
    /// [`RunError::Store`] if the file exists already or cannot be written.
    pub fn create(path: &Path, setting: Setting, options: Options, version: &str) -> Result<Self, RunError> {
        let embedder = setting.meanings.embedder();
        let embedder = (embedder.name(), embedder.dimensions());
        let new = rows::new_run(&setting.town, setting.seed, embedder, version);
        let new = new.map_err(|e| RunError::Town {
            path: path.display().to_string(),
            detail: e.to_string(),
        })?;
        let writer = RunWriter::create(path, &new)?;
        Ok(Self {
            engine: Engine::new(Arc::new(setting), options),
            writer,
            checkpoint: 0,
        })
    }

    /// Goes on with a run, from its last checkpoint.
    ///
    /// # Errors
    /// [`RunError::Store`] for a file that is none of ours, damaged or in use; the others if its
    /// content does not fit this program.
    pub fn resume(path: &Path, embedder: Arc<dyn Embedder>, options: Options) -> Result<Self, RunError> {
        Self::take_up(RunWriter::open(path)?, embedder, options)
    }

    /// Makes a new run that shares the parent's past up to and including `tick`. The parent is only
    /// read.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), and if the parent doesn't reach `tick` or the child exists.
    pub fn fork(
        parent: &Path,
        child: &Path,
        tick: u64,
        embedder: Arc<dyn Embedder>,
        options: Options,
    ) -> Result<Self, RunError> {
        let at = u32::try_from(tick).map_err(|_| RunError::TooLong)?;
        let writer = townsfolk_store::fork(parent, child, at)?;
        let mut run = Self::take_up(writer, embedder, options)?;
        run.run_until(tick + 1, |_| ControlFlow::Continue(()))?;
        Ok(run)
    }

    fn take_up(
        mut writer: RunWriter,
        embedder: Arc<dyn Embedder>,
        options: Options,
    ) -> Result<Self, RunError> {
        let reader = writer.read();
        let setting = Arc::new(setting(reader, embedder)?);
        let checkpoint = reader.last_checkpoint()?;
        writer.truncate_after(checkpoint.as_ref().map(|at| at.tick))?;
        let engine = at::engine_from(writer.read(), setting, options, checkpoint)?;
        let checkpoint = engine.tick();
        Ok(Self {
            engine,
            writer,
            checkpoint,
        })
    }

    /// Does something from outside: it is recorded, and acts at the start of the tick that comes back,
    /// which is the next to be computed.
    ///
    /// # Errors
    /// [`RunError::Input`] if it cannot act, [`RunError::Store`] if it cannot be recorded; nothing is
    /// changed then.
    pub fn input(&mut self, input: Input) -> Result<u64, RunError> {
        self.inputs(&[input])
    }

    /// Does several things from outside in the same tick, in order: all of them, or none. A later one
    /// may speak of a visitor who arrives by an earlier one ([`find`](Self::find) tells the id).
    ///
    /// # Errors
    /// As [`input`](Self::input).
    pub fn inputs(&mut self, inputs: &[Input]) -> Result<u64, RunError> {
        let tick = self.engine.tick();
        let mut view = View::new(&self.engine, tick);
        let mut written = Vec::with_capacity(inputs.len());
        for input in inputs {
            let world = &self.engine.setting.town.world;
            let one = Written::of(input, view.people(), world)?;
            view.check(input)?;
            view.expect(&one, tick);
            written.push((tick, one));
        }
        self.record(written)?;
        Ok(tick)
    }

    /// Records things to be done from outside at ticks to come, by name: all of them, or none. Whether
    /// each can act is known when its tick comes; one that cannot leaves a notice. Those of one tick act
    /// in the order given.
    ///
    /// # Errors
    /// [`RunError::Past`] for a tick that is over, [`RunError::Input`] for names, places and words that
    /// make no sense.
    pub fn schedule(&mut self, inputs: Vec<(u64, Written)>) -> Result<(), RunError> {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|index| inputs[*index].0);
        let next = self.engine.tick();
        let mut view = View::new(&self.engine, u64::MAX);
        for (tick, input) in order.into_iter().map(|index| &inputs[index]) {
            if *tick < next {
                return Err(RunError::Past { tick: *tick, next });
            }
            if *tick >= u64::from(u32::MAX) {
                return Err(RunError::TooLong);
            }
            let world = &self.engine.setting.town.world;
            view.check_sense(&input.resolve(view.people(), world)?)?;
            view.expect(input, *tick);
        }
        self.record(inputs)
    }

    /// The id of whoever has this full name, also if they only come with an input that is recorded and
    /// has not acted yet.
    pub fn find(&self, name: &str) -> Option<ResidentId> {
        let view = View::new(&self.engine, self.engine.tick());
        let at = view.people().iter().position(|person| **person.name() == *name)?;
        u16::try_from(at).ok().map(ResidentId)
    }

    /// Writes inputs down, and only then lets the engine have them.
    fn record(&mut self, inputs: Vec<(u64, Written)>) -> Result<(), RunError> {
        let row = |(tick, input): &(u64, Written)| {
            Ok(At {
                tick: u32::try_from(*tick).map_err(|_| RunError::TooLong)?,
                row: rows::input(input),
            })
        };
        let kept = Kept {
            inputs: inputs.iter().map(row).collect::<Result<_, RunError>>()?,
            ..Kept::default()
        };
        self.writer.record(&kept)?;
        for (tick, input) in inputs {
            self.engine.inputs.entry(tick).or_default().push(input);
        }
        Ok(())
    }

    /// The town in motion.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The run file as it stands.
    pub fn file(&self) -> &RunReader {
        self.writer.read()
    }

    /// Notes in the file the tick before which the run is meant to end, so that whoever resumes it
    /// knows.
    ///
    /// # Errors
    /// [`RunError::TooLong`], or [`RunError::Store`] if the file cannot be written.
    pub fn set_goal(&mut self, until: u64) -> Result<(), RunError> {
        let goal = u32::try_from(until).map_err(|_| RunError::TooLong)?;
        Ok(self.writer.set_goal(goal)?)
    }

    /// Computes and commits ticks until the next would be `until`, or until `watch`, which is called
    /// after each, breaks. Whatever happens, the file then holds whole ticks only.
    ///
    /// # Errors
    /// [`RunError::Store`] if a tick cannot be written, [`RunError::Halted`] if thinking halts. The
    /// run is then spent; [`resume`](Self::resume) goes on from its file.
    pub fn run_until(
        &mut self,
        until: u64,
        mut watch: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        if until >= u64::from(u32::MAX) {
            return Err(RunError::TooLong);
        }
        let every = (CHECKPOINT_SECONDS / self.engine.setting.seconds_per_tick()).max(1) as u64;
        while let Some(rows) = self.engine.advance(until)? {
            self.writer.commit(&rows)?;
            if self.checkpoint == 0 || self.engine.tick() - self.checkpoint >= every {
                self.write_checkpoint()?;
            }
            if watch(&Progress {
                engine: &self.engine,
                until,
            })
            .is_break()
            {
                break;
            }
        }
        if self.engine.tick() > self.checkpoint {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Ends writing and leaves one whole file.
    ///
    /// # Errors
    /// [`RunError::Store`]; nothing committed is lost.
    pub fn finish(self, state: RunState) -> Result<(), RunError> {
        Ok(self.writer.finish(state)?)
    }

    fn write_checkpoint(&mut self) -> Result<(), RunError> {
        let path = || self.writer.read().path().display().to_string();
        let snapshot = self
            .engine
            .snapshot()
            .map_err(|error| RunError::Snapshot { path: path(), error })?;
        self.checkpoint = self.engine.tick();
        // Ticks are kept below `u32::MAX` by `run_until`.
        self.writer.checkpoint((self.checkpoint - 1) as u32, &snapshot)?;
        Ok(())
    }
}

/// What a run file was started with.
pub(crate) fn setting(reader: &RunReader, embedder: Arc<dyn Embedder>) -> Result<Setting, RunError> {
    let path = || reader.path().display().to_string();
    let info = reader.info()?;
    if info.embedder != embedder.name() {
        let (wrote, has) = (info.embedder, embedder.name().to_owned());
        return Err(RunError::Embedder {
            path: path(),
            wrote,
            has,
        });
    }
    let unreadable = |detail: String| RunError::Town { path: path(), detail };
    let parts = reader.town()?;
    let part = parts.iter().find(|part| part.part == rows::TOWN_PART);
    let part = part.ok_or_else(|| unreadable("the part is missing".to_owned()))?;
    let town: Town = serde_json::from_str(&part.data).map_err(|e| unreadable(e.to_string()))?;
    Ok(Setting::new(town, info.seed, embedder))
}
