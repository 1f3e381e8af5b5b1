//! Kinds of fault with models and providers that users of other systems met, in the program as people use it.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use townsfolk_model::scripted::{Play, Request, Server};

use crate::common::{Desk, Ran, copy, two_neighbours};

const KEY: &str = "sk-a-very-secret-key-0123456789";

fn vague() -> Server {
    Server::start(|_| Play::Reply("Well, let me see.".to_owned()))
}

/// Runs a command with the key at hand.
fn with_key(desk: &Desk, args: &[&str]) -> Ran {
    let mut command: Command = desk.command(args);
    let output = command.env("VECTOR_KEY", KEY).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn role(role: &str, model: &str, server: &Server, more: &str) -> String {
    format!(
        "[{role}]\nmodel = \"{model}\"\nbase_url = \"{}\"\nretries = 0\ntimeout_seconds = 5.0\n{more}",
        server.base_url()
    )
}

fn run(desk: &Desk, more: &[&str]) -> Ran {
    let town = two_neighbours();
    let args = [
        "run",
        town.to_str().unwrap(),
        "--models",
        "models.toml",
        "--quiet",
        "--out",
        "a.run",
    ];
    with_key(desk, &[&args[..], more].concat())
}

#[test]
fn an_embedder_that_is_gone_is_found_by_the_check_and_before_a_run() {
    let server = Server::start(|request| match request.path.ends_with("/embeddings") {
        true => Play::json(
            404,
            json!({"error": {"message": "model `no-such-model` not found"}}),
        ),
        false => Play::reply("{\"larger\": 7}"),
    });
    let desk = Desk::new();
    let text = role("thinking", "server:stub", &server, "")
        + &role("embedding", "server:no-such-model", &server, "");
    std::fs::write(desk.path("models.toml"), text).unwrap();
    let checked = desk.run(&["models", "check"]);
    assert_eq!(checked.code, 1, "{}", checked.stdout);
    let lines: Vec<&str> = checked.stdout.lines().collect();
    assert!(
        lines[..3].iter().all(|line| line.contains(" ok ")),
        "{}",
        checked.stdout
    );
    assert!(
        lines[3].starts_with("embedding FAILED server:no-such-model: status 404"),
        "{}",
        lines[3]
    );
    let ran = run(&desk, &["--ticks", "5"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("no-such-model"), "{}", ran.stderr);
    assert!(!desk.path("a.run").exists());
}

#[test]
fn an_embedder_that_gives_zeros_is_found_by_the_check_and_pauses_a_run() {
    let zeros = |request: &Request| {
        let vector = |index| json!({"index": index, "embedding": [0, 0, 0, 0, 0, 0, 0, 0]});
        let data: Vec<Value> = (0..request.texts().len()).map(vector).collect();
        Play::json(200, json!({"data": data}))
    };
    let good = Arc::new(AtomicUsize::new(0));
    let left = good.clone();
    let server = Server::start(move |request| {
        let may = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if may.is_ok() {
            Play::reply("")
        } else {
            zeros(request)
        }
    });
    let desk = Desk::new();
    let thinks = "[thinking]\nmodel = \"server:stub\"\nbase_url = \"http://127.0.0.1:9/v1\"\n";
    let embeds = role("embedding", "server:nothing", &server, "").replace("retries = 0", "retries = 3");
    std::fs::write(desk.path("models.toml"), format!("{thinks}retries = 0\n{embeds}")).unwrap();
    let checked = desk.run(&["models", "check"]);
    let said = "embedding FAILED server:nothing: gave a vector of nothing but zeros";
    assert!(checked.stdout.contains(said), "{}", checked.stdout);
    assert_eq!(server.count(), 1, "the same would come again");

    std::fs::write(desk.path("models.toml"), &embeds).unwrap();
    let ran = run(&desk, &["--ticks", "100"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("server:nothing: gave a vector"),
        "{}",
        ran.stderr
    );
    assert!(!desk.path("a.run").exists());
    good.store(4, Ordering::SeqCst);
    let ran = run(&desk, &["--ticks", "400"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let why = ": embedding: server:nothing: gave a vector of nothing but zeros";
    assert!(
        ran.stderr.contains(why) && ran.stderr.contains("another embedder"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_embedder_whose_vectors_have_another_length_now_is_measured_when_a_run_is_embedded_anew() {
    let length = Arc::new(AtomicUsize::new(16));
    let now = length.clone();
    let server = Server::start(move |request| {
        let vector = vec![1.0; now.load(Ordering::SeqCst)];
        let texts = 0..request.texts().len();
        let data: Vec<Value> = texts
            .map(|index| json!({"index": index, "embedding": vector}))
            .collect();
        Play::json(200, json!({"data": data}))
    });
    let desk = Desk::new();
    let embeds = role("embedding", "server:vectors", &server, "");
    std::fs::write(desk.path("models.toml"), &embeds).unwrap();
    let ran = run(&desk, &["--ticks", "400"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    length.store(8, Ordering::SeqCst);
    desk.ok(&["re-embed", "a.run", "--models", "models.toml", "--out", "b.run"]);
    desk.ok(&["check", "b.run"]);
    desk.ok(&["resume", "b.run", "--ticks", "400", "--quiet"]);
    desk.ok(&["interview", "b.run", "nora", "What are you like?"]);
}

#[test]
fn chat_without_a_key_and_embeddings_with_one_go_to_their_own_servers() {
    // Neither has a list of models, and the first knows nothing but chat.
    let chat = Server::start(|request| match request.path.as_str() {
        "/v1/chat/completions" => Play::reply("Well, let me see."),
        _ => Play::text(404, "not found"),
    });
    let vectors = Server::start(|request| match request.path.as_str() {
        "/v1/embeddings" => Play::reply(""),
        _ => Play::text(404, "not found"),
    });
    let desk = Desk::new();
    let text = role("thinking", "lmstudio:small", &chat, "")
        + &role(
            "embedding",
            "server:vectors",
            &vectors,
            "key_variable = \"VECTOR_KEY\"\n",
        );
    std::fs::write(desk.path("models.toml"), text).unwrap();
    let ran = run(&desk, &["--ticks", "60"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let key = |request: &Request| request.header("authorization").map(str::to_owned);
    assert!(chat.count() > 0 && chat.requests().iter().all(|request| key(request).is_none()));
    let bearer = format!("Bearer {KEY}");
    assert!(
        vectors.count() > 1
            && vectors
                .requests()
                .iter()
                .all(|request| key(request) == Some(bearer.clone()))
    );
    // Asked ahead and not used in the end is recorded too.
    let calls = desk.ok(&["inspect", "a.run", "calls", "--json"]);
    let of_small = |line: &&str| line.contains(r#""model":"lmstudio:small""#);
    assert_eq!(calls.lines().filter(of_small).count(), chat.count());
}

#[test]
fn no_prompt_is_longer_than_a_small_window_and_what_was_cut_is_recorded() {
    let server = vague();
    let desk = Desk::new();
    // A biography of 900 words, and 300 memories.
    let town = desk.path("town");
    copy(&two_neighbours(), &town);
    let nora = town.join("residents/nora.toml");
    let written = std::fs::read_to_string(&nora).unwrap();
    let life = "She once mended a kite for somebody by the river. ".repeat(90);
    let jam = "makes jam from every apple she can reach.";
    assert!(written.contains(jam), "{written}");
    std::fs::write(&nora, written.replace(jam, &format!("{jam} {life}"))).unwrap();
    let whispers: Vec<String> = (0..300)
        .map(|n| format!("You have counted {n} jars of plums in the cellar"))
        .collect();
    let history = format!("Name,Whisper\nNora Lindqvist,{}\n", whispers.join(";"));
    std::fs::write(desk.path("history.csv"), history).unwrap();
    std::fs::write(
        desk.path("models.toml"),
        role(
            "thinking",
            "server:small",
            &server,
            "window_tokens = 2048\nmax_output_tokens = 400\n",
        ),
    )
    .unwrap();
    let town = town.to_str().unwrap();
    desk.ok(&["run", town, "--ticks", "10", "--quiet", "--out", "a.run"]);
    desk.ok(&["history", "a.run", "history.csv"]);
    desk.ok(&[
        "resume",
        "a.run",
        "--ticks",
        "400",
        "--models",
        "models.toml",
        "--quiet",
    ]);
    desk.ok(&["interview", "a.run", "nora", "How many jars have you counted?"]);

    for request in server.requests() {
        let body = request.json();
        let said: u32 = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|message| message["content"].as_str())
            .map(townsfolk_model::estimate_tokens)
            .sum();
        assert!(said + 400 <= 2_048, "{said} tokens: {}", request.prompt());
    }
    let calls = desk.ok(&["inspect", "a.run", "calls", "--json"]);
    let cut = calls
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|call| call["cut"].is_string());
    assert!(cut.count() > 0, "what was cut is told");
}

#[test]
fn vectors_of_another_model_are_never_compared_even_where_they_are_as_long() {
    let server = vague();
    let desk = Desk::new();
    let configure = |model: &str| {
        let text = role(
            "embedding",
            model,
            &server,
            "price_usd_per_million = { input = 10.0 }\n",
        );
        std::fs::write(desk.path("models.toml"), text).unwrap();
    };
    configure("server:first");
    let ran = run(&desk, &["--ticks", "100"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    configure("server:second");
    let refused = desk.refused(&["resume", "a.run", "--ticks", "10", "--models", "models.toml"]);
    for part in [
        "server:first (8 numbers)",
        "server:second (8 numbers)",
        "townsfolk re-embed a.run",
    ] {
        assert!(refused.contains(part), "{part} is missing: {refused}");
    }
    let builtin = desk.refused(&["resume", "a.run", "--ticks", "10", "--embedder", "builtin"]);
    assert!(builtin.contains("server:first (8 numbers)"), "{builtin}");
    desk.ok(&["re-embed", "a.run", "--embedder", "builtin", "--out", "b.run"]);
    desk.ok(&["resume", "b.run", "--ticks", "10", "--quiet"]);
    desk.ok(&["check", "b.run"]);
    let paid = |run: &str| desk.json(&["inspect", run, "cost", "--json"])["paid"].clone();
    assert_eq!(paid("b.run")["calls"], 0);
}

#[test]
fn a_bill_is_estimated_before_and_never_exceeds_its_limit() {
    let server = vague();
    let price = "price_usd_per_million = { input = 1000.0, output = 2000.0 }\nmax_output_tokens = 200\n";
    let text = role("thinking", "server:dear", &server, price);
    let [whole, desk] = [Desk::new(), Desk::new()];
    for desk in [&whole, &desk] {
        std::fs::write(desk.path("models.toml"), &text).unwrap();
    }
    // Running ahead may ask one question twice, depending on time.
    let morning = ["--until", "2024-09-02 10:00", "--lock-step"];
    let paid = |desk: &Desk| {
        let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
        cost["paid"]["usd"].as_f64().unwrap()
    };
    let dry = run(&whole, &[&morning[..], &["--dry-run", "--json"]].concat());
    let dry: Value = serde_json::from_str(&dry.stdout).unwrap();
    assert!(dry["run_in_all"]["usd"].as_f64().unwrap() > 10.0, "{dry}");
    assert_eq!(run(&whole, &morning).code, 0);
    let (bought, all) = (server.count(), paid(&whole));

    // Not enough for the first tick: what was bought waits.
    let broke = run(&desk, &[&morning[..], &["--budget-usd", "4"]].concat());
    assert_eq!(broke.code, 3, "{}", broke.stderr);
    let bought_so_far = paid(&desk);
    assert!(bought_so_far > 0.0 && bought_so_far <= 4.0, "{bought_so_far}");
    let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
    let waiting = cost["waiting"]["usd"].as_f64().unwrap();
    assert!((waiting - bought_so_far).abs() < 1e-9, "{cost}");

    let most = (all * 0.9).floor();
    let limit = most.to_string();
    for _ in 0..2 {
        let paused = desk.run(&[
            "resume",
            "a.run",
            "--lock-step",
            "--budget-usd",
            &limit,
            "--quiet",
        ]);
        assert_eq!(paused.code, 3, "{}", paused.stderr);
        let paid = paid(&desk);
        assert!(paid > 4.0 && paid <= most, "{paid} of {most}");
        let why = format!("${paid:.4} of ${limit} is spent, and it may cost up to $");
        assert!(paused.stderr.contains(&why), "{}", paused.stderr);
    }
    let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
    assert!(
        cost["residents"][0]["usd"].is_number() && cost["tasks"]["wake_up"]["usd"].is_number(),
        "{cost}"
    );
    let ran = desk.run(&[
        "resume",
        "a.run",
        "--lock-step",
        "--budget-usd",
        "1000",
        "--quiet",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(desk.digest("a.run"), whole.digest("a.run"));
    assert_eq!(server.count(), 2 * bought, "a pause costs nothing");
}

#[test]
fn nobody_is_asked_before_the_run_can_be_written() {
    let server = vague();
    let desk = Desk::new();
    std::fs::write(
        desk.path("models.toml"),
        role("thinking", "server:stub", &server, ""),
    )
    .unwrap();
    std::fs::write(desk.path("a.run"), "a file of somebody else's").unwrap();
    let ran = run(&desk, &["--ticks", "5"]);
    assert_eq!((ran.code, server.count()), (2, 0), "{}", ran.stderr);
    let town = two_neighbours();
    let args = [
        "run",
        town.to_str().unwrap(),
        "--models",
        "models.toml",
        "--ticks",
        "5",
        "--quiet",
        "--out",
    ];
    let through_a_file = desk.run(&[&args[..], &["a.run/b.run"]].concat());
    assert_ne!(through_a_file.code, 0);
    assert_eq!(server.count(), 0);
    // Folders that are missing are made.
    desk.ok(&[&args[..], &["new/folders/b.run"]].concat());
    assert!(server.count() > 0);
}

#[test]
fn a_key_that_a_provider_echoes_is_in_no_file_message_or_export() {
    let server = Server::start(|request| match request.number {
        0..60 => Play::reply("Well, let me see."),
        _ => Play::EchoHeaders,
    });
    let desk = Desk::new();
    std::fs::write(
        desk.path("models.toml"),
        role(
            "thinking",
            "server:stub",
            &server,
            "key_variable = \"VECTOR_KEY\"\n",
        ),
    )
    .unwrap();
    let ran = run(&desk, &["--ticks", "400", "--json"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(
        server.requests()[60]
            .header("authorization")
            .unwrap()
            .contains(KEY),
        "the key was sent"
    );
    let said = [
        ran.stdout,
        ran.stderr,
        desk.ok(&["inspect", "a.run", "calls", "--json"]),
        desk.ok(&["inspect", "a.run", "calls", "--full"]),
        desk.ok(&["inspect", "a.run", "summary", "--json"]),
    ];
    assert!(said.iter().all(|text| !text.contains(KEY)));
    // The run can be shared as it is.
    for file in std::fs::read_dir(desk.path("")).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        assert!(
            !bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()),
            "{:?}",
            file.path()
        );
    }
}
