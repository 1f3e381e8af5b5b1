//! Times of day in texts.

use std::ops::Range;

use townsfolk_time::{DAY_MINUTES, Minute};

use super::super::text::Words;
use super::super::words::lexicon;

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
pub(super) fn time_at(words: &Words<'_>, index: usize) -> Option<ClockTime> {
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
