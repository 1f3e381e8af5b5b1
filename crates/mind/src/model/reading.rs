//! The words by which answers, and times in questions, are read, as data: `reading/LANGUAGE.toml`.
//!
//! Unlike prompts and phrasings, all languages count at once: models answer in other languages than
//! they are asked in.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use serde::Deserialize;
use townsfolk_time::Minute;

use super::wire::is_dense;
use crate::routine::activities;

/// The files of all languages.
const FILES: [&str; 3] = [
    include_str!("../../reading/en.toml"),
    include_str!("../../reading/zh.toml"),
    include_str!("../../reading/ja.toml"),
];

/// The words of all languages, in the order of the files.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reading {
    nothing: Vec<String>,
    blanks: Vec<String>,
    numbered: Vec<String>,
    interjections: Vec<String>,
    yes: Vec<String>,
    no: Vec<String>,
    asleep: Vec<String>,
    awake: Vec<String>,
    beds: Vec<String>,
    small: Vec<String>,
    times: Vec<String>,
    denials: Vec<String>,
    says: Vec<String>,
    somebody: Vec<String>,
    subjects: Vec<String>,
    first_persons: BTreeMap<String, Vec<String>>,
    several: Vec<String>,
    openings: Vec<String>,
    announces: Vec<String>,
    announced: Vec<String>,
    choosing: Vec<String>,
    subject_marks: Vec<String>,
    not_after_names: Vec<String>,
    decides: Vec<String>,
    not_subjects: Vec<String>,
    progress: Vec<String>,
    ends: Vec<String>,
    labels: Vec<String>,
    leads: Vec<String>,
    idle: Vec<String>,
    /// What stands behind a number of minutes.
    pub(crate) minutes: Vec<String>,
    /// What stands behind a number of hours.
    pub(crate) hours: Vec<String>,
    /// Half an hour, before or behind what stands for an hour.
    pub(crate) halves: Vec<String>,
    /// Words about times of day.
    pub(crate) clock: ClockWords,
    /// Words about stretches of time.
    pub(crate) periods: Periods,
    fields: BTreeMap<String, Vec<String>>,
    values: BTreeMap<String, Vec<String>>,
}

/// Words about times of day.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockWords {
    /// Parts of the day that stand before a time, by the hour from which twelve hours belong to them.
    halves: BTreeMap<String, u16>,
    pub(crate) noon: Vec<String>,
    pub(crate) midnight: Vec<String>,
    /// Between a time and the one until which something lasts.
    pub(crate) until: Vec<String>,
    /// Between a time and what is done then.
    behind: Vec<String>,
    /// Numbers in words, up to twelve.
    hours: BTreeMap<String, u16>,
    /// What may stand before a number below ten.
    zeros: Vec<String>,
    /// What stands behind an hour.
    hour_signs: Vec<String>,
    /// Parts of an hour behind such a sign, in minutes.
    parts: BTreeMap<String, u16>,
    /// What stands behind the minutes of a time.
    minute_signs: Vec<String>,
}

/// Words about stretches of time, in lower case. Patterns have `{n}` where a number stands.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Periods {
    /// Days, by how many days ago they were.
    pub(crate) days: BTreeMap<String, u16>,
    /// Parts of a day: minutes after its midnight from which and until which they last.
    pub(crate) parts: BTreeMap<String, [Minute; 2]>,
    /// Weekdays, Monday 1.
    pub(crate) weekdays: BTreeMap<String, i8>,
    /// Weeks, by how many weeks ago they were.
    pub(crate) weeks: BTreeMap<String, u16>,
    /// Days, by how many days ahead they are.
    pub(crate) coming: BTreeMap<String, u16>,
    /// Right before a weekday: that of next week.
    pub(crate) next_weeks: Vec<String>,
    /// Behind the number of a year.
    pub(crate) year_signs: Vec<String>,
    /// Between the numbers of a month and a day.
    pub(crate) month_signs: Vec<String>,
    /// Before a weekday: the one before today.
    pub(crate) before: Vec<String>,
    /// Before a weekday: one to come.
    pub(crate) ahead: Vec<String>,
    pub(crate) days_ago: Vec<String>,
    pub(crate) weeks_ago: Vec<String>,
    pub(crate) hours_ago: Vec<String>,
    pub(crate) past_days: Vec<String>,
    pub(crate) past_hours: Vec<String>,
    /// Numbers in words.
    pub(crate) numbers: BTreeMap<String, u16>,
    /// What says that a question is about what has been.
    pub(crate) past: Vec<String>,
    /// What asks for what was lived through.
    pub(crate) lived: Vec<String>,
}

