//! Taking part: pausing, stepping, whispering, visiting, forking, asking.

use std::ops::ControlFlow;
use std::time::Instant;

use serde_json::{Value, json};
use townsfolk_model::scripted::{Play, Request, Server as Scripted};
use townsfolk_server::ServeOptions;
use townsfolk_store::{RunReader, RunState};

use crate::common::{HOUR, Served, begin, embedder, minds_of, two_neighbours};

fn control(served: &Served, command: Value) -> Value {
    let reply = served.post("/api/control", command.clone());
    assert_eq!(reply.status, 200, "{command}: {}", reply.text());
    reply.json()
}

/// Longer than any test takes.
const LONG: u64 = 100 * 24 * HOUR;

/// A run is paused, stepped tick by tick, and goes on to an end that is asked for.
#[test]
fn a_run_is_paused_stepped_and_taken_to_an_end() {
    let served = Served::running(two_neighbours(), LONG);
    served.wait_until("ticks come", |served| served.head() > 10);
    assert_eq!(
        control(&served, json!({ "command": "pause" }))["mode"]["state"],
        "paused"
    );
    let paused = served.head();
    std::thread::sleep(std::time::Duration::from_millis(150));
    assert_eq!(served.head(), paused, "nothing happens while it is paused");
    for _ in 0..3 {
        let before = served.head();
        control(&served, json!({ "command": "step" }));
        served.wait_until("a step is done", |served| served.head() > before);
        served.wait_until("it pauses again", |served| {
            served.json("/api/run")["mode"]["state"] == "paused"
        });
    }
    control(&served, json!({ "command": "save" }));
    let end = served.head() + HOUR;
    control(&served, json!({ "command": "run_until", "tick": end }));
    served.wait_until("it ends", |served| {
        served.json("/api/run")["mode"]["state"] == "ended"
    });
    assert_eq!(served.head(), end - 1);
    assert_eq!(served.json("/api/run")["goal"], end);
    let refused = served.post("/api/control", json!({ "command": "resume" }));
    assert_eq!(refused.status, 409, "{}", refused.text());
    let back = served.post(
        "/api/control",
        json!({ "command": "run_until", "tick": end - 10 }),
    );
    assert_eq!(back.status, 400, "{}", back.text());
    assert_eq!(served.end(), Some(end));
}

/// While another process writes a run, it is only watched from here, and it is said why; once that has ended it is
/// steered from here.
#[test]
fn a_run_that_is_written_elsewhere_is_steered_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run");
    let mut elsewhere = begin(&path, two_neighbours(), embedder());
    elsewhere.set_goal(2 * HOUR).expect("a goal");
    elsewhere
        .run_until(HOUR, |_| ControlFlow::Continue(()))
        .expect("ticks");
    let served = Served::shown(folder, path, ServeOptions::default());
    let mode = served.json("/api/run")["mode"].clone();
    assert_eq!(
        (&mode["state"], &mode["controls"], &mode["barred"]),
        (&json!("replay"), &json!(false), &json!("written_elsewhere"))
    );
    let refused = served.post("/api/control", json!({ "command": "step" }));
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("another process"), "{}", refused.text());

    elsewhere.finish(RunState::Paused).expect("a whole file");
    served.wait_until("it can be steered", |served| {
        served.json("/api/run")["mode"]["controls"] == true
    });
    let mode = served.json("/api/run")["mode"].clone();
    assert_eq!(
        (&mode["state"], &mode["barred"], &mode["until"]),
        (&json!("paused"), &Value::Null, &json!(2 * HOUR))
    );
    let before = served.head();
    control(&served, json!({ "command": "step" }));
    served.wait_until("a step is done", |served| served.head() > before);
    // What is held here is not taken for somebody else's.
    assert_eq!(served.json("/api/run")["mode"]["controls"], true);
}

