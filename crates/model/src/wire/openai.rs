//! The protocol of OpenAI's chat completions and embeddings, which most servers speak.

use serde_json::{Map, Value, json};

use super::{Fields, NoReply, Read, Sent, count, sse, strict::strict};
use crate::faults::Said;
use crate::{ChatRequest, Speaker, Structured, Usage};

/// Where chat requests go, after the base URL.
pub(crate) const CHAT_PATH: &str = "/chat/completions";
/// Where texts to embed go, after the base URL.
pub(crate) const EMBEDDINGS_PATH: &str = "/embeddings";

/// A request as JSON.
pub(crate) fn write(model: &str, request: &ChatRequest, fields: &Fields) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    messages.extend(request.turns.iter().map(|turn| {
        let role = match turn.speaker {
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        json!({"role": role, "content": turn.text})
    }));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), Value::Array(messages));
    body.insert(fields.max_tokens_field.clone(), json!(request.max_tokens));
    if fields.temperature == Sent::Yes {
        body.insert("temperature".to_owned(), decimal(request.temperature));
    }
    if let (Sent::Yes, Some(seed)) = (fields.seed, request.seed) {
        // Several servers take no more than a signed 32-bit or 64-bit number.
        body.insert("seed".to_owned(), json!(seed & 0x7FFF_FFFF));
    }
    if let Some(shape) = &request.shape {
        let schema = fields.schema(shape);
        let format = match fields.structured {
            Structured::StrictSchema => Some(json!({
                "type": "json_schema",
                "json_schema": {"name": shape.name, "strict": true, "schema": strict(&schema)},
            })),
            Structured::Schema => Some(json!({
                "type": "json_schema",
                "json_schema": {"name": shape.name, "schema": schema},
            })),
            // Several servers refuse this unless the prompt speaks of JSON.
            Structured::Json if speaks_of_json(request) => Some(json!({"type": "json_object"})),
            Structured::Json | Structured::Tool | Structured::Plain => None,
        };
        if let Some(format) = format {
            body.insert("response_format".to_owned(), format);
        }
    }
    Value::Object(body)
}

/// A short decimal: 0.7 as an `f32` would otherwise go out as 0.699999988079071.
pub(super) fn decimal(number: f32) -> Value {
    number
        .to_string()
        .parse::<f64>()
        .map_or(json!(0), |number| json!(number))
}

fn speaks_of_json(request: &ChatRequest) -> bool {
    let texts = request
        .turns
        .iter()
        .map(|turn| &turn.text)
        .chain([&request.system]);
    texts
        .into_iter()
        .any(|text| text.to_ascii_lowercase().contains("json"))
}

/// The reply in a body.
pub(crate) fn read(body: &Value) -> Result<Read, NoReply> {
    let Some(choices) = body["choices"].as_array() else {
        return Err(NoReply::unreadable("the answer has no `choices`"));
    };
    let Some(choice) = choices.first() else {
        let no_reply = NoReply::unreadable("the list of choices is empty");
        return Err(no_reply.paid(usage(&body["usage"])));
    };
    // Hidden reasoning comes in fields of its own (`reasoning_content`, `reasoning`) and is no answer.
    let text = content_text(&choice["message"]["content"]);
    finish(
        text,
        choice["finish_reason"].as_str(),
        &choice["message"]["refusal"],
        body,
    )
}

