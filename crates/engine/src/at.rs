//! A town as it was at any tick of its run, in memory.
//!
//! The last checkpoint before the tick is restored, and what came after it is executed again with the
//! same inputs and recorded answers, which takes no model: at most a game hour. The file is only read, and may be written
//! meanwhile.

use std::path::Path;
use std::sync::Arc;

use townsfolk_store::{At, InputRow, MemoryFilter, RunReader, StoreError, Tick};

use crate::engine::{Engine, Options, Setting};
use crate::input::Written;
use crate::ledger::Past;
use crate::minds::Minds;
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
    minds: impl Into<Minds>,
    options: Options,
) -> Result<Engine, RunError> {
    let head = reader.head()?;
    if head.is_none_or(|head| tick > head) {
        let path = reader.path().to_owned();
        return Err(StoreError::PastEnd { path, tick, head }.into());
    }
    let setting = Arc::new(run::setting(reader, minds.into())?);
    let checkpoint = reader.checkpoint_before(tick)?;
    let after = checkpoint.as_ref().map(|checkpoint| checkpoint.tick);
    let remote = setting.minds.remote.is_some();
    let mut engine = engine_from(reader, setting, options, checkpoint)?;
    engine.relive(Past::read(reader, after, tick, remote)?);
    while engine
        .advance(u64::from(tick) + 1)
        .map_err(RunError::Halted)?
        .is_some()
    {}
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
    take_inputs(&mut engine, reader.path(), reader.inputs(next..=Tick::MAX)?)?;
    Ok(engine)
}

/// Lets the inputs of a file act when their ticks come.
pub(crate) fn take_inputs(
    engine: &mut Engine,
    path: &Path,
    inputs: Vec<At<InputRow>>,
) -> Result<(), RunError> {
    for At { tick, row } in inputs {
        let input: Written = serde_json::from_str(&row.json).map_err(|error| RunError::UnknownInput {
            path: path.display().to_string(),
            tick,
            detail: error.to_string(),
        })?;
        engine.inputs.entry(tick.into()).or_default().push(input);
    }
    Ok(())
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
