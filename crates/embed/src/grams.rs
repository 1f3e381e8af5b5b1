//! Words that the table cannot read, by their characters.
//!
//! A word becomes the sum of the sign vectors of its n-grams, hashed: runs of one to three
//! characters in scripts that write a word or syllable with one sign, two or three in alphabets. Words
//! that share characters then point the same way, words that do not are nearly at right angles. There is no meaning in
//! it: 猫 and 小猫 are close, 猫 and "cat" are not.

use crate::hash::hash_chars;
use crate::sum::Sum;

/// The weight of the signs of a whole word, `16 × weight` (the root of 256) being the vector's
/// length: about that of a rare word's row in the table, so that an unreadable word counts like one.
pub(crate) const WORD_WEIGHT: u8 = 15;

/// How much a character tells, in quarters.
#[derive(Clone, Copy, PartialEq)]
struct Worth(u32);

impl Worth {
    const MUCH: Self = Self(4);
    const SOME: Self = Self(3);
    const LITTLE: Self = Self(1);
}

/// Chinese characters that mostly serve grammar. Without tables of frequency this small list stands
/// in for the weights that the English table has.
const CHINESE_GRAMMAR: &str = "的了在是和着过吗呢吧也都就不这那有个我你他她它们把被给到很一";

/// Weights of single characters, pairs and triples, such that a word of two telling characters
/// (two singles and a pair) gets about `WORD_WEIGHT`: 9² + 9² + 9² ≈ 15².
const WEIGHT_BY_LENGTH: [u32; 3] = [9, 9, 4];

/// Adds a run of characters of any script.
pub(crate) fn add_run(run: &[char], sum: &mut Sum) {
    // A run may change script in the middle: 駅前のカフェ has three, and an emoji may follow Cyrillic.
    for part in run.chunk_by(|a, b| worth(*a).is_some() == worth(*b).is_some()) {
        if part.iter().all(|c| worth(*c).is_some()) {
            add_signs(part, sum);
        } else {
            add_alphabetic(part, sum);
        }
    }
}

/// Adds a word of an alphabet: pairs and triples of letters with the word's ends marked, sharing
/// [`WORD_WEIGHT`] among them however many they are.
pub(crate) fn add_alphabetic(word: &[char], sum: &mut Sum) {
    let marked: Vec<char> = ['^'].iter().chain(word).chain(&['$']).copied().collect();
    let grams = || (2..=3).flat_map(|length| marked.windows(length));
    let whole = u32::from(WORD_WEIGHT);
    let count = u32::try_from(grams().count()).unwrap_or(u32::MAX);
    let weight = (whole * whole / count).isqrt().max(1);
    for gram in grams() {
        sum.add_signs(hash_chars(gram), weight as u8);
    }
}

/// Adds signs that tell something each: Chinese characters, kana, emoji.
fn add_signs(run: &[char], sum: &mut Sum) {
    for (length, weight) in (1u32..).zip(WEIGHT_BY_LENGTH) {
        for gram in run.windows(length as usize) {
            let worth: u32 = gram.iter().filter_map(|c| worth(*c)).map(|w| w.0).sum();
            let weight = weight * worth / (length * Worth::MUCH.0);
            sum.add_signs(hash_chars(gram), weight as u8);
        }
    }
}

/// What a sign tells by itself, or nothing if it is a letter of an alphabet with spaces between words.
fn worth(c: char) -> Option<Worth> {
    match c {
        '\u{3041}'..='\u{309f}' => Some(Worth::LITTLE), // Hiragana: mostly endings and particles
        '\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Worth::SOME), // Katakana
        // Thai, Lao, Burmese and Khmer: letters of an alphabet, but no spaces between words.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Some(Worth::LITTLE),
        _ if CHINESE_GRAMMAR.contains(c) => Some(Worth::LITTLE),
        '\u{2190}'..='\u{2fff}' | '\u{3000}'..='\u{303f}' => Some(Worth::MUCH),
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Some(Worth::MUCH), // Han
        '\u{ac00}'..='\u{d7a3}' => Some(Worth::SOME),                           // Hangul syllables
        '\u{1f000}'..='\u{3ffff}' => Some(Worth::MUCH),                         // emoji and rare Han
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(run: &str) -> Vec<i32> {
        let mut sum = Sum::new();
        add_run(&run.chars().collect::<Vec<_>>(), &mut sum);
        let embedding = sum.embedding();
        embedding.codes().iter().map(|code| i32::from(*code)).collect()
    }

    fn cosine(a: &str, b: &str) -> f64 {
        let dot = |a: &[i32], b: &[i32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i32>();
        let (a, b) = (codes(a), codes(b));
        f64::from(dot(&a, &b)) / (f64::from(dot(&a, &a)) * f64::from(dot(&b, &b))).sqrt()
    }

    #[test]
    fn what_two_runs_share_decides() {
        assert!(cosine("图书馆", "图书馆里") > 0.7);
        assert!(cosine("мария", "марии") > 0.4);
        assert!(cosine("图书馆", "面包店").abs() < 0.3);
        assert!(cosine("мария", "олег").abs() < 0.3);
    }

    #[test]
    fn grammar_counts_less_than_content() {
        assert!(cosine("猫がいる", "猫はいない") > cosine("猫がいる", "犬がいる"));
        assert!(cosine("我的书", "他的书") > cosine("我的书", "我的猫"));
    }
}
