//! The name of a model: `PRESET:NAME`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::preset::{Preset, preset, presets};

/// A model by its provider and name, such as `ollama:qwen3:4b`, `openai:gpt-4.1-mini` or
/// `gguf:models/qwen3-4b.gguf`. Its preset is one this crate knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelSpec {
    preset: String,
    name: String,
}

/// What answers and embeds without any model, by the names that flags have for it.
const NO_MODELS: [&str; 4] = ["routine", "builtin", "built-in", "words"];

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no provider in it.
    #[error("`{text}` names no provider; a model is written PROVIDER:NAME, such as `{example}`")]
    NoProvider {
        /// What was written.
        text: String,
        /// What could have been.
        example: String,
    },
    /// It is what goes without any model.
    #[error(
        "`{text}` is no model that is called: for the routine mind leave the file of models out, for the built-in embedder \
         the table `[embedding]`"
    )]
    NoModel {
        /// What was written.
        text: String,
    },
    /// There is no such provider.
    #[error("there is no provider `{provider}`; {remedy}")]
    UnknownProvider {
        /// What was written.
        provider: String,
        /// What to write.
        remedy: String,
    },
    /// The name is missing.
    #[error("`{provider}:` names no model; write for example `{example}`")]
    NoName {
        /// The provider.
        provider: String,
        /// One of its models.
        example: String,
    },
}

impl ModelSpec {
    /// The proper name of the preset.
    pub fn preset_name(&self) -> &str {
        &self.preset
    }

    /// The provider and its ways.
    pub fn preset(&self) -> &'static Preset {
        // Only names of presets get into a `ModelSpec`, and there is no way to take a preset away.
        preset(&self.preset)
            .map(|(_, preset)| preset)
            .expect("a specification names a preset")
    }

    /// The model as its provider calls it, or the path of its file.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl FromStr for ModelSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<ModelSpec, SpecError> {
        let text = text.trim();
        let Some((provider, name)) = text.split_once(':') else {
            if NO_MODELS.contains(&text.to_lowercase().as_str()) {
                return Err(SpecError::NoModel {
                    text: text.to_owned(),
                });
            }
            let known = preset(text).and_then(|(_, preset)| preset.example.clone());
            let example = known.unwrap_or_else(|| {
                if text.to_ascii_lowercase().ends_with(".gguf") {
                    format!("gguf:{text}")
                } else {
                    format!("ollama:{}", if text.is_empty() { "qwen3:4b" } else { text })
                }
            });
            return Err(SpecError::NoProvider {
                text: text.to_owned(),
                example,
            });
        };
        let (provider, name) = (provider.trim(), name.trim());
        let small = provider.to_lowercase();
        let Some((proper, preset)) = preset(&small) else {
            let names = presets()
                .iter()
                .flat_map(|(name, preset)| std::iter::once(name).chain(&preset.aliases))
                .map(String::as_str);
            let remedy = match nearest(&small, names) {
                Some(name) => format!("did you mean `{name}`?"),
                None => {
                    let known: Vec<&str> = presets().keys().map(String::as_str).collect();
                    format!(
                        "there are {}; any other server is `server:{name}` with its base_url",
                        known.join(", ")
                    )
                }
            };
            return Err(SpecError::UnknownProvider {
                provider: provider.to_owned(),
                remedy,
            });
        };
        if name.is_empty() {
            let example = preset
                .example
                .clone()
                .or_else(|| preset.example_embedding.clone());
            let example = example.unwrap_or_else(|| format!("{proper}:NAME"));
            return Err(SpecError::NoName {
                provider: proper.to_owned(),
                example,
            });
        }
        Ok(ModelSpec {
            preset: proper.to_owned(),
            name: name.to_owned(),
        })
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.preset, self.name)
    }
}

impl TryFrom<String> for ModelSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<ModelSpec, SpecError> {
        text.parse()
    }
}

impl From<ModelSpec> for String {
    fn from(spec: ModelSpec) -> String {
        spec.to_string()
    }
}

/// The name that is nearest to what was written, where one is near: at most a third of it, and no
/// less than one character, is different. Of equally near ones the first.
pub(crate) fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (written.chars().count() / 3).max(1);
    let distances = names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(written, name), name));
    let near = distances.filter(|(distance, _)| *distance <= allowed);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let spec: Result<ModelSpec, SpecError> = text.parse();
        spec.map(|spec| spec.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_first_colon_divides_and_aliases_become_proper_names() {
        assert_eq!(read("ollama:qwen3:4b"), Ok("ollama:qwen3:4b".to_owned()));
        assert_eq!(read("Qianfan:ernie-4.5"), Ok("wenxin:ernie-4.5".to_owned()));
        assert_eq!(
            read(r"gguf:C:\models\a b.gguf"),
            Ok(r"gguf:C:\models\a b.gguf".to_owned())
        );
    }

    #[test]
    fn a_wrong_name_says_what_to_write() {
        let error = |text: &str| read(text).expect_err("is wrong");
        assert!(error("gpt-4o").contains("PROVIDER:NAME"));
        assert!(error("openai").contains("`openai:"));
        for none in ["routine", "builtin"] {
            let error = error(none);
            assert!(
                error.contains("leave the file of models out") && !error.contains("ollama"),
                "{error}"
            );
        }
        assert!(error("tiny.gguf").contains("`gguf:tiny.gguf`"));
        assert!(error("olama:qwen3:4b").contains("did you mean `ollama`?"));
        assert!(error("zzzzzz:x").contains("`server:x` with its base_url"));
        assert!(error("openai:").contains("openai:gpt"));
    }
}
