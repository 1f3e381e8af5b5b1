//! What time it is, said from outside.
//!
//! Recency is a matter of game time alone. An agent asks its clock once per call.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use townsfolk_time::GameTime;

/// What time it is.
pub trait Clock: Send + Sync {
    /// The present. It may stand still; it should not go back, though nothing breaks if it does: what
    /// is remembered from the future counts as just now.
    fn now(&self) -> GameTime;
}

/// Any function that tells the time is a clock.
impl<F: Fn() -> GameTime + Send + Sync> Clock for F {
    fn now(&self) -> GameTime {
        self()
    }
}

/// A clock that moves when it is told to. Clones show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at `start`.
    pub fn new(start: GameTime) -> Self {
        Self(Arc::new(AtomicI64::new(start.seconds())))
    }

    /// Sets it to another time.
    pub fn set(&self, now: GameTime) {
        self.0.store(now.seconds(), Ordering::Relaxed);
    }

    /// Moves it on.
    pub fn advance_seconds(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::Relaxed);
    }

    /// Moves it on.
    pub fn advance_minutes(&self, minutes: i64) {
        self.advance_seconds(minutes.saturating_mul(60));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> GameTime {
        GameTime::from_seconds(self.0.load(Ordering::Relaxed))
    }
}

/// A clock of rounds, such as the turns of a game. Clones show the same round.
#[derive(Clone, Debug)]
pub struct Rounds {
    clock: ManualClock,
    seconds_per_round: i64,
}

impl Rounds {
    /// Round 0 is at `start`, and each takes `seconds_per_round` of game time.
    pub fn new(start: GameTime, seconds_per_round: i64) -> Self {
        Self {
            clock: ManualClock::new(start),
            seconds_per_round,
        }
    }

    /// Begins the next round.
    pub fn next(&self) {
        self.clock.advance_seconds(self.seconds_per_round);
    }
}

impl Clock for Rounds {
    fn now(&self) -> GameTime {
        self.clock.now()
    }
}

/// The machine's clock, in UTC. With it, and only with it, memories age while nobody plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> GameTime {
        // A machine that believes to live before 1970 is taken to live then.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        GameTime::from_seconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}
