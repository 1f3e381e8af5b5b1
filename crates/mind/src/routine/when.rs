//! Finds times of day, dates and occasions in texts.
//!
//! [`clock_times`] reads times in the shapes that people and models write them: `7am`, `17:30pm`,
//! `0600 hours`, `half past six`, `around six in the morning`, `noon-ish`. [`occasion`] finds
//! something that happens on a day, at a time and perhaps at a place. What is not said is not
//! made up: without a day, or without a time or part of the day, there is no occasion.

use std::ops::Range;

use townsfolk_time::{DAY_MINUTES, Date, GameTime, Minute};

use super::text::Words;
use super::words::lexicon;
use crate::tasks::Occasion;

/// A time of day that a text mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClockTime {
    /// Minutes after midnight, 0 to 1,439.
    pub(crate) minute: Minute,
    /// Which words of the text say it, by position.
    pub(crate) words: Range<usize>,
    /// Whether the half of the day is certain: "6pm", "18:00" and "noon" are, "at six" isn't.
    pub(crate) certain: bool,
}

/// The times of day in `text`, in the order in which they stand there. "from 5 to 7pm" gives 17:00
/// and 19:00; "at six" gives 6:00 and leaves it to the reader whether evening is meant.
pub(crate) fn clock_times(text: &str) -> Vec<ClockTime> {
    clock_times_in(&Words::new(text))
}

/// [`clock_times`] of a text that is already cut into words.
pub(crate) fn clock_times_in(words: &Words<'_>) -> Vec<ClockTime> {
    let mut times: Vec<ClockTime> = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if let Some(time) = time_at(words, index) {
            index = time.words.end;
            times.push(time);
        } else {
            index += 1;
        }
    }
    settle_ranges(words, &mut times);
    times
}

/// "from 5 to 7pm" and "5-7pm": the second time says which half of the day the first means. The
/// first is recovered here where it is a bare number.
fn settle_ranges(words: &Words<'_>, times: &mut Vec<ClockTime>) {
    let mut i = 0;
    while i < times.len() {
        let time = times[i].clone();
        let first = time.words.start;
        let joined = |at: usize| matches!(words.at(at), "to" | "until" | "till" | "and");
        let bare = if first >= 2 && joined(first - 1) {
            Some(first - 2)
        } else if first >= 1 && matches!(words.gap_after(first - 1).trim(), "-" | "–" | "—") {
            Some(first - 1)
        } else {
            None
        };
        if let Some(bare) = bare.filter(|_| time.certain) {
            let known = i.checked_sub(1).filter(|p| times[*p].words.contains(&bare));
            let (hour, minute) = match known {
                Some(p) if !times[p].certain => (times[p].minute / 60, times[p].minute % 60),
                Some(_) => (24, 0),
                None => bare_hour(words, bare).map_or((24, 0), |hour| (hour, 0)),
            };
            if hour <= 12 {
                let early = hour % 12 * 60 + minute;
                let minute = if time.minute >= 720 && early + 720 < time.minute {
                    early + 720
                } else {
                    early
                };
                let settled = ClockTime {
                    minute,
                    words: bare..bare + 1,
                    certain: true,
                };
                match known {
                    Some(p) => {
                        times[p] = ClockTime {
                            words: times[p].words.clone(),
                            ..settled
                        }
                    }
                    None => {
                        times.insert(i, settled);
                        i += 1;
                    }
                }
            }
        }
        // The other way round, "from 10am to 2": the end lies after the start.
        if let Some(p) = i.checked_sub(1)
            && times[p].certain
            && !times[i].certain
            && times[p].words.end + 1 == times[i].words.start
            && times[i].minute <= times[p].minute
            && times[i].minute < 720
        {
            times[i].minute += 720;
        }
        i += 1;
    }
}

