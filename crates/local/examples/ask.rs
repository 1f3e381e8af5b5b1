//! Asks a GGUF file something, freely or held to a JSON schema:
//!
//! ```text
//! cargo run --release -p townsfolk-local --features llama --example ask -- MODEL.gguf "What do you do at noon?"
//! cargo run --release -p townsfolk-local --features llama --example ask -- MODEL.gguf "How moving is a divorce?" \
//!     '{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":9}},"required":["score"]}'
//! ```

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use townsfolk_local::{LocalModel, LocalOptions};
use townsfolk_model::{AnswerShape, ChatModel, ChatRequest, Speaker, Turn};

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = env::args().skip(1).collect();
    let (file, question, schema) = match given.as_slice() {
        [file, question] => (file, question, None),
        [file, question, schema] => (file, question, Some(serde_json::from_str(schema)?)),
        _ => return Err("give a GGUF file, a question and, if you like, a JSON schema".into()),
    };
    let model = LocalModel::open(
        Path::new(file),
        &LocalOptions {
            sequences: 1,
            ..LocalOptions::default()
        },
    )?;
    for notice in model.notices() {
        writeln!(io::stderr(), "note: {notice}")?;
    }
    let request = ChatRequest {
        system: "You live in a small town and answer briefly.".to_owned(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: question.clone(),
        }],
        shape: schema.map(|schema| AnswerShape {
            name: "answer".to_owned(),
            schema,
        }),
        max_tokens: 200,
        temperature: 0.0,
        seed: None,
    };
    let reply = futures_executor::block_on(model.chat(&request))?;
    let cut_off = if reply.cut_off { ", cut off" } else { "" };
    writeln!(io::stdout(), "{}", reply.text)?;
    writeln!(
        io::stderr(),
        "({}: {} tokens read, {} written{cut_off})",
        reply.model,
        reply.usage.input,
        reply.usage.output
    )?;
    Ok(())
}
