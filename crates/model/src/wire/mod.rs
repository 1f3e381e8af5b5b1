//! What goes over the wire: requests as JSON, and replies out of whatever comes back.
//!
//! Each protocol is a file with two functions, one that writes a request and one that reads a
//! reply; [`Fields`] says which of the optional fields a server takes.

pub(crate) mod anthropic;
pub(crate) mod openai;
mod sse;
mod strict;

use serde_json::Value;

use crate::{ChatReply, Fault, Structured};

/// Which optional fields go out with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    /// How the answer is held to its schema.
    pub(crate) structured: Structured,
    /// What the limit of the answer's tokens is called.
    pub(crate) max_tokens_field: String,
    /// Whether the temperature is sent.
    pub(crate) temperature: Sent,
    /// Whether the seed is sent.
    pub(crate) seed: Sent,
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
}

impl NoReply {
    pub(crate) fn unreadable(detail: impl Into<String>) -> NoReply {
        NoReply {
            fault: Fault::Unreadable,
            detail: detail.into(),
        }
    }

    pub(crate) fn declined(detail: impl Into<String>) -> NoReply {
        NoReply {
            fault: Fault::Declined,
            detail: detail.into(),
        }
    }
}

/// A reply as its provider sent it. Where it counted no tokens, `usage` is nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) usage: Option<crate::Usage>,
    pub(crate) model: Option<String>,
    pub(crate) cut_off: bool,
}

impl Read {
    /// The reply, with what the provider left out.
    pub(crate) fn complete(self, asked_model: &str, estimate: crate::Usage) -> ChatReply {
        ChatReply {
            text: self.text,
            usage: self.usage.unwrap_or(estimate),
            model: self.model.unwrap_or_else(|| asked_model.to_owned()),
            cut_off: self.cut_off,
        }
    }
}

/// A count out of a usage object: the first of these names that is there.
fn count(usage: &Value, pointers: &[&str]) -> Option<u32> {
    let found = pointers
        .iter()
        .find_map(|pointer| usage.pointer(pointer)?.as_u64());
    found.map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}
