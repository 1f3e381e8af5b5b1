//! The real bases of the 2023 code, where they are there.

mod common;

use common::{check_sound, shared};
use townsfolk_memory::{MemoryKind, Preset};
use townsfolk_smallville::{Import, Note, apply_history, read_base, read_history};

fn import(path: &str) -> Option<Import> {
    let import = read_base(&shared(path)?, None).unwrap_or_else(|error| panic!("{error}"));
    check_sound(&import);
    eprintln!("{}", import.report);
    Some(import)
}

#[test]
fn the_town_of_25() {
    let Some(import) = import("storage/base_the_ville_n25") else { return };
}
#[test]
fn three() {
    let Some(import) = import("storage/base_the_ville_isabella_maria_klaus") else { return };
}
#[test]
fn comp() {
    let Some(import) = import("compressed_storage/July1_the_ville_isabella_maria_klaus-step-3-20") else { return };
}
