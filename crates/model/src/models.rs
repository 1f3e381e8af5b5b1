//! The models of a run, opened: keys found, addresses checked, limits set.
//!
//! [`Models::open`] finds everything that can be wrong without making a call. Roles that are
//! configured alike share one model, with its connections and its limits.

use std::path::Path;
use std::sync::Arc;

use crate::config::{ConfigError, ModelsConfig, Role, RoleConfig};
use crate::connection::{http, limits};
use crate::preset::defaults;
use crate::provider::{HttpChat, HttpEmbedding};
use crate::steady::Steady;
use crate::wire::{Fields, Sent};
use crate::{ChatModel, EmbeddingModel, Fault, ModelError, Price, Protocol, Stop, Structured};

/// Looks up an environment variable. Only the outermost layer reads the environment itself.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How a local model is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalOptions {
    /// How many tokens prompt and answer of one call may have together.
    pub window_tokens: u32,
    /// How many calls may be under way at once.
    pub concurrency: u32,
}

/// What opens models that run in this process. Builds without a local engine have none.
pub trait LocalModels {
    /// Opens a GGUF file.
    ///
    /// # Errors
    /// Where the file is none, or its kind of model is not supported.
    fn open(&self, path: &Path, options: &LocalOptions) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// Opens a GGUF file of a model that makes embeddings.
    ///
    /// # Errors
    /// Where there is no such model, or this build has no engine for it.
    fn open_embedding(&self, path: &Path) -> Result<Arc<dyn EmbeddingModel>, ModelError> {
        Err(ModelError {
            model: format!("gguf:{}", path.display()),
            status: None,
            fault: Fault::NoSuchModel,
            detail: "this engine makes no embeddings".to_owned(),
            remedy: "leave `[embedding]` out to use the built-in embedder".to_owned(),
            retry_after: None,
        })
    }
}

/// A chat model in its role.
#[derive(Clone)]
pub struct RoleModel {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// How many tokens prompt and answer may have together.
    pub window_tokens: u32,
    /// How many tokens an answer may have.
    pub max_output_tokens: u32,
    /// From 0, always the likeliest, to 2.
    pub temperature: f32,
    /// How its answers are held to a schema, unless the server turns out not to know the way.
    pub structured: Structured,
    /// What it costs, where that is known.
    pub price: Option<Price>,
}

/// An embedding model.
#[derive(Clone)]
pub struct EmbeddingRole {
    /// The model.
    pub model: Arc<dyn EmbeddingModel>,
    /// What it costs, where that is known.
    pub price: Option<Price>,
}

/// The models of a run.
#[derive(Clone)]
pub struct Models {
    thinking: RoleModel,
    talking: RoleModel,
    rating: RoleModel,
    embedding: Option<EmbeddingRole>,
}

impl Models {
    /// Opens the models of a configuration. No call is made yet; once people ask to `stop`, none is sent any
    /// more.
    ///
    /// # Errors
    /// Where no model thinks, a key is missing or malformed, an address or a header is wrong, or a
    /// local model cannot be opened.
    pub fn open(
        config: &ModelsConfig,
        env: Env<'_>,
        local: Option<&dyn LocalModels>,
        stop: &Stop,
    ) -> Result<Models, ConfigError> {
        if config.thinking.is_none() {
            let remedy = "add `[thinking]` with a `model`, or use `--model PROVIDER:NAME`";
            return Err(ConfigError::of("thinking", "no model thinks", remedy));
        }
        let mut opener = Opener {
            env,
            local,
            stop,
            opened: Vec::new(),
        };
        Ok(Models {
            thinking: opener.chat(config, Role::Thinking)?,
            talking: opener.chat(config, Role::Talking)?,
            rating: opener.chat(config, Role::Rating)?,
            embedding: open_embedding(config, env, local, stop)?,
        })
    }

