//! Stretches of time that questions are about: "yesterday", "on Monday morning", "两天前", "ゆうべ".
//!
//! Only what has been makes a [`Period`]; what lies ahead is for plans. Words such as "Monday" may mean
//! either: they count where the question speaks of what has been.

use townsfolk_time::{DAY_MINUTES, DAY_SECONDS, Date, GameTime};

use crate::model::clock::{minute_in, narrow};
use crate::model::reading::{Periods, Reading};
use crate::routine::text::Words;
use crate::routine::when::{clock_times_in, days_in};
use crate::tasks::Recalled;

/// More days ago than this, nothing is looked for.
const LONGEST_AGO_DAYS: i64 = 10_000;
/// A time of day means what was so in the hour up to it.
const BEFORE_CLOCK_MINUTES: i64 = 59;
/// "Two hours ago" is so exact.
const ABOUT_SECONDS: i64 = 1_800;
/// No longer than this is what is asked of a time of day.
const MOMENT_SECONDS: i64 = 3_600;
/// The longest period whose days are looked for in the words of memories.
const LONGEST_NAMED_DAYS: i64 = 7;

/// A stretch of time that is over, or has lasted until now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    /// Its first moment.
    pub(crate) from: GameTime,
    /// The first moment after it.
    pub(crate) until: GameTime,
    /// The days its words may mean: its own and, of a weekday, the next one too ("Did you hear of the
    /// party on Saturday?").
    days: Vec<Date>,
}

impl Period {
    /// The period that a question put at `now` is about, if it names one.
    pub(crate) fn asked(question: &str, now: GameTime) -> Option<Self> {
        let words = &Reading::get().periods;
        let text = narrow(question).to_lowercase();
        let says = |cues: &[String]| cues.iter().any(|cue| find(&text, cue).is_some());
        let been = says(&words.past);
        let just = |hours: i64| now + -hours * 3_600;
        if let Some(hours) = counted(&text, &words.hours_ago, words) {
            return Some(Self::of(
                just(hours) + -ABOUT_SECONDS,
                just(hours) + ABOUT_SECONDS,
                now,
            ));
        }
        if let Some(hours) = counted(&text, &words.past_hours, words) {
            return Some(Self::of(just(hours), now + 1, now));
        }
        if let Some(days) = counted(&text, &words.past_days, words) {
            return Some(Self::of(now + -days * DAY_SECONDS, now + 1, now));
        }
        let today = GameTime::midnight(now.date());
        let spans = Words::new(&text);
        let part = longest(&text, &words.parts).map(|(_, part)| part);
        let clock = clock_times_in(&spans).first().map(|time| time.minute);
        let signed = || Reading::get().clock.hour_sign_in(&text);
        let clock = clock.or_else(|| signed().and_then(|_| minute_in(&text)));
        let begins = clock.or(part.map(|part| part[0]));
        let (day, also) = match Day::named(&text, &spans, now, words) {
            Some(Day::Week(monday)) => {
                let until = monday + 7 * DAY_SECONDS;
                return (been || until <= today).then(|| Self::of(monday, until, now));
            }
            Some(Day::Past(day)) => (day, None),
            Some(Day::Date(day)) if day < today || been => (day, None),
            Some(Day::Weekday(day)) if been => (day, Some(day + 7 * DAY_SECONDS)),
            Some(_) => return None,
            // "An evening party" is no time at which something was done.
            None if !says(&words.lived) => return None,
            // Ten o'clock was yesterday, asked before ten.
            None if begins? > now.minute_of_day() => (today + -DAY_SECONDS, None),
            None => (today, None),
        };
        let minutes = |minutes: i64| day + minutes * 60;
        let (from, until) = match (clock, part) {
            (Some(clock), _) => (
                minutes(i64::from(clock) - BEFORE_CLOCK_MINUTES),
                minutes(i64::from(clock) + 1),
            ),
            (None, Some([from, until])) => (minutes(i64::from(*from)), minutes(i64::from(*until))),
            (None, None) => (day, minutes(i64::from(DAY_MINUTES))),
        };
        let mut period = (from <= now).then(|| Self::of(from, until, now))?;
        period.days.extend(also.map(GameTime::date));
        Some(period)
    }

