//! What the tests of all models ask.

use futures_executor::block_on;
use serde_json::{Value, json};
use townsfolk_local::{LocalModel, LocalOptions};
use townsfolk_model::{AnswerShape, ChatModel, ChatReply, ChatRequest, Speaker, Turn};

pub(crate) fn small() -> LocalOptions {
    LocalOptions {
        threads: Some(1),
        context_tokens: Some(1024),
        ..LocalOptions::default()
    }
}

pub(crate) const KLAUS: &str = "You are Klaus Mueller, a sociology student at Oak Hill College. You live in a dorm, read a \
    great deal about gentrification, and meet friends at Hobbs Cafe. Answer as Klaus would, in few words.";

pub(crate) fn request(question: &str) -> ChatRequest {
    ChatRequest {
        system: KLAUS.to_owned(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: question.to_owned(),
        }],
        shape: None,
        max_tokens: 24,
        temperature: 0.0,
        seed: Some(1),
    }
}

pub(crate) fn shaped(question: &str, schema: &Value) -> ChatRequest {
    let shape = Some(AnswerShape {
        name: "answer".to_owned(),
        schema: schema.clone(),
    });
    ChatRequest {
        shape,
        ..request(question)
    }
}

pub(crate) fn ask(model: &LocalModel, request: &ChatRequest) -> ChatReply {
    block_on(model.chat(request)).unwrap()
}

pub(crate) fn step() -> Value {
    json!({
        "type": "object",
        "properties": {
            "activity": {"type": "string"},
            "place": {"enum": ["dorm", "library", "Hobbs Café", "公園"]},
            "minutes": {"type": "integer", "minimum": 5, "maximum": 240}
        },
        "required": ["activity", "place", "minutes"],
        "additionalProperties": false
    })
}

pub(crate) fn is_step(answer: &Value) -> bool {
    let place = answer["place"].as_str();
    answer["activity"].is_string()
        && ["dorm", "library", "Hobbs Café", "公園"]
            .iter()
            .any(|known| place == Some(known))
        && answer["minutes"]
            .as_i64()
            .is_some_and(|minutes| (5..=240).contains(&minutes))
        && answer.as_object().is_some_and(|fields| fields.len() == 3)
}
