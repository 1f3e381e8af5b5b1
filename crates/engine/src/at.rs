//! A town as it was at any tick of its run, in memory.
//!
//! The last checkpoint before the tick is restored, and what came after it is executed again with the
//! same inputs and recorded replies: at most a game hour. The file is only read, and may be written
//! meanwhile.

use std::sync::Arc;

use townsfolk_memory::Embedder;
use townsfolk_store::{At, MemoryFilter, RunReader, StoreError, Tick};

use crate::engine::{Engine, Options, Setting};
use crate::input::Written;
use crate::rows;
use crate::run::{self, RunError};
use crate::snapshot::SnapshotError;

/// The town as it was at the end of `tick`.
///
/// # Errors
/// [`RunError::Store`] for a tick past the head ([`StoreError::PastEnd`]) or a damaged file, and the
/// others if its content does not fit this program.
pub fn at(
    reader: &RunReader,
    tick: Tick,
    embedder: Arc<dyn Embedder>,
    options: Options,
) -> Result<Engine, RunError> {
    let head = reader.head()?;
    if head.is_none_or(|head| tick > head) {
        let path = reader.path().to_owned();
        return Err(StoreError::PastEnd { path, tick, head }.into());
    }
    let setting = Arc::new(run::setting(reader, embedder)?);
    let checkpoint = reader.checkpoint_before(tick)?;
    let mut engine = engine_from(reader, setting, options, checkpoint)?;
    while engine.advance(u64::from(tick) + 1)?.is_some() {}
    Ok(engine)
}

/// An engine that goes on from a checkpoint, or from the start, with the inputs that are recorded for
/// later ticks.
pub(crate) fn engine_from(
    reader: &RunReader,
    setting: Arc<Setting>,
    options: Options,
    checkpoint: Option<At<Vec<u8>>>,
) -> Result<Engine, RunError> {
    let path = || reader.path().display().to_string();
    let mut engine = match checkpoint {
        None => Engine::new(setting, options),
        Some(checkpoint) => {
            let until = MemoryFilter {
                until: Some(checkpoint.tick),
                ..MemoryFilter::default()
            };
            let restored = Engine::restore(setting, options, &checkpoint.row, |who, people| {
                let memories = reader.memories(who.0.into(), &until)?;
                let memories = memories.into_iter();
                Ok(memories.map(|at| rows::recall(people, at.row)).collect())
            });
            restored.map_err(|error| match error {
                Unrestored::Store(error) => RunError::Store(error),
                Unrestored::Snapshot(error) => RunError::Snapshot { path: path(), error },
            })?
        }
    };
    let next = u32::try_from(engine.tick()).map_err(|_| RunError::TooLong)?;
    for At { tick, row } in reader.inputs(next..=Tick::MAX)? {
        let input: Written = serde_json::from_str(&row.json).map_err(|error| RunError::UnknownInput {
            path: path(),
            tick,
            detail: error.to_string(),
        })?;
        engine.inputs.entry(tick.into()).or_default().push(input);
    }
    Ok(engine)
}

/// Why a checkpoint could not be restored.
enum Unrestored {
    Store(StoreError),
    Snapshot(SnapshotError),
}

impl From<StoreError> for Unrestored {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<SnapshotError> for Unrestored {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}