/// The time that begins with the word at `index`.
fn time_at(words: &Words<'_>, index: usize) -> Option<ClockTime> {
    let when = &lexicon().when;
    let word = words.at(index);
    if let Some(minute) = when.moments.get(word) {
        return Some(ClockTime {
            minute: *minute,
            words: index..index + 1,
            certain: true,
        });
    }
    // "half past six", "quarter to seven".
    let quarter = match word {
        "half" => Some(30),
        "quarter" => Some(15),
        _ => None,
    };
    if let Some(minutes) = quarter
        && let Some(hour) = bare_hour(words, index + 2)
    {
        let minute = match words.at(index + 1) {
            "past" | "after" => hour % 24 * 60 + minutes,
            "to" | "before" => (hour % 24 * 60 + DAY_MINUTES - minutes) % DAY_MINUTES,
            _ => return None,
        };
        return Some(with_part(words, index..index + 3, minute, hour > 12));
    }
    if let Some((minute, half)) = written(word) {
        return time_of_number(words, index, minute, half);
    }
    let hour = *when.numbers.get(word).filter(|hour| **hour <= 12)?;
    let (minutes, end) = match words.at(index + 1) {
        "fifteen" => (15, index + 2),
        "thirty" => (30, index + 2),
        "forty" if words.at(index + 2) == "five" => (45, index + 3),
        _ => (0, index + 1),
    };
    let minute = hour * 60 + minutes;
    let o_clock = matches!(words.at(end), "o'clock" | "o’clock" | "oclock");
    match half_of_day(words.at(end)) {
        Some(half) => Some(ClockTime {
            minute: in_half(minute, half),
            words: index..end + 1,
            certain: true,
        }),
        None if o_clock => Some(with_part(words, index..end + 1, minute % 720, false)),
        None if !is_amount(words, end) && (is_announced(words, index) || words.len() == end - index) => {
            Some(with_part(words, index..end, minute, false))
        }
        None => None,
    }
}

/// A time whose first word is the number `minute` (hours times 60 plus minutes) in digits.
fn time_of_number(
    words: &Words<'_>,
    index: usize,
    written: Written,
    half: Option<Half>,
) -> Option<ClockTime> {
    let next = words.at(index + 1);
    let dotted = words.at(index + 2) == "m" && matches!(next, "a" | "p");
    let (half, end) = match half.or_else(|| half_of_day(next)) {
        Some(_) if half.is_some() => (half, index + 1),
        Some(half) => (Some(half), index + 2),
        None if dotted => (
            Some(if next == "a" { Half::First } else { Half::Second }),
            index + 3,
        ),
        None => (None, index + 1),
    };
    let certain = |minute, end| {
        Some(ClockTime {
            minute,
            words: index..end,
            certain: true,
        })
    };
    match (written, half) {
        (Written::Clock(minute) | Written::Hour(minute), Some(half)) => certain(in_half(minute, half), end),
        (Written::Clock(minute), None) => Some(with_part(
            words,
            index..end,
            minute,
            !(60..720).contains(&minute) || words.at(index).starts_with('0'),
        )),
        (Written::Military(minute), Some(half)) => certain(in_half(minute, half), end),
        (Written::Military(minute), None) if matches!(next, "hours" | "hrs" | "h") => {
            certain(minute, index + 2)
        }
        (Written::Military(_), None) => None,
        (Written::Hour(minute), None) => {
            let o_clock = matches!(next, "o'clock" | "o’clock" | "oclock");
            let alone = words.len() == 1;
            if o_clock {
                return Some(with_part(words, index..index + 2, minute, minute > 720));
            }
            let is_day_of_month = lexicon().when.months.contains_key(next)
                || index > 0 && lexicon().when.months.contains_key(words.at(index - 1));
            (alone || is_announced(words, index) && !is_amount(words, end) && !is_day_of_month).then(|| {
                with_part(
                    words,
                    index..end,
                    minute,
                    minute > 720 || words.at(index).starts_with('0'),
                )
            })
        }
    }
}

/// Half of the day: am or pm.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    First,
    Second,
}

/// How a number was written that may be a time.
#[derive(Clone, Copy)]
enum Written {
    /// `18:00` or `5.30`.
    Clock(Minute),
    /// `6`.
    Hour(Minute),
    /// `0600`.
    Military(Minute),
}

fn half_of_day(word: &str) -> Option<Half> {
    match word {
        "am" | "amam" => Some(Half::First),
        "pm" | "pmpm" => Some(Half::Second),
        _ => None,
    }
}

/// Reads digits with an optional am or pm at their end, however often it is repeated.
fn written(word: &str) -> Option<(Written, Option<Half>)> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !digits
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'))
    {
        return None;
    }
    let half = match &word[digits.len()..] {
        "" => None,
        suffix if suffix.trim_end_matches("am").is_empty() => Some(Half::First),
        suffix if suffix.trim_end_matches("pm").is_empty() => Some(Half::Second),
        "h" if digits.len() <= 2 => None,
        _ => return None,
    };
    let written = match digits.split_once([':', '.']) {
        Some((hour, minute)) if minute.len() == 2 => {
            let (hour, minute): (Minute, Minute) = (hour.parse().ok()?, minute.parse().ok()?);
            (hour < 24 && minute < 60).then(|| Written::Clock(hour * 60 + minute))?
        }
        Some(_) => return None,
        None if digits.len() == 4 => {
            let (hour, minute): (Minute, Minute) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
            (hour < 24 && minute < 60).then(|| Written::Military(hour * 60 + minute))?
        }
        None if digits.len() <= 2 => {
            let hour: Minute = digits.parse().ok()?;
            (hour < 24).then(|| Written::Hour(hour * 60))?
        }
        None => return None,
    };
    Some((written, half))
}

