//! Agents whose mind is a language model: the example programs, and what a restart keeps. The model is a
//! server on this machine that answers by the schema it is sent.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use townsfolk_agent::{
    GameTime, GenerativeAgent, ManualClock, MemoryKind, Observation, Options, Persona, PromptSet, Roles,
    Settings, Surroundings,
};
use townsfolk_embed::HashedWords;
use townsfolk_model::scripted::{Play, Request, Server};
use townsfolk_model::{Models, ModelsConfig, Stop};
use townsfolk_store::RunReader;

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

fn morning() -> ManualClock {
    ManualClock::new("2024-06-03 08:00".parse::<GameTime>().expect("a time"))
}

/// Surroundings whose mind is served by `server`.
fn served(server: &Server, clock: &ManualClock) -> Surroundings {
    served_as(&config(server), clock)
}

/// Surroundings whose mind is what a `models.toml` says.
fn served_as(config: &str, clock: &ManualClock) -> Surroundings {
    let config = ModelsConfig::read(config, "models.toml").expect("the configuration is right");
    let key = |_: &str| Some("sk-test".to_owned());
    let models = Models::open(&config, &key, None, &Stop::default()).expect("the models open");
    let prompts = PromptSet::of("en").expect("the prompts are right");
    Surroundings::new(Arc::new(HashedWords), clock.clone()).with_models(Roles::from(&models), prompts)
}

/// An agent that lives long before it reflects.
fn no_reflection() -> Options {
    Options {
        settings: Settings {
            reflection_threshold: 10_000,
            ..Settings::paper()
        },
        ..Options::default()
    }
}

/// 22: what follows from memories sets off no thoughts of its own, however important it is.
#[test]
fn two_memories_of_importance_nine_set_off_exactly_one_reflection() {
    let server = model();
    let clock = morning();
    let options = Options {
        settings: Settings {
            reflection_threshold: 10,
            ..Settings::paper()
        },
        ..Options::default()
    };
    let mut ilse = GenerativeAgent::new(Persona::new("Ilse Brandt"), options, served(&server, &clock));
    let reflections = || {
        let asks = |request: &Request| {
            let schema = request.schema().unwrap_or_default();
            schema.pointer("/properties/questions").is_some()
        };
        server.requests().iter().filter(|request| asks(request)).count()
    };
    let first = ilse
        .add_memory("Tomas Varga lent out his boat")
        .expect("it is remembered");
    assert!(first.insights.is_empty());
    assert_eq!((ilse.importance_until_reflection(), reflections()), (1, 0));
    let second = ilse.add_memory("The ferry is late").expect("it is remembered");
    assert!(!second.insights.is_empty());
    for id in &second.insights {
        let insight = ilse.memory().get(*id).expect("it is kept");
        assert_eq!((insight.kind, insight.depth), (MemoryKind::Reflection, 1));
        assert_eq!(
            insight.importance, 9,
            "it would count for as much as what was seen"
        );
        assert!(!insight.evidence.is_empty() && insight.evidence.iter().all(|e| e < id));
    }
    assert_eq!(ilse.importance_until_reflection(), 10, "insights do not count");
    let third = ilse.add_memory("The pier is wet").expect("it is remembered");
    assert!(third.insights.is_empty(), "it counts anew");
    assert_eq!((ilse.importance_until_reflection(), reflections()), (1, 1));
}

/// 10: a turn that breaks off between the question and the tool's answer is no part of later ones.
#[test]
fn a_turn_that_breaks_off_leaves_nothing_in_the_next_ones() {
    let rating = r#"{"ratings": [7]}"#;
    let server = Server::playing(vec![
        Play::Half(rating.to_owned()),
        Play::reply(rating),
        Play::reply(rating),
        Play::reply(rating),
    ]);
    let config = format!(
        "[thinking]\nmodel = \"anthropic:tide\"\nbase_url = \"{}\"\nretries = 0\n",
        server.base_url()
    );
    let clock = morning();
    let surroundings = served_as(&config, &clock);
    let mut wren = GenerativeAgent::new(Persona::new("Wren Okafor"), no_reflection(), surroundings);
    let seen = [
        "A gull on the roof",
        "A boat at the pier",
        "A cat in the yard",
        "A bell in the fog",
    ];
    for (at, seen) in seen.into_iter().enumerate() {
        clock.advance_minutes(5);
        wren.add_memory(seen).expect("it acts again");
        let memories: Vec<_> = wren.memory().iter().collect();
        assert_eq!((memories.len(), &*memories[at].text), (at + 1, seen));
        assert_eq!(
            memories[at].importance == 7,
            at > 0,
            "the model rates all but the first"
        );
    }
    let requests = server.requests();
    assert_eq!(requests.len(), seen.len());
    for request in requests {
        let sent = request.json();
        assert_eq!(sent["messages"].as_array().map(Vec::len), Some(1), "{sent}");
        assert_eq!(sent["messages"][0]["role"], "user");
        let tool = &sent["tool_choice"]["name"];
        assert_eq!(
            (&sent["tools"][0]["name"], tool.is_string()),
            (tool, true),
            "{sent}"
        );
        for residue in ["tool_use", "tool_result", "call_0"] {
            assert!(!sent["messages"].to_string().contains(residue), "{sent}");
        }
    }
}

