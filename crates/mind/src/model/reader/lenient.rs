//! JSON as models write it.
//!
//! A parser that takes single and typographic quotes, keys and values without quotes, missing and
//! trailing commas, comments, Python's constants, raw line breaks in strings, and ends that are cut off.
//! It never fails once a bracket is open: whatever is there becomes a value. What cannot be part of one is
//! left out and counted; where that is more than a slip ([`SLIPS`]), nobody wrote an object there. Nesting
//! deeper than [`DEEPEST`] is not followed. Each character is looked at a fixed number of times.

use serde_json::{Map, Number, Value};

use crate::model::reading::is_no_value;

/// How deep values may be nested.
const DEEPEST: usize = 24;
/// How many objects and lists of a reply are looked at.
const CANDIDATES: usize = 16;

/// Longer words before a colon are no keys, in characters.
const LONGEST_KEY: usize = 24;
/// How many pieces of an object or list may have no place in it: one bracket of the wrong kind, one key
/// without a value.
const SLIPS: usize = 1;

/// The objects and lists that stand in a text, outermost ones, in order.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Those that somebody may have meant.
    pub(super) values: Vec<Value>,
    /// Whether others were left out because too much in them had no place.
    pub(super) rubble: bool,
    /// What stands around them, without brackets that close too much.
    pub(super) around: String,
}

/// Looks for objects and lists in a text.
pub(super) fn objects_in(text: &str) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    for _ in 0..CANDIDATES {
        let Some(open) = text[at..].find(['{', '[']) else {
            break;
        };
        found.around(&text[at..at + open]);
        let mut parser = Parser {
            text,
            at: at + open,
            misplaced: 0,
        };
        let value = parser.value(0, Stop::Nothing);
        at = parser.at.max(at + open + 1);
        let is_empty = matches!(&value, Some(Value::Object(object)) if object.is_empty());
        // An empty object says something where everything may be left out, if it is meant.
        if parser.misplaced > SLIPS || is_empty && parser.misplaced > 0 {
            found.rubble = true;
        } else {
            found.values.extend(value);
        }
    }
    found.around(&text[at..]);
    found
}

impl Found {
    fn around(&mut self, part: &str) {
        let closing = |c: char| c.is_whitespace() || matches!(c, '}' | ']');
        self.around.push_str(part.trim_start_matches(closing));
    }
}

