//! The models of a run, opened: keys found, addresses checked, limits set.
//!
//! [`Models::open`] finds everything that can be wrong without making a call. Roles that are
//! configured alike share one model, with its connections and its limits.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::config::{ConfigError, ModelsConfig, Role, RoleConfig};
use crate::http::{Http, Site, sensitive};
use crate::preset::{KeyNeed, defaults};
use crate::provider::{HttpChat, HttpEmbedding};
use crate::secret::Secrets;
use crate::steady::{Limits, Steady};
use crate::wire::{Fields, Sent};
use crate::{ChatModel, EmbeddingModel, Fault, ModelError, Price, Protocol, Structured};

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

    /// Opens a sentence model's folder.
    ///
    /// # Errors
    /// Where there is no such model, or this build has no engine for it.
    fn open_embedding(&self, path: &Path) -> Result<Arc<dyn EmbeddingModel>, ModelError> {
        Err(ModelError {
            model: format!("sentence:{}", path.display()),
            status: None,
            fault: Fault::NoSuchModel,
            detail: "this build opens no sentence models".to_owned(),
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
    /// Opens the models of a configuration. No call is made yet.
    ///
    /// # Errors
    /// Where no model thinks, a key is missing or malformed, an address or a header is wrong, or a
    /// local model cannot be opened.
    pub fn open(
        config: &ModelsConfig,
        env: Env<'_>,
        local: Option<&dyn LocalModels>,
    ) -> Result<Models, ConfigError> {
        if config.thinking.is_none() {
            let remedy = "add `[thinking]` with a `model`, or use `--model PROVIDER:NAME`";
            return Err(ConfigError::of("thinking", "no model thinks", remedy));
        }
        let mut opener = Opener {
            env,
            local,
            opened: Vec::new(),
        };
        Ok(Models {
            thinking: opener.chat(config, Role::Thinking)?,
            talking: opener.chat(config, Role::Talking)?,
            rating: opener.chat(config, Role::Rating)?,
            embedding: open_embedding(config, env, local)?,
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
    let model: Arc<dyn EmbeddingModel> = match preset.protocol {
        Protocol::OpenAi => {
            let batch = preset.embedding_batch.unwrap_or(defaults().embedding_batch);
            Arc::new(HttpEmbedding::new(
                http(role, key, env)?,
                Steady::new(limits(role)),
                batch,
            ))
        }
        Protocol::Sentence => {
            let path = Path::new(role.model.name());
            match local {
                Some(local) => local
                    .open_embedding(path)
                    .map_err(|error| unopened(key, &error))?,
                None => return wrong("this build has no local engine".to_owned()),
            }
        }
        Protocol::Anthropic | Protocol::Gguf => {
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
                    max_tokens_field: preset.max_tokens_field.clone(),
                    temperature: Sent::Yes,
                    seed: Sent::Yes,
                };
                let (http, steady) = (http(said, key, self.env)?, Steady::new(limits(said)));
                Ok(Arc::new(HttpChat::new(http, preset.protocol, steady, fields)))
            }
            Protocol::Gguf => {
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
            Protocol::Sentence => {
                let problem = format!("{} gives no answers", preset.title);
                Err(ConfigError::of(
                    format!("{key}.model"),
                    problem,
                    "it can only be the `embedding`",
                ))
            }
        }
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

fn limits(said: &RoleConfig) -> Limits {
    let (preset, defaults) = (said.model.preset(), defaults());
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let timeout = said
        .timeout_seconds
        .or(preset.timeout_seconds)
        .unwrap_or(defaults.timeout_seconds);
    Limits {
        timeout: seconds(timeout),
        concurrency: said
            .concurrency
            .or(preset.concurrency)
            .unwrap_or(defaults.concurrency),
        requests_per_minute: said.requests_per_minute.and_then(NonZeroU32::new),
        tokens_per_minute: said.tokens_per_minute.and_then(NonZeroU32::new),
        retries: said.retries.or(preset.retries).unwrap_or(defaults.retries),
        first_wait: seconds(defaults.first_wait_seconds),
        longest_wait: seconds(defaults.longest_wait_seconds),
        longest_retry_after: seconds(defaults.longest_retry_after_seconds),
        failures_until_down: defaults.failures_until_down,
    }
}

/// The client of a role: its address, its key and its headers.
fn http(said: &RoleConfig, key: &str, env: Env<'_>) -> Result<Http, ConfigError> {
    let preset = said.model.preset();
    let base_url = base_url(said, key)?;
    let (key_variable, secret) = find_key(said, key, env)?;
    let mut headers = HeaderMap::new();
    let mut secrets: Vec<String> = secret.iter().cloned().collect();
    if let Some(secret) = &secret {
        let (name, value) = match preset.protocol {
            Protocol::Anthropic => ("x-api-key", sensitive(secret)),
            _ => ("authorization", sensitive(&format!("Bearer {secret}"))),
        };
        // `find_key` lets nothing through that a header cannot hold.
        headers.insert(
            HeaderName::from_static(name),
            value.expect("a checked key fits a header"),
        );
    }
    for (name, value) in &preset.headers {
        insert_header(&mut headers, name, value, key)?;
    }
    for (name, value) in &said.headers {
        let path = format!("{key}.headers.{name}");
        match value.strip_prefix('$') {
            Some(variable) => {
                let Some(found) = env(variable).map(|value| value.trim().to_owned()) else {
                    let problem = format!("the environment variable {variable} is not set");
                    return Err(ConfigError::of(path, problem, format!("set {variable}")));
                };
                insert_header(&mut headers, name, &found, key)?;
                secrets.push(found);
            }
            None if looks_secret(name) => {
                let remedy = "put it into an environment variable and write its name with a `$` before it";
                return Err(ConfigError::of(
                    path,
                    "a secret does not belong in a file",
                    remedy,
                ));
            }
            None => insert_header(&mut headers, name, value, key)?,
        }
    }
    let site = Site {
        name: said.model.to_string(),
        model: said.model.name().to_owned(),
        title: preset.title.clone(),
        base_url,
        key_variable,
        start_hint: preset.start_hint.clone(),
        model_hint: preset.model_hint.clone(),
        secrets: Secrets::new(secrets),
    };
    Http::new(site, headers)
        .map_err(|problem| ConfigError::of(key, problem, "check the system's certificates"))
}

fn insert_header(headers: &mut HeaderMap, name: &str, value: &str, key: &str) -> Result<(), ConfigError> {
    let pair = HeaderName::from_bytes(name.as_bytes())
        .ok()
        .zip(HeaderValue::from_str(value).ok());
    let Some((header, mut value)) = pair else {
        let remedy = "names and values are printable ASCII, without line breaks";
        return Err(ConfigError::of(
            format!("{key}.headers.{name}"),
            "is no header",
            remedy,
        ));
    };
    value.set_sensitive(looks_secret(name));
    headers.insert(header, value);
    Ok(())
}

/// Whether a header of that name is likely to hold a secret.
fn looks_secret(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    ["authorization", "key", "token", "secret", "cookie", "password"]
        .iter()
        .any(|word| small.contains(word))
}

fn base_url(said: &RoleConfig, key: &str) -> Result<String, ConfigError> {
    let preset = said.model.preset();
    let path = format!("{key}.base_url");
    let Some(text) = said.base_url.as_ref().or(preset.base_url.as_ref()) else {
        let remedy = "say where its API begins, such as `base_url = \"http://127.0.0.1:8080/v1\"`";
        return Err(ConfigError::of(path, "is missing", remedy));
    };
    let Ok(url) = reqwest::Url::parse(text.trim()) else {
        return Err(ConfigError::of(
            path,
            "is no address",
            "write it like `https://api.example.com/v1`",
        ));
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(ConfigError::of(
            path,
            "is no web address",
            "it begins with `https://` or `http://`",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let remedy = "put the key into an environment variable and name it as `key_variable`";
        return Err(ConfigError::of(path, "holds a user name or a password", remedy));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(ConfigError::of(
            path,
            "has something after its path",
            "end it before `?` and `#`",
        ));
    }
    let mut text = url.as_str().trim_end_matches('/');
    // People copy the whole address out of examples.
    for ending in ["/chat/completions", "/embeddings", "/messages"] {
        text = text.strip_suffix(ending).unwrap_or(text);
    }
    Ok(text.to_owned())
}

/// The variable a key comes from, and the key.
fn find_key(
    said: &RoleConfig,
    key: &str,
    env: Env<'_>,
) -> Result<(Option<String>, Option<String>), ConfigError> {
    let preset = said.model.preset();
    let named = said.key_variable.as_deref().map(str::trim);
    if named == Some("") {
        return Ok((None, None));
    }
    let variables: Vec<&str> = match named {
        Some(variable) => vec![variable],
        None => preset.key_variables.iter().map(String::as_str).collect(),
    };
    if let Some(variable) = named
        && !variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        // Somebody wrote the key itself; it must not be repeated.
        let remedy =
            "write the name of the environment variable that holds the key, such as `OPENAI_API_KEY`";
        return Err(ConfigError::of(
            format!("{key}.key_variable"),
            "is no name of a variable",
            remedy,
        ));
    }
    let found = variables.iter().find_map(|variable| {
        let value = env(variable)?.trim().to_owned();
        (!value.is_empty()).then_some((*variable, value))
    });
    if let Some((variable, value)) = found {
        if value.chars().any(|c| !c.is_ascii_graphic()) || value.starts_with(['"', '\'']) {
            let problem = format!("the environment variable {variable} holds no key");
            let remedy = "a key is one word without quotes, spaces or line breaks";
            return Err(ConfigError::of(key, problem, remedy));
        }
        return Ok((Some(variable.to_owned()), Some(value)));
    }
    if named.is_some() || preset.key == KeyNeed::Required {
        let problem = format!("the key of {} is missing", preset.title);
        let remedy = format!("set the environment variable {}", variables.join(" or "));
        return Err(ConfigError::of(key, problem, remedy));
    }
    Ok((variables.first().map(|variable| (*variable).to_owned()), None))
}
