//! Days in texts: dates, weekdays, holidays, "tomorrow", and those that come again and again.

use std::ops::Range;

use townsfolk_time::{Date, GameTime, Minute};

use super::super::text::Words;
use super::super::words::lexicon;

/// A day that a text mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    /// The day.
    pub(crate) date: Date,
    /// Which words say it.
    pub(crate) words: Range<usize>,
}

/// The days that a text mentions, in order: dates with or without a year (the nearest is meant),
/// weekdays (the next one is meant), "tomorrow", "tonight", "in three days", named days.
pub(crate) fn days_in(words: &Words<'_>, now: GameTime) -> Vec<Day> {
    let mut days = Vec::new();
    let mut named = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if let Some(day) = date_at(words, index, now) {
            index = day.words.end;
            days.push(day);
            continue;
        }
        if let Some(day) = holiday_at(words, index, now) {
            index = day.words.end;
            named.push(day);
            continue;
        }
        index += 1;
    }
    // "a Valentine's Day party on Saturday": a day's name is only the day where nothing else is.
    if days.is_empty() { named } else { days }
}

fn holiday_at(words: &Words<'_>, index: usize, now: GameTime) -> Option<Day> {
    let holidays = &lexicon().when.holidays;
    let one = words.at(index);
    let two = if index + 1 < words.len() {
        words
            .phrase(index, index + 2)
            .to_ascii_lowercase()
            .replace('’', "'")
    } else {
        String::new()
    };
    let (length, (month, day)) = holidays
        .get(&two)
        .map(|day| (2, *day))
        .or_else(|| holidays.get(one).map(|day| (1, *day)))?;
    Some(Day {
        date: nearest(month, day, now)?,
        words: index..index + length,
    })
}

fn date_at(words: &Words<'_>, index: usize, now: GameTime) -> Option<Day> {
    let when = &lexicon().when;
    let word = words.at(index);
    let today = now.date();
    let day = |date: Option<Date>, length: usize| {
        date.map(|date| Day {
            date,
            words: index..index + length,
        })
    };
    match word {
        "today" | "tonight" => return day(Some(today), 1),
        "tomorrow" => return day(later(today, 1), 1),
        "yesterday" => return day(later(today, -1), 1),
        "this" if when.parts.contains_key(words.at(index + 1)) => return day(Some(today), 2),
        "the" if words.phrase_at(index, "the day after tomorrow") => return day(later(today, 2), 4),
        "in" if words.at(index + 2).starts_with("day") => {
            let count = words.at(index + 1);
            let count = when.numbers.get(count).copied().or_else(|| count.parse().ok())?;
            return day(later(today, i64::from(count)), 3);
        }
        _ => {}
    }
    if let Some(weekday) = when.weekdays.get(word) {
        let ahead = (i64::from(*weekday) - i64::from(today.weekday().to_monday_one_offset())).rem_euclid(7);
        let strictly_later = index > 0 && words.at(index - 1) == "next";
        let habit = index > 0 && matches!(words.at(index - 1), "every" | "each" | "last");
        if habit {
            return None;
        }
        // "Monday, June 5": the date says it exactly.
        if let Some(exact) = date_at(words, index + 1, now).filter(|d| d.words.len() > 1) {
            return Some(Day {
                words: index..exact.words.end,
                ..exact
            });
        }
        return day(
            later(today, if ahead == 0 && strictly_later { 7 } else { ahead }),
            1,
        );
    }
    if let Some(month) = when.months.get(word) {
        let number = day_of_month(words.at(index + 1))?;
        if let Some(year) = year(words.at(index + 2)) {
            return day(Date::new(year, *month, number).ok(), 3);
        }
        return day(nearest(*month, number, now), 2);
    }
    if let Some(number) = day_of_month(word) {
        let month_at = if words.at(index + 1) == "of" {
            index + 2
        } else {
            index + 1
        };
        let month = when.months.get(words.at(month_at))?;
        if let Some(year) = year(words.at(month_at + 1)) {
            return day(Date::new(year, *month, number).ok(), month_at + 2 - index);
        }
        return day(nearest(*month, number, now), month_at + 1 - index);
    }
    // 14.02.2023
    let mut parts = word.split('.');
    if let (Some(d), Some(m), Some(y), None) = (parts.next(), parts.next(), parts.next(), parts.next()) {
        return day(Date::new(year(y)?, m.parse().ok()?, d.parse().ok()?).ok(), 1);
    }
    // 2023-02-14
    if let Some(year) = year(word)
        && words.gap_after(index) == "-"
        && words.gap_after(index + 1) == "-"
    {
        let (month, number) = (
            words.at(index + 1).parse().ok()?,
            words.at(index + 2).parse().ok()?,
        );
        return day(Date::new(year, month, number).ok(), 3);
    }
    None
}

/// The days that a text speaks of.
pub(crate) struct Days {
    /// When it was said.
    said: Date,
    /// Single days.
    dates: Vec<Date>,
    /// Weekdays that it speaks of as a habit, Monday 1: "every Monday", "on Mondays".
    weekly: Vec<i8>,
    /// Whether it speaks of every day.
    daily: bool,
    /// The words that say so.
    words: Vec<Range<usize>>,
}

