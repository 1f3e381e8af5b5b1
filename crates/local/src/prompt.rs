//! From a request to the tokens a model was trained to answer.
//!
//! The chat template in the GGUF file decides where turns begin and end; llama.cpp knows the
//! templates of the usual families by their marks. Only the template's own words are read as
//! control tokens: what residents say and remember goes in as plain text, so that a note with
//! `<|im_end|>` in it stays a note. A template that is missing or not understood is replaced by
//! ChatML, and [`Layout::notice`] says so.

use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use llama_cpp_2::token::LlamaToken;
use townsfolk_model::{ChatRequest, Speaker};

/// A prompt as tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// All of it.
    pub(crate) tokens: Vec<LlamaToken>,
    /// How many of them, from the first, are the part that stays from call to call. Fewer than all.
    pub(crate) stable: usize,
}

/// How a model wants turns to be laid out.
pub(crate) struct Layout {
    template: LlamaChatTemplate,
    /// Added after the last turn, before the answer.
    opening: &'static str,
    notice: Option<String>,
}

/// Part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// The template's own words.
    Frame(String),
    /// What is said, by number: 0 is the system text, if there is one.
    Said(usize),
}

impl Layout {
    /// The layout a model brings along.
    pub(crate) fn of(model: &LlamaModel) -> Result<Self, String> {
        let chatml = |notice: String| {
            let template = LlamaChatTemplate::new("chatml").map_err(|error| error.to_string())?;
            Ok(Layout {
                template,
                opening: "",
                notice: Some(notice),
            })
        };
        let template = match model.chat_template(None) {
            Ok(template) => template,
            Err(_) => {
                return chatml(
                    "the file brings no chat template, so ChatML is used; is it a chat model?".to_owned(),
                );
            }
        };
        let layout = Layout {
            // Qwen3 and its kin think aloud unless an empty thought is put into their mouth, which
            // is what their own template does when thinking is switched off.
            opening: match template.to_str() {
                Ok(text) if text.contains("enable_thinking") => "<think>\n\n</think>\n\n",
                _ => "",
            },
            template,
            notice: None,
        };
        match layout.parts(model, &["user", "assistant", "user"], false) {
            Ok(_) => Ok(layout),
            Err(problem) => chatml(format!(
                "the file's chat template is not understood ({problem}), so ChatML is used"
            )),
        }
    }

    /// What a user should know about this layout.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The tokens of a request.
    pub(crate) fn prompt(&self, model: &LlamaModel, request: &ChatRequest) -> Result<Prompt, String> {
        let system = request.system.trim();
        let turns = request.turns.iter().map(|turn| match turn.speaker {
            Speaker::User => ("user", turn.text.trim()),
            Speaker::Model => ("assistant", turn.text.trim()),
        });
        let (mut roles, mut said) = (Vec::new(), Vec::new());
        if !system.is_empty() {
            roles.push("system");
            said.push(system);
        }
        for (role, text) in turns {
            roles.push(role);
            said.push(text);
        }
        let parts = match self.parts(model, &roles, true) {
            Ok(parts) => parts,
            // Some families have no system turn: the system text then opens the first turn.
            Err(problem) if roles.first() == Some(&"system") => {
                let parts = self.parts(model, &roles[1..], true).map_err(|_| problem)?;
                let mut moved = Vec::new();
                for part in parts {
                    match part {
                        Part::Said(0) => {
                            moved.extend([Part::Said(0), Part::Frame("\n\n".to_owned()), Part::Said(1)])
                        }
                        Part::Said(number) => moved.push(Part::Said(number + 1)),
                        frame => moved.push(frame),
                    }
                }
                moved
            }
            Err(problem) => return Err(problem),
        };

        let vocabulary = model.vocab();
        let mut tokens = Vec::new();
        if vocabulary.should_add_bos() {
            tokens.push(vocabulary.bos());
        }
        let mut stable = 0;
        for part in parts {
            match part {
                Part::Frame(text) => vocabulary.tokenize_into(text.as_bytes(), &mut tokens, false, true),
                Part::Said(number) => {
                    vocabulary.tokenize_into(said[number].as_bytes(), &mut tokens, false, false);
                    if number == 0 && !system.is_empty() {
                        stable = tokens.len();
                    }
                }
            }
        }
        // A template that writes its own first token would make two of them.
        if tokens.len() > 1 && tokens[0] == tokens[1] && vocabulary.should_add_bos() {
            tokens.remove(0);
            stable = stable.saturating_sub(1);
        }
        if tokens.is_empty() {
            return Err("nothing is asked".to_owned());
        }
        let stable = stable.min(tokens.len() - 1);
        Ok(Prompt { tokens, stable })
    }

    /// The template filled for turns of these roles.
    fn parts(&self, model: &LlamaModel, roles: &[&str], answering: bool) -> Result<Vec<Part>, String> {
        let chat: Result<Vec<_>, _> = roles
            .iter()
            .enumerate()
            .map(|(number, role)| LlamaChatMessage::new((*role).to_owned(), mark(number)))
            .collect();
        let chat = chat.map_err(|error| error.to_string())?;
        let filled = model
            .apply_chat_template(&self.template, &chat, answering)
            .map_err(|_| "llama.cpp does not know it".to_owned())?;
        let mut parts = split(&filled, roles.len())?;
        if answering && !self.opening.is_empty() {
            parts.push(Part::Frame(self.opening.to_owned()));
        }
        Ok(parts)
    }
}

/// Stands for what is said while a template is filled. No template touches these characters.
fn mark(number: usize) -> String {
    format!("\u{2}{number}\u{3}")
}

/// Cuts a filled template at its marks, all of which must be there once and in order.
fn split(filled: &str, count: usize) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = filled;
    for number in 0..count {
        let (before, after) = rest
            .split_once(&mark(number))
            .ok_or_else(|| format!("it leaves out turn {number} of {count}"))?;
        if !before.is_empty() {
            parts.push(Part::Frame(before.to_owned()));
        }
        parts.push(Part::Said(number));
        rest = after;
    }
    if rest.contains('\u{2}') {
        return Err("it repeats a turn".to_owned());
    }
    if !rest.is_empty() {
        parts.push(Part::Frame(rest.to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_template_falls_into_its_words_and_what_is_said() {
        let filled = format!("<s>{}|{}</s>", mark(0), mark(1));
        let frame = |text: &str| Part::Frame(text.to_owned());
        assert_eq!(
            split(&filled, 2).unwrap(),
            vec![
                frame("<s>"),
                Part::Said(0),
                frame("|"),
                Part::Said(1),
                frame("</s>")
            ]
        );
        assert!(split(&filled, 3).unwrap_err().contains("turn 2 of 3"));
        assert!(split(&format!("{}{}", mark(1), mark(0)), 2).is_err());
        assert!(split(&format!("{}{}", mark(0), mark(0)), 1).is_err());
    }
}
