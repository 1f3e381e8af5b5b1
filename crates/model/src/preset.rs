//! The providers this crate knows, as data: `presets.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// How a provider holds an answer to a JSON schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// `response_format: json_schema` with `strict`, which wants every property required.
    StrictSchema,
    /// `response_format: json_schema`.
    Schema,
    /// A tool that must be called and whose input is the answer.
    Tool,
    /// `response_format: json_object`: some JSON object, of any shape.
    Json,
    /// Not at all: the prompt has to ask for it.
    Plain,
}

/// The language a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// OpenAI's chat completions and embeddings.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// A GGUF file in this process.
    Gguf,
}

/// Whether a provider wants a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyNeed {
    /// No call without one.
    Required,
    /// Sent where the variable is set.
    Optional,
    /// Never sent, unless the configuration names a variable.
    None,
}

/// A provider and its ways.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Its name for people.
    pub title: String,
    /// Other names it goes by in a model specification.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Where its API begins; has to be configured where it is missing.
    pub base_url: Option<String>,
    /// Whether it wants a key.
    pub key: KeyNeed,
    /// Environment variables that may hold the key, tried in order.
    pub key_variables: Vec<String>,
    /// Headers it wants with every call.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// How it holds answers to a schema.
    pub structured: Structured,
    /// What it calls the limit of an answer's tokens.
    #[serde(default = "max_tokens")]
    pub max_tokens_field: String,
    /// A cautious window, in tokens.
    pub window_tokens: Option<u32>,
    /// How many calls at once.
    pub concurrency: Option<u32>,
    /// How long one call may take.
    pub timeout_seconds: Option<f64>,
    /// How often a failed call is tried again.
    pub retries: Option<u32>,
    /// Whether it can have embedding models.
    #[serde(default = "yes")]
    pub embeddings: bool,
    /// How many texts it embeds in one call.
    pub embedding_batch: Option<usize>,
    /// Whether calls cost nothing.
    #[serde(default)]
    pub free: bool,
    /// What to do where nothing listens.
    pub start_hint: Option<String>,
    /// What to do where a model is missing; `NAME` stands for it.
    pub model_hint: Option<String>,
    /// A chat model of it, as a specification.
    pub example: Option<String>,
    /// An embedding model of it, as a specification.
    pub example_embedding: Option<String>,
    /// Something to know, for people.
    pub note: Option<String>,
}

fn yes() -> bool {
    true
}

fn max_tokens() -> String {
    "max_tokens".to_owned()
}

/// What a role that says nothing else goes by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Defaults {
    pub(crate) window_tokens: u32,
    pub(crate) max_output_tokens: u32,
    pub(crate) timeout_seconds: f64,
    pub(crate) concurrency: u32,
    pub(crate) retries: u32,
    pub(crate) retry_wait_seconds: f64,
    pub(crate) longest_retry_wait_seconds: f64,
    pub(crate) longest_retry_after_seconds: f64,
    pub(crate) failures_until_down: u32,
    pub(crate) embedding_batch: usize,
    pub(crate) temperature: DefaultTemperature,
}

/// The temperature of each role.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DefaultTemperature {
    pub(crate) thinking: f32,
    pub(crate) talking: f32,
    pub(crate) rating: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    defaults: Defaults,
    presets: BTreeMap<String, Preset>,
}

static FILE: LazyLock<PresetFile> = LazyLock::new(|| {
    // Compiled in, and read by every test: it cannot be wrong in a build that passed.
    toml::from_str(include_str!("../presets.toml")).expect("presets.toml is well-formed")
});

/// Every preset by its name, in alphabetical order.
pub fn presets() -> &'static BTreeMap<String, Preset> {
    &FILE.presets
}

/// A preset by its name or one of its aliases, with its proper name.
pub fn preset(name: &str) -> Option<(&'static str, &'static Preset)> {
    let found = FILE.presets.iter();
    let mut found =
        found.filter(|(proper, preset)| *proper == name || preset.aliases.iter().any(|a| a == name));
    found.next().map(|(proper, preset)| (proper.as_str(), preset))
}

pub(crate) fn defaults() -> &'static Defaults {
    &FILE.defaults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_presets_go_by_the_same_name() {
        let mut names = Vec::new();
        for (name, preset) in presets() {
            names.push(name.clone());
            names.extend(preset.aliases.clone());
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(preset("qianfan").map(|(name, _)| name), Some("wenxin"));
        assert!(preset("nobody").is_none());
    }

    #[test]
    fn every_preset_says_what_it_needs() {
        for (name, preset) in presets() {
            let remote = matches!(preset.protocol, Protocol::OpenAi | Protocol::Anthropic);
            assert!(
                !remote || name == "server" || preset.base_url.is_some(),
                "{name} has a base URL"
            );
            assert_eq!(
                preset.key == KeyNeed::None,
                preset.key_variables.is_empty(),
                "{name}"
            );
            for example in [&preset.example, &preset.example_embedding].into_iter().flatten() {
                assert!(example.starts_with(&format!("{name}:")), "{example}");
            }
        }
    }
}
