//! Steering and interviews in runs with language models: recorded, taken up after a kill, replayed without a network.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use townsfolk_model::scripted::{Play, Request, Server};

use crate::common::{Desk, two_neighbours};

/// What the model says, from what it is asked alone: a state, an answer to an interview, ratings; of no use
/// otherwise, so that the routine mind answers.
fn reply(request: &Request) -> Play {
    let body = request.json();
    let name = body["response_format"]["json_schema"]["name"]
        .as_str()
        .unwrap_or_default();
    Play::Reply(match name {
        "object_state" => json!({"text": "whistling a tune"}).to_string(),
        "interview" => json!({"answer": "I keep the key in a blue jar.", "used": []}).to_string(),
        _ => "Well, let me see.".to_owned(),
    })
}

/// A desk with a `models.toml` for a server.
fn desk(server: &Server) -> Desk {
    let desk = Desk::new();
    let text = format!(
        "[thinking]\nmodel = \"server:stub\"\nbase_url = \"{}\"\nretries = 1\ntimeout_seconds = 5.0\n",
        server.base_url()
    );
    std::fs::write(desk.path("models.toml"), text).unwrap();
    desk
}

/// A paused run that stands at ten in the morning, in which it was whispered, said and set.
fn steered(desk: &Desk) {
    let models = ["--models", "models.toml"];
    desk.make(
        &two_neighbours(),
        "a.run",
        &[&["--until", "2024-09-02 08:00"][..], &models].concat(),
    );
    steer(desk);
    desk.ok(&["resume", "a.run", "--until", "2024-09-02 10:00", "--quiet"]);
}

/// Three things done from outside to the run as it stands.
fn steer(desk: &Desk) {
    desk.ok(&["whisper", "a.run", "nora", "You have found an old key"]);
    desk.ok(&[
        "say",
        "a.run",
        "nora",
        "Good morning! The mill is for sale.",
        "--as",
        "林 真美",
        "--role",
        "a reporter",
    ]);
    desk.ok(&[
        "object",
        "set",
        "a.run",
        "Lindqvist House:kitchen:stove",
        "somebody taught the stove to whistle",
    ]);
}

#[test]
fn what_is_done_from_outside_is_asked_of_the_model_recorded_and_replayed_without_it() {
    let server = Server::start(reply);
    let desk = desk(&server);
    steered(&desk);
    let asked = desk.ok(&["inspect", "a.run", "calls", "--task", "object_state", "--json"]);
    let call: Value = serde_json::from_str(asked.lines().next().expect("the model was asked")).unwrap();
    assert_eq!(call["resident"], "the town");
    assert!(
        call["request"]
            .to_string()
            .contains("taught the stove to whistle"),
        "{call}"
    );
    assert_eq!(call["fallback"], Value::Null, "{call}");
    let digest = desk.digest("a.run");
    desk.ok(&["check", "a.run"]);

    let bought = server.count();
    drop(server);
    let ran = desk.run(&["run", "--replay", "a.run", "--out", "b.run"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("the same as a.run"), "{}", ran.stderr);
    assert_eq!(desk.digest("b.run"), digest);
    assert!(bought > 0);
}

#[test]
fn a_steered_run_that_is_killed_goes_on_as_if_it_had_not_been() {
    let straight = Server::start(reply);
    let whole = desk(&straight);
    steered(&whole);

    // Should nobody kill it for a while, it gets no replies any more.
    let no_more = Arc::new(AtomicUsize::new(usize::MAX));
    let limit = no_more.clone();
    let slow = Server::start(
        move |request| match request.number < limit.load(Ordering::SeqCst) {
            true => reply(request).after(Duration::from_millis(3)),
            false => Play::Hang,
        },
    );
    let desk = desk(&slow);
    desk.make(
        &two_neighbours(),
        "a.run",
        &["--until", "2024-09-02 08:00", "--models", "models.toml"],
    );
    steer(&desk);
    let resume = ["resume", "a.run", "--until", "2024-09-02 10:00", "--quiet"];
    let (mut kills, mut seen) = (0, slow.count());
    let share = (straight.count() - seen).max(4) / 4;
    loop {
        no_more.store(seen + 2 * share, Ordering::SeqCst);
        let mut child = desk
            .command(&resume)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while slow.count() < seen + share && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        kills += 1;
        seen = slow.count();
        assert!(kills < 50, "it never ends");
    }
    assert!(kills >= 2, "only {kills} kills");
    assert_eq!(desk.digest("a.run"), whole.digest("a.run"));
    let lost = slow.count().saturating_sub(straight.count());
    assert!(
        lost <= kills * slow.most_at_once(),
        "{lost} calls too many after {kills} kills"
    );
}

#[test]
fn a_moment_that_is_over_can_be_asked_about_and_stays_as_it_was() {
    let server = Server::start(reply);
    let desk = desk(&server);
    steered(&desk);
    let (digest, calls) = (desk.digest("a.run"), server.count());
    let told = desk.ok(&[
        "interview",
        "a.run",
        "nora",
        "Where is the key?",
        "--at",
        "day 1 09:00",
    ]);
    assert!(told.contains("I keep the key in a blue jar."), "{told}");
    let asked = server.requests().split_off(calls);
    assert!(
        asked
            .iter()
            .any(|request| request.prompt().contains("Where is the key?"))
    );
    // Only what was known then comes to mind.
    let early = desk.ok(&[
        "interview",
        "a.run",
        "nora",
        "Where is the key?",
        "--at",
        "day 1 07:00",
        "--format",
        "jsonl",
    ]);
    assert!(!early.contains("old key"), "{early}");
    assert_eq!(desk.digest("a.run"), digest);
    let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
    assert_eq!(cost["paid"]["calls"], calls, "interviews leave no trace");
}
