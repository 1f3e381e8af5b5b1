//! The program with language models: a real server on this machine, spoken to over HTTP.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use townsfolk_model::scripted::{Play, Server};

use crate::common::Desk;

/// The key that must never be seen anywhere.
const KEY: &str = "sk-a-very-secret-key-0123456789";

/// A desk with a `models.toml` for a server.
fn desk(server: &Server) -> Desk {
    let desk = Desk::new();
    configure(&desk, server, "");
    desk
}

fn configure(desk: &Desk, server: &Server, more: &str) {
    let text = format!(
        "[thinking]\nmodel = \"server:stub\"\nbase_url = \"{}\"\nkey_variable = \"STUB_KEY\"\nretries = 1\n\
         timeout_seconds = 5.0\n{more}",
        server.base_url()
    );
    std::fs::write(desk.path("models.toml"), text).unwrap();
}

fn command(desk: &Desk, args: &[&str]) -> Command {
    let mut command = desk.command(args);
    command.env("STUB_KEY", KEY);
    command
}

/// Exit code and what was said on standard error.
fn run(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    let output = command(desk, args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A model that never says anything of use: every answer is the routine mind's, so the story is known.
fn mumbling() -> Server {
    Server::start(|_| Play::Reply("Well, let me see.".to_owned()))
}

const MORNING: [&str; 8] = [
    "run",
    "--ticks",
    "400",
    "--models",
    "models.toml",
    "--quiet",
    "--out",
    "a.run",
];

#[test]
fn a_run_killed_again_and_again_buys_no_reply_twice() {
    let straight = mumbling();
    let whole = desk(&straight);
    let (code, _, stderr) = run(&whole, &MORNING);
    assert_eq!(code, 0, "{stderr}");

    // Replies take a moment, so that kills find calls on their way; should nobody kill it for a while, it gets none
    // any more.
    let share = straight.count() / 6;
    let no_more = Arc::new(AtomicUsize::new(2 * share));
    let limit = no_more.clone();
    let slow = Server::start(
        move |request| match request.number < limit.load(Ordering::SeqCst) {
            true => Play::After(
                Duration::from_millis(3),
                Box::new(Play::Reply("Well, let me see.".to_owned())),
            ),
            false => Play::Hang,
        },
    );
    let desk = desk(&slow);
    let resume = ["resume", "a.run", "--quiet"];
    let (mut kills, mut seen) = (0, 0);
    loop {
        let args: &[&str] = if desk.path("a.run").exists() {
            &resume
        } else {
            &MORNING
        };
        let mut child = command(&desk, args)
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
        no_more.store(seen + 2 * share, Ordering::SeqCst);
        assert!(kills < 50, "it never ends");
    }
    assert!(kills >= 2, "only {kills} kills");
    assert_eq!(desk.digest("a.run"), whole.digest("a.run"));
    // What was on its way when the process died is lost: at most so many calls as go out together.
    let lost = slow.count().saturating_sub(straight.count());
    assert!(
        lost <= kills * slow.most_at_once(),
        "{lost} calls too many after {kills} kills"
    );
}

#[test]
fn a_refused_key_pauses_the_run_and_is_told_nowhere() {
    let count = Arc::new(AtomicUsize::new(0));
    let asked = count.clone();
    let server = Server::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0..6 => Play::Reply("Well, let me see.".to_owned()),
        _ => Play::EchoHeaders,
    });
    let desk = desk(&server);
    let (code, stdout, stderr) = run(&desk, &MORNING);
    assert_eq!(code, 3, "{stderr}");
    for part in ["server:stub", "STUB_KEY", "townsfolk resume a.run"] {
        assert!(stderr.contains(part), "{part} is missing: {stderr}");
    }
    assert!(!stderr.contains(KEY) && !stdout.contains(KEY), "{stderr}");
    let bytes = std::fs::read(desk.path("a.run")).unwrap();
    assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()));
    desk.ok(&["check", "a.run"]);
}

