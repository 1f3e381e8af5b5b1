//! How fast a GGUF file reads and writes on this machine, alone and with four calls at a time:
//!
//! ```text
//! TOWNSFOLK_GGUF=MODEL.gguf cargo bench -p townsfolk-local --features llama --bench speed
//! ```
//!
//! (`cargo test --bench speed` measures the same without building llama.cpp for another profile.)
//!
//! One run of each line; take it with the machine quiet. `docs/design/local.md` keeps results.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use futures_util::future::join_all;
use serde_json::json;
use townsfolk_local::{LocalModel, LocalOptions};
use townsfolk_model::{AnswerShape, ChatModel, ChatReply, ChatRequest, Speaker, Turn};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout();
    let Some(file) = std::env::var_os("TOWNSFOLK_GGUF") else {
        writeln!(out, "skipped: TOWNSFOLK_GGUF names no model")?;
        return Ok(());
    };
    let begun = Instant::now();
    let model = LocalModel::open(
        Path::new(&file),
        &LocalOptions {
            context_tokens: Some(2048),
            ..LocalOptions::default()
        },
    )?;
    writeln!(
        out,
        "{}: opened in {:.2} s",
        model.name(),
        begun.elapsed().as_secs_f64()
    )?;

    for words in [90, 440] {
        let (took, replies) = time(&model, &[call(words, 0, 1)])?;
        rate(
            &mut out,
            "reads alone",
            replies.iter().map(|reply| reply.usage.input).sum(),
            took,
        )?;
    }
    let (again, replies) = time(&model, &[call(440, 0, 1)])?;
    let cached: u32 = replies.iter().map(|reply| reply.usage.cached).sum();
    writeln!(
        out,
        "reads the same again, {cached} tokens from the shelf: {:.0} ms",
        again.as_secs_f64() * 1000.0
    )?;

    for words in [90, 440] {
        // Reading is paid for above; the second call finds its beginning on the shelf.
        time(&model, &[call(words, 7, 1)])?;
        let (took, replies) = time(&model, &[call(words, 7, 64)])?;
        rate(
            &mut out,
            &format!("writes alone after {words} words"),
            replies.iter().map(|r| r.usage.output).sum(),
            took,
        )?;
        let four: Vec<ChatRequest> = (0..4).map(|_| call(words, 7, 64)).collect();
        let (took, replies) = time(&model, &four)?;
        rate(
            &mut out,
            &format!("writes, four at a time, after {words} words"),
            replies.iter().map(|r| r.usage.output).sum(),
            took,
        )?;
    }
    let step = json!({"type": "object", "properties": {
        "activity": {"type": "string"}, "place": {"enum": ["home", "library"]}, "minutes": {"type": "integer"}
    }, "required": ["activity", "place", "minutes"]});
    let held = |seed| ChatRequest {
        shape: Some(AnswerShape {
            name: "step".to_owned(),
            schema: step.clone(),
        }),
        temperature: 0.8,
        seed: Some(seed),
        ..call(90, 7, 64)
    };
    let (took, replies) = time(&model, &[held(1), held(2), held(3), held(4)])?;
    rate(
        &mut out,
        "writes in schema, four at a time",
        replies.iter().map(|reply| reply.usage.output).sum(),
        took,
    )?;
    Ok(())
}

/// A call whose stable part has about so many words; `who` makes it another one.
fn call(words: usize, who: usize, max_tokens: u32) -> ChatRequest {
    let notes: Vec<String> = (0..words / 6)
        .map(|n| format!("Resident {who} saw number {n} walk"))
        .collect();
    ChatRequest {
        system: notes.join(". "),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: "Tell a long story of your day.".to_owned(),
        }],
        shape: None,
        max_tokens,
        temperature: 0.0,
        seed: None,
    }
}

fn time(model: &LocalModel, calls: &[ChatRequest]) -> Result<(Duration, Vec<ChatReply>), Box<dyn Error>> {
    let begun = Instant::now();
    let replies = block_on(join_all(calls.iter().map(|call| model.chat(call))));
    let took = begun.elapsed();
    let replies: Result<Vec<ChatReply>, _> = replies.into_iter().collect();
    Ok((took, replies?))
}

fn rate(out: &mut impl Write, what: &str, tokens: u32, took: Duration) -> io::Result<()> {
    writeln!(
        out,
        "{what}: {tokens} tokens, {:.0} a second",
        f64::from(tokens) / took.as_secs_f64()
    )
}
