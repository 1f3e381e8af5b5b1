//! `townsfolk models check`: what is broken is told at once, in words that help.

use serde_json::{Value, json};
use townsfolk_model::scripted::{Play, Request, Server};

use crate::common::{Desk, Ran};

const KEY: &str = "sk-a-very-secret-key-0123456789";

/// Checks one model at an address, with the key at hand or not.
fn check(base_url: &str, key: Option<&str>, more: &[&str]) -> Ran {
    let desk = Desk::new();
    std::fs::write(
        desk.path("models.toml"),
        format!(
            "[thinking]\nmodel = \"server:stub\"\nbase_url = \"{base_url}\"\nkey_variable = \"STUB_KEY\"\n\
             timeout_seconds = 0.5\n"
        ),
    )
    .unwrap();
    let mut command = desk.command(&[&["models", "check"], more].concat());
    if let Some(key) = key {
        command.env("STUB_KEY", key);
    }
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_broken_role_is_told_at_once_with_its_cause_and_remedy() {
    let html = "<!doctype html><html><body>Welcome to the router</body></html>";
    let quota =
        json!({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}});
    let cases: [(&str, Play, &[&str]); 8] = [
        ("a refused key", Play::bad_key(), &["status 401", "STUB_KEY"]),
        (
            "no such model",
            Play::no_such_model(),
            &["status 404", "does not exist"],
        ),
        (
            "an empty account inside status 200",
            Play::json(200, quota),
            &["quota"],
        ),
        ("trouble at the provider", Play::broken(), &["status 500"]),
        ("too many calls", Play::busy(30.0), &["status 429"]),
        ("nothing at all", Play::Hang, &["no answer within 0.5 s"]),
        (
            "a page instead of an answer",
            Play::text(200, html),
            &["base_url"],
        ),
        (
            "a page of a missing path",
            Play::text(404, html),
            &["status 404", "base_url"],
        ),
    ];
    for (case, play, words) in cases {
        let server = Server::playing(vec![play]);
        let ran = check(&server.base_url(), Some(KEY), &[]);
        assert_eq!(ran.code, 1, "{case}: {}", ran.stdout);
        assert_eq!(server.count(), 3, "{case}: one call for each role");
        for word in words {
            assert!(
                ran.stdout.contains(word),
                "{case}: {word} is missing in {}",
                ran.stdout
            );
        }
        assert!(
            ran.stdout.starts_with("thinking  FAILED server:stub"),
            "{case}: {}",
            ran.stdout
        );
        assert!(!ran.stdout.contains(KEY) && !ran.stderr.contains(KEY), "{case}");
    }
}

#[test]
fn nobody_at_the_address_and_no_key_are_told_apart() {
    let gone = Server::playing(vec![Play::bad_key()]).base_url();
    let refused = check(&gone, Some(KEY), &[]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    assert!(refused.stdout.contains("start the server"), "{}", refused.stdout);
    let keyless = check(&gone, None, &[]);
    assert_eq!(keyless.code, 2, "{}", keyless.stdout);
    assert!(keyless.stderr.contains("STUB_KEY"), "{}", keyless.stderr);
}

/// A model that answers the small question, and plays the scene as it is told to.
fn player(decision: &'static str) -> Server {
    Server::start(move |request: &Request| {
        Play::Reply(if request.system().contains("Bram") {
            json!({"decision": decision, "line": "Hm."}).to_string()
        } else {
            json!({"larger": 7}).to_string()
        })
    })
}

#[test]
fn a_model_that_always_gives_in_is_found_out_and_a_faithful_one_is_not_blamed() {
    let nice = player("lend");
    let ran = check(&nice.base_url(), Some(KEY), &["--adherence"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let line = "thinking and talking: server:stub: stayed in character 0 of 5 times; residents who are not nice will \
                be nicer than they should";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert_eq!(nice.count(), 3 + 5, "one scene for a model that plays both roles");

    let faithful = player("refuse");
    let ran = check(&faithful.base_url(), Some(KEY), &["--adherence", "--json"]);
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(shown[0]["adherence"]["kept"], 5, "{shown}");
    assert_eq!(
        shown[1]["adherence"]["says"],
        "server:stub: stayed in character 5 of 5 times"
    );
    assert!(
        shown[2]["adherence"].is_null(),
        "nobody speaks in the role of a judge"
    );
}

#[test]
fn no_scene_is_played_with_a_model_that_does_not_answer() {
    let broken = Server::playing(vec![Play::bad_key()]);
    let ran = check(&broken.base_url(), Some(KEY), &["--adherence"]);
    assert_eq!((ran.code, broken.count()), (1, 3), "{}", ran.stdout);
}
