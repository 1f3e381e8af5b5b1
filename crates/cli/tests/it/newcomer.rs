//! The first minutes: somebody who has just installed the program, and every slip they may make.

use serde_json::Value;

use crate::common::{Desk, copy, two_neighbours};

#[test]
fn a_first_run_says_what_it_does_and_ends_with_what_happened() {
    let desk = Desk::new();
    let listed = desk.ok(&["towns"]);
    assert!(
        listed.contains("osier_quay") && listed.contains("25 residents"),
        "{listed}"
    );
    let ran = desk.run(&["run", "--ticks", "720"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("Osier Quay: 25 residents, seed 0"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("no language model"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("Mon 3 Jun 05:00  "),
        "a line for each hour:\n{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("Day 1, Mon 3 Jun, from 05:00, until 07:00"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("townsfolk resume osier_quay.run --days 1"),
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.stdout,
        desk.ok(&["inspect", "osier_quay.run"]),
        "the summary is there to be read again"
    );
    assert_eq!(ran.stdout, desk.ok(&["inspect", "osier_quay.run", "summary"]));
}

#[test]
fn a_name_that_is_taken_is_left_alone_and_the_ways_out_are_shown() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "two_neighbours.run", &["--ticks", "5"]);
    let before = std::fs::read(desk.path("two_neighbours.run")).unwrap();
    let town = two_neighbours();
    let error = desk.refused(&["run", town.to_str().unwrap(), "--ticks", "5"]);
    for way in [
        "townsfolk resume two_neighbours.run",
        "townsfolk fork two_neighbours.run --at",
        "--out",
    ] {
        assert!(error.contains(way), "{error}");
    }
    let fork = [
        "fork",
        "two_neighbours.run",
        "--at",
        "3",
        "--out",
        "two_neighbours.run",
    ];
    assert!(desk.refused(&fork).contains("nothing is overwritten"));
    assert_eq!(before, std::fs::read(desk.path("two_neighbours.run")).unwrap());
}

#[test]
fn bad_input_is_refused_with_what_to_do_and_nothing_is_written() {
    let desk = Desk::new();
    copy(&two_neighbours(), &desk.path("town"));
    let resident = desk.path("town/residents/nora.toml");
    let text = std::fs::read_to_string(&resident).unwrap();
    std::fs::write(
        &resident,
        text.replace("home = \"Lindqvist House", "home = \"Lindqvist Hose"),
    )
    .unwrap();
    std::fs::create_dir(desk.path("empty")).unwrap();
    std::fs::write(desk.path("notes.txt"), "not a run").unwrap();
    std::fs::write(desk.path("nothing.run"), "").unwrap();
    let all: &[(&[&str], &[&str])] = &[
        (&["run", "osier_quai"], &["did you mean osier_quay?"]),
        (&["run", "nowhere/at_all"], &["no such town", "osier_quay"]),
        (&["run", "empty"], &["no town.toml", "towns --export"]),
        (
            &["run", "town"],
            &["nora.toml:", "Lindqvist Hose", "did you mean"],
        ),
        (&["check", "town"], &["nora.toml:", "Lindqvist Hose"]),
        (&["run", "notes.txt"], &["not a run file"]),
        (&["resume", "nothing.run"], &["not a run file"]),
        (&["resume", "missing.run"], &["no such run"]),
        (&["inspect", "missing.run"], &["no such run"]),
        (&["run", "--until", "2024-06-03 04:00"], &["2024-06-03 05:00:00"]),
        (&["run", "--until", "tomorrow"], &["\"tomorrow\" is not a time"]),
        (&["run", "--days", "1", "--ticks", "4"], &["cannot be used with"]),
        (&["run", "--days", "0"], &["0 is not in 1"]),
        (&["run", "--budget-tokens", "0"], &["0 is not in 1"]),
        (&["run", "--host", "0.0.0.0", "--token", ""], &["--token"]),
        (
            &["run", "--days", "500000"],
            &["ticks at most; ask for an earlier end"],
        ),
        (
            &["run", "--assets", "."],
            &["--assets is for a base of the 2023 code"],
        ),
        (&["inspect", "a.run", "tile", "4"], &["such as 12,40"]),
        (&["inspect", "a.run", "--at", "soon"], &["\"soon\" is no moment"]),
        (&["fork", "a.run", "--out", "b.run"], &["--at"]),
        (&["towns", "--export", "atlantis", "x"], &["osier_quay"]),
    ];
    for (args, parts) in all {
        let error = desk.refused(args);
        for part in *parts {
            assert!(error.contains(part), "{args:?} should say {part:?}:\n{error}");
        }
    }
    let mut left: Vec<String> = std::fs::read_dir(desk.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["empty", "notes.txt", "nothing.run", "town"]);
}

#[test]
fn an_exported_town_can_be_changed_and_run() {
    let desk = Desk::new();
    assert!(
        desk.ok(&["towns", "--export", "osier_quay", "mine"])
            .contains("townsfolk run ./mine")
    );
    assert!(
        desk.refused(&["towns", "--export", "osier_quay", "mine"])
            .contains("not empty")
    );
    let file = desk.path("mine/town.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("name = \"Osier Quay\"", "name = \"川の町\"")).unwrap();
    assert!(desk.ok(&["check", "./mine"]).contains("川の町: can be run"));
    let found = desk.json(&["check", "./mine", "--json"]);
    assert_eq!(found["residents"].as_array().unwrap().len(), 25);
    desk.ok(&["run", "./mine", "--ticks", "2", "--quiet"]);
    assert!(desk.path("mine.run").is_file());
}