    /// The model of a role.
    pub fn role(&self, role: Role) -> &RoleModel {
        match role {
            Role::Thinking => &self.thinking,
            Role::Talking => &self.talking,
            Role::Rating => &self.rating,
        }
    }

    /// The embedding model; nothing for the built-in embedder.
    pub fn embedding(&self) -> Option<&EmbeddingRole> {
        self.embedding.as_ref()
    }
}

/// Opens the embedding model alone: the routine mind needs no other. Nothing for the built-in
/// embedder.
///
/// # Errors
/// As [`Models::open`].
pub fn open_embedding(
    config: &ModelsConfig,
    env: Env<'_>,
    local: Option<&dyn LocalModels>,
    stop: &Stop,
) -> Result<Option<EmbeddingRole>, ConfigError> {
    let Some(role) = &config.embedding else {
        return Ok(None);
    };
    let key = "embedding";
    let preset = role.model.preset();
    let wrong = |problem: String| {
        let remedy = "choose for example `openai:text-embedding-3-small` or `ollama:nomic-embed-text`, \
                      or leave `[embedding]` out";
        Err(ConfigError::of(format!("{key}.model"), problem, remedy))
    };
    refuse(role, key, &CHAT_SETTINGS, "an embedding model")?;
    let model: Arc<dyn EmbeddingModel> = match preset.protocol {
        Protocol::OpenAi if preset.embeddings => {
            let batch = preset.embedding_batch.unwrap_or(defaults().embedding_batch);
            Arc::new(HttpEmbedding::new(
                http(role, key, env)?,
                Steady::new(limits(role), stop),
                batch,
            ))
        }
        Protocol::Gguf => {
            refuse(role, key, &HTTP_SETTINGS, &preset.title)?;
            refuse(role, key, &["concurrency"], "an embedding model in this process")?;
            let path = Path::new(role.model.name());
            match local {
                Some(local) => local
                    .open_embedding(path)
                    .map_err(|error| unopened(key, &error))?,
                None => return wrong("this build has no local engine".to_owned()),
            }
        }
        Protocol::OpenAi | Protocol::Anthropic => {
            return wrong(format!("{} makes no embeddings", preset.title));
        }
    };
    Ok(Some(EmbeddingRole {
        model,
        price: price(role),
    }))
}

/// Opens chat models, each configuration of a connection once.
struct Opener<'a> {
    env: Env<'a>,
    local: Option<&'a dyn LocalModels>,
    stop: &'a Stop,
    opened: Vec<(RoleConfig, Arc<dyn ChatModel>)>,
}