#[test]
fn a_first_tick_that_never_came_about_can_be_looked_at() {
    let good = Arc::new(AtomicUsize::new(1));
    let left = good.clone();
    let server = Server::start(move |_| {
        let has_credit = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match has_credit {
            Ok(_) => Play::Reply("Well, let me see.".to_owned()),
            Err(_) => Play::no_quota(),
        }
    });
    let desk = desk(&server);
    configure(
        &desk,
        &server,
        "concurrency = 1\nprice_usd_per_million = { input = 1.0, output = 0.0 }\n",
    );
    let first_tick = ["--start", "2024-06-03 06:15"];
    let (code, _, stderr) = run(&desk, &[&MORNING[..], &first_tick].concat());
    assert_eq!(code, 3, "{stderr}");
    let summary = desk.refused(&["inspect", "a.run"]);
    assert!(
        summary.contains("not used yet; `townsfolk inspect a.run calls`"),
        "{summary}"
    );

    let lines = |args: &[&str]| -> Vec<serde_json::Value> {
        let lines = desk.ok(&[&["inspect", "a.run", "calls", "--json"], args].concat());
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = lines(&[]);
    assert_eq!(all.len(), server.count());
    assert!(all.iter().all(|call| call["used"] == false), "{all:?}");
    let failed = lines(&["--failed"]);
    assert_eq!(failed.len(), all.len() - 1);
    assert!(
        failed[0]["error"].as_str().unwrap().contains("status 429"),
        "{failed:?}"
    );
    // It was said for whom and for what, by which model.
    let said = |call: &serde_json::Value| {
        let [who, task] = ["resident", "task"].map(|key| call[key].as_str().unwrap());
        stderr.contains(&format!("for {who}: {task}: server:stub: status 429"))
    };
    assert!(failed.iter().any(said), "{stderr}");
    let of_task = lines(&["--task", failed[0]["task"].as_str().unwrap()]);
    assert!(of_task.contains(&failed[0]), "{of_task:?}");
    let page = desk.ok(&["inspect", "a.run", "calls", "--failed"]);
    assert!(
        page.contains("nothing has happened yet") && page.contains("not used yet"),
        "{page}"
    );
    let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
    assert_eq!(cost["tick"], serde_json::Value::Null);
    assert_eq!(
        (&cost["waiting"]["calls"], &cost["waiting"]["failed"]),
        (&all.len().into(), &failed.len().into())
    );
    assert_eq!(cost["waiting"]["usd"], cost["paid"]["usd"], "{cost}");
    let page = desk.ok(&["inspect", "a.run", "cost"]);
    assert!(
        page.contains("are not used yet") && page.contains("calls --failed"),
        "{page}"
    );

    // Once its tick has come, a call is one like any other.
    good.store(usize::MAX, Ordering::SeqCst);
    let (code, _, stderr) = run(&desk, &["resume", "a.run", "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    // Calls of one tick go out together: which of them was first is no matter, only that the one with
    // a reply is the one that is used.
    let paid = all.iter().find(|call| !call["reply"].is_null()).unwrap();
    let question = |call: &serde_json::Value| ["resident", "task", "request"].map(|key| call[key].clone());
    let asked: Vec<_> = lines(&["--tick", "0"])
        .into_iter()
        .filter(|call| question(call) == question(paid))
        .collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(
        (&asked[0]["used"], &asked[0]["reply"]),
        (&true.into(), &paid["reply"])
    );
    let waiting = &desk.json(&["inspect", "a.run", "cost", "--json"])["waiting"]["calls"];
    assert_eq!(*waiting, 0);
}

#[test]
fn what_a_terminal_would_obey_is_shown() {
    let evil = "Fine\u{1b}]0;owned\u{7}\u{202e} and well, as I told you this morning.";
    let server = Server::start(move |request| match request.number {
        0..40 => Play::Reply(evil.to_owned()),
        _ => Play::json(
            401,
            serde_json::json!({"error": {"message": "No\u{1b}[2J\u{202e} key"}}),
        ),
    });
    let desk = desk(&server);
    let (code, _, stderr) = run(&desk, &MORNING);
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("No\\u{1b}[2J\\u{202e} key"), "{stderr}");
    let calls = desk.ok(&["inspect", "a.run", "calls"]);
    let full = desk.ok(&["inspect", "a.run", "calls", "--full"]);
    assert!(
        full.contains("Fine\\u{1b}]0;owned\\u{7}\\u{202e} and well"),
        "{full}"
    );
    for text in [&stderr, &calls, &full] {
        let raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(raw), "{text}");
    }
    // Programs get what was written.
    let lines = desk.ok(&["inspect", "a.run", "calls", "--json"]);
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["reply"], evil);
}

