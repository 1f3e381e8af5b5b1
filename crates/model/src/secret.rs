//! Keeping keys out of everything that can be read.
//!
//! [`Secrets`] knows the values that were sent along with a request, and hides them, and whatever
//! else looks like a key, in text that came back.

use std::fmt;

/// What stands where a secret was.
const MASK: &str = "[hidden]";

/// How keys of well-known providers begin.
const KEY_BEGINNINGS: [&str; 12] = [
    "sk-", "sk_", "pk-", "gsk_", "xai-", "hf_", "aiza", "ya29.", "bce-v3", "nvapi-", "eyj", "tgp_",
];

/// After these words a key follows.
const KEY_FOLLOWS: [&str; 8] = [
    "bearer",
    "basic",
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "api_key",
    "apikey",
];

/// The values to hide. Printing it shows how many there are, never one of them.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    values: Vec<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.values.len())
    }
}

impl Secrets {
    /// Remembers values to hide. Values of fewer than four characters are no secrets, and hiding
    /// them would make text unreadable.
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Secrets {
        let mut values: Vec<String> = values.into_iter().filter(|value| value.len() >= 4).collect();
        // JSON may write a slash with a backslash before it.
        let escaped: Vec<String> = values
            .iter()
            .filter(|value| value.contains('/'))
            .map(|value| value.replace('/', "\\/"))
            .collect();
        values.extend(escaped);
        // The longest first, so that no value is cut up by one that is part of it.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Secrets { values }
    }

    /// The text without the known values.
    pub(crate) fn hide_known(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.values {
            if text.contains(value.as_str()) {
                text = text.replace(value.as_str(), MASK);
            }
        }
        text
    }

    /// The text without the known values and without anything that looks like a key.
    pub(crate) fn hide(&self, text: &str) -> String {
        let text = self.hide_known(text);
        let mut hidden = String::with_capacity(text.len());
        let mut key_follows = false;
        let is_gap =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | '(' | ')' | '`' | '\\');
        for piece in text.split_inclusive(|c| is_gap(c) || c == ':' || c == '=') {
            let word = piece.trim_end_matches(|c| is_gap(c) || c == ':' || c == '=');
            if word.is_empty() {
                hidden.push_str(piece);
                continue;
            }
            let small = word.to_lowercase();
            let begins_like_key =
                word.len() >= 12 && KEY_BEGINNINGS.iter().any(|start| small.starts_with(start));
            let looks_random = word.len() >= 20 || word.chars().any(|c| c.is_ascii_digit());
            if begins_like_key || (key_follows && looks_random && word != MASK) {
                hidden.push_str(MASK);
                hidden.push_str(&piece[word.len()..]);
            } else {
                hidden.push_str(piece);
            }
            key_follows = KEY_FOLLOWS.contains(&small.as_str());
        }
        hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_whatever_looks_like_a_key_are_hidden() {
        let secrets = Secrets::new(["my/own key".to_owned()]);
        for (said, hidden) in [
            ("refused: my/own key.", "refused: [hidden]."),
            (r#"{"k":"my\/own key"}"#, r#"{"k":"[hidden]"}"#),
            ("key sk-abcdefghijkl0123 is wrong", "key [hidden] is wrong"),
            (
                "Authorization: Bearer a1b2c3; accept: all",
                "Authorization: Bearer [hidden]; accept: all",
            ),
            ("x-api-key=0123abcd", "x-api-key=[hidden]"),
        ] {
            assert_eq!(secrets.hide(said), hidden);
        }
    }

    #[test]
    fn plain_words_stay() {
        let secrets = Secrets::default();
        for said in [
            "The authorization header is missing.",
            "基本 model qwen3:4b 不存在",
            "",
            "a  b",
        ] {
            assert_eq!(secrets.hide(said), said);
        }
    }

    proptest::proptest! {
        #[test]
        fn a_known_value_never_survives(before in ".{0,20}", key in "[a-zA-Z0-9/_-]{8,40}", after in ".{0,20}") {
            let secrets = Secrets::new([key.clone()]);
            let text = format!("{before}{key}{after}");
            let hidden = secrets.hide(&text);
            proptest::prop_assert!(!hidden.contains(&key), "{hidden}");
        }
    }
}
