//! When to reflect: after enough has happened.
//!
//! Importance adds up until it reaches a threshold (Park et al. 2023, section 4.2). The trigger is
//! shown whole memories, not numbers, and what the resident itself thought, reflections and plans,
//! never counts. So storing the insights of a reflection cannot start the next one.

use serde::{Deserialize, Serialize};

use crate::memory::{Memory, MemoryKind};

/// Counts what happened since the last reflection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReflectionTrigger {
    threshold: u32,
    gathered: u32,
    observed: u32,
}

impl ReflectionTrigger {
    /// The threshold of Park et al. 2023. The 2023 code's town of 25 ships 250.
    pub const PAPER_THRESHOLD: u32 = 150;

    /// A trigger that is due once the importance of what happened sums to `threshold`.
    pub const fn new(threshold: u32) -> Self {
        Self {
            threshold,
            gathered: 0,
            observed: 0,
        }
    }

    /// Counts `memory` if it happened *to* the resident: an observation or a conversation.
    pub fn observe(&mut self, memory: &Memory) {
        match memory.kind {
            MemoryKind::Observation | MemoryKind::Conversation => {
                self.gathered = self.gathered.saturating_add(u32::from(memory.importance));
                self.observed = self.observed.saturating_add(1);
            }
            MemoryKind::Reflection | MemoryKind::Plan => {}
        }
    }

    /// Whether it is time to reflect. Never before something was observed, whatever the threshold.
    pub const fn due(&self) -> bool {
        self.observed > 0 && self.gathered >= self.threshold
    }

    /// Starts counting anew; call it when a reflection is done.
    pub const fn reset(&mut self) {
        self.gathered = 0;
        self.observed = 0;
    }

    /// The sum of importance at which a reflection is due.
    pub const fn threshold(&self) -> u32 {
        self.threshold
    }

    /// How much importance is still missing.
    pub const fn remaining(&self) -> u32 {
        self.threshold.saturating_sub(self.gathered)
    }

    /// How many memories were counted since the last reflection: what a reflection looks back on.
    pub const fn observed(&self) -> u32 {
        self.observed
    }
}