#[test]
fn calls_and_costs_can_be_looked_at() {
    let server = mumbling();
    let desk = desk(&server);
    configure(
        &desk,
        &server,
        "price_usd_per_million = { input = 1.0, output = 2.0 }\n",
    );
    let (code, _, stderr) = run(&desk, &MORNING);
    assert_eq!(code, 0, "{stderr}");

    let cost = desk.json(&["inspect", "a.run", "cost", "--json"]);
    assert_eq!(cost["paid"]["calls"], server.count());
    assert!(cost["total"]["usd"].as_f64().unwrap() > 0.0);
    assert!(cost["tasks"]["wake_up"]["calls"].as_u64().unwrap() > 0);
    let page = desk.ok(&["inspect", "a.run", "cost"]);
    assert!(page.contains("By task") && page.contains("day_plan"), "{page}");

    let lines = desk.ok(&["inspect", "a.run", "calls", "--json"]);
    let bought = lines
        .lines()
        .filter(|line| line.contains("\"from_cache_of_tick\":null"));
    assert_eq!(bought.count(), server.count());
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["reply"], "Well, let me see.");
    assert!(first["request"]["system"].as_str().unwrap().len() > 50, "{first}");
    assert!(
        lines.contains("\"fallback\":\""),
        "some answers are the routine mind's"
    );
    let wakes = desk.ok(&["inspect", "a.run", "calls", "--task", "wake_up", "--full"]);
    assert!(
        wakes.contains("Instructions:") && wakes.contains("Well, let me see."),
        "{wakes}"
    );

    let (code, _, stderr) = run(
        &desk,
        &[
            "run",
            "--ticks",
            "30",
            "--models",
            "models.toml",
            "--quiet",
            "--out",
            "b.run",
            "--max-fallback",
            "5%",
        ],
    );
    assert_eq!(code, 4, "{stderr}");
    assert!(stderr.contains("5.0 % are allowed"), "{stderr}");
}

