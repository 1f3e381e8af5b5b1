//! A folder to work in, and the program started in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// An empty folder in which commands are typed; nothing of the user's environment reaches them.
pub(crate) struct Desk {
    folder: TempDir,
}

/// What a command did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command ready to be started, with nothing to read and no terminal.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_townsfolk"));
        command.args(args).current_dir(self.folder.path());
        command
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Types a command and waits for it.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let output = self.command(args).output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Types a command that must do well; what it printed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}\n{}\n{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    /// Types a command that must be refused as bad input; the message.
    pub(crate) fn refused(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 2, "{args:?}\n{}\n{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(
            !ran.stderr.contains("panicked") && !ran.stderr.contains("backtrace"),
            "{}",
            ran.stderr
        );
        ran.stderr
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap_or_else(|error| panic!("{args:?}: {error}"))
    }

    pub(crate) fn digest(&self, run: &str) -> String {
        self.ok(&["inspect", run, "digest"]).trim().to_owned()
    }

    /// Runs a town into a file, quietly.
    pub(crate) fn make(&self, town: &Path, run: &str, more: &[&str]) {
        let mut args = vec!["run", town.to_str().unwrap(), "--out", run, "--quiet"];
        args.extend(more);
        assert_eq!(self.ok(&args), "");
    }
}

/// A town of two, which runs fast.
pub(crate) fn two_neighbours() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two_neighbours")
}

/// The same houses with other people in them.
pub(crate) fn town_of(names: [&str; 2], folder: &Path) {
    copy(&two_neighbours(), folder);
    for (file, old, old_first, new) in [
        ("nora.toml", "Nora Lindqvist", "Nora", names[0]),
        ("théo.toml", "Théo Baptiste", "Théo", names[1]),
    ] {
        for other in ["nora.toml", "théo.toml"] {
            let path = folder.join("residents").join(other);
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replace(old, new)).unwrap();
        }
        let path = folder.join("residents").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let first = new.split(' ').next().unwrap();
        let line = |name: &str| format!("first_name = \"{name}\"");
        std::fs::write(&path, text.replace(&line(old_first), &line(first))).unwrap();
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