impl Days {
    pub(crate) fn in_words(words: &Words<'_>, said: GameTime) -> Self {
        let when = &lexicon().when;
        let mut days = Self {
            said: said.date(),
            dates: Vec::new(),
            weekly: Vec::new(),
            daily: false,
            words: Vec::new(),
        };
        let since_monday = |weekday: i8| {
            let today = said.date().weekday().to_monday_one_offset();
            i64::from(today - weekday)
        };
        for i in 0..words.len() {
            let word = words.at(i);
            let before = i.checked_sub(1).map_or("", |before| words.at(before));
            let every = when.every.iter().any(|every| every == before);
            // "Last week", "two years ago" and "in 1998" are no day, nor this one.
            let stretch = when.relating.iter().any(|w| w == before)
                && when.stretches.iter().any(|w| w == word)
                || word == "ago" && when.ago.iter().any(|w| w == before)
                || before == "in" && year(word).is_some_and(|year| year != said.date().year());
            if stretch {
                days.words.push(i - 1..i + 1);
            }
            let plural = word.strip_suffix('s').and_then(|day| when.weekdays.get(day));
            match when.weekdays.get(word) {
                Some(weekday) if every => {
                    days.weekly.push(*weekday);
                    days.words.push(i - 1..i + 1);
                }
                Some(weekday) if before == "last" => {
                    let ago = since_monday(*weekday).rem_euclid(7);
                    days.dates
                        .extend(later(said.date(), if ago == 0 { -7 } else { -ago }));
                    days.words.push(i - 1..i + 1);
                }
                Some(_) => {}
                None if plural.is_some() => {
                    days.weekly.extend(plural);
                    days.words.push(i..i + 1);
                }
                None if every && word == "day" => {
                    days.daily = true;
                    days.words.push(i - 1..i + 1);
                }
                None if when.daily.iter().any(|daily| daily == word) => {
                    days.daily = true;
                    days.words.push(i..i + 1);
                }
                None => {}
            }
        }
        for day in days_in(words, said) {
            days.dates.push(day.date);
            days.words.push(day.words);
        }
        days
    }

    /// Whether a day is one of them: where none is named, the one on which it was said.
    pub(crate) fn hold(&self, date: Date) -> bool {
        let habit = self.daily || self.weekly.contains(&date.weekday().to_monday_one_offset());
        self.dates.contains(&date) || habit && date >= self.said || self.are_unsaid() && date == self.said
    }

    /// Makes them every day from the one on which it was said.
    pub(crate) fn go_on(&mut self) {
        self.daily = true;
    }

    /// Whether the one on which it was said is named.
    pub(crate) fn name_that_day(&self) -> bool {
        self.dates.contains(&self.said)
    }

    /// Whether none is named.
    pub(crate) fn are_unsaid(&self) -> bool {
        self.words.is_empty() && !self.daily
    }

    /// Whether a word is one of those that name them.
    pub(crate) fn are_named_by(&self, word: usize) -> bool {
        self.words.iter().any(|range| range.contains(&word))
    }

    /// The first of the words that name one and end with the one at `last`.
    pub(crate) fn begin_of(&self, last: usize) -> Option<usize> {
        self.words
            .iter()
            .find(|range| range.end == last + 1)
            .map(|range| range.start)
    }

    /// Whether all of them are over before `date`, and none comes again.
    pub(crate) fn are_over(&self, date: Date) -> bool {
        let comes_again = self.daily || !self.weekly.is_empty();
        !comes_again && !self.dates.is_empty() && self.dates.iter().all(|day| *day < date)
    }

    /// Whether they are named from a word on.
    pub(crate) fn begin_at(&self, word: usize) -> bool {
        self.words.iter().any(|range| range.start == word)
    }
}

pub(super) fn later(date: Date, days: i64) -> Option<Date> {
    let shifted = GameTime::midnight(date) + days.checked_mul(86_400)?;
    Some(shifted.date())
}

fn day_of_month(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ordinal = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    digits
        .parse()
        .ok()
        .filter(|day| ordinal && (1..=31).contains(day))
}

fn year(word: &str) -> Option<i16> {
    if word.len() != 4 {
        return None;
    }
    word.parse().ok().filter(|year| (1000..=9999).contains(year))
}

/// The month and day in the year that brings it nearest to `now`.
pub(crate) fn nearest(month: i8, day: i8, now: GameTime) -> Option<Date> {
    let year = now.date().year();
    [year - 1, year, year + 1]
        .into_iter()
        .filter_map(|year| Date::new(year, month, day).ok())
        .min_by_key(|date| (GameTime::midnight(*date) - GameTime::midnight(now.date())).abs())
}

/// From when to when the part of the day lasts that words name as one: "this afternoon", "tonight", "tomorrow
/// morning", "in the evening".
pub(crate) fn span_in(words: &Words<'_>, mut within: Range<usize>) -> Option<(Minute, Minute)> {
    let when = &lexicon().when;
    within.find_map(|i| {
        let span = when.spans.get(words.at(i)).copied()?;
        let before = i.checked_sub(1).map_or("", |before| words.at(before));
        let named = words.at(i) == "tonight"
            || matches!(before, "this" | "tomorrow" | "today")
            || when.weekdays.contains_key(before)
            || before == "the" && i > 1 && matches!(words.at(i - 2), "in" | "during");
        named.then_some(span)
    })
}