#[test]
fn what_is_wrong_is_found_before_a_file_is_made() {
    let server = mumbling();
    let desk = desk(&server);
    let refused = |args: &[&str], parts: &[&str]| {
        let stderr = desk.refused(args);
        for part in parts {
            assert!(stderr.contains(part), "{args:?}: {part} is missing: {stderr}");
        }
        assert!(!desk.path("a.run").exists(), "{args:?}");
    };
    refused(&MORNING, &["STUB_KEY"]);
    let run = |more: &[&'static str]| [&["run", "--out", "a.run", "--ticks", "5"], more].concat();
    refused(&run(&["--model", "olama:qwen3"]), &["olama", "ollama"]);
    refused(&run(&["--budget-tokens", "100"]), &["--budget-tokens", "--model"]);
    refused(&run(&["--model", "server:x"]), &["base_url"]);
    refused(&run(&["--language", "tlh"]), &["tlh", "zh"]);
    refused(&run(&["--models", "none.toml"]), &["none.toml"]);
    // Nobody can tell whether 0.05 means five in a hundred.
    for (share, remedy) in [
        (
            "0.05",
            "write 5% for a share of 0.05, or 0.05% if so little is meant",
        ),
        ("0.07", "write 7% for"),
        ("5", "write 5%"),
        ("0", "write 0%"),
        ("105%", "from 0% to 100%"),
    ] {
        let flags = ["--models", "models.toml", "--max-fallback", share];
        refused(&run(&flags), &["--max-fallback", remedy]);
    }
    std::fs::write(desk.path("odd.toml"), "[thinking]\nmodle = \"ollama:x\"\n").unwrap();
    refused(&run(&["--models", "odd.toml"]), &["odd.toml:2", "modle", "model"]);
    assert_eq!(server.count(), 0, "nobody was asked");
}

#[test]
fn a_replay_is_the_same_run_without_a_network() {
    let server = mumbling();
    let desk = desk(&server);
    let (code, _, stderr) = run(&desk, &MORNING);
    assert_eq!(code, 0, "{stderr}");
    let bought = server.count();
    // No key is set here, and the server is gone.
    drop(server);
    let ran = desk.run(&["run", "--replay", "a.run", "--out", "b.run"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("the same as a.run"), "{}", ran.stderr);
    assert_eq!(desk.digest("a.run"), desk.digest("b.run"));
    assert!(bought > 0);
    let spent = desk.json(&["inspect", "b.run", "cost", "--json"]);
    assert_eq!(spent["paid"]["calls"], 0);
}

#[test]
fn whoever_answered_is_named_and_a_replay_begins_with_whom_the_run_began_with() {
    let server = Server::start(|_| Play::Reply("{\"wake\": \"06:30\"}".to_owned()));
    let desk = desk(&server);
    let (code, _, stderr) = run(&desk, &MORNING);
    assert_eq!(code, 0, "{stderr}");
    let about = |run: &str| desk.json(&["inspect", run, "summary", "--json"])["run"].clone();
    let minds = || about("a.run")["minds"].clone();
    let head = about("a.run")["tick"].as_u64();
    assert_eq!(minds(), serde_json::json!(["server:stub"]));
    let on = ["resume", "a.run", "--ticks", "360", "--quiet"];
    desk.ok(&[on.as_slice(), &["--model", "routine"]].concat());
    let asked = server.count();
    // Without flags it goes on as before: no key is asked for, and no model.
    desk.ok(&on);
    assert_eq!(server.count(), asked);
    assert_eq!(minds(), serde_json::json!(["server:stub", "routine"]));
    let summary = desk.ok(&["inspect", "a.run", "summary"]);
    assert!(summary.contains("minds: server:stub and routine"), "{summary}");

    let replay = ["run", "--replay", "a.run", "--out", "b.run"];
    let refused = desk.refused(&replay);
    assert!(
        refused.contains("it began with server:stub")
            && refused.contains("--replay a.run --model server:stub"),
        "{refused}"
    );
    assert!(!desk.path("b.run").exists());
    let ran = desk.run(&[replay.as_slice(), &["--models", "models.toml"]].concat());
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("was not asked then"), "{}", ran.stderr);
    // Before that nothing was missed, though the file ends where something happened last.
    let missed = ran.stderr.lines().find_map(|line| {
        let (tick, _) = line.trim().strip_prefix("tick ")?.split_once(',')?;
        tick.parse::<u64>().ok()
    });
    assert!(
        missed > head,
        "{missed:?} after {head:?}, where others took over: {}",
        ran.stderr
    );
}

#[test]
fn vectors_of_another_embedder_are_refused_and_made_anew_on_request() {
    let desk = Desk::new();
    desk.ok(&["run", "--ticks", "400", "--quiet", "--out", "a.run"]);
    let stderr = desk.refused(&["resume", "a.run", "--ticks", "10", "--embedder", "words"]);
    assert!(stderr.contains("re-embed a.run"), "{stderr}");
    desk.ok(&["re-embed", "a.run", "--embedder", "words", "--out", "b.run"]);
    desk.ok(&["resume", "b.run", "--ticks", "100", "--quiet"]);
    desk.ok(&["check", "b.run"]);
}

#[test]
fn a_dry_run_says_what_a_run_would_take_and_asks_nobody() {
    let server = mumbling();
    let desk = desk(&server);
    configure(
        &desk,
        &server,
        "price_usd_per_million = { input = 1.0, output = 2.0 }\n",
    );
    let (code, stdout, stderr) = run(
        &desk,
        &[
            "run",
            "--ticks",
            "400",
            "--models",
            "models.toml",
            "--dry-run",
            "--json",
            "--out",
            "a.run",
        ],
    );
    assert_eq!(code, 0, "{stderr}");
    let shown: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert!(shown["run_in_all"]["calls"].as_f64().unwrap() > 10.0, "{shown}");
    assert!(shown["run_in_all"]["usd"].as_f64().unwrap() > 0.0, "{shown}");
    assert!(
        shown["per_resident_day"]["day_plan"]["tokens_in"]
            .as_f64()
            .unwrap()
            > 100.0,
        "{shown}"
    );
    assert!(!stderr.contains("window"), "{stderr}");
    assert_eq!(server.count(), 0);
    assert!(!desk.path("a.run").exists());
}

#[test]
fn a_window_too_small_for_any_prompt_is_told_before_the_run() {
    let server = mumbling();
    let desk = desk(&server);
    configure(&desk, &server, "window_tokens = 600\n");
    for args in [
        [
            "run",
            "--dry-run",
            "--ticks=1",
            "--models=models.toml",
            "--out=a.run",
        ]
        .as_slice(),
        &[
            "run",
            "--ticks=1",
            "--models=models.toml",
            "--out=a.run",
            "--quiet",
        ],
        &["models", "check"],
    ] {
        let (_, _, stderr) = run(&desk, args);
        let told = stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            told.contains("warning: [thinking]: the window of server:stub, 600 tokens, has no room for")
                && told.contains("day_plan"),
            "{args:?}: {stderr}"
        );
    }
}

#[test]
fn models_are_checked_with_one_small_call_each() {
    let server = Server::start(|_| Play::Raw {
        status: 404,
        headers: Vec::new(),
        body: "{\"error\":{\"message\":\"model stub not found\"}}".to_owned(),
    });
    let desk = desk(&server);
    let (code, stdout, stderr) = run(&desk, &["models", "check"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stdout.contains("thinking") && stdout.contains("FAILED server:stub"),
        "{stdout}"
    );
    assert!(stderr.contains("3 of 4 roles"), "{stderr}");
}
