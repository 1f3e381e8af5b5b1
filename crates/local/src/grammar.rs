//! Answers held to a JSON schema while they are written.
//!
//! [`Grammar`] turns a schema into a [`Constraint`], which says before each token which tokens may
//! come (llguidance over the model's own vocabulary). When an answer must end early,
//! [`Constraint::close`] writes the shortest ending it can find without asking the model, so that
//! even a cut answer fits its schema.

use std::sync::Arc;

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, SimpleVob, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};

/// A token of a vocabulary, as far as grammars care.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Stands for these bytes of text.
    Text(Vec<u8>),
    /// Steers the exchange and never is part of an answer.
    Control,
}

/// Makes constraints for one vocabulary.
pub(crate) struct Grammar {
    factory: ParserFactory,
    vocabulary: TokEnv,
}

impl Grammar {
    /// Prepares a vocabulary: the token of each number, and the tokens that end an answer, of
    /// which there must be one.
    pub(crate) fn new(pieces: Vec<Piece>, ends: &[u32]) -> Result<Self, String> {
        let Some(&end) = ends.first() else {
            return Err("no token ends an answer".to_owned());
        };
        let count = u32::try_from(pieces.len()).map_err(|_| "the vocabulary is too large".to_owned())?;
        let words: Vec<Vec<u8>> = (0_u32..)
            .zip(pieces)
            .map(|(number, piece)| match piece {
                Piece::Text(bytes) => bytes,
                // llguidance's mark of what is no text, made unique.
                Piece::Control => {
                    let mut word = vec![TokTrie::SPECIAL_TOKEN_MARKER];
                    word.extend(format!("<[{number}]>").bytes());
                    word
                }
            })
            .collect();
        let trie = TokTrie::from(&TokRxInfo::new(count, end), &words).with_eos_tokens(ends);
        let vocabulary: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let mut factory = ParserFactory::new_simple(&vocabulary).map_err(|error| error.to_string())?;
        factory.quiet();
        Ok(Grammar { factory, vocabulary })
    }

    /// A constraint to answers of this schema. Keywords that cannot be enforced token by token are
    /// left to whoever reads the answer.
    ///
    /// # Errors
    /// Says what in the schema cannot be understood.
    pub(crate) fn constrain(&self, schema: &Value) -> Result<Constraint, String> {
        let mut schema = schema.clone();
        let Some(object) = schema.as_object_mut() else {
            return Err("a schema is a JSON object".to_owned());
        };
        // JSON allows white space without end, and small models use it.
        object.insert(
            "x-guidance".to_owned(),
            json!({"whitespace_flexible": false, "lenient": true, "coerce_one_of": true}),
        );
        let parser = self
            .factory
            .create_parser(TopLevelGrammar::from_json_schema(schema));
        let matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(error) => Err(error),
            None => Ok(Constraint {
                matcher,
                vocabulary: self.vocabulary.clone(),
            }),
        }
    }
}

/// Tokens that may come next.
pub(crate) type Allowed = SimpleVob;

/// One answer's way through its schema.
pub(crate) struct Constraint {
    matcher: Matcher,
    vocabulary: TokEnv,
}

/// The longest ending that is looked for, in bytes: some dozens of keys and their smallest values.
const LONGEST_ENDING_BYTES: usize = 4096;

impl Constraint {
    /// The tokens that may come next; the ones that end an answer only where it is whole.
    pub(crate) fn allowed(&mut self) -> Result<Allowed, String> {
        self.matcher
            .compute_mask_or_eos()
            .map_err(|error| error.to_string())
    }

    /// Goes on by a token.
    pub(crate) fn take(&mut self, token: u32) -> Result<(), String> {
        self.matcher
            .consume_token(token)
            .map_err(|error| error.to_string())
    }

    /// Whether nothing more can come.
    pub(crate) fn is_done(&self) -> bool {
        self.matcher.is_stopped()
    }

    /// Whether the answer is whole as it stands.
    pub(crate) fn is_whole(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }

    /// Ends an answer of these tokens (already taken) that must not grow: leaves out a character
    /// that is only half there, then adds closing marks, and the smallest values for what is still
    /// required. `tokens` and `text` become the whole answer.
    ///
    /// # Errors
    /// Where no ending is found; the text is then left as it was.
    pub(crate) fn close(&mut self, tokens: &[u32], text: &mut Vec<u8>) -> Result<(), String> {
        let mut ended = text.clone();
        let mut kept = tokens;
        while let (Err(_), Some((last, before))) = (std::str::from_utf8(&ended), kept.split_last()) {
            self.matcher.rollback(1).map_err(|error| error.to_string())?;
            kept = before;
            let bytes = self.vocabulary.tok_trie().token(*last).len();
            ended.truncate(ended.len().saturating_sub(bytes));
        }
        let longest = ended.len() + LONGEST_ENDING_BYTES;
        while !self.is_whole() {
            if ended.len() >= longest {
                return Err(format!("no ending of {LONGEST_ENDING_BYTES} bytes"));
            }
            let allowed = self.allowed()?;
            let trie = self.vocabulary.tok_trie();
            let inside = in_string(&ended);
            let next = (0x20..=0xff_u8)
                .filter_map(|byte| Some((byte, trie.token_id_at_bytes(&[byte])?)))
                .filter(|(_, token)| allowed.is_allowed(*token))
                .min_by_key(|(byte, _)| ending_order(*byte, inside));
            // Nearly every vocabulary has a token for each byte; where one is missing, any short
            // token is on the way to the end.
            let next = next.map(|(_, token)| token).or_else(|| {
                let texts = allowed
                    .iter()
                    .filter(|token| !trie.is_special_token(*token) && trie.token_len(*token) > 0);
                texts.min_by_key(|token| trie.token_len(*token))
            });
            let Some(token) = next else {
                return Err(format!(
                    "nothing can follow {:?}",
                    String::from_utf8_lossy(&ended)
                ));
            };
            ended.extend_from_slice(trie.token(token));
            self.take(token)?;
        }
        *text = ended;
        Ok(())
    }
}

