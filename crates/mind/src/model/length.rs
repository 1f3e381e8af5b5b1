//! How long something takes, as models write it where minutes are asked for: "2 hours", "1h30m", "半小时", "1時間半".

use std::cmp::Reverse;

use super::clock::narrow;
use super::reading::Reading;

const HOUR_MINUTES: u32 = 60;
/// Longer texts are no length of time, in characters.
const LONGEST: usize = 40;
/// Nothing takes more hours.
const MOST_HOURS: f64 = 24.0;

/// The minutes in a text that counts hours, or minutes in words; none in any other.
pub(crate) fn minutes_in(text: &str) -> Option<u32> {
    if text.chars().count() > LONGEST {
        return None;
    }
    let text = narrow(text.trim()).to_lowercase();
    let words = Reading::get();
    let Some((before, after)) = around(&text, &words.hours) else {
        let (before, _) = around(&text, &words.minutes)?;
        let minutes = counted(before).filter(|minutes| minutes.fract() == 0.0)?;
        return Some(minutes as u32);
    };
    let half = after_longest(before, &words.halves, |text, half| text.strip_suffix(half));
    let (before, half_before) = half.map_or((before, false), |before| (before, true));
    let hours = match counted(before) {
        Some(hours) => hours,
        None if half_before => 0.0,
        None => return None,
    };
    if !(0.0..=MOST_HOURS).contains(&hours) {
        return None;
    }
    let half_after = after_longest(after, &words.halves, |text, half| text.strip_prefix(half)).is_some();
    let half = if half_before || half_after {
        HOUR_MINUTES / 2
    } else {
        0
    };
    let digits = after.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let more = digits[..end]
        .parse::<u32>()
        .ok()
        .filter(|more| *more < HOUR_MINUTES);
    Some((hours * f64::from(HOUR_MINUTES)).round() as u32 + half + more.unwrap_or_default())
}

/// What stands before and behind the first of some units in a text.
fn around<'t>(text: &'t str, units: &[String]) -> Option<(&'t str, &'t str)> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
    let found = units.iter().flat_map(|unit| {
        let places = text
            .match_indices(unit.as_str())
            .map(|(at, _)| (at, at + unit.len()));
        let stands = |&(at, end): &(usize, usize)| {
            let (before, after) = (text[..at].chars().next_back(), text[end..].chars().next());
            !unit.is_ascii() || !is_letter(before) && !is_letter(after)
        };
        places.filter(stands)
    });
    let (at, end) = found.min_by_key(|(at, end)| (*at, Reverse(*end)))?;
    let before = text[..at].trim_end_matches([' ', '-']);
    Some((before, text[end..].trim_start()))
}

/// What `strip` leaves of a text without the longest of some words, and without spaces where that was.
fn after_longest<'t>(
    text: &'t str,
    words: &[String],
    strip: impl Fn(&'t str, &str) -> Option<&'t str>,
) -> Option<&'t str> {
    let left = words.iter().filter_map(|word| strip(text, word));
    left.min_by_key(|left| left.len()).map(str::trim)
}

/// The number, in digits or words, with which a text ends.
fn counted(text: &str) -> Option<f64> {
    let words = Reading::get();
    let number = &text[text
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .len()..];
    if !number.is_empty() {
        return number.parse().ok();
    }
    let last = text.rsplit(' ').next().unwrap_or_default();
    let in_words = words.periods.numbers.get(last).copied();
    in_words
        .or_else(|| words.clock.number_at_end(text).map(|(number, _)| number))
        .map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_minutes() {
        for (text, minutes) in [
            ("2小时", 120),
            ("2 个小时", 120),
            ("2時間", 120),
            ("2 hours", 120),
            ("2-hour", 120),
            ("2h", 120),
            ("1h30m", 90),
            ("1 hour 30 minutes", 90),
            ("1小时30分钟", 90),
            ("1時間半", 90),
            ("一个半小时", 90),
            ("one and a half hours", 90),
            ("1.5 hours", 90),
            ("两小时", 120),
            ("二時間", 120),
            ("半小时", 30),
            ("半個小時", 30),
            ("half an hour", 30),
            ("an hour", 60),
            ("十二小时", 720),
            ("三十分钟", 30),
            ("二十分間", 20),
        ] {
            assert_eq!(minutes_in(text), Some(minutes), "{text}");
        }
        for text in [
            "soon",
            "20",
            "hours",
            "99 hours",
            "0.5 min",
            "the harbour",
            "半年",
        ] {
            assert_eq!(minutes_in(text), None, "{text}");
        }
    }
}
