//! `check RUN` and `inspect drift`: what must hold in any run, and who residents say they are.

use crate::common::{Desk, town_of};

#[test]
fn a_run_is_checked_and_a_corrupted_one_is_told_from_it() {
    let desk = Desk::new();
    let town = desk.path("row");
    town_of(["林 秋", "Zoë O'Neill-Ångström"], &town);
    desk.make(&town, "row.run", &["--until", "2024-09-02 20:00"]);

    assert!(desk.ok(&["check", "row.run"]).contains("the run holds"));
    let report = desk.json(&["check", "row.run", "--json"]);
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.len() > 15);
    assert!(checks.iter().all(|check| check["faults"] == 0));
    desk.refused(&["check", "row.run", "--history", "none.csv"]);

    // What a writer never writes: a memory from the future.
    let db = rusqlite::Connection::open(desk.path("row.run")).unwrap();
    db.execute(
        "UPDATE memory SET created = created + 86400 WHERE resident = 0 AND id = 0",
        [],
    )
    .unwrap();
    db.close().unwrap();
    let ran = desk.run(&["check", "row.run"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("does not hold") && ran.stdout.contains("林 秋"),
        "{}",
        ran.stdout
    );
}

#[test]
fn drift_holds_what_residents_say_of_themselves_against_who_they_are() {
    let desk = Desk::new();
    let town = desk.path("row");
    town_of(["林 秋", "Zoë O'Neill-Ångström"], &town);
    desk.make(&town, "row.run", &["--until", "2024-09-03 08:00"]);
    let drift = desk.json(&["inspect", "row.run", "drift", "--json"]);
    let residents = drift["residents"].as_array().unwrap();
    assert_eq!(residents.len(), 2);
    for resident in residents {
        assert_eq!(resident["identity_changes"].as_array().unwrap().len(), 0);
        let said = resident["descriptions"].as_array().unwrap();
        assert_eq!(said.len(), 2, "one a day: {said:?}");
        for description in said {
            assert_eq!(
                description["changed"].as_array().unwrap().len(),
                0,
                "{description}"
            );
            let distance = description["distance"].as_f64().unwrap();
            assert!((0.0..1.0).contains(&distance), "{distance}");
        }
    }
    assert!(desk.ok(&["inspect", "row.run"]).contains("changed facts"));
}
