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
    // An hour takes it a second, so that it is not over before it is stopped.
    let slowly = [
        "run", length[0], length[1], "--out", "cut.run", "--json", "--speed", "3600",
    ];
    let mut child = desk.command(&slowly).spawn().unwrap();
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

/// Starts a run that would take very long and kills it so often, at moments drawn from a seed: while it starts, or a little
/// after it got along.
fn kill_often(desk: &Desk, run: &str, kills: u32) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..kills {
        let args = match desk.path(run).exists() {
            true => &["resume", run, "--json"][..],
            false => &["run", "--days", "300", "--out", run, "--json"],
        };
        let mut child = desk.command(args).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let moment = Duration::from_millis(random(100));
        if random(3) > 0 {
            lines.find(|line| line.as_ref().unwrap().contains("\"progress\""));
        }
        std::thread::sleep(moment);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "{args:?}: it was to be killed");
        // Killed before its first tick it holds nothing, not even how long it was to be.
        let ran = desk.run(&["inspect", run]);
        if ran.stderr.contains("nothing has happened in it yet") {
            std::fs::remove_file(desk.path(run)).unwrap();
        }
    }
}

fn wait_for(file: &Path) {
    let began = Instant::now();
    while !file.exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The big proof: days of the bundled town, killed a dozen times, are the days that nobody touched.
#[test]
fn killed_a_dozen_times_a_run_is_the_same_as_if_it_never_was() {
    let desk = Desk::new();
    kill_often(&desk, "cut.run", 12);
    desk.ok(&["resume", "cut.run", "--ticks", "100", "--quiet"]);
    let last = desk.json(&["inspect", "cut.run", "--json"])["run"]["tick"]
        .as_u64()
        .unwrap();
    let ticks = (last + 1).to_string();
    desk.ok(&["run", "--ticks", &ticks, "--out", "whole.run", "--quiet"]);
    assert_eq!(desk.digest("cut.run"), desk.digest("whole.run"));
}
