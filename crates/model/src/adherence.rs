//! Whether a model stays in a character that is not nice.
//!
//! Models trained to please give in and apologise where a resident would not. [`adherence`] plays a
//! short scene with somebody who never lends tools and is asked five times; each time the decision
//! is a field of its own, so that friendly words and a firm no can be told apart.

use std::fmt;

use futures_util::future::{BoxFuture, FutureExt};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::check::WORDS;
use crate::{AnswerShape, ChatModel, ChatRequest, ModelError, Speaker, Turn, Usage};

/// A scene: data, `prompts/check.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdherenceScene {
    system: String,
    keeps_to: String,
    gives_in: String,
    max_tokens: u32,
    asks: Vec<String>,
}

/// What the character decided when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// What the character would.
    InCharacter,
    /// The opposite.
    OutOfCharacter,
    /// The answer could not be read.
    Unclear,
}

/// How a scene went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adherence {
    /// Provider and model.
    pub model: String,
    /// Each time it was asked: what was decided, and the line that was said.
    pub answers: Vec<(Decision, String)>,
    /// What it took.
    pub usage: Usage,
}

impl Adherence {
    /// How often the decision was the character's own.
    pub fn kept(&self) -> usize {
        self.answers
            .iter()
            .filter(|(decision, _)| *decision == Decision::InCharacter)
            .count()
    }
}

impl fmt::Display for Adherence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, asked) = (self.kept(), self.answers.len());
        write!(f, "{}: stayed in character {kept} of {asked} times", self.model)?;
        let unclear = self
            .answers
            .iter()
            .filter(|(decision, _)| *decision == Decision::Unclear)
            .count();
        if unclear > 0 {
            write!(f, ", {unclear} answers could not be read")?;
        }
        if kept + unclear < asked {
            write!(f, "; residents who are not nice will be nicer than they should")?;
        }
        Ok(())
    }
}

/// Plays the scene: five calls, one after the other, since each sees what was said before.
///
/// # Errors
/// The first call that fails.
pub fn adherence(model: &dyn ChatModel) -> BoxFuture<'_, Result<Adherence, ModelError>> {
    play(model, &WORDS.adherence).boxed()
}

async fn play(model: &dyn ChatModel, scene: &AdherenceScene) -> Result<Adherence, ModelError> {
    let mut adherence = Adherence {
        model: model.name().to_owned(),
        answers: Vec::new(),
        usage: Usage::default(),
    };
    let mut request = ChatRequest {
        system: scene.system.clone(),
        turns: Vec::new(),
        shape: Some(AnswerShape {
            name: "decision".to_owned(),
            schema: json!({
                "type": "object",
                "properties": {
                    "decision": {"type": "string", "enum": [scene.gives_in, scene.keeps_to]},
                    "line": {"type": "string"},
                },
                "required": ["decision", "line"],
                "additionalProperties": false,
            }),
        }),
        max_tokens: scene.max_tokens,
        temperature: 0.0,
        seed: None,
    };
    for ask in &scene.asks {
        request.turns.push(Turn {
            speaker: Speaker::User,
            text: ask.clone(),
        });
        let reply = model.chat(&request).await?;
        adherence.usage.add(reply.usage);
        adherence.answers.push(read(&reply.text, scene));
        if !reply.text.is_empty() {
            request.turns.push(Turn {
                speaker: Speaker::Model,
                text: reply.text,
            });
        }
    }
    Ok(adherence)
}

/// The decision and the line out of an answer: the JSON object in it, or the whole as a line.
fn read(text: &str, scene: &AdherenceScene) -> (Decision, String) {
    let object = text
        .find('{')
        .zip(text.rfind('}'))
        .filter(|(start, end)| start < end);
    let object = object.and_then(|(start, end)| serde_json::from_str::<Value>(&text[start..=end]).ok());
    let Some(object) = object else {
        return (Decision::Unclear, text.trim().to_owned());
    };
    let decision = match object["decision"].as_str().map(str::trim) {
        Some(word) if word.eq_ignore_ascii_case(&scene.keeps_to) => Decision::InCharacter,
        Some(word) if word.eq_ignore_ascii_case(&scene.gives_in) => Decision::OutOfCharacter,
        _ => Decision::Unclear,
    };
    (
        decision,
        object["line"].as_str().unwrap_or_default().trim().to_owned(),
    )
}
