//! Finds times of day, dates and occasions in texts.
//!
//! [`clock_times`] reads times in the shapes that people and models write them: `7am`, `17:30pm`,
//! `0600 hours`, `half past six`, `around six in the morning`, `noon-ish`. [`occasion`] finds
//! something that happens on a day, at a time and perhaps at a place. What is not said is not
//! made up: without a day, or without a time or part of the day, there is no occasion.

mod clock;
mod day;
mod occasion;
mod retold;

pub(crate) use self::clock::{ClockTime, clock_times, clock_times_in};
pub(crate) use self::day::{Day, Days, days_in, nearest, span_in};
pub(crate) use self::occasion::{occasion, place_at};
pub use self::retold::retold;

#[cfg(test)]
#[path = "when_tests.rs"]
mod tests;
