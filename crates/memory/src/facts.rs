//! What ranking reads of every memory: 32 bytes each, one behind the other, so that a pass over
//! 100,000 memories touches three megabytes and no text.

use townsfolk_time::GameTime;

use crate::memory::{Memory, MemoryKind};
use crate::query::{Filter, Kinds};

/// Later than anything: the expiry of what never expires.
const NEVER: GameTime = GameTime::from_seconds(i64::MAX);
/// The mark of an idle memory, beside the four of kinds.
const IDLE: u8 = 0b1_0000;

/// The facts of one memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) created: GameTime,
    pub(crate) last_accessed: GameTime,
    expires: GameTime,
    pub(crate) importance: u8,
    /// The kind as a set, and whether idle.
    marks: u8,
}

impl Facts {
    pub(crate) fn of(memory: &Memory, is_idle: bool) -> Self {
        Self {
            created: memory.created,
            last_accessed: memory.last_accessed,
            expires: memory.expires.unwrap_or(NEVER),
            importance: memory.importance,
            marks: Kinds::NONE.with(memory.kind).bits() | if is_idle { IDLE } else { 0 },
        }
    }

    pub(crate) fn is_observation(&self) -> bool {
        self.marks & Kinds::NONE.with(MemoryKind::Observation).bits() != 0
    }
}

/// A [`Filter`] at a moment, worked out for a quick pass.
pub(crate) struct Admission {
    refused_marks: u8,
    expires_from: GameTime,
    created_by: GameTime,
}

impl Admission {
    /// `filter` at `now`, all but its `up_to`.
    pub(crate) fn new(filter: &Filter, now: GameTime) -> Self {
        let idle = if filter.skip_idle { IDLE } else { 0 };
        let soonest = if filter.skip_expired {
            now.seconds().saturating_add(1)
        } else {
            i64::MIN
        };
        Self {
            refused_marks: (Kinds::ALL.bits() & !filter.kinds.bits()) | idle,
            expires_from: GameTime::from_seconds(soonest),
            created_by: filter.created_by.unwrap_or(NEVER),
        }
    }

    #[inline]
    pub(crate) fn admits(&self, facts: &Facts) -> bool {
        facts.marks & self.refused_marks == 0
            && facts.expires >= self.expires_from
            && facts.created <= self.created_by
    }
}

/// Seconds from `then` to `now`, without overflow.
#[inline]
pub(crate) fn age_seconds(now: GameTime, then: GameTime) -> i64 {
    now.seconds().saturating_sub(then.seconds())
}
