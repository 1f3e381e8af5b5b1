//! The spoken words in a line as models write it: without names before them, without what a story would tell
//! around them, and without stage directions.

use super::reading::Reading;
use super::wire::is_dense;

/// Longer beginnings before a colon announce nothing, in characters.
const LONGEST_LEAD: usize = 60;
/// A name before a colon has no more words.
const LONGEST_NAME: usize = 3;
/// Opening and closing quotes.
pub(crate) const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』'), ('«', '»')];
/// Opening and closing signs of stage directions.
const ASIDES: [(char, char); 3] = [('*', '*'), ('(', ')'), ('（', '）')];

/// Who speaks to whom, and what else is known of names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speaker<'a> {
    pub(crate) name: &'a str,
    pub(crate) first_name: &'a str,
    pub(crate) listener: &'a str,
}

impl Speaker<'_> {
    /// The words alone, or what is wrong with them. `is_name` knows people who are neither speaker nor listener.
    pub(crate) fn words_of(&self, said: &str, is_name: impl Fn(&str) -> bool) -> Result<String, String> {
        let mut words = said.trim();
        let others = [self.listener, first_word(self.listener)];
        let own = [self.name, self.first_name, "Me", "I"];
        // In a written-out talk the speaker's first line counts.
        let end = words
            .match_indices('\n')
            .map(|(at, _)| at)
            .find(|at| spoken_by(words[*at..].trim_start(), &others).is_some());
        words = end.map_or(words, |at| words[..at].trim_end());
        if let Some(rest) = spoken_by(words, &own) {
            words = rest;
        } else if spoken_by(words, &others).is_some() {
            return Err(self.words_of_others(self.listener));
        } else if let Some((lead, rest)) = led(words) {
            if self.is_announced(lead) {
                words = rest;
            } else if looks_like_name(lead) && (is_name(lead) || rest.contains(self.first_name)) {
                return Err(self.words_of_others(lead));
            }
        }
        let words = self.quoted_in_story(words).unwrap_or_else(|| words.to_owned());
        let words = without_asides(&words);
        if words.is_empty() {
            return Err(format!("nothing of it is spoken; write what {} says", self.name));
        }
        Ok(unquoted(&words).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn words_of_others(&self, other: &str) -> String {
        format!("those are words of {other}; say what {} says", self.name)
    }

    fn is_named_in(&self, text: &str) -> bool {
        text.contains(self.first_name) || text.contains(self.name)
    }

    /// Whether a beginning says that the speaker is about to speak: "As Mara, I would say".
    fn is_announced(&self, lead: &str) -> bool {
        self.is_named_in(lead) && Reading::get().tells_of_speech(lead)
    }

    /// What stands in quotes where the rest of a text tells that the speaker says it.
    fn quoted_in_story(&self, text: &str) -> Option<String> {
        let (mut inside, mut around) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some(at) = rest.find(is_opening) {
            let open = rest[at..].chars().next()?;
            let (_, close) = QUOTES.iter().find(|(known, _)| *known == open)?;
            let within = &rest[at + open.len_utf8()..];
            let end = within.find(*close)?;
            around.push_str(&rest[..at]);
            around.push(' ');
            inside.push(within[..end].trim());
            rest = &within[end + close.len_utf8()..];
        }
        around.push_str(rest);
        let reading = Reading::get();
        // "“好的，”我说", "我说：“好的。”", and not what somebody else once said.
        let tells_of_own = || {
            let lead = around.trim().to_lowercase();
            (text.starts_with(is_opening) || lead.ends_with([':', '：']))
                && reading.begins_with_own_speech(&lead)
        };
        let is_story = self.is_named_in(&around) || reading.begins_with_somebody(&around) || tells_of_own();
        (!inside.is_empty() && is_story && reading.tells_of_speech(&around)).then(|| joined(&inside))
    }
}

/// A text without quotes around all of it. Where there are more in it, those at its ends belong to these.
pub(crate) fn unquoted(text: &str) -> &str {
    let is_quote = |c: char| QUOTES.iter().any(|(open, close)| c == *open || c == *close);
    let text = text.trim();
    let inside = text.trim_matches(is_quote).trim();
    if inside.contains(is_quote) { text } else { inside }
}

/// Whether a quote may begin with this sign.
pub(crate) fn is_opening(c: char) -> bool {
    QUOTES.iter().any(|(open, _)| *open == c)
}

/// The pieces of what is said as one text: a comma at their end belongs to the story, unless it joins pieces of a
/// script without spaces.
fn joined(pieces: &[&str]) -> String {
    let mut said = String::new();
    for piece in pieces {
        if !said.is_empty() && !said.ends_with(|c: char| is_dense(c) || c >= '\u{3000}') {
            said = format!("{} ", said.trim_end_matches(','));
        }
        said.push_str(piece);
    }
    said.trim_end_matches([',', '，']).to_owned()
}

/// A text without stage directions: what stands in asterisks or brackets at its beginning, at its end or between its
/// sentences. Elsewhere asterisks stress a word, and brackets belong to what is said.
fn without_asides(text: &str) -> String {
    let text = text.trim();
    let whole = text.strip_prefix('*').and_then(|rest| rest.strip_suffix('*'));
    if let Some(inside) = whole.filter(|inside| !inside.contains('*')) {
        return inside.trim().to_owned();
    }
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c| ASIDES.iter().any(|(open, _)| *open == c)) {
        let open = rest[at..].chars().next().unwrap_or_default();
        let close = ASIDES
            .iter()
            .find(|(known, _)| *known == open)
            .map_or(open, |(_, close)| *close);
        let within = &rest[at + open.len_utf8()..];
        kept.push_str(&rest[..at]);
        let Some(end) = within.find(close) else {
            kept.push_str(if open == '*' {
                ""
            } else {
                &rest[at..at + open.len_utf8()]
            });
            rest = within;
            continue;
        };
        let after = &within[end + close.len_utf8()..];
        let before = kept.trim_end();
        let stands_apart = before.is_empty()
            || after.trim().is_empty()
            || before
                .ends_with(|c: char| !c.is_alphanumeric() && !matches!(c, ',' | '，' | '、' | '\'' | '’'));
        if !stands_apart {
            let bracket = if open == '*' { 0 } else { 1 };
            kept.extend(std::iter::repeat_n(open, bracket));
            kept.push_str(&within[..end]);
            kept.extend(std::iter::repeat_n(close, bracket));
        }
        rest = after;
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

/// What stands before the first colon of a text, if it is short, and what follows.
fn led(text: &str) -> Option<(&str, &str)> {
    let (lead, rest) = text.split_once([':', '：'])?;
    let lead = lead.trim_matches(['*', '"', ' ']);
    (lead.chars().count() <= LONGEST_LEAD && !rest.trim().is_empty()).then(|| (lead, rest.trim()))
}

/// Whether a text may be a name: a few words, all with capitals where there are such.
fn looks_like_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    text.split_whitespace().count() <= LONGEST_NAME && words.all(|word| !word.starts_with(char::is_lowercase))
}

/// What follows one of `names` and a colon, where a text begins so.
fn spoken_by<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let text = text.trim_start_matches(['*', '[', '"', ' ']);
    names.iter().filter(|name| !name.is_empty()).find_map(|name| {
        let rest = text.strip_prefix(name)?.trim_start_matches(['*', ']', '"', ' ']);
        rest.strip_prefix([':', '：'])
            .map(|rest| rest.trim_start_matches(' '))
            .map(|rest| rest.strip_prefix("** ").unwrap_or(rest))
    })
}