impl Reading {
    /// The words, read once.
    pub(crate) fn get() -> &'static Self {
        static READING: OnceLock<Reading> = OnceLock::new();
        READING.get_or_init(|| {
            let mut all = Self::default();
            for file in FILES {
                all.add(toml::from_str(file).expect("the compiled-in files are checked by a test"));
            }
            all
        })
    }

    fn add(&mut self, other: Self) {
        self.nothing.extend(other.nothing);
        self.blanks.extend(other.blanks);
        self.numbered.extend(other.numbered);
        self.interjections.extend(other.interjections);
        self.yes.extend(other.yes);
        self.no.extend(other.no);
        self.asleep.extend(other.asleep);
        self.awake.extend(other.awake);
        self.beds.extend(other.beds);
        self.small.extend(other.small);
        self.times.extend(other.times);
        self.denials.extend(other.denials);
        self.says.extend(other.says);
        self.somebody.extend(other.somebody);
        self.subjects.extend(other.subjects);
        self.first_persons.extend(other.first_persons);
        self.several.extend(other.several);
        self.openings.extend(other.openings);
        self.announces.extend(other.announces);
        self.announced.extend(other.announced);
        self.choosing.extend(other.choosing);
        self.subject_marks.extend(other.subject_marks);
        self.not_after_names.extend(other.not_after_names);
        self.decides.extend(other.decides);
        self.not_subjects.extend(other.not_subjects);
        self.progress.extend(other.progress);
        self.ends.extend(other.ends);
        self.labels.extend(other.labels);
        self.leads.extend(other.leads);
        self.idle.extend(other.idle);
        self.minutes.extend(other.minutes);
        self.hours.extend(other.hours);
        self.halves.extend(other.halves);
        self.clock.halves.extend(other.clock.halves);
        self.clock.noon.extend(other.clock.noon);
        self.clock.midnight.extend(other.clock.midnight);
        self.clock.until.extend(other.clock.until);
        self.clock.hours.extend(other.clock.hours);
        self.clock.hour_signs.extend(other.clock.hour_signs);
        self.clock.behind.extend(other.clock.behind);
        self.clock.zeros.extend(other.clock.zeros);
        self.clock.parts.extend(other.clock.parts);
        self.clock.minute_signs.extend(other.clock.minute_signs);
        self.periods.add(other.periods);
        for (name, words) in other.fields {
            self.fields.entry(name).or_default().extend(words);
        }
        for (name, words) in other.values {
            self.values.entry(name).or_default().extend(words);
        }
    }

    /// Whether a text is empty or a way of saying that there is nothing.
    pub(crate) fn is_nothing(&self, text: &str) -> bool {
        let text = text.trim().trim_end_matches(['.', '。']);
        text.is_empty() || self.nothing.iter().any(|word| text.eq_ignore_ascii_case(word))
    }

    /// Whether a text only holds the place of one: "TBD", "(no response)", "Step 3".
    pub(crate) fn is_blank(&self, text: &str) -> bool {
        let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is = |words: &[String], text: &str| words.iter().any(|word| word == text);
        let number = |c: char| c.is_ascii_digit();
        let unnumbered = text.trim_end_matches(number).trim_end();
        is(&self.blanks, &text) || unnumbered.len() < text.len() && is(&self.numbered, unnumbered)
    }

    /// Whether every word of a text is one that says nothing by itself.
    pub(crate) fn is_interjection(&self, text: &str) -> bool {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let is_one = |word: &str| self.interjections.contains(&word.to_lowercase());
        words.map(is_one).reduce(|all, one| all && one) == Some(true)
    }

    /// What a text without case and punctuation says of a truth; an empty one says no.
    pub(crate) fn truth(&self, plain: &str) -> Option<bool> {
        let is = |words: &[String]| words.iter().any(|word| word == plain);
        if is(&self.yes) {
            Some(true)
        } else {
            (plain.is_empty() || is(&self.no)).then_some(false)
        }
    }

    /// Whether an activity is sleep, as far as its words say.
    pub(crate) fn is_sleep(&self, activity: &str) -> bool {
        let has = |words: &[String]| words.iter().any(|word| activity.contains(word.as_str()));
        activities::is_sleep(activity) || has(&self.asleep) && !has(&self.awake)
    }

    /// Whether an object's name is one for what people sleep in; English ones are in the lexicon.
    pub(crate) fn is_bed(&self, name: &str) -> bool {
        let numbered = |c: char| c.is_numeric() || c.is_whitespace();
        let name = name.trim_end_matches(numbered);
        self.beds.iter().any(|bed| name.ends_with(bed.as_str()))
    }

    /// Whether a word, in lower case, says nothing by itself: in the name of a place, or of what is told.
    pub(crate) fn is_small(&self, word: &str) -> bool {
        self.small.iter().any(|small| small == word)
    }

    /// The words of a text in lower case that say when something is.
    pub(crate) fn times_in<'r>(&'r self, text: &'r str) -> impl Iterator<Item = &'r str> {
        let weekdays = self.periods.weekdays.keys();
        let words = self.times.iter().chain(weekdays).map(String::as_str);
        words.filter(|word| has_word(text, word))
    }

    /// Whether a text in lower case says that something is not so.
    pub(crate) fn denies(&self, text: &str) -> bool {
        self.denials.iter().any(|word| has_word(text, word))
    }

    /// Whether a text tells that somebody speaks: "said", "would say".
    pub(crate) fn tells_of_speech(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.says.iter().any(|word| has_word(&text, word))
    }

    /// Whether a text begins with somebody who is not named: "she said".
    pub(crate) fn begins_with_somebody(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        self.somebody.iter().any(|word| text.starts_with(word.as_str()))
    }

    /// A clause cut at the word by which its writer speaks of itself at its beginning: what stands before that word,
    /// and what follows it.
    pub(crate) fn around_first_person<'t>(&self, clause: &'t str) -> Option<(&'t str, &'t str)> {
        let words = clause.trim_start();
        let opened =
            after_any(words, &self.openings).and_then(|words| Some((words, self.after_first_person(words)?)));
        let (words, rest) = opened.or_else(|| Some((words, self.after_first_person(words)?)))?;
        Some((&clause[..clause.len() - words.len()], rest))
    }

    /// Whether a text in lower case begins with what somebody tells of its own speech: "I said".
    pub(crate) fn begins_with_own_speech(&self, text: &str) -> bool {
        let said = self.after_first_person(text);
        said.is_some_and(|rest| strip_any(rest, &self.says).is_some())
    }

    /// What somebody does without who it is, by one of these names or by a word, and whether that was said.
    pub(crate) fn without_subject<'t>(&self, text: &'t str, names: &[&str]) -> (bool, &'t str) {
        let subject = match after_name(text, names) {
            Some(rest) => self.after_subject(rest),
            None => {
                let is_whose = after_any(text, &self.not_subjects).is_some();
                after_any(text, &self.subjects)
                    .filter(|rest| !is_whose && is_same_language(&text[..text.len() - rest.len()], text))
            }
        };
        let rest = subject.unwrap_or(text).trim_start();
        let rest = subject
            .and_then(|_| after_any(rest, &self.decides))
            .unwrap_or(rest);
        let rest = after_any(rest, &self.progress).unwrap_or(rest);
        (subject.is_some(), rest.trim_start())
    }

    /// What a name does, where that follows it. It is not the name of something or of one of several: "Mara's boat",
    /// "Mara和朋友", "Maraと話すこと".
    fn after_subject<'t>(&self, rest: &'t str) -> Option<&'t str> {
        strip_any(rest, &self.subject_marks).or_else(|| {
            let is_verb = !has_kana(rest)
                && rest.starts_with(is_dense)
                && strip_any(rest, &self.not_after_names).is_none();
            (is_verb || rest.starts_with(' ')).then(|| rest.trim_start())
        })
    }

    /// What follows the word by which somebody calls itself, where a text begins so.
    pub(crate) fn after_first_person<'t>(&self, text: &'t str) -> Option<&'t str> {
        if strip_any(text, &self.several).is_some() {
            return None;
        }
        self.first_persons.iter().find_map(|(word, marks)| {
            let rest = text.strip_prefix(word.as_str())?;
            (marks.is_empty() || strip_any(rest, marks).is_some()).then_some(rest)
        })
    }

    /// The one number of a text that only says that this number is chosen or meant: "我选择3号。", "memory 2".
    pub(crate) fn chosen_number(&self, text: &str) -> Option<u32> {
        let mut digits = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty());
        let number = digits.next().filter(|_| digits.next().is_none())?;
        let words = text.replacen(number, " ", 1).to_lowercase();
        let mut rest = words.trim_start_matches(|c: char| !c.is_alphanumeric());
        while !rest.is_empty() {
            let known = self.choosing.iter().chain(&self.numbered);
            rest = known
                .filter_map(|word| rest.strip_prefix(word.as_str()))
                .filter(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric()))
                .min_by_key(|after| after.len())?
                .trim_start_matches(|c: char| !c.is_alphanumeric());
        }
        number.parse().ok()
    }

    /// An activity without words at its end that add nothing to it.
    pub(crate) fn without_ends<'t>(&self, text: &'t str) -> &'t str {
        let ends = self.ends.iter().filter_map(|end| text.strip_suffix(end.as_str()));
        let rest = ends
            .filter(|rest| !rest.trim().is_empty())
            .min_by_key(|rest| rest.len());
        rest.unwrap_or(text).trim_end_matches([',', '、', ' '])
    }

    /// A text without what announces it: "The answer is: …", "Step 1: …", "Based on the memories, …".
    pub(crate) fn unannounced<'t>(&self, text: &'t str) -> &'t str {
        let bracketed = text
            .trim_start()
            .strip_prefix(['（', '(', '【', '['])
            .and_then(|inside| inside.split_once(['）', ')', '】', ']']));
        let labelled = bracketed.or_else(|| text.split_once([':', '：']));
        if let Some((label, rest)) = labelled
            && !rest.trim().is_empty()
            && self.is_label(label)
        {
            return rest.trim_start_matches([':', '：', ' ']).trim();
        }
        after_any(text, &self.leads).map_or(text, str::trim_start)
    }

    /// Whether words only say what follows them: "Step 1", "Here is the summary of the conversation".
    fn is_label(&self, words: &str) -> bool {
        let words = words.trim().to_lowercase().replace('’', "'");
        // "Sure! Here is the summary"
        let words = match words.rsplit_once(['!', '！', ',', '，', '.', '。']) {
            Some((before, after)) if self.is_interjection(before) => after.trim().to_owned(),
            _ => words,
        };
        let numbered = |c: char| c.is_ascii_digit() || matches!(c, '一'..='十' | '#' | ' ');
        let is_one = |words: &str| self.labels.iter().any(|known| known == words);
        is_one(&words)
            || is_one(words.trim_end_matches(numbered))
            || strip_any(&words, &self.announces)
                .is_some_and(|what| self.announced.iter().any(|word| has_word(what, word)))
    }

    /// Whether a line only says what stands in the next one.
    pub(crate) fn is_announcement(&self, line: &str) -> bool {
        let words = line.trim().strip_suffix([':', '：']);
        words.is_some_and(|words| self.is_label(words))
    }

    /// Whether nothing happens in a statement.
    pub(crate) fn is_idle(&self, statement: &str) -> bool {
        let statement = statement.trim_end_matches(['.', '。']);
        self.idle.iter().any(|end| statement.ends_with(end.as_str()))
    }

    /// Whether models call a field so, in lower case and without punctuation.
    pub(crate) fn is_field(&self, field: &str, plain: &str) -> bool {
        let also = self.fields.get(field);
        also.is_some_and(|also| also.iter().any(|word| word == plain))
    }

    /// Whether models call a value so, in lower case and without punctuation.
    pub(crate) fn is_value(&self, value: &str, plain: &str) -> bool {
        let also = self.values.get(value);
        also.is_some_and(|also| also.iter().any(|word| word == plain))
    }
}

