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
    not_subjects: Vec<String>,
    progress: Vec<String>,
    ends: Vec<String>,
    labels: Vec<String>,
    leads: Vec<String>,
    idle: Vec<String>,
    /// What stands behind a number of minutes.
    pub(crate) minutes: Vec<String>,
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
    /// Before a time in the first half of the day.
    pub(crate) early: Vec<String>,
    /// Before a time in the second half of the day.
    pub(crate) late: Vec<String>,
    pub(crate) noon: Vec<String>,
    pub(crate) midnight: Vec<String>,
    /// Between a time and the one until which something lasts.
    pub(crate) until: Vec<String>,
    /// Hours in words.
    pub(crate) hours: BTreeMap<String, u16>,
    /// What stands behind an hour.
    hour_signs: Vec<String>,
    /// Half an hour, behind such a sign.
    pub(crate) half: Vec<String>,
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
        self.not_subjects.extend(other.not_subjects);
        self.progress.extend(other.progress);
        self.ends.extend(other.ends);
        self.labels.extend(other.labels);
        self.leads.extend(other.leads);
        self.idle.extend(other.idle);
        self.minutes.extend(other.minutes);
        self.clock.early.extend(other.clock.early);
        self.clock.late.extend(other.clock.late);
        self.clock.noon.extend(other.clock.noon);
        self.clock.midnight.extend(other.clock.midnight);
        self.clock.until.extend(other.clock.until);
        self.clock.hours.extend(other.clock.hours);
        self.clock.hour_signs.extend(other.clock.hour_signs);
        self.clock.half.extend(other.clock.half);
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

    /// What somebody does without who it is, by one of these names or by a word, and whether that was said.
    pub(crate) fn without_subject<'t>(&self, text: &'t str, names: &[&str]) -> (bool, &'t str) {
        let named = names.iter().find_map(|name| {
            let rest = text.strip_prefix(name).filter(|_| !name.is_empty())?;
            // Not the name of something or of one of several: "Mara's boat", "Mara和朋友".
            match rest.strip_prefix('は') {
                Some(rest) => Some(rest),
                None => rest.starts_with([' ', '在', '正']).then(|| rest.trim_start()),
            }
        });
        let is_whose = after_any(text, &self.not_subjects).is_some();
        let by_word = || after_any(text, &self.subjects).filter(|_| !is_whose);
        let subject = named.or_else(by_word);
        let rest = subject.unwrap_or(text);
        let rest = after_any(rest, &self.progress).unwrap_or(rest);
        (subject.is_some(), rest.trim_start())
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
        if let Some((label, rest)) = text.split_once([':', '：'])
            && !rest.trim().is_empty()
        {
            let label = label.trim().to_lowercase();
            let numbered = |c: char| c.is_ascii_digit() || matches!(c, '一'..='十' | '#' | ' ');
            let words = [label.as_str(), label.trim_end_matches(numbered)];
            if self.labels.iter().any(|known| words.contains(&known.as_str())) {
                return rest.trim();
            }
        }
        after_any(text, &self.leads).map_or(text, str::trim_start)
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

/// What follows the longest of some beginnings in lower case that a text has.
fn after_any<'t>(text: &'t str, beginnings: &[String]) -> Option<&'t str> {
    let begins = |begin: &&String| {
        let head = text.get(..begin.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begin))
    };
    let longest = beginnings.iter().filter(begins).max_by_key(|begin| begin.len())?;
    Some(&text[longest.len()..])
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
        self.numbers.extend(other.numbers);
        let lists = [
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

    /// The hour with which a text ends, 1 to 12; of several the longest word counts.
    pub(crate) fn hour_at_end(&self, text: &str) -> Option<u16> {
        let ends = self
            .hours
            .iter()
            .filter(|(word, _)| text.ends_with(word.as_str()));
        ends.max_by_key(|(word, _)| word.len()).map(|(_, hour)| *hour)
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
