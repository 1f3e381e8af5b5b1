//! Writing a run: create or open, then tick after tick.
//!
//! 1. [`RunWriter::create`] puts a whole file in place at once: town, residents, places, no tick.
//! 2. [`RunWriter::record`] and [`RunWriter::record_call`] keep what must never be lost (inputs, vectors,
//!    replies) as it comes.
//! 3. [`RunWriter::commit`] adds one tick in one transaction; killed at any moment, the file ends
//!    with a whole tick.
//! 4. [`RunWriter::checkpoint`] keeps the engine's state now and then.
//! 5. [`RunWriter::finish`] leaves one single file behind.
//!
//! To resume: [`RunWriter::open`], read the last checkpoint, [`RunWriter::truncate_after`] its
//! tick, and execute again from there.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::{Result, StoreError};
use crate::insert::{self, Cause, Fault, fault};
use crate::lock::{WriterLock, beside};
use crate::meta::{self, Key};
use crate::read::{CACHE_KIBIBYTES, RunReader};
use crate::rows::{CallId, CallRow, Kept, NewRun, RunState, TextRow, Tick, TickRows};
use crate::schema::{self, FORGET_AFTER, MIGRATIONS};
use crate::sql::{explain, in_folder};

/// Space that must be free before work begins. A day of 25 residents takes a few megabytes without
/// a language model; less than this and the run would stop within its first day.
pub(crate) const FREE_BYTES_NEEDED: usize = 8 << 20;

/// How long a write waits for a reader that is in its way, or for another program's lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long [`RunWriter::finish`] waits for viewers before it leaves the file in WAL mode.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(200);

/// Statements kept prepared; there are fewer than this.
const STATEMENTS: usize = 64;

/// Pages of log written before they are copied into the file, which costs a flush to the disk.
const LOG_PAGES: u32 = 4_000;

/// The one writer of a run.
///
/// Dropping it without [`finish`](Self::finish) loses nothing: the run is then left as a kill would
/// leave it, at its last whole tick.
#[derive(Debug)]
pub struct RunWriter {
    // Declared before the lock, so that the database is closed before the lock is given back.
    reader: RunReader,
    head: Option<Tick>,
    _lock: WriterLock,
}

impl RunWriter {
    /// Starts a run file at `path`, making folders as needed.
    ///
    /// # Errors
    /// [`StoreError::Exists`] for a name that is taken, [`StoreError::NotWritable`] and
    /// [`StoreError::DiskFull`] before any work is done, [`StoreError::BadRow`] for a town that
    /// contradicts itself. The file appears whole or not at all.
    pub fn create(path: impl AsRef<Path>, run: &NewRun) -> Result<Self> {
        let path = path.as_ref();
        let lock = claim_new(path)?;
        build_in_place(path, |db| {
            let failed = |error| explain(path, None, "creating", error);
            schema::migrate(db, MIGRATIONS).map_err(failed)?;
            db.pragma_update(None, "foreign_keys", true).map_err(failed)?;
            let transaction = db.transaction().map_err(failed)?;
            meta::begin(&transaction, run).map_err(failed)?;
            insert::new_run(&transaction, run).map_err(|fault| refuse(path, 0, None, fault))?;
            transaction.commit().map_err(failed)
        })?;
        Self::attach(path, lock)
    }