/// What ends a value without quotes.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    /// Nothing around it.
    Nothing,
    /// An object around it.
    Object,
    /// A list around it.
    List,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// Pieces that had no place where they stood.
    misplaced: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            if space > 0 {
                self.at += space;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if rest.starts_with('`') {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize, within: Stop) -> Option<Value> {
        self.skip();
        match self.peek()? {
            '{' if depth < DEEPEST => Some(self.object(depth)),
            '[' if depth < DEEPEST => Some(self.list(depth)),
            // Too deep for any answer: skipped character by character.
            '{' | '[' => {
                self.at += 1;
                self.misplaced += 1;
                Some(Value::Null)
            }
            quote if closing(quote).is_some() => self.string(within).map(Value::String),
            _ => Some(self.bare(within)),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut object = Map::new();
        loop {
            self.skip();
            match self.peek() {
                None => {
                    self.misplaced += usize::from(object.is_empty());
                    break;
                }
                Some('}') => {
                    self.at += 1;
                    break;
                }
                // A list's end closes what is still open in it.
                Some(']') => {
                    self.misplaced += 1;
                    break;
                }
                Some(',' | ';' | '，' | '、') => self.at += self.peek().map_or(1, char::len_utf8),
                Some(_) => {
                    let from = self.at;
                    let key = self.key();
                    self.skip();
                    let has_value = matches!(self.peek(), Some(':' | '=' | '：'));
                    if has_value {
                        self.next();
                        if self.rest().starts_with('>') {
                            self.at += 1;
                        }
                        self.skip();
                        let value = match self.peek() {
                            Some(',' | '}' | ']') | None => Some(Value::Null),
                            _ => self.value(depth + 1, Stop::Object),
                        };
                        if key.is_empty() || object.contains_key(&key) {
                            self.misplaced += 1;
                        } else {
                            object.extend(value.map(|value| (key, value)));
                        }
                    } else if self.peek().is_some() {
                        // At the very end the value is cut off.
                        self.misplaced += 1;
                    }
                    if self.at == from {
                        self.next();
                    }
                }
            }
        }
        Value::Object(object)
    }

    fn list(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip();
            match self.peek() {
                None => break,
                Some(']') => {
                    self.at += 1;
                    break;
                }
                Some('}') => {
                    self.misplaced += 1;
                    break;
                }
                Some(',' | ';' | '，' | '、') => self.at += self.peek().map_or(1, char::len_utf8),
                Some(_) => {
                    let from = self.at;
                    let value = self.value(depth + 1, Stop::List);
                    list.extend(value.filter(|v| *v != Value::String("...".to_owned())));
                    if self.at == from {
                        self.next();
                    }
                }
            }
        }
        Value::Array(list)
    }

    fn key(&mut self) -> String {
        match self.peek() {
            Some(quote) if closing(quote).is_some() => self.string(Stop::Object).unwrap_or_default(),
            _ => {
                let rest = self.rest();
                let end = rest
                    .find([':', '=', '：', ',', '{', '}', '[', ']', '\n'])
                    .unwrap_or(rest.len());
                let key = rest[..end].trim().to_owned();
                self.at += end;
                key
            }
        }
    }

    /// A quoted string. Where a quote stands in the middle of a text, it ends nothing: what follows must
    /// look like the end of a value. Of a text that is cut off its whole sentences are left, if there are any.
    fn string(&mut self, within: Stop) -> Option<String> {
        let close = self.next().and_then(closing).unwrap_or('"');
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '\\' {
                self.escape(&mut text);
            } else if c == close && self.ends_here(within) {
                return Some(text);
            } else {
                text.push(c);
            }
        }
        whole_sentences(&text).map(str::to_owned)
    }

    fn escape(&mut self, text: &mut String) {
        match self.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r' | 'b' | 'f') => {}
            Some('u') => {
                let unit = self.unit();
                let c = match unit {
                    // A pair of surrogates is one character.
                    Some(high @ 0xd800..=0xdbff) if self.rest().starts_with("\\u") => {
                        self.at += 2;
                        self.unit().and_then(|low| {
                            let low = low.checked_sub(0xdc00).filter(|l| *l < 0x400)?;
                            char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low)
                        })
                    }
                    Some(unit) => char::from_u32(unit),
                    None => None,
                };
                text.extend(c.filter(|c| !c.is_control()));
            }
            Some(c) => text.push(c),
            None => {}
        }
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    /// Whether a closing quote just read ends the string.
    fn ends_here(&self, within: Stop) -> bool {
        let rest = self.rest().trim_start();
        let Some(next) = rest.chars().next() else {
            return true;
        };
        match next {
            ':' | '：' | '}' | ']' | '`' | '=' => true,
            ',' | '，' | ';' => {
                // "he said "no", then left": in an object a key must follow the comma.
                let after = rest[next.len_utf8()..].trim_start();
                within != Stop::Object
                    || after.is_empty()
                    || after.starts_with(['}', ']', '/', '\'', '"', '“', '{', '`'])
                    || is_key(after)
            }
            // A missing comma: the next key or value begins on a new line.
            '"' | '\'' | '“' | '{' | '[' => self.rest().starts_with(['\n', ' ', '"']),
            '/' => true,
            _ => within == Stop::Nothing || self.rest().starts_with('\n'),
        }
    }

    fn bare(&mut self, within: Stop) -> Value {
        let rest = self.rest();
        let stops: &[char] = match within {
            Stop::Object => &[',', '}', '\n', ']', '，'],
            Stop::List => &[',', ']', '\n', '}', '，'],
            Stop::Nothing => &['\n'],
        };
        let end = rest.find(stops).unwrap_or(rest.len());
        let word = rest[..end].trim().trim_end_matches([';', '`']).to_owned();
        self.at += end;
        // A value without quotes that holds a key or a bracket is not one value, and a list with a key in it
        // is no list.
        let holds_more = word.contains(['{', '[']) || word.contains("\":");
        if holds_more || within == Stop::List && word.starts_with([':', '：', '=']) {
            self.misplaced += SLIPS + 1;
        }
        match word.to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "" => Value::Null,
            _ if is_no_value(&word) => Value::Null,
            _ => number(&word).unwrap_or(Value::String(word)),
        }
    }
}