/// The reply in a stream of events.
pub(crate) fn read_stream(body: &str) -> Result<Read, NoReply> {
    let (mut text, mut finish_reason, mut done) = (None::<String>, None::<String>, false);
    let (mut refusal, mut last) = (String::new(), json!({}));
    for event in sse::events(body) {
        if event.trim() == "[DONE]" {
            done = true;
            break;
        }
        let Ok(event) = serde_json::from_str::<Value>(&event) else {
            return Err(NoReply::unreadable(
                "the stream broke off in the middle of an event",
            ));
        };
        if let Some(said) = Said::find(&event) {
            let fault = crate::faults::fault_of(200, &said, said.wait());
            return Err(NoReply::new(fault, said.line()));
        }
        let choice = &event["choices"][0];
        if let Some(piece) = content_text(&choice["delta"]["content"]) {
            text.get_or_insert_default().push_str(&piece);
        }
        refusal.push_str(choice["delta"]["refusal"].as_str().unwrap_or_default());
        if let Some(reason) = choice["finish_reason"].as_str() {
            finish_reason = Some(reason.to_owned());
        }
        for key in ["model", "usage"] {
            if !event[key].is_null() {
                last[key] = event[key].clone();
            }
        }
    }
    if !done && finish_reason.is_none() {
        return Err(NoReply::unreadable("the stream ended before the answer did"));
    }
    let refusal = if refusal.is_empty() {
        Value::Null
    } else {
        json!(refusal)
    };
    finish(text, finish_reason.as_deref(), &refusal, &last)
}

fn finish(
    text: Option<String>,
    finish_reason: Option<&str>,
    refusal: &Value,
    body: &Value,
) -> Result<Read, NoReply> {
    let usage = usage(&body["usage"]);
    let cut_off = finish_reason == Some("length");
    let text = text.unwrap_or_default();
    let no_reply = match (refusal.as_str(), finish_reason) {
        (Some(refusal), _) if !refusal.is_empty() => NoReply::declined(refusal),
        (_, Some("content_filter")) => NoReply::declined("the provider's content filter stopped the answer"),
        // A model that spends all of its tokens on reasoning has answered nothing, but not failed.
        _ if text.is_empty() && !cut_off => NoReply::unreadable("the answer has no text"),
        _ => {
            let model = body["model"].as_str().map(str::to_owned);
            return Ok(Read {
                text,
                usage,
                model,
                cut_off,
            });
        }
    };
    Err(no_reply.paid(usage))
}

/// A message's text: a string, or the text parts of a list.
fn content_text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(
            parts
                .iter()
                .filter(|part| part["type"] == "text")
                .filter_map(|part| part["text"].as_str())
                .collect(),
        ),
        _ => None,
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let input = count(usage, &["/prompt_tokens"])?;
    let cached = count(
        usage,
        &["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"],
    );
    let output = count(usage, &["/completion_tokens"])?;
    Some(Usage {
        input,
        cached: cached.unwrap_or(0).min(input),
        output,
    })
}

/// Texts to embed, as JSON.
pub(crate) fn write_embedding(model: &str, texts: &[String]) -> Value {
    json!({"model": model, "input": texts, "encoding_format": "float"})
}

/// The vectors in a body, one for each of `expected` texts, and the tokens they took.
pub(crate) fn read_embedding(body: &Value, expected: usize) -> Result<(Vec<Vec<f32>>, Option<u32>), NoReply> {
    let Some(data) = body["data"].as_array() else {
        return Err(NoReply::unreadable("the answer has no `data`"));
    };
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; expected];
    for (place, item) in data.iter().enumerate() {
        let index = item["index"]
            .as_u64()
            .and_then(|index| usize::try_from(index).ok())
            .unwrap_or(place);
        let numbers = item["embedding"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, reason = "embeddings are used as f32")]
        let vector: Vec<f32> = numbers
            .iter()
            .filter_map(|number| number.as_f64().map(|n| n as f32))
            .collect();
        if vector.is_empty()
            || vector.len() != numbers.len()
            || vector.iter().any(|number| !number.is_finite())
        {
            return Err(NoReply::unreadable(format!(
                "embedding {index} is no list of numbers"
            )));
        }
        match vectors.get_mut(index) {
            Some(free @ None) => *free = Some(vector),
            _ => {
                return Err(NoReply::unreadable(format!(
                    "there is no room for embedding {index} of {expected}"
                )));
            }
        }
    }
    let vectors: Vec<Vec<f32>> = vectors.into_iter().flatten().collect();
    if vectors.len() != expected {
        let detail = format!(
            "{expected} texts were sent, {} embeddings came back",
            vectors.len()
        );
        return Err(NoReply::unreadable(detail));
    }
    Ok((
        vectors,
        count(&body["usage"], &["/prompt_tokens", "/total_tokens"]),
    ))
}
