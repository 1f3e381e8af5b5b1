//! Real runs hold, and each check finds what is wrong with a run that somebody corrupted.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use rusqlite::Connection;
use tempfile::TempDir;
use townsfolk_audit::{MOST_FINDINGS, Report, audit};
use townsfolk_embed::BuiltIn;
use townsfolk_engine::{Options, Run, Setting};
use townsfolk_store::{RunReader, RunState};
use townsfolk_town::{Bundled, Town};

const DAY_TICKS: u64 = 8_640;

fn run(path: &Path, town: Town, until: u64) {
    let setting = Setting::new(town, 7, Arc::new(BuiltIn::get()));
    let mut run = Run::create(path, setting, Options::default(), "test").unwrap();
    run.run_until(until, |_| ControlFlow::Continue(())).unwrap();
    run.finish(RunState::Finished).unwrap();
}

fn report(path: &Path) -> Report {
    audit(&RunReader::open(path).unwrap()).unwrap()
}

/// A day and a half of the bundled town, made once.
static QUAY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quay.run");
    let town = Bundled::find("osier_quay").unwrap().town().unwrap();
    run(&path, town, DAY_TICKS * 3 / 2);
    (folder, path)
});

#[test]
fn a_day_and_a_half_of_the_bundled_town_holds() {
    let report = report(&QUAY.1);
    assert!(
        report.holds(),
        "{}",
        serde_json::to_string_pretty(&report).unwrap()
    );
    for check in report.checks.iter().filter(|check| check.name != "calls") {
        assert!(check.examined > 0, "{} had nothing to look at", check.name);
    }
}

#[test]
fn a_day_of_the_town_of_25_holds() {
    let shared = match std::env::var_os("TOWNSFOLK_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let base = shared.join("smallville/storage/base_the_ville_n25");
    if !base.is_dir() {
        eprintln!("skipped: {} is not there", base.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ville.run");
    let town = townsfolk_smallville::read_base(&base, None).unwrap().town;
    run(&path, town, DAY_TICKS);
    let report = report(&path);
    assert!(
        report.holds(),
        "{}",
        serde_json::to_string_pretty(&report).unwrap()
    );
}

#[test]
fn a_run_that_has_not_begun_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.run");
    run(&path, Bundled::find("osier_quay").unwrap().town().unwrap(), 0);
    let report = report(&path);
    assert!(report.holds());
    assert_eq!(report.head, None);
    assert!(report.checks.iter().all(|check| check.examined == 0));
}

/// Edits a copy of the run with `sql`, and gives the names of the checks that then find faults.
fn corrupt(sql: &str) -> Vec<&'static str> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corrupt.run");
    fs::copy(&QUAY.1, &path).unwrap();
    let db = Connection::open(&path).unwrap();
    // What constraints of the file rule out is checked all the same: a file may come from anywhere.
    db.execute_batch("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;")
        .unwrap();
    db.execute_batch(sql).unwrap();
    assert!(db.changes() > 0, "nothing to corrupt: {sql}");
    db.close().unwrap();
    let report = report(&path);
    let at_fault = report.checks.into_iter().filter(|check| check.faults > 0);
    at_fault
        .map(|check| {
            assert!(!check.findings.is_empty() && check.findings.len() <= MOST_FINDINGS);
            check.name
        })
        .collect()
}

/// `sql` is found by `check`, and by no others but `also`: what it breaks besides.
#[track_caller]
fn found_by(check: &str, also: &[&str], sql: &str) {
    let found = corrupt(sql);
    assert!(found.contains(&check), "{check} found nothing, but: {found:?}");
    for name in found {
        assert!(
            name == check || also.contains(&name),
            "{name} found something too"
        );
    }
}

const ONE_INSIGHT: &str = "(SELECT resident, id FROM memory WHERE kind = 'reflection'
    AND (resident, id) IN (SELECT resident, memory FROM evidence) LIMIT 1)";
const ONE_RUMOUR: &str = "(SELECT resident, id FROM memory WHERE teller IS NOT NULL LIMIT 1)";

