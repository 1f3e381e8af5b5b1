//! Reading a run, at any tick, while it is written or long after.
//!
//! A [`RunReader`] never changes the file and never makes a writer wait. Any number may be open. It
//! works on read-only media, and follows a run that is being written: every call sees the last
//! committed tick, and [`RunReader::snapshot`] holds one tick still for several calls.
//!
//! "At tick *t*" always means as committed at the end of tick *t*; a tick past the head is refused
//! with [`StoreError::PastEnd`].

mod calls;
mod ledger;
mod memories;
mod motion;
mod plans;
mod talk;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row, backup::Backup};

pub use self::calls::{CallCount, CallFilter, CallRecord, CallUse, Spent};
pub use self::ledger::{TaskCount, TaskFilter};
pub use self::memories::{MemoryFilter, Person};
pub use self::watch::{Meeting, MemoryKey, Tallied, Tally};
use crate::error::{Result, StoreError};
use crate::lock::{WriterLock, beside};
use crate::meta::{self, Key, Parent, RunInfo};
use crate::rows::{At, PlaceRow, ResidentRow, Tick, TownPart};
use crate::schema::{self, APPLICATION_ID, FORMAT, MIGRATIONS};
use crate::sql::{explain, in_folder};

/// How long a read waits while a writer changes the file's journal mode.
const PATIENCE: Duration = Duration::from_secs(5);

/// Statements kept prepared; there are fewer than this.
const STATEMENTS: usize = 64;

/// Memory for pages of the file, used as needed: memories refer to texts all over it.
pub(crate) const CACHE_KIBIBYTES: i32 = 64 << 10;

/// A view of a run that cannot change it.
#[derive(Debug)]
pub struct RunReader {
    db: Connection,
    path: PathBuf,
}