    /// Opens a run to go on with it, and marks it as running. Checks the whole file for damage,
    /// which takes one pass over it.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::NotSqlite`], [`StoreError::Foreign`],
    /// [`StoreError::TooNew`], [`StoreError::Torn`]; [`StoreError::InUse`] while another writer
    /// lives; [`StoreError::NotWritable`], [`StoreError::DiskFull`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let reader = RunReader::open(path)?;
        let lock = WriterLock::acquire(path)?;
        reader.check()?;
        drop(reader);
        probe_space(path)?;
        Self::attach(path, lock)
    }

    /// Opens the file that is known to be there and to be ours.
    pub(crate) fn attach(path: &Path, lock: WriterLock) -> Result<Self> {
        let failed = |error| explain(path, None, "opening", error);
        let mut db = Connection::open_with_flags(
            in_folder(path),
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(failed)?;
        db.busy_timeout(PATIENCE).map_err(failed)?;
        schema::migrate(&mut db, MIGRATIONS).map_err(failed)?;
        db.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
        db.pragma_update(None, "synchronous", "normal").map_err(failed)?;
        db.pragma_update(None, "foreign_keys", true).map_err(failed)?;
        db.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)
            .map_err(failed)?;
        db.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)
            .map_err(failed)?;
        db.set_prepared_statement_cache_capacity(STATEMENTS);
        meta::set(&db, Key::State, RunState::Running.as_str()).map_err(failed)?;
        let reader = RunReader::over(db, path);
        let head = reader.head()?;
        Ok(Self {
            reader,
            head,
            _lock: lock,
        })
    }

    /// Everything that can be read, as it stands after the last commit.
    pub fn read(&self) -> &RunReader {
        &self.reader
    }

    /// The last tick in the file; `None` before the first.
    pub fn head(&self) -> Option<Tick> {
        self.head
    }

    /// Notes the tick before which the run is meant to end, for whoever resumes it.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`] and other failures of the disk.
    pub fn set_goal(&mut self, goal: Tick) -> Result<()> {
        meta::set(self.reader.connection(), Key::GoalTick, &goal.to_string())
            .map_err(|error| explain(self.reader.path(), self.head, "noting the end", error))
    }

    /// Adds one tick, whole or not at all.
    ///
    /// # Errors
    /// [`StoreError::OutOfOrder`] unless the tick is later than the head; [`StoreError::BadRow`]
    /// for rows that contradict each other or the file; [`StoreError::DiskFull`]. After an error
    /// the file and the writer are as before, and the same rows may be committed again.
    pub fn commit(&mut self, rows: &TickRows) -> Result<()> {
        if let Some(head) = self.head.filter(|head| rows.tick <= *head) {
            return Err(self.out_of_order(rows.tick, head));
        }
        self.transact("committing a tick", rows.tick, |db| {
            insert::tick_rows(db, rows)?;
            set_head(db, rows.tick)
        })?;
        self.head = Some(rows.tick);
        Ok(())
    }

    /// Keeps inputs and vectors that must survive even if their tick never completes.
    ///
    /// # Errors
    /// [`StoreError::OutOfOrder`] for inputs of a tick that is history already; otherwise as
    /// [`commit`](Self::commit). All or nothing.
    pub fn record(&mut self, kept: &Kept) -> Result<()> {
        let earliest = kept.inputs.iter().map(|input| input.tick).min();
        if let (Some(tick), Some(head)) = (earliest, self.head)
            && tick <= head
        {
            return Err(self.out_of_order(tick, head));
        }
        let tick = self.head.map_or(0, |head| head.saturating_add(1));
        self.transact("recording inputs", tick, |db| insert::kept(db, kept))
    }

    /// Keeps a call, whatever becomes of its tick, which may be history by now without having asked for
    /// it. The tick that rests on it names it in [`TaskRow::calls`](crate::TaskRow::calls). A reply that
    /// is there already stays; a failure is replaced.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn record_call(&mut self, call: &CallRow) -> Result<CallId> {
        let tick = call.key.tick;
        self.transact("recording a call", tick, |db| insert::call(db, call))
    }

    /// Keeps vectors together with the call that made them, or a call that failed; whatever becomes of
    /// its tick. An equal call of the tick that is there already stays beside it: both were paid for.
    ///
    /// # Errors
    /// As [`record_call`](Self::record_call). All or nothing.
    pub fn record_vectors(&mut self, call: &CallRow, texts: &[TextRow]) -> Result<()> {
        let tick = call.key.tick;
        if let Some(head) = self.head.filter(|head| tick <= *head) {
            return Err(self.out_of_order(tick, head));
        }
        self.transact("recording vectors", tick, |db| insert::vectors(db, call, texts))
    }

    /// Notes what models cost, by name, as text.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`] and other failures of the disk.
    pub fn set_prices(&mut self, prices: &str) -> Result<()> {
        self.transact("noting prices", self.head.unwrap_or(0), |db| {
            meta::set(db, Key::Prices, prices).map_err(fault("meta"))
        })
    }

    /// Notes how the models are set up from now on, and by which prompts they are asked; none where none are asked.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`] and other failures of the disk.
    pub fn set_models(&mut self, models: Option<&str>, prompts: Option<&str>) -> Result<()> {
        self.transact("noting the models", self.head.unwrap_or(0), |db| {
            meta::put(db, Key::Models, models)
                .and_then(|()| meta::put(db, Key::Prompts, prompts))
                .map_err(fault("meta"))
        })
    }

    /// Keeps the engine's state at the end of `tick`, which may lie after the head when nothing
    /// happened in between; the head then moves there.
    ///
    /// # Errors
    /// [`StoreError::OutOfOrder`] for a tick before the head; [`StoreError::DiskFull`].
    pub fn checkpoint(&mut self, tick: Tick, state: &[u8]) -> Result<()> {
        if let Some(head) = self.head.filter(|head| tick < *head) {
            return Err(self.out_of_order(tick, head));
        }
        let compressed = compress(state);
        self.transact("writing a checkpoint", tick, |db| {
            db.prepare_cached("INSERT OR REPLACE INTO checkpoint VALUES (?1, ?2)")
                .and_then(|mut insert| insert.execute((tick, &compressed)))
                .map_err(fault("checkpoint"))?;
            set_head(db, tick)
        })?;
        self.head = Some(tick);
        Ok(())
    }

    /// Forgets everything derived after `tick`, in one transaction, so that it can be executed
    /// again; `None` forgets every tick. Inputs, bought replies and vectors stay.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`] and other failures of the disk; the file is then unchanged.
    pub fn truncate_after(&mut self, tick: impl Into<Option<Tick>>) -> Result<()> {
        let tick = tick.into();
        self.transact("deleting later ticks", tick.unwrap_or(0), |db| {
            forget_after(db, tick).map_err(fault("meta"))
        })?;
        self.head = self.head.min(tick);
        Ok(())
    }

    /// Ends writing, notes how the run is left, and folds everything into the one file.
    ///
    /// While a viewer has the run open its `-wal` and `-shm` files cannot be removed; everything is
    /// in the main file all the same, and whoever writes next tidies up.
    ///
    /// # Errors
    /// [`StoreError::DiskFull`] and other failures of the disk; nothing committed is lost.
    pub fn finish(self, state: RunState) -> Result<()> {
        let db = self.reader.connection();
        let failed = |error| explain(self.reader.path(), self.head, "finishing", error);
        meta::set(db, Key::State, state.as_str()).map_err(failed)?;
        db.busy_timeout(PATIENCE_AT_THE_END).map_err(failed)?;
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .map_err(failed)?;
        match db.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())) {
            Err(error) if is_busy(&error) => Ok(()),
            other => other.map_err(failed),
        }
    }

    fn transact<T>(
        &self,
        doing: &'static str,
        tick: Tick,
        write: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T> {
        let path = self.reader.path();
        let failed = |error| explain(path, self.head, doing, error);
        // A deleted file can be written to for as long as it is open.
        if !path.exists() {
            return Err(StoreError::Gone {
                path: path.to_owned(),
            });
        }
        let db = self.reader.connection();
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate).map_err(failed)?;
        let written = write(&transaction).map_err(|fault| refuse(path, tick, self.head, fault))?;
        transaction.commit().map_err(failed)?;
        Ok(written)
    }

    fn out_of_order(&self, tick: Tick, head: Tick) -> StoreError {
        StoreError::OutOfOrder {
            path: self.reader.path().to_owned(),
            tick,
            head,
        }
    }
}

