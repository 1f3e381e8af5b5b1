//! What ranking reads of every memory, one array per field, so that a pass over 100,000 memories
//! touches a few megabytes and no text.

use townsfolk_time::GameTime;

use crate::memory::Memory;
use crate::query::{Filter, Kinds};

/// Later than anything: the expiry of what never expires.
const NEVER: GameTime = GameTime::from_seconds(i64::MAX);

#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) created: Vec<GameTime>,
    pub(crate) last_accessed: Vec<GameTime>,
    pub(crate) importance: Vec<u8>,
    kinds: Vec<Kinds>,
    idle: Vec<bool>,
    expires: Vec<GameTime>,
    /// The earliest creation: nothing is older.
    earliest: Option<GameTime>,
}

impl Columns {
    pub(crate) fn push(&mut self, memory: &Memory, idle: bool) {
        self.created.push(memory.created);
        self.last_accessed.push(memory.last_accessed);
        self.importance.push(memory.importance);
        self.kinds.push(Kinds::NONE.with(memory.kind));
        self.idle.push(idle);
        self.expires.push(memory.expires.unwrap_or(NEVER));
        let earliest = self
            .earliest
            .map_or(memory.created, |earliest| earliest.min(memory.created));
        self.earliest = Some(earliest);
    }

    pub(crate) fn len(&self) -> usize {
        self.created.len()
    }

    /// The age in seconds of the oldest memory at `now`; 0 if there is none.
    pub(crate) fn oldest_seconds(&self, now: GameTime) -> i64 {
        self.earliest
            .map_or(0, |earliest| age_seconds(now, earliest))
    }

    pub(crate) fn is_observation(&self, index: usize) -> bool {
        self.kinds[index] == Kinds::NONE.with(crate::MemoryKind::Observation)
    }

    /// How many memories from the first the filter's `up_to` leaves.
    pub(crate) fn end(&self, filter: &Filter) -> usize {
        filter
            .up_to
            .map_or(self.len(), |last| self.len().min(last.index() + 1))
    }

    /// Whether the filter lets the memory at `index` through, apart from `up_to`.
    #[inline]
    pub(crate) fn admits(&self, filter: &Filter, now: GameTime, index: usize) -> bool {
        filter.kinds.meets(self.kinds[index])
            && !(filter.skip_idle && self.idle[index])
            && !(filter.skip_expired && self.expires[index] <= now)
            && filter
                .created_by
                .is_none_or(|moment| self.created[index] <= moment)
    }
}

/// Seconds from `then` to `now`, without overflow.
#[inline]
pub(crate) fn age_seconds(now: GameTime, then: GameTime) -> i64 {
    now.seconds().saturating_sub(then.seconds())
}
