//! Agents whose mind is a language model: the example programs, and what a restart keeps. The model is a
//! server on this machine that answers by the schema it is sent.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use townsfolk_agent::{
    GameTime, GenerativeAgent, ManualClock, Options, Persona, PromptSet, Roles, Surroundings,
};
use townsfolk_embed::HashedWords;
use townsfolk_model::scripted::{Play, Request, Server};
use townsfolk_model::{Models, ModelsConfig, Stop};

/// What the model says about anything, so that it can be told from the routine mind.
const SAYING: &str = "The tide is turning, says the model";

/// A model that keeps to the schema.
fn model() -> Server {
    Server::start(|request: &Request| {
        let schema = request.schema().unwrap_or_default();
        let has = |field: &str| schema.pointer(&format!("/properties/{field}")).is_some();
        // One number for each line that is numbered in the prompt.
        let prompt = request.prompt();
        let numbered = prompt
            .lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let answer: Value = if has("ratings") {
            json!({ "ratings": vec![9; numbered.count().max(1)] })
        } else if has("questions") {
            json!({ "questions": ["What is the tide doing?"] })
        } else if has("insights") {
            json!({ "insights": [{ "because": [1], "text": format!("{SAYING} as an insight") }] })
        } else if has("say") {
            let ends = prompt.contains("before you go");
            let say = if ends {
                "Goodbye then"
            } else {
                "Tell me of the tide before you go"
            };
            json!({ "say": say, "stops": ends })
        } else if has("memo") {
            json!({ "agreed": [], "memo": format!("{SAYING} in a memo"), "planning": "" })
        } else if has("answer") {
            json!({ "answer": SAYING, "used": [1] })
        } else {
            json!({ "text": SAYING })
        };
        Play::Reply(answer.to_string())
    })
}

fn config(server: &Server) -> String {
    format!(
        "[thinking]\nmodel = \"server:tide\"\nbase_url = \"{}\"\nwindow_tokens = 32000\n\
         timeout_seconds = 20.0\nretries = 0\n",
        server.base_url()
    )
}

/// An example program as `cargo test` has built it.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("a test knows where it is");
    let built: Option<PathBuf> = test
        .parent()
        .and_then(Path::parent)
        .map(|folder| folder.join("examples"));
    let program = built
        .expect("tests lie in a folder")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "build it first: cargo build --package townsfolk-agent --examples"
    );
    Command::new(program)
}

#[track_caller]
fn printed(command: &mut Command) -> String {
    let output = command.output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

#[test]
fn both_examples_run_offline_and_know_more_afterwards() {
    let day = printed(&mut example("twenty_observations"));
    let (before, after) = day.split_once("\nAfter the day").expect("it is lived to its end");
    assert!(!before.contains("from m"), "{before}");
    assert!(
        after.contains("boathouse") && after.contains("Wanda Sato"),
        "{after}"
    );
    let talk = printed(&mut example("two_agents_talk"));
    let (before, after) = talk.split_once("\nThe talk").expect("they talk");
    let supper = |text: &str| {
        text.split("Tomas Varga is asked: What do you know about the lantern supper?")
            .nth(1)
            .map(str::to_owned)
    };
    assert!(
        !supper(before).expect("he is asked").contains("Ngaio"),
        "{before}"
    );
    assert!(
        supper(after).expect("he is asked again").contains("Ngaio"),
        "{after}"
    );
}

#[test]
fn both_examples_run_on_a_model() {
    let server = model();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("models.toml");
    std::fs::write(&file, config(&server)).expect("the file is written");
    let day = printed(example("twenty_observations").arg("--models").arg(&file));
    assert!(day.contains(&format!("Who is Emil Sato?\n    {SAYING}")), "{day}");
    assert!(day.contains(&format!("thinks: {SAYING} as an insight")), "{day}");
    let talk = printed(example("two_agents_talk").arg("--models").arg(&file));
    assert!(
        talk.contains("Ngaio Rewi: Tell me of the tide before you go\n  Tomas Varga: Goodbye then\n"),
        "{talk}"
    );
    assert!(server.count() > 20);
}

#[test]
fn what_was_asked_before_a_restart_is_not_asked_again() {
    let server = model();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ilse.run");
    let clock = ManualClock::new("2024-06-03 08:00".parse::<GameTime>().expect("a time"));
    let surroundings = || {
        let config = ModelsConfig::read(&config(&server), "models.toml").expect("the configuration is right");
        let models = Models::open(&config, &|_| None, None, &Stop::default()).expect("the models open");
        let prompts = PromptSet::of("en").expect("the prompts are right");
        Surroundings::new(Arc::new(HashedWords), clock.clone()).with_models(Roles::from(&models), prompts)
    };
    let seen = "The ferry is late";
    let mut ilse = GenerativeAgent::create(
        &path,
        Persona::new("Ilse Brandt"),
        Options::default(),
        surroundings(),
    )
    .expect("a new file");
    ilse.add_memory(seen).expect("it is remembered");
    let bought = server.count();
    clock.advance_minutes(10);
    ilse.add_memory(seen).expect("it is remembered");
    assert_eq!(server.count(), bought, "the same sight is not rated twice");
    ilse.close().expect("it closes");

    let mut ilse = GenerativeAgent::open(&path, surroundings()).expect("it opens");
    clock.advance_minutes(10);
    ilse.add_memory(seen).expect("it is remembered");
    assert_eq!(server.count(), bought, "nor after a restart");
    ilse.close().expect("it closes");
    // What rests on the old reply says so: nothing is missing in the file.
    let run = townsfolk_store::RunReader::open(&path).expect("it can be read");
    let report = townsfolk_audit::audit(&run).expect("it can be checked");
    assert!(report.holds(), "{report:?}");
}
