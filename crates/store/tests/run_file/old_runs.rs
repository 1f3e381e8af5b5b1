//! Runs of every format ever written still open, and mean what they meant.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

fn kept(format: i32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/runs/format-{format}.run"))
}

/// Makes the file for a new format, once: `cargo test -p townsfolk-store keep_a_run -- --ignored`.
#[test]
#[ignore = "writes the file that the test below keeps for ever"]
fn keep_a_run() {
    assert!(!kept(FORMAT).exists(), "a kept run is never written again");
    sample::written(&kept(FORMAT), 40)
        .finish(RunState::Finished)
        .unwrap();
}

#[test]
fn every_old_run_opens_and_goes_on() {
    let folder = tempdir().unwrap();
    let today = sample::written(&folder.path().join("today.run"), 60);
    for format in 1..=FORMAT {
        let reader = RunReader::open(kept(format)).unwrap();
        reader.check().unwrap();
        let expected = today.read().digest_at(40).unwrap();
        assert_eq!(
            reader.digest().unwrap(),
            expected,
            "format {format} reads differently"
        );

        let copy = folder.path().join(format!("format-{format}.run"));
        fs::copy(kept(format), &copy).unwrap();
        let mut writer = RunWriter::open(&copy).unwrap();
        sample::continue_to(&mut writer, 60);
        assert_eq!(writer.read().digest().unwrap(), today.read().digest().unwrap());
    }
}
