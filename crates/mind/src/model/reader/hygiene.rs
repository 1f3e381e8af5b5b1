//! What must never become a memory, a plan or speech: text of an error, a refusal, the prompt's own
//! words, pieces of data, the same again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::{Unreadable, debris};
use crate::model::blocks::{Piece, pieces};

/// No text of an answer is longer than this, in characters.
const LONGEST_TEXT: usize = 3_000;
/// Fewer letters of examples in an answer are common words: "having lunch".
const SHORTEST_EXAMPLE: usize = 28;
/// Stands in an example for what a tag puts there.
const TAG: char = '\0';
/// Shorter pieces of a prompt are common words, in characters.
const SHORTEST_MARK: usize = 28;
/// Phrases of several words that are so long stand in no other words, in bytes.
const LONG_PHRASE: usize = 12;
/// How much of an offending text a message quotes, in characters.
const QUOTED: usize = 80;

/// The fixed words of a set of prompts; an answer that holds a sentence of them, or whose texts are all out of
/// examples, repeats its prompt.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    sentences: BTreeSet<String>,
    /// Texts of examples, with [`TAG`] where names and times are put in.
    examples: BTreeSet<String>,
}

impl Marks {
    /// Learns the fixed words of a template: what stands outside of its tags.
    pub(crate) fn learn(&mut self, template: &str) {
        let mut fixed = String::with_capacity(template.len());
        let mut filled = String::with_capacity(template.len());
        for (_, piece) in pieces(template) {
            match piece {
                Piece::Words(words) => {
                    fixed.push_str(words);
                    filled.push_str(words);
                }
                Piece::Expression(_) => {
                    fixed.push('\n');
                    filled.push(TAG);
                }
                _ => fixed.push('\n'),
            }
        }
        self.examples.extend(filled.lines().flat_map(examples_in));
        for line in fixed.split(['\n', '。']).flat_map(|line| line.split(". ")) {
            let line = normal(line);
            // A character of Chinese or Japanese says as much as some letters.
            let weight: usize = line.chars().map(|c| if c.is_ascii() { 1 } else { 3 }).sum();
            // Examples in braces may come back as they are.
            if weight >= SHORTEST_MARK && !line.contains(['{', '"']) {
                self.sentences.insert(line);
            }
        }
    }

    /// Whether texts are those of examples, all of them, with no more changed than names.
    fn copied_in(&self, texts: &[String]) -> bool {
        let letters = |text: &String| text.chars().filter(|c| c.is_alphabetic()).count();
        let is_example = |text: &&String| self.examples.iter().any(|example| fills(example, text));
        texts.iter().map(letters).sum::<usize>() >= SHORTEST_EXAMPLE
            && texts.iter().all(|text| is_example(&text))
    }

    fn found_in(&self, normal_text: &str) -> bool {
        self.sentences
            .iter()
            .any(|sentence| normal_text.contains(sentence.as_str()))
    }
}

/// The texts that stand as values in an example's JSON.
fn examples_in(line: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let Some((_, example)) = line.split_once('{') else {
        return texts;
    };
    let parts: Vec<&str> = example.split('"').collect();
    for pair in parts[1..].chunks(2) {
        let is_key = pair.get(1).is_some_and(|after| after.starts_with(':'));
        let has_words = pair[0].chars().filter(|c| c.is_alphabetic()).count() > 1;
        if !is_key && has_words {
            texts.push(normal(pair[0]));
        }
    }
    texts
}