fn first_word(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(said: &str) -> Result<String, String> {
        let maria = Speaker {
            name: "Maria Lopez",
            first_name: "Maria",
            listener: "Isabella Rodriguez",
        };
        maria.words_of(said, |name| name == "Eddy")
    }

    #[test]
    fn only_the_spoken_words_of_a_line_are_said() {
        for (line, words) in [
            ("*smiles warmly* I'd love to come! 😊", "I'd love to come! 😊"),
            ("(nods) Gladly.", "Gladly."),
            ("Sure! *laughs* Come in.", "Sure!  Come in."),
            ("See you there! (waves)", "See you there!"),
            (
                "\"Nice to see you!\" Maria said with a smile.",
                "Nice to see you!",
            ),
            ("\"Hi,\" she said. \"Come in.\"", "Hi Come in."),
            ("Maria smiles and says, \"Come in.\"", "Come in."),
            ("As Maria, I would say: see you later!", "see you later!"),
            ("**Maria:** Good morning!", "Good morning!"),
            ("*Good morning!*", "Good morning!"),
            ("「いいですね！」とMariaは言った。", "いいですね！"),
            (
                "（笑顔で）パーティーに行きたいです！",
                "パーティーに行きたいです！",
            ),
            ("“太好了!”Maria笑着说。", "太好了!"),
            (
                "“真的吗？太好了，”她笑着说，“我一定会去的。”",
                "真的吗？太好了，我一定会去的。",
            ),
            ("她笑着说：“我一定会去的。”", "我一定会去的。"),
            ("我说：“好的。”", "好的。"),
            ("“好的，”我说，“明天见。”", "好的，明天见。"),
            ("\"All right,\" I said.", "All right"),
            (
                "「いいですね。」とMariaは言った。「行きます。」",
                "いいですね。行きます。",
            ),
            ("(微笑)我很想去派对!", "我很想去派对!"),
            ("Mariaとして言うなら：またね！", "またね！"),
            ("作为Maria，我会说：回头见！", "回头见！"),
        ] {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words_of(line), Ok(words), "{line}");
        }
        for others in [
            "Klaus: Good morning Maria!",
            "Eddy: I have written a song.",
            "Klaus：おはよう、Maria！",
            "Isabella: Come in.",
            "*smiles*(nods)",
        ] {
            assert!(words_of(others).is_err(), "{others}");
        }
        for all in [
            "My mother always said \"never lend a saw\", you know.",
            "I *really* want to come at five (or six) with Eddy.",
            "Listen: I cannot come on Friday.",
            "I said: the shop is closed.",
            "我妈妈常说：“别借锯子。”",
        ] {
            assert_eq!(words_of(all), Ok(all.replace('*', "")), "{all}");
        }
    }
}
