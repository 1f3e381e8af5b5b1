//! A model that says what the routine mind would, in the shape a model would write it.
//!
//! For estimates of calls and tokens before a run, and for benches: every prompt is really made, every
//! answer really read, and the words make sense, but nothing is paid for. The routine mind's answer comes
//! through [`Crib`]; a server that plays a provider asks [`Rehearsal::answer`] for it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures_util::future::{BoxFuture, ready};
use townsfolk_model::{
    ChatModel, ChatReply, ChatRequest, Fault, ModelError, Usage, estimate_prompt_tokens, estimate_tokens,
};

use super::Crib;

/// Says what the routine mind would.
#[derive(Default)]
pub struct Rehearsal {
    /// Answers by hash of what was asked.
    answers: Mutex<BTreeMap<[u8; 32], String>>,
}

impl Rehearsal {
    /// The name it goes by.
    pub const NAME: &'static str = "rehearsal";

    /// The answer to a prompt that was put a moment ago, by its system text and its last turn.
    pub fn answer(&self, system: &str, last_turn: &str) -> Option<String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(&key(system, last_turn)).cloned()
    }
}

impl Crib for Rehearsal {
    fn learn(&self, request: &ChatRequest, answer: String) {
        let key = key(&request.system, last_turn(request));
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.insert(key, answer);
    }
}

impl ChatModel for Rehearsal {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        let reply = self
            .answer(&request.system, last_turn(request))
            .map(|text| ChatReply {
                usage: Usage {
                    input: estimate_prompt_tokens(request),
                    cached: 0,
                    output: estimate_tokens(&text),
                },
                text,
                model: Self::NAME.to_owned(),
                cut_off: false,
            });
        let unknown = || ModelError {
            model: Self::NAME.to_owned(),
            status: None,
            fault: Fault::Request,
            detail: "it was told no answer to this".to_owned(),
            remedy: "make it the crib of the mind it answers for".to_owned(),
            retry_after: None,
        };
        Box::pin(ready(reply.ok_or_else(unknown)))
    }
}

fn last_turn(request: &ChatRequest) -> &str {
    request.turns.last().map_or("", |turn| &turn.text)
}

fn key(system: &str, last_turn: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(system.as_bytes())
        .update(b"\0")
        .update(last_turn.as_bytes());
    *hasher.finalize().as_bytes()
}