/// `minute` read in a half of the day: 12am is midnight, 17:30pm stays what it is.
fn in_half(minute: Minute, half: Half) -> Minute {
    match half {
        Half::First if (720..780).contains(&minute) => minute - 720,
        Half::Second if minute < 720 => minute + 720,
        _ => minute,
    }
}

/// The hour that the single word at `index` names, 0 to 23.
fn bare_hour(words: &Words<'_>, index: usize) -> Option<u16> {
    match written(words.at(index)) {
        Some((Written::Hour(minute), None)) => Some(minute / 60),
        Some(_) => None,
        None => lexicon()
            .when
            .numbers
            .get(words.at(index))
            .copied()
            .filter(|hour| *hour <= 12),
    }
}

/// A time followed by "in the morning", "in the evening" or "at night", which settles its half.
fn with_part(words: &Words<'_>, range: Range<usize>, minute: Minute, certain: bool) -> ClockTime {
    let end = range.end;
    let part = match (words.at(end), words.at(end + 1)) {
        ("in", "the") => words.at(end + 2),
        ("at", part) => part,
        ("this" | "tomorrow", part) => part,
        _ => "",
    };
    let (minute, settled) = match part {
        "morning" => (in_half(minute, Half::First), true),
        // "at two at night" is early.
        "night" if minute < 300 => (minute, true),
        part if lexicon().when.afternoon_parts.iter().any(|p| p == part) => {
            (in_half(minute, Half::Second), true)
        }
        _ => (minute, false),
    };
    ClockTime {
        minute: minute % DAY_MINUTES,
        words: range,
        certain: certain || settled,
    }
}

fn is_announced(words: &Words<'_>, index: usize) -> bool {
    let when = &lexicon().when;
    let follows_time = |i: usize| {
        let word = words.at(i);
        written(word).is_some() || when.numbers.contains_key(word) || when.moments.contains_key(word)
    };
    index > 0
        && (when.before_times.iter().any(|word| word == words.at(index - 1))
            || index > 1 && words.at(index - 1) == "to" && follows_time(index - 2))
}

fn is_amount(words: &Words<'_>, next: usize) -> bool {
    // "at 6, or later" is a time, "around 6 or 7 people" isn't worth the risk.
    next > 0
        && words.gap_after(next - 1).trim().is_empty()
        && (lexicon().when.units.iter().any(|unit| unit == words.at(next))
            || words.gap_after(next - 1).contains('%'))
}

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

    /// Whether none is named.
    pub(crate) fn are_unsaid(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a word is one of those that name them.
    pub(crate) fn are_named_by(&self, word: usize) -> bool {
        self.words.iter().any(|range| range.contains(&word))
    }

    /// Whether they are named from a word on.
    pub(crate) fn begin_at(&self, word: usize) -> bool {
        self.words.iter().any(|range| range.start == word)
    }
}

