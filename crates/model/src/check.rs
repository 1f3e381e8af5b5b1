//! Finding out, with one small call each, whether the models of a run work.

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, FutureExt};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::adherence::AdherenceScene;
use crate::{
    AnswerShape, ChatModel, ChatRequest, EmbeddingModel, Fault, ModelError, Models, Role, Speaker, Turn,
};

/// The words of `prompts/check.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    check: CheckWords,
    pub(crate) adherence: AdherenceScene,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckWords {
    system: String,
    prompt: String,
    max_tokens: u32,
    right: Vec<String>,
}

pub(crate) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    // Compiled in, and read by the tests.
    toml::from_str(include_str!("../prompts/check.toml")).expect("prompts/check.toml is well-formed")
});

/// How well an answer kept to the shape that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shaped {
    /// It is a JSON object of the schema, and nothing else.
    Exactly,
    /// It is something else: the lenient reader has work to do.
    Loosely,
}

/// What a working model showed.
#[derive(Clone, Debug, PartialEq)]
pub enum Works {
    /// A chat model answered.
    Chat {
        /// The model that answered, as it calls itself.
        model: String,
        /// How long it took, retries included.
        latency: Duration,
        /// Whether it kept to the schema.
        shaped: Shaped,
    },
    /// An embedding model gave a vector.
    Embedding {
        /// How long it took, retries included.
        latency: Duration,
        /// How many numbers the vector has.
        dimensions: usize,
    },
    /// The built-in embedder is used; it needs no check.
    BuiltIn,
}

/// What was found out about one role. As text it is one line that says what works, what does not,
/// and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckLine {
    /// The role as `models.toml` names it.
    pub role: &'static str,
    /// Provider and model.
    pub model: String,
    /// What it showed, or what is wrong.
    pub result: Result<Works, ModelError>,
}

impl fmt::Display for CheckLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<9} ", self.role)?;
        match &self.result {
            Ok(Works::Chat {
                model,
                latency,
                shaped,
            }) => {
                let seconds = latency.as_secs_f64();
                write!(f, "ok     {}", self.model)?;
                if !self.model.ends_with(&format!(":{model}")) {
                    write!(f, " (answers as {model})")?;
                }
                write!(f, ": {seconds:.2} s, ")?;
                match shaped {
                    Shaped::Exactly => write!(f, "answers in the schema"),
                    Shaped::Loosely => {
                        write!(f, "does not keep to the schema; answers will be read leniently")
                    }
                }
            }
            Ok(Works::Embedding { latency, dimensions }) => {
                write!(
                    f,
                    "ok     {}: {:.2} s, {dimensions} dimensions",
                    self.model,
                    latency.as_secs_f64()
                )
            }
            Ok(Works::BuiltIn) => write!(f, "ok     built-in embedder"),
            Err(error) => write!(f, "FAILED {error}"),
        }
    }
}

impl Models {
    /// Makes one small call per role, all at once, and says of each what was found. The future may
    /// be polled by any executor.
    pub fn check(&self) -> BoxFuture<'_, Vec<CheckLine>> {
        async move {
            let chats = Role::ALL.map(|role| check_chat(role, self.role(role).model.as_ref()));
            let chats = futures_util::future::join_all(chats);
            let embedding = async {
                match self.embedding() {
                    Some(embedding) => check_embedding(embedding.model.as_ref()).await,
                    None => CheckLine {
                        role: "embedding",
                        model: "built-in".to_owned(),
                        result: Ok(Works::BuiltIn),
                    },
                }
            };
            let (mut lines, embedding) = futures_util::future::join(chats, embedding).await;
            lines.push(embedding);
            lines
        }
        .boxed()
    }
}

/// One small question with one right shape of answer.
async fn check_chat(role: Role, model: &dyn ChatModel) -> CheckLine {
    let words = &WORDS.check;
    let request = ChatRequest {
        system: words.system.clone(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: words.prompt.clone(),
        }],
        shape: Some(AnswerShape {
            name: "comparison".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {"larger": {"type": "integer"}},
                "required": ["larger"],
                "additionalProperties": false,
            }),
        }),
        max_tokens: words.max_tokens,
        temperature: 0.0,
        seed: None,
    };
    let began = Instant::now();
    let result = model.chat(&request).await.and_then(|reply| {
        // Whatever is around it, the number that was asked for must be in the answer.
        let said = reply.text.to_lowercase();
        if !words.right.iter().any(|right| said.contains(right)) {
            let beginning: String = reply.text.chars().take(80).collect();
            return Err(ModelError {
                model: model.name().to_owned(),
                status: None,
                fault: Fault::Unreadable,
                detail: format!("asked which of two numbers is larger, it says neither: {beginning:?}"),
                remedy:
                    "choose a model that follows instructions; the rules would have to answer in its place"
                        .to_owned(),
                retry_after: None,
            });
        }
        let object: Option<Value> = serde_json::from_str(reply.text.trim()).ok();
        let fits = object.is_some_and(|object| {
            object["larger"].is_i64() && object.as_object().is_some_and(|object| object.len() == 1)
        });
        let shaped = if fits { Shaped::Exactly } else { Shaped::Loosely };
        Ok(Works::Chat {
            model: reply.model,
            latency: began.elapsed(),
            shaped,
        })
    });
    CheckLine {
        role: role.name(),
        model: model.name().to_owned(),
        result,
    }
}

async fn check_embedding(model: &dyn EmbeddingModel) -> CheckLine {
    let texts = [WORDS.check.prompt.clone()];
    let began = Instant::now();
    let embedded = model.embed(&texts).await;
    let result = embedded.map(|embedded| Works::Embedding {
        latency: began.elapsed(),
        dimensions: embedded.vectors.first().map_or(0, Vec::len),
    });
    CheckLine {
        role: "embedding",
        model: model.name().to_owned(),
        result,
    }
}
