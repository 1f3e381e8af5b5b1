//! A day's plan: always whole, or not there.
//!
//! A [`Schedule`] covers each of a day's 1,440 minutes exactly once; the type cannot hold anything
//! else, so every instant maps to one activity. Revising replaces a span and keeps the whole.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, Minute};

/// One stretch of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// First minute, 0 to 1,439.
    pub start: Minute,
    /// Length in minutes, at least 1.
    pub minutes: u16,
    /// What is done, in words.
    pub activity: Arc<str>,
    /// Whether the resident sleeps through it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asleep: bool,
    /// The memory that put this here (news, an invitation), where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<MemoryId>,
    /// Whether this is a step of a decomposed stretch rather than the stretch itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
}

impl Entry {
    /// The minute after the last, 1 to 1,440.
    pub fn end(&self) -> Minute {
        self.start + self.minutes
    }
}

/// Why a list of entries is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// There is nothing in it.
    #[error("the day has no entries")]
    Empty,
    /// An entry begins where the one before it doesn't end.
    #[error("\"{activity}\" starts at minute {start}, but the entry before it ends at minute {expected}")]
    Gap {
        /// The entry's activity.
        activity: Arc<str>,
        /// Where it starts.
        start: Minute,
        /// Where it should start.
        expected: Minute,
    },
    /// An entry of no length.
    #[error("\"{activity}\" takes no time")]
    NoTime {
        /// The entry's activity.
        activity: Arc<str>,
    },
    /// The entries don't end at midnight.
    #[error("the entries cover {covered} minutes; a day has 1,440")]
    NotADay {
        /// How many minutes they cover.
        covered: u32,
    },
}

/// Entries that cover one day without gap or overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct Schedule(Vec<Entry>);

impl Schedule {
    /// Takes entries that cover the day from minute 0 to 1,440 in order.
    pub fn new(entries: Vec<Entry>) -> Result<Self, ScheduleError> {
        let mut expected: Minute = 0;
        for entry in &entries {
            if entry.minutes == 0 {
                return Err(ScheduleError::NoTime {
                    activity: entry.activity.clone(),
                });
            }
            if entry.start != expected {
                return Err(ScheduleError::Gap {
                    activity: entry.activity.clone(),
                    start: entry.start,
                    expected,
                });
            }
            let covered = u32::from(entry.start) + u32::from(entry.minutes);
            if covered > u32::from(DAY_MINUTES) {
                return Err(ScheduleError::NotADay { covered });
            }
            expected = covered as Minute;
        }
        match expected {
            0 => Err(ScheduleError::Empty),
            DAY_MINUTES => Ok(Self(entries)),
            short => Err(ScheduleError::NotADay {
                covered: u32::from(short),
            }),
        }
    }

    /// The entries in order of time.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The index of the entry at `minute`; minutes past the day's end give the last.
    pub fn index_at(&self, minute: Minute) -> usize {
        self.0
            .partition_point(|entry| entry.end() <= minute)
            .min(self.0.len() - 1)
    }

    /// The entry at `minute`.
    pub fn at(&self, minute: Minute) -> &Entry {
        &self.0[self.index_at(minute)]
    }

    /// Puts `entries` in place of the minutes they cover. They must follow one another; entries at
    /// either edge are cut, not dropped.
    pub fn splice(&mut self, entries: Vec<Entry>) -> Result<(), ScheduleError> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Ok(());
        };
        let (from, to) = (first.start, last.start.saturating_add(last.minutes));
        let mut day: Vec<Entry> = Vec::with_capacity(self.0.len() + entries.len() + 2);
        day.extend(self.0.iter().filter(|e| e.start < from).map(|e| {
            let minutes = e.minutes.min(from - e.start);
            Entry { minutes, ..e.clone() }
        }));
        day.extend(entries);
        day.extend(self.0.iter().filter(|e| e.end() > to).map(|e| {
            let start = e.start.max(to);
            Entry {
                start,
                minutes: e.end() - start,
                ..e.clone()
            }
        }));
        *self = Self::new(day)?;
        Ok(())
    }
}

impl TryFrom<Vec<Entry>> for Schedule {
    type Error = ScheduleError;

    fn try_from(entries: Vec<Entry>) -> Result<Self, ScheduleError> {
        Self::new(entries)
    }
}

impl From<Schedule> for Vec<Entry> {
    fn from(schedule: Schedule) -> Self {
        schedule.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(start: Minute, minutes: u16, activity: &str) -> Entry {
        Entry {
            start,
            minutes,
            activity: activity.into(),
            asleep: false,
            cause: None,
            step: false,
        }
    }

    fn day(lengths: &[u16]) -> Schedule {
        let mut start = 0;
        let mut entries = Vec::new();
        for (i, minutes) in lengths.iter().enumerate() {
            entries.push(entry(start, *minutes, &format!("part {i}")));
            start += minutes;
        }
        entries.push(entry(start, DAY_MINUTES - start, "rest"));
        Schedule::new(entries).unwrap()
    }

    #[test]
    fn only_a_whole_day_is_a_schedule() {
        assert_eq!(Schedule::new(vec![]), Err(ScheduleError::Empty));
        assert_eq!(
            Schedule::new(vec![entry(0, 60, "wash")]),
            Err(ScheduleError::NotADay { covered: 60 })
        );
        assert!(matches!(
            Schedule::new(vec![entry(0, 60, "a"), entry(70, 1370, "b")]),
            Err(ScheduleError::Gap { .. })
        ));
        assert!(matches!(
            Schedule::new(vec![entry(0, 2000, "a")]),
            Err(ScheduleError::NotADay { covered: 2000 })
        ));
    }

    proptest! {
        #[test]
        fn a_revised_day_is_still_a_day(
            lengths in prop::collection::vec(1u16..200, 1..7),
            start in 0u16..1439,
            minutes in 1u16..300,
        ) {
            let mut schedule = day(&lengths);
            let before = schedule.clone();
            let minutes = minutes.min(DAY_MINUTES - start);
            schedule.splice(vec![entry(start, minutes, "news")]).unwrap();
            let total: u32 = schedule.entries().iter().map(|e| u32::from(e.minutes)).sum();
            prop_assert_eq!(total, 1_440);
            for minute in 0..DAY_MINUTES {
                let expected = if (start..start + minutes).contains(&minute) { "news" } else { &*before.at(minute).activity };
                prop_assert_eq!(&*schedule.at(minute).activity, expected);
            }
        }
    }
}
