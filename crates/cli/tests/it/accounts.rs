//! What calls to models and embedders take and cost: counted, priced, held to budgets, known before and after.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;

use serde_json::Value;
use townsfolk_model::scripted::{Play, Request, Server};

use crate::common::{Desk, Ran, two_neighbours};

const PRICE: &str = "price_usd_per_million = { input = 1000.0, output = 2000.0 }\n";
const CHEAP: &str = "price_usd_per_million = { input = 10.0 }\n";

/// A model that never says anything of use and an embedder, behind one address.
fn server() -> Server {
    Server::start(|_| Play::Reply("Well, let me see.".to_owned()))
}

fn embeds(request: &Request) -> bool {
    request.path.ends_with("/embeddings")
}

fn embedding_calls(server: &Server) -> usize {
    server.requests().iter().filter(|request| embeds(request)).count()
}

/// Writes a `models.toml`: a chat model, an embedder, both or neither, each with more to say about it.
fn configure(desk: &Desk, server: &Server, chat: Option<&str>, embedder: Option<&str>) {
    let role = |role: &str, model: &str, more: Option<&str>| {
        more.map_or(String::new(), |more| {
            format!(
                "[{role}]\nmodel = \"server:{model}\"\nbase_url = \"{}\"\nretries = 1\ntimeout_seconds = 5.0\n{more}",
                server.base_url()
            )
        })
    };
    let text = role("thinking", "stub", chat) + &role("embedding", "vectors", embedder);
    std::fs::write(desk.path("models.toml"), text).unwrap();
}

/// Runs a town of two with the configuration at hand.
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
    desk.run(&[&args[..], more].concat())
}

fn cost(desk: &Desk, run: &str) -> Value {
    desk.json(&["inspect", run, "cost", "--json"])
}

#[test]
fn calls_for_vectors_are_counted_and_paid_like_any_other() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), Some(CHEAP));
    // What is asked ahead may turn out to be of no use, and is paid all the same.
    let ran = run(&desk, &["--ticks", "400", "--lock-step"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);

    let cost = cost(&desk, "a.run");
    let embedding = &cost["tasks"]["embedding"];
    // One call more tells before the run how long vectors are.
    assert_eq!(embedding["calls"], embedding_calls(&server) - 1);
    let tokens = embedding["tokens_in"].as_u64().unwrap();
    assert!(tokens > 0, "{cost}");
    let usd = embedding["usd"].as_f64().unwrap();
    assert!((usd - tokens as f64 * 10.0 / 1e6).abs() < 1e-9, "{cost}");
    assert_eq!(cost["models"]["server:vectors"]["calls"], embedding["calls"]);
    assert_eq!(cost["total"]["calls"], server.count() - 1);
    assert_eq!(cost["paid"]["calls"], cost["total"]["calls"]);
    assert_eq!(cost["without_price"], serde_json::json!([]));

    let calls = desk.ok(&["inspect", "a.run", "calls", "--task", "embedding", "--json"]);
    let first: Value = serde_json::from_str(calls.lines().next().unwrap()).unwrap();
    assert!(first["request"]["texts"][0].is_string(), "{first}");
    assert_eq!(first["seq"], Value::Null);
    desk.ok(&["check", "a.run"]);
    // A fork stands on the same calls and has paid for none.
    desk.ok(&["fork", "a.run", "--at", "399", "--out", "b.run", "--quiet"]);
    let forked = self::cost(&desk, "b.run");
    assert_eq!(forked["tasks"]["embedding"], *embedding);
    assert_eq!(forked["paid"]["calls"], 0);
}