/// What follows the longest of some names with which a text begins. A name of one character is a word too: "秋天".
pub(crate) fn after_name<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let known = names.iter().filter(|name| name.chars().nth(1).is_some());
    known
        .filter_map(|name| text.strip_prefix(name))
        .min_by_key(|rest| rest.len())
}

/// Whether a text is Japanese, as far as its letters say.
pub(crate) fn has_kana(text: &str) -> bool {
    text.contains(|c: char| ('\u{3040}'..='\u{30ff}').contains(&c))
}

/// Whether a word may be one of a text's own language: "他" is nobody in "他の準備".
fn is_same_language(word: &str, text: &str) -> bool {
    !word.contains(is_dense) || has_kana(word) == has_kana(text)
}

/// What follows the longest of some beginnings in lower case that a text has.
fn after_any<'t>(text: &'t str, beginnings: &[String]) -> Option<&'t str> {
    let begins = |begin: &&String| {
        let head = text.get(..begin.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begin))
    };
    let longest = beginnings.iter().filter(begins).max_by_key(|begin| begin.len())?;
    Some(&text[longest.len()..])
}

/// What follows the first of some beginnings that a text has.
fn strip_any<'t>(text: &'t str, beginnings: &[String]) -> Option<&'t str> {
    beginnings
        .iter()
        .find_map(|begin| text.strip_prefix(begin.as_str()))
}

