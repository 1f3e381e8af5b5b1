//! Days as models write them where YYYY-MM-DD is asked for: "2月16日", "2023/02/16", "February 16", "明天", "next
//! Tuesday". They are read by the moment of asking; a day without a year is the next such day.

use townsfolk_time::{DAY_SECONDS, Date, GameTime};

use super::clock::narrow;
use super::reading::Reading;
use crate::period::longest;
use crate::routine::text::Words;
use crate::routine::when::days_in;

/// The day that a text names, if it names one.
pub(crate) fn date_in(text: &str, now: GameTime) -> Option<Date> {
    let text = narrow(text.trim()).to_lowercase();
    if let Some(date) = text.get(..10).and_then(|begins| begins.parse().ok()) {
        return Some(date);
    }
    let today = GameTime::midnight(now.date());
    let later = |days: i64| (today + days * DAY_SECONDS).date();
    let words = &Reading::get().periods;
    if let Some(date) = numbered(&text, now, &words.month_signs, &words.year_signs) {
        return Some(date);
    }
    if let Some((_, days)) = longest(&text, &words.coming) {
        return Some(later(i64::from(*days)));
    }
    let named = || days_in(&Words::new(&text), now).first().map(|day| day.date);
    if text.is_ascii() {
        return named().and_then(|date| {
            if has_year(&text) {
                Some(date)
            } else {
                next(date, &text, now)
            }
        });
    }
    let (at, weekday) = longest(&text, &words.weekdays)?;
    let since_monday = i64::from(now.date().weekday().to_monday_zero_offset());
    let ahead = i64::from(*weekday) - 1 - since_monday;
    let next_week = words
        .next_weeks
        .iter()
        .any(|word| text[..at].trim_end().ends_with(word.as_str()));
    Some(later(if next_week { ahead + 7 } else { ahead.rem_euclid(7) }))
}

/// "2023年2月16日", "2023/2/16", "2月16日", "2月16号".
fn numbered(text: &str, now: GameTime, month_signs: &[String], year_signs: &[String]) -> Option<Date> {
    let numbers: Vec<(i16, &str)> = numbers_in(text);
    let follows = |rest: &str, signs: &[String]| {
        signs
            .iter()
            .any(|sign| rest.trim_start().starts_with(sign.as_str()))
    };
    let is_year = |(number, rest): &(i16, &str)| {
        (1_000..=9_999).contains(number) && (follows(rest, year_signs) || rest.starts_with(['/', '-', '.']))
    };
    if let Some(at) = numbers.iter().position(is_year)
        && let [(year, _), (month, _), (day, _), ..] = numbers[at..]
    {
        return Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok();
    }
    let at = numbers.iter().position(|(_, rest)| follows(rest, month_signs))?;
    let ((month, _), (day, _)) = (numbers.get(at)?, numbers.get(at + 1)?);
    next_of(i8::try_from(*month).ok()?, i8::try_from(*day).ok()?, now)
}

/// The whole numbers of a text, each with what follows it.
fn numbers_in(text: &str) -> Vec<(i16, &str)> {
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[at..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        rest = &digits[end..];
        numbers.extend(digits[..end].parse().ok().map(|number| (number, rest)));
    }
    numbers
}

fn has_year(text: &str) -> bool {
    numbers_in(text)
        .iter()
        .any(|(number, _)| (1_000..=9_999).contains(number))
}

/// A date that was named without its year, as the next such day; "yesterday" stays what it is.
fn next(date: Date, text: &str, now: GameTime) -> Option<Date> {
    let has_day = text.contains(|c: char| c.is_ascii_digit());
    if has_day {
        next_of(date.month(), date.day(), now)
    } else {
        Some(date)
    }
}

fn next_of(month: i8, day: i8, now: GameTime) -> Option<Date> {
    /// Years in which February 29 comes at least once.
    const YEARS: i16 = 8;
    let today = now.date();
    let mut dates = (0..=YEARS).filter_map(|years| Date::new(today.year() + years, month, day).ok());
    dates.find(|date| *date >= today)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_by_the_moment_of_asking() {
        let now = GameTime::at(Date::constant(2023, 2, 14), 600);
        for (text, month, day) in [
            ("2023-02-16", 2, 16),
            ("2023-02-16T18:00", 2, 16),
            ("2023/02/16", 2, 16),
            ("2023/2/16", 2, 16),
            ("2023年2月16日", 2, 16),
            ("2月16日", 2, 16),
            ("２月１６日（木）", 2, 16),
            ("2月16号星期四", 2, 16),
            ("February 16", 2, 16),
            ("Feb 16, 2023", 2, 16),
            ("16 February", 2, 16),
            ("today", 2, 14),
            ("tomorrow", 2, 15),
            ("明天", 2, 15),
            ("明日", 2, 15),
            ("今晚", 2, 14),
            ("后天", 2, 16),
            ("明後日", 2, 16),
            ("Thursday", 2, 16),
            ("next Tuesday", 2, 21),
            ("星期四", 2, 16),
            ("下周四", 2, 23),
            ("木曜日", 2, 16),
        ] {
            assert_eq!(
                date_in(text, now),
                Some(Date::constant(2023, month, day)),
                "{text}"
            );
        }
        for (text, date) in [
            ("2月10日", Date::constant(2024, 2, 10)),
            ("February 10", Date::constant(2024, 2, 10)),
            ("2月29日", Date::constant(2024, 2, 29)),
        ] {
            assert_eq!(date_in(text, now), Some(date), "{text}");
        }
        for text in [
            "soon",
            "改天",
            "いつか",
            "2月30日",
            "2023年13月1日",
            "YYYY-MM-DD",
            "",
        ] {
            assert_eq!(date_in(text, now), None, "{text}");
        }
    }
}
