//! What is no text although it stands where words are wanted: pieces of data and code, words run together,
//! marks without words.
//!
//! The rules look at form only and hold for any language; what people write in chats (emoji, brackets
//! around a gesture, quotes, units, times) passes.

/// Longer runs of Latin letters are no word of any language that is written with spaces.
const LONGEST_WORD: usize = 45;
/// Longer runs of digits are no number that people say.
const LONGEST_NUMBER: usize = 11;
/// So many words run together in one text are no accident and no brand.
const RUN_TOGETHER: usize = 3;

/// Whether a text holds pieces of data or code.
pub(super) fn is_debris(text: &str) -> bool {
    let text = text.trim();
    holds_data(text) || is_torn(text) || holds_junk_words(text)
}

/// Whether a text that is read as prose as a whole holds pieces of data.
pub(super) fn holds_data(text: &str) -> bool {
    let marks = text.contains(['{', '}', '\\', '\u{fffd}']);
    // The end of a key.
    marks || text.contains("\":") || text.contains("[]")
}

/// Whether a text begins or ends in the middle of data: with a separator, an open quote or bracket.
fn is_torn(text: &str) -> bool {
    let count = |mark| text.matches(mark).count();
    text.starts_with([',', ';', ']', ')', '=', '|'])
        || text.ends_with(['[', '(', '=', '|'])
        || text.contains(['|', '`'])
        || count('[') != count(']')
        || text.match_indices('"').any(|(at, _)| is_stray(text, at))
}

/// Whether a quote at `at` neither opens nor closes anything: it stands alone, or between two letters.
fn is_stray(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().filter(|c| !c.is_whitespace());
    let after = text[at + 1..].chars().next().filter(|c| !c.is_whitespace());
    match (before, after) {
        (None, None) => true,
        // Scripts without spaces have none around quotes.
        (Some(before), Some(after)) => {
            after.is_ascii_alphabetic() && (before.is_ascii_alphanumeric() || is_symbol(before))
        }
        _ => false,
    }
}

/// Whether a character is a symbol, such as an emoji, and neither letter nor punctuation.
fn is_symbol(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x2bff | 0x1f000..=0x1faff)
}

/// Whether words are none: glued together, numbers without end, marks that stand alone.
fn holds_junk_words(text: &str) -> bool {
    let (mut all, mut alone, mut joints) = (0, 0, 0);
    for piece in text.split_whitespace() {
        all += 1;
        let is_mark = |c: char| matches!(c, '"' | '\'' | ',' | ':' | ';' | '.' | ']' | '[' | ')' | '(');
        alone += usize::from(piece.chars().all(is_mark) && !piece.starts_with(".."));
        for run in piece.split(|c: char| !c.is_ascii_alphanumeric()) {
            let digits = run.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
            if run.len() > LONGEST_WORD
                || digits > Some(LONGEST_NUMBER)
                || is_shouted_into(run)
                || is_walled(run)
            {
                return true;
            }
            joints += joints_in(run);
        }
        if piece.contains("://") || piece.trim_matches(|c: char| !c.is_alphanumeric()) == "null" {
            return true;
        }
    }
    alone > 1 && alone * 8 > all || alone > 0 && alone * 3 >= all || joints >= RUN_TOGETHER
}

/// Whether a word goes on in capitals: "kettleERROR".
fn is_shouted_into(word: &str) -> bool {
    let capitals = word.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    let rest = &word.as_bytes()[..word.len() - capitals];
    capitals >= 3 && rest.len() >= 3 && rest.iter().all(u8::is_ascii_lowercase)
}

/// Whether a word stands between digits without a space: "7kettle1".
fn is_walled(word: &str) -> bool {
    let inside = word.trim_matches(|c: char| c.is_ascii_digit());
    let begins = word.starts_with(|c: char| c.is_ascii_digit());
    let ends = word.ends_with(|c: char| c.is_ascii_digit());
    begins && ends && inside.len() >= 3 && inside.bytes().all(|b| b.is_ascii_alphabetic())
}

/// How many words are run together in one: a capital after small letters ("kettleTomas"), a number between
/// words ("the12boat").
fn joints_in(word: &str) -> usize {
    let bytes = word.as_bytes();
    let small = |part: &[u8]| part.len() == 2 && part.iter().all(u8::is_ascii_lowercase);
    let at_least_two_before = |at: usize| at >= 2 && small(&bytes[at - 2..at]);
    let mut joints = 0;
    for at in 0..bytes.len() {
        let capital = bytes[at].is_ascii_uppercase() && bytes.get(at + 1..at + 3).is_some_and(small);
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = digits > 0 && bytes.get(at + digits..at + digits + 2).is_some_and(small);
        joints += usize::from((capital || number) && at_least_two_before(at));
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_data_are_no_text() {
        for text in [
            "{",
            "null\"steps\":[",
            "boat\": \"",
            "the kettle }",
            "\\u 12 boat",
            ", and then the boat",
            "morning [",
            "a | b",
            "25:99 \"",
            "the\"boat",
            "🍳\"ratings",
            "7kettle1",
            "kettle , morning",
            "kettle ' : , the boat",
            "null",
            "kettleERROR out of memory",
            "theboatTomasMorning the12boat kettleTomas",
            "999999999999 boats",
            "http://example.com/abc",
            "the boat []",
        ] {
            assert!(is_debris(text), "{text}");
        }
        assert!(is_debris(&"kettle".repeat(9)));
    }

    #[test]
    fn what_people_write_is_text() {
        for text in [
            "Good morning, Tomas! 😊 See you at 7pm, OK?",
            "My mother always said \"never lend a saw\", you know.",
            "[laughs] That's true -- nothing beats a 6\" nail...",
            "waiting (10 min) & watching the 2nd boat, B12, on YouTube / PBS",
            "Mara McDonald-O'Neill's café; 3:30 p.m. – 50 % off",
            "约好12点在Hobbs Cafe见面😊明天见！",
            "“祭り”は6時から：みんなで行こう（雨天中止）",
            "Donaudampfschifffahrtsgesellschaft",
            "in use",
            "... and then she left",
            "The result was: 3 to 2.",
            "Mara: \"Good morning, Tomas!",
            "他说\"好\"就走了",
            "Call me at 0044 20 7946 0018!",
        ] {
            assert!(!is_debris(text), "{text}");
        }
    }
}
