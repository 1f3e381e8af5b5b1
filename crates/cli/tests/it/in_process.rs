//! Residents that think with real weights, in the process: SmolLM2-135M, which always answers in
//! schema and rarely well. `TOWNSFOLK_GGUF` names the file; without it the test says it is skipped.

use std::path::Path;

use serde_json::Value;

use crate::common::Desk;

#[test]
fn two_residents_live_a_morning_on_a_small_model_and_every_call_is_recorded() {
    let Some(weights) = std::env::var_os("TOWNSFOLK_GGUF") else {
        eprintln!("skipped: TOWNSFOLK_GGUF names no model");
        return;
    };
    let desk = Desk::new();
    let town = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two_neighbours");
    // Short answers, since a model that understands nothing writes on until it is stopped.
    let models = format!(
        "[thinking]\nmodel = \"gguf:{}\"\nmax_output_tokens = 96\n",
        weights.to_str().unwrap()
    );
    std::fs::write(desk.path("models.toml"), models).unwrap();
    let how = ["--models", "models.toml", "--until", "2024-09-02 06:40"];
    desk.make(&town, "small.run", &how);

    let listed = desk.ok(&["inspect", "small.run", "calls", "--json"]);
    let calls: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(
        calls.len() >= 4,
        "both residents plan their day at least:\n{listed}"
    );
    for call in &calls {
        assert!(call["model"].as_str().unwrap().starts_with("gguf:"), "{call}");
        // Held to its schema, even a model that understands nothing answers with an object.
        let reply: Value = serde_json::from_str(call["reply"].as_str().unwrap()).unwrap();
        assert!(reply.is_object(), "{call}");
    }

    // What was recorded is all that was used: without the model the same morning comes out.
    desk.ok(&["run", "--replay", "small.run", "--out", "again.run", "--quiet"]);
    assert_eq!(desk.digest("small.run"), desk.digest("again.run"));
    let audited = desk.ok(&["check", "small.run"]);
    assert!(!audited.is_empty());
}
