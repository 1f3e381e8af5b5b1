//! Everything a provider can do wrong, played by a server over plain TCP.

use std::time::Duration;

use crate::common::{KEY, ask, chat, expect, fault, models, timed};
use serde_json::json;
use townsfolk_model::scripted::{Play, Server};
use townsfolk_model::{Fault, Stop};

/// The fault a play leads to where nothing is tried again.
fn fault_of(play: Play) -> Fault {
    let server = Server::playing(vec![play]);
    let error = fault(&models(&server, "openai:gone-1", "retries = 0"));
    expect(&error, error.fault);
    error.fault
}

#[test]
fn permanent_faults_are_named_and_never_tried_again() {
    for (play, expected, remedy) in [
        (Play::no_such_model(), Fault::NoSuchModel, "`gone-1`"),
        (Play::bad_key(), Fault::Key, "OPENAI_API_KEY"),
        (Play::no_quota(), Fault::Quota, "credit"),
        (Play::text(404, "404 page not found"), Fault::Request, "base_url"),
        (
            Play::json(
                200,
                json!({"error": {"code": "invalid_api_key", "message": "no"}}),
            ),
            Fault::Key,
            "OPENAI",
        ),
        (
            Play::text(200, "ERROR: insufficient_quota for this account"),
            Fault::Quota,
            "credit",
        ),
        (
            Play::json(400, json!({"error": {"code": "context_length_exceeded"}})),
            Fault::TooLong,
            "window_tokens",
        ),
        (
            Play::text(302, "").with_header("location", "http://127.0.0.1:9/"),
            Fault::Request,
            "base_url",
        ),
    ] {
        let server = Server::playing(vec![play, Play::reply("never asked for")]);
        let error = fault(&models(&server, "openai:gone-1", "retries = 5"));
        expect(&error, expected);
        assert!(error.remedy.contains(remedy), "{error}");
        assert_eq!(server.count(), 1, "{error}");
    }
}

#[test]
fn what_is_no_reply_is_never_taken_for_one() {
    let choices = |choices| Play::json(200, json!({ "choices": choices }));
    for (play, expected) in [
        (choices(json!([])), Fault::Unreadable),
        (
            choices(json!([{"finish_reason": "stop", "message": {"content": null}}])),
            Fault::Unreadable,
        ),
        (
            choices(json!([{"finish_reason": "content_filter", "message": {"content": "I"}}])),
            Fault::Declined,
        ),
        (
            choices(json!([{"message": {"content": null, "refusal": "I can't help."}}])),
            Fault::Declined,
        ),
        (Play::json(200, json!({"hello": 1})), Fault::Unreadable),
        (
            Play::text(200, "{\"choices\": [{\"message\": {\"conte"),
            Fault::Unreadable,
        ),
        (Play::text(200, "¤¤ÿ\u{0}\u{1}gibberish"), Fault::Unreadable),
        (Play::text(200, ""), Fault::Unreadable),
        (
            Play::text(200, "<html><title>Login</title></html>"),
            Fault::Unreadable,
        ),
        (Play::text(200, "ERROR: something"), Fault::Server),
        (
            Play::json(200, json!({"error": {"message": "upstream broke"}})),
            Fault::Server,
        ),
        (Play::Half("cut".repeat(100)), Fault::Broken),
        (
            Play::CutStream(vec!["a".to_owned(), "b".to_owned()]),
            Fault::Unreadable,
        ),
        (Play::Reset, Fault::Broken),
        (Play::busy(0.01), Fault::Busy),
        (Play::broken(), Fault::Server),
        (
            Play::text(502, "<html><title>502 Bad Gateway</title>"),
            Fault::Server,
        ),
        (Play::Huge(17 << 20), Fault::Unreadable),
    ] {
        let name = format!("{play:?}");
        assert_eq!(
            fault_of(play),
            expected,
            "{}",
            name.chars().take(200).collect::<String>()
        );
    }
}

