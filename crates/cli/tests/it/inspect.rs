//! Looking into a run: every view, at several moments, as text and as JSON.

use std::fmt::Write as _;

use crate::common::{Desk, two_neighbours};

const VIEWS: &[&[&str]] = &[
    &["summary"],
    &["schedule", "nora"],
    &["memories", "nora"],
    &[
        "memories",
        "théo",
        "--kind",
        "observation",
        "--find",
        "APPLE",
        "--newest",
        "2",
    ],
    &["chats"],
    &["chats", "nora"],
    &["reflections", "nora"],
    &["plan", "théo"],
    &["places"],
    &["places", "nora"],
    &["relationships"],
    &["relationships", "nora"],
    &["tile", "3,3"],
    &["tasks"],
    &["news"],
    &["news", "apple"],
    &["digest"],
];

fn with<'a>(view: &'a [&'a str], more: &[&'a str]) -> Vec<&'a str> {
    ["inspect", "a.run"]
        .iter()
        .chain(view)
        .chain(more)
        .copied()
        .collect()
}

/// Field case: a run of 40 ticks from 06:15, opened at 0, 25, 39, 40 and -1.
#[test]
fn any_moment_of_the_run_can_be_seen_and_no_other() {
    let desk = Desk::new();
    desk.make(
        &two_neighbours(),
        "a.run",
        &["--start", "2024-09-02 06:15", "--ticks", "40"],
    );
    for view in VIEWS {
        for (at, tick, time) in [
            ("0", 0, "06:15:00"),
            ("25", 25, "06:19:10"),
            ("2024-09-02 06:19:10", 25, "06:19:10"),
            ("day 1 06:19", 24, "06:19:00"),
            ("39", 39, "06:21:30"),
        ] {
            assert!(!desk.ok(&with(view, &["--at", at])).is_empty());
            let shown = desk.json(&with(view, &["--at", at, "--json"]));
            assert_eq!(shown["tick"], tick, "{view:?} at {at}");
            assert_eq!(shown["time"], format!("2024-09-02 {time}"), "{view:?} at {at}");
        }
        for (at, side) in [
            ("40", "past the end of"),
            ("-1", "before"),
            ("day 1 05:00", "before"),
            ("day 9 05:00", "past"),
        ] {
            let error = desk.refused(&with(view, &["--at", at]));
            assert!(error.contains(side), "{error}");
            assert!(
                error.contains("tick 0 (2024-09-02 06:15:00) to tick 39 (2024-09-02 06:21:30)"),
                "{error}"
            );
        }
    }
    assert_eq!(
        desk.json(&with(&["places"], &["--json"]))["tick"],
        39,
        "without a moment it is the last"
    );
    let error = desk.refused(&with(&["tile", "900,900"], &[]));
    assert!(error.contains("outside the map"), "{error}");
}

#[test]
fn positions_are_those_of_the_moment_asked_for_not_the_last() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "a.run", &["--until", "2024-09-02 15:10"]);
    let tiles = |at: &str| {
        let shown = desk.json(&with(&["places"], &["--at", at, "--json"]));
        let residents = shown["residents"].as_array().unwrap().iter();
        residents
            .map(|resident| resident["tile"].to_string())
            .collect::<Vec<_>>()
    };
    assert_ne!(tiles("0"), tiles("2024-09-02 15:09:50"), "somebody has moved");
    let once = tiles("1000");
    desk.ok(&["resume", "a.run", "--ticks", "500", "--quiet"]);
    assert_eq!(once, tiles("1000"), "the past stays as it was");
}

/// The day of two neighbours, as people read it.
#[test]
fn a_day_as_it_reads() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "a.run", &["--days", "1"]);
    let mut read = String::new();
    for view in VIEWS
        .iter()
        .filter(|view| !["digest", "tasks"].contains(&view[0]))
    {
        let text = desk.ok(&with(view, &["--at", "day 1 17:00"]));
        assert!(!text.contains('\u{1b}'), "colours without a terminal");
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{view:?} is wider than 80 columns");
        // What is read is the beginning; long lists go on in the same way.
        let start: Vec<&str> = text.lines().take(24).collect();
        writeln!(read, "──── {}\n{}\n", view.join(" "), start.join("\n")).unwrap();
        assert!(
            text.lines().all(|line| line == line.trim_end()),
            "{view:?} has spaces at the ends of lines"
        );
    }
    assert!(read.contains("Nora Lindqvist"), "{read}");
    let schedule = desk.json(&with(&["schedule", "nora"], &["--at", "day 1 12:00", "--json"]));
    let minutes: u64 = schedule["hours"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hour| hour["minutes"].as_u64().unwrap())
        .sum();
    assert_eq!(minutes, 1_440, "a day's plan is whole");
    let memories = desk.json(&with(&["memories", "nora"], &["--json"]));
    let count = memories["memories"].as_array().unwrap().len();
    let newest = desk.json(&with(&["memories", "nora", "--newest", "3"], &["--json"]));
    assert_eq!(
        newest["memories"].as_array().unwrap(),
        &memories["memories"].as_array().unwrap()[count - 3..]
    );
    let found = desk.json(&with(&["memories", "nora", "--find", "VIOLIN"], &["--json"]));
    let found = found["memories"].as_array().unwrap();
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|memory| memory["text"].as_str().unwrap().to_lowercase().contains("violin"))
    );
}

#[test]
fn news_is_followed_back_to_whoever_knew_it_first() {
    let desk = Desk::new();
    desk.ok(&["run", "--until", "2024-06-03 13:30", "--out", "a.run", "--quiet"]);
    let news = desk.json(&with(&["news"], &["--json"]));
    let chats = desk.json(&with(&["chats"], &["--json"]));
    let chats = chats["conversations"].as_array().unwrap();
    let mut told = 0;
    for news in news["news"].as_array().unwrap() {
        assert!(news["known_by"].as_u64().unwrap() >= 2, "{news}");
        for first in news["first_holders"].as_array().unwrap() {
            for heard in first["told"].as_array().unwrap() {
                told += 1;
                // Each was told in a conversation between the two, by a line that names the memory.
                let id = heard["conversation"].as_u64().unwrap();
                let chat = chats.iter().find(|chat| chat["id"] == id).unwrap();
                let between = chat["between"].as_array().unwrap();
                assert!(between.contains(&first["resident"]) && between.contains(&heard["resident"]));
                let says = |line: &serde_json::Value| {
                    line["speaker"] == first["resident"]
                        && line["tells"].as_array().unwrap().contains(&first["memory"])
                };
                assert!(
                    chat["lines"].as_array().unwrap().iter().any(says),
                    "no line tells it: {chat}"
                );
            }
        }
    }
    assert!(told > 0, "people who meet tell each other something");
}
