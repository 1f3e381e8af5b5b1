//! Which model plays which role: `models.toml` as a type.
//!
//! [`ModelsConfig`] holds what was said, no more: what was left out is filled in when the models
//! are opened. It holds no key, only names of environment variables, so it may be kept with a run.

mod read;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ModelSpec, Price, Protocol, SpecError, Structured};

/// A role a chat model plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Plans, reactions, reflections.
    Thinking,
    /// What is said in a conversation.
    Talking,
    /// How important a memory is, and other small judgements: many cheap calls.
    Rating,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 3] = [Role::Thinking, Role::Talking, Role::Rating];

    /// Its name in `models.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Thinking => "thinking",
            Role::Talking => "talking",
            Role::Rating => "rating",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is said about one role. Everything but the model may be left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoleConfig {
    /// The model.
    pub model: ModelSpec,
    /// Where the API begins, instead of the preset's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The environment variable that holds the key, instead of the preset's; empty for no key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
    /// Headers to send with every call. A value that begins with `$` names an environment variable.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// How many tokens prompt and answer may have together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<u32>,
    /// How many tokens an answer may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// From 0, always the likeliest, to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// How an answer is held to its schema, instead of the preset's way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Structured>,
    /// How long one call may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<f64>,
    /// How many calls may be under way at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// How many calls may begin in a minute on average; as many may begin at once after a silence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// How many tokens, of prompts and answers together, may be asked for in a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u32>,
    /// How often a call that failed for the moment is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// How long to wait before the first of these tries; each further wait is twice as long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_wait_seconds: Option<f64>,
    /// What it costs.
    #[serde(rename = "price_usd_per_million", skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceConfig>,
}

/// A price as it is written down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PriceConfig {
    /// A million tokens of the prompt.
    pub input: f64,
    /// A million tokens of the prompt out of the provider's cache; as `input` where left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// A million tokens of the answer; 0 for an embedding model, which has none.
    pub output: f64,
}

impl From<PriceConfig> for Price {
    fn from(config: PriceConfig) -> Price {
        Price {
            input_usd_per_million: config.input,
            cached_usd_per_million: config.cached.unwrap_or(config.input),
            output_usd_per_million: config.output,
        }
    }
}

impl RoleConfig {
    /// A model, and all else as its preset has it.
    pub fn new(model: ModelSpec) -> RoleConfig {
        RoleConfig {
            model,
            base_url: None,
            key_variable: None,
            headers: BTreeMap::new(),
            window_tokens: None,
            max_output_tokens: None,
            temperature: None,
            structured: None,
            timeout_seconds: None,
            concurrency: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            retries: None,
            retry_wait_seconds: None,
            price: None,
        }
    }
}

impl RoleConfig {
    /// What was said, by the keys of `models.toml`.
    pub(crate) fn settings(&self) -> toml::Table {
        // A plain table of strings and numbers: there is nothing TOML could not hold.
        toml::Table::try_from(self).expect("a role is a valid TOML table")
    }
}

/// The models of a run. A role that is left out is played by `thinking`; without `embedding`, the
/// built-in embedder is used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelsConfig {
    /// Plans, reacts and reflects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<RoleConfig>,
    /// Speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub talking: Option<RoleConfig>,
    /// Judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<RoleConfig>,
    /// Turns texts into vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<RoleConfig>,
}

impl ModelsConfig {
    /// One model for all three roles, as by a flag: `ollama:qwen3:4b`.
    ///
    /// # Errors
    /// Where the text names no model.
    pub fn of_one(spec: &str) -> Result<ModelsConfig, SpecError> {
        Ok(ModelsConfig {
            thinking: Some(RoleConfig::new(spec.parse()?)),
            ..ModelsConfig::default()
        })
    }

    /// Reads a `models.toml`; `file` is its name, for errors.
    ///
    /// # Errors
    /// Where it is no TOML, has a key that is not known, or a value that cannot be.
    pub fn read(text: &str, file: &str) -> Result<ModelsConfig, ConfigError> {
        read::read(text, file)
    }

    /// What is said about a role: its own table, or that of `thinking`.
    pub fn role(&self, role: Role) -> Option<&RoleConfig> {
        let own = match role {
            Role::Thinking => &self.thinking,
            Role::Talking => &self.talking,
            Role::Rating => &self.rating,
        };
        own.as_ref().or(self.thinking.as_ref())
    }

    /// The same, but a call that fails is tried again at most so often. Whoever waits for a check
    /// would rather know.
    pub fn with_retries(mut self, retries: u32) -> ModelsConfig {
        let roles = [
            &mut self.thinking,
            &mut self.talking,
            &mut self.rating,
            &mut self.embedding,
        ];
        for role in roles.into_iter().flatten() {
            if matches!(
                role.model.preset().protocol,
                Protocol::OpenAi | Protocol::Anthropic
            ) {
                role.retries = Some(retries);
            }
        }
        self
    }

    /// What its models cost, by their names: as it says itself, or nothing where they run on one's own machine.
    pub fn prices(&self) -> BTreeMap<String, Price> {
        let roles = [&self.thinking, &self.talking, &self.rating, &self.embedding];
        let priced = roles.into_iter().flatten().filter_map(|role| {
            let free = role.model.preset().free.then_some(Price::FREE);
            let price = role.price.map(Price::from).or(free)?;
            Some((role.model.to_string(), price))
        });
        priced.collect()
    }

    /// The text of a `models.toml` that says the same. It holds no key.
    pub fn to_toml(&self) -> String {
        // Plain tables of strings and numbers: there is nothing TOML could not hold.
        toml::to_string(self).expect("a configuration of models is valid TOML")
    }
}

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file, where it was read from one.
    pub file: Option<String>,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// The key, such as `rating.temperature`; empty where it is the whole.
    pub key: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub remedy: String,
}

impl ConfigError {
    /// An error without a place in a file.
    pub(crate) fn of(key: impl Into<String>, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        ConfigError {
            file: None,
            line: None,
            key: key.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    /// The same about a configuration that was read from a file.
    pub fn in_file(self, file: impl Into<String>) -> Self {
        ConfigError {
            file: self.file.or_else(|| Some(file.into())),
            ..self
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.problem)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}