/// Whether a text is an example with anything in the place of its tags.
fn fills(example: &str, normal_text: &str) -> bool {
    let mut fixed = example.split(TAG);
    let first = fixed.next().unwrap_or_default();
    let Some(mut rest) = normal_text.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in fixed {
        if let Some(part) = last.replace(part) {
            let Some((_, after)) = rest.split_once(part) else {
                return false;
            };
            rest = after;
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

/// Phrases by which errors, refusals and leaked formats are known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    error_starts: Vec<String>,
    error_numbers: Vec<String>,
    error_fields: Vec<String>,
    errors: Vec<String>,
    refusals: Vec<String>,
    bare_refusals: Vec<String>,
    apologies: Vec<String>,
    leaks: Vec<String>,
}

fn phrases() -> &'static Phrases {
    static PHRASES: OnceLock<Phrases> = OnceLock::new();
    PHRASES.get_or_init(|| {
        toml::from_str(include_str!("../../../prompts/unwanted.toml"))
            .expect("the compiled-in file is checked by a test")
    })
}

/// Refuses a reply in plain text that is, as a whole, no answer.
pub(super) fn check_whole(text: &str) -> Result<(), Unreadable> {
    if debris::holds_data(text) {
        return Err(Unreadable::Debris(quoted(text)));
    }
    if is_degenerate(&normal(text)) {
        return Err(Unreadable::Repetition(quoted(text)));
    }
    Ok(())
}

/// Refuses a text of an error, a refusal or a prompt, wherever it stands.
pub(super) fn check_words(text: &str) -> Result<(), Unreadable> {
    check_phrases(text, &normal(text))
}

/// Refuses an object that reports an error: one with a field for it that is not empty.
pub(super) fn check_report(value: &Value) -> Result<(), Unreadable> {
    let Value::Object(object) = value else {
        return Ok(());
    };
    let is_error = |key: &str| {
        phrases()
            .error_fields
            .iter()
            .any(|end| key.to_lowercase().ends_with(end.as_str()))
    };
    let says =
        |value: &Value| !matches!(value, Value::Null | Value::Bool(false)) && value.as_str() != Some("");
    match object.iter().find(|(key, value)| is_error(key) && says(value)) {
        Some((key, value)) => Err(Unreadable::Error(quoted(&format!("{key}: {value}")))),
        None => Ok(()),
    }
}

/// Refuses an answer any of whose texts must not stand, whatever field it is in, or all of whose texts are the
/// prompt's own.
pub(super) fn check_texts(value: &Value, marks: &Marks) -> Result<(), Unreadable> {
    let mut texts = Vec::new();
    texts_of(value, &mut texts);
    texts.iter().try_for_each(|text| check_text(text, marks))?;
    let mut words: Vec<String> = texts.iter().map(|text| normal(text)).collect();
    words.retain(|text| text.chars().filter(|c| c.is_alphabetic()).count() > 1);
    if marks.copied_in(&words) {
        return Err(Unreadable::Leak(quoted(&words.join("; "))));
    }
    Ok(())
}

fn texts_of<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(list) => list.iter().for_each(|value| texts_of(value, texts)),
        Value::Object(object) => object.values().for_each(|value| texts_of(value, texts)),
        _ => {}
    }
}

fn check_text(text: &str, marks: &Marks) -> Result<(), Unreadable> {
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(Unreadable::TooLong(length));
    }
    let normal_text = normal(text);
    check_phrases(text, &normal_text)?;
    // What examples hold in the place of words.
    let is_placeholder = !normal_text.is_empty() && normal_text.chars().all(|c| matches!(c, '.' | '…'));
    if is_placeholder || marks.found_in(&normal_text) {
        return Err(Unreadable::Leak(quoted(text)));
    }
    if debris::is_debris(text) {
        return Err(Unreadable::Debris(quoted(text)));
    }
    if is_degenerate(&normal_text) {
        return Err(Unreadable::Repetition(quoted(text)));
    }
    Ok(())
}

fn check_phrases(text: &str, normal_text: &str) -> Result<(), Unreadable> {
    let phrases = phrases();
    let has = |list: &[String]| list.iter().any(|phrase| has_phrase(normal_text, phrase));
    let starts = phrases
        .error_starts
        .iter()
        .any(|start| normal_text.starts_with(start.as_str()));
    if starts || has(&phrases.errors) || names_an_exception(text) || numbers_an_error(normal_text) {
        Err(Unreadable::Error(quoted(text)))
    } else if has(&phrases.refusals) || only_refuses(normal_text) {
        Err(Unreadable::Refusal(quoted(text)))
    } else if has(&phrases.leaks) {
        Err(Unreadable::Leak(quoted(text)))
    } else {
        Ok(())
    }
}