#[test]
fn streams_are_whole() {
    let gap = "UPDATE memory SET id = id + 100000 WHERE (resident, id) IN
        (SELECT resident, max(id) FROM memory WHERE resident = 0)";
    found_by("memories", &["recalled", "evidence", "tells"], gap);
    let of_the_future = "UPDATE memory SET created = created + 60 WHERE resident = 0 AND id = 5";
    found_by("memories", &[], of_the_future);
    let beyond_ten = "UPDATE memory SET importance = 11 WHERE resident = 0 AND id = 5";
    found_by("memories", &[], beyond_ten);
    let too_early = "UPDATE memory SET tick = 0, created = 0 WHERE (resident, id) IN
        (SELECT resident, max(id) FROM memory WHERE kind = 'observation' AND teller IS NULL)";
    found_by("memories", &[], too_early);
    let of_another_embedder =
        "UPDATE text SET vector = zeroblob(3) WHERE id = (SELECT text FROM memory LIMIT 1)";
    found_by("memories", &[], of_another_embedder);
}

#[test]
fn conclusions_rest_on_older_memories() {
    let later = format!(
        "UPDATE evidence SET evidence = memory + 1 WHERE (resident, memory) IN {ONE_INSIGHT} AND position = 0"
    );
    found_by("evidence", &[], &later);
    let deeper = format!("UPDATE memory SET depth = depth + 1 WHERE (resident, id) IN {ONE_INSIGHT}");
    found_by("evidence", &[], &deeper);
    let on_nothing = format!("DELETE FROM evidence WHERE (resident, memory) IN {ONE_INSIGHT}");
    found_by("evidence", &[], &on_nothing);
}

#[test]
fn news_is_told_before_it_is_known() {
    let unheard = format!("UPDATE memory SET conversation = NULL WHERE (resident, id) IN {ONE_RUMOUR}");
    found_by("hearsay", &[], &unheard);
    let by_another = format!(
        "UPDATE memory SET teller = (teller + 1) % (SELECT count(*) FROM resident) WHERE (resident, id) IN {ONE_RUMOUR}"
    );
    found_by("hearsay", &[], &by_another);
    let before_it_was_told = format!(
        "UPDATE memory SET tick = (SELECT min(l.tick) FROM line l WHERE l.conversation = memory.conversation)
         WHERE (resident, id) IN {ONE_RUMOUR}"
    );
    found_by("hearsay", &["memories", "evidence"], &before_it_was_told);
    let made_up = format!(
        "UPDATE memory SET text = (SELECT text FROM memory LIMIT 1) WHERE (resident, id) IN {ONE_RUMOUR}"
    );
    found_by("hearsay", &["recalled"], &made_up);
    let silently = "UPDATE line SET tells = '[]' WHERE tells <> '[]'";
    found_by("hearsay", &[], silently);
}

#[test]
fn lines_tell_what_their_speaker_remembers() {
    let not_yet = "UPDATE line SET tells = '[4000000]' WHERE tells = '[]'";
    found_by("tells", &[], not_yet);
    found_by("tells", &["hearsay"], "UPDATE line SET tells = 'much'");
}

#[test]
fn talks_go_by_turns_and_end() {
    found_by(
        "conversations",
        &["hearsay", "tells"],
        "UPDATE line SET speaker = (SELECT a FROM conversation c WHERE c.id = conversation) WHERE conversation = 0",
    );
    found_by(
        "conversations",
        &[],
        "UPDATE conversation SET end_reason = ' ' WHERE id = 0",
    );
    found_by(
        "conversations",
        &["one talk each", "talks end"],
        "UPDATE conversation SET ended = tick WHERE id = 0",
    );
    found_by(
        "talks end",
        &["one talk each"],
        "UPDATE conversation SET ended = NULL, end_reason = NULL WHERE id = 0",
    );
}

#[test]
fn nobody_is_in_two_talks() {
    found_by(
        "one talk each",
        &["sleep"],
        "INSERT INTO conversation SELECT 1000000, tick, a, b, place, ended, 'goodbye' FROM conversation WHERE id = 0",
    );
}

#[test]
fn sleepers_lie_still_and_are_silent() {
    let at_a_line = "UPDATE action SET status = 'asleep' WHERE status = 'talking'";
    found_by("sleep", &[], at_a_line);
    found_by(
        "sleep",
        &[],
        "UPDATE action SET status = 'asleep' WHERE status = 'walking'",
    );
}

#[test]
fn plans_are_whole_days_with_a_past() {
    let last_hour = "DELETE FROM plan_entry WHERE plan = 1 AND level = 'hour' AND start =
        (SELECT max(start) FROM plan_entry WHERE plan = 1 AND level = 'hour')";
    found_by("plans", &[], last_hour);
    let longer = "UPDATE plan_entry SET minutes = minutes + 5 WHERE level = 'task' AND (plan, start) IN
        (SELECT plan, min(start) FROM plan_entry WHERE level = 'task' GROUP BY plan)";
    found_by("plans", &["plans' past"], longer);
    let rewritten = "UPDATE plan_entry SET activity = 'was never there' WHERE start = 0 AND level = 'hour'
        AND plan IN (SELECT id FROM plan WHERE revision = 1)";
    found_by("plans' past", &[], rewritten);
    let unfounded = "UPDATE plan SET cause_memory = 4000000 WHERE revision = 1";
    found_by("plans' causes", &[], unfounded);
    let none = "DELETE FROM plan WHERE resident = 0";
    found_by("days", &[], none);
}

