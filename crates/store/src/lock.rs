//! One writer at a time.
//!
//! A writer holds an operating-system lock on `NAME.run-lock` for as long as it lives; the system
//! lets go of it when the process dies, however it dies. The run file itself cannot carry the
//! lock: closing any second handle on it would drop the locks SQLite holds there (POSIX).

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};

/// The right to write one run file; given back on drop.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
    path: PathBuf,
}

impl WriterLock {
    /// Takes the lock for the run at `run`, whose folder must exist.
    pub(crate) fn acquire(run: &Path) -> Result<Self> {
        let path = beside(&real(run), "-lock");
        let not_writable = |source| StoreError::NotWritable {
            path: run.to_owned(),
            source,
        };
        if names_of(run) > 1 {
            let reason = "the file has other names (hard links), and a writer that comes by one of them \
                          would not be noticed; make a copy of it";
            return Err(not_writable(std::io::Error::other(reason)));
        }
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(not_writable)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let process = fs::read_to_string(&path).ok().and_then(|id| id.parse().ok());
                    return Err(StoreError::InUse {
                        path: run.to_owned(),
                        process,
                    });
                }
                Err(TryLockError::Error(source)) => return Err(not_writable(source)),
            }
            // The writer before us may have deleted the file between our opening and locking it.
            if is_still_at(&file, &path) {
                let lock = Self { file, path };
                lock.sign().map_err(not_writable)?;
                return Ok(lock);
            }
        }
    }

    /// Whether somebody holds the lock for the run at `run`. Leaves it as it is.
    pub(crate) fn is_held(run: &Path) -> bool {
        let file = File::open(beside(&real(run), "-lock"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Leaves our process id, for the message others get.
    fn sign(&self) -> std::io::Result<()> {
        self.file.set_len(0)?;
        (&self.file).write_all(std::process::id().to_string().as_bytes())
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // While we hold the lock nobody else can; where deleting an open file is not possible,
        // an empty lock file stays and does no harm.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The run file behind whatever links lead to it, so that all who mean it mean the same lock.
fn real(run: &Path) -> PathBuf {
    let in_folder = || Some(fs::canonicalize(run.parent()?).ok()?.join(run.file_name()?));
    fs::canonicalize(run)
        .ok()
        .or_else(in_folder)
        .unwrap_or_else(|| run.to_owned())
}

/// How many names (hard links) the file has.
#[cfg(unix)]
fn names_of(run: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(run).map_or(0, |file| file.nlink())
}

#[cfg(not(unix))]
fn names_of(_: &Path) -> u64 {
    1
}

/// The path of a file that accompanies the run: `NAME.run` and `-lock` give `NAME.run-lock`.
pub(crate) fn beside(run: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(run);
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_was_first() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("日本.run");
        assert!(!WriterLock::is_held(&run));
        let first = WriterLock::acquire(&run).unwrap();
        assert!(WriterLock::is_held(&run));
        let refused = WriterLock::acquire(&run).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "{}: is being written by process {}; wait for it to end, stop it, or fork the run",
                run.display(),
                std::process::id()
            )
        );
        drop(first);
        assert!(!beside(&run, "-lock").exists());
        // What is left of one that was killed holds nothing, and whoever looks takes nothing.
        fs::write(beside(&run, "-lock"), "1").unwrap();
        assert!(!WriterLock::is_held(&run));
        WriterLock::acquire(&run).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_to_a_run_lead_to_the_same_lock() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("a.run");
        fs::write(&run, "").unwrap();
        let link = folder.path().join("link.run");
        std::os::unix::fs::symlink(&run, &link).unwrap();
        let first = WriterLock::acquire(&run).unwrap();
        assert!(matches!(
            WriterLock::acquire(&link),
            Err(StoreError::InUse { .. })
        ));
        drop(first);
        fs::hard_link(&run, folder.path().join("hard.run")).unwrap();
        assert!(
            WriterLock::acquire(&run)
                .unwrap_err()
                .to_string()
                .contains("hard links")
        );
    }

    #[test]
    fn many_contenders_one_holder() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("a.run");
        let inside = std::sync::atomic::AtomicU32::new(0);
        let entered = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        if let Ok(_lock) = WriterLock::acquire(&run) {
                            use std::sync::atomic::Ordering::SeqCst;
                            assert_eq!(inside.fetch_add(1, SeqCst), 0, "two hold the lock");
                            entered.fetch_add(1, SeqCst);
                            inside.fetch_sub(1, SeqCst);
                        }
                    }
                });
            }
        });
        assert!(entered.into_inner() > 0);
    }
}