#[test]
fn a_budget_holds_for_vectors_alone() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, None, Some(CHEAP));
    let ran = run(&desk, &["--ticks", "400", "--budget-tokens", "1"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(
        server.count(),
        1,
        "the length of vectors is asked for, and nothing else"
    );
    let rich = Desk::new();
    configure(&rich, &server, None, Some(CHEAP));
    run(&rich, &["--ticks", "400"]);
    let all = cost(&rich, "a.run")["paid"]["tokens"].as_u64().unwrap();
    let most = all * 9 / 10;
    let ran = desk.run(&["resume", "a.run", "--quiet", "--budget-tokens", &most.to_string()]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let paid = cost(&desk, "a.run")["paid"]["tokens"].as_u64().unwrap();
    assert!(paid > 0 && paid <= most, "{paid}");
    assert!(
        ran.stderr.contains(&format!("{paid} of {most} tokens are spent")),
        "{}",
        ran.stderr
    );
    let ran = desk.run(&["resume", "a.run", "--quiet", "--budget-usd", "10"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(desk.digest("a.run"), rich.digest("a.run"));
    desk.ok(&["check", "a.run"]);
}

#[test]
fn a_budget_in_dollars_needs_the_price_of_the_embedder_too() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), Some(""));
    let ran = run(&desk, &["--ticks", "5", "--budget-usd", "1"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the price of server:vectors is not known"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_dry_run_estimates_vectors_and_asks_nobody_for_them() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), Some(CHEAP));
    let dry = run(&desk, &["--ticks", "400", "--dry-run", "--json"]);
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert_eq!(server.count(), 0);
    let shown: Value = serde_json::from_str(&dry.stdout).unwrap();
    let estimated = shown["per_resident_day"]["embedding"]["calls"].as_f64().unwrap();
    assert!(
        shown["per_resident_day"]["embedding"]["usd"].as_f64().unwrap() > 0.0,
        "{shown}"
    );

    // A model that says nothing of use lives the routine mind's day, as in the estimate, but other vectors bring other
    // memories to mind.
    run(&desk, &["--ticks", "400"]);
    let taken = cost(&desk, "a.run")["tasks"]["embedding"]["calls"]
        .as_f64()
        .unwrap();
    let days = shown["days_measured"].as_f64().unwrap();
    let ratio = estimated * 2.0 * days / taken;
    assert!(
        (0.7..1.4).contains(&ratio),
        "estimated {ratio} times what it took: {shown}"
    );
}

#[test]
fn a_dry_run_without_a_price_says_so() {
    let server = server();
    let desk = Desk::new();
    let estimate = |chat: &str, embedder: &str| {
        configure(&desk, &server, Some(chat), Some(embedder));
        let dry = run(&desk, &["--ticks", "400", "--dry-run", "--json"]);
        let shown: Value = serde_json::from_str(&dry.stdout).unwrap();
        let page = run(&desk, &["--ticks", "400", "--dry-run"]).stdout;
        (shown, page.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (shown, page) = estimate("", "");
    for line in [
        &shown["run_in_all"],
        &shown["per_resident_day_in_all"],
        &shown["per_resident_day"]["day_plan"],
    ] {
        assert!(line["calls"].as_f64().unwrap() > 0.0, "{shown}");
        assert_eq!(line["usd"], Value::Null, "{shown}");
    }
    assert!(
        !page.contains('$') && page.contains("received, no price known."),
        "{page}"
    );
    // What is known is told.
    let (shown, page) = estimate(PRICE, "");
    assert_eq!(
        shown["per_resident_day"]["embedding"]["usd"],
        Value::Null,
        "{shown}"
    );
    assert!(shown["run_in_all"]["usd"].as_f64().unwrap() > 0.0, "{shown}");
    assert!(page.contains("No price is known for server:vectors"), "{page}");
    assert_eq!(server.count(), 0);
}

#[test]
fn a_copy_with_other_vectors_takes_the_embedder_of_a_file_and_nothing_else() {
    let server = server();
    let desk = Desk::new();
    desk.make(&two_neighbours(), "a.run", &["--ticks", "100"]);
    // Who thinks in that file is none of its business.
    configure(&desk, &server, Some(PRICE), Some(CHEAP));
    let copy = ["re-embed", "a.run", "--models", "models.toml", "--out", "b.run"];
    let said = desk.ok(&copy);
    assert!(said.contains("embedded by server:vectors"), "{said}");
    let asked = server.count();
    assert_eq!(embedding_calls(&server), asked);
    let paid = cost(&desk, "b.run");
    // One call more tells how long vectors are.
    assert_eq!(paid["paid"]["calls"], asked - 1, "{paid}");
    assert!(paid["paid"]["usd"].as_f64().unwrap() > 0.0, "{paid}");
    desk.ok(&["resume", "b.run", "--ticks", "400", "--quiet"]);
    assert_eq!(server.count(), embedding_calls(&server), "no model thinks in it");
    assert!(server.count() > asked, "vectors come from the same embedder");
    desk.ok(&["check", "b.run"]);

    configure(&desk, &server, Some(PRICE), None);
    let refused = desk.refused(&["re-embed", "a.run", "--models", "models.toml", "--out", "c.run"]);
    assert!(
        refused.contains("models.toml: [embedding]: no embedder is named"),
        "{refused}"
    );
    let refused = desk.refused(&["re-embed", "a.run", "--out", "c.run"]);
    assert!(refused.contains("--embedder"), "{refused}");
}

#[test]
fn what_a_run_cost_stays_known_when_it_goes_on_with_other_models() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), None);
    let ran = run(&desk, &["--ticks", "200"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let before = cost(&desk, "a.run")["total"]["usd"].as_f64().unwrap();
    assert!(before > 0.0);
    // One without a price takes over.
    let unpriced = format!(
        "[thinking]\nmodel = \"server:other\"\nbase_url = \"{}\"\n",
        server.base_url()
    );
    std::fs::write(desk.path("other.toml"), unpriced).unwrap();
    desk.ok(&[
        "resume",
        "a.run",
        "--ticks",
        "200",
        "--models",
        "other.toml",
        "--quiet",
    ]);
    let after = cost(&desk, "a.run");
    assert_eq!(after["total"]["usd"].as_f64(), Some(before), "{after}");
    assert_eq!(after["without_price"][0], "server:other");
    let page = desk.ok(&["inspect", "a.run", "cost"]);
    assert!(page.contains("No price is known for server:other"), "{page}");
    // What was spent before counts towards a budget, also where others go on.
    let ran = desk.run(&[
        "resume",
        "a.run",
        "--ticks",
        "2000",
        "--models",
        "models.toml",
        "--quiet",
        "--budget-usd",
        "0.0001",
    ]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn a_run_of_unknown_price_has_none_and_says_so() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(""), None);
    let ran = run(&desk, &["--ticks", "100"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let cost = cost(&desk, "a.run");
    assert_eq!(cost["total"]["usd"], Value::Null);
    assert_eq!(cost["paid"]["usd"], Value::Null);
    let report = desk.json(&["inspect", "a.run", "summary", "--json"]);
    assert_eq!(report["tasks"]["usd"], Value::Null, "{report}");
}

#[test]
fn a_replay_takes_vectors_from_the_run_and_needs_no_network() {
    let server = server();
    let desk = Desk::new();
    for chat in [Some(PRICE), None] {
        configure(&desk, &server, chat, Some(CHEAP));
        let ran = run(&desk, &["--ticks", "300"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let asked = server.count();
        let ran = desk.run(&["run", "--replay", "a.run", "--out", "b.run", "--quiet"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(server.count(), asked, "nobody is asked");
        assert_eq!(desk.digest("a.run"), desk.digest("b.run"));
        assert_eq!(cost(&desk, "b.run")["paid"]["calls"], 0);
        // Looking at a moment buys nothing either.
        desk.ok(&["whisper", "a.run", "nora", "You have found an old key"]);
        assert_eq!(server.count(), asked);
        for run in ["a.run", "b.run"] {
            std::fs::remove_file(desk.path(run)).unwrap();
        }
    }
}

#[test]
fn what_a_visitor_says_is_embedded_as_everybody_elses_words_are() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, None, Some(CHEAP));
    let ran = run(&desk, &["--until", "2024-09-02 10:00"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let news = "The bakery in Marsh Lane burns bread on Mondays.";
    desk.ok(&["say", "a.run", "nora", news, "--as", "Pim Aldous"]);
    desk.ok(&["resume", "a.run", "--ticks", "40", "--quiet"]);
    let asked: Vec<String> = server.requests().iter().flat_map(Request::texts).collect();
    assert!(asked.iter().any(|text| text.contains("Marsh Lane")), "{asked:?}");
    // Nora heard it from him, out of a memory that is his.
    let heard = desk.ok(&["inspect", "a.run", "memories", "nora", "--find", "Marsh Lane"]);
    assert!(heard.contains("Pim Aldous"), "{heard}");
    let digest = desk.digest("a.run");
    desk.ok(&["run", "--replay", "a.run", "--out", "b.run", "--quiet"]);
    assert_eq!(desk.digest("b.run"), digest);
}

#[test]
fn an_interview_is_held_to_its_budget_and_its_share_of_fallbacks() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), None);
    let ran = run(&desk, &["--ticks", "60"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let digest = desk.digest("a.run");
    let paid = cost(&desk, "a.run")["paid"].clone();
    let ask = ["interview", "a.run", "nora", "What are you like?"];

    let told = desk.run(&ask);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(
        told.stderr.contains("none of it is in the run"),
        "{}",
        told.stderr
    );
    let before = server.count();
    let poor = desk.run(&[&ask[..], &["--budget-tokens", "10"]].concat());
    assert_eq!(poor.code, 3, "{}", poor.stderr);
    assert!(
        poor.stderr
            .contains("0 of 10 tokens are spent, and it may take up to"),
        "{}",
        poor.stderr
    );
    assert_eq!(server.count(), before, "nothing is spent beyond it");
    let refusing =
        Server::start(|_| Play::Reply("As an AI language model, I cannot answer that.".to_owned()));
    configure(&desk, &refusing, Some(PRICE), None);
    let strict = ["--models", "models.toml", "--max-fallback", "5%"];
    let strict = desk.run(&[&ask[..], &strict].concat());
    assert_eq!(strict.code, 4, "{}", strict.stderr);
    assert!(strict.stderr.contains("5.0 % are allowed"), "{}", strict.stderr);

    assert_eq!(desk.digest("a.run"), digest);
    assert_eq!(cost(&desk, "a.run")["paid"], paid);
    let served = desk.refused(&["serve", "a.run", "--max-fallback", "5%"]);
    assert!(served.contains("--max-fallback"), "{served}");
}

/// A run shown by `serve`, until dropped.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(desk: &Desk, run: &str) -> Self {
        let mut child = desk.command(&["serve", run, "--port", "0"]).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut link)
            .unwrap();
        let address = link
            .trim()
            .trim_start_matches("http://")
            .split('/')
            .next()
            .unwrap();
        Self {
            address: address.to_owned(),
            child,
        }
    }

    /// Status and JSON of an answer.
    fn get(&self, path: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        let body = &text[text.find('{').unwrap()..=text.rfind('}').unwrap()];
        (
            status,
            serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {text}")),
        )
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_the_summary_and_the_cost_view_give_the_same_dollars() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, Some(PRICE), Some(""));
    let ran = run(&desk, &["--ticks", "100"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let cost = cost(&desk, "a.run");
    let usd = cost["total"]["usd"].as_f64().unwrap();
    assert!(usd > 0.0);
    let summary = desk.json(&["inspect", "a.run", "summary", "--json"]);
    let (status, page) = Served::start(&desk, "a.run").get("/api/cost");
    assert_eq!(status, 200, "{page}");
    for shown in [&summary["tasks"]["usd"], &page["usd"]] {
        assert!((shown.as_f64().unwrap() - usd).abs() < 1e-9, "{shown} and {usd}");
    }
    assert_eq!(page["without_price"], serde_json::json!(["server:vectors"]));
    assert_eq!(cost["without_price"], page["without_price"]);
    let kinds = page["kinds"].as_array().unwrap();
    assert!(kinds.iter().any(|kind| kind["kind"] == "embedding"), "{page}");
}

#[test]
fn a_search_in_a_memory_asks_the_runs_own_embedder_and_says_where_it_fails() {
    let server = server();
    let desk = Desk::new();
    configure(&desk, &server, None, Some(CHEAP));
    let ran = run(&desk, &["--ticks", "100"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let asked = server.count();
    let served = Served::start(&desk, "a.run");
    let search = "/api/residents/0/retrieval?query=violins&count=5";
    let (status, found) = served.get(search);
    assert_eq!(status, 200, "{found}");
    assert_eq!(found["items"].as_array().unwrap().len(), 5, "{found}");
    let new: Vec<String> = server.requests()[asked..]
        .iter()
        .flat_map(Request::texts)
        .collect();
    assert_eq!(new, ["violins"], "the moment itself needs no call");
    drop(server);
    let (status, problem) = served.get(search);
    assert_eq!(status, 502, "{problem}");
    assert!(
        problem["error"].as_str().unwrap().contains("server:vectors"),
        "{problem}"
    );
}