#[test]
fn appointments_rest_on_memories() {
    found_by("appointments", &[], "UPDATE appointment SET \"end\" = start");
    found_by("appointments", &[], "UPDATE appointment SET memory = 4000000");
    found_by("appointments", &[], "UPDATE appointment SET host = 4000000");
}

#[test]
fn bodies_take_single_steps_on_open_ground() {
    let leap = "UPDATE move SET x = x + 2 WHERE (resident, tick) IN (SELECT resident, max(tick) FROM move WHERE resident = 0)";
    found_by("steps", &[], leap);
    let corner = "UPDATE move SET x = 0, y = 0 WHERE resident = 0";
    found_by("steps", &[], corner);
}

#[test]
fn nobody_acts_who_is_not_in_town() {
    found_by(
        "presence",
        &[],
        "UPDATE resident SET \"left\" = 3000 WHERE id = 0",
    );
    found_by("presence", &[], "UPDATE resident SET came = 10 WHERE id = 0");
}

#[test]
fn minds_are_asked_with_what_they_remember() {
    let unknown = "UPDATE task SET input = json_set(input, '$.recalled[0].id', 4000000)
        WHERE kind = 'day_plan' AND json_array_length(input, '$.recalled') > 0";
    found_by("recalled", &[], unknown);
    let misremembered = "UPDATE task SET input = json_set(input, '$.topics[0].text', 'a lie')
        WHERE kind = 'next_line' AND json_array_length(input, '$.topics') > 0";
    found_by("recalled", &[], misremembered);
    found_by(
        "answers",
        &[],
        "UPDATE task SET answer = '' WHERE kind = 'wake_up'",
    );
    found_by(
        "answers",
        &[],
        "UPDATE task SET fallback = '' WHERE kind = 'wake_up'",
    );
}

#[test]
fn answers_rest_on_calls_that_were_made() {
    let asked = "INSERT INTO task_call SELECT tick, resident, seq, 0, 1 FROM task WHERE kind = 'wake_up'";
    found_by("calls", &["answers"], asked);
}

#[test]
fn no_error_is_taken_for_words() {
    found_by(
        "words",
        &[],
        "UPDATE line SET text = '<think>Hm.</think> Hello' WHERE turn = 0",
    );
    // Whatever a reader of answers refuses is found in a run, too.
    for said in [
        "rate limit exceeded",
        "ERROR: prompt is longer than the context window",
        "As an AI language model I cannot do that",
        "HTTP 404 model retired",
        "I am sorry, but I cannot help with that.",
    ] {
        found_by(
            "words",
            &[],
            &format!("UPDATE line SET text = '{said}' WHERE turn = 0"),
        );
    }
    found_by(
        "words",
        &[],
        "UPDATE action SET activity = 'cooking {dish}' WHERE resident = 0",
    );
    found_by(
        "words",
        &["plans' past"],
        "UPDATE plan_entry SET activity = '{\"activity\": \"sleep\"}' WHERE plan = 1",
    );
    // A visitor, or who wrote the town, may speak of such things, and then residents do.
    let spoken_of =
        "UPDATE resident SET identity = json_set(identity, '$.background', 'She builds an AI assistant.');
        UPDATE line SET text = 'How is your AI assistant?' WHERE turn = 0";
    assert!(!corrupt(spoken_of).contains(&"words"));
    let error = "UPDATE text SET text = 'The boiler of the backend burst' WHERE id = 1";
    assert!(
        !corrupt(error).contains(&"words"),
        "only this run's own errors are known"
    );
    // Once a question of the run failed with it, nobody may remember it.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("error.run");
    fs::copy(&QUAY.1, &path).unwrap();
    let db = Connection::open(&path).unwrap();
    db.execute_batch(&format!(
        "{error}; UPDATE task SET fallback = 'The boiler of the backend burst' WHERE kind = 'wake_up'"
    ))
    .unwrap();
    db.close().unwrap();
    let words = report(&path)
        .checks
        .into_iter()
        .find(|check| check.name == "words");
    assert!(words.is_some_and(|words| words.faults > 0));
}
