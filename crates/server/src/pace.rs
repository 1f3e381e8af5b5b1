//! How fast a town goes by the clock on the wall.

use std::time::{Duration, Instant};

use townsfolk_engine::Engine;
use townsfolk_time::GameTime;

/// The longest wait for what comes after a quiet stretch: nights pass quickly.
const LONGEST_QUIET: Duration = Duration::from_secs(2);

/// How far a town may be behind and still make up for it; more than that was a model that took its time.
const MADE_UP_FOR: Duration = Duration::from_secs(2);

/// A speed, and since when and where it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Game seconds per real second, more than 0.
    pub(crate) speed: f64,
    since: Instant,
    at: GameTime,
}

impl Pace {
    /// This speed from where the town stands and from now on.
    pub(crate) fn from_now_on(speed: f64, engine: &Engine) -> Self {
        Self {
            speed,
            since: Instant::now(),
            at: engine.pulse().now,
        }
    }

    /// When the next tick at which anybody thinks is to be computed; none if that cannot be told. With `patient` a quiet
    /// stretch takes its time too.
    pub(crate) fn next(&mut self, engine: &Engine, patient: bool) -> Option<Instant> {
        let tick = Duration::try_from_secs_f64(engine.setting().seconds_per_tick() as f64 / self.speed);
        let longest = tick.ok().filter(|_| !patient).map(|tick| tick.max(LONGEST_QUIET));
        self.due(engine.pulse().next, longest, Instant::now())
    }

    /// When `next` is due, seen from `now`. Where that is cut short, or would be made up for although it is too much, the
    /// pace goes on from there.
    fn due(&mut self, next: GameTime, longest: Option<Duration>, now: Instant) -> Option<Instant> {
        let takes = Duration::try_from_secs_f64((next - self.at) as f64 / self.speed);
        let due = takes.ok().and_then(|takes| self.since.checked_add(takes));
        let latest = longest.and_then(|longest| now.checked_add(longest));
        let from = match (due, latest) {
            (Some(due), _) if now.saturating_duration_since(due) > MADE_UP_FOR => now,
            (Some(due), latest) if latest.is_none_or(|latest| due <= latest) => return Some(due),
            (_, latest) => latest?,
        };
        (self.since, self.at) = (from, next);
        Some(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> GameTime {
        time.parse().expect("a time")
    }

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn pace(speed: f64, start: Instant) -> Pace {
        Pace {
            speed,
            since: start,
            at: at("2024-06-03 05:00"),
        }
    }

    const QUICK: Option<Duration> = Some(LONGEST_QUIET);

    #[test]
    fn after_a_night_that_was_cut_short_the_town_goes_on_as_fast_as_before() {
        let start = Instant::now();
        let mut pace = pace(60.0, start);
        assert_eq!(
            pace.due(at("2024-06-03 05:01"), QUICK, start),
            Some(start + seconds(1.0))
        );
        let morning = start + seconds(2.0);
        assert_eq!(pace.due(at("2024-06-03 06:00"), QUICK, start), Some(morning));
        // Whoever asks again, broken off by an order, is told the same.
        let later = start + seconds(0.5);
        assert_eq!(pace.due(at("2024-06-03 06:00"), QUICK, later), Some(morning));
        assert_eq!(
            pace.due(at("2024-06-03 06:01"), QUICK, morning),
            Some(morning + seconds(1.0))
        );
    }

    #[test]
    fn what_is_late_by_little_is_made_up_for_and_what_is_late_by_much_is_not() {
        let start = Instant::now();
        let mut pace = pace(60.0, start);
        let due = |pace: &mut Pace, time: &str, now: f64| {
            pace.due(at(time), QUICK, start + seconds(now))
                .expect("it is due")
                .duration_since(start)
        };
        assert_eq!(due(&mut pace, "2024-06-03 05:01", 2.5), seconds(1.0));
        assert_eq!(due(&mut pace, "2024-06-03 05:03", 2.5), seconds(3.0));
        assert_eq!(due(&mut pace, "2024-06-03 05:04", 60.0), seconds(60.0));
        assert_eq!(due(&mut pace, "2024-06-03 05:05", 60.0), seconds(61.0));
    }

    #[test]
    fn the_patient_wait_and_no_speed_is_too_slow_or_too_fast() {
        let start = Instant::now();
        let night = at("2024-06-03 06:00");
        assert_eq!(
            pace(1.0, start).due(night, None, start),
            Some(start + seconds(3600.0))
        );
        assert_eq!(pace(1e-300, start).due(night, None, start), None);
        assert_eq!(
            pace(1e-300, start).due(night, QUICK, start),
            Some(start + seconds(2.0))
        );
        assert_eq!(pace(f64::MAX, start).due(night, QUICK, start), Some(start));
    }
}
