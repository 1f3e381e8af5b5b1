//! Game time: a civil clock that never asks the machine what time it is.
//!
//! A [`GameTime`] counts whole seconds of a calendar without time zones or leap seconds, so a day
//! is always 86,400 seconds and subtraction is exact. Minutes of a day ([`Minute`]) are what plans
//! are written in. Nothing in this crate, or below it, reads a wall clock.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use jiff::civil::DateTime;
pub use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};

/// Minutes in a day; every plan covers exactly this many.
pub const DAY_MINUTES: u16 = 1_440;
/// Seconds in a day.
pub const DAY_SECONDS: i64 = 86_400;

/// A minute of the day, 0 (midnight) to 1,440 (the midnight that ends it).
pub type Minute = u16;

/// A moment of game time: whole seconds since 1970-01-01T00:00:00 on a calendar without zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameTime(i64);

impl GameTime {
    /// The moment `seconds` after 1970-01-01T00:00:00.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since 1970-01-01T00:00:00.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Midnight at the start of `date`.
    pub fn midnight(date: Date) -> Self {
        Self(days_from_epoch(date) * DAY_SECONDS)
    }

    /// `minute` minutes after midnight of `date`; 1,440 is the next midnight.
    pub fn at(date: Date, minute: Minute) -> Self {
        Self::midnight(date) + i64::from(minute) * 60
    }

    /// The calendar date.
    pub fn date(self) -> Date {
        date_from_days(self.0.div_euclid(DAY_SECONDS))
    }

    /// Whole minutes since midnight, 0 to 1,439.
    pub fn minute_of_day(self) -> Minute {
        (self.0.rem_euclid(DAY_SECONDS) / 60) as Minute
    }

    /// Seconds since midnight, 0 to 86,399.
    pub fn second_of_day(self) -> i64 {
        self.0.rem_euclid(DAY_SECONDS)
    }

    /// Hours from `earlier` to this moment; negative if `earlier` is later.
    pub fn hours_since(self, earlier: Self) -> f64 {
        (self.0 - earlier.0) as f64 / 3_600.0
    }
}

impl Add<i64> for GameTime {
    type Output = Self;
    /// This moment plus `seconds`.
    fn add(self, seconds: i64) -> Self {
        Self(self.0 + seconds)
    }
}

impl Sub for GameTime {
    type Output = i64;
    /// Seconds from `earlier` to this moment.
    fn sub(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }
}

/// `2023-02-13 06:15:00`.
impl fmt::Display for GameTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.second_of_day();
        write!(
            f,
            "{} {:02}:{:02}:{:02}",
            self.date(),
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    }
}

/// A text that is not a moment of game time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a time; write it like 2023-02-13 06:15 or 2023-02-13T06:15:30")]
pub struct BadTime(String);

/// Accepts `2023-02-13 06:15:30` with a space or a `T`, seconds optional, and a bare date.
impl FromStr for GameTime {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Self, BadTime> {
        let bad = || BadTime(text.to_owned());
        let text = text.trim();
        if let Ok(moment) = text.parse::<DateTime>() {
            return Ok(Self::midnight(moment.date())
                + i64::from(moment.hour()) * 3_600
                + i64::from(moment.minute()) * 60
                + i64::from(moment.second()));
        }
        let (date, clock) = text.split_once([' ', 'T']).ok_or_else(bad)?;
        let date: Date = date.parse().map_err(|_| bad())?;
        Ok(Self::midnight(date) + i64::from(parse_clock(clock).ok_or_else(bad)?) * 60)
    }
}

/// Reads `6:15` or `06:15` as a minute of the day, 0 to 1,439.
pub fn parse_clock(text: &str) -> Option<Minute> {
    let (hour, minute) = text.trim().split_once(':')?;
    let (hour, minute): (Minute, Minute) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// Writes a minute of the day as `06:15`; 1,440 becomes `24:00`.
pub fn clock(minute: Minute) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

const EPOCH: Date = Date::constant(1970, 1, 1);

fn days_from_epoch(date: Date) -> i64 {
    let span = date.duration_since(EPOCH);
    span.as_secs() / DAY_SECONDS
}

fn date_from_days(days: i64) -> Date {
    EPOCH.saturating_add(jiff::SignedDuration::from_secs(days.saturating_mul(DAY_SECONDS)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_and_back() {
        let time: GameTime = "2023-02-13 06:15".parse().unwrap();
        assert_eq!(time.to_string(), "2023-02-13 06:15:00");
        assert_eq!(time.minute_of_day(), 375);
        assert_eq!("2023-02-13T06:15:30".parse::<GameTime>().unwrap() - time, 30);
        assert!("tomorrow".parse::<GameTime>().is_err());
        assert!("2023-02-30 06:15".parse::<GameTime>().is_err());
    }

    proptest! {
        #[test]
        fn any_second_reads_back(seconds in -50_000_000_000i64..200_000_000_000) {
            let time = GameTime::from_seconds(seconds);
            prop_assert_eq!(time.to_string().parse::<GameTime>().unwrap(), time);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,24}") {
            let _ = text.parse::<GameTime>();
        }
    }
}