/// A text up to the end of its last whole sentence; none where not one is whole.
fn whole_sentences(text: &str) -> Option<&str> {
    let mut ends = text.char_indices().filter_map(|(at, c)| {
        let end = at + c.len_utf8();
        let rest = &text[end..];
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => rest.is_empty() || rest.starts_with([' ', '\n', '"', '”', '\'']),
            _ => false,
        };
        is_end.then_some(end)
    });
    ends.next_back().map(|end| &text[..end])
}

/// Whether a text begins with a key without quotes.
fn is_key(text: &str) -> bool {
    let mut chars = text.chars().take(LONGEST_KEY);
    let end = chars.find(|c| !(c.is_alphanumeric() || *c == '_'));
    matches!(end, Some(':' | '：')) && !text.starts_with([':', '：'])
}

fn number(word: &str) -> Option<Value> {
    let word = word.strip_prefix('+').unwrap_or(word);
    if let Ok(whole) = word.parse::<i64>() {
        return Some(Value::Number(whole.into()));
    }
    let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    word.parse::<f64>()
        .ok()
        .filter(|_| is_number)
        .and_then(Number::from_f64)
        .map(Value::Number)
}

fn closing(quote: char) -> Option<char> {
    match quote {
        '"' => Some('"'),
        '\'' => Some('\''),
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn first(text: &str) -> Value {
        objects_in(text).values.into_iter().next().unwrap_or_default()
    }

    #[test]
    fn nearly_json_is_json() {
        let wanted = json!({"steps": [{"type": "work-ish", "minutes": 30}]});
        assert_eq!(first("{steps: [{type: 'work-ish', minutes: 30,}]}"), wanted);
        assert_eq!(
            first("Sure!\n```json\n{\"steps\": [{\"type\": \"work-ish\", \"minutes\": 30}]}\n```\nBye"),
            wanted
        );
        assert_eq!(first("{“steps”：[{“type”: “work-ish” “minutes”: 30"), wanted);
        assert_eq!(
            first("{\"steps\": [{\"type\": \"work-ish\", // a note\n \"minutes\": 30}"),
            wanted
        );
    }

    #[test]
    fn a_cut_off_end_keeps_what_is_there() {
        assert_eq!(
            first("{\"output\": \"being descaled\""),
            json!({"output": "being descaled"})
        );
        assert_eq!(
            first("{\"say\": \"Fine. The ferry leaves at 6.30, if the fer"),
            json!({"say": "Fine."})
        );
        assert_eq!(first("{\"say\": \"好。渡轮六"), json!({"say": "好。"}));
        // Half a word is no text.
        assert_eq!(
            first("{\"stops\": true, \"say\": \"Fine, the ferr"),
            json!({"stops": true})
        );
        assert_eq!(first("[{\"a\": 1}, {\"a\": 2"), json!([{"a": 1}, {"a": 2}]));
        assert_eq!(first("{\"a\": 1, \"b"), json!({"a": 1}));
    }

    #[test]
    fn quotes_inside_a_text_do_not_end_it() {
        assert_eq!(
            first(r#"{"say": "He said "no", then left.", "stops": true}"#),
            json!({"say": "He said \"no\", then left.", "stops": true})
        );
        assert_eq!(
            first("{'say': 'I don't mind', 'stops': False}"),
            json!({"say": "I don't mind", "stops": false})
        );
        assert_eq!(
            first(r#"{"say": "a\u00e9\ud83d\ude00\"b\""}"#),
            json!({"say": "aé😀\"b\""})
        );
    }

    #[test]
    fn one_slip_is_forgiven_and_rubble_is_no_object() {
        assert_eq!(first("[{\"a\": 1]"), json!([{"a": 1}]));
        assert_eq!(first("{\"a\": 1}}"), json!({"a": 1}));
        assert_eq!(first("{\"a\", \"b\": 2}"), json!({"b": 2}));
        for rubble in [
            "{ \"do\": null\"steps\":[ boat, \"} ] the kettle: }",
            "[{ boat, kettle } \"text\": 7 ] }",
            "{\"a\": 1, \"a\": 2, \"a\": 3}",
        ] {
            let found = objects_in(rubble);
            assert!(found.rubble && found.values.is_empty(), "{rubble}: {found:?}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(50_000);
        assert!(objects_in(&deep).values.is_empty());
        // Up to the bound nothing is out of place.
        let deep = "[".repeat(DEEPEST);
        assert_eq!(objects_in(&deep).values.len(), 1);
    }
}