/// Whether a word is the name that a program gives to a fault: "RateLimitError", "ValueException".
fn names_an_exception(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut starts = words.filter_map(|word| word.strip_suffix("Error").or(word.strip_suffix("Exception")));
    starts.any(|start| start.ends_with(|c: char| c.is_ascii_lowercase()))
}

/// Whether a status that servers fail with stands behind a word for one: "Error 500", "HTTP/1.1 503".
fn numbers_an_error(normal_text: &str) -> bool {
    let words: String = normal_text
        .replace("/1.1", "")
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let is_failure = |number: &str| matches!(number.as_bytes(), [b'4' | b'5', b'0'..=b'9', b'0'..=b'9']);
    let before_number = |rest: &str| rest.split_whitespace().next().is_some_and(is_failure);
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    phrases().error_numbers.iter().any(|word| {
        words.match_indices(word.as_str()).any(|(at, _)| {
            let begins = !word.is_ascii() || words[..at].ends_with(' ');
            let rest = &words[at + word.len()..];
            begins && (!word.is_ascii() || rest.starts_with(' ')) && before_number(rest)
        })
    })
}

/// Whether a text is a refusal and nothing else, perhaps with an apology before it.
fn only_refuses(normal_text: &str) -> bool {
    let phrases = phrases();
    let text = normal_text.replace("i am ", "i'm ").replace("cannot", "can't");
    let after = phrases
        .apologies
        .iter()
        .find_map(|apology| text.strip_prefix(apology.as_str()));
    let said = after.unwrap_or(&text);
    let said = said.trim_matches(|c: char| !c.is_alphanumeric());
    phrases.bare_refusals.iter().any(|refusal| said == refusal)
}

/// Whether a text holds a phrase and not only letters of it inside other words. Phrases so long that no
/// other words hold them count also where they are run together with their neighbours.
fn has_phrase(text: &str, phrase: &str) -> bool {
    if phrase.len() >= LONG_PHRASE && phrase.contains([' ', '_']) {
        return text.contains(phrase);
    }
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        let joined_before = is_letter(phrase.chars().next()) && is_letter(before.chars().next_back());
        let joined_after = is_letter(phrase.chars().next_back()) && is_letter(after.chars().next());
        !joined_before && !joined_after
    })
}

/// Whether a text says the same again and again: one word six times running, a piece of a few
/// characters many times running, or few different groups of three words in a long text.
fn is_degenerate(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut running = 1;
    for pair in words.windows(2) {
        running = if pair[0] == pair[1] { running + 1 } else { 1 };
        if running >= 6 {
            return true;
        }
    }
    if words.len() >= 24 {
        let mut groups: BTreeMap<&[&str], u32> = BTreeMap::new();
        for group in words.windows(3) {
            *groups.entry(group).or_default() += 1;
        }
        if groups.len() * 3 < words.len() - 2 {
            return true;
        }
    }
    let chars: Vec<char> = text.chars().collect();
    (1..=24).any(|unit| {
        let mut same = 0;
        let wanted = unit * if unit < 4 { 11 } else { 4 };
        let wanted = if unit < 4 { wanted.max(16) } else { wanted.max(24) };
        chars.iter().zip(chars.iter().skip(unit)).any(|(a, b)| {
            same = if a == b { same + 1 } else { 0 };
            same >= wanted
        })
    })
}

