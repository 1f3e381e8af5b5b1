//! A run: an engine and its run file, started, resumed and forked.
//!
//! Each tick that changed anything is committed before the next is computed, so a killed process
//! loses at most the tick in flight. Once a game hour the engine's whole state is kept as a
//! checkpoint. To resume, everything later than the last checkpoint is forgotten and computed again:
//! chance is addressed and replies are recorded, so the same comes out, byte for byte.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use townsfolk_memory::{Embedder, Memory};
use townsfolk_mind::Halted;
use townsfolk_store::{MemoryFilter, RunReader, RunState, RunWriter, StoreError};
use townsfolk_town::Town;

use crate::engine::{Engine, Options, Setting};
use crate::rows;
use crate::snapshot::SnapshotError;

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
        let path = reader.path().display().to_string();
        let setting = Arc::new(setting(reader, embedder)?);
        let checkpoint = reader.last_checkpoint()?;
        let Some(checkpoint) = checkpoint else {
            writer.truncate_after(None)?;
            return Ok(Self {
                engine: Engine::new(setting, options),
                writer,
                checkpoint: 0,
            });
        };
        writer.truncate_after(checkpoint.tick)?;
        let mut memories: Vec<Vec<(Memory, Vec<u8>)>> = Vec::new();
        for id in 0..setting.town.residents.len() as u32 {
            let rows = writer.read().memories(id, &MemoryFilter::default())?;
            memories.push(
                rows.into_iter()
                    .map(|at| rows::recall(&setting.town, at.row))
                    .collect(),
            );
        }
        let engine = Engine::restore(setting, options, &checkpoint.row, memories)
            .map_err(|error| RunError::Snapshot { path, error })?;
        let checkpoint = engine.tick();
        Ok(Self {
            engine,
            writer,
            checkpoint,
        })
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
fn setting(reader: &RunReader, embedder: Arc<dyn Embedder>) -> Result<Setting, RunError> {
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
