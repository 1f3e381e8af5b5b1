//! The two ways in which the 2023 code writes moments: `February 13, 2023[, 00:00:00]` in its
//! settings and `2023-02-13 00:00:00` in its memory nodes. Month names are English whatever the
//! machine's language.

use townsfolk_time::{Date, GameTime};

/// What a value of `start_date` or `curr_time` looks like.
pub(crate) const LONG_EXAMPLE: &str = "February 13, 2023, 00:00:00";
/// What `created` and `expiration` look like.
pub(crate) const SHORT_EXAMPLE: &str = "2023-02-13 00:00:00";

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Reads `February 13, 2023` (midnight) or `February 13, 2023, 00:00:00`.
pub(crate) fn long(text: &str) -> Option<GameTime> {
    let mut parts = text.split(',').map(str::trim);
    let (month, day) = parts.next()?.split_once(char::is_whitespace)?;
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    // A table of twelve: the month fits.
    let date = Date::new(number(parts.next()?, 4)?, month as i8 + 1, number(day.trim(), 2)?).ok()?;
    let seconds = match parts.next() {
        None => 0,
        Some(clock) => clock_seconds(clock)?,
    };
    match parts.next() {
        None => Some(GameTime::midnight(date) + seconds),
        Some(_) => None,
    }
}

/// Reads `2023-02-13 00:00:00`.
pub(crate) fn short(text: &str) -> Option<GameTime> {
    let (date, clock) = text.trim().split_once(' ')?;
    let mut parts = date.split('-');
    let date = Date::new(
        number(parts.next()?, 4)?,
        number(parts.next()?, 2)?,
        number(parts.next()?, 2)?,
    );
    match parts.next() {
        None => Some(GameTime::midnight(date.ok()?) + clock_seconds(clock)?),
        Some(_) => None,
    }
}

fn clock_seconds(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let hour: i64 = number(parts.next()?, 2)?;
    let minute: i64 = number(parts.next()?, 2)?;
    let second: i64 = number(parts.next()?, 2)?;
    let is_clock = parts.next().is_none() && hour < 24 && minute < 60 && second < 60;
    is_clock.then_some(hour * 3_600 + minute * 60 + second)
}

/// A number of one to `most` digits, without a sign.
fn number<T: std::str::FromStr>(text: &str, most: usize) -> Option<T> {
    let is_number = text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_are_read() {
        let read = |time: Option<GameTime>| time.map(|time| time.to_string());
        let noon = Some("2024-02-29 12:05:09".to_owned());
        assert_eq!(read(long("February 29, 2024, 12:05:09")), noon);
        assert_eq!(read(short("2024-02-29 12:05:09")), noon);
        assert_eq!(read(long("may 1, 2023")), Some("2023-05-01 00:00:00".to_owned()));
        for wrong in [
            "",
            "13 February 2023",
            "Februar 13, 2023",
            "February 30, 2023",
            "February 13 2023",
            "February 13, 2023, 24:00:00",
            "February 13, 2023, 1:00",
            "February 13, 2023, 00:00:00, UTC",
            "February -1, 2023",
            "2023-02-13",
        ] {
            assert_eq!(long(wrong), None, "{wrong}");
            assert_eq!(short(wrong), None, "{wrong}");
        }
    }
}
