//! What must never become a memory, a plan or speech: text of an error, a refusal, marks of a prompt's
//! format, pieces of data, the same again and again.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::{Unreadable, debris};
use crate::model::wire::is_dense;

/// No text of an answer is longer than this, in characters.
const LONGEST_TEXT: usize = 3_000;
/// Phrases of several words that are so long stand in no other words, in bytes.
const LONG_PHRASE: usize = 12;
/// How much of an offending text a message quotes, in characters.
const QUOTED: usize = 80;

/// Phrases by which errors, refusals and leaked formats are known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    error_starts: Vec<String>,
    error_numbers: Vec<String>,
    error_fields: Vec<String>,
    errors: Vec<String>,
    bare_errors: Vec<String>,
    again: Vec<String>,
    refusals: Vec<String>,
    refusal_starts: Vec<String>,
    bare_refusals: Vec<String>,
    apologies: Vec<String>,
    unfinished: Vec<String>,
    leak_starts: Vec<String>,
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

/// Refuses an answer any of whose texts must not stand, whatever field it is in.
pub(super) fn check_texts(value: &Value) -> Result<(), Unreadable> {
    let mut texts = Vec::new();
    texts_of(value, &mut texts);
    texts.into_iter().try_for_each(check_text)
}

/// The texts in a value.
pub(super) fn texts_of<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(list) => list.iter().for_each(|value| texts_of(value, texts)),
        Value::Object(object) => object.values().for_each(|value| texts_of(value, texts)),
        _ => {}
    }
}