impl RunReader {
    /// Opens a run for reading.
    ///
    /// A run of an older format is read from a migrated copy in memory, which does not follow
    /// later changes of the file.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::NotSqlite`], [`StoreError::Foreign`],
    /// [`StoreError::TooNew`], [`StoreError::Torn`], and [`StoreError::NeedsWritableFolder`] for a
    /// run whose writer was killed and that now lies on a read-only disk.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let length = match path.metadata() {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => {
                return Err(StoreError::NotSqlite {
                    path: path.to_owned(),
                });
            }
            Err(_) => {
                return Err(StoreError::Missing {
                    path: path.to_owned(),
                });
            }
        };
        if length == 0 {
            return Err(StoreError::NotSqlite {
                path: path.to_owned(),
            });
        }
        let db = connect(path)?;
        let failed = |error| explain(path, None, "opening", error);
        let wrote: i32 = db
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(failed)?;
        if wrote > FORMAT {
            return Err(StoreError::TooNew {
                path: path.to_owned(),
                wrote,
                reads: FORMAT,
            });
        }
        let db = if wrote < FORMAT {
            migrated(&db, MIGRATIONS).map_err(failed)?
        } else {
            db
        };
        db.busy_timeout(PATIENCE).map_err(failed)?;
        db.pragma_update(None, "cache_size", -CACHE_KIBIBYTES)
            .map_err(failed)?;
        db.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self {
            db,
            path: path.to_owned(),
        })
    }

    /// Reads through a connection that is open already.
    pub(crate) fn over(db: Connection, path: &Path) -> Self {
        Self {
            db,
            path: path.to_owned(),
        }
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.db
    }

    /// The run's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether somebody holds the run to write it, in this process or in another.
    pub fn is_written(&self) -> bool {
        WriterLock::is_held(&self.path)
    }

    /// Makes several calls see the same tick, even while a writer goes on.
    ///
    /// # Errors
    /// Those of the calls made.
    pub fn snapshot<T>(&self, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        if !self.db.is_autocommit() {
            return read(self);
        }
        let failed = |error| self.explain("starting to read", error);
        let transaction = self.db.unchecked_transaction().map_err(failed)?;
        let result = read(self);
        transaction.finish().map_err(failed)?;
        result
    }

    /// Looks through the whole file for damage: pages, constraints, references, and rows later
    /// than the head. Takes one pass over the file.
    ///
    /// # Errors
    /// [`StoreError::Torn`], saying what was found first.
    pub fn check(&self) -> Result<()> {
        self.snapshot(Self::check_as_it_stands)
    }

    fn check_as_it_stands(&self) -> Result<()> {
        let torn = |detail| {
            Err(StoreError::Torn {
                path: self.path.clone(),
                detail,
            })
        };
        let doing = "checking the file";
        let found: String = self.one(doing, "PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return torn(found);
        }
        let broken = self.rows(doing, "PRAGMA foreign_key_check", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(2)?))
        })?;
        if let Some((table, target)) = broken.first() {
            return torn(format!("a row of {table} refers to a {target} that is not there"));
        }
        let head = self.head()?.map_or(-1, i64::from);
        let late: i64 = self.one(
            doing,
            "SELECT count(*) FROM (SELECT tick FROM move UNION ALL SELECT tick FROM memory
               UNION ALL SELECT tick FROM action UNION ALL SELECT tick FROM line) WHERE tick > ?1",
            [head],
            |row| row.get(0),
        )?;
        if late > 0 {
            return torn(format!("{late} rows are later than the head"));
        }
        Ok(())
    }

    /// What the run says about itself.
    ///
    /// # Errors
    /// [`StoreError::Torn`] where a key is missing or unreadable.
    pub fn info(&self) -> Result<RunInfo> {
        self.snapshot(|run| {
            let parent = match (run.key(Key::ParentRun)?, run.key(Key::ForkTick)?) {
                (Some(run_id), Some(tick)) => Some(Parent {
                    run_id,
                    tick: run.parse(Key::ForkTick, &tick)?,
                }),
                _ => None,
            };
            Ok(RunInfo {
                townsfolk_version: run.value(Key::TownsfolkVersion)?,
                run_id: run.value(Key::RunId)?,
                parent,
                town: run.value(Key::Town)?,
                start: run.value(Key::Start)?,
                seconds_per_tick: run.value(Key::SecondsPerTick)?,
                seed: run.value(Key::Seed)?,
                mind: run.value(Key::Mind)?,
                models: run.key(Key::Models)?,
                prices: run.key(Key::Prices)?,
                prompts: run.key(Key::Prompts)?,
                embedder: run.value(Key::Embedder)?,
                embedding_dimensions: run.value(Key::EmbeddingDimensions)?,
                state: run.one(
                    "reading the run's head",
                    "SELECT value FROM meta WHERE key = ?1",
                    [Key::State.as_str()],
                    |row| row.get(0),
                )?,
                head: run.head()?,
                goal: run
                    .key(Key::GoalTick)?
                    .map(|value| run.parse(Key::GoalTick, &value))
                    .transpose()?,
            })
        })
    }

    /// The last tick in the file; `None` before the first.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn head(&self) -> Result<Option<Tick>> {
        self.key(Key::HeadTick)?
            .map(|value| self.parse(Key::HeadTick, &value))
            .transpose()
    }

    /// The parts of the town, by name.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn town(&self) -> Result<Vec<TownPart>> {
        self.rows(
            "reading the town",
            "SELECT part, data FROM town ORDER BY part",
            [],
            |row| {
                Ok(TownPart {
                    part: row.get(0)?,
                    data: row.get(1)?,
                })
            },
        )
    }

    /// Residents and visitors, by id: those the town was started with and whoever came later.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn residents(&self) -> Result<Vec<ResidentRow>> {
        self.rows(
            "reading residents",
            "SELECT id, name, identity, came, role, \"left\" FROM resident ORDER BY id",
            [],
            |row| {
                Ok(ResidentRow {
                    id: row.get(0)?,
                    name: row.get(1)?,
                    identity: row.get(2)?,
                    came: row.get(3)?,
                    role: row.get(4)?,
                    left: row.get(5)?,
                })
            },
        )
    }

    /// The places, by id.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn places(&self) -> Result<Vec<PlaceRow>> {
        self.rows(
            "reading places",
            "SELECT id, parent, kind, name, address FROM place ORDER BY id",
            [],
            |row| {
                Ok(PlaceRow {
                    id: row.get(0)?,
                    parent: row.get(1)?,
                    kind: row.get(2)?,
                    name: row.get(3)?,
                    address: row.get(4)?,
                })
            },
        )
    }

    /// Refuses a tick past the head.
    pub(crate) fn reached(&self, tick: Tick) -> Result<()> {
        let head = self.head()?;
        if head.is_some_and(|head| tick <= head) {
            Ok(())
        } else {
            Err(StoreError::PastEnd {
                path: self.path.clone(),
                tick,
                head,
            })
        }
    }

    /// All rows of a query.
    fn rows<T>(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut query| query.query_map(values, read)?.collect())
            .map_err(|error| self.explain(doing, error))
    }

    /// The only row of a query.
    fn one<T>(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut query| query.query_row(values, read))
            .map_err(|error| self.explain(doing, error))
    }

    pub(crate) fn explain(&self, doing: &'static str, error: rusqlite::Error) -> StoreError {
        explain(&self.path, None, doing, error)
    }

    fn key(&self, key: Key) -> Result<Option<String>> {
        meta::get(&self.db, key).map_err(|error| self.explain("reading the run's head", error))
    }

    fn value<T: std::str::FromStr>(&self, key: Key) -> Result<T> {
        let value = self.key(key)?.ok_or_else(|| StoreError::Torn {
            path: self.path.clone(),
            detail: format!("meta has no {}", key.as_str()),
        })?;
        self.parse(key, &value)
    }

    fn parse<T: std::str::FromStr>(&self, key: Key, value: &str) -> Result<T> {
        value.parse().map_err(|_| StoreError::Torn {
            path: self.path.clone(),
            detail: format!("meta has \"{value}\" for {}", key.as_str()),
        })
    }
}