impl Opener<'_> {
    fn chat(&mut self, config: &ModelsConfig, role: Role) -> Result<RoleModel, ConfigError> {
        // `open` has seen to it that there is one.
        let said = config.role(role).expect("thinking is configured");
        let preset = said.model.preset();
        let defaults = defaults();
        let temperature = match role {
            Role::Thinking => defaults.temperature.thinking,
            Role::Talking => defaults.temperature.talking,
            Role::Rating => defaults.temperature.rating,
        };
        let window_tokens = said
            .window_tokens
            .or(preset.window_tokens)
            .unwrap_or(defaults.window_tokens);
        // An answer must leave room for its prompt.
        let max_output_tokens = said
            .max_output_tokens
            .unwrap_or(defaults.max_output_tokens.min(window_tokens / 4));
        if max_output_tokens >= window_tokens {
            let problem =
                format!("{max_output_tokens} tokens of answer leave no room in a window of {window_tokens}");
            return Err(ConfigError::of(
                format!("{role}.max_output_tokens"),
                problem,
                "make it smaller",
            ));
        }
        if let Some(rate) = said.tokens_per_minute.filter(|rate| *rate <= max_output_tokens) {
            return Err(ConfigError::of(
                format!("{role}.tokens_per_minute"),
                format!(
                    "{rate} tokens a minute hold no call, which sets aside its prompt and {max_output_tokens} tokens of answer"
                ),
                "set `max_output_tokens` to less, or leave the rate out",
            ));
        }
        Ok(RoleModel {
            model: self.shared(said, role, window_tokens)?,
            window_tokens,
            max_output_tokens,
            temperature: said.temperature.unwrap_or(temperature),
            structured: said.structured.unwrap_or(preset.structured),
            price: price(said),
        })
    }

    /// The model, shared with a role that differs in nothing a connection knows of.
    fn shared(
        &mut self,
        said: &RoleConfig,
        role: Role,
        window_tokens: u32,
    ) -> Result<Arc<dyn ChatModel>, ConfigError> {
        let is_local = said.model.preset().protocol == Protocol::Gguf;
        let connection = RoleConfig {
            window_tokens: is_local.then_some(window_tokens),
            max_output_tokens: None,
            temperature: None,
            price: None,
            ..said.clone()
        };
        if let Some((_, model)) = self.opened.iter().find(|(known, _)| *known == connection) {
            return Ok(model.clone());
        }
        let model = self.open(&connection, role.name(), window_tokens)?;
        self.opened.push((connection, model.clone()));
        Ok(model)
    }

    fn open(
        &self,
        said: &RoleConfig,
        key: &str,
        window_tokens: u32,
    ) -> Result<Arc<dyn ChatModel>, ConfigError> {
        let preset = said.model.preset();
        match preset.protocol {
            Protocol::OpenAi | Protocol::Anthropic => {
                let fields = Fields {
                    structured: said.structured.unwrap_or(preset.structured),
                    bounds: Sent::Yes,
                    max_tokens_field: preset.max_tokens_field.clone(),
                    temperature: Sent::Yes,
                    seed: Sent::Yes,
                };
                let (http, steady) = (http(said, key, self.env)?, Steady::new(limits(said), self.stop));
                Ok(Arc::new(HttpChat::new(http, preset.protocol, steady, fields)))
            }
            Protocol::Gguf => {
                refuse(said, key, &HTTP_SETTINGS, &preset.title)?;
                let Some(local) = self.local else {
                    let remedy = "build with the feature of a local engine, or name a provider";
                    return Err(ConfigError::of(
                        format!("{key}.model"),
                        "this build opens no GGUF files",
                        remedy,
                    ));
                };
                let concurrency = limits(said).concurrency;
                let options = LocalOptions {
                    window_tokens,
                    concurrency,
                };
                local
                    .open(Path::new(said.model.name()), &options)
                    .map_err(|error| unopened(key, &error))
            }
        }
    }
}

/// Settings that say how an answer is to be.
const CHAT_SETTINGS: [&str; 4] = ["window_tokens", "max_output_tokens", "temperature", "structured"];

/// Settings that say how to call over HTTP.
const HTTP_SETTINGS: [&str; 8] = [
    "base_url",
    "key_variable",
    "headers",
    "timeout_seconds",
    "requests_per_minute",
    "tokens_per_minute",
    "retries",
    "retry_wait_seconds",
];

/// Refuses settings that would mean nothing: whoever wrote them meant something.
fn refuse(said: &RoleConfig, key: &str, settings: &[&str], whom: &str) -> Result<(), ConfigError> {
    let said = said.settings();
    match settings.iter().find(|setting| said.contains_key(**setting)) {
        Some(setting) => {
            let problem = format!("means nothing for {whom}");
            Err(ConfigError::of(
                format!("{key}.{setting}"),
                problem,
                "leave it out",
            ))
        }
        None => Ok(()),
    }
}

fn unopened(key: &str, error: &ModelError) -> ConfigError {
    let problem = format!("{}: {}", error.model, error.detail);
    ConfigError::of(format!("{key}.model"), problem, error.remedy.clone())
}

fn price(said: &RoleConfig) -> Option<Price> {
    said.price
        .map(Price::from)
        .or(said.model.preset().free.then_some(Price::FREE))
}