    /// Today until `now`.
    pub(crate) fn today(now: GameTime) -> Self {
        Self::of(GameTime::midnight(now.date()), now + 1, now)
    }

    fn of(from: GameTime, until: GameTime, now: GameTime) -> Self {
        let until = until.min(now + 1);
        let first = GameTime::midnight(from.date());
        let count = (until - first + DAY_SECONDS - 1) / DAY_SECONDS;
        let days = (0..count.min(LONGEST_NAMED_DAYS)).map(|day| (first + day * DAY_SECONDS).date());
        Self {
            from,
            until,
            days: days.collect(),
        }
    }

    /// Whether it is about what was so at a time rather than through a longer while.
    pub(crate) fn is_moment(&self) -> bool {
        self.until - self.from <= MOMENT_SECONDS
    }

    /// Whether a moment belongs to it.
    pub(crate) fn holds(&self, moment: GameTime) -> bool {
        (self.from..self.until).contains(&moment)
    }

    /// Whether a memory belongs to it: it came about then, or its words date it to one of the days. What was
    /// known from the start or whispered did not happen when it was taken in.
    pub(crate) fn has(&self, memory: &Recalled) -> bool {
        self.concerns(&memory.text, memory.created, memory.known)
    }

    /// The same of a text that is remembered since `created`.
    pub(crate) fn concerns(&self, text: &str, created: GameTime, known: bool) -> bool {
        let dated = || days_in(&Words::new(text), created);
        !known && self.holds(created) || dated().iter().any(|day| self.days.contains(&day.date))
    }
}

/// A day that a question names, as its first moment.
enum Day {
    /// One that has been, whatever else the question says.
    Past(GameTime),
    /// Today, or a date.
    Date(GameTime),
    /// The last such weekday; the next one may be meant as well.
    Weekday(GameTime),
    /// One that is to come.
    Ahead,
    /// The Monday of a week.
    Week(GameTime),
}

impl Day {
    fn named(text: &str, spans: &Words<'_>, now: GameTime, words: &Periods) -> Option<Self> {
        let today = GameTime::midnight(now.date());
        let ago = |days: i64| today + -days * DAY_SECONDS;
        if let Some(days) = counted(text, &words.days_ago, words) {
            return Some(Self::Past(ago(days)));
        }
        if let Some(weeks) = counted(text, &words.weeks_ago, words) {
            return Some(Self::Past(ago(7 * weeks)));
        }
        let since_monday = i64::from(now.date().weekday().to_monday_zero_offset());
        let weekday = longest(text, &words.weekdays);
        if let Some((_, weeks)) = longest(text, &words.weeks) {
            let monday = ago(since_monday + 7 * i64::from(*weeks));
            return Some(match weekday {
                Some((_, weekday)) => {
                    let day = monday + (i64::from(*weekday) - 1) * DAY_SECONDS;
                    if day > today { Self::Ahead } else { Self::Past(day) }
                }
                None => Self::Week(monday),
            });
        }
        if let Some((_, days)) = longest(text, &words.days) {
            return Some(match days {
                0 => Self::Date(today),
                days => Self::Past(ago(i64::from(*days))),
            });
        }
        if let Some((at, weekday)) = weekday {
            let before = text[..at].trim_end();
            let follows = |list: &[String]| list.iter().any(|word| before.ends_with(word.as_str()));
            let back = (since_monday + 1 - i64::from(*weekday)).rem_euclid(7);
            return Some(if follows(&words.ahead) {
                Self::Ahead
            } else if follows(&words.before) {
                Self::Past(ago(if back == 0 { 7 } else { back }))
            } else {
                Self::Weekday(ago(back))
            });
        }
        let digits = |day: &&crate::routine::when::Day| {
            let phrase = spans.phrase(day.words.start, day.words.end);
            phrase.contains(|c: char| c.is_ascii_digit())
        };
        let dated = days_in(spans, now).iter().find(digits).map(|day| day.date);
        let date = dated.or_else(|| month_and_day(text, now, words))?;
        Some(Self::Date(GameTime::midnight(date)))
    }
}