fn set_head(db: &Connection, tick: Tick) -> Result<(), Fault> {
    meta::set(db, Key::HeadTick, &tick.to_string()).map_err(|error| Fault {
        table: "meta",
        cause: Cause::Sqlite(error),
    })
}

/// Runs the deletions; the caller holds the transaction.
pub(crate) fn forget_after(db: &Connection, tick: Option<Tick>) -> rusqlite::Result<()> {
    let tick = tick.map_or(-1, i64::from);
    FORGET_AFTER
        .iter()
        .try_for_each(|sql| db.execute(sql, [tick]).map(drop))
}

/// Turns a fault into an error that names the table, unless it is the disk's fault.
pub(crate) fn refuse(path: &Path, tick: Tick, head: Option<Tick>, fault: Fault) -> StoreError {
    let bad_row = |detail| StoreError::BadRow {
        path: path.to_owned(),
        tick,
        table: fault.table,
        detail,
    };
    match fault.cause {
        Cause::Contradiction(detail) => bad_row(detail),
        Cause::Sqlite(error)
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) =>
        {
            bad_row(error.to_string())
        }
        Cause::Sqlite(error) => explain(path, head, "writing rows", error),
    }
}

/// Makes the folder, takes the lock, and checks that the name is free and the disk usable.
pub(crate) fn claim_new(path: &Path) -> Result<WriterLock> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let made = match folder.is_file() {
            true => Err(ErrorKind::NotADirectory.into()),
            false => fs::create_dir_all(folder),
        };
        made.map_err(|source| StoreError::NotWritable {
            path: folder.to_owned(),
            source,
        })?;
    }
    if path.symlink_metadata().is_ok() {
        return Err(StoreError::Exists {
            path: path.to_owned(),
        });
    }
    let lock = WriterLock::acquire(path)?;
    // Once more under the lock: another creator may just have finished.
    if path.symlink_metadata().is_ok() {
        return Err(StoreError::Exists {
            path: path.to_owned(),
        });
    }
    probe_space(path)?;
    Ok(lock)
}