/// A row whose first column is the tick.
fn at<R>(row: &Row<'_>, content: R) -> rusqlite::Result<At<R>> {
    Ok(At {
        tick: row.get(0)?,
        row: content,
    })
}

/// Opens the file read-only and makes sure that it is a run.
fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(in_folder(path), flags).and_then(identified);
    let (db, application_id) = match opened {
        Err(error) if needs_to_write(&error) => {
            // A run in WAL mode wants files beside it. Where none can be made, and no log holds
            // ticks that are missing here, the file cannot change under us and is read as it is.
            let log = beside(path, "-wal").metadata().map_or(0, |log| log.len());
            if log > 0 {
                return Err(StoreError::NeedsWritableFolder {
                    path: path.to_owned(),
                });
            }
            Connection::open_with_flags(
                immutable_uri(&in_folder(path)),
                flags | OpenFlags::SQLITE_OPEN_URI,
            )
            .and_then(identified)
        }
        other => other,
    }
    .map_err(|error| explain(path, None, "opening", error))?;
    if application_id == APPLICATION_ID {
        Ok(db)
    } else {
        Err(StoreError::Foreign {
            path: path.to_owned(),
            application_id,
        })
    }
}

/// Reads the mark, which also makes SQLite look at the file for the first time.
fn identified(db: Connection) -> rusqlite::Result<(Connection, i32)> {
    db.busy_timeout(PATIENCE)?;
    let id = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    Ok((db, id))
}

fn needs_to_write(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
    )
}

/// The path as a URI that promises SQLite the file will not change.
fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(*byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

/// A copy of an older run in memory, brought up to date.
fn migrated(source: &Connection, migrations: &[&str]) -> rusqlite::Result<Connection> {
    let mut copy = Connection::open_in_memory()?;
    copy_database(source, &mut copy)?;
    schema::migrate(&mut copy, migrations)?;
    Ok(copy)
}

/// Copies all pages as of one moment.
pub(crate) fn copy_database(source: &Connection, copy: &mut Connection) -> rusqlite::Result<()> {
    let pages_per_step = 1_000;
    Backup::new(source, copy)?.run_to_completion(pages_per_step, Duration::ZERO, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_runs_are_read_from_a_migrated_copy() {
        let mut old = Connection::open_in_memory().unwrap();
        schema::migrate(&mut old, MIGRATIONS).unwrap();
        old.execute(
            "INSERT INTO resident (id, name, identity) VALUES (0, '林 秋', '{}')",
            [],
        )
        .unwrap();
        let mut later = MIGRATIONS.to_vec();
        later.push("ALTER TABLE resident ADD COLUMN mood TEXT DEFAULT 'calm'");
        let copy = migrated(&old, &later).unwrap();
        let mood: String = copy
            .query_row("SELECT mood FROM resident WHERE name = '林 秋'", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(mood, "calm");
        assert!(
            old.prepare("SELECT mood FROM resident").is_err(),
            "the original was changed"
        );
    }
}
