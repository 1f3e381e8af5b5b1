//! Retries, waits, limits, and a provider that is down.

use std::pin::pin;
use std::time::Duration;

use crate::common::{ask, chat, expect, fault, models, shape, stoppable, timed};
use futures_executor::block_on;
use futures_util::future::{Either, join_all, select};
use serde_json::json;
use townsfolk_model::scripted::{Play, Server};
use townsfolk_model::{Fault, Role, Stop};

#[test]
fn a_call_is_tried_as_often_as_it_may_be_and_no_more() {
    let server = Server::playing(vec![Play::broken()]);
    let error = fault(&models(&server, "ollama:x", "retries = 3"));
    expect(&error, Fault::Server);
    assert_eq!((error.status, server.count()), (Some(500), 4));
}

#[test]
fn the_providers_own_wait_is_kept() {
    for busy in [
        Play::busy(0.3),
        Play::json(
            429,
            json!({"error": {"message": "Rate limit. Please try again in 300ms."}}),
        ),
        Play::json(503, json!({"error": "loading"})).with_header("retry-after-ms", "300"),
    ] {
        let server = Server::playing(vec![busy, Play::reply("ok")]);
        let models = models(&server, "openai:x", "retries = 1");
        let (reply, took) = timed(|| chat(&models, &ask("?", None)));
        assert!(reply.is_ok() && took >= Duration::from_millis(300), "{took:?}");
    }
}

