//! What stands around words and is none of them: signs of Markdown (headings, bullets and numbers, bold type, code,
//! links) and announcements ("The answer is:"). Single asterisks stay: in speech they are stage directions.

use serde_json::Value;

use super::prose::unmarked;
use crate::model::reading::Reading;

/// Pairs of signs around words.
const PAIRS: [&str; 3] = ["**", "__", "`"];

/// Takes the signs off every text in a value.
pub(super) fn take_off(value: &mut Value) {
    match value {
        Value::String(text) => *text = without_signs(text),
        Value::Array(list) => list.iter_mut().for_each(take_off),
        Value::Object(object) => object.values_mut().for_each(take_off),
        _ => {}
    }
}

fn without_signs(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let announced = lines
        .iter()
        .position(|line| !Reading::get().is_announcement(&words_of(begun(line))));
    let lines: Vec<String> = lines[announced.unwrap_or_default()..]
        .iter()
        .map(|line| words_of(begun(line)))
        .map(|line| match Reading::get().unannounced(&line) {
            same if same == line => line,
            rest => capitalised_as(&line, rest),
        })
        .collect();
    lines.join("\n")
}

/// What is left of a sentence that lost its beginning at a comma begins with a capital too.
fn capitalised_as(whole: &str, rest: &str) -> String {
    let was_sentence = whole[..whole.len() - rest.len()].trim_end().ends_with(',');
    let mut chars = rest.chars();
    match chars.next().filter(|_| was_sentence) {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => rest.to_owned(),
    }
}

/// A text in lines without the signs inside of them.
pub(super) fn plain(text: &str) -> String {
    text.lines().map(words_of).collect::<Vec<_>>().join("\n")
}

fn words_of(line: &str) -> String {
    PAIRS
        .iter()
        .fold(linked(line), |line, sign| unpaired(&line, sign))
}

/// A line without what Markdown begins it with.
fn begun(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let hashes = line.trim_start_matches('#');
        let rest = match line.strip_prefix('>') {
            Some(rest) => rest,
            None if hashes.len() < line.len() && hashes.starts_with(' ') => hashes,
            None => unmarked(line).1,
        };
        let rest = rest.trim();
        if rest == line || rest.is_empty() {
            return line;
        }
        line = rest;
    }
}

/// A line with the words of links in their place: "[the cafe](http://x)" is "the cafe".
fn linked(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(words, after)| {
            let (address, after) = after.split_once(')')?;
            let is_link = !words.contains(['[', ']']) && !address.contains(char::is_whitespace);
            is_link.then_some((words, after))
        });
        match link {
            Some((words, after)) => {
                out.push_str(before.strip_suffix('!').unwrap_or(before));
                out.push_str(words);
                rest = after;
            }
            None => {
                out.push_str(before);
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

/// A line without a sign where it stands right before and right after words.
fn unpaired(line: &str, sign: &str) -> String {
    let parts: Vec<&str> = line.split(sign).collect();
    let hugs = |part: &&str| !part.is_empty() && part.trim() == *part;
    let inside = parts.iter().skip(1).step_by(2);
    if parts.len() % 2 == 1 && inside.clone().all(hugs) {
        parts.concat()
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_go_and_words_stay() {
        for (text, words) in [
            ("**having lunch**", "having lunch"),
            ("- having lunch", "having lunch"),
            ("* having **lunch**", "having lunch"),
            ("## 1. Having lunch", "Having lunch"),
            ("> `having lunch`", "having lunch"),
            ("[having lunch](http://x) at home", "having lunch at home"),
            ("having lunch\n- ok\n- next", "having lunch\nok\nnext"),
            ("1. 公園で**読書**", "公園で読書"),
            ("The answer is: reading a book", "reading a book"),
            ("Step 1: gather materials", "gather materials"),
            ("手順1：準備", "準備"),
            ("步骤一:准备材料", "准备材料"),
            (
                "Based on the memories, the two are friends.",
                "The two are friends.",
            ),
            ("根据记忆，两人是朋友。", "两人是朋友。"),
            ("以下是对话的总结：两人谈了船。", "两人谈了船。"),
            ("以下是对话的总结：\n两人谈了船。", "两人谈了船。"),
            ("根据您提供的信息，两人是朋友。", "两人是朋友。"),
            ("（总结）两人谈了船。", "两人谈了船。"),
            ("好的！以下是总结：两人谈了船。", "两人谈了船。"),
            (
                "以下は会話の要約です：二人は船の話をした。",
                "二人は船の話をした。",
            ),
            ("これらの記憶から、二人は友だちだ。", "二人は友だちだ。"),
            (
                "Here is the summary of the conversation: They talked about boats.",
                "They talked about boats.",
            ),
            (
                "Based on the information you provided, the two are friends.",
                "The two are friends.",
            ),
            (
                "Here is the plan: we meet at five.",
                "Here is the plan: we meet at five.",
            ),
            ("(laughs) Come in.", "(laughs) Come in."),
        ] {
            assert_eq!(without_signs(text), words);
        }
        for text in [
            "*smiles* Good morning!",
            "[laughs] That's true",
            "7:30",
            "-",
            "2 ** 3",
            "the kettle ` boat",
            "#1 in the list",
            "1.5 hours",
            "My plan: bake a cake",
            "```json",
        ] {
            assert_eq!(without_signs(text), text);
        }
    }
}