/// "6月3日", "6月3号": the day nearest to `now`.
fn month_and_day(text: &str, now: GameTime, words: &Periods) -> Option<Date> {
    let signs = words.month_signs.iter();
    let (before, after) = signs.filter_map(|sign| text.split_once(sign.as_str())).next()?;
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let month: i8 = before[before.len() - digits..].parse().ok()?;
    let day: String = after
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    crate::routine::when::nearest(month, day.parse().ok()?, now)
}

/// The longest of the words that stands in `text`, where it does and what it means.
pub(crate) fn longest<'w, T>(
    text: &str,
    words: &'w std::collections::BTreeMap<String, T>,
) -> Option<(usize, &'w T)> {
    let found = words
        .iter()
        .filter_map(|(word, means)| Some((word.len(), find(text, word)?, means)));
    let longest = found.max_by_key(|(length, at, _)| (*length, std::cmp::Reverse(*at)));
    longest.map(|(_, at, means)| (at, means))
}

/// Where `phrase` stands in `text`; letters of the Latin alphabet on its ends begin and end words.
pub(crate) fn find(text: &str, phrase: &str) -> Option<usize> {
    let apart = |inside: Option<char>, outside: Option<char>| {
        !(inside.is_some_and(|c| c.is_ascii_alphanumeric())
            && outside.is_some_and(|c| c.is_ascii_alphanumeric()))
    };
    let found = text.match_indices(phrase).map(|(at, _)| at);
    let mut whole = found.filter(|at| {
        apart(phrase.chars().next(), text[..*at].chars().next_back())
            && apart(
                phrase.chars().next_back(),
                text[at + phrase.len()..].chars().next(),
            )
    });
    whole.next()
}

/// The number that stands in `text` where one of the patterns has `{n}`.
fn counted(text: &str, patterns: &[String], words: &Periods) -> Option<i64> {
    let number = |pattern: &String| {
        let (before, after) = pattern.split_once("{n}")?;
        let ends = find(text, after.trim_start())?;
        let (rest, number) = number_at_end(text[..ends].trim_end(), words)?;
        rest.trim_end().ends_with(before.trim_end()).then_some(number)
    };
    patterns
        .iter()
        .find_map(number)
        .filter(|n| *n <= LONGEST_AGO_DAYS)
}