/// Lower case, plain apostrophes, single spaces.
fn normal(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(text: &str) -> Result<(), Unreadable> {
        let mut marks = Marks::default();
        marks.learn(
            "{% block user %}\nWrite one sentence about what you make of {{ other }} now.\n{% endblock %}",
        );
        check_text(text, &marks)
    }

    #[test]
    fn errors_refusals_leaks_and_loops_are_known() {
        assert!(matches!(
            of("ERROR: prompt is longer than the context window"),
            Err(Unreadable::Error(_))
        ));
        assert!(matches!(
            of("The model gpt-3 has been deprecated: model_not_found"),
            Err(Unreadable::Error(_))
        ));
        assert!(matches!(
            of("As an AI language model, I don’t have feelings."),
            Err(Unreadable::Refusal(_))
        ));
        assert!(matches!(
            of("作为一个人工智能，我无法回答。"),
            Err(Unreadable::Refusal(_))
        ));
        assert!(matches!(
            of("AIとして、個人的な意見はありません。"),
            Err(Unreadable::Refusal(_))
        ));
        for error in [
            "Error 500",
            "HTTP 404 model retired",
            "He said: status code: 503",
            "HTTP/1.1 502",
            "错误码：429",
            "ValueError at line 3",
            "openai.RateLimitError",
            "then exceededrate limit exceeded🍳",
            "请求过于频繁，请稍后再试",
            "服务器错误",
            "サーバーエラーが発生しました",
        ] {
            assert!(matches!(of(error), Err(Unreadable::Error(_))), "{error}");
        }
        for refusal in [
            "I am sorry, but I cannot help with that.",
            "I can’t help with that.",
            "很抱歉，我无法帮助您。",
            "抱歉，我无法提供这方面的内容。",
            "作为AI助手，我没有计划。",
            "申し訳ありませんが、お答えできません。",
            "私はAIアシスタントです。",
        ] {
            assert!(matches!(of(refusal), Err(Unreadable::Refusal(_))), "{refusal}");
        }
        for debris in ["{", "null\"steps\":[", "睡觉\"}, {\"do\":", "朝食\": \"", "], ["] {
            assert!(matches!(of(debris), Err(Unreadable::Debris(_))), "{debris}");
        }
        assert!(matches!(of("<|im_start|>user"), Err(Unreadable::Leak(_))));
        assert!(matches!(
            of("write one sentence about what you make of Ilse"),
            Err(Unreadable::Leak(_))
        ));
        assert!(matches!(
            of("the the the the the the the"),
            Err(Unreadable::Repetition(_))
        ));
        assert!(matches!(
            of("哈哈我们去吧哈哈我们去吧哈哈我们去吧哈哈我们去吧哈哈我们去吧"),
            Err(Unreadable::Repetition(_))
        ));
        assert!(matches!(
            of(&"a long walk ".repeat(12)),
            Err(Unreadable::Repetition(_))
        ));
    }

    #[test]
    fn what_a_prompt_shows_as_an_example_is_no_answer() {
        let mut marks = Marks::default();
        marks.learn(
            "{% block user %}For example: {\"text\": \"{{ who }} wants to repaint the fence on Saturday.\"}\n\
             For example: {\"plan\": [{\"at\": \"{{ wake }}\", \"do\": \"gets ready for the day\"}, \
             {\"at\": \"18:30\", \"do\": \"helps to set the tables\"}]}\n\
             For example: {\"rest\": [{\"do\": \"having lunch\"}]}{% endblock %}",
        );
        let of = |answer: Value| check_texts(&answer, &marks);
        for copied in [
            json!({"text": "Mara Ilves wants to repaint the fence on Saturday."}),
            json!({"plan": [{"at": "06:00", "do": "gets ready for the day"}, {"at": "18:30", "do": "helps to set the tables"}]}),
        ] {
            assert!(matches!(of(copied.clone()), Err(Unreadable::Leak(_))), "{copied}");
        }
        for own in [
            json!({"text": "Mara Ilves wants to repaint the boat on Saturday."}),
            json!({"plan": [{"at": "06:00", "do": "gets ready for the day"}, {"at": "09:00", "do": "opens the boathouse"}]}),
            json!({"rest": [{"do": "having lunch"}]}),
        ] {
            assert_eq!(of(own.clone()), Ok(()), "{own}");
        }
    }

    #[test]
    fn people_may_be_sorry_busy_and_amused() {
        for text in [
            "I'm sorry, I can't make it on Tuesday.",
            "I'm sorry, but I can't help with that saw of yours.",
            "There were 500 errors in room 404.",
            "Ha ha ha, no, no, no! I cannot lend you my saw.",
            "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe.",
            "There was an error in the ledger of the shop, she says.",
            "我恐怕不能来，那天我要上班。",
            "She was an aide to the mayor, as an aim in life; all goals kicked. Philanthropic!",
            "sleeping",
            "Her mistake was an honest error, and Terror is the name of the dog.",
            "抱歉，我今天不能来，服务员太忙了。",
            "申し訳ありませんが、今日は行けません。",
        ] {
            assert_eq!(of(text), Ok(()), "{text}");
        }
    }
}