#[test]
fn a_hanging_or_dripping_server_is_left_in_time() {
    for play in [
        Play::Hang,
        Play::Drip("slow".to_owned(), Duration::from_millis(20)),
    ] {
        let server = Server::playing(vec![play]);
        let models = models(&server, "ollama:tiny", "retries = 0\ntimeout_seconds = 0.2");
        let (error, took) = timed(|| fault(&models));
        expect(&error, Fault::Timeout);
        assert!(took < Duration::from_secs(60), "{took:?}");
        assert!(error.remedy.contains("timeout_seconds"), "{error}");
    }
}

#[test]
fn a_call_recovers_as_soon_as_the_server_does() {
    for trouble in [
        Play::broken(),
        Play::busy(0.02),
        Play::Reset,
        Play::text(200, "{"),
        Play::Hang,
    ] {
        let server = Server::playing(vec![trouble, Play::reply("{\"hour\": 6}")]);
        let models = models(&server, "ollama:tiny", "retries = 2\ntimeout_seconds = 0.3");
        let reply = chat(&models, &ask("When?", None)).expect("an answer");
        assert_eq!((reply.text.as_str(), server.count()), ("{\"hour\": 6}", 2));
    }
}

#[test]
fn nobody_listening_names_the_address_and_how_to_start_the_server() {
    let server = Server::playing(vec![Play::Reset]);
    let models = models(&server, "ollama:tiny", "retries = 0");
    let address = server.base_url();
    drop(server);
    let error = fault(&models);
    expect(&error, Fault::Network);
    assert!(
        error.remedy.contains(&address) && error.remedy.contains("ollama serve"),
        "{error}"
    );
}

#[test]
fn a_connection_that_breaks_is_not_called_silence() {
    let server = Server::playing(vec![Play::Reset]);
    let error = fault(&models(&server, "ollama:tiny", "retries = 0"));
    expect(&error, Fault::Broken);
    assert!(error.detail.contains("the connection broke"), "{error}");
    assert!(
        error.remedy.contains(&server.base_url()) && !error.to_string().contains("nothing answers"),
        "{error}"
    );
}

#[test]
fn no_key_is_seen_even_where_the_provider_sends_it_back() {
    let echo = format!("Bearer {KEY} and x-team: team-secret-42 and sk-somebodyelses0123");
    for play in [
        Play::EchoHeaders,
        Play::text(500, &echo),
        Play::json(200, json!({"error": {"message": echo}})),
        Play::json(400, json!({"detail": echo})),
        Play::text(200, &echo),
    ] {
        let server = Server::playing(vec![play]);
        let text = format!(
            "[thinking]\nmodel = \"openai:x\"\nbase_url = \"{}\"\nretries = 0\nheaders = {{ X-Team = \"$TEAM\" }}",
            server.base_url()
        );
        let config = townsfolk_model::ModelsConfig::read(&text, "t").expect("right");
        let env = |name: &str| {
            if name == "TEAM" {
                Some("team-secret-42".to_owned())
            } else {
                crate::common::env(name)
            }
        };
        let models = townsfolk_model::Models::open(&config, &env, None, &Stop::default());
        let error = fault(&models.expect("opens"));
        let seen = format!("{error} {error:?}");
        for secret in [KEY, "team-secret-42", "somebodyelses"] {
            assert!(!seen.contains(secret), "{seen}");
        }
        let sent = server.requests();
        assert_eq!(
            sent[0].header("authorization"),
            Some(format!("Bearer {KEY}").as_str())
        );
        assert_eq!(sent[0].header("x-team"), Some("team-secret-42"));
        assert!(!config.to_toml().contains(KEY));
    }
}

#[test]
fn a_reply_that_repeats_the_key_comes_without_it() {
    let server = Server::playing(vec![Play::reply(format!("Your key is {KEY}."))]);
    let reply = chat(&models(&server, "openai:x", ""), &ask("Hm?", None)).expect("an answer");
    assert_eq!(reply.text, "Your key is [hidden].");
}
