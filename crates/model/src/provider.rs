//! Chat and embedding models behind an HTTP API.
//!
//! Servers differ in which optional fields they take. What a request may carry is first a matter of
//! the preset; where a server then refuses a field by name, the model leaves it out, asks again at
//! once, and, if that was it, remembers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{BoxFuture, FutureExt};
use serde_json::Value;

use crate::http::{Http, Refusal, runtime};
use crate::steady::{Call, Placed, Steady, seed_of};
use crate::tokens::{estimate_prompt_tokens, estimate_tokens};
use crate::wire::{Fields, NoReply, Read, Sent, anthropic, openai};
use crate::{
    ChatModel, ChatReply, ChatRequest, Embedded, EmbeddingModel, Fault, ModelError, Protocol, Structured,
    Usage,
};

/// What can be given up, with the words a refusal names it by. For the shape of an answer there is a
/// ladder: without bounds of lists and numbers, without `strict`, then any JSON object, then nothing.
const GIVEN_UP: [(Field, &[&str]); 7] = [
    (
        Field::Bounds,
        &[
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "supported by xgrammar",
        ],
    ),
    (
        Field::Strict,
        &[
            "nvalid schema",
            "additionalProperties",
            "'strict'",
            "`strict`",
            "\"strict\"",
            "json_schema.strict",
        ],
    ),
    (Field::Schema, &["json_schema"]),
    (
        Field::Structured,
        &[
            "response_format",
            "response format",
            "structured output",
            "requested parameters",
            "tool",
        ],
    ),
    (Field::Temperature, &["temperature"]),
    (Field::Seed, &["seed"]),
    (Field::MaxTokens, &["max_completion_tokens"]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Bounds,
    Strict,
    Schema,
    Structured,
    Temperature,
    Seed,
    /// Is not left out but sent under its other name.
    MaxTokens,
}

/// A chat model behind HTTP.
pub(crate) struct HttpChat {
    inner: Arc<ChatInner>,
}

struct ChatInner {
    http: Http,
    protocol: Protocol,
    steady: Steady,
    fields: Fields,
    /// Which of [`GIVEN_UP`] the server has refused.
    refused: [AtomicBool; GIVEN_UP.len()],
}

impl HttpChat {
    pub(crate) fn new(http: Http, protocol: Protocol, steady: Steady, fields: Fields) -> HttpChat {
        let refused = Default::default();
        HttpChat {
            inner: Arc::new(ChatInner {
                http,
                protocol,
                steady,
                fields,
                refused,
            }),
        }
    }
}

impl ChatModel for HttpChat {
    fn name(&self) -> &str {
        &self.inner.http.site.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        let (inner, request) = (self.inner.clone(), request.clone());
        let call = async move { inner.steady_call(&request).await };
        // Its place is free once the caller has the reply, so that few replies are ever on their way to
        // whoever writes them down.
        let taken = spawned(&self.inner.http, call).map(|reply| reply.map(|placed| placed.value));
        taken.boxed()
    }
}

impl ChatInner {
    async fn steady_call(&self, request: &ChatRequest) -> Result<Placed<ChatReply>, ModelError> {
        let prompt_tokens = estimate_prompt_tokens(request);
        let texts = request.turns.iter().map(|turn| turn.text.as_str());
        let call = Call {
            tokens: prompt_tokens.saturating_add(request.max_tokens),
            seed: seed_of(texts.chain([request.system.as_str()])),
        };
        let wasted = Mutex::new(Usage::default());
        let attempt = || self.attempt(request, prompt_tokens, &wasted);
        let mut reply = self.steady.run(&self.http.site, call, attempt).await?;
        reply
            .value
            .usage
            .add(*wasted.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(reply)
    }

    /// One try. Tokens that were paid for nothing go to `wasted`.
    async fn attempt(
        &self,
        request: &ChatRequest,
        prompt_tokens: u32,
        wasted: &Mutex<Usage>,
    ) -> Result<ChatReply, ModelError> {
        let mut given_up = self
            .refused
            .each_ref()
            .map(|refused| refused.load(Ordering::SeqCst));
        // Every round but the last gives up one thing more, so there is an end to it.
        loop {
            let fields = self.fields_without(&given_up);
            let refusal = match self.round(request, &fields).await {
                Ok(read) => {
                    // A request that is refused whatever it carries teaches nothing.
                    for (refused, given_up) in self.refused.iter().zip(given_up) {
                        refused.fetch_or(given_up, Ordering::SeqCst);
                    }
                    return Ok(self.reply(read, prompt_tokens));
                }
                Err(refusal) => refusal,
            };
            wasted
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .add(refusal.usage);
            match self.refused_field(&refusal, request, &fields) {
                Some(index) => given_up[index] = true,
                None => return Err(refusal.error),
            }
        }
    }

    fn reply(&self, read: Read, prompt_tokens: u32) -> ChatReply {
        let site = &self.http.site;
        let estimate = Usage {
            input: prompt_tokens,
            cached: 0,
            output: estimate_tokens(&read.text),
        };
        let mut reply = read.complete(&site.model, estimate);
        reply.text = site.secrets.hide_known(&reply.text);
        reply.model = site.secrets.hide_known(&reply.model);
        reply
    }

    async fn round(&self, request: &ChatRequest, fields: &Fields) -> Result<Read, Box<Refusal>> {
        let model = &self.http.site.model;
        if self.protocol == Protocol::Anthropic {
            let body = anthropic::write(model, request, fields);
            let answer = self.http.post(anthropic::PATH, &body).await?;
            self.http.reply(&answer, anthropic::read, anthropic::read_stream)
        } else {
            let body = openai::write(model, request, fields);
            let answer = self.http.post(openai::CHAT_PATH, &body).await?;
            self.http.reply(&answer, openai::read, openai::read_stream)
        }
    }

    fn fields_without(&self, given_up: &[bool; GIVEN_UP.len()]) -> Fields {
        let is_given_up = |field| {
            let mut pairs = GIVEN_UP.iter().zip(given_up);
            pairs.any(|((known, _), given_up)| *known == field && *given_up)
        };
        let mut fields = self.fields.clone();
        if is_given_up(Field::Bounds) {
            fields.bounds = Sent::No;
        }
        if is_given_up(Field::Strict) && fields.structured == Structured::StrictSchema {
            fields.structured = Structured::Schema;
        }
        if is_given_up(Field::Schema) && names_schema(fields.structured) {
            fields.structured = Structured::Json;
        }
        if is_given_up(Field::Structured) {
            fields.structured = Structured::Plain;
        }
        if is_given_up(Field::Temperature) {
            fields.temperature = Sent::No;
        }
        if is_given_up(Field::Seed) {
            fields.seed = Sent::No;
        }
        if is_given_up(Field::MaxTokens) {
            let other = match fields.max_tokens_field.as_str() {
                "max_tokens" => "max_completion_tokens",
                _ => "max_tokens",
            };
            fields.max_tokens_field = other.to_owned();
        }
        fields
    }

    /// Which field of those that went out the server refuses, if that is what it says.
    fn refused_field(&self, refusal: &Refusal, request: &ChatRequest, sent: &Fields) -> Option<usize> {
        let of_request = matches!(refusal.error.status, Some(400 | 404 | 415 | 422 | 501));
        if !of_request
            || !matches!(
                refusal.error.fault,
                Fault::Request | Fault::NoSuchModel | Fault::Server
            )
        {
            return None;
        }
        GIVEN_UP.iter().position(|(field, words)| {
            let shaped = request.shape.is_some();
            let went_out = match field {
                Field::Bounds => {
                    let has_schema = names_schema(sent.structured) || sent.structured == Structured::Tool;
                    shaped && has_schema && sent.bounds == Sent::Yes
                }
                Field::Strict => shaped && sent.structured == Structured::StrictSchema,
                Field::Schema => shaped && names_schema(sent.structured),
                Field::Structured => shaped && sent.structured != Structured::Plain,
                Field::Temperature => sent.temperature == Sent::Yes,
                Field::Seed => request.seed.is_some() && sent.seed == Sent::Yes,
                Field::MaxTokens => sent.max_tokens_field == self.fields.max_tokens_field,
            };
            went_out && words.iter().any(|word| refusal.said.names(word))
        })
    }
}

/// Whether the request carries the schema as `response_format`.
fn names_schema(structured: Structured) -> bool {
    matches!(structured, Structured::StrictSchema | Structured::Schema)
}

/// An embedding model behind HTTP.
pub(crate) struct HttpEmbedding {
    inner: Arc<EmbeddingInner>,
}

struct EmbeddingInner {
    http: Http,
    steady: Steady,
    batch: usize,
}

impl HttpEmbedding {
    pub(crate) fn new(http: Http, steady: Steady, batch: usize) -> HttpEmbedding {
        HttpEmbedding {
            inner: Arc::new(EmbeddingInner {
                http,
                steady,
                batch: batch.max(1),
            }),
        }
    }
}

impl EmbeddingModel for HttpEmbedding {
    fn name(&self) -> &str {
        &self.inner.http.site.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Embedded, ModelError>> {
        let (inner, texts) = (self.inner.clone(), texts.to_vec());
        spawned(&self.inner.http, async move { inner.embed(&texts).await })
    }
}

impl EmbeddingInner {
    async fn embed(&self, texts: &[String]) -> Result<Embedded, ModelError> {
        let batches = texts.chunks(self.batch).map(|batch| self.embed_batch(batch));
        let mut all = Embedded {
            vectors: Vec::with_capacity(texts.len()),
            usage: Usage::default(),
        };
        for batch in futures_util::future::try_join_all(batches).await? {
            all.vectors.extend(batch.vectors);
            all.usage.input = all.usage.input.saturating_add(batch.usage.input);
        }
        // Not tried again: the same texts would give the same.
        match all.flaw(texts.len()) {
            Some(flaw) => {
                let mut error = self.http.site.error(Fault::Unreadable, None, &flaw);
                error.remedy = "choose another embedder".to_owned();
                Err(error)
            }
            None => Ok(all),
        }
    }

    async fn embed_batch(&self, texts: &[String]) -> Result<Embedded, ModelError> {
        let estimate = texts
            .iter()
            .fold(0, |sum: u32, text| sum.saturating_add(estimate_tokens(text)));
        let call = Call {
            tokens: estimate,
            seed: seed_of(texts.iter().map(String::as_str)),
        };
        let site = &self.http.site;
        let attempt = || async {
            let body = openai::write_embedding(&site.model, texts);
            let answer = self.http.post(openai::EMBEDDINGS_PATH, &body).await?;
            let no_stream = |_: &str| Err(NoReply::unreadable("embeddings came as a stream"));
            let read = |body: &Value| openai::read_embedding(body, texts.len());
            self.http
                .reply(&answer, read, no_stream)
                .map_err(|refusal| refusal.error)
        };
        let (vectors, tokens) = self.steady.run(site, call, attempt).await?.value;
        let usage = Usage {
            input: tokens.unwrap_or(estimate),
            cached: 0,
            output: 0,
        };
        Ok(Embedded { vectors, usage })
    }
}

/// Runs a call on this crate's own runtime. Any executor can await it.
fn spawned<T: Send + 'static>(
    http: &Http,
    call: impl Future<Output = Result<T, ModelError>> + Send + 'static,
) -> BoxFuture<'_, Result<T, ModelError>> {
    async move {
        match runtime() {
            Ok(runtime) => runtime.spawn(call).await.unwrap_or_else(|error| {
                Err(http
                    .site
                    .error(Fault::Unreadable, None, &format!("the call broke off: {error}")))
            }),
            Err(problem) => Err(http.site.error(Fault::Network, None, &problem)),
        }
    }
    .boxed()
}
