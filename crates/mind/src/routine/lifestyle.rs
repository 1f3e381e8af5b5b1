//! When a resident sleeps, rises and eats, from its own words.
//!
//! Reads texts such as "goes to bed around 11pm, awakes up around 7am, eats dinner around 5pm" or
//! "works 22:00–06:00, sleeps 08:00–15:00". Nothing here assumes that people sleep at night.

use townsfolk_time::{DAY_MINUTES, Minute};

use super::text::Words;
use super::when::{ClockTime, clock_times_in};
use super::words::lexicon;
use crate::Identity;

/// Getting up where nothing is said.
const USUAL_WAKE: Minute = 7 * 60;
/// Sleep where only one end of it is said.
const USUAL_SLEEP_MINUTES: Minute = 8 * 60;
/// Sleep shorter or longer than this is a misunderstanding.
const POSSIBLE_SLEEP_MINUTES: std::ops::RangeInclusive<Minute> = 3 * 60..=14 * 60;

/// A resident's usual hours, in minutes after midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lifestyle {
    /// Getting up.
    pub(crate) wake: Minute,
    /// Going to bed.
    pub(crate) bed: Minute,
    /// Breakfast, if it is said.
    pub(crate) breakfast: Option<Minute>,
    /// Lunch, if it is said.
    pub(crate) lunch: Option<Minute>,
    /// Dinner, if it is said.
    pub(crate) dinner: Option<Minute>,
}

/// What a time in a way of life is about.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Bed,
    Wake,
    Breakfast,
    Lunch,
    Dinner,
    Work,
}

impl Lifestyle {
    /// The hours that `who`'s way of life states; where that says nothing of sleep, its daily
    /// requirement and background are read too.
    pub(crate) fn of(who: &Identity) -> Self {
        let mut said = Said::default();
        for text in [&who.lifestyle, &who.daily_requirement, &who.background] {
            said.read(text);
            if said.wake.is_some() && said.bed.is_some() {
                break;
            }
        }
        let (wake, bed) = match (said.wake, said.bed) {
            (Some(wake), Some(bed)) if POSSIBLE_SLEEP_MINUTES.contains(&between(bed, wake)) => (wake, bed),
            (Some(wake), _) => (wake, before(wake, USUAL_SLEEP_MINUTES)),
            (None, Some(bed)) => (after(bed, USUAL_SLEEP_MINUTES), bed),
            // Who works through the night sleeps after it.
            (None, None) => match said.night_work_end {
                Some(end) => (after(end, 120 + USUAL_SLEEP_MINUTES), after(end, 120)),
                None => (USUAL_WAKE, before(USUAL_WAKE, USUAL_SLEEP_MINUTES)),
            },
        };
        Self {
            wake,
            bed,
            breakfast: said.breakfast,
            lunch: said.lunch,
            dinner: said.dinner,
        }
    }

    /// The hour of getting up that `who`'s texts state, if they do.
    pub(crate) fn stated_wake(who: &Identity) -> Option<Minute> {
        let mut said = Said::default();
        for text in [&who.lifestyle, &who.daily_requirement, &who.background] {
            said.read(text);
        }
        said.wake
    }

    /// How long the resident is awake when it gets up at `wake`, in minutes; at least three hours,
    /// and three hours of sleep are left.
    pub(crate) fn awake_minutes(&self, wake: Minute) -> Minute {
        let possible = 180..=DAY_MINUTES - 180;
        let minutes = between(wake % DAY_MINUTES, self.bed);
        // A rising time about bedtime leaves the usual length of day.
        if possible.contains(&minutes) {
            minutes
        } else {
            between(self.wake, self.bed).clamp(180, DAY_MINUTES - 180)
        }
    }
}

#[derive(Default)]
struct Said {
    wake: Option<Minute>,
    bed: Option<Minute>,
    breakfast: Option<Minute>,
    lunch: Option<Minute>,
    dinner: Option<Minute>,
    night_work_end: Option<Minute>,
}

impl Said {
    fn read(&mut self, text: &str) {
        let words = Words::new(text);
        let times = clock_times_in(&words);
        let mut previous: Option<(About, Minute)> = None;
        for (i, time) in times.iter().enumerate() {
            let from = i.checked_sub(1).map_or(0, |p| times[p].words.end);
            let about = (from..time.words.start).rev().find_map(|w| about(words.at(w)));
            match (about, previous) {
                (Some(about), _) => {
                    let minute = read_as(about, time);
                    self.keep(about, minute);
                    previous = Some((about, minute));
                }
                // "sleeps 08:00–15:00": a range's end.
                (None, Some((About::Bed, _))) if time.words.start - from <= 1 => {
                    self.keep(About::Wake, time.minute);
                    previous = None;
                }
                (None, Some((About::Work, start))) if time.words.start - from <= 1 => {
                    if time.minute < start && self.night_work_end.is_none() {
                        self.night_work_end = Some(time.minute);
                    }
                    previous = None;
                }
                _ => previous = None,
            }
        }
    }

