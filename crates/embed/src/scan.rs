//! Cutting a text into words: those in Latin letters and digits, and runs of any other script.
//!
//! Case, accents and compatibility forms (full-width letters, ligatures) are folded away; white
//! space and punctuation separate words and are otherwise left out.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// A word as the embedders take it.
pub(crate) enum Word<'a> {
    /// The letters a–z and digits 0–9.
    Latin(&'a str),
    /// A run of another script or of symbols. Scripts without spaces give a whole clause.
    Other(&'a [char]),
}

/// Latin letters that no canonical decomposition reduces to a–z.
const LATIN_WITHOUT_DECOMPOSITION: &[(char, &str)] = &[
    ('ß', "ss"),
    ('æ', "ae"),
    ('ð', "d"),
    ('ø', "o"),
    ('þ', "th"),
    ('đ', "d"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ł', "l"),
    ('ŋ', "ng"),
    ('œ', "oe"),
];

/// Hands the words of `text` to `take`, in order.
pub(crate) fn scan(text: &str, take: impl FnMut(Word)) {
    let mut scanner = Scanner {
        take,
        latin: String::new(),
        other: Vec::new(),
    };
    if text.is_ascii() {
        text.chars().for_each(|c| scanner.read(c));
    } else {
        text.nfkc().for_each(|c| scanner.read(c));
    }
    scanner.finish_word();
}

struct Scanner<F> {
    take: F,
    latin: String,
    other: Vec<char>,
}

impl<F: FnMut(Word)> Scanner<F> {
    fn read(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.read_latin(c.to_ascii_lowercase());
        } else if c.is_ascii() {
            self.finish_word();
        } else if is_combining_mark(c) {
            // On a Latin letter an accent; in other scripts often a vowel, which belongs to the word.
            let chooses_a_picture = matches!(c, '\u{fe00}'..='\u{fe0f}');
            if !self.other.is_empty() && !chooses_a_picture {
                self.other.push(c);
            }
        } else {
            c.to_lowercase().for_each(|c| self.read_beyond_ascii(c));
        }
    }

    fn read_beyond_ascii(&mut self, c: char) {
        let mut base = None;
        decompose_canonical(c, |part| {
            base.get_or_insert(part);
        });
        let folded = LATIN_WITHOUT_DECOMPOSITION
            .iter()
            .find(|(letter, _)| *letter == c);
        match (base, folded) {
            (Some(base), _) if base.is_ascii_alphanumeric() => {
                self.read_latin(base.to_ascii_lowercase());
            }
            (_, Some((_, letters))) => letters.chars().for_each(|c| self.read_latin(c)),
            _ if belongs_to_a_word(c) => self.read_other(c),
            _ if is_combining_mark(c) => {}
            _ => self.finish_word(),
        }
    }

    fn read_latin(&mut self, c: char) {
        if !self.other.is_empty() {
            self.finish_word();
        }
        self.latin.push(c);
    }

    fn read_other(&mut self, c: char) {
        if !self.latin.is_empty() {
            self.finish_word();
        }
        self.other.push(c);
    }

    fn finish_word(&mut self) {
        if !self.latin.is_empty() {
            (self.take)(Word::Latin(&self.latin));
            self.latin.clear();
        }
        if !self.other.is_empty() {
            (self.take)(Word::Other(&self.other));
            self.other.clear();
        }
    }
}

/// Letters and digits of any script, and symbols such as emoji; no spaces, no punctuation.
fn belongs_to_a_word(c: char) -> bool {
    let symbol = matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}');
    c.is_alphanumeric() || symbol
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &[&str]) {
        let mut found = Vec::new();
        scan(text, |word| {
            found.push(match word {
                Word::Latin(word) => word.to_owned(),
                Word::Other(run) => run.iter().collect(),
            });
        });
        assert_eq!(found, words, "{text:?}");
    }

    #[test]
    fn case_accents_and_punctuation_are_folded_away() {
        check(
            "Zoë O'Neill-Ångström, at 7pm!",
            &["zoe", "o", "neill", "angstrom", "at", "7pm"],
        );
        check("Zoe\u{308}", &["zoe"]);
        check("Bjørn Łuksza, Straße", &["bjorn", "luksza", "strasse"]);
        check("İstanbul", &["istanbul"]);
    }

    #[test]
    fn scripts_part_words_and_compatibility_forms_are_one() {
        check("林秋在café吃饭。", &["林秋在", "cafe", "吃饭"]);
        check("ＴＯＷＮ ｶﾌｪ", &["town", "カフェ"]);
        check("か\u{3099}っこう", &["がっこう"]);
        check("Мария и ΑΘΗΝΑ", &["мария", "и", "αθηνα"]);
        check("แม่น้ำ", &["แม\u{e48}น\u{e49}\u{e4d}า"]);
    }

    #[test]
    fn emoji_are_words_and_their_variants_are_not() {
        check("🥐☕\u{fe0f} now", &["🥐☕", "now"]);
    }

    #[test]
    fn nothing_to_read_gives_no_words() {
        check("", &[]);
        check(" \t\n…—。、\u{0}\u{301}", &[]);
    }
}
