//! Checks on the repository itself: what its pages say is so, and nothing was left lying about.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files git knows, with these endings; paths from the root.
fn tracked(endings: &[&str]) -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let listed = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    listed
        .lines()
        .filter(|path| endings.iter().any(|e| path.ends_with(e)))
        .map(str::to_owned)
        .collect()
}

/// Whatever stands between backticks in a page.
fn code_spans(page: &str) -> Vec<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_path_that_a_page_names_exists() {
    let mut missing = Vec::new();
    for page in tracked(&[".md"]) {
        let text = read(&page);
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        let folder = Path::new(&page).parent().unwrap_or(Path::new("")).to_owned();
        let links = links
            .filter(|link| !link.is_empty() && !link.contains("://"))
            .map(|link| folder.join(link));
        let roots = ["crates/", "docs/", "xtask/", "examples/", "tools/", ".ci/"];
        let spans = code_spans(&text)
            .into_iter()
            .filter(|span| roots.iter().any(|r| span.starts_with(r)));
        let spans = spans
            .filter(|span| !span.contains([' ', '*', '{', '…', '\n']))
            .map(|span| span.split("::").next().unwrap_or(span))
            .map(PathBuf::from);
        for path in links.chain(spans) {
            if !root().join(&path).exists() {
                missing.push(format!("{page}: {}", path.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "pages name paths that do not exist:\n{}",
        missing.join("\n")
    );
}

#[test]
fn every_test_that_a_page_names_exists() {
    let mut named = 0;
    let mut missing = Vec::new();
    for page in tracked(&[".md"]) {
        for span in code_spans(&read(&page)) {
            let Some((file, name)) = span.split_once(".rs::") else {
                continue;
            };
            named += 1;
            let text = fs::read_to_string(root().join(format!("{file}.rs"))).unwrap_or_default();
            if !text.contains(&format!("fn {name}(")) {
                missing.push(format!("{page}: {span}"));
            }
        }
    }
    assert!(named > 30, "docs/fidelity.md names tests: {named}");
    assert!(
        missing.is_empty(),
        "pages name tests that do not exist:\n{}",
        missing.join("\n")
    );
}

/// Whether a folder is a crate of the workspace, and not a target for fuzzing within one.
fn is_crate(folder: &str) -> bool {
    folder
        .strip_prefix("crates/")
        .is_some_and(|name| !name.contains('/'))
}

#[test]
fn the_architecture_page_speaks_of_every_crate() {
    let page = read("ARCHITECTURE.md");
    for manifest in tracked(&["Cargo.toml"]) {
        if let Some(folder) = manifest
            .strip_suffix("/Cargo.toml")
            .filter(|folder| is_crate(folder))
        {
            assert!(
                page.contains(&format!("`{folder}`")),
                "ARCHITECTURE.md says nothing of {folder}"
            );
        }
    }
}

#[test]
fn the_commands_of_the_readme_are_the_ones_that_ci_runs() {
    let (readme, ci, xtask) = (read("README.md"), read(".ci/run"), read("xtask/src/main.rs"));
    assert!(
        readme.contains("\ncargo test --workspace\n"),
        "README.md tells how to run the tests"
    );
    assert!(
        ci.contains("\ncargo test --workspace\n"),
        ".ci/run runs the same command"
    );
    assert!(
        readme.contains("\ncargo run --release\n"),
        "README.md tells how to see it work"
    );
    assert!(xtask.contains("\"cargo run --release\"") && xtask.contains("\"cargo test --workspace\""));
}

#[test]
fn nothing_was_left_lying_about() {
    // Split, so that this file does not find itself.
    let leftovers = [
        concat!("dbg", "!("),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
        concat!("XX", "X"),
        concat!("#[", "ignore]"),
    ];
    let mut found = Vec::new();
    for path in tracked(&[".rs", ".py", ".toml", ".sh", ".jinja"]) {
        for (number, line) in read(&path).lines().enumerate() {
            if let Some(leftover) = leftovers.iter().find(|leftover| line.contains(**leftover)) {
                found.push(format!("{path}:{}: {leftover}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "left lying about:\n{}", found.join("\n"));
}

#[test]
fn every_command_listed_by_xtask_runs_something_that_exists() {
    let xtask = read("xtask/src/main.rs");
    for example in ["quality", "draw_map", "chatter"] {
        assert!(xtask.contains(&format!("--example {example}")));
        let ways = [
            format!("examples/{example}.rs"),
            format!("examples/{example}/main.rs"),
        ];
        let there = tracked(&[".rs"])
            .iter()
            .any(|path| ways.iter().any(|way| path.ends_with(way.as_str())));
        assert!(there, "there is no example {example}");
    }
}

#[test]
fn crates_use_only_what_the_architecture_allows() {
    // A crate may use those listed after it, and nothing else of ours.
    let allowed: &[(&str, &[&str])] = &[
        ("time", &[]),
        ("world", &[]),
        ("model", &[]),
        ("store", &[]),
        ("local", &["model"]),
        ("memory", &["time"]),
        ("embed", &["memory"]),
        ("mind", &["memory", "model", "time", "world"]),
        ("town", &["memory", "mind", "time", "world"]),
        ("record", &["memory", "mind", "model", "store", "time"]),
        ("smallville", &["memory", "mind", "time", "town", "world"]),
        (
            "engine",
            &[
                "memory", "mind", "model", "record", "store", "time", "town", "world",
            ],
        ),
        ("audit", &["mind", "store", "time"]),
        (
            "agent",
            &["memory", "mind", "model", "record", "store", "time", "world"],
        ),
        (
            "server",
            &[
                "engine", "memory", "mind", "model", "store", "time", "town", "world",
            ],
        ),
        (
            "cli",
            &[
                "audit",
                "embed",
                "engine",
                "local",
                "memory",
                "mind",
                "model",
                "server",
                "smallville",
                "store",
                "time",
                "town",
                "world",
            ],
        ),
    ];
    let crates = tracked(&["Cargo.toml"]);
    let crates = crates
        .iter()
        .filter_map(|manifest| manifest.strip_suffix("/Cargo.toml"));
    for folder in crates.filter(|folder| is_crate(folder)) {
        let listed = allowed
            .iter()
            .any(|(name, _)| folder.ends_with(&format!("/{name}")));
        assert!(listed, "nothing is said here of {folder}");
    }
    for (name, uses) in allowed {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for line in dependencies.lines() {
            let Some(used) = line
                .strip_prefix("townsfolk-")
                .and_then(|rest| rest.split(['.', ' ']).next())
            else {
                continue;
            };
            assert!(
                uses.contains(&used),
                "{name} uses {used}, which ARCHITECTURE.md does not allow"
            );
        }
    }
    for manifest in tracked(&["Cargo.toml"]) {
        if let Some(name) = manifest
            .strip_suffix("/Cargo.toml")
            .filter(|folder| is_crate(folder))
            .and_then(|folder| folder.strip_prefix("crates/"))
        {
            assert!(
                allowed.iter().any(|(known, _)| *known == name),
                "{name} is not in the list above"
            );
        }
    }
}
