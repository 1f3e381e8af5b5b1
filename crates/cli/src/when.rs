//! Moments of a run as people write them: a tick, a game time, or a day and a time of day.

use std::str::FromStr;

use townsfolk_time::{DAY_SECONDS, GameTime, parse_clock};

/// A moment as it was written; [`Clock::tick`] says which tick of a run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// A tick, counted from 0. Negative ones can be written, and are refused with the rest.
    Tick(i64),
    /// A game time.
    Time(GameTime),
    /// A day of the story, from 1, and a time of day in seconds.
    Day { day: i64, second: i64 },
}

/// A text that is no moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no moment of a run; write a tick (2160), a time (2024-06-03 18:00) or a day and a time (day 2 18:00)"
)]
pub(crate) struct BadWhen(String);

impl FromStr for When {
    type Err = BadWhen;

    fn from_str(text: &str) -> Result<Self, BadWhen> {
        let bad = || BadWhen(text.to_owned());
        let text = text.trim();
        if let Ok(tick) = text.parse() {
            return Ok(Self::Tick(tick));
        }
        if let Ok(time) = text.parse() {
            return Ok(Self::Time(time));
        }
        let lower = text.to_ascii_lowercase();
        let after = lower.strip_prefix("day").map_or(lower.as_str(), str::trim_start);
        let (day, clock) = after.split_once(char::is_whitespace).ok_or_else(bad)?;
        let minute = parse_clock(clock).ok_or_else(bad)?;
        let day = day.parse().map_err(|_| bad())?;
        Ok(Self::Day {
            day,
            second: i64::from(minute) * 60,
        })
    }
}

/// How a run counts time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Game time of tick 0.
    pub(crate) start: GameTime,
    /// Game seconds per tick, at least 1.
    pub(crate) seconds_per_tick: i64,
}

/// A moment that a run does not reach.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{asked} lies {side} the run; it {reaches}")]
pub(crate) struct OutOfRange {
    asked: String,
    side: &'static str,
    reaches: String,
}

impl Clock {
    /// The last tick of a run that may be made longer.
    pub(crate) const LAST: u32 = u32::MAX - 1;

    /// Game time of a tick.
    pub(crate) fn time(&self, tick: u32) -> GameTime {
        self.start + i64::from(tick) * self.seconds_per_tick
    }

    /// The tick at which a moment falls, which may lie outside any run.
    fn place(&self, when: When) -> i64 {
        let at = |time: GameTime| (time - self.start).div_euclid(self.seconds_per_tick);
        match when {
            When::Tick(tick) => tick,
            When::Time(time) => at(time),
            When::Day { day, second } => {
                let days = day.saturating_sub(1).clamp(-1_000_000, 1_000_000);
                at(GameTime::midnight(self.start.date()) + days * DAY_SECONDS + second)
            }
        }
    }

    /// The tick at which a moment falls, in a run whose last tick is `last`.
    pub(crate) fn tick(&self, when: When, last: u32) -> Result<u32, OutOfRange> {
        let tick = self.place(when);
        match u32::try_from(tick) {
            Ok(tick) if tick <= last => Ok(tick),
            _ => Err(OutOfRange {
                asked: match when {
                    When::Tick(tick) => format!("tick {tick}"),
                    When::Time(time) => time.to_string(),
                    When::Day { day, second } => {
                        format!("day {day} {}", townsfolk_time::clock((second / 60) as u16))
                    }
                },
                side: if tick < 0 { "before" } else { "past the end of" },
                reaches: match last {
                    Self::LAST => format!("begins at {}", self.start),
                    _ => format!(
                        "goes from tick 0 ({}) to tick {last} ({})",
                        self.start,
                        self.time(last)
                    ),
                },
            }),
        }
    }

    /// The day of the story that a moment belongs to, from 1.
    pub(crate) fn day(&self, time: GameTime) -> i64 {
        (GameTime::midnight(time.date()) - GameTime::midnight(self.start.date())) / DAY_SECONDS + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock {
        start: GameTime::from_seconds(6 * 3_600 + 900),
        seconds_per_tick: 10,
    };

    fn tick(text: &str, last: u32) -> Result<u32, String> {
        let when: When = text.parse().map_err(|e: BadWhen| e.to_string())?;
        CLOCK.tick(when, last).map_err(|e| e.to_string())
    }

    #[test]
    fn a_moment_may_be_written_in_three_ways() {
        assert_eq!(tick("0", 39), Ok(0));
        assert_eq!(tick("39", 39), Ok(39));
        assert_eq!(tick("1970-01-01 06:15", 39), Ok(0));
        assert_eq!(tick("1970-01-01T06:16:09", 39), Ok(6));
        assert_eq!(tick("day 1 06:20", 39), Ok(30));
        assert_eq!(tick("Day 2 06:15", 8_640), Ok(8_640));
        assert_eq!(tick("2 6:15", 8_640), Ok(8_640));
    }

    #[test]
    fn what_the_run_does_not_reach_is_refused_with_what_it_reaches() {
        let reaches = "it goes from tick 0 (1970-01-01 06:15:00) to tick 39 (1970-01-01 06:21:30)";
        for (text, asked) in [
            ("-1", "tick -1 lies before the run"),
            ("40", "tick 40 lies past the end of the run"),
            ("day 1 05:00", "day 1 05:00 lies before the run"),
            (
                "1970-01-02 06:15",
                "1970-01-02 06:15:00 lies past the end of the run",
            ),
        ] {
            assert_eq!(tick(text, 39), Err(format!("{asked}; {reaches}")));
        }
        for text in ["noonish", "day 1", "day x 05:00", "1 25:00", ""] {
            assert!(
                tick(text, 39)
                    .unwrap_err()
                    .contains("is no moment of a run; write a tick"),
                "{text}"
            );
        }
        assert!(tick("day 9223372036854775807 10:00", 39).is_err());
        assert!(tick("-9223372036854775808", 39).is_err());
    }
}