/// 28: whoever dumps the prompts of five steps finds the persona once in each, nothing raw, and no growth.
#[test]
fn five_steps_with_a_long_persona_ask_for_it_once_each_and_no_longer_each_time() {
    let server = model();
    let clock = morning();
    let background: Vec<String> = (0..500).map(|i| format!("word{i}")).collect();
    let persona = Persona {
        background: background.join(" "),
        ..Persona::new("Ilse Brandt")
    };
    let options = no_reflection();
    let mut ilse = GenerativeAgent::new(persona, options, served(&server, &clock));
    let seen = [
        "a gull on the roof",
        "a boat at the pier",
        "a cat in the yard",
        "a light in the loft",
        "a bell in the fog",
    ];
    let mut sizes = Vec::new();
    for seen in seen {
        let before = server.count();
        clock.advance_minutes(5);
        ilse.add_memory(seen).expect("it is remembered");
        for request in &server.requests()[before..] {
            let whole = format!("{}\n{}", request.system(), request.prompt());
            assert!(whole.matches("word0 word1 ").count() <= 1, "{whole}");
            let raw = ["MemoryId", "finish_reason", "usage", "role:"];
            assert!(!raw.iter().any(|raw| whole.contains(raw)), "{whole}");
            sizes.push(whole.len());
        }
    }
    assert_eq!(sizes.len(), seen.len(), "each step asks once");
    let spread = sizes.iter().max().unwrap_or(&0) - sizes.iter().min().unwrap_or(&0);
    assert!(spread < 8, "{sizes:?}");
}

/// 29: age and opinion are known after two hundred other memories, and the prompt can be looked up.
#[test]
fn who_an_agent_is_stands_in_front_after_two_hundred_memories() {
    let server = model();
    let clock = morning();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ilse.run");
    let persona = Persona {
        age: Some(43),
        background: "Ilse Brandt holds that the levy must be 13 %.".into(),
        ..Persona::new("Ilse Brandt")
    };
    let rated = |i: u32| Observation {
        importance: Some(3),
        ..Observation::from(format!("Boat number {i} leaves the harbour"))
    };
    let mut ilse = GenerativeAgent::create(&path, persona.clone(), no_reflection(), served(&server, &clock))
        .expect("a new file");
    ilse.add_memories((0..200).map(rated))
        .expect("they are remembered");
    for question in ["How old are you?", "How high should the levy be?"] {
        ilse.interview(question, &[]).expect("an answer");
        let asked = server.requests().pop().expect("the model was asked");
        assert!(
            asked.system().contains("43") && asked.system().contains("levy must be 13 %"),
            "{}",
            asked.system()
        );
    }
    ilse.close().expect("it closes");
    // The rules know it as well.
    let mut ilse = GenerativeAgent::new(
        persona,
        no_reflection(),
        Surroundings::new(Arc::new(HashedWords), clock),
    );
    ilse.add_memories((0..200).map(rated))
        .expect("they are remembered");
    let says = |question| ilse.interview(question, &[]).expect("an answer").text;
    assert!(says("How old are you?").contains("43"));
    assert!(says("How high should the levy be?").contains("13 %"));
}

/// 01, 03 and 13: what a model says instead of an answer is neither remembered nor said.
#[test]
fn errors_fences_and_thoughts_of_a_model_are_no_answers_of_an_agent() {
    for (reply, says) in [
        (Play::no_such_model(), None),
        (
            Play::reply("ERROR: prompt is longer than the context window"),
            None,
        ),
        (Play::reply("<think>maybe something about rolls"), None),
        (Play::reply(""), None),
        (
            Play::reply("<think>she may know</think>{\"answer\": \"The tide is high.\", \"used\": []}"),
            Some("The tide is high."),
        ),
        (
            Play::reply("Sure!\n```json\n{'answer': 'The tide is high.', 'used': []}\n```"),
            Some("The tide is high."),
        ),
    ] {
        let server = Server::playing(vec![reply.clone()]);
        let mut ilse = GenerativeAgent::new(
            Persona::new("Ilse Brandt"),
            Options::default(),
            served(&server, &morning()),
        );
        // A model that is not there halts, with its name; nothing was remembered then.
        let remembered = ilse.add_memory("The ferry is late");
        let answer = ilse.interview("How is the tide?", &[]);
        let texts: Vec<String> = ilse
            .memory()
            .iter()
            .map(|memory| memory.text.to_string())
            .collect();
        for spoilt in ["ERROR", "think", "gone-1", "```"] {
            assert!(!texts.iter().any(|text| text.contains(spoilt)), "{texts:?}");
        }
        match answer {
            Ok(answer) => {
                assert!(
                    remembered.is_ok() && !answer.text.contains("ERROR") && !answer.text.contains("think")
                );
                assert!(says.is_none_or(|says| answer.text == says), "{}", answer.text);
            }
            Err(error) => {
                assert!(says.is_none() && remembered.is_err(), "{error}");
                assert!(error.to_string().contains("tide"), "it names the model: {error}");
            }
        }
    }
}

#[test]
fn what_was_asked_before_a_restart_is_not_asked_again() {
    let server = model();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ilse.run");
    let clock = morning();
    let surroundings = || served(&server, &clock);
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
    let run = RunReader::open(&path).expect("it can be read");
    let report = townsfolk_audit::audit(&run).expect("it can be checked");
    assert!(report.holds(), "{report:?}");
}
