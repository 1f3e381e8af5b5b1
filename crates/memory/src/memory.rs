//! What one record of the stream holds: [`NewMemory`] goes in, [`Memory`] stays.
//!
//! Both are plain data. Validation happens in one place, [`MemoryStream::add`](crate::MemoryStream::add).

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

/// The place of a memory in its resident's stream: 0 for the first, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryId(u32);

impl MemoryId {
    /// The id of the memory at position `index`.
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }

    /// The position in the stream, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What sort of record a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryKind {
    /// Something the resident perceived (the 2023 code's *event*).
    Observation,
    /// A conclusion drawn from other memories (a *thought* there).
    Reflection,
    /// What the resident means to do (also a *thought* there).
    Plan,
    /// A talk the resident took part in (a *chat* there).
    Conversation,
}

impl MemoryKind {
    /// Every kind, in a fixed order.
    pub const ALL: [Self; 4] = [
        Self::Observation,
        Self::Reflection,
        Self::Plan,
        Self::Conversation,
    ];

    /// The name used in files: `observation`, `reflection`, `plan`, `conversation`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::Reflection => "reflection",
            Self::Plan => "plan",
            Self::Conversation => "conversation",
        }
    }
}

/// Who does what to whom: the shortest form of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Triple {
    /// Who or what it is about.
    pub subject: Arc<str>,
    /// What the subject does or is.
    pub predicate: Arc<str>,
    /// To whom, with what, or how.
    pub object: Arc<str>,
}

impl Triple {
    /// The triple of three texts.
    pub fn new(
        subject: impl Into<Arc<str>>,
        predicate: impl Into<Arc<str>>,
        object: impl Into<Arc<str>>,
    ) -> Self {
        Self {
            subject: subject.into(),
            predicate: predicate.into(),
            object: object.into(),
        }
    }
}

/// Where a memory came from when somebody told it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hearsay {
    /// Who told it.
    pub teller: Arc<str>,
    /// The memory *in the teller's stream* that was told.
    pub memory: MemoryId,
}

/// A memory about to be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMemory {
    /// What sort of record it is.
    pub kind: MemoryKind,
    /// When it happened or was thought, in game time.
    pub created: GameTime,
    /// From this moment on it is expired; `None` for never.
    pub expires: Option<GameTime>,
    /// Its shortest form.
    pub triple: Triple,
    /// Its full text, which is what was embedded.
    pub text: Arc<str>,
    /// How poignant it is, 1 (mundane) to 10.
    pub importance: u8,
    /// Words it can be looked up by, in any script.
    pub keywords: Vec<Arc<str>>,
    /// The memories of the same stream it rests on.
    pub evidence: Vec<MemoryId>,
    /// Who told it, if it was told.
    pub hearsay: Option<Hearsay>,
}

impl NewMemory {
    /// The importances there are, mundane to poignant (Park et al. 2023).
    pub const IMPORTANCE: RangeInclusive<u8> = 1..=10;

    /// An observation without keywords, evidence, hearsay or an expiry; set the fields for more.
    pub fn observation(created: GameTime, triple: Triple, text: impl Into<Arc<str>>, importance: u8) -> Self {
        Self {
            kind: MemoryKind::Observation,
            created,
            expires: None,
            triple,
            text: text.into(),
            importance,
            keywords: Vec::new(),
            evidence: Vec::new(),
            hearsay: None,
        }
    }
}

/// A memory in the stream: what was added, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Its place in the stream.
    pub id: MemoryId,
    /// What sort of record it is.
    pub kind: MemoryKind,
    /// When it happened or was thought, in game time.
    pub created: GameTime,
    /// From this moment on it is expired; `None` for never.
    pub expires: Option<GameTime>,
    /// Its shortest form.
    pub triple: Triple,
    /// Its full text.
    pub text: Arc<str>,
    /// How poignant it is, 1 (mundane) to 10.
    pub importance: u8,
    /// Words it can be looked up by.
    pub keywords: Vec<Arc<str>>,
    /// The memories of the same stream it rests on, each older than itself.
    pub evidence: Vec<MemoryId>,
    /// Who told it, if it was told.
    pub hearsay: Option<Hearsay>,
    /// How many conclusions deep it lies: 1 above its deepest evidence for a reflection (1 if it
    /// has none), 0 for everything else.
    pub depth: u16,
    /// When retrieval last returned it; `created` until then.
    pub last_accessed: GameTime,
    /// How often retrieval returned it.
    pub access_count: u32,
}

impl Memory {
    /// Whether it is expired at `now`.
    pub fn is_expired(&self, now: GameTime) -> bool {
        self.expires.is_some_and(|end| end <= now)
    }

    /// The part of a memory that changes after it was added.
    pub fn access(&self) -> Access {
        Access {
            last_accessed: self.last_accessed,
            access_count: self.access_count,
        }
    }
}

/// When and how often a memory was retrieved: all that a checkpoint must add to the stored memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// When retrieval last returned the memory; its creation if never.
    pub last_accessed: GameTime,
    /// How often retrieval returned it.
    pub access_count: u32,
}
