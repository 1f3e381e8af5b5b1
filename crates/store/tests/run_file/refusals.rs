//! Files that are no run, no longer a run, or somebody else's just now.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tempfile::tempdir;
use townsfolk_store::*;

use crate::{disk_full::Disk, sample};

/// What both ways of opening say, with the path shortened.
fn refused(path: &Path) -> String {
    let reading = RunReader::open(path).unwrap_err().to_string();
    let writing = RunWriter::open(path).unwrap_err().to_string();
    assert_eq!(reading, writing);
    reading.replace(&path.display().to_string(), "it")
}

#[test]
fn what_is_no_run_is_told_apart() {
    let folder = tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let no_sqlite = "it: not a run file (it is no SQLite database); give the path of a .run file";
    assert_eq!(
        refused(&folder.path().join("nowhere/a.run")),
        "it: no such run; check the name, or start a run with it"
    );
    assert_eq!(refused(folder.path()), no_sqlite);
    assert_eq!(refused(&file("empty.run", b"")), no_sqlite);
    assert_eq!(
        refused(&file("text.run", &b"Dear diary, ".repeat(200))),
        no_sqlite
    );
    assert_eq!(refused(&file("short.run", b"SQLite format 3\0")), no_sqlite);

    let path = folder.path().join("foreign.run");
    let foreign = Connection::open(&path).unwrap();
    foreign
        .execute_batch("PRAGMA application_id = 42; CREATE TABLE move (tick)")
        .unwrap();
    assert_eq!(
        refused(&path),
        "it: not a run file (a SQLite database of another program, application id 0x0000002a); \
         give the path of a .run file"
    );
}

#[test]
fn a_newer_run_asks_for_a_newer_program() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("newer.run");
    sample::written(&path, 3).finish(RunState::Finished).unwrap();
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    assert_eq!(
        refused(&path),
        format!("it: written in run format 99, this program reads up to {FORMAT}; use a newer townsfolk")
    );
}

#[test]
fn a_cut_or_damaged_run_is_found_out() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("whole.run");
    sample::written(&path, 200).finish(RunState::Finished).unwrap();
    let whole = fs::read(&path).unwrap();

    let cut = folder.path().join("cut.run");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(
        refused(&cut),
        "it: damaged (opening: database disk image is malformed); \
         restore a copy, or save what can be read with `sqlite3 FILE .recover`"
    );

    let mut damaged = whole;
    let middle = damaged.len() / 8192 * 4096;
    damaged[middle..middle + 4096].fill(0xab);
    let path = folder.path().join("damaged.run");
    fs::write(&path, damaged).unwrap();
    let found = RunReader::open(&path).unwrap().check().unwrap_err();
    assert!(matches!(found, StoreError::Torn { .. }), "{found}");
    assert!(matches!(RunWriter::open(&path), Err(StoreError::Torn { .. })));
}

#[test]
fn a_checkpoint_that_does_not_unpack_is_found_out() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    sample::written(&path, 10).finish(RunState::Finished).unwrap();
    let db = Connection::open(&path).unwrap();
    db.execute(
        "UPDATE checkpoint SET state = substr(state, 1, 20) WHERE tick = 10",
        [],
    )
    .unwrap();
    let reader = RunReader::open(&path).unwrap();
    let message = reader.last_checkpoint().unwrap_err().to_string();
    assert!(message.contains("damaged (checkpoint of tick 10: "), "{message}");
    assert_eq!(
        reader.checkpoint_before(9).unwrap().unwrap().row,
        sample::state(0)
    );
}

#[test]
fn one_writer_at_a_time() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let writer = sample::written(&path, 3);
    let refused = RunWriter::open(&path).unwrap_err().to_string();
    assert_eq!(
        refused,
        format!(
            "{}: is being written by process {}; wait for it to end, stop it, or fork the run",
            path.display(),
            std::process::id()
        )
    );
    drop(writer);
    RunWriter::open(&path).unwrap();
}

#[test]
fn a_name_that_is_taken_is_left_alone() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    fs::write(&path, "somebody's poem").unwrap();
    let refused = RunWriter::create(&path, &sample::new_run())
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        format!(
            "{}: there is a file of this name already; resume it, fork it, or choose another name",
            path.display()
        )
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's poem");
}

#[test]
fn a_town_that_contradicts_itself_makes_no_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut run = sample::new_run();
    run.places[3].address = run.places[2].address.clone();
    let refused = RunWriter::create(&path, &run).unwrap_err().to_string();
    assert!(
        refused.ends_with("table place: UNIQUE constraint failed: place.address"),
        "{refused}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_found_before_any_work() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let inside_a_file = folder.path().join("file/a.run");
    let refused = RunWriter::create(inside_a_file, &sample::new_run()).unwrap_err();
    assert!(matches!(refused, StoreError::NotWritable { .. }), "{refused}");
}

#[test]
fn a_read_only_disk_is_good_for_reading_and_forking() {
    let Some(disk) = Disk::mount(64) else { return };
    let (path, killed, watched) = (
        disk.path().join("a #1%.run"),
        disk.path().join("killed.run"),
        disk.path().join("watched.run"),
    );
    sample::written(&path, 40).finish(RunState::Finished).unwrap();
    let digest = RunReader::open(&path).unwrap().digest().unwrap();

    // One whose log was never folded in, and one that was left in WAL mode but whole.
    let writer = sample::written(&disk.path().join("live.run"), 40);
    fs::copy(disk.path().join("live.run"), &killed).unwrap();
    fs::copy(
        disk.path().join("live.run-wal"),
        disk.path().join("killed.run-wal"),
    )
    .unwrap();
    drop(writer);
    fs::rename(disk.path().join("live.run"), &watched).unwrap();
    disk.make_read_only();

    let folder = tempdir().unwrap();
    for path in [&path, &watched] {
        assert_eq!(RunReader::open(path).unwrap().digest().unwrap(), digest);
        let child = folder.path().join(path.file_name().unwrap());
        assert_eq!(fork(path, child, 40).unwrap().head(), Some(40));
    }
    let message = RunReader::open(&killed).unwrap_err().to_string();
    assert!(
        message.contains("copy both files to a folder you may write to"),
        "{message}"
    );
    assert!(matches!(
        RunWriter::open(&path),
        Err(StoreError::NotWritable { .. })
    ));
    let new = disk.path().join("new.run");
    assert!(matches!(
        RunWriter::create(new, &sample::new_run()),
        Err(StoreError::NotWritable { .. })
    ));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_deleted_while_it_is_written_takes_no_more() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("gone.run");
    let mut writer = sample::written(&path, 10);
    std::fs::remove_file(&path).unwrap();
    let error = writer.commit(&sample::tick_rows(11)).unwrap_err();
    assert!(matches!(error, StoreError::Gone { .. }), "{error}");
    assert!(error.to_string().contains("gone.run: was deleted"), "{error}");
}
