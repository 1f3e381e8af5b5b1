//! Ctrl-C, and kills without warning: what is in the file afterwards, and what comes of going on.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Desk, two_neighbours};

fn signal(process: u32, name: &str) {
    let status = Command::new("/bin/sh")
        .args(["-c", &format!("kill -{name} {process}")])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn ctrl_c_saves_says_how_to_go_on_and_nothing_is_lost() {
    let desk = Desk::new();
    let length = ["--until", "2024-06-03 09:00"];
    desk.ok(&["run", length[0], length[1], "--out", "whole.run", "--quiet"]);
    let mut command = desk.command(&["run", length[0], length[1], "--out", "cut.run", "--json"]);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // It is under way once it has reported the first hour.
    assert!(lines.next().unwrap().unwrap().contains("\"started\""));
    assert!(lines.next().unwrap().unwrap().contains("\"progress\""));
    signal(child.id(), "INT");
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.last().unwrap().contains("\"paused\""), "{rest:?}");
    assert_eq!(
        desk.json(&["inspect", "cut.run", "--json"])["run"]["state"],
        "paused"
    );
    assert!(!desk.path("cut.run-wal").exists(), "one whole file is left");
    // Without a length it goes on to the end that was asked for.
    let ran = desk.run(&["resume", "cut.run"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("resumed"), "{}", ran.stderr);
    assert_eq!(desk.digest("cut.run"), desk.digest("whole.run"));
}

#[test]
fn a_second_ctrl_c_stops_at_once_and_the_file_is_whole() {
    let desk = Desk::new();
    let town = two_neighbours();
    let mut child = desk
        .command(&["run", town.to_str().unwrap(), "--out", "a.run", "--days", "300"])
        .spawn()
        .unwrap();
    wait_for(&desk.path("a.run"));
    signal(child.id(), "INT");
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    desk.ok(&["resume", "a.run", "--ticks", "30", "--quiet"]);
}

/// Kills the run again and again at moments drawn from a seed, until it has been killed so often and
/// has reached its end all the same.
fn kill_often(desk: &Desk, start: &[&str], run: &str, kills_wanted: u32, longest: Duration) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut kills = 0;
    while kills < kills_wanted {
        let resume = ["resume", run, "--quiet"];
        let args = if desk.path(run).exists() { &resume } else { start };
        let mut child = desk
            .command(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let wait = Duration::from_millis(random() % longest.as_millis().max(1) as u64);
        let began = Instant::now();
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if began.elapsed() >= wait => break None,
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        match ended {
            Some(status) => {
                assert!(status.success(), "{args:?}: {status}");
                panic!("the run ended after {kills} kills; let it be killed sooner");
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
                // Killed before its first tick it holds nothing, not even how long it was to be.
                if desk
                    .run(&["inspect", run])
                    .stderr
                    .contains("nothing has happened in it yet")
                {
                    std::fs::remove_file(desk.path(run)).unwrap();
                }
            }
        }
    }
    desk.ok(&["resume", run, "--quiet"]);
}

fn wait_for(file: &Path) {
    let began = Instant::now();
    while !file.exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The big proof: half a day of the bundled town, killed a dozen times, is the half day that nobody
/// touched.
#[test]
fn killed_a_dozen_times_a_run_is_the_same_as_if_it_never_was() {
    let desk = Desk::new();
    let length = ["--until", "2024-06-03 17:00"];
    let began = Instant::now();
    desk.ok(&["run", length[0], length[1], "--out", "whole.run", "--quiet"]);
    let took = began.elapsed();
    let start = ["run", length[0], length[1], "--out", "cut.run", "--quiet"];
    kill_often(&desk, &start, "cut.run", 12, took / 8);
    assert_eq!(desk.digest("cut.run"), desk.digest("whole.run"));
}
