//! Texts as words: the scanner that the rules on people, talk and importance share.
//!
//! A word is a run of letters and digits in any script, with apostrophes and hyphens inside it, and the
//! points of numbers and clock times.
//! Nothing here allocates more than the lists it returns.

/// A word and what stands between it and the word before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    /// Spaces and punctuation before the word.
    pub(crate) gap: &'a str,
    /// The word as written.
    pub(crate) text: &'a str,
}

impl Word<'_> {
    /// Whether a sentence begins here, when it isn't the first word anyway.
    pub(crate) fn opens_sentence(&self) -> bool {
        self.gap
            .chars()
            .any(|c| matches!(c, '.' | '!' | '?' | ';' | ':' | '\n' | '。' | '！' | '？'))
            || self.gap.contains("--")
            || self.gap.contains('—')
    }

    /// Whether a full stop, or its like, stands before the word; a semicolon only ends a clause.
    pub(crate) fn ends_thought(&self) -> bool {
        self.gap.contains(['.', '!', '?', '\n', '。', '！', '？'])
    }

    /// Whether a name may begin here: a capital letter, or one of a script without capitals.
    pub(crate) fn begins_name(&self) -> bool {
        self.text
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
    }

    /// Whether the word stands apart from the one before by more than space.
    pub(crate) fn is_set_off(&self) -> bool {
        self.gap.chars().any(|c| !c.is_whitespace())
    }

    /// Whether it begins with a capital letter.
    pub(crate) fn is_capitalised(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// The words of a text, and what follows the last.
pub(crate) fn words(text: &str) -> (Vec<Word<'_>>, &str) {
    let mut found = Vec::with_capacity(text.len() / 5 + 1);
    let (mut gap_start, mut start) = (0, None);
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let joins = match c {
            '\'' | '’' | '-' => next.is_alphanumeric(),
            // "9:30pm" and "3.50" are one word each.
            ':' | '.' => before.is_ascii_digit() && next.is_ascii_digit(),
            _ => false,
        };
        let inside = c.is_alphanumeric() || start.is_some() && joins;
        before = c;
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(Word {
                    gap: &text[gap_start..from],
                    text: &text[from..at],
                });
                (gap_start, start) = (at, None);
            }
            _ => {}
        }
    }
    match start {
        Some(from) => {
            found.push(Word {
                gap: &text[gap_start..from],
                text: &text[from..],
            });
            (found, "")
        }
        None => (found, &text[gap_start..]),
    }
}

/// The words in lower case, possessive endings cut off.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    words(text)
        .0
        .iter()
        .map(|w| bare(w.text).to_lowercase())
        .collect()
}

/// A word without a possessive ending.
pub(crate) fn bare(word: &str) -> &str {
    word.strip_suffix("'s")
        .or_else(|| word.strip_suffix("’s"))
        .unwrap_or(word)
}

/// The sentences of a text, trimmed, with their closing marks; dots inside numbers and words stay.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let closes = match c {
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            '。' | '！' | '？' | '\n' => true,
            _ => false,
        };
        if closes {
            let to = at + c.len_utf8();
            found.push(text[from..to].trim());
            from = to;
        }
    }
    found.push(text[from..].trim());
    found.retain(|s| s.chars().any(char::is_alphanumeric));
    found
}

/// A statement without its closing full stop, asterisks or stray spaces.
pub(crate) fn unclosed(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '。', ';', ',']).trim_end();
    if text.contains('*') {
        text.replace('*', "")
    } else {
        text.to_owned()
    }
}

/// A statement closed with a full stop, unless it already ends in a mark.
pub(crate) fn closed(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '。', '！', '？', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// The text with its first letter in upper case.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// What friends call somebody whose full name alone is known: the first word of a name in a script
/// with capital letters, and the whole name otherwise.
pub(crate) fn first_name(name: &str) -> &str {
    let first = name.split_whitespace().next().unwrap_or(name);
    if first.chars().next().is_some_and(char::is_uppercase) {
        first
    } else {
        name
    }
}

/// Whether `text` names `person`, by full name or by first name standing alone.
pub(crate) fn names(text: &str, person: &str) -> bool {
    if person.is_empty() {
        return false;
    }
    if text.contains(person) {
        return true;
    }
    let first = first_name(person);
    first != person && text.contains(first) && {
        let (all, _) = words(text);
        all.iter().enumerate().any(|(i, w)| {
            bare(w.text) == first
                && all
                    .get(i + 1)
                    .is_none_or(|next| next.is_set_off() || !next.is_capitalised())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_apostrophes_and_scripts() {
        let texts = |t: &'static str| words(t).0.iter().map(|w| w.text).collect::<Vec<_>>();
        assert_eq!(
            texts("Zoë O'Neill-Ångström's 5pm tea."),
            ["Zoë", "O'Neill-Ångström's", "5pm", "tea"]
        );
        assert_eq!(texts("up at 9:30pm: tea"), ["up", "at", "9:30pm", "tea"]);
        assert_eq!(texts("林 秋、茶。"), ["林", "秋", "茶"]);
        assert_eq!(words("a!? ").1, "!? ");
    }

    #[test]
    fn sentences_end_at_marks_before_space() {
        assert_eq!(
            sentences("She paid 3.50 for it. Why? "),
            ["She paid 3.50 for it.", "Why?"]
        );
        assert!(sentences(" .. ").is_empty());
    }

    #[test]
    fn first_names_need_a_script_that_has_them() {
        assert_eq!(first_name("Zoë O'Neill-Ångström"), "Zoë");
        assert_eq!(first_name("林 秋"), "林 秋");
        assert!(names("Maria said so", "Maria Lopez"));
        assert!(!names("Maria Chen said so", "Maria Lopez"));
    }
}
