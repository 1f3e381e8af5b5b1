//! A text cut into words once, so that rules can look at it again and again.
//!
//! Only ASCII letters are lowered: positions stay those of the original text, and words of other
//! scripts pass through untouched.

/// A text and its words.
pub(crate) struct Words<'a> {
    text: &'a str,
    lower: String,
    spans: Vec<(usize, usize)>,
}

impl<'a> Words<'a> {
    /// Cuts `text` into words: letters and digits, with apostrophes inside them, and clock times
    /// such as `18:00` or dates such as `14.02.2023` as one word.
    pub(crate) fn new(text: &'a str) -> Self {
        let lower = text.to_ascii_lowercase();
        let mut spans = Vec::with_capacity(text.len() / 5 + 1);
        let mut start = None;
        let mut chars = text.char_indices().peekable();
        let mut before = ' ';
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map_or(' ', |(_, next)| *next);
            let joins = match c {
                '\'' | '’' => before.is_alphanumeric() && next.is_alphanumeric(),
                ':' | '.' => before.is_ascii_digit() && next.is_ascii_digit(),
                c => c.is_alphanumeric(),
            };
            match (joins, start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    spans.push((from, at));
                    start = None;
                }
                _ => {}
            }
            before = c;
        }
        if let Some(from) = start {
            spans.push((from, text.len()));
        }
        Self { text, lower, spans }
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The word at `index` in lower case; empty past the end.
    pub(crate) fn at(&self, index: usize) -> &str {
        self.spans
            .get(index)
            .map_or("", |(from, to)| &self.lower[*from..*to])
    }

    /// The word at `index` as it was written; empty past the end.
    pub(crate) fn raw(&self, index: usize) -> &'a str {
        self.spans
            .get(index)
            .map_or("", |(from, to)| &self.text[*from..*to])
    }

    /// Where the word at `index` begins, in bytes; the text's length past the end.
    pub(crate) fn start(&self, index: usize) -> usize {
        self.spans.get(index).map_or(self.text.len(), |(from, _)| *from)
    }

    /// Where the word at `index` ends, in bytes; the text's length past the end.
    pub(crate) fn end(&self, index: usize) -> usize {
        self.spans.get(index).map_or(self.text.len(), |(_, to)| *to)
    }

    /// What stands between the word at `index` and the next: spaces, commas, stops.
    pub(crate) fn gap_after(&self, index: usize) -> &'a str {
        &self.text[self.end(index)..self.start(index + 1)]
    }

    /// What stands between the word before the one at `index`, if any, and that one.
    pub(crate) fn gap_before(&self, index: usize) -> &'a str {
        let from = index.checked_sub(1).map_or(0, |before| self.end(before));
        &self.text[from..self.start(index)]
    }

    /// The words `from..to` as they were written, with what stands between them.
    pub(crate) fn phrase(&self, from: usize, to: usize) -> &'a str {
        if from >= to || from >= self.len() {
            return "";
        }
        &self.text[self.start(from)..self.end(to.min(self.len()) - 1)]
    }

    /// Whether the words from `index` on are those of `phrase`, which is lower case with single
    /// spaces.
    pub(crate) fn phrase_at(&self, index: usize, phrase: &str) -> bool {
        phrase
            .split(' ')
            .enumerate()
            .all(|(offset, word)| self.at(index + offset) == word)
    }

    /// Whether the text goes on with exactly `phrase` where the word at `index` begins.
    pub(crate) fn phrase_at_raw(&self, index: usize, phrase: &str) -> bool {
        self.text[self.start(index)..].starts_with(phrase)
    }

    /// Where `phrase` first stands, as the index of its first word.
    pub(crate) fn find(&self, phrase: &str) -> Option<usize> {
        (0..self.len()).find(|index| self.phrase_at(*index, phrase))
    }

    /// Whether a name may begin with the word at `index`: a capital, or a script without capitals.
    pub(crate) fn is_name(&self, index: usize) -> bool {
        self.raw(index)
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
    }

    /// Whether a sentence ends between the word at `index` and the next.
    pub(crate) fn ends_sentence(&self, index: usize) -> bool {
        self.gap_after(index)
            .contains(['.', '!', '?', ';', '\n', '。', '！', '？'])
    }

    /// The words of the sentence that the word at `index` stands in.
    pub(crate) fn sentence(&self, index: usize) -> std::ops::Range<usize> {
        let from = (0..index)
            .rev()
            .find(|i| self.ends_sentence(*i))
            .map_or(0, |i| i + 1);
        let to = (index..self.len())
            .find(|i| self.ends_sentence(*i))
            .map_or(self.len(), |i| i + 1);
        from..to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_apostrophes_clocks_and_scripts() {
        let words =
            Words::new("Zoë O'Neill-Ångström: the *Valentine’s* party at 17:30pm, 14.02.2023. 林 秋!");
        let all: Vec<_> = (0..words.len()).map(|i| words.raw(i)).collect();
        let expected = [
            "Zoë",
            "O'Neill",
            "Ångström",
            "the",
            "Valentine’s",
            "party",
            "at",
            "17:30pm",
            "14.02.2023",
            "林",
            "秋",
        ];
        assert_eq!(all, expected);
        assert_eq!(words.phrase(0, 3), "Zoë O'Neill-Ångström");
        assert_eq!(words.sentence(9), 9..11);
        assert_eq!(words.find("the valentine’s party"), Some(3));
    }
}
