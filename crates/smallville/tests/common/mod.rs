//! What the tests share: the optional real data, copies that can be broken, and a small base.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) mod small;

/// A path in the real data, or `None` (said aloud) where it is not there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("TOWNSFOLK_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let full = shared.join("smallville").join(path);
    if !full.exists() {
        eprintln!("skipped: {} is not there", full.display());
        return None;
    }
    Some(full)
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            // Not `fs::copy`: the data may be read-only, the copy must not be.
            false => fs::write(&target, fs::read(entry.path()).unwrap()).unwrap(),
        }
    }
}

/// Every file in a folder, at any depth, sorted.
pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(files_in(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// Checks what must hold of whatever an import accepts.
pub(crate) fn check_sound(import: &townsfolk_smallville::Import) {
    let town = &import.town;
    assert!(!town.residents.is_empty());
    assert!(town.seconds_per_tick > 0);
    for resident in &town.residents {
        assert!(town.world.walkable(resident.start));
        assert!(
            town.world
                .path_to_place(resident.start, resident.identity.home)
                .is_some()
        );
        assert!(resident.known.is_sorted());
        assert!(resident.known.contains(&resident.identity.home));
        assert!(
            resident
                .known
                .iter()
                .all(|id| id.index() < town.world.places().len())
        );
        assert!(resident.settings.retrieval.check().is_ok());
        for (position, memory) in resident.memories.iter().enumerate() {
            assert!(!memory.text.is_empty());
            assert!((1..=10).contains(&memory.importance));
            assert!(memory.evidence.iter().all(|id| id.index() < position));
        }
    }
    let _ = import.report.to_string();
}
