//! What somebody will remember of itself says its name: "I look forward to it", "我很期待" and "私は楽しみにしている" as
//! statements about a person. Quoted speech stays as it is.
//!
//! English is read by the rules of the routine mind. In Chinese and Japanese "I" is replaced where it begins a
//! sentence or clause that does not follow one that tells of speech.

use super::reading::Reading;
use super::utterance::{QUOTES, is_opening};
use super::wire::is_dense;
use crate::routine::speech;

/// What ends a sentence or clause. What follows a colon may be somebody else's words.
const ENDS: [char; 9] = ['。', '，', '、', '！', '？', '；', ',', '!', '?'];

/// A text by somebody about itself, with its name for "I".
pub(crate) fn by_name(text: &str, name: &str, first_name: &str) -> String {
    let is_english = !text.contains(is_dense);
    let mut said = String::with_capacity(text.len() + 16);
    let mut names = [name, first_name]
        .into_iter()
        .chain(std::iter::repeat(first_name));
    for part in parts(text) {
        if part.starts_with(is_opening) {
            said.push_str(part);
        } else if is_english {
            let words = part.trim();
            let begins = part.len() - part.trim_start().len();
            said.push_str(&part[..begins]);
            said.push_str(&speech::by_name(words, name, first_name));
            said.push_str(&part[begins + words.len()..]);
        } else {
            for clause in part.split_inclusive(ENDS) {
                let own = Reading::get()
                    .around_first_person(clause)
                    .filter(|_| !is_reported(&said));
                match own.and_then(|own| Some((own, names.next()?))) {
                    Some(((before, rest), name)) => said.extend([before, name, rest]),
                    None => said.push_str(clause),
                }
            }
        }
    }
    said
}

/// A text in pieces, those in quotes apart.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_opening) {
        let open = rest[at..].chars().next().unwrap_or_default();
        let within = &rest[at + open.len_utf8()..];
        let close = QUOTES
            .iter()
            .find(|(known, _)| *known == open)
            .map_or(open, |(_, close)| *close);
        let end = within
            .find(close)
            .map_or(rest.len(), |end| at + open.len_utf8() + end + close.len_utf8());
        parts.extend([&rest[..at], &rest[at..end]]);
        rest = &rest[end..];
    }
    parts.push(rest);
    parts
}

/// Whether the clause that stands last in a text tells of speech that goes on behind its comma.
fn is_reported(before: &str) -> bool {
    let told = before.trim_end().strip_suffix(['，', ',', '、']);
    told.is_some_and(|told| {
        let is_quoted = QUOTES.iter().any(|(_, close)| told.ends_with(*close));
        let clause = told.rsplit(ENDS).next().unwrap_or_default();
        !is_quoted && Reading::get().tells_of_speech(clause)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_i_is_named() {
        for (text, named) in [
            ("我很期待派对。", "Mara Ilves很期待派对。"),
            (
                "我觉得她很友善，我想再见她。",
                "Mara Ilves觉得她很友善，Mara想再见她。",
            ),
            ("我的船修好了。", "Mara Ilves的船修好了。"),
            (
                "今天我和Tomas谈了船，但我没时间。",
                "今天Mara Ilves和Tomas谈了船，但Mara没时间。",
            ),
            ("我们谈了船。", "我们谈了船。"),
            ("Tomas说，我明天来。", "Tomas说，我明天来。"),
            ("Tomas说：我明天来。", "Tomas说：我明天来。"),
            (
                "Tomas答应说“我明天来”，我很高兴。",
                "Tomas答应说“我明天来”，Mara Ilves很高兴。",
            ),
            (
                "私はパーティーを楽しみにしている。",
                "Mara Ilvesはパーティーを楽しみにしている。",
            ),
            ("私たちは船の話をした。", "私たちは船の話をした。"),
            ("今日は、私の船が直った。", "今日は、Mara Ilvesの船が直った。"),
            ("Tomasは「私は行く」と言った。", "Tomasは「私は行く」と言った。"),
            ("I think she is kind.", "Mara Ilves thinks she is kind."),
            (
                "Tomas said \"I will come\" and I was glad.",
                "Tomas said \"I will come\" and Mara Ilves was glad.",
            ),
            ("Tomas needs a saw.", "Tomas needs a saw."),
        ] {
            assert_eq!(by_name(text, "Mara Ilves", "Mara"), named);
        }
    }
}