/// The number with which `text` ends, and what stands before it.
fn number_at_end<'t>(text: &'t str, words: &Periods) -> Option<(&'t str, i64)> {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() {
        return Some((rest, text[rest.len()..].parse().ok()?));
    }
    let whole = |word: &str| {
        let rest = text.strip_suffix(word)?;
        let inside = word.is_ascii() && rest.ends_with(|c: char| c.is_ascii_alphanumeric());
        (!inside).then_some(rest)
    };
    let found = words
        .numbers
        .iter()
        .filter_map(|(word, n)| Some((word.len(), whole(word)?, *n)));
    found
        .max_by_key(|(length, ..)| *length)
        .map(|(_, rest, n)| (rest, i64::from(n)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday, June 6th 2024, half past nine in the evening.
    fn now() -> GameTime {
        "2024-06-06 21:30".parse().unwrap()
    }

    fn asked(question: &str) -> Option<String> {
        let short = |moment: GameTime| moment.to_string()[5..16].to_owned();
        let period = Period::asked(question, now())?;
        Some(format!("{} to {}", short(period.from), short(period.until)))
    }

    #[test]
    fn a_stretch_of_time_is_known_in_each_language() {
        for (questions, expected) in [
            (
                [
                    "What happened yesterday?",
                    "昨天发生了什么？",
                    "昨日、何がありましたか？",
                ],
                "06-05 00:00 to 06-06 00:00",
            ),
            (
                [
                    "What did you do this morning?",
                    "今天早上你做了什么？",
                    "今朝は何をしましたか？",
                ],
                "06-06 04:00 to 06-06 12:00",
            ),
            (
                [
                    "Whom did you meet two days ago?",
                    "两天前你见了谁？",
                    "２日前に誰に会いましたか？",
                ],
                "06-04 00:00 to 06-05 00:00",
            ),
            (
                [
                    "What happened on Monday?",
                    "周一发生了什么？",
                    "月曜日に何がありましたか？",
                ],
                "06-03 00:00 to 06-04 00:00",
            ),
            (
                [
                    "What happened last week?",
                    "上周发生了什么？",
                    "先週は何がありましたか？",
                ],
                "05-27 00:00 to 06-03 00:00",
            ),
            (
                [
                    "What happened on June 4th?",
                    "6月4号发生了什么？",
                    "6月4日に何がありましたか？",
                ],
                "06-04 00:00 to 06-05 00:00",
            ),
            (
                [
                    "Where were you three hours ago?",
                    "3个小时前你在哪儿？",
                    "3時間前はどこにいましたか？",
                ],
                "06-06 18:00 to 06-06 19:00",
            ),
            (
                [
                    "What were you doing at 3pm yesterday?",
                    "昨天下午3点你在做什么？",
                    "昨日の午後3時に何をしていましたか？",
                ],
                "06-05 14:01 to 06-05 15:01",
            ),
        ] {
            for question in questions {
                assert_eq!(asked(question).as_deref(), Some(expected), "{question}");
            }
        }
        for (question, expected) in [
            ("What happened last night?", "06-05 20:00 to 06-06 05:00"),
            ("昨晚你做了什么？", "06-05 17:00 to 06-06 05:00"),
            ("ゆうべ何をしましたか？", "06-05 18:00 to 06-06 05:00"),
            ("What did you do today?", "06-06 00:00 to 06-06 21:30"),
            ("What did you do in the evening?", "06-06 17:00 to 06-06 21:30"),
            ("What did you do on Thursday?", "06-06 00:00 to 06-06 21:30"),
            ("What happened last Thursday?", "05-30 00:00 to 05-31 00:00"),
            ("上周四发生了什么？", "05-30 00:00 to 05-31 00:00"),
            ("What happened yesterday evening?", "06-05 17:00 to 06-06 00:00"),
            ("What were you doing at 22:30?", "06-05 21:31 to 06-05 22:31"),
            (
                "What happened in the last two days?",
                "06-04 21:30 to 06-06 21:30",
            ),
        ] {
            assert_eq!(asked(question).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn what_lies_ahead_or_names_no_time_is_no_period() {
        for question in [
            "What will you do tomorrow?",
            "What are your plans for today?",
            "What will you be doing at 6pm today?",
            "What are your plans for Monday?",
            "Will you come on Saturday evening?",
            "Did you hear that the party is next Saturday?",
            "What does a typical morning look like?",
            "Was there a Valentine's Day party?",
            "Who is Ilse Brandt?",
            "周六你有什么打算？",
            "土曜日は何をしますか？",
            "明天你做什么？",
            "99999999999999 days ago?",
            "",
        ] {
            assert_eq!(asked(question), None, "{question}");
        }
    }

    #[test]
    fn what_is_dated_to_a_day_belongs_to_it() {
        let heard: GameTime = "2024-06-03 10:00".parse().unwrap();
        let of = |question: &str, text: &str| {
            Period::asked(question, now())
                .unwrap()
                .concerns(text, heard, false)
        };
        let party = "Ilse Brandt is planning a party on June 5th at 6pm";
        assert!(of("What happened yesterday?", party));
        assert!(!of("What happened two days ago?", party));
        // What was known then did not happen then.
        let known = |question: &str, text: &str| {
            let period = Period::asked(question, now()).unwrap();
            period.concerns(text, heard, true)
        };
        let story = "Ilse Brandt is writing a novel";
        assert!(of("What happened on Monday?", story) && !known("What happened on Monday?", story));
        assert!(known("What happened yesterday?", party));
        // Whoever heard of a party on Saturday means the next.
        let next = "Ilse Brandt is planning a party on June 8th at 6pm";
        assert!(of("Did you hear of the party on Saturday?", next));
    }
}
