//! The shapes in which models answer, and the pieces that several of them share.
//!
//! Shapes are made for small models: one object, short keys, nothing nested deeper than a list of
//! objects. JSON objects are written in the order of their keys' names here and in the schemas, so keys
//! are named such that what an answer rests on comes before its wording.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use townsfolk_model::AnswerShape;
use townsfolk_time::{DAY_MINUTES, GameTime, Minute, clock};

use super::clock::span_in;
use super::day::date_in;
use super::reading::{Reading, is_no_value};
use crate::TaskKind;
use crate::tasks::Occasion;

/// Shorter words say nothing by themselves, and so many letters tell words apart.
const CONTENT_LETTERS: usize = 4;

/// The schema of an answer as its type says it: what has a default is not required.
pub(crate) fn loose_schema<W: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<W>();
    let mut schema = schema.to_value();
    prune(&mut schema);
    // What the answer as a whole is, the prompt says.
    if let Value::Object(object) = &mut schema {
        object.remove("description");
    }
    schema
}

/// The shape sent to providers: every field required and no other allowed, as strict ones demand.
pub(crate) fn shape<W: JsonSchema>(kind: TaskKind) -> AnswerShape {
    let mut schema = loose_schema::<W>();
    make_strict(&mut schema);
    AnswerShape {
        name: kind.name().to_owned(),
        schema,
    }
}

/// How many items a list in an answer has, or how large a number in it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    place: &'static str,
    least: usize,
    most: Option<usize>,
}

impl Bound {
    /// A bound of the list or number at a place: names of fields, with `[]` where any item of a list is meant, such
    /// as `steps[].minutes`.
    pub fn within(place: &'static str, range: RangeInclusive<usize>) -> Self {
        Self {
            place,
            least: *range.start(),
            most: Some(*range.end()),
        }
    }

    /// The same without a most.
    pub fn at_least(place: &'static str, least: usize) -> Self {
        Self {
            place,
            least,
            most: None,
        }
    }

    /// Writes it into a schema; whether there is such a place.
    pub fn narrow(&self, schema: &mut Value) -> bool {
        let mut at = Some(schema);
        for part in self.place.split('.') {
            let name = part.strip_suffix("[]");
            let field = name.unwrap_or(part);
            at = at.and_then(|schema| schema.get_mut("properties")?.get_mut(field));
            if name.is_some() {
                at = at.and_then(|schema| schema.get_mut("items"));
            }
        }
        let Some(Value::Object(found)) = at else {
            return false;
        };
        let [least, most] = match found.contains_key("items") {
            true => ["minItems", "maxItems"],
            false => ["minimum", "maximum"],
        };
        found.insert(least.to_owned(), self.least.into());
        match self.most {
            Some(number) => found.insert(most.to_owned(), number.into()),
            None => found.remove(most),
        };
        true
    }
}

/// Drops what says nothing to a model: titles, number formats, defaults.
fn prune(schema: &mut Value) {
    if let Value::Object(object) = schema {
        for key in ["title", "format", "default"] {
            object.remove(key);
        }
        each_part(object, prune);
    }
}

fn make_strict(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if let Some(Value::Object(properties)) = object.get("properties") {
        let names = properties.keys().cloned().map(Value::String).collect();
        object.insert("required".to_owned(), Value::Array(names));
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    each_part(object, make_strict);
}

fn each_part(schema: &mut Map<String, Value>, change: fn(&mut Value)) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(change);
    }
    if let Some(items) = schema.get_mut("items") {
        change(items);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(parts)) = schema.get_mut(key) {
            parts.iter_mut().for_each(change);
        }
    }
}

/// One of several that were numbered from 1, by number or, where a model prefers it, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Pick {
    /// Its number.
    Number(u32),
    /// Its name.
    Name(String),
}

impl JsonSchema for Pick {
    fn schema_name() -> Cow<'static, str> {
        "Pick".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1 })
    }
}

/// Bounds of a list of numbers, each of one of so many that were shown.
pub(crate) fn references(list: &'static str, item: &'static str, shown: usize) -> Vec<Bound> {
    vec![
        Bound::within(list, 0..=shown),
        // An empty range would be no schema; where nothing was shown the list is empty.
        Bound::within(item, 1..=shown.max(1)),
    ]
}