#[test]
fn the_story_may_start_at_another_time() {
    let desk = Desk::new();
    desk.make(
        &two_neighbours(),
        "a.run",
        &["--start", "2031-01-01 17:45", "--until", "2031-01-01 18:00"],
    );
    let shown = desk.json(&["inspect", "a.run", "places", "--json"]);
    assert_eq!(shown["time"], "2031-01-01 17:59:50");
    assert_eq!(shown["tick"], 89);
    assert_eq!(
        desk.json(&["inspect", "a.run", "--json"])["run"]["start"],
        "2031-01-01 17:45:00"
    );
}

#[test]
fn progress_for_programs_is_one_json_object_to_a_line_and_nothing_else() {
    let desk = Desk::new();
    let town = two_neighbours();
    let town = town.to_str().unwrap();
    let lines = |text: &str| -> Vec<Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let events = lines(&desk.ok(&[
        "run",
        town,
        "--json",
        "--until",
        "2024-09-02 10:00",
        "--seed",
        "3",
    ]));
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!((names[0], names[names.len() - 1]), ("started", "finished"));
    assert!(
        names[1..names.len() - 1].iter().all(|name| *name == "progress"),
        "{names:?}"
    );
    assert_eq!(events[0]["seed"], 3);
    assert_eq!(events[0]["mind"], "routine");
    let hours: Vec<&str> = events[1..]
        .iter()
        .map(|event| &event["time"].as_str().unwrap()[11..13])
        .collect();
    assert!(
        hours.windows(2).all(|pair| pair[0] < pair[1]),
        "one report an hour: {hours:?}"
    );
    assert_eq!(events[events.len() - 1]["tick"], 1_260);
    let resumed = lines(&desk.ok(&["resume", "two_neighbours.run", "--ticks", "10", "--json"]));
    assert_eq!(
        (&resumed[0]["how"], &resumed[0]["tick"]),
        (&"resumed".into(), &1_260.into())
    );
    let forked = lines(&desk.ok(&[
        "fork",
        "two_neighbours.run",
        "--at",
        "7",
        "--out",
        "b.run",
        "--json",
    ]));
    assert_eq!(
        (&forked[0]["event"], &forked[0]["tick"]),
        (&"forked".into(), &7.into())
    );
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "a.run", &["--ticks", "400"]);
    let mut command = desk.command(&["inspect", "a.run", "memories", "nora", "--json"]);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn a_path_is_a_path_whatever_its_name() {
    let desk = Desk::new();
    for name in [":memory:", "file:x.run?mode=memory", "%41.run"] {
        desk.ok(&["run", "--ticks", "30", "--quiet", "--out", name]);
        desk.ok(&["resume", name, "--ticks", "30", "--quiet"]);
        assert!(desk.path(name).is_file(), "{name}");
        assert_eq!(desk.digest(name).len(), desk.digest(":memory:").len());
    }
    assert!(!desk.path("A.run").exists());
    std::fs::write(desk.path("notes.txt"), "milk").unwrap();
    let no_run = desk.refused(&["run", "--out", "notes.txt"]);
    assert!(
        no_run.contains("notes.txt is there already and cannot be read as a run"),
        "{no_run}"
    );
    let no_folder = desk.run(&["run", "--out", "notes.txt/a.run"]).stderr;
    assert!(
        no_folder.contains("notes.txt: cannot be written (not a directory)"),
        "{no_folder}"
    );
}
