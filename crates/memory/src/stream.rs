//! The stream itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embedding::{Embedder, Embedding};
use crate::error::MemoryError;
use crate::memory::{Access, Memory, MemoryId, MemoryKind, NewMemory};
use crate::query::{Query, Retrieved};

/// How vectors are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VectorFormat {
    /// One byte a number.
    #[default]
    Int8,
    /// Four bytes a number.
    Float32,
}

/// What a stream is made for; stored beside its memories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamSettings {
    /// The [`Embedder::name`] of all its vectors.
    pub embedder: String,
    /// How many numbers each vector has.
    pub dimensions: usize,
    /// How vectors are kept.
    pub format: VectorFormat,
    /// A memory whose text contains one of these is idle.
    pub idle_words: Vec<Arc<str>>,
}

impl StreamSettings {
    /// 8-bit vectors of `dimensions` numbers by `embedder`.
    pub fn new(embedder: impl Into<String>, dimensions: usize) -> Self {
        Self {
            embedder: embedder.into(),
            dimensions,
            format: VectorFormat::Int8,
            idle_words: vec!["idle".into()],
        }
    }

    /// The settings for vectors of `embedder`.
    pub fn for_embedder(embedder: &dyn Embedder) -> Self {
        Self::new(embedder.name(), embedder.dimensions())
    }

    /// Whether vectors of `embedder` may be compared with those kept under these settings.
    pub fn check_embedder(&self, embedder: &dyn Embedder) -> Result<(), MemoryError> {
        if self.embedder == embedder.name() && self.dimensions == embedder.dimensions() {
            return Ok(());
        }
        Err(MemoryError::Embedder {
            stored: self.embedder.clone(),
            stored_dimensions: self.dimensions,
            offered: embedder.name().to_owned(),
            offered_dimensions: embedder.dimensions(),
        })
    }
}

/// The memories of one resident.
#[derive(Clone, Debug)]
pub struct MemoryStream {
    settings: StreamSettings,
    memories: Vec<Memory>,
    vectors: Vec<Embedding>,
    keywords: BTreeMap<String, Vec<MemoryId>>,
}

impl MemoryStream {
    /// An empty stream.
    pub fn new(settings: StreamSettings) -> Self {
        Self {
            settings,
            memories: Vec::new(),
            vectors: Vec::new(),
            keywords: BTreeMap::new(),
        }
    }

    /// What the stream is made for.
    pub fn settings(&self) -> &StreamSettings {
        &self.settings
    }

    /// Adds a memory, whole or not at all.
    pub fn add(&mut self, new: NewMemory, embedding: &Embedding) -> Result<MemoryId, MemoryError> {
        let id = MemoryId::from_index(self.memories.len() as u32);
        for keyword in &new.keywords {
            self.keywords.entry(keyword.to_lowercase()).or_default().push(id);
        }
        self.vectors.push(embedding.clone());
        self.memories.push(Memory {
            id,
            kind: new.kind,
            created: new.created,
            expires: new.expires,
            triple: new.triple,
            text: new.text,
            importance: new.importance,
            keywords: new.keywords,
            evidence: new.evidence,
            hearsay: new.hearsay,
            depth: 0,
            last_accessed: new.created,
            access_count: 0,
        });
        Ok(id)
    }

    /// The memory `id`.
    pub fn get(&self, id: MemoryId) -> Option<&Memory> {
        self.memories.get(id.index())
    }

    /// How many memories there are.
    pub fn len(&self) -> usize {
        self.memories.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.memories.is_empty()
    }

    /// All memories, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Memory> + ExactSizeIterator {
        self.memories.iter()
    }

    /// The vector of `id` as bytes to store.
    pub fn vector(&self, id: MemoryId) -> Option<Vec<u8>> {
        let codes = self.vectors.get(id.index())?.codes();
        Some(codes.iter().map(|code| code.cast_unsigned()).collect())
    }

    /// The last `count` memories of one kind, newest first.
    pub fn latest(&self, kind: MemoryKind, count: usize) -> impl Iterator<Item = &Memory> {
        self.memories
            .iter()
            .rev()
            .filter(move |memory| memory.kind == kind)
            .take(count)
    }

    /// Memories with this keyword in any case, newest first.
    pub fn with_keyword(&self, keyword: &str) -> impl Iterator<Item = MemoryId> {
        self.keywords
            .get(&keyword.to_lowercase())
            .into_iter()
            .flatten()
            .rev()
            .copied()
    }

    /// Memories whose triple has `who` as subject or object, in any case, newest first.
    pub fn about(&self, who: &str) -> impl Iterator<Item = MemoryId> {
        let who = who.to_lowercase();
        self.memories.iter().rev().filter_map(move |memory| {
            let triple = &memory.triple;
            let named = triple.subject.to_lowercase() == who || triple.object.to_lowercase() == who;
            named.then_some(memory.id)
        })
    }

    /// What matters now, best first; what is returned is marked as accessed.
    pub fn retrieve(&mut self, query: &Query<'_>) -> Vec<Retrieved> {
        let found = self.peek(query);
        for one in &found {
            let memory = &mut self.memories[one.id.index()];
            memory.last_accessed = query.now;
            memory.access_count = memory.access_count.saturating_add(1);
        }
        found
    }

    /// What matters now, best first, without a trace.
    pub fn peek(&self, query: &Query<'_>) -> Vec<Retrieved> {
        let _ = query;
        Vec::new()
    }

    /// When and how often each memory was accessed, in id order.
    pub fn accesses(&self) -> Vec<Access> {
        self.memories.iter().map(Memory::access).collect()
    }

    /// Puts [`accesses`](Self::accesses) back.
    pub fn set_accesses(&mut self, accesses: &[Access]) -> Result<(), MemoryError> {
        if accesses.len() != self.memories.len() {
            return Err(MemoryError::Accesses {
                found: accesses.len(),
                expected: self.memories.len(),
            });
        }
        for (memory, access) in self.memories.iter_mut().zip(accesses) {
            memory.last_accessed = access.last_accessed;
            memory.access_count = access.access_count;
        }
        Ok(())
    }

    /// The stream of stored memories, in id order from 0, each with its [`vector`](Self::vector).
    pub fn rebuild<V: AsRef<[u8]>>(
        settings: StreamSettings,
        stored: impl IntoIterator<Item = (Memory, V)>,
    ) -> Result<Self, MemoryError> {
        let mut stream = Self::new(settings);
        for (memory, _bytes) in stored {
            stream.memories.push(memory);
        }
        Ok(stream)
    }
}
