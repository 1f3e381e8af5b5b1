//! Everything that can go wrong with a run file, each with what to do about it.

use std::path::PathBuf;

use crate::rows::Tick;
use crate::write::FREE_BYTES_NEEDED;

/// Short for this crate's results.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Why a run file could not be made, opened, read or written.
///
/// After any error from [`RunWriter::commit`](crate::RunWriter::commit) the file stands as it was
/// before that call and the writer may be used again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is gone from where it was written.
    #[error("{}: was deleted or moved while it was being written, so nothing more can be saved in it; start the run again", path.display())]
    Gone {
        /// Where it was.
        path: PathBuf,
    },
    /// There is no such file.
    #[error("{}: no such run; check the name, or start a run with it", path.display())]
    Missing {
        /// The path asked for.
        path: PathBuf,
    },
    /// A run was to be created where a file is already.
    #[error("{}: there is a file of this name already; resume it, fork it, or choose another name", path.display())]
    Exists {
        /// The path asked for.
        path: PathBuf,
    },
    /// The file is no SQLite database.
    #[error("{}: not a run file (it is no SQLite database); give the path of a .run file", path.display())]
    NotSqlite {
        /// The file.
        path: PathBuf,
    },
    /// The file is a SQLite database of another program.
    #[error("{}: not a run file (a SQLite database of another program, application id {application_id:#010x}); give the path of a .run file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The application id it carries.
        application_id: i32,
    },
    /// The file was written in a later format.
    #[error("{}: written in run format {wrote}, this program reads up to {reads}; use a newer townsfolk", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The format it is in.
        wrote: i32,
        /// The latest format this program knows.
        reads: i32,
    },
    /// Pages are missing or damaged, or a row holds what no writer writes.
    #[error("{}: damaged ({detail}); restore a copy, or save what can be read with `sqlite3 FILE .recover`", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// Another process, or another part of this one, is writing the run.
    #[error("{}: is being written{}; wait for it to end, stop it, or fork the run", path.display(), by_process(*process))]
    InUse {
        /// The file.
        path: PathBuf,
        /// The writing process, where known.
        process: Option<u32>,
    },
    /// The disk is full.
    #[error("{}: the disk is full; {}. Free some space and try again", path.display(), safe_words(*head))]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// The last tick safely in the file.
        head: Option<Tick>,
    },
    /// The folder cannot be written.
    #[error("{}: cannot be written ({source}); choose a folder you may write to", path.display())]
    NotWritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file lies in a folder that cannot be written while its writer was cut off.
    #[error("{}: its last ticks are still in the -wal file beside it, which cannot be read in a read-only folder; copy both files to a folder you may write to", path.display())]
    NeedsWritableFolder {
        /// The file.
        path: PathBuf,
    },
    /// A tick was committed that is not later than the head.
    #[error("{}: tick {tick} cannot be written after tick {head}; ticks only go forward (truncate first to write them anew)", path.display())]
    OutOfOrder {
        /// The file.
        path: PathBuf,
        /// The tick given.
        tick: Tick,
        /// The file's head.
        head: Tick,
    },
    /// A tick was asked for that the run does not reach.
    #[error("{}: tick {tick} is past the end; the run reaches {}", path.display(), head_words(*head))]
    PastEnd {
        /// The file.
        path: PathBuf,
        /// The tick asked for.
        tick: Tick,
        /// The file's head.
        head: Option<Tick>,
    },
    /// There is nothing to resume or fork from.
    #[error("{}: has no checkpoint at or before tick {tick}; start the run anew", path.display())]
    NoCheckpoint {
        /// The file.
        path: PathBuf,
        /// The tick asked for.
        tick: Tick,
    },
    /// Rows contradict each other or the file.
    #[error("{}: tick {tick}, table {table}: {detail}", path.display())]
    BadRow {
        /// The file.
        path: PathBuf,
        /// The tick being written.
        tick: Tick,
        /// The table.
        table: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// Anything else SQLite reports.
    #[error("{}: {doing}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

fn by_process(process: Option<u32>) -> String {
    process.map(|id| format!(" by process {id}")).unwrap_or_default()
}

fn safe_words(head: Option<Tick>) -> String {
    match head {
        Some(tick) => format!("all ticks up to tick {tick} are safe"),
        None => format!(
            "nothing was changed, for which {} MB must be free",
            FREE_BYTES_NEEDED >> 20
        ),
    }
}

fn head_words(head: Option<Tick>) -> String {
    head.map_or_else(|| "none".to_owned(), |tick| format!("tick {tick}"))
}