fn check_text(text: &str) -> Result<(), Unreadable> {
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(Unreadable::TooLong(length));
    }
    let normal_text = normal(text);
    check_phrases(text, &normal_text)?;
    // What examples hold in the place of words.
    let is_placeholder = !normal_text.is_empty() && normal_text.chars().all(|c| matches!(c, '.' | '…'));
    if is_placeholder {
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
    let starts = |list: &[String]| list.iter().any(|start| normal_text.starts_with(start.as_str()));
    if starts(&phrases.error_starts)
        || has(&phrases.errors)
        || only_says(normal_text, &[&phrases.bare_errors, &phrases.again])
        || names_an_exception(text)
        || numbers_an_error(normal_text)
    {
        Err(Unreadable::Error(quoted(text)))
    } else if has(&phrases.refusals)
        || starts(&phrases.refusal_starts)
        || only_says(normal_text, &[&phrases.bare_refusals])
        || only_refuses(normal_text)
    {
        Err(Unreadable::Refusal(quoted(text)))
    } else if has(&phrases.leaks) || starts(&phrases.leak_starts) {
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

/// Whether a text has one clause out of each of some lists, and no other beside apologies.
fn only_says(normal_text: &str, lists: &[&[String]]) -> bool {
    let text = normal_text.replace("i am ", "i'm ").replace("cannot", "can't");
    let is_one = |list: &[String], clause: &str| {
        let bare = |known: &str| known.trim_matches(|c: char| !c.is_alphanumeric()) == clause;
        list.iter().any(|known| bare(known))
    };
    let mut said = vec![false; lists.len()];
    for clause in text.split([
        '.', ',', '!', '?', ':', ';', '。', '，', '、', '！', '？', '：', '；',
    ]) {
        let clause = clause.trim_matches(|c: char| !c.is_alphanumeric());
        match lists.iter().position(|list| is_one(list, clause)) {
            Some(at) => said[at] = true,
            None if clause.is_empty() || is_one(&phrases().apologies, clause) => {}
            None => return false,
        }
    }
    said.into_iter().all(|said| said)
}

/// Whether a text is a refusal and nothing else, perhaps with an apology before it, or breaks off in one.
fn only_refuses(normal_text: &str) -> bool {
    let phrases = phrases();
    let text = normal_text.replace("i am ", "i'm ").replace("cannot", "can't");
    let after = phrases
        .apologies
        .iter()
        .find_map(|apology| text.strip_prefix(apology.as_str()));
    let breaks_off = |after: &str| phrases.unfinished.iter().any(|begun| after.trim() == begun);
    let said = after.unwrap_or(&text);
    let said = said.trim_matches(|c: char| !c.is_alphanumeric());
    after.is_some_and(breaks_off) || phrases.bare_refusals.iter().any(|refusal| said == refusal)
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

/// Whether a text says the same again and again: nothing but one word, one word six times running, a piece of a
/// few characters many times running, or few different groups of three words in a long text.
fn is_degenerate(text: &str) -> bool {
    if is_one_word(text) {
        return true;
    }
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

/// Whether a text is one word at least four times: a longer one than people repeat ("bye bye", "ha ha").
fn is_one_word(text: &str) -> bool {
    const TIMES: usize = 4;
    const LONGEST: usize = 24;
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let shortest = if letters.iter().any(|c| is_dense(*c)) {
        3
    } else {
        4
    };
    let comes_again = |unit: &usize| letters[*unit..].iter().eq(&letters[..letters.len() - unit]);
    let unit = (1..=LONGEST.min(letters.len() / TIMES)).find(comes_again);
    unit.is_some_and(|unit| unit >= shortest)
}

/// Lower case, plain apostrophes, single spaces.
pub(super) fn normal(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text in one line, for messages.
pub(super) fn quoted(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::check_text as of;
    use super::*;

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
            "服务器繁忙，请稍后再试。",
            "网络错误，请重试",
            "对不起，服务器出错了，请稍后再试。",
            "サーバーが混み合っています。しばらくしてからもう一度お試しください。",
            "The server is busy. Please try again later.",
            "Network error, please try again.",
            "Oops! Something went wrong. Please try again later.",
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
            "I am ChatGPT, a large model",
            "As an assistant, I will now produce the schedule.",
            "Please provide more context.",
            "I do not have enough information to answer this question.",
            "I cannot provide an answer to that.",
            "I am sorry, but I cannot",
            "Is there anything else I can help you with?",
            "我是ChatGPT，一个大模型",
            "请提供更多信息。",
            "很抱歉，但我无法",
            "还有什么可以帮助您的吗？",
            "十分な情報がありません。",
            "アシスタントとして、これから予定を作成します。",
            "申し訳ありませんが、私には",
            "抱歉，我无法满足该请求。",
            "对不起，我不能提供这方面的信息。",
            "您好，很高兴为您服务！",
            "内容由AI生成，仅供参考。",
            "申し訳ありませんが、そのリクエストには対応できません。",
            "何かお手伝いできることはありますか？",
            "Sorry, I'm unable to provide that information.",
        ] {
            assert!(matches!(of(refusal), Err(Unreadable::Refusal(_))), "{refusal}");
        }
        for debris in ["{", "null\"steps\":[", "睡觉\"}, {\"do\":", "朝食\": \"", "], ["] {
            assert!(matches!(of(debris), Err(Unreadable::Debris(_))), "{debris}");
        }
        for leak in [
            "<|im_start|>user",
            "User: hello Assistant: hi",
            "用户：你好",
            "[insert name here]",
            "Output the result in JSON format only.",
            "只输出JSON格式的结果。",
            "lorem ipsum dolor sit amet",
        ] {
            assert!(matches!(of(leak), Err(Unreadable::Leak(_))), "{leak}");
        }
        for loops in ["Isabella Isabella Isabella Isabella", "玛丽亚玛丽亚玛丽亚玛丽亚"] {
            assert!(matches!(of(loops), Err(Unreadable::Repetition(_))), "{loops}");
        }
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
            "I am sorry, but I cannot come on Friday",
            "I'm sorry, but I can't.",
            "Sorry, I can't come.",
            "The ferry is busy, please try again later.",
            "The server is busy, so let us sit down.",
            "Something went wrong with the oven.",
            "Hello!",
            "您好，我想要一杯咖啡。",
            "对不起，我不能来。",
            "I do not have enough flour.",
            "I do not have enough information about the party yet.",
            "She works as an assistant, they say.",
            "Bye bye bye bye!",
            "Hahahahahahaha!",
            "我没有足够的面粉。",
            "没有足够的时间了。",
            "小麦粉が十分にありません。",
            "Is there anything else I can help you with, Klaus? A coffee perhaps?",
        ] {
            assert_eq!(of(text), Ok(()), "{text}");
        }
    }
}