/// Writes and removes a file of the size that must be free: a test of permission, quota and space
/// that is the same on every system.
fn probe_space(path: &Path) -> Result<()> {
    let probe = beside(path, "-probe");
    let written = File::create(&probe).and_then(|mut file| {
        let block = [0_u8; 1 << 16];
        (0..FREE_BYTES_NEEDED / block.len()).try_for_each(|_| file.write_all(&block))
    });
    let removed = fs::remove_file(&probe);
    written.and(removed).map_err(|source| match source.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::DiskFull {
            path: path.to_owned(),
            head: None,
        },
        _ => StoreError::NotWritable {
            path: path.to_owned(),
            source,
        },
    })
}

/// Builds a run under a passing name and moves it to `path` when it is whole. The caller holds
/// the lock.
pub(crate) fn build_in_place(path: &Path, fill: impl FnOnce(&mut Connection) -> Result<()>) -> Result<()> {
    let unfinished = beside(path, "-new");
    remove_database(&unfinished);
    let built = build(path, &unfinished, fill);
    if built.is_err() {
        remove_database(&unfinished);
    }
    built
}

fn build(path: &Path, unfinished: &Path, fill: impl FnOnce(&mut Connection) -> Result<()>) -> Result<()> {
    let failed = |error| explain(path, None, "creating", error);
    let mut db = Connection::open(in_folder(unfinished)).map_err(failed)?;
    fill(&mut db)?;
    db.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
        .map_err(failed)?;
    db.close().map_err(|(_, error)| failed(error))?;
    fs::rename(unfinished, path).map_err(|source| StoreError::NotWritable {
        path: path.to_owned(),
        source,
    })
}

/// Removes what a killed creation may have left; what is not there is no matter.
fn remove_database(path: &Path) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
        let _ = fs::remove_file(beside(path, suffix));
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("writing to a vector cannot fail");
    encoder.finish().expect("writing to a vector cannot fail")
}
