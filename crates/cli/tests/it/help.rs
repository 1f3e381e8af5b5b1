//! The help of every command, as people read it, and the page that goes with it.

use crate::common::Desk;

const COMMANDS: &[&[&str]] = &[
    &[],
    &["run"],
    &["resume"],
    &["fork"],
    &["inspect"],
    &["inspect", "RUN", "memories"],
    &["inspect", "RUN", "chats"],
    &["inspect", "RUN", "tile"],
    &["inspect", "RUN", "news"],
    &["interview"],
    &["whisper"],
    &["say"],
    &["object"],
    &["object", "set"],
    &["resident"],
    &["resident", "add"],
    &["resident", "move"],
    &["history"],
    &["towns"],
    &["check"],
    &["models", "check"],
];

#[test]
fn the_help_of_every_command() {
    let desk = Desk::new();
    let mut all = desk.ok(&["-h"]);
    for command in COMMANDS {
        let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        all.push_str(&format!(
            "\n──── townsfolk {}\n\n{}",
            args.join(" "),
            desk.ok(&args)
        ));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_command_but_the_views_of_one_thing_shows_examples() {
    let desk = Desk::new();
    for command in COMMANDS.iter().filter(|command| command.len() < 2) {
        let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        assert!(desk.ok(&args).contains("Examples:\n  townsfolk"), "{args:?}");
    }
}

#[test]
fn the_page_names_every_flag_view_and_exit_code_there_is() {
    let desk = Desk::new();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");
    let page = std::fs::read_to_string(page).unwrap();
    for command in COMMANDS {
        let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let help = desk.ok(&args);
        let flags = help
            .split(|c: char| !(c.is_alphanumeric() || c == '-'))
            .filter(|word| word.starts_with("--"));
        for flag in flags.filter(|flag| !["--", "--help", "--version"].contains(flag)) {
            assert!(
                page.contains(&format!("`{flag}")),
                "docs/command-line.md does not speak of {flag}"
            );
        }
    }
    let help = desk.ok(&["inspect", "--help"]);
    let views = help
        .split("What to look at:")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let views = views.lines().filter_map(|line| line.split_whitespace().next());
    let views: Vec<&str> = views.collect();
    assert!(views.len() >= 12, "{views:?}");
    for view in views {
        assert!(
            page.contains(&format!("`{view}")),
            "docs/command-line.md does not speak of {view}"
        );
    }
    for code in ["| 0 |", "| 1 |", "| 2 |", "| 130 |"] {
        assert!(
            page.contains(code),
            "docs/command-line.md does not speak of {code}"
        );
    }
}