/// At a speed the town is never ahead of its clock, and it gets along; as fast as possible again when that
/// is asked for.
#[test]
fn a_speed_is_kept() {
    /// So fast that no night is cut short.
    const SPEED: f64 = 20_000.0;
    let served = Served::running(two_neighbours(), LONG);
    served.wait_until("they are up", |served| served.head() > HOUR);
    control(&served, json!({ "command": "pause" }));
    control(&served, json!({ "command": "speed", "speed": SPEED }));
    assert_eq!(served.json("/api/run")["mode"]["speed"], SPEED);
    let (before, begun) = (served.head(), Instant::now());
    control(&served, json!({ "command": "resume" }));
    served.wait_until("half a day is over", |served| {
        let seconds = (served.head() - before) as f64 * 10.0;
        let clock = begun.elapsed().as_secs_f64() * SPEED;
        // Whole ticks are told.
        assert!(
            seconds <= clock + 10.0,
            "{seconds} seconds of the town, {clock} by the clock"
        );
        seconds > 12.0 * 3_600.0
    });
    for speed in [json!(0), json!(-1), json!("fast")] {
        let refused = served.post("/api/control", json!({ "command": "speed", "speed": speed }));
        assert!(
            (400..=422).contains(&refused.status),
            "{speed}: {}",
            refused.text()
        );
    }
    let after = served.head();
    control(&served, json!({ "command": "speed", "speed": null }));
    served.wait_until("it hurries again", |served| served.head() > after + 10 * HOUR);
}