/// Whether a text holds a word: where there are spaces between words, not only inside of another.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !word.is_ascii() || !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

/// What programs write where there is no value.
pub(crate) fn is_no_value(word: &str) -> bool {
    ["null", "none", "nil", "undefined", "nan"]
        .iter()
        .any(|no_value| word.eq_ignore_ascii_case(no_value))
}

impl Periods {
    fn add(&mut self, other: Self) {
        self.days.extend(other.days);
        self.parts.extend(other.parts);
        self.weekdays.extend(other.weekdays);
        self.weeks.extend(other.weeks);
        self.coming.extend(other.coming);
        self.numbers.extend(other.numbers);
        let lists = [
            (&mut self.next_weeks, other.next_weeks),
            (&mut self.year_signs, other.year_signs),
            (&mut self.month_signs, other.month_signs),
            (&mut self.before, other.before),
            (&mut self.ahead, other.ahead),
            (&mut self.days_ago, other.days_ago),
            (&mut self.weeks_ago, other.weeks_ago),
            (&mut self.hours_ago, other.hours_ago),
            (&mut self.past_days, other.past_days),
            (&mut self.past_hours, other.past_hours),
            (&mut self.past, other.past),
            (&mut self.lived, other.lived),
        ];
        for (all, more) in lists {
            all.extend(more);
        }
    }
}

