//! From what a model wrote to a typed answer.
//!
//! [`read`] is lenient about form and strict about substance. Form: fences, prose around, other quotes,
//! missing quotes and commas, cut-off ends, reasoning before or around, other names and cases of keys,
//! one object too many or too few, lists and tables in plain text, signs of Markdown around words. Substance: text of an error, a
//! refusal, the prompt's own words, pieces of data, or the same again and again never becomes an answer.
//!
//! Nothing here can panic or take long, whatever the bytes are: replies are capped in length, nesting is
//! capped in depth, and every rule goes through a text a fixed number of times. `fuzz/` tries that.

mod debris;
mod hygiene;
mod lenient;
mod markup;
mod prose;
mod shape;
mod shown;
mod thoughts;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::wire::loose_schema;
pub use shown::{Marks, Shown};

/// More of a reply than this is not looked at, in bytes: reasoning models think for some ten thousand tokens
/// before they answer.
const LONGEST_REPLY: usize = 1_024 * 1_024;
/// More of an answer than this is not looked at, in bytes. The longest that is asked for, a whole day, takes
/// about three thousand.
const LONGEST_ANSWER: usize = 64 * 1_024;

/// Why a reply is no answer, in words that tell a model what to mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is nothing in it.
    #[error("the answer is empty")]
    Empty,
    /// It ends before an answer begins.
    #[error("there is only reasoning and no answer after it")]
    OnlyReasoning,
    /// It is an error's text.
    #[error("that is the text of an error and not an answer: \"{0}\"")]
    Error(String),
    /// The model declines.
    #[error("that is a refusal and not an answer: \"{0}\"")]
    Refusal(String),
    /// It holds words of the prompt or marks of its format.
    #[error("the answer repeats instructions instead of following them: \"{0}\"")]
    Leak(String),
    /// It is the example that the prompt shows.
    #[error("that is the example and not an answer of your own: \"{0}\"")]
    Example(String),
    /// It holds pieces of data or code.
    #[error("there are pieces of data where words are wanted: \"{0}\"")]
    Debris(String),
    /// It says the same again and again.
    #[error("the answer says the same again and again: \"{0}\"")]
    Repetition(String),
    /// It is longer than anything that was asked for.
    #[error("a text in the answer is {0} characters long; a few sentences are wanted")]
    TooLong(usize),
    /// It has another shape.
    #[error("the answer does not have the asked-for shape: {0}")]
    Shape(String),
}

/// What plain text, without any JSON, may be the answer to a question that wants one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Any words: a time, a place, a state.
    Words,
    /// Sentences, by their form. Where one or two words will do, they are taken without it.
    Sentences,
}

/// Reads an answer of a shape; what was `shown` must not come back as one.
///
/// # Errors
/// If there is no such answer in the reply, or one that must not stand.
pub fn read<W: DeserializeOwned + JsonSchema>(
    reply: &str,
    shown: &Shown<'_>,
    plain: Plain,
) -> Result<W, Unreadable> {
    let schema = loose_schema::<W>();
    let value = value(reply, &schema, shown, plain)?;
    // What a parser says of types is nothing to a model.
    W::deserialize(&value)
        .map_err(|_| Unreadable::Shape(shape::misfit(&value, &schema).unwrap_or_else(|| wanted(&schema))))
}

/// Refuses a text that is an error's, a refusal, or out of a prompt's format: what nobody in a town says or
/// remembers, whoever wrote it.
///
/// # Errors
/// Which of these it is.
pub fn check_words(text: &str) -> Result<(), Unreadable> {
    hygiene::check_words(text)
}

fn wanted(schema: &Value) -> String {
    format!("write one JSON object with {}", shape::keys(schema))
}

/// The answer in a reply as a JSON value near to `schema`.
fn value(reply: &str, schema: &Value, shown: &Shown<'_>, plain: Plain) -> Result<Value, Unreadable> {
    let text = thoughts::without_control(capped(reply, LONGEST_REPLY));
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    let answer = thoughts::answer_of(&text).ok_or(Unreadable::OnlyReasoning)?;
    let answer = capped(answer.trim(), LONGEST_ANSWER);
    if answer.is_empty() {
        return Err(Unreadable::OnlyReasoning);
    }
    shown.check_reply(answer)?;
    let found = lenient::objects_in(answer);
    found.values.iter().try_for_each(hygiene::check_report)?;
    // An object that somebody meant stands among words, not among pieces of others.
    let among_data = debris::holds_data(&found.around);
    let has_keys = |value: &Value| value.as_object().is_some_and(|object| !object.is_empty());
    let is_alone = found.around.trim().is_empty() && !found.values.is_empty();
    let is_json = found.rubble || among_data || is_alone || found.values.iter().any(has_keys);
    let fitting = found
        .values
        .into_iter()
        .filter_map(|found| shape::fitted(found, schema))
        .max_by_key(|(_, score)| *score)
        .map(|(value, _)| value)
        .filter(|_| !among_data);
    let other_shape = || Unreadable::Shape(wanted(schema));
    let mut value = match fitting {
        Some(value) => value,
        None => {
            let words = hygiene::check_words(answer);
            // Pieces of another object are no plain text. Brackets and a fence around them are no instructions.
            if is_json && (words.is_ok() || matches!(words, Err(Unreadable::Leak(_)))) {
                return Err(other_shape());
            }
            words?;
            hygiene::check_whole(answer)?;
            let read = prose::read(&markup::plain(answer), schema, plain);
            read.and_then(|value| Some(shape::fitted(value, schema)?.0))
                .ok_or_else(other_shape)?
        }
    };
    shown.check_answer(&value, schema)?;
    markup::take_off(&mut value);
    hygiene::check_texts(&value)?;
    Ok(value)
}

fn capped(text: &str, longest: usize) -> &str {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Prompt;
    use crate::tasks::TextWire;

    const OBJECT: &str = r#"{"text": "Mara mends an oar."}"#;

    fn read_text(reply: &str) -> Result<String, Unreadable> {
        let shown = Shown {
            marks: &Marks::default(),
            prompt: &Prompt::default(),
        };
        read::<TextWire>(reply, &shown, Plain::Sentences).map(|wire| wire.text)
    }

    #[test]
    fn no_more_of_an_answer_is_looked_at_than_its_bound() {
        let chatter = "That is all. ".repeat(LONGEST_ANSWER / 10);
        let read = read_text(&format!("{OBJECT}{chatter}"));
        assert_eq!(read.as_deref(), Ok("Mara mends an oar."));
        let read = read_text(&format!("{chatter}{OBJECT}"));
        assert!(read.is_err(), "it lies beyond what is looked at");
        // A character on the bound is left out whole.
        for before in 0..4 {
            let reply = format!("{}{}", " ".repeat(before), "林".repeat(LONGEST_ANSWER));
            assert!(read_text(&reply).is_err());
        }
    }

    #[test]
    fn an_answer_is_found_after_long_reasoning() {
        let thinking = "Perhaps she mends it, perhaps not. ".repeat(10_000);
        let read = read_text(&format!("<think>{thinking}</think>{OBJECT}"));
        assert_eq!(read.as_deref(), Ok("Mara mends an oar."));
        let too_long = "Hm. ".repeat(LONGEST_REPLY / 4);
        let read = read_text(&format!("<think>{too_long}</think>{OBJECT}"));
        assert_eq!(read, Err(Unreadable::OnlyReasoning));
    }
}
