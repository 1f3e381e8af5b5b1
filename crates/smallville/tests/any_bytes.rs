//! Whatever the bytes of a base, there is a sound town or an error that names a file: never a panic.

mod common;

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use common::small::{BASE, Small};
use common::{check_sound, copy_folder, files_in, shared};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use townsfolk_smallville::{apply_history, read_base};

/// A change to the bytes of a file.
#[derive(Clone, Debug)]
enum Damage {
    CutOff(Index),
    Delete(Index, usize),
    Insert(Index, Vec<u8>),
    Repeat(Index, usize),
}

fn damages() -> impl Strategy<Value = Damage> {
    let telling: Vec<&[u8]> = vec![
        b"0",
        b"-1",
        b"9999999999999999999999",
        b"1e400",
        b"null",
        b"[]",
        b"{}",
        b"\"",
        b",",
        b"\n",
        b":",
        b";",
        b"\xff",
        b"\0",
        b"\\ud800",
        b"<all>",
        b"../",
        "é".as_bytes(),
        b"[[[[[[[[",
    ];
    let telling = prop::sample::select(telling).prop_map(<[u8]>::to_vec);
    let bytes = prop_oneof![telling, prop::collection::vec(any::<u8>(), 1..8)];
    prop_oneof![
        any::<Index>().prop_map(Damage::CutOff),
        (any::<Index>(), 1usize..60).prop_map(|(at, length)| Damage::Delete(at, length)),
        (any::<Index>(), bytes).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (any::<Index>(), 1usize..200).prop_map(|(at, length)| Damage::Repeat(at, length)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = |index: &Index| index.index(bytes.len() + 1);
        match self {
            Damage::CutOff(index) => bytes.truncate(at(index)),
            Damage::Delete(index, length) => {
                let start = at(index);
                bytes.drain(start..(start + length).min(bytes.len()));
            }
            Damage::Insert(index, new) => {
                let start = at(index);
                bytes.splice(start..start, new.iter().copied());
            }
            Damage::Repeat(index, length) => {
                let start = at(index);
                let again = bytes[start..(start + length).min(bytes.len())].to_vec();
                bytes.splice(start..start, again);
            }
        }
    }
}

/// Imports, checks whatever came of it, and says whether the base was accepted.
fn import(base: &Path, history: &Path) -> Result<bool, TestCaseError> {
    let Ok(mut import) = read_base(base, None).inspect_err(|error| assert!(!error.to_string().is_empty()))
    else {
        return Ok(false);
    };
    check_sound(&import);
    let before = import.town.clone();
    if let Err(error) = apply_history(&mut import.town, history) {
        prop_assert_eq!(&import.town, &before);
        prop_assert_eq!(&error.path, history);
    }
    Ok(true)
}

/// Tries that many times, or as often as `PROPTEST_CASES` says.
fn runner(cases: u32) -> TestRunner {
    let asked = std::env::var("PROPTEST_CASES").ok();
    TestRunner::new(Config {
        cases: asked.and_then(|asked| asked.parse().ok()).unwrap_or(cases),
        failure_persistence: None,
        ..Config::default()
    })
}

/// Damages one file of `files` at a time, imports, and puts the file back.
fn damage_files(cases: u32, files: &[PathBuf], base: &Path, history: &Path) {
    let strategy = (any::<Index>(), prop::collection::vec(damages(), 1..4));
    let run = runner(cases).run(&strategy, |(index, damages)| {
        let file = index.get(files);
        let whole = fs::read(file).unwrap();
        let mut bytes = whole.clone();
        for damage in damages {
            damage.apply(&mut bytes);
        }
        fs::write(file, bytes).unwrap();
        let result = import(base, history);
        fs::write(file, whole).unwrap();
        result.map(|_| ())
    });
    run.unwrap();
}

#[test]
fn bytes_of_the_small_base() {
    let small = Small::new();
    let files = files_in(&small.path(""));
    damage_files(200, &files, &small.base(), &small.path("history.csv"));
}

/// Values of the wrong kind in the right place: any value of any JSON file becomes another.
#[test]
fn values_of_the_small_base() {
    let small = Small::new();
    let mut files = files_in(&small.path(BASE));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    let odd = vec![
        json!(null),
        json!(0),
        json!(-1),
        json!(65_535),
        json!(65_536),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!(""),
        json!("ä:b"),
        json!("9999-12-31 23:59:59"),
        json!("December 31, 9999"),
        json!([]),
        json!({}),
        json!([["a", "b"]]),
        json!({"": {"": {"": []}}}),
        json!(true),
        json!("node_3"),
    ];
    let odd = prop::sample::select(odd);
    let history = small.path("history.csv");
    let count = RefCell::new((0, 0));
    let run = runner(200).run(&(any::<Index>(), any::<Index>(), odd), |(file, place, odd)| {
        let file = file.get(&files);
        let whole = fs::read(file).unwrap();
        let mut value: Value = serde_json::from_slice(&whole).unwrap();
        let mut left = place.index(size(&value));
        *nth(&mut value, &mut left).unwrap() = odd;
        fs::write(file, value.to_string()).unwrap();
        let result = import(&small.base(), &history);
        fs::write(file, whole).unwrap();
        let mut count = count.borrow_mut();
        match result? {
            true => count.0 += 1,
            false => count.1 += 1,
        }
        Ok(())
    });
    run.unwrap();
    let (accepted, refused) = count.into_inner();
    assert!(
        accepted > 0 && refused > 0,
        "{accepted} accepted, {refused} refused"
    );
}

/// How many values there are in a value, itself included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(values) => values.values().map(size).sum(),
        _ => 0,
    }
}

/// The value after `left` others.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(values) => values.iter_mut().find_map(|value| nth(value, left)),
        Value::Object(values) => values.values_mut().find_map(|value| nth(value, left)),
        _ => None,
    }
}

/// Damages a copy of a real base, its map and its history.
fn damage_real(base: &str) {
    let (Some(base), Some(assets)) = (shared(base), shared("assets")) else {
        return;
    };
    let copy = tempfile::tempdir().unwrap();
    let base_copy = copy.path().join("storage/base");
    copy_folder(&base, &base_copy);
    copy_folder(&assets, &copy.path().join("assets"));
    let history = copy.path().join("assets/the_ville/agent_history_init_n3.csv");
    damage_files(30, &files_in(copy.path()), &base_copy, &history);
}

#[test]
fn bytes_of_the_real_base() {
    damage_real("storage/base_the_ville_isabella_maria_klaus");
}

#[test]
fn bytes_of_the_real_run() {
    damage_real("compressed_storage/July1_the_ville_isabella_maria_klaus-step-3-20");
}