/// A visitor who is steered from here has the time to answer, however fast the run goes otherwise.
#[test]
fn a_run_waits_for_the_words_of_whoever_walked_in() {
    let served = Served::finished();
    let nora = served.json("/api/state")["residents"][0].clone();
    let arrive = json!({ "input": "arrive", "name": "Dana Reed", "role": "", "tile": { "x": nora["x"], "y": nora["y"] } });
    let dana = served.post("/api/inputs", arrive).json()["resident"].clone();
    let speak = |text: &str, ends: bool| {
        let words = json!({ "input": "speak", "visitor": dana, "to": 0, "text": text, "ends": ends });
        let reply = served.post("/api/inputs", words);
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    speak("Good day! How are the apples?", false);
    control(
        &served,
        json!({ "command": "run_until", "tick": served.head() + 8 * HOUR }),
    );
    let lines = |served: &Served, least: usize| {
        // Until she has come, nobody is known by her number.
        let talks = served.get("/api/talks?resident=2");
        let talk = talks.json()["items"][0].clone();
        (talk["lines"].as_array().is_some_and(|lines| lines.len() >= least)).then_some(talk)
    };
    served.wait_until("she is answered", |served| lines(served, 2).is_some());
    speak("Thank you. Good bye!", true);
    served.wait_until("she has said good bye", |served| lines(served, 3).is_some());
    let talks = served.json("/api/talks?resident=2");
    assert_eq!(
        talks["items"].as_array().map(Vec::len),
        Some(1),
        "it was one talk: {talks}"
    );
    served.wait_until("the run ends in no time", |served| {
        served.json("/api/run")["mode"]["state"] == "ended"
    });
}

/// A whisper and a broken stove are recorded before they act, and act at the tick that is told.
#[test]
fn a_finished_run_goes_on_with_a_whisper() {
    let served = Served::finished();
    let stove = served.json("/api/map")["places"]
        .as_array()
        .and_then(|places| places.iter().find(|place| place["kind"] == "object").cloned())
        .expect("an object")["id"]
        .clone();
    let next = served.head() + 1;
    let words = "The well by the lane has run dry.";
    let whispered = served.post(
        "/api/inputs",
        json!({ "input": "whisper", "resident": 1, "text": words }),
    );
    assert_eq!(whispered.status, 200, "{}", whispered.text());
    assert_eq!(whispered.json()["tick"], next);
    let broken = json!({ "input": "set_object", "object": stove, "state": "broken" });
    assert_eq!(served.post("/api/inputs", broken).json()["tick"], next);
    control(&served, json!({ "command": "run_until", "tick": next + 60 }));
    served.wait_until("it has acted", |served| served.head() >= next + 59);
    let memories = served.json("/api/residents/1/memories?text=has%20run%20dry");
    assert!(!memories["items"].as_array().expect("items").is_empty());
    assert_eq!(served.json(&format!("/api/objects/{stove}"))["state"], "broken");
    let inputs = served.json("/api/inputs");
    assert_eq!(inputs.as_array().map(Vec::len), Some(2));
    let marks = served.json("/api/marks");
    let whispers = |bucket: &Value| bucket["whispers"].as_u64().unwrap_or(0);
    let sum: u64 = marks["buckets"]
        .as_array()
        .expect("buckets")
        .iter()
        .map(whispers)
        .sum();
    assert_eq!(sum, 1);
}

/// What cannot act is refused with the reason, and nothing is recorded.
#[test]
fn inputs_that_make_no_sense_are_refused() {
    let served = Served::finished();
    let refused = [
        json!({ "input": "whisper", "resident": 99, "text": "hello" }),
        json!({ "input": "whisper", "resident": 0, "text": " " }),
        json!({ "input": "set_object", "object": 0, "state": "broken" }),
        json!({ "input": "arrive", "name": "Dana Reed", "role": "", "tile": { "x": 60000, "y": 0 } }),
    ];
    for input in refused {
        let reply = served.post("/api/inputs", input.clone());
        assert_eq!(reply.status, 422, "{input}: {}", reply.text());
    }
    assert!((400..=422).contains(&served.post("/api/inputs", json!({ "input": "shout" })).status));
    assert_eq!(served.json("/api/inputs"), json!([]));
}

/// A visitor walks in and is seen on the map; when they leave they are gone, and earlier ticks still
/// show them.
#[test]
fn a_visitor_comes_and_goes() {
    let served = Served::finished();
    let state = served.json("/api/state");
    let (x, y) = (
        state["residents"][0]["x"].clone(),
        state["residents"][0]["y"].clone(),
    );
    let arrive =
        json!({ "input": "arrive", "name": "Dana Reed", "role": "a reporter", "tile": { "x": x, "y": y } });
    let arrived = served.post("/api/inputs", arrive);
    assert_eq!(arrived.status, 200, "{}", arrived.text());
    let visitor = arrived.json()["resident"].clone();
    assert_eq!(visitor, 2);
    let next = served.head() + 1;
    control(&served, json!({ "command": "run_until", "tick": next + 10 }));
    served.wait_until("she is there", |served| served.head() >= next + 9);
    let residents = served.json("/api/residents");
    assert_eq!(residents[2]["visitor"], true);
    assert_eq!(residents[2]["role"], "a reporter");
    let before = served.get("/api/residents/2?tick=0");
    assert_eq!(before.status, 404);
    assert_eq!(
        before.json(),
        json!({
            "error": "resident 2 has not come to town yet at tick 0",
            "remedy": "ask for a later tick; /api/residents lists who is there at which"
        })
    );
    let seen = |served: &Served, tick: u64| {
        let state = served.json(&format!("/api/state?tick={tick}"));
        state["residents"].as_array().map(Vec::len)
    };
    let there = served.head();
    assert_eq!(seen(&served, there), Some(3));
    let frames = served.json(&format!("/api/frames?from={}&to={there}", next - 1));
    assert!(
        frames.to_string().contains("Dana Reed"),
        "a frame tells that she came"
    );
    assert_eq!(
        served
            .post("/api/inputs", json!({ "input": "leave", "who": visitor }))
            .status,
        200
    );
    control(&served, json!({ "command": "run_until", "tick": there + 20 }));
    served.wait_until("she has left", |served| served.head() >= there + 19);
    assert_eq!(seen(&served, there + 19), Some(2));
    assert_eq!(seen(&served, there), Some(3));
}

/// A question leaves no trace, and the answer says what it rests on.
#[test]
fn an_interview_leaves_no_trace() {
    let served = Served::finished();
    let before = RunReader::open(&served.path)
        .and_then(|run| run.digest())
        .expect("a digest");
    let middle = served.head() / 2;
    let question = json!({ "resident": 0, "tick": middle, "question": "What did you do this morning?" });
    let answer = served.post("/api/interview", question.clone());
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(
        answer.json(),
        served.post("/api/interview", question).json(),
        "the same again"
    );
    let answer = answer.json();
    assert!(!answer["answer"].as_str().unwrap_or_default().is_empty());
    assert!(!answer["memories"].as_array().expect("memories").is_empty());
    let empty = json!({ "resident": 0, "question": "What?", "ablation": "nothing" });
    assert_eq!(served.post("/api/interview", empty).json()["memories"], json!([]));
    assert_eq!(
        served
            .post("/api/interview", json!({ "resident": 9, "question": "Who?" }))
            .status,
        404
    );
    let after = RunReader::open(&served.path)
        .and_then(|run| run.digest())
        .expect("a digest");
    assert_eq!(before, after);
}

/// Whoever lives without memory answers without it, and the answer says so; with memory left out for one question it does not.
#[test]
fn an_answer_says_that_the_resident_lives_without_memory() {
    let mut town = two_neighbours();
    town.residents[0].settings.memory = false;
    let served = Served::recorded(town, HOUR, ServeOptions::default());
    let ask = |resident: u32, ablation: &str| {
        let question =
            json!({ "resident": resident, "question": "What are you doing?", "ablation": ablation });
        served.post("/api/interview", question).json()
    };
    let lived = ask(0, "none");
    assert_eq!(
        (&lived["without_memory"], &lived["memories"]),
        (&json!(true), &json!([]))
    );
    let ablated = ask(1, "nothing");
    assert_eq!(
        (&ablated["without_memory"], &ablated["memories"]),
        (&json!(false), &json!([]))
    );
}

/// An answer that is not the model's says so, and why.
#[test]
fn an_answer_says_that_the_rules_gave_it_in_the_models_place() {
    let answers = |reply: &'static str| {
        let model = Scripted::start(move |_: &Request| Play::reply(reply));
        let served = Served::minded(two_neighbours(), 2, minds_of(&model));
        served.wait_until("it ends", |served| {
            served.json("/api/run")["mode"]["state"] == "ended"
        });
        let question = json!({ "resident": 0, "question": "What are you doing?" });
        served.post("/api/interview", question).json()
    };
    let own = answers(r#"{"answer": "I look at the apples.", "used": []}"#);
    assert_eq!(
        (&own["answer"], &own["fallback"]),
        (&json!("I look at the apples."), &Value::Null)
    );
    let rules = answers("{}");
    assert!(
        rules["fallback"].as_str().is_some_and(|why| !why.is_empty()),
        "{rules}"
    );
}

/// A fork shares the past, lies beside its parent, and is never written over anything.
#[test]
fn a_fork_is_made_here() {
    let served = Served::finished();
    let tick = served.head() / 2;
    let made = control(
        &served,
        json!({ "command": "fork", "tick": tick, "file": "noon" }),
    );
    assert_eq!(made["fork"], json!({ "file": "noon.run", "tick": tick }));
    let parent = RunReader::open(&served.path).and_then(|run| run.digest_at(tick as u32));
    let child = RunReader::open(served.path.with_file_name("noon.run")).and_then(|run| run.digest());
    assert_eq!(parent.expect("a parent"), child.expect("a child"));
    let again = served.post(
        "/api/control",
        json!({ "command": "fork", "tick": tick, "file": "noon" }),
    );
    assert_eq!(again.status, 409, "{}", again.text());
    let outside = served.post(
        "/api/control",
        json!({ "command": "fork", "tick": tick, "file": "../noon" }),
    );
    assert_eq!(outside.status, 400);
    let late = served.post("/api/control", json!({ "command": "fork", "tick": 1_000_000 }));
    assert_eq!(late.status, 416);
}
