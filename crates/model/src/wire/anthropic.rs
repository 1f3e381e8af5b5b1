//! The protocol of Anthropic's messages.

use serde_json::{Map, Value, json};

use super::{Fields, NoReply, Read, Sent, count, openai::decimal, sse};
use crate::faults::Said;
use crate::{ChatRequest, Speaker, Structured, Usage};

/// Where requests go, after the base URL.
pub(crate) const PATH: &str = "/messages";

/// A request as JSON.
pub(crate) fn write(model: &str, request: &ChatRequest, fields: &Fields) -> Value {
    let turns = request.turns.iter().map(|turn| {
        let role = match turn.speaker {
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        json!({"role": role, "content": turn.text})
    });
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), turns.collect());
    body.insert(fields.max_tokens_field.clone(), json!(request.max_tokens));
    if !request.system.is_empty() {
        // The mark asks the provider to keep what comes before it: the same for call after call.
        let block = json!({"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}});
        body.insert("system".to_owned(), json!([block]));
    }
    if fields.temperature == Sent::Yes {
        // The scale ends at 1 here.
        body.insert(
            "temperature".to_owned(),
            decimal(request.temperature.clamp(0.0, 1.0)),
        );
    }
    if let (Structured::Tool, Some(shape)) = (fields.structured, &request.shape) {
        let tool = json!({
            "name": shape.name,
            "description": "Gives the answer.",
            "input_schema": fields.schema(shape),
        });
        body.insert("tools".to_owned(), json!([tool]));
        body.insert(
            "tool_choice".to_owned(),
            json!({"type": "tool", "name": shape.name}),
        );
    }
    Value::Object(body)
}

/// The reply in a body.
pub(crate) fn read(body: &Value) -> Result<Read, NoReply> {
    let Some(blocks) = body["content"].as_array() else {
        return Err(NoReply::unreadable("the answer has no `content`"));
    };
    let mut text = String::new();
    for block in blocks {
        match block["type"].as_str() {
            Some("text") => text.push_str(block["text"].as_str().unwrap_or_default()),
            Some("tool_use") if block["input"].is_object() => text = block["input"].to_string(),
            // `thinking` is no answer.
            _ => {}
        }
    }
    finish(
        text,
        body["stop_reason"].as_str(),
        body["model"].as_str(),
        &body["usage"],
    )
}

/// The reply in a stream of events.
pub(crate) fn read_stream(body: &str) -> Result<Read, NoReply> {
    let (mut text, mut tool_input, mut stop_reason, mut model) = (String::new(), String::new(), None, None);
    let (mut usage, mut done) = (json!({}), false);
    for event in sse::events(body) {
        let Ok(event) = serde_json::from_str::<Value>(&event) else {
            return Err(NoReply::unreadable(
                "the stream broke off in the middle of an event",
            ));
        };
        match event["type"].as_str() {
            Some("error") => {
                let said = Said::find(&event).unwrap_or_else(|| Said::text("an error without words"));
                let fault = crate::faults::fault_of(200, &said, said.wait());
                return Err(NoReply::new(fault, said.line()));
            }
            Some("message_start") => {
                usage = event["message"]["usage"].clone();
                model = event["message"]["model"].as_str().map(str::to_owned);
            }
            Some("content_block_delta") => {
                text.push_str(event["delta"]["text"].as_str().unwrap_or_default());
                tool_input.push_str(event["delta"]["partial_json"].as_str().unwrap_or_default());
            }
            Some("message_delta") => {
                stop_reason = event["delta"]["stop_reason"].as_str().map(str::to_owned);
                if usage.is_object() && !event["usage"]["output_tokens"].is_null() {
                    usage["output_tokens"] = event["usage"]["output_tokens"].clone();
                }
            }
            Some("message_stop") => done = true,
            _ => {}
        }
    }
    if !done && stop_reason.is_none() {
        return Err(NoReply::unreadable("the stream ended before the answer did"));
    }
    let text = if tool_input.is_empty() { text } else { tool_input };
    finish(text, stop_reason.as_deref(), model.as_deref(), &usage)
}

fn finish(
    text: String,
    stop_reason: Option<&str>,
    model: Option<&str>,
    usage: &Value,
) -> Result<Read, NoReply> {
    let usage = read_usage(usage);
    let cut_off = matches!(stop_reason, Some("max_tokens" | "model_context_window_exceeded"));
    if stop_reason == Some("refusal") {
        return Err(NoReply::declined("the model refused to answer").paid(usage));
    }
    if text.is_empty() && !cut_off {
        return Err(NoReply::unreadable("the answer has no text").paid(usage));
    }
    let model = model.map(str::to_owned);
    Ok(Read {
        text,
        usage,
        model,
        cut_off,
    })
}

/// Here the three kinds of prompt tokens are counted apart.
fn read_usage(usage: &Value) -> Option<Usage> {
    let fresh = count(usage, &["/input_tokens"])?;
    let cached = count(usage, &["/cache_read_input_tokens"]).unwrap_or(0);
    let written = count(usage, &["/cache_creation_input_tokens"]).unwrap_or(0);
    let output = count(usage, &["/output_tokens"])?;
    Some(Usage {
        input: fresh.saturating_add(cached).saturating_add(written),
        cached,
        output,
    })
}