fn later(date: Date, days: i64) -> Option<Date> {
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

/// Something that a text says will happen (or has happened) on a day and at a time.
///
/// `now` is the moment at which the text was said or written. The host is whoever the text says
/// plans, hosts or gives it, by name; none where that is "I", "you" or nobody. Where no end is
/// said, the lexicon knows how long such things last.
pub(crate) fn occasion(text: &str, now: GameTime) -> Option<Occasion> {
    let words = Words::new(text);
    let days = days_in(&words, now);
    let day = days.first()?;
    let sentence = words.sentence(day.words.start);
    let times = clock_times_in(&words);
    let (start, end, time_words) = start_and_end(&words, &times, day, &sentence)?;
    let named = name_of(&words, &sentence, day).or_else(|| name_of(&words, &(0..words.len()), day));
    let (what, what_words, usual_minutes) = named?;
    let minutes = match end {
        Some(end) => (end + DAY_MINUTES - start) % DAY_MINUTES,
        None => usual_minutes,
    };
    Some(Occasion {
        what,
        date: day.date,
        start,
        minutes: minutes.clamp(15, 720),
        place: place_of(&words, &sentence, &what_words, &time_words),
        host: host_of(&words, &what_words),
    })
}

/// When it starts, when it ends if that is said, and the words that say so.
fn start_and_end(
    words: &Words<'_>,
    times: &[ClockTime],
    day: &Day,
    sentence: &Range<usize>,
) -> Option<(Minute, Option<Minute>, Range<usize>)> {
    let inside = |time: &&ClockTime| sentence.contains(&time.words.start);
    let close_after =
        |time: &&ClockTime| time.words.start >= day.words.end && time.words.start <= day.words.end + 8;
    let chosen = times
        .iter()
        .filter(inside)
        .find(close_after)
        .or_else(|| {
            times
                .iter()
                .filter(inside)
                .rfind(|time| time.words.end <= day.words.start)
        })
        .or_else(|| times.iter().find(inside))
        .or_else(|| times.iter().find(|time| time.words.start >= sentence.end));
    let Some(time) = chosen else {
        // "on Saturday evening", "tomorrow afternoon", "tonight".
        let part = sentence
            .clone()
            .find_map(|i| lexicon().when.parts.get(words.at(i)).map(|minute| (i, *minute)));
        return part.map(|(i, minute)| (minute, None, i..i + 1));
    };
    // "from 10 to 12": a range's start may stand before the time that was found.
    let position = times.iter().position(|t| t == time)?;
    let is_range = |a: &ClockTime, b: &ClockTime| {
        let between = a.words.end..b.words.start;
        (between.len() == 1 && matches!(words.at(between.start), "to" | "until" | "till" | "and"))
            || between.is_empty() && words.gap_after(a.words.end - 1).contains(['-', '–', '—'])
    };
    let time = match position.checked_sub(1) {
        Some(before) if is_range(&times[before], time) => &times[before],
        _ => time,
    };
    let start = afternoon_unless_certain(time);
    // The end may be said later in the text, next to the same start.
    let end = times.windows(2).find_map(|pair| {
        (afternoon_unless_certain(&pair[0]) == start && is_range(&pair[0], &pair[1])).then(|| {
            let end = afternoon_unless_certain(&pair[1]);
            if pair[1].certain || end > start {
                end
            } else {
                (end + 720) % DAY_MINUTES
            }
        })
    });
    Some((start, end, time.words.clone()))
}

/// "at six": occasions with a bare hour from one to seven are in the afternoon or evening.
fn afternoon_unless_certain(time: &ClockTime) -> Minute {
    if !time.certain && (60..480).contains(&time.minute) {
        time.minute + 720
    } else {
        time.minute
    }
}

/// What the occasion is called, where it is named and how long such things last.
fn name_of(words: &Words<'_>, within: &Range<usize>, day: &Day) -> Option<(String, Range<usize>, u16)> {
    let occasions = &lexicon().occasions;
    let kind = |i: usize| {
        let word = words.at(i);
        occasions.kinds.get(word).map(|minutes| (i, *minutes))
    };
    let stop = |i: usize| {
        let word = words.at(i);
        occasions
            .stops
            .iter()
            .chain(&occasions.determiners)
            .any(|s| s == word)
    };
    // The last noun of "dinner party" is what it is; prefer the first such phrase.
    let found = within.clone().find_map(kind).map(|(mut i, mut minutes)| {
        while let Some((next, longer)) = (i + 1 < within.end && words.gap_after(i) == " ")
            .then(|| kind(i + 1))
            .flatten()
        {
            (i, minutes) = (next, longer);
        }
        (i, minutes)
    });
    if let Some((last, minutes)) = found {
        let mut first = last;
        while first > within.start
            && words
                .gap_after(first - 1)
                .trim_matches(['*', ' ', '-', '"'])
                .is_empty()
            && !stop(first - 1)
            && !is_ing_verb(words, first - 1)
            && !(day.words.contains(&(first - 1)))
        {
            first -= 1;
        }
        // The host's name stands before a possessive: "Mara's lantern supper".
        let possessive = (first..last).find(|i| {
            let word = words.at(*i);
            (word.ends_with("'s") || word.ends_with("’s"))
                && words.at(*i + 1) != "day"
                && words.at(*i + 1) != "eve"
        });
        let first = possessive.map_or(first, |i| i + 1).min(last);
        return Some((words.phrase(first, last + 1).to_owned(), first..last + 1, minutes));
    }
    // A kind the lexicon doesn't know: what somebody is "planning" or "hosting", with an article.
    let verb = within
        .clone()
        .find(|i| occasions.hosting.iter().any(|h| h == words.at(*i)))?;
    let article = (verb + 1..(verb + 4).min(within.end))
        .find(|i| occasions.determiners.iter().any(|d| d == words.at(*i)))?;
    let first = article + 1;
    let mut last = first;
    while last < within.end && !stop(last) && !day.words.contains(&last) && last < first + 6 {
        last += 1;
        if !words.gap_after(last - 1).trim().is_empty() {
            break;
        }
    }
    (last > first).then(|| (words.phrase(first, last).to_owned(), first..last, 60))
}

fn is_ing_verb(words: &Words<'_>, index: usize) -> bool {
    let word = words.at(index);
    word.len() > 5 && word.ends_with("ing") && !words.is_name(index)
}

/// Where it is, in the text's own words.
fn place_of(
    words: &Words<'_>,
    sentence: &Range<usize>,
    what: &Range<usize>,
    time: &Range<usize>,
) -> Option<String> {
    let found = |from: usize, to: usize| (from..to).find_map(|i| place_at(words, i));
    found(what.end, sentence.end.max(what.end))
        .or_else(|| found(sentence.start, time.end.max(sentence.start)))
        .or_else(|| found(sentence.start, sentence.end))
        .or_else(|| found(0, words.len()))
}

/// The place whose "at" or "in" is the word at `index`.
pub(crate) fn place_at(words: &Words<'_>, index: usize) -> Option<String> {
    let when = &lexicon().when;
    let occasions = &lexicon().occasions;
    if !matches!(words.at(index), "at" | "in" | "inside" | "to") {
        return None;
    }
    let first = index + 1;
    let article = matches!(
        words.at(first),
        "the" | "my" | "your" | "his" | "her" | "our" | "their" | "a"
    );
    let noun = if article { first + 1 } else { first };
    // "to" leads to places with capitals only: "to Hobbs Cafe", not "to relax".
    if words.at(index) == "to" && !(words.is_name(noun) || article) {
        return None;
    }
    let is_time = |i: usize| {
        let word = words.at(i);
        time_at(words, i).is_some()
            || when.parts.contains_key(word)
            || when.months.contains_key(word)
            || when.weekdays.contains_key(word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_stop = |i: usize| occasions.stops.iter().any(|stop| stop == words.at(i));
    let number = when.numbers.contains_key(words.at(noun));
    if noun >= words.len()
        || is_time(noun)
        || is_stop(noun)
        || number
        || matches!(words.at(noun), "least" | "all" | "once" | "first")
    {
        return None;
    }
    if occasions.kinds.contains_key(words.at(noun)) && !words.is_name(noun) {
        return None;
    }
    let mut end = noun + 1;
    while end < words.len() && end < noun + 8 && words.gap_after(end - 1).trim_matches([' ', '-']).is_empty()
    {
        // "The Rose and Crown Pub", "the library at Oak Hill College".
        let joins_names = words.is_name(end + 1)
            && !is_time(end + 1)
            && match words.at(end) {
                "and" => words.is_name(end - 1),
                "of" | "at" => true,
                _ => false,
            };
        if (is_stop(end) && !joins_names && !words.is_name(end)) || is_time(end) || is_ing_verb(words, end) {
            break;
        }
        end += 1;
    }
    // "to Mara's picnic" leads to the occasion, not to a place.
    let is_occasion = words.at(index) == "to" && occasions.kinds.contains_key(words.at(end - 1));
    (!is_occasion).then(|| words.phrase(first, end).to_owned())
}

/// Whose it is: the name before "is planning", or the possessive before it ("Mara's supper").
fn host_of(words: &Words<'_>, what: &Range<usize>) -> Option<String> {
    let occasions = &lexicon().occasions;
    let name_before = |end: usize| {
        let mut first = end;
        while first > 0
            && words.is_name(first - 1)
            && (first == end || words.gap_after(first - 1).trim_matches([' ', '-']).is_empty())
        {
            first -= 1;
        }
        let name = words.phrase(first, end);
        let pronoun = matches!(name, "" | "I" | "You" | "We" | "They" | "He" | "She" | "It");
        (!pronoun).then(|| name.to_owned())
    };
    let verb = (0..what.start)
        .rev()
        .find(|i| occasions.hosting.iter().any(|h| h == words.at(*i)));
    if let Some(mut at) = verb {
        let helps = [
            "is", "was", "will", "be", "to", "on", "are", "has", "been", "also", "planning", "plans",
            "excited",
        ];
        while at > 0 && helps.contains(&words.at(at - 1)) {
            at -= 1;
        }
        if let Some(name) = name_before(at) {
            return Some(name);
        }
    }
    let before = what.start.checked_sub(1)?;
    let raw = words.raw(before);
    let owner = raw.strip_suffix("'s").or_else(|| raw.strip_suffix("’s"))?;
    match before
        .checked_sub(1)
        .filter(|_| before > 0)
        .and_then(|_| name_before(before))
    {
        Some(first) if words.is_name(before) => Some(format!("{first} {owner}")),
        _ if words.is_name(before) => Some(owner.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
#[path = "when_tests.rs"]
mod tests;
