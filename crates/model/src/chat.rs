//! What is asked of a chat model, and what comes back.

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::ModelError;

/// Who a turn of the exchange comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Whoever asks.
    User,
    /// The model itself, earlier.
    Model,
}

/// One turn of the exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Whose turn it is.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
}

/// The JSON shape an answer must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerShape {
    /// A short identifier, `[a-z_]+`.
    pub name: String,
    /// A JSON schema of an object.
    pub schema: serde_json::Value,
}

/// One call. Everything that decides the answer is in it, so equal requests may share one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// What stays the same from call to call (who the resident is, how to answer): first, so that
    /// providers' prompt caches hit.
    pub system: String,
    /// The exchange so far; ends with a turn of the user.
    pub turns: Vec<Turn>,
    /// The shape of the answer; free text without it.
    pub shape: Option<AnswerShape>,
    /// How many tokens the answer may have at most.
    pub max_tokens: u32,
    /// 0 for the likeliest answer, up to 2.
    pub temperature: f32,
    /// For providers that can draw reproducibly.
    pub seed: Option<u64>,
}

/// How many tokens a call took, as the provider counts them, or estimated where it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub input: u32,
    /// Of them, tokens that came out of the provider's cache.
    pub cached: u32,
    /// Tokens of the answer, hidden reasoning included.
    pub output: u32,
}

impl Usage {
    /// Adds what another call took.
    pub fn add(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.cached = self.cached.saturating_add(other.cached);
        self.output = self.output.saturating_add(other.output);
    }
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The answer, word for word.
    pub text: String,
    /// What it took, together with unreadable answers to the same request that came before it.
    pub usage: Usage,
    /// The model that answered, as it calls itself.
    pub model: String,
    /// Whether the answer was cut off at `max_tokens`.
    pub cut_off: bool,
}

/// Something that answers.
pub trait ChatModel: Send + Sync {
    /// Provider and model, such as `ollama:qwen3:4b`; never a key.
    fn name(&self) -> &str;

    /// Answers one request. The future may be polled by any executor; dropping it may leave the
    /// call running.
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>>;
}
