//! What goes over the wire: requests as JSON, and replies out of whatever comes back.
//!
//! Each protocol is a file with two functions, one that writes a request and one that reads a
//! reply; [`Fields`] says which of the optional fields a server takes.

pub(crate) mod anthropic;
pub(crate) mod openai;
mod sse;
mod strict;

use std::borrow::Cow;

use serde_json::Value;

use self::strict::unbounded;
use crate::{AnswerShape, ChatReply, Fault, Structured, Usage};

/// Which optional fields go out with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    /// How the answer is held to its schema.
    pub(crate) structured: Structured,
    /// Whether the schema says how many and how large.
    pub(crate) bounds: Sent,
    /// What the limit of the answer's tokens is called.
    pub(crate) max_tokens_field: String,
    /// Whether the temperature is sent.
    pub(crate) temperature: Sent,
    /// Whether the seed is sent.
    pub(crate) seed: Sent,
}

impl Fields {
    /// The schema of an answer as it goes out.
    fn schema<'a>(&self, shape: &'a AnswerShape) -> Cow<'a, Value> {
        match self.bounds {
            Sent::Yes => Cow::Borrowed(&shape.schema),
            Sent::No => Cow::Owned(unbounded(&shape.schema)),
        }
    }
}

/// Whether a field is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is.
    Yes,
    /// The server has refused it.
    No,
}

/// A body that holds no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoReply {
    pub(crate) fault: Fault,
    pub(crate) detail: String,
    /// What it took all the same.
    pub(crate) usage: Usage,
}

impl NoReply {
    pub(crate) fn new(fault: Fault, detail: impl Into<String>) -> NoReply {
        NoReply {
            fault,
            detail: detail.into(),
            usage: Usage::default(),
        }
    }

    pub(crate) fn unreadable(detail: impl Into<String>) -> NoReply {
        NoReply::new(Fault::Unreadable, detail)
    }

    pub(crate) fn declined(detail: impl Into<String>) -> NoReply {
        NoReply::new(Fault::Declined, detail)
    }

    pub(crate) fn paid(mut self, usage: Option<Usage>) -> NoReply {
        self.usage = usage.unwrap_or_default();
        self
    }
}

/// A reply as its provider sent it. Where it counted no tokens, or more than can be, `usage` is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
    pub(crate) cut_off: bool,
}

impl Read {
    /// The reply, with what the provider left out.
    pub(crate) fn complete(self, asked_model: &str, estimate: Usage) -> ChatReply {
        ChatReply {
            text: self.text,
            usage: self.usage.unwrap_or(estimate),
            model: self.model.unwrap_or_else(|| asked_model.to_owned()),
            cut_off: self.cut_off,
        }
    }
}

/// No call takes more tokens than this.
const MOST_TOKENS: u64 = 100_000_000;

/// A count out of a usage object: the first of these names under which there is one that can be right.
fn count(usage: &Value, pointers: &[&str]) -> Option<u32> {
    pointers.iter().find_map(|pointer| {
        let count = usage.pointer(pointer)?.as_u64()?;
        u32::try_from(count).ok().filter(|_| count <= MOST_TOKENS)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{anthropic, openai};

    /// Any JSON, made of the names that replies are made of.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "(stop|length|text|tool_use|refusal|error|é*)".prop_map(Value::from),
        ];
        let name = prop_oneof![
            "(choices|message|delta|content|finish_reason|usage|prompt_tokens|data|embedding|index)",
            "(type|text|input|stop_reason|input_tokens|error|code)",
        ];
        leaf.prop_recursive(6, 40, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(name.clone(), inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_body_makes_reading_panic_and_no_reply_is_empty(body in any_json(), cut in 0usize..200) {
            let text = body.to_string();
            let stream = format!("data: {body}\n\nevent: x\ndata: {}", text.chars().take(cut).collect::<String>());
            let read = [
                openai::read(&body),
                anthropic::read(&body),
                openai::read_stream(&stream),
                anthropic::read_stream(&stream),
            ];
            for read in read.into_iter().flatten() {
                prop_assert!(read.cut_off || !read.text.is_empty());
            }
            for expected in 0..3 {
                if let Ok((vectors, _)) = openai::read_embedding(&body, expected) {
                    prop_assert_eq!(vectors.len(), expected);
                }
            }
            let _ = crate::faults::Said::find(&body).map(|said| (said.wait(), said.line()));
        }
    }
}
