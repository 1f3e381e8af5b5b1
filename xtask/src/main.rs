//! The commands a contributor needs, in one place: `cargo xtask` lists them.

use std::process::{Command, ExitCode};

/// A command: its name, what it is for, and the command lines it runs, in order.
struct Recipe {
    name: &'static str,
    purpose: &'static str,
    lines: &'static [&'static str],
}

/// Everything `cargo xtask` can do; `.ci/run` runs `ci`.
const RECIPES: &[Recipe] = &[
    Recipe {
        name: "demo",
        purpose: "two days of the bundled town",
        lines: &["cargo run --release"],
    },
    Recipe {
        name: "test",
        purpose: "every test",
        lines: &["cargo test --workspace"],
    },
    Recipe {
        name: "fmt",
        purpose: "format the code",
        lines: &["cargo fmt --all"],
    },
    Recipe {
        name: "lint",
        purpose: "format check and clippy, warnings as errors",
        lines: &[
            "cargo fmt --all --check",
            "cargo clippy --workspace --all-targets -- -D warnings",
        ],
    },
    Recipe {
        name: "docs",
        purpose: "the API's documentation, warnings as errors",
        lines: &["cargo doc --workspace --no-deps"],
    },
    Recipe {
        name: "tidy",
        purpose: "checks on the repository itself",
        lines: &["cargo test --package xtask"],
    },
    Recipe {
        name: "bench",
        purpose: "all benchmarks (docs/performance.md)",
        lines: &["cargo bench --workspace"],
    },
    Recipe {
        name: "embedder",
        purpose: "how well the built-in embedder does",
        lines: &["cargo run --release --package townsfolk-embed --example quality"],
    },
    Recipe {
        name: "map",
        purpose: "draw the bundled town's map anew from its plan",
        lines: &["cargo run --package townsfolk-town --example draw_map"],
    },
    Recipe {
        name: "chatter",
        purpose: "talks of the routine mind, to read by eye",
        lines: &["cargo run --release --package townsfolk-mind --example chatter"],
    },
    Recipe {
        name: "ci",
        purpose: "what CI runs: lint, docs, test",
        lines: &["cargo xtask lint", "cargo xtask docs", "cargo xtask test"],
    },
];

#[expect(clippy::print_stdout, reason = "this is a program for a terminal")]
fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    let Some(recipe) = RECIPES.iter().find(|recipe| Some(recipe.name) == name.as_deref()) else {
        println!("cargo xtask COMMAND\n");
        for recipe in RECIPES {
            println!("  {:<10} {}", recipe.name, recipe.purpose);
        }
        return if name.is_none() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(2)
        };
    };
    for line in recipe.lines {
        println!("$ {line}");
        let mut words = line.split(' ');
        let Some(program) = words.next() else { continue };
        let status = Command::new(program)
            .args(words)
            .env("RUSTDOCFLAGS", "-D warnings")
            .status();
        if !status.is_ok_and(|status| status.success()) {
            println!("failed: {line}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
