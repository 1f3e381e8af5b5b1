//! A new run that shares its past with another.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _};

use crate::error::{Result, StoreError};
use crate::meta;
use crate::read::{RunReader, copy_database};
use crate::rows::{EMBEDDING, Tick};
use crate::schema::{self, MIGRATIONS};
use crate::sql::explain;
use crate::write::{RunWriter, build_in_place, claim_new, forget_after};

/// Makes `child` a fork of `parent` at `tick`, and opens it.
///
/// The child holds the parent's past up to the last checkpoint at `tick` or before; the engine
/// executes again from there up to `tick`, with the same inputs and the replies already bought, and
/// then goes its own way. Inputs meant for later ticks stay behind. Replies bought later stay
/// available ([`RunReader::call`]) for questions that turn out the same. What the parent paid for does
/// not count as paid by the child.
///
/// The parent is only read: it may be running, finished, killed, or on a read-only disk.
///
/// # Errors
/// [`StoreError::PastEnd`] and [`StoreError::NoCheckpoint`] for a tick that cannot be reached, and
/// everything [`RunReader::open`] and [`RunWriter::create`] report.
pub fn fork(parent: impl AsRef<Path>, child: impl AsRef<Path>, tick: Tick) -> Result<RunWriter> {
    let (parent, child) = (parent.as_ref(), child.as_ref());
    let source = RunReader::open(parent)?;
    let lock = claim_new(child)?;
    build_in_place(child, |copy| {
        let failed = |error| explain(child, None, "copying the parent", error);
        copy_database(source.connection(), copy).map_err(failed)?;
        schema::migrate(copy, MIGRATIONS).map_err(failed)?;
        // The parent may have moved on since it was opened; only the copy holds still.
        let checkpoint = checkpoint_for(copy, parent, tick)?;
        let transaction = copy.transaction().map_err(failed)?;
        forget_after(&transaction, Some(checkpoint))
            .and_then(|()| forget_inputs_after(&transaction, tick))
            .and_then(|()| forget_embedding_after(&transaction, tick))
            .and_then(|()| transaction.execute("UPDATE call SET inherited = 1", []))
            .and_then(|_| meta::descend(&transaction, tick))
            .and_then(|()| transaction.commit())
            .map_err(failed)
    })?;
    RunWriter::attach(child, lock)
}

/// Inputs meant for later ticks stay behind, with whoever they would have brought to town.
fn forget_inputs_after(db: &Connection, tick: Tick) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM input WHERE tick > ?1",
        "DELETE FROM resident WHERE came > ?1",
    ] {
        db.execute(sql, [tick])?;
    }
    Ok(())
}

/// Calls that made vectors for later ticks stay behind, since the child's story does not rest on them; the
/// vectors come along.
fn forget_embedding_after(db: &Connection, tick: Tick) -> rusqlite::Result<()> {
    db.execute(
        "DELETE FROM call WHERE kind = ?1 AND tick > ?2",
        (EMBEDDING, tick),
    )
    .map(drop)
}

/// The tick of the checkpoint from which `tick` can be reached.
fn checkpoint_for(copy: &Connection, parent: &Path, tick: Tick) -> Result<Tick> {
    let failed = |error| explain(parent, None, "looking for a checkpoint", error);
    let head: Option<Tick> = copy
        .query_row(
            "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'head_tick'",
            [],
            |row| row.get(0),
        )
        .optional()
        .map_err(failed)?;
    if head.is_none_or(|head| tick > head) {
        return Err(StoreError::PastEnd {
            path: parent.to_owned(),
            tick,
            head,
        });
    }
    let found: Option<Tick> = copy
        .query_row(
            "SELECT max(tick) FROM checkpoint WHERE tick <= ?1",
            [tick],
            |row| row.get(0),
        )
        .map_err(failed)?;
    found.ok_or_else(|| StoreError::NoCheckpoint {
        path: parent.to_owned(),
        tick,
    })
}