/// Positions, from 0, of the numbers from 1 that were shown; other numbers name nothing.
pub(crate) fn positions(numbers: &[u32], shown: usize) -> Vec<usize> {
    let mut positions = Vec::with_capacity(numbers.len());
    for number in numbers {
        let position = (*number as usize).wrapping_sub(1);
        if position < shown && !positions.contains(&position) {
            positions.push(position);
        }
    }
    positions
}

/// Positions as numbers from 1.
pub(crate) fn numbers(positions: &[usize]) -> Vec<u32> {
    positions
        .iter()
        .filter_map(|p| u32::try_from(p + 1).ok())
        .collect()
}

/// A time of day in an answer.
pub(crate) fn minute(text: &str) -> Result<Minute, String> {
    span(text).map(|(start, _)| start)
}

/// A time of day in an answer and, where it says one ("5:30-6:30"), the end of what begins then.
pub(crate) fn span(text: &str) -> Result<(Minute, Option<Minute>), String> {
    span_in(text).ok_or_else(|| format!("\"{text}\" is no time of day; write times as HH:MM"))
}

/// Something to attend, as models write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OccasionWire {
    /// When it starts, HH:MM.
    pub at: String,
    /// The day, YYYY-MM-DD.
    pub date: String,
    /// Whose it is; empty if unknown.
    #[serde(default)]
    pub host: String,
    /// How long it lasts.
    #[serde(default = "two_hours")]
    #[schemars(range(min = 1, max = DAY_MINUTES))]
    pub minutes: u16,
    /// Where; empty if unknown.
    #[serde(default)]
    pub place: String,
    /// What it is.
    pub what: String,
}

/// How long an occasion lasts where nobody says.
fn two_hours() -> u16 {
    120
}

impl OccasionWire {
    /// Whether it says what it is and on which day, be it well or badly.
    pub(crate) fn is_fixed(&self) -> bool {
        let reading = Reading::get();
        let says = |text: &String| !reading.is_nothing(text) && !reading.is_blank(text);
        says(&self.what) && says(&self.date)
    }

    /// The occasion, told at a moment, or what is wrong with it.
    pub(crate) fn read(self, now: GameTime) -> Result<Occasion, String> {
        let date = self.date.trim();
        let date =
            date_in(date, now).ok_or_else(|| format!("\"{date}\" is no date; write dates as YYYY-MM-DD"))?;
        let what = self.what.trim().to_owned();
        if what.is_empty() {
            return Err("say what the occasion is".to_owned());
        }
        named(&what, "occasion")?;
        Ok(Occasion {
            what,
            date,
            start: minute(&self.at)?,
            minutes: if self.minutes == 0 {
                two_hours()
            } else {
                self.minutes.min(DAY_MINUTES)
            },
            place: said(self.place),
            host: said(self.host),
        })
    }

    /// The way back.
    pub(crate) fn write(occasion: &Occasion) -> Self {
        Self {
            at: clock(occasion.start),
            date: occasion.date.to_string(),
            host: occasion.host.clone().unwrap_or_default(),
            minutes: occasion.minutes,
            place: occasion.place.clone().unwrap_or_default(),
            what: occasion.what.clone(),
        }
    }
}

/// A text, unless it is a way of saying that there is none.
pub(crate) fn said(text: String) -> Option<String> {
    (!Reading::get().is_nothing(&text)).then(|| text.trim().to_owned())
}

/// Words that stand in a sentence of others, without the full stop of their own.
pub(crate) fn unstopped(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '。'])
}

/// Refuses what does not name anything: a text needs a word, what ends in a colon only announces one, and what
/// programs write for no value is none, nor are words that say nothing by themselves.
pub(crate) fn named(text: &str, what: &str) -> Result<(), String> {
    let reading = Reading::get();
    if is_worded(text) && !reading.is_interjection(text) && !reading.is_blank(text) {
        Ok(())
    } else {
        Err(format!("\"{}\" is no {what}; write it in words", text.trim()))
    }
}

fn is_worded(text: &str) -> bool {
    spelled(text) >= 2 && !text.trim_end().ends_with([':', '：']) && !is_no_value(text.trim())
}

