//! A disk that fills up stops the run where it stands, and no more than that.

use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};
use townsfolk_store::*;

use crate::sample;

/// A small disk of its own, in memory; unmounted on drop.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// Mounts one, where the system lets us.
    pub(crate) fn mount(megabytes: u32) -> Option<Self> {
        let folder = tempdir().unwrap();
        let mounted = run(
            "mount",
            &["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"],
            folder.path(),
        );
        if !mounted {
            eprintln!("skipped: no right to mount a small disk here");
            return None;
        }
        Some(Self(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn resize(&self, megabytes: u32) {
        assert!(run(
            "mount",
            &["-o", &format!("remount,size={megabytes}m")],
            self.path()
        ));
    }

    pub(crate) fn make_read_only(&self) {
        assert!(run("mount", &["-o", "remount,ro"], self.path()));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run("umount", &[], self.path());
    }
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> bool {
    Command::new(program)
        .args(arguments)
        .arg(folder)
        .output()
        .is_ok_and(|output| output.status.success())
}

#[test]
fn too_little_space_is_found_before_any_work() {
    let Some(disk) = Disk::mount(4) else { return };
    let path = disk.path().join("a.run");
    let refused = RunWriter::create(&path, &sample::new_run())
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        format!(
            "{}: the disk is full; nothing was changed, for which 8 MB must be free. Free some space and try again",
            path.display()
        )
    );
    assert_eq!(
        std::fs::read_dir(disk.path()).unwrap().count(),
        0,
        "something was left behind"
    );
}

#[test]
fn a_disk_that_fills_up_loses_nothing_committed() {
    let Some(disk) = Disk::mount(10) else { return };
    let path = disk.path().join("a.run");
    let mut writer = RunWriter::create(&path, &sample::new_run()).unwrap();
    let error = (0..1_000_000)
        .find_map(|tick| {
            sample::try_commit(&mut writer, sample::tick_rows(tick))
                .err()
                .or_else(|| writer.checkpoint(tick, &sample::state(tick)).err())
        })
        .unwrap();
    let head = writer.head().unwrap();
    assert!(
        matches!(error, StoreError::DiskFull { head: Some(safe), .. } if safe == head),
        "{error}"
    );

    let folder = tempdir().unwrap();
    let straight = sample::written(&folder.path().join("straight.run"), head);
    let expected = straight.read().digest().unwrap();
    assert_eq!(writer.read().digest().unwrap(), expected, "the writer reads on");
    assert_eq!(
        RunReader::open(&path).unwrap().digest().unwrap(),
        expected,
        "others read on"
    );
    assert!(sample::try_commit(&mut writer, sample::tick_rows(head + 1)).is_err());

    disk.resize(40);
    sample::continue_to(&mut writer, head + 20);
    writer.finish(RunState::Finished).unwrap();
    let reader = RunReader::open(&path).unwrap();
    reader.check().unwrap();
    assert_eq!(reader.digest_at(head).unwrap(), expected);
    assert_eq!(reader.head().unwrap(), Some(head + 20));
}

#[test]
fn a_writer_that_gives_up_on_a_full_disk_can_be_resumed() {
    let Some(disk) = Disk::mount(10) else { return };
    let path = disk.path().join("a.run");
    let mut writer = RunWriter::create(&path, &sample::new_run()).unwrap();
    (0..1_000_000)
        .find_map(|tick| sample::try_commit(&mut writer, sample::tick_rows(tick)).err())
        .unwrap();
    let head = writer.head().unwrap();
    drop(writer);
    disk.resize(40);
    let mut writer = RunWriter::open(&path).unwrap();
    assert_eq!(writer.head(), Some(head));
    sample::continue_to(&mut writer, head + 1);
}
