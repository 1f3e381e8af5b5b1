//! The same town and seed give the same run, however it is computed.

use crate::common::{Desk, two_neighbours};

#[test]
fn a_seed_reproduces_and_another_seed_differs() {
    let desk = Desk::new();
    for (run, seed) in [("a.run", "7"), ("b.run", "7"), ("c.run", "8")] {
        desk.make(
            &two_neighbours(),
            run,
            &["--until", "2024-09-02 12:00", "--seed", seed],
        );
    }
    assert_eq!(desk.digest("a.run"), desk.digest("b.run"));
    assert_ne!(desk.digest("a.run"), desk.digest("c.run"));
}

#[test]
fn one_worker_or_four_the_same_comes_out() {
    let desk = Desk::new();
    for (run, workers) in [("one.run", "1"), ("four.run", "4")] {
        desk.ok(&[
            "run",
            "--until",
            "2024-06-03 08:00",
            "--out",
            run,
            "--quiet",
            "--workers",
            workers,
        ]);
    }
    assert_eq!(desk.digest("one.run"), desk.digest("four.run"));
}

#[test]
fn going_on_later_is_the_same_as_going_on_at_once() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "whole.run", &["--until", "2024-09-02 12:00"]);
    desk.make(&two_neighbours(), "parts.run", &["--until", "2024-09-02 07:10"]);
    // A run that is named where a town could be goes on too.
    desk.ok(&["run", "parts.run", "--ticks", "1", "--quiet"]);
    desk.ok(&["resume", "parts.run", "--until", "2024-09-02 12:00", "--quiet"]);
    assert_eq!(desk.digest("whole.run"), desk.digest("parts.run"));
    let error = desk.refused(&["resume", "parts.run"]);
    assert!(
        error.contains("has reached its end") && error.contains("--days 1"),
        "{error}"
    );
    let error = desk.refused(&["resume", "parts.run", "--until", "2024-09-02 09:00"]);
    assert!(error.contains("fork it at an earlier moment"), "{error}");
    let error = desk.refused(&["run", "parts.run", "--seed", "4"]);
    assert!(error.contains("--seed cannot be used"), "{error}");
}

#[test]
fn a_fork_shares_the_past_and_leaves_the_parent_as_it_was() {
    let desk = Desk::new();
    desk.make(&two_neighbours(), "parent.run", &["--until", "2024-09-02 11:00"]);
    let before = std::fs::read(desk.path("parent.run")).unwrap();
    let at = |run: &str, at: &str| desk.ok(&["inspect", run, "digest", "--at", at]);
    let said = desk.ok(&[
        "fork",
        "parent.run",
        "--at",
        "day 1 09:00",
        "--out",
        "new/child.run",
    ]);
    assert!(said.contains("townsfolk resume new/child.run --days 1"), "{said}");
    assert_eq!(
        desk.json(&["inspect", "new/child.run", "places", "--json"])["tick"],
        900
    );
    assert_eq!(at("parent.run", "900"), at("new/child.run", "900"));
    // Nothing was changed, so the child goes the parent's way.
    desk.ok(&[
        "resume",
        "new/child.run",
        "--until",
        "2024-09-02 11:00",
        "--quiet",
    ]);
    assert_eq!(desk.digest("parent.run"), desk.digest("new/child.run"));
    let fork = [
        "fork",
        "parent.run",
        "--at",
        "2024-09-02 10:00",
        "--out",
        "b.run",
        "--ticks",
        "30",
        "--quiet",
    ];
    desk.ok(&fork);
    assert_eq!(
        desk.json(&["inspect", "b.run", "places", "--json"])["tick"],
        1_290
    );
    assert_eq!(
        before,
        std::fs::read(desk.path("parent.run")).unwrap(),
        "the parent was changed"
    );
    assert!(
        desk.refused(&["fork", "parent.run", "--at", "99999", "--out", "c.run"])
            .contains("past the end")
    );
    assert!(!desk.path("c.run").exists());
}
