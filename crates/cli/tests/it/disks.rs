//! Folders that cannot be written, and disks that are full.
#![cfg(unix)]

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::common::{Desk, two_neighbours};

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_any_work() {
    let desk = Desk::new();
    let folder = desk.path("locked");
    std::fs::create_dir(&folder).unwrap();
    set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(folder.join("probe"), "").is_ok() {
        eprintln!("skipped: this user may write into read-only folders");
        return;
    }
    let town = two_neighbours();
    let ran = desk.run(&[
        "run",
        town.to_str().unwrap(),
        "--ticks",
        "5",
        "--out",
        "locked/a.run",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("choose a folder you may write to"),
        "{}",
        ran.stderr
    );
}

/// What lies where a folder should be is no folder, for any user.
#[test]
fn a_path_through_a_file_is_refused() {
    let desk = Desk::new();
    std::fs::write(desk.path("file"), "").unwrap();
    let town = two_neighbours();
    let ran = desk.run(&[
        "run",
        town.to_str().unwrap(),
        "--ticks",
        "5",
        "--out",
        "file/a.run",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("file: cannot be written"), "{}", ran.stderr);
}

#[test]
fn folders_are_made_where_a_run_is_to_lie() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "runs/of/monday.run", &["--ticks", "5"]);
    assert!(desk.path("runs/of/monday.run").is_file());
}

/// A small disk, taken away again at the end.
struct SmallDisk<'a>(&'a std::path::Path);

impl SmallDisk<'_> {
    fn of(mebibytes: u32, at: &std::path::Path) -> Option<SmallDisk<'_>> {
        std::fs::create_dir_all(at).ok()?;
        let options = format!("size={mebibytes}m");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(at)
            .output()
            .ok()?;
        mounted.status.success().then_some(SmallDisk(at))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_ends_the_run_with_everything_saved_and_room_lets_it_go_on() {
    let desk = Desk::new();
    let at = desk.path("small");
    let Some(_disk) = SmallDisk::of(24, &at) else {
        eprintln!("skipped: no small disk can be mounted here");
        return;
    };
    std::fs::write(at.join("ballast"), vec![0; 14 << 20]).unwrap();
    let town = two_neighbours();
    let length = ["--until", "2024-09-30 06:30"];
    let ran = desk.run(&[
        "run",
        town.to_str().unwrap(),
        length[0],
        length[1],
        "--out",
        "small/a.run",
        "--quiet",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("the disk is full"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("townsfolk resume small/a.run"),
        "{}",
        ran.stderr
    );
    // No room at all: refused before any work.
    let ran = desk.run(&["run", town.to_str().unwrap(), "--out", "small/b.run", "--quiet"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(!desk.path("small/b.run").exists());
    std::fs::remove_file(at.join("ballast")).unwrap();
    desk.ok(&["inspect", "small/a.run"]);
    desk.ok(&["resume", "small/a.run", "--ticks", "100", "--quiet"]);
    let head = desk.json(&["inspect", "small/a.run", "places", "--json"])["tick"]
        .as_u64()
        .unwrap();
    desk.make(&town, "whole.run", &["--ticks", &(head + 1).to_string()]);
    assert_eq!(desk.digest("small/a.run"), desk.digest("whole.run"));
}
