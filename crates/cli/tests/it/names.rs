//! Names in any script go through every command.

use crate::common::{Desk, town_of};

#[test]
fn names_in_any_script_work_everywhere() {
    let desk = Desk::new();
    let names = ["林 秋", "Zoë O'Neill-Ångström"];
    let town = desk.path("川の町 2");
    town_of(names, &town);
    assert!(
        desk.ok(&["check", town.to_str().unwrap()])
            .contains("林 秋 and Zoë O'Neill-Ångström")
    );
    desk.ok(&[
        "run",
        town.to_str().unwrap(),
        "--until",
        "2024-09-02 15:30",
        "--quiet",
    ]);
    let run = "川の町 2.run";
    assert!(desk.path(run).is_file(), "named after the folder");
    for (asked, name) in [
        ("林 秋", names[0]),
        ("秋", names[0]),
        ("ZOË", names[1]),
        ("zoe", names[1]),
        ("o'neill", names[1]),
    ] {
        for view in [
            "schedule",
            "memories",
            "reflections",
            "plan",
            "places",
            "relationships",
            "chats",
        ] {
            let text = desk.ok(&["inspect", run, view, asked]);
            assert!(text.contains(name), "{view} {asked}:\n{text}");
        }
    }
    let summary = desk.ok(&["inspect", run]);
    assert!(
        summary.contains("townsfolk resume '川の町 2.run'"),
        "what is shown can be pasted:\n{summary}"
    );
    let error = desk.refused(&["inspect", run, "plan", "Zoe Oneil"]);
    assert!(error.contains("did you mean Zoë O'Neill-Ångström?"), "{error}");
    let said = desk.ok(&["fork", run, "--at", "100", "--out", "枝.run"]);
    assert!(said.contains("townsfolk resume 枝.run"), "{said}");
    assert_eq!(
        desk.ok(&["inspect", run, "digest", "--at", "100"]),
        desk.ok(&["inspect", "枝.run", "digest"])
    );
}