    fn keep(&mut self, about: About, minute: Minute) {
        let slot = match about {
            About::Bed => &mut self.bed,
            About::Wake => &mut self.wake,
            About::Breakfast => &mut self.breakfast,
            About::Lunch => &mut self.lunch,
            About::Dinner => &mut self.dinner,
            About::Work => return,
        };
        slot.get_or_insert(minute);
    }
}

fn about(word: &str) -> Option<About> {
    let days = &lexicon().days;
    let is = |words: &[String]| words.iter().any(|w| w == word);
    if is(&days.bed) {
        Some(About::Bed)
    } else if is(&days.wake) {
        Some(About::Wake)
    } else if is(&days.breakfast) {
        Some(About::Breakfast)
    } else if is(&days.lunch) {
        Some(About::Lunch)
    } else if is(&days.dinner) {
        Some(About::Dinner)
    } else if is(&days.work) {
        Some(About::Work)
    } else {
        None
    }
}

/// A time whose half of the day isn't certain, read for what it is about: bed at 11 is at night.
fn read_as(about: About, time: &ClockTime) -> Minute {
    let late = match about {
        About::Bed => (360..780).contains(&time.minute),
        About::Dinner => (180..720).contains(&time.minute),
        About::Lunch => (60..240).contains(&time.minute),
        About::Wake | About::Breakfast | About::Work => false,
    };
    if late && !time.certain {
        (time.minute + 720) % DAY_MINUTES
    } else {
        time.minute
    }
}

/// Minutes from one time of day to the next occurrence of another, 0 to 1,439.
pub(crate) fn between(from: Minute, to: Minute) -> Minute {
    (to + DAY_MINUTES - from) % DAY_MINUTES
}

/// The time of day `minutes` later.
pub(crate) fn after(from: Minute, minutes: Minute) -> Minute {
    ((u32::from(from) + u32::from(minutes)) % u32::from(DAY_MINUTES)) as Minute
}

/// The time of day `minutes` (at most a day) earlier.
fn before(from: Minute, minutes: Minute) -> Minute {
    (from + DAY_MINUTES - minutes) % DAY_MINUTES
}

#[cfg(test)]
mod tests {
    use townsfolk_time::clock;

    use super::super::fixtures::somebody;
    use super::*;

    fn hours(lifestyle: &str) -> String {
        let who = Identity {
            lifestyle: lifestyle.to_owned(),
            ..somebody("Wren Okafor")
        };
        let l = Lifestyle::of(&who);
        let meal = |m: Option<Minute>| m.map_or_else(|| "-".to_owned(), clock);
        format!(
            "up {} bed {} dinner {}",
            clock(l.wake),
            clock(l.bed),
            meal(l.dinner)
        )
    }

    #[test]
    fn sleep_and_dinner_are_read_from_a_way_of_life() {
        let cases = [
            (
                "Wren goes to bed around 11pm, awakes up around 7amam, eats dinner around 17:30pm.",
                "up 07:00 bed 23:00 dinner 17:30",
            ),
            (
                "goes to bed around midnight, awakes up around 8am",
                "up 08:00 bed 00:00 dinner -",
            ),
            (
                "goes to bed around 2am, awakes up around 10am, eats dinner at 6",
                "up 10:00 bed 02:00 dinner 18:00",
            ),
            (
                "goes to bed at 11 and gets up at half past six",
                "up 06:30 bed 23:00 dinner -",
            ),
            (
                "works 22:00–06:00, sleeps 08:00–15:00",
                "up 15:00 bed 08:00 dinner -",
            ),
            (
                "works as a night baker from 22:00 to 06:00",
                "up 16:00 bed 08:00 dinner -",
            ),
            ("gets up at 5am", "up 05:00 bed 21:00 dinner -"),
            ("sleeps from 9am to 9:30am", "up 09:30 bed 01:30 dinner -"),
            ("朝型です", "up 07:00 bed 23:00 dinner -"),
            ("", "up 07:00 bed 23:00 dinner -"),
        ];
        for (text, expected) in cases {
            assert_eq!(hours(text), expected, "{text}");
        }
    }
}