/// What ends an answer soonest comes first.
fn ending_order(byte: u8, inside: Inside) -> (u8, u8) {
    let rank = match (inside, byte) {
        (Inside::String, b'"') | (Inside::Structure, b'}' | b']') => 0,
        // Half an escape is made whole by a letter; a quote would not end the string.
        (Inside::Escape, b'n') => 0,
        (Inside::Escape, b'"' | b'\\') => 2,
        (Inside::Structure, b'-' | b'.') => 2,
        // In a string letters, outside commas, quotes and digits, in the order of their codes.
        _ => 1,
    };
    (rank, byte)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Structure,
    String,
    Escape,
}

/// Where a beginning of JSON ends.
fn in_string(text: &[u8]) -> Inside {
    text.iter()
        .fold(Inside::Structure, |inside, byte| match (inside, byte) {
            (Inside::Structure, b'"') | (Inside::Escape, _) => Inside::String,
            (Inside::String, b'"') => Inside::Structure,
            (Inside::String, b'\\') => Inside::Escape,
            (inside, _) => inside,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: u32 = 257;

    /// A vocabulary of single bytes, one control token and an end.
    fn bytes() -> Grammar {
        let mut pieces: Vec<Piece> = (0..=255).map(|byte| Piece::Text(vec![byte])).collect();
        pieces.extend([Piece::Control, Piece::Control]);
        Grammar::new(pieces, &[END]).unwrap()
    }

    fn person() -> Value {
        json!({
            "type": "object",
            "properties": {
                "where": {"enum": ["home", "Hobbs Café", "公園"]},
                "says": {"type": "string"},
                "minutes": {"type": "integer", "minimum": 10, "maximum": 90},
                "with": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
                "mood": {"type": "object", "properties": {"glad": {"type": "boolean"}},
                         "required": ["glad"], "additionalProperties": false}
            },
            "required": ["where", "says", "minutes", "with", "mood"],
            "additionalProperties": false
        })
    }

    #[test]
    fn an_answer_cut_after_any_byte_is_closed_within_its_schema() {
        let grammar = bytes();
        let whole = r#"{"where":"公園","says":"a \"quote\" é","minutes":45,"with":["林 秋","Zoë"],"mood":{"glad":true}}"#;
        for length in 0..=whole.len() {
            let mut constraint = grammar.constrain(&person()).unwrap();
            let mut text = whole.as_bytes()[..length].to_vec();
            let tokens: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).collect();
            for token in &tokens {
                assert!(
                    constraint.allowed().unwrap().is_allowed(*token),
                    "{token} of {whole}"
                );
                constraint.take(*token).unwrap();
            }
            constraint.close(&tokens, &mut text).unwrap();
            let closed: Value = serde_json::from_slice(&text).unwrap();
            assert!(["home", "Hobbs Café", "公園"].contains(&closed["where"].as_str().unwrap()));
            assert!(
                (10..=90).contains(&closed["minutes"].as_i64().unwrap()),
                "{closed}"
            );
            assert!(
                (1..=2).contains(&closed["with"].as_array().unwrap().len()),
                "{closed}"
            );
            assert!(
                closed["mood"]["glad"].is_boolean() && closed["says"].is_string(),
                "{closed}"
            );
        }
    }

    #[test]
    fn control_tokens_never_come_and_the_end_only_after_a_whole_answer() {
        let grammar = bytes();
        let mut constraint = grammar.constrain(&person()).unwrap();
        let allowed = constraint.allowed().unwrap();
        assert_eq!(allowed.to_list(), vec![u32::from(b'{')]);
        let mut text = Vec::new();
        constraint.close(&[], &mut text).unwrap();
        assert!(constraint.is_done() || constraint.allowed().unwrap().is_allowed(END));
        assert!(!constraint.allowed().unwrap().is_allowed(256));
    }

    #[test]
    fn what_schemars_writes_is_understood_and_nonsense_is_refused() {
        let grammar = bytes();
        let derived = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Scores",
            "type": "object",
            "properties": {"scores": {"type": "array", "items": {"$ref": "#/$defs/Score"}}},
            "required": ["scores"],
            "$defs": {"Score": {"oneOf": [
                {"type": "string", "const": "plain", "description": "nothing happens"},
                {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}
            ]}}
        });
        assert!(grammar.constrain(&derived).is_ok());
        assert!(grammar.constrain(&json!({"type": "thing"})).is_err());
        assert!(grammar.constrain(&json!("text")).is_err());
    }
}
