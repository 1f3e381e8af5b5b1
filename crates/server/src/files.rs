//! The run file as many readers see it.
//!
//! A [`RunFile`] keeps a few read-only connections and hands them to requests, which run on threads
//! of their own so that no request waits for another's disk. Readers never make the run wait.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tokio::sync::Semaphore;
use townsfolk_store::{RunReader, StoreError, Tick};
use townsfolk_town::Town;

use crate::look::{Clock, Look};
use crate::refusal::{Refusal, nothing_yet};

/// Requests that read at the same time; more wait their turn. Each keeps pages of the file in memory.
const READERS: usize = 4;

/// The part of a run file that holds the town.
const TOWN_PART: &str = "town";

/// Why a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The town in it.
    #[error("{}: the town in it cannot be read ({detail}); use the version of townsfolk that wrote it", path.display())]
    Town {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
}

/// A run file, open for any number of requests.
#[derive(Debug)]
pub(crate) struct RunFile {
    path: PathBuf,
    town: Town,
    clock: Clock,
    idle: Mutex<Vec<RunReader>>,
    turns: Semaphore,
}

impl RunFile {
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let reader = RunReader::open(path)?;
        let info = reader.info()?;
        let unreadable = |detail: String| OpenError::Town {
            path: path.to_owned(),
            detail,
        };
        let parts = reader.town()?;
        let part = parts.iter().find(|part| part.part == TOWN_PART);
        let part = part.ok_or_else(|| unreadable("the part is missing".to_owned()))?;
        let town = serde_json::from_str(&part.data).map_err(|error| unreadable(error.to_string()))?;
        Ok(Self {
            path: path.to_owned(),
            town,
            clock: Clock::of(&info),
            idle: Mutex::new(vec![reader]),
            turns: Semaphore::new(READERS),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without its folder.
    pub(crate) fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    pub(crate) fn town(&self) -> &Town {
        &self.town
    }

    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Reads on a thread that may wait for the disk; everything read belongs to one moment of the
    /// file.
    pub(crate) async fn read<T, R>(self: &Arc<Self>, read: R) -> Result<T, Refusal>
    where
        T: Send + 'static,
        R: FnOnce(&RunReader) -> Result<T, Refusal> + Send + 'static,
    {
        let _turn = self.turns.acquire().await.map_err(|_| closing())?;
        let file = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || file.read_here(read));
        work.await.map_err(|_| closing())?
    }

    /// As [`read`](Self::read), on this thread.
    pub(crate) fn read_here<T>(
        &self,
        read: impl FnOnce(&RunReader) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let idle = self.idle().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => RunReader::open(&self.path)?,
        };
        let result = reader.snapshot(|run| Ok(read(run)));
        self.idle().push(reader);
        result?
    }

    /// Looks at the run as it was at a tick; without one, at its last.
    pub(crate) async fn look<T, R>(self: &Arc<Self>, tick: Option<i64>, read: R) -> Result<T, Refusal>
    where
        T: Send + 'static,
        R: FnOnce(&Look<'_>) -> Result<T, Refusal> + Send + 'static,
    {
        let file = Arc::clone(self);
        self.read(move |run| {
            let tick = moment(run, tick)?;
            read(&Look {
                run,
                town: &file.town,
                clock: file.clock,
                tick,
            })
        })
        .await
    }

    /// A panic elsewhere leaves readers as good as before.
    fn idle(&self) -> MutexGuard<'_, Vec<RunReader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tick asked for, if the run has it; the last one if none was.
pub(crate) fn moment(run: &RunReader, asked: Option<i64>) -> Result<Tick, Refusal> {
    let head = run.head()?.ok_or_else(nothing_yet)?;
    match asked {
        None => Ok(head),
        Some(tick) => match Tick::try_from(tick) {
            Ok(tick) if tick <= head => Ok(tick),
            _ => Err(Refusal::out_of_range(tick, head)),
        },
    }
}

fn closing() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "the server is closing",
        "start it again with `townsfolk serve`",
    )
}
