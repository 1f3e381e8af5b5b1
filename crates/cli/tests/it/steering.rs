//! What people do to a run from outside, and what they ask, as it is typed.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;
use townsfolk_store::{RunReader, TaskFilter};

use crate::common::{Desk, two_neighbours};

/// A paused run that stands at ten in the morning.
fn morning(desk: &Desk) {
    desk.make(&two_neighbours(), "a.run", &["--until", "2024-09-02 10:00"]);
}

#[test]
fn a_whisper_is_recorded_and_heard_when_the_run_goes_on() {
    let desk = Desk::new();
    morning(&desk);
    let said = desk.run(&[
        "whisper",
        "a.run",
        "theo",
        "You have been promised two baskets of apples",
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("1 input recorded") && said.stderr.contains("townsfolk resume a.run"));
    assert!(
        !desk
            .ok(&["inspect", "a.run", "memories", "theo"])
            .contains("baskets of apples")
    );
    desk.ok(&["resume", "a.run", "--ticks", "6", "--quiet"]);
    let heard = desk.ok(&["inspect", "a.run", "memories", "theo", "--find", "baskets"]);
    assert!(
        heard.contains("Théo Baptiste has been promised two baskets"),
        "{heard}"
    );
}

#[test]
fn what_is_over_stays_and_the_way_to_a_fork_is_shown() {
    let desk = Desk::new();
    morning(&desk);
    let digest = desk.digest("a.run");
    let refused = desk.refused(&["whisper", "a.run", "theo", "Hello", "--at", "day 1 09:00"]);
    assert!(refused.contains("is over, and what happened stays"), "{refused}");
    let command = refused
        .split("townsfolk fork ")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    let mut fork = vec!["fork"];
    fork.extend(command.split_whitespace());
    desk.ok(&fork);
    // What was to act later in the parent acts there alone.
    desk.ok(&[
        "whisper",
        "a.run",
        "nora",
        "The well has run dry",
        "--at",
        "day 1 23:00",
    ]);
    let again: Vec<&str> = fork
        .iter()
        .map(|part| if *part == "a.2.run" { "b.run" } else { part })
        .collect();
    let told = desk.run(&again).stderr;
    assert!(
        told.contains("1 input for later moments stay with a.run"),
        "{told}"
    );
    assert_eq!(desk.digest("a.2.run"), desk.digest("b.run"));
    desk.ok(&["whisper", "a.2.run", "theo", "You love quinces"]);
    desk.ok(&["resume", "a.2.run", "--ticks", "3", "--quiet"]);
    assert!(
        desk.ok(&["inspect", "a.2.run", "memories", "theo", "--find", "quinces"])
            .contains("quinces")
    );
    assert_eq!(desk.digest("a.run"), digest, "the parent is as it was");
}

#[test]
fn a_visitor_comes_speaks_is_answered_and_goes() {
    let desk = Desk::new();
    morning(&desk);
    let say = [
        "say",
        "a.run",
        "nora",
        "Good morning! How are you?",
        "--as",
        "林 真美",
        "--role",
        "a reporter",
    ];
    desk.ok(&say);
    desk.ok(&["resume", "a.run", "--ticks", "40", "--quiet"]);
    let chats = desk.ok(&["inspect", "a.run", "chats", "nora"]);
    assert!(
        chats.contains("林 真美") && chats.contains("How are you?"),
        "{chats}"
    );
    let seen = desk.ok(&["inspect", "a.run", "memories", "nora", "--find", "a reporter"]);
    assert!(seen.contains("林 真美"), "{seen}");
    desk.ok(&["resident", "remove", "a.run", "林 真美"]);
    desk.ok(&["resume", "a.run", "--ticks", "6", "--quiet"]);
    let gone = desk.refused(&say);
    assert!(gone.contains("林 真美 has left the town"), "{gone}");
}

#[test]
fn wrong_names_places_and_states_are_refused_and_nothing_is_recorded() {
    let desk = Desk::new();
    morning(&desk);
    let nobody = desk.refused(&["whisper", "a.run", "Nroa", "Hello"]);
    assert!(nobody.contains("did you mean Nora Lindqvist?"), "{nobody}");
    let place = desk.refused(&["object", "set", "a.run", "Lindqvist House:kitchen", "broken"]);
    assert!(place.contains("is an arena and not an object"), "{place}");
    let empty = desk.refused(&["whisper", "a.run", "nora", " "]);
    assert!(empty.contains("the whisper is empty"), "{empty}");
    std::fs::write(
        desk.path("history.csv"),
        "Name,Whisper\nNora Lindqvist,You like tea;You like rain\nNobody Atall,You like fog\n",
    )
    .unwrap();
    let history = desk.refused(&["history", "a.run", "history.csv"]);
    assert!(
        history.contains("history.csv:3") && history.contains("nothing was told to anybody"),
        "{history}"
    );
    let digest = desk.digest("a.run");
    desk.ok(&["resume", "a.run", "--ticks", "1", "--quiet"]);
    assert!(
        !desk
            .ok(&["inspect", "a.run", "memories", "nora"])
            .contains("likes rain")
    );
    assert_ne!(digest, "");
}

#[test]
fn a_file_of_inputs_makes_the_same_run_twice() {
    let desk = Desk::new();
    std::fs::write(
        desk.path("inputs.toml"),
        r#"
[[inputs]]
at = "day 1 09:00"
input = "whisper"
resident = "Nora Lindqvist"
text = "You have found an old key"

[[inputs]]
at = "day 1 10:00"
input = "leave"
who = "Théo Baptiste"
"#,
    )
    .unwrap();
    let town = two_neighbours();
    for run in ["a.run", "b.run"] {
        desk.make(
            &town,
            run,
            &["--inputs", "inputs.toml", "--until", "2024-09-02 12:00"],
        );
    }
    assert_eq!(desk.digest("a.run"), desk.digest("b.run"));
    assert!(
        desk.ok(&["inspect", "a.run", "memories", "nora", "--find", "old key"])
            .contains("old key")
    );
    std::fs::write(
        desk.path("bad.toml"),
        "[[inputs]]\nat = \"day 1 09:00\"\ninput = \"sing\"\n",
    )
    .unwrap();
    let bad = desk.refused(&[
        "run",
        town.to_str().unwrap(),
        "--out",
        "c.run",
        "--inputs",
        "bad.toml",
    ]);
    assert!(bad.contains("bad.toml: input 1: unknown variant `sing`"), "{bad}");
    assert!(!desk.path("c.run").exists());
    let early = r#"{"at": "day 0 09:00", "input": "set_object", "object": "stove", "state": "cold"}"#;
    let half = r#"{"at": "day 1 09:00", "input""#;
    for (text, places) in [
        (early, ["bad.jsonl: line 2", "lies before the run; it begins at"]),
        (half, ["bad.jsonl: line 2, column 29", "EOF"]),
    ] {
        std::fs::write(desk.path("bad.jsonl"), format!("\n{text}\n")).unwrap();
        let bad = desk.refused(&[
            "run",
            town.to_str().unwrap(),
            "--out",
            "c.run",
            "--inputs",
            "bad.jsonl",
        ]);
        assert!(
            places.iter().all(|place| bad.contains(place)) && !bad.contains("line 1"),
            "{bad}"
        );
    }
    std::fs::write(
        desk.path("nowhere.toml"),
        "[[inputs]]\nat = \"day 1 09:00\"\ninput = \"set_object\"\nobject = \"The Moon\"\nstate = \"full\"\n",
    )
    .unwrap();
    let nowhere = desk.refused(&[
        "run",
        town.to_str().unwrap(),
        "--out",
        "c.run",
        "--inputs",
        "nowhere.toml",
    ]);
    assert!(
        nowhere.contains("nowhere.toml: input 1: the map has no place \"The Moon\""),
        "{nowhere}"
    );
    assert!(!desk.path("c.run").exists());
}

#[test]
fn an_answer_shows_what_it_rests_on_and_leaves_no_trace() {
    let desk = Desk::new();
    morning(&desk);
    let digest = desk.digest("a.run");
    let told = desk.ok(&["interview", "a.run", "theo", "What are you like?"]);
    assert!(
        told.contains("Théo Baptiste: What are you like?") && told.contains("dreamy"),
        "{told}"
    );
    assert!(told.contains("recency  importance  relevance"), "{told}");
    let unknown = desk.ok(&[
        "interview",
        "a.run",
        "theo",
        "Who is Odalys Fenwright?",
        "--show",
        "0",
    ]);
    assert!(!unknown.contains("is a "), "{unknown}");
    assert_eq!(desk.digest("a.run"), digest);
    desk.ok(&[
        "interview",
        "a.run",
        "theo",
        "Do you like quinces?",
        "--leave-memory",
    ]);
    desk.ok(&["resume", "a.run", "--ticks", "2", "--quiet"]);
    let kept = desk.ok(&["inspect", "a.run", "memories", "theo", "--find", "quinces"]);
    assert!(kept.contains("was asked: Do you like quinces?"), "{kept}");
}

#[test]
fn everybody_is_asked_in_every_condition_into_a_table() {
    let desk = Desk::new();
    morning(&desk);
    desk.ok(&[
        "interview",
        "a.run",
        "--questions",
        "paper",
        "--ablation",
        "all",
        "--format",
        "csv",
        "--out",
        "a.csv",
    ]);
    let mut table = csv::Reader::from_path(desk.path("a.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * 25 * 4);
    for row in &rows {
        assert!(!row[7].is_empty(), "{row:?}");
        assert!(!row[5].contains('{'), "every placeholder is filled: {row:?}");
        if &row[6] == "nothing" {
            assert_eq!(&row[8], "", "{row:?}");
        }
    }
    let lines = desk.ok(&[
        "interview",
        "a.run",
        "nora",
        "--questions",
        "paper",
        "--format",
        "jsonl",
    ]);
    let answers: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 25);
    assert_eq!(answers[0]["resident"], "Nora Lindqvist");
    for column in table.headers().unwrap() {
        assert!(answers[0].get(column).is_some(), "{column}");
    }
    let memory = &answers[0]["memories"][0];
    let parts = ["recency", "importance", "relevance"].map(|part| memory[part].as_f64().unwrap());
    assert!((memory["total"].as_f64().unwrap() - parts.iter().sum::<f64>()).abs() < 1e-9);
}

#[test]
fn a_talk_at_the_prompt_goes_on_until_it_is_left() {
    let desk = Desk::new();
    morning(&desk);
    let mut talk = desk.command(&["interview", "a.run", "nora"]);
    let mut talk = talk.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let typed = b"How old are you?\n/memories\n\n\xff\xfe?\n/nonsense\n/memories few\n/quit\nnever read\n";
    talk.stdin.take().unwrap().write_all(typed).unwrap();
    let output = talk.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(said.contains("I am") && said.contains("relevance"), "{said}");
    assert!(said.contains("say how many"), "{said}");
    let remarks = String::from_utf8_lossy(&output.stderr);
    assert!(remarks.contains("/nonsense is no command"), "{remarks}");
}

#[test]
fn a_town_does_without_reflection_planning_or_memory() {
    let desk = Desk::new();
    let town = two_neighbours();
    for part in ["reflection", "planning", "memory", "reflection,planning,memory"] {
        let run = format!("{part}.run");
        desk.make(&town, &run, &["--without", part, "--days", "1"]);
        let kinds = |kind: &str| {
            ["nora", "theo"]
                .map(|who| desk.json(&["inspect", &run, "memories", who, "--kind", kind, "--json"]))
        };
        let none = |found: [Value; 2]| found.iter().all(|f| f["memories"].as_array().unwrap().is_empty());
        if part.contains("reflection") {
            assert!(none(kinds("reflection")), "{part}");
        }
        if part.contains("planning") {
            assert!(none(kinds("plan")), "{part}");
        }
        if part.contains("memory") {
            let reader = RunReader::open(desk.path(&run)).unwrap();
            let tasks = reader.tasks(&TaskFilter::default()).unwrap();
            for task in &tasks {
                let input: Value = serde_json::from_str(&task.row.input).unwrap();
                for came_to_mind in ["recalled", "topics", "news"] {
                    let found = input[came_to_mind].as_array().is_none_or(Vec::is_empty);
                    assert!(found, "{}: {input}", task.row.kind);
                }
            }
            assert!(tasks.iter().any(|task| task.row.kind == "reaction"));
            let question = ["interview", &run, "nora", "What happened today?"];
            let lived = desk.ok(&question);
            assert!(lived.contains("(lives without memory"), "{lived}");
            let file = desk.ok(&[&question[..], &["--all-memories"]].concat());
            assert!(
                !file.contains("without memory") && file.contains("relevance"),
                "{file}"
            );
        }
        desk.ok(&["check", &run]);
    }
}

#[test]
fn every_view_knows_who_joined_and_who_visits() {
    let desk = Desk::new();
    morning(&desk);
    let nora = std::fs::read_to_string(two_neighbours().join("residents/nora.toml")).unwrap();
    let vera = nora
        .replace("Nora Lindqvist", "Vera Holm")
        .replace("\"Nora\"", "\"Vera\"");
    std::fs::write(desk.path("vera.toml"), vera).unwrap();
    desk.ok(&["resident", "add", "a.run", "vera.toml"]);
    let early = desk.refused(&["inspect", "a.run", "plan", "vera"]);
    assert!(
        early.contains("Vera Holm is not in town yet; they come at"),
        "{early}"
    );
    let reporter = ["--as", "Dana Reed", "--role", "a reporter"];
    let mut say = vec!["say", "a.run", "nora", "The bridge is closed"];
    say.extend(reporter);
    desk.ok(&say);
    desk.ok(&["resume", "a.run", "--ticks", "60", "--quiet"]);
    for view in [
        "plan",
        "memories",
        "schedule",
        "reflections",
        "places",
        "chats",
        "relationships",
    ] {
        let shown = desk.ok(&["inspect", "a.run", view, "Vera Holm"]);
        assert!(shown.contains("Vera"), "{view}: {shown}");
    }
    let chats = desk.ok(&["inspect", "a.run", "chats", "dana"]);
    assert!(
        chats.contains("Dana Reed (a reporter)") && chats.contains("The bridge is closed"),
        "{chats}"
    );
    let summary = desk.ok(&["inspect", "a.run"]);
    assert!(summary.contains("3 residents and 1 visitor"), "{summary}");
    let told = desk.ok(&["inspect", "a.run", "memories", "nora", "--find", "bridge"]);
    assert!(told.contains("told by Dana Reed"), "{told}");
    desk.ok(&["resident", "remove", "a.run", "dana"]);
    desk.ok(&["resident", "remove", "a.run", "vera"]);
    let twice = desk.refused(&["resident", "remove", "a.run", "vera"]);
    assert!(twice.contains("Vera Holm leaves the town at tick"), "{twice}");
    let whisper = desk.refused(&["whisper", "a.run", "vera", "You like fog"]);
    assert!(whisper.contains("Vera Holm leaves the town at tick"), "{whisper}");
    desk.ok(&["resume", "a.run", "--ticks", "6", "--quiet"]);
    let places = desk.ok(&["inspect", "a.run", "places"]);
    let gone = places.lines().filter(|line| line.contains("has left"));
    assert_eq!(gone.count(), 2, "{places}");
    for view in [
        vec![],
        vec!["news"],
        vec!["relationships"],
        vec!["chats"],
        vec!["places"],
    ] {
        let mut args = vec!["inspect", "a.run"];
        args.extend(view);
        let shown = desk.ok(&args);
        assert!(!shown.contains("somebody"), "{args:?}: {shown}");
    }
    let asked = desk.refused(&["interview", "a.run", "dana", "Who are you?"]);
    assert!(asked.contains("Dana Reed is a visitor"), "{asked}");
}

#[test]
fn a_forgotten_quote_in_a_history_is_refused_with_its_line() {
    let desk = Desk::new();
    morning(&desk);
    std::fs::write(
        desk.path("history.csv"),
        "Name,Whisper\nNora Lindqvist,\"You like tea; You like rain\nThéo Baptiste,You like fog\n",
    )
    .unwrap();
    let town = two_neighbours();
    let run = [
        "run",
        town.to_str().unwrap(),
        "--history",
        "history.csv",
        "--ticks",
        "1",
    ];
    for args in [&["history", "a.run", "history.csv"][..], &run] {
        let refused = desk.refused(args);
        assert!(
            refused.contains("history.csv: line 2: a quote opens"),
            "{refused}"
        );
    }
    desk.ok(&["resume", "a.run", "--ticks", "6", "--quiet"]);
    let told = desk.ok(&["inspect", "a.run", "memories", "nora", "--find", "likes"]);
    assert!(!told.contains("likes tea"), "{told}");
}

#[test]
fn questions_with_unknown_placeholders_are_refused_with_their_line() {
    let desk = Desk::new();
    morning(&desk);
    std::fs::write(
        desk.path("q.toml"),
        "[[area]]\nname = \"a\"\nquestions = [\n  \"Who is {other}?\",\n  \"{name}, who is {nope}?\",\n]\n",
    )
    .unwrap();
    let refused = desk.refused(&["interview", "a.run", "--questions", "q.toml"]);
    assert!(
        refused.contains("q.toml:5: {nope}") && refused.contains("{first_name}"),
        "{refused}"
    );
}

#[test]
fn the_examples_of_steering_name_people_and_places_of_the_town_that_comes_along() {
    let desk = Desk::new();
    desk.ok(&["run", "osier_quay", "--out", "a.run", "--ticks", "1", "--quiet"]);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/steering.md");
    let mut text = std::fs::read_to_string(page).unwrap();
    for help in ["whisper", "object", "resident"] {
        text += &desk.ok(&[help, "--help"]);
    }
    let text = text.replace("osier_quay.run", "a.run");
    let mut tried = Vec::new();
    for line in text.lines().map(str::trim) {
        let acts = ["whisper a.run", "object set a.run", "resident move a.run"];
        let Some(command) = line.strip_prefix("townsfolk ") else {
            continue;
        };
        if acts.iter().any(|act| command.starts_with(act)) {
            // Every other piece stands in quotes.
            let pieces = command.split('"').enumerate();
            let args: Vec<&str> = pieces
                .flat_map(|(i, piece)| match i % 2 {
                    0 => piece.split_whitespace().collect(),
                    _ => vec![piece],
                })
                .collect();
            desk.ok(&args);
            tried.push(command);
        }
    }
    for part in ["object set", "resident move"] {
        let count = tried.iter().filter(|command| command.starts_with(part)).count();
        assert!(count >= 2, "in the page and in the help: {tried:?}");
    }
}