#[test]
fn a_wait_that_is_too_long_is_not_waited_but_told() {
    let server = Server::playing(vec![Play::busy(3600.0)]);
    let (error, took) = timed(|| fault(&models(&server, "openai:x", "retries = 5")));
    expect(&error, Fault::Quota);
    assert!(
        error.fault.stops_everything() && error.detail.contains("wait 60 minutes"),
        "{error}"
    );
    assert_eq!(
        (error.retry_after, server.count()),
        (Some(Duration::from_secs(3600)), 1)
    );
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn whoever_stops_waits_for_what_was_sent_and_for_nothing_else() {
    // It is stopped while the first request is answered.
    let stopping = |play: Play| {
        let stop = Stop::default();
        let told = stop.clone();
        let server = Server::start(move |_| {
            told.ask();
            play.clone()
        });
        let models = stoppable(&server, "openai:x", "retries = 3\nconcurrency = 1", &stop);
        (server, models)
    };
    let (server, models) = stopping(Play::busy(100.0));
    let error = fault(&models);
    expect(&error, Fault::Stopped);
    assert!(error.fault.stops_everything() && server.count() == 1, "{error}");

    let (server, models) = stopping(Play::reply("ok"));
    let (first, second) = (ask("first", None), ask("second", None));
    let model = &models.role(Role::Thinking).model;
    let [sent, waits] = block_on(join_all([model.chat(&first), model.chat(&second)]))
        .try_into()
        .expect("both end");
    // Which of the two got the place first is nobody's business.
    let mut ends = [sent, waits].map(|reply| reply.map(|reply| reply.text).map_err(|error| error.fault));
    ends.sort_by_key(Result::is_err);
    assert_eq!(ends, [Ok("ok".to_owned()), Err(Fault::Stopped)]);
    assert_eq!(server.count(), 1);
}

#[test]
fn other_calls_keep_the_providers_wait_too() {
    let server = Server::playing(vec![Play::busy(0.4), Play::reply("ok")]);
    let models = models(&server, "openai:x", "retries = 0");
    expect(&fault(&models), Fault::Busy);
    let (reply, took) = timed(|| chat(&models, &ask("?", None)));
    assert!(reply.is_ok() && took >= Duration::from_millis(300), "{took:?}");
}

#[test]
fn no_more_calls_are_under_way_than_may_be() {
    let server = Server::start(|_| Play::reply("ok").after(Duration::from_millis(30)));
    let models = models(&server, "ollama:x", "concurrency = 3");
    let requests: Vec<_> = (0..12).map(|number| ask(&number.to_string(), None)).collect();
    let model = &models.role(Role::Thinking).model;
    let replies = block_on(join_all(requests.iter().map(|request| model.chat(request))));
    assert!(replies.iter().all(Result::is_ok));
    assert_eq!(server.most_at_once(), 3);
}

#[test]
fn a_hanging_call_does_not_hold_up_the_others() {
    let server = Server::start(|request| match request.prompt().as_str() {
        "hang" => Play::Hang,
        _ => Play::reply("ok"),
    });
    let models = models(
        &server,
        "ollama:x",
        "concurrency = 2\nretries = 0\ntimeout_seconds = 300",
    );
    let model = &models.role(Role::Thinking).model;
    let (hangs, works) = (ask("hang", None), ask("work", None));
    let hanging = model.chat(&hangs);
    let working = async {
        for _ in 0..5 {
            model.chat(&works).await.expect("an answer");
        }
    };
    let working = pin!(working);
    assert!(
        matches!(block_on(select(hanging, working)), Either::Right(_)),
        "they waited for it"
    );
}

#[test]
fn the_limits_of_a_minute_hold_calls_back() {
    // A full minute's worth may go at once; the next has to wait for its share of a minute.
    for limit in ["requests_per_minute = 120", "tokens_per_minute = 10000"] {
        let server = Server::playing(vec![Play::reply("ok")]);
        let models = models(&server, "ollama:x", &format!("concurrency = 200\n{limit}"));
        let mut request = ask("?", None);
        if limit.starts_with("tokens") {
            request.max_tokens = 5_000;
        }
        let calls = if limit.starts_with("tokens") { 2 } else { 121 };
        let model = &models.role(Role::Thinking).model;
        let (replies, took) = timed(|| block_on(join_all((0..calls).map(|_| model.chat(&request)))));
        assert!(replies.iter().all(Result::is_ok));
        // 121 calls at 120 a minute: half a second; 2 × 5,020 tokens at 10,000 a minute: 0.2 s.
        assert!(took >= Duration::from_millis(150), "{limit}: {took:?}");
    }
}

#[test]
fn many_failures_in_a_row_mean_the_provider_is_down_until_it_answers() {
    let server = Server::start(|request| match request.prompt().as_str() {
        "works" => Play::reply("ok"),
        "declined" => Play::json(400, json!({"error": {"code": "content_filter"}})),
        _ => Play::broken(),
    });
    let models = models(&server, "ollama:x", "retries = 1");
    let faults = |count: usize| -> Vec<Fault> { (0..count).map(|_| fault(&models).fault).collect() };
    assert_eq!(faults(7), vec![Fault::Server; 7]);
    // Any answer, even a refusal, shows that somebody is there.
    assert!(chat(&models, &ask("declined", Some(shape()))).is_err());
    assert_eq!(faults(7), vec![Fault::Server; 7]);
    let error = fault(&models);
    expect(&error, Fault::Down);
    assert!(
        error.fault.stops_everything() && error.detail.contains("8 calls in a row"),
        "{error}"
    );
    // From now on each call is tried once, until one succeeds.
    let before = server.count();
    assert_eq!(faults(1), [Fault::Down]);
    assert_eq!(server.count(), before + 1);
    assert!(chat(&models, &ask("works", None)).is_ok());
    assert_eq!(faults(1), [Fault::Server]);
}

#[test]
fn a_dropped_call_goes_on_and_frees_its_place() {
    let server = Server::start(|_| Play::reply("ok").after(Duration::from_millis(50)));
    let models = models(&server, "ollama:x", "concurrency = 1");
    let request = ask("?", None);
    let model = &models.role(Role::Thinking).model;
    block_on(async {
        // Polled once, then dropped.
        let call = model.chat(&request);
        let ready = std::future::ready(());
        futures_util::future::select(call, ready).await;
    });
    assert!(chat(&models, &request).is_ok());
    // Which of the two got the place first is nobody's business.
    let both = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        server.count() == 2
    });
    assert!(both, "the dropped call went out too");
}

#[test]
fn a_call_takes_hardly_longer_than_the_server_takes() {
    let server = Server::playing(vec![Play::reply("ok")]);
    let models = models(&server, "ollama:x", "");
    let request = ask("?", None);
    chat(&models, &request).expect("an answer");
    let quickest = (0..50)
        .map(|_| {
            let (reply, took) = timed(|| chat(&models, &request));
            reply.expect("an answer");
            took
        })
        .min();
    // Nothing waits for a delayed acknowledgement, which would be 40 ms of every call on Linux; the quickest is
    // asked, so that a busy machine does not matter.
    assert!(quickest < Some(Duration::from_millis(25)), "{quickest:?}");
}
