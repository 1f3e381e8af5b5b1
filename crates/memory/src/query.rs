//! What is asked of the stream ([`Query`], [`Filter`]) and what comes back ([`Retrieved`]).

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use crate::embedding::Embedding;
use crate::memory::{MemoryId, MemoryKind};
use crate::retrieval::Retrieval;

/// A question to the stream: what matters now?
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// The meaning asked about. One of another dimension than the stream's, or without a direction,
    /// says nothing: then every memory is equally relevant.
    pub embedding: &'a Embedding,
    /// The game time of asking.
    pub now: GameTime,
    /// How many memories to return at most.
    pub count: usize,
    /// How to weigh them.
    pub retrieval: &'a Retrieval,
    /// Which memories take part at all.
    pub filter: Filter,
}

impl<'a> Query<'a> {
    /// A query over everything that is not expired.
    pub fn new(embedding: &'a Embedding, now: GameTime, count: usize, retrieval: &'a Retrieval) -> Self {
        Self {
            embedding,
            now,
            count,
            retrieval,
            filter: Filter::default(),
        }
    }

    /// The same query over what `filter` lets through.
    pub fn with_filter(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }
}

/// Which memories may be retrieved. What is filtered out takes no part in scaling either.
///
/// An ablation in the sense of Park et al. 2023 is a filter: the same stream, fewer kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The kinds that take part.
    pub kinds: Kinds,
    /// Leave out what is expired at the query's `now`.
    pub skip_expired: bool,
    /// Leave out what the stream marks as idle
    /// ([`StreamSettings::idle_words`](crate::StreamSettings)).
    pub skip_idle: bool,
    /// Leave out memories added after this one.
    pub up_to: Option<MemoryId>,
    /// Leave out memories created after this moment.
    pub created_by: Option<GameTime>,
}

impl Default for Filter {
    /// Everything that is not expired.
    fn default() -> Self {
        Self {
            kinds: Kinds::ALL,
            skip_expired: true,
            skip_idle: false,
            up_to: None,
            created_by: None,
        }
    }
}

impl Filter {
    /// What the 2023 code lets through: no conversations, nothing idle, and expired memories too.
    pub fn reference() -> Self {
        Self {
            kinds: Kinds::ALL.without(MemoryKind::Conversation),
            skip_expired: false,
            skip_idle: true,
            ..Self::default()
        }
    }
}

/// A set of [`MemoryKind`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<MemoryKind>", into = "Vec<MemoryKind>")]
pub struct Kinds(u8);

impl Kinds {
    /// Every kind.
    pub const ALL: Self = Self(0b1111);
    /// No kind.
    pub const NONE: Self = Self(0);

    /// This set and `kind`.
    pub const fn with(self, kind: MemoryKind) -> Self {
        Self(self.0 | Self::bit(kind))
    }

    /// This set without `kind`.
    pub const fn without(self, kind: MemoryKind) -> Self {
        Self(self.0 & !Self::bit(kind))
    }

    /// Whether `kind` belongs to the set.
    pub const fn contains(self, kind: MemoryKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// The set as four bits.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    const fn bit(kind: MemoryKind) -> u8 {
        1 << kind as u8
    }
}

impl From<Vec<MemoryKind>> for Kinds {
    fn from(kinds: Vec<MemoryKind>) -> Self {
        kinds.into_iter().collect()
    }
}

impl From<Kinds> for Vec<MemoryKind> {
    fn from(kinds: Kinds) -> Self {
        MemoryKind::ALL
            .into_iter()
            .filter(|kind| kinds.contains(*kind))
            .collect()
    }
}

impl FromIterator<MemoryKind> for Kinds {
    fn from_iter<I: IntoIterator<Item = MemoryKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::NONE, Self::with)
    }
}

/// A memory that came to mind, and why. The three parts are as they entered the sum, scaled and
/// weighted: `score == recency + relevance + importance`, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retrieved {
    /// The memory.
    pub id: MemoryId,
    /// What it was ranked by.
    pub score: f64,
    /// The share of recency.
    pub recency: f64,
    /// The share of relevance.
    pub relevance: f64,
    /// The share of importance.
    pub importance: f64,
}