impl ClockWords {
    /// Where the first sign of an hour stands in a text.
    pub(crate) fn hour_sign_in(&self, text: &str) -> Option<Range<usize>> {
        let found = self.hour_signs.iter().filter_map(|sign| {
            let at = text.find(sign.as_str())?;
            Some(at..at + sign.len())
        });
        found.min_by_key(|range| (range.start, Reverse(range.end)))
    }

    /// The first part of the day that a text names: where its word stands, and the hour from which twelve hours
    /// belong to it.
    pub(crate) fn half_in(&self, text: &str) -> Option<(Range<usize>, u16)> {
        let found = self.halves.iter().filter_map(|(word, from)| {
            let at = text.find(word.as_str())?;
            Some((at..at + word.len(), *from))
        });
        found.min_by_key(|(range, _)| (range.start, Reverse(range.end)))
    }

    /// The number, in digits or in words, with which a text ends, and what stands before it.
    pub(crate) fn number_at_end<'t>(&self, text: &'t str) -> Option<(u16, &'t str)> {
        let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
        if before.len() < text.len() {
            return Some((text[before.len()..].parse().ok()?, before));
        }
        let is_number = |c: char| self.hours.contains_key(c.encode_utf8(&mut [0; 4]) as &str);
        let before = text.trim_end_matches(is_number);
        let (number, rest) = self.number_in_words(&text[before.len()..])?;
        rest.is_empty().then_some((number, before))
    }

    /// The number in words with which a text begins, up to 99, and what follows.
    fn number_in_words<'t>(&self, text: &'t str) -> Option<(u16, &'t str)> {
        let next = |text: &'t str| {
            let words = self.hours.iter();
            let begins = words.filter(|(word, _)| text.starts_with(word.as_str()));
            let (word, number) = begins.max_by_key(|(word, _)| word.len())?;
            Some((*number, &text[word.len()..]))
        };
        let (first, rest) = next(text)?;
        let (number, rest) = match next(rest) {
            // "二十", "二十一": so many times ten.
            Some((ten @ 10..=12, rest)) if first < 10 => (first * 10 + ten - 10, rest),
            _ => (first, rest),
        };
        match next(rest) {
            Some((unit @ ..10, rest)) if number % 10 == 0 => Some((number + unit, rest)),
            _ => Some((number, rest)),
        }
    }

    /// What is done at a time behind which it stands.
    pub(crate) fn done_then<'t>(&self, text: &'t str) -> &'t str {
        strip_any(text, &self.behind).unwrap_or(text)
    }

    /// The minutes with which what stands behind an hour's sign begins, and what follows them; none where they
    /// are no minutes of an hour. Few in words are a number of something else, unless a sign follows them.
    pub(crate) fn minutes_behind<'t>(&self, text: &'t str) -> Option<(u16, &'t str)> {
        let after = text.trim_start();
        let part = self
            .parts
            .iter()
            .find(|(part, _)| after.starts_with(part.as_str()));
        if let Some((part, minutes)) = part {
            return Some((*minutes, &after[part.len()..]));
        }
        let sign = |rest: &'t str| strip_any(rest, &self.minute_signs);
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &after[..after.len() - rest.len()];
        if digits.is_empty() {
            let zero = strip_any(after, &self.zeros);
            let in_words = self
                .number_in_words(zero.unwrap_or(after))
                .filter(|(n, _)| *n < 60);
            return Some(match in_words {
                Some((minutes, rest)) if sign(rest).is_some() => (minutes, sign(rest)?),
                Some((minutes, rest)) if minutes >= 10 || zero.is_some() => (minutes, rest),
                _ => (0, text),
            });
        }
        if rest.starts_with([':', '-']) {
            return Some((0, text));
        }
        let minutes = digits.parse().ok().filter(|minutes| *minutes < 60)?;
        Some((minutes, sign(rest).unwrap_or(rest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_known_by_its_words_in_each_language() {
        let reading = Reading::get();
        for sleep in [
            "sleeping",
            "asleep",
            "睡觉",
            "在床上睡觉",
            "熟睡",
            "午睡",
            "就寝",
            "眠る",
            "ベッドで眠っている",
            "睡眠",
            "寝る",
        ] {
            assert!(reading.is_sleep(sleep), "{sleep}");
        }
        for awake in [
            "getting ready for bed",
            "准备睡觉",
            "睡前看书",
            "起床",
            "哄孩子睡觉",
            "寝る前に本を読む",
            "就寝の準備",
            "起床",
            "吃晚饭",
            "夕食をとる",
        ] {
            assert!(!reading.is_sleep(awake), "{awake}");
        }
    }

    #[test]
    fn beds_are_known_by_the_end_of_their_names_in_each_language() {
        use crate::routine::names::Name;
        for bed in [
            "bed",
            "Mara's bunk",
            "床",
            "双人床",
            "床 2",
            "ベッド",
            "ベッド１",
            "布団",
        ] {
            assert!(Name::new(bed).is_bed, "{bed}");
        }
        for other in ["bedside table", "床头柜", "ベッドサイドテーブル", "沙发"] {
            assert!(!Name::new(other).is_bed, "{other}");
        }
    }

    #[test]
    fn nothing_happens_in_what_is_idle_in_each_language() {
        for language in ["en", "zh", "ja"] {
            let phrases = crate::Phrases::of(language);
            let state = match language {
                "en" => "idle",
                "zh" => "空闲",
                _ => "待機中",
            };
            // The state of a town without one of its own words for it, too.
            for state in [state, "idle"] {
                let statement = phrases.object_is("bed", state);
                assert!(Reading::get().is_idle(&statement), "{statement}");
            }
            let statement = phrases.object_is("bed", "burning");
            assert!(!Reading::get().is_idle(&statement), "{statement}");
        }
    }

    #[test]
    fn nothing_yes_and_no_are_said_in_each_language() {
        let reading = Reading::get();
        for nothing in ["", " ", "None.", "N/A", "-", "无", "没有。", "なし", "特になし"] {
            assert!(reading.is_nothing(nothing), "{nothing}");
        }
        assert!(!reading.is_nothing("no milk"));
        for empty in ["hm", "Okay.", "Yes, sure!", "好的。", "はい、わかりました。"] {
            assert!(reading.is_interjection(empty), "{empty}");
        }
        for blank in [
            "N/A",
            "TBD",
            "string",
            "True",
            "(no response)",
            "unknown",
            "Step 3",
            "活动1",
            "未知",
            "不明",
        ] {
            assert!(reading.is_blank(blank), "{blank}");
        }
        for said in [
            "step 3 of the recipe",
            "unknown guests",
            "7",
            "",
            "打扫活动室",
            "tasks",
        ] {
            assert!(!reading.is_blank(said), "{said}");
        }
        for full in ["asleep", "fine weather", "好天气", "はい殿の庭", "…"] {
            assert!(!reading.is_interjection(full), "{full}");
        }
        let truths = ["yes", "no", "是", "否", "はい", "いいえ", "perhaps"].map(|word| reading.truth(word));
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(truths, [yes, no, yes, no, yes, no, None]);
    }

    #[test]
    fn fields_and_values_have_names_in_each_language() {
        let reading = Reading::get();
        for activity in ["activity", "活动", "行動"] {
            assert!(reading.is_field("do", activity), "{activity}");
        }
        for wait in ["waituntil", "等待", "待つ"] {
            assert!(reading.is_value("wait", wait), "{wait}");
        }
    }
}
