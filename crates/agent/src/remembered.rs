//! What goes into an agent's memory, and how it comes back.

use std::sync::Arc;

use serde::Serialize;
use townsfolk_memory::{MemoryId, MemoryKind, MemoryStream, Retrieved};
use townsfolk_time::GameTime;

/// Something an agent observes. A plain text will do: `"Tommie hears the road".into()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// In words, in the third person.
    pub text: String,
    /// Whom or what it is about; the agent itself where empty.
    pub about: String,
    /// 1 (mundane) to 10 (poignant); rated by the agent's mind where none is given.
    pub importance: Option<u8>,
    /// Words it can be looked up by, such as names of those it is about.
    pub keywords: Vec<String>,
}

impl<T: Into<String>> From<T> for Observation {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            about: String::new(),
            importance: None,
            keywords: Vec::new(),
        }
    }
}

/// A memory that came to mind, and why. `score` is the sum of the three parts; higher is nearer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remembered {
    /// Which memory.
    pub id: MemoryId,
    /// What sort of record it is.
    pub kind: MemoryKind,
    /// Its text.
    pub text: Arc<str>,
    /// When it was made.
    pub created: GameTime,
    /// 1 to 10, as rated.
    pub importance: u8,
    /// The memories it rests on.
    pub evidence: Vec<MemoryId>,
    /// What it was ranked by.
    pub score: f64,
    /// The share of recency in the score.
    pub recency_part: f64,
    /// The share of relevance: likeness of meaning, never distance.
    pub relevance_part: f64,
    /// The share of importance.
    pub importance_part: f64,
}

impl Remembered {
    pub(crate) fn all(stream: &MemoryStream, found: &[Retrieved]) -> Vec<Self> {
        let one = |found: &Retrieved| {
            let memory = stream.get(found.id)?;
            Some(Self {
                id: memory.id,
                kind: memory.kind,
                text: memory.text.clone(),
                created: memory.created,
                importance: memory.importance,
                evidence: memory.evidence.clone(),
                score: found.score,
                recency_part: found.recency,
                relevance_part: found.relevance,
                importance_part: found.importance,
            })
        };
        found.iter().filter_map(one).collect()
    }
}

/// An answer to a question, and the memories it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The words.
    pub text: String,
    /// What the answer uses, in its order.
    pub used: Vec<Remembered>,
    /// Everything that came to mind for the question, best first.
    pub recalled: Vec<Remembered>,
}
