//! Between SQLite's errors and ours, and between words and enums.

use std::path::{Path, PathBuf};

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, ffi};

use crate::error::StoreError;
use crate::rows::{ActionStatus, MemoryKind, PlaceKind, PlanLevel, RunState, Tick};

/// Says what a SQLite error means for the person who met it.
pub(crate) fn explain(
    path: &Path,
    head: Option<Tick>,
    doing: &'static str,
    source: rusqlite::Error,
) -> StoreError {
    let path = path.to_owned();
    let torn = |detail: String| StoreError::Torn {
        path: path.clone(),
        detail,
    };
    let error = match &source {
        rusqlite::Error::SqliteFailure(error, _) => *error,
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::Utf8Error(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..) => {
            return torn(format!("{doing}: {source}"));
        }
        _ => {
            return StoreError::Sqlite { path, doing, source };
        }
    };
    match error.code {
        ErrorCode::NotADatabase => StoreError::NotSqlite { path },
        ErrorCode::DatabaseCorrupt => torn(format!("{doing}: {source}")),
        ErrorCode::DiskFull => StoreError::DiskFull { path, head },
        ErrorCode::SystemIoFailure if cannot_grow(error.extended_code) => StoreError::DiskFull { path, head },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::InUse { path, process: None },
        ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            StoreError::NotWritable {
                path,
                source: std::io::Error::other(source.to_string()),
            }
        }
        _ => StoreError::Sqlite { path, doing, source },
    }
}

/// The path with a folder before its name: SQLite takes bare names such as `:memory:` and `file:x` for
/// something else.
pub(crate) fn in_folder(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

/// The I/O errors by which a full disk shows itself when it is not a plain `SQLITE_FULL`.
fn cannot_grow(extended_code: i32) -> bool {
    matches!(
        extended_code,
        ffi::SQLITE_IOERR_WRITE
            | ffi::SQLITE_IOERR_SHMSIZE
            | ffi::SQLITE_IOERR_FSYNC
            | ffi::SQLITE_IOERR_TRUNCATE
    )
}

/// Stores enums as their words.
macro_rules! stored_as_words {
    ($($name:ident),+) => { $(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?;
                $name::from_word(word).ok_or_else(|| {
                    FromSqlError::Other(format!("\"{word}\" is no {}", stringify!($name)).into())
                })
            }
        }
    )+ };
}

stored_as_words!(ActionStatus, MemoryKind, PlaceKind, PlanLevel, RunState);