/// Refuses what is no sentence: three words, or four letters of a script without spaces between words.
pub(crate) fn sentence(text: &str) -> Result<(), String> {
    named(text, "sentence")?;
    let is_word = |word: &&str| {
        let inside = word.trim_matches(|c: char| !c.is_alphanumeric());
        !inside.is_empty() && !inside.contains(|c: char| c.is_ascii_digit())
    };
    if text.split_whitespace().filter(is_word).count() >= 3 || dense(text) >= 4 {
        Ok(())
    } else {
        Err(format!("\"{}\" is no sentence; write at least one", text.trim()))
    }
}

/// Refuses what nobody says: no word at all, or one or two that are no utterance by their form. A capital at
/// the beginning or a mark at the end makes one of them.
pub(crate) fn spoken(text: &str) -> Result<(), String> {
    let words = text.split_whitespace().count();
    let begins = text.starts_with(|c: char| !c.is_alphabetic() || c.is_uppercase() || c >= '\u{e00}');
    let ends = text.ends_with(|c: char| !c.is_alphanumeric());
    let is_blank = !text.ends_with(['.', '?', '!', '。', '？', '！']) && Reading::get().is_blank(text);
    if is_worded(text) && !is_blank && (words > 2 || begins || ends) {
        Ok(())
    } else {
        Err(format!(
            "\"{text}\" is nothing that anybody says; write at least a sentence"
        ))
    }
}

/// How many content words a text has, and how many of them come back in another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    /// All of them.
    pub(crate) all: usize,
    /// Those that come back.
    pub(crate) kept: usize,
}

/// Compares texts in lower case by the words they share.
pub(crate) fn shared_words(text: &str, other: &str) -> Shared {
    let (said, there) = (beginnings(text), beginnings(other));
    Shared {
        all: said.len(),
        kept: said.intersection(&there).count(),
    }
}

/// The beginnings of the words of a text that say something, four letters each: "plan" stands for "planning".
/// Where nobody writes spaces between words, each two letters stand for one, except those of Japanese endings.
fn beginnings(text: &str) -> BTreeSet<String> {
    let is_ending = |c: &char| ('\u{3040}'..='\u{309f}').contains(c);
    let mut found = BTreeSet::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().collect();
        for part in letters.chunk_by(|a, b| is_dense(*a) == is_dense(*b)) {
            if is_dense(part[0]) {
                let pairs = part.windows(2).filter(|pair| !pair.iter().any(is_ending));
                found.extend(pairs.map(String::from_iter));
            } else if part.len() >= CONTENT_LETTERS && !Reading::get().is_small(run) {
                found.insert(part[..CONTENT_LETTERS].iter().collect());
            }
        }
    }
    found
}

/// Letters, where one of a script without spaces counts as two.
fn spelled(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count() + dense(text)
}

/// Letters of scripts that are written without spaces or in short words: those of Asia from Thai on.
fn dense(text: &str) -> usize {
    text.chars().filter(|c| is_dense(*c)).count()
}

/// Whether a character is one of them.
pub(crate) fn is_dense(c: char) -> bool {
    c.is_alphabetic() && c >= '\u{e00}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_things_and_announcements_do_not() {
        for text in ["lunch", "睡觉", "林", "B12 pills", "zzz"] {
            assert_eq!(named(text, "activity"), Ok(()), "{text}");
        }
        for text in [
            "",
            "7",
            "25:99",
            "-",
            "🍳",
            "Mara Ilves:",
            "计划：",
            "NaN",
            "None",
            "null",
        ] {
            assert!(named(text, "activity").is_err(), "{text}");
        }
    }

    #[test]
    fn a_sentence_takes_some_words() {
        for text in [
            "They are friends.",
            "I am ill",
            "他们聊了船。",
            "二人は隣人だ。",
            "Zoë O'Neill paints.",
        ] {
            assert_eq!(sentence(text), Ok(()), "{text}");
        }
        for text in [
            "supper",
            "Old friends.",
            "the 1e309 : the 1.",
            "林。",
            "Mara said:",
        ] {
            assert!(sentence(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_word_is_spoken_if_it_looks_so() {
        for text in [
            "No.",
            "None.",
            "Morning!",
            "Yes",
            "好",
            "hi 😊",
            "see you there",
            "\"Never.\"",
        ] {
            assert_eq!(spoken(text), Ok(()), "{text}");
        }
        for text in [
            "ratings",
            "kettle boat",
            "7",
            "say:",
            "NaN",
            "None",
            "TBD",
            "(no response)",
        ] {
            assert!(spoken(text).is_err(), "{text}");
        }
    }
}
