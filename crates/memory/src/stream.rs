//! The stream: memories are added at its end, looked up, and retrieved. Nothing is ever removed.
//!
//! Every check comes before the first change, in [`MemoryStream::add`] and, for stored memories, in
//! [`MemoryStream::rebuild`]. After that the parts (records, facts, vectors, index) are extended
//! together by steps that cannot fail, so they cannot disagree.

use crate::embedding::Embedding;
use crate::error::MemoryError;
use crate::facts::Facts;
use crate::index::Index;
use crate::memory::{Access, Memory, MemoryId, MemoryKind, NewMemory};
use crate::query::{Query, Retrieved};
use crate::rank::rank;
use crate::scan::MAX_DIMENSIONS;
use crate::settings::StreamSettings;
use crate::vectors::{Vectors, embedding_from_bytes};

/// The memories of one resident.
#[derive(Clone, Debug)]
pub struct MemoryStream {
    settings: StreamSettings,
    memories: Vec<Memory>,
    vectors: Vectors,
    facts: Vec<Facts>,
    index: Index,
}

impl MemoryStream {
    /// An empty stream.
    pub fn new(settings: StreamSettings) -> Self {
        Self {
            vectors: Vectors::new(settings.dimensions, settings.format),
            settings,
            memories: Vec::new(),
            facts: Vec::new(),
            index: Index::default(),
        }
    }

    /// The stream of stored memories, each with its [`vector`](Self::vector): the same stream that
    /// stored them. They must come in id order from 0.
    ///
    /// # Errors
    /// What [`add`](Self::add) refuses, and memories out of order, vectors of another size than the
    /// settings say, or a depth that contradicts the evidence.
    pub fn rebuild<V: AsRef<[u8]>>(
        settings: StreamSettings,
        stored: impl IntoIterator<Item = (Memory, V)>,
    ) -> Result<Self, MemoryError> {
        let mut stream = Self::new(settings);
        for (memory, vector) in stored {
            let vector = vector.as_ref();
            let id = stream.next_id()?;
            if memory.id != id {
                return Err(MemoryError::Order {
                    expected: id,
                    found: memory.id,
                });
            }
            let expected = stream.settings.vector_bytes();
            if vector.len() != expected {
                return Err(MemoryError::VectorBytes {
                    id,
                    found: vector.len(),
                    expected,
                });
            }
            let embedding = embedding_from_bytes(stream.settings.format, vector);
            stream.check(id, memory.importance, &memory.evidence, &embedding)?;
            let depth = stream.depth(memory.kind, &memory.evidence);
            if memory.depth != depth {
                return Err(MemoryError::Depth {
                    id,
                    found: memory.depth,
                    expected: depth,
                });
            }
            stream.push(memory, &embedding);
        }
        Ok(stream)
    }

    /// Adds a memory, whole or not at all, and says which it became.
    ///
    /// # Errors
    /// An embedding of other dimensions than the settings say, an importance outside 1 to 10,
    /// evidence that is not in the stream, or no id left. Then nothing was changed.
    pub fn add(&mut self, new: NewMemory, embedding: &Embedding) -> Result<MemoryId, MemoryError> {
        let id = self.next_id()?;
        self.check(id, new.importance, &new.evidence, embedding)?;
        let memory = Memory {
            id,
            depth: self.depth(new.kind, &new.evidence),
            kind: new.kind,
            created: new.created,
            expires: new.expires,
            triple: new.triple,
            text: new.text,
            importance: new.importance,
            keywords: new.keywords,
            evidence: new.evidence,
            hearsay: new.hearsay,
            last_accessed: new.created,
            access_count: 0,
        };
        self.push(memory, embedding);
        Ok(id)
    }

    /// Adds several memories, all or none, and says which they became. Each may rest on those before it.
    ///
    /// # Errors
    /// As [`add`](Self::add), for the first that is refused. Then nothing was changed.
    pub fn add_all(&mut self, new: Vec<(NewMemory, Embedding)>) -> Result<Vec<MemoryId>, MemoryError> {
        let first = self.next_id()?.index();
        for (index, (memory, embedding)) in (first..).zip(&new) {
            let id = u32::try_from(index).map_err(|_| MemoryError::Full(index))?;
            let id = MemoryId::from_index(id);
            self.check(id, memory.importance, &memory.evidence, embedding)?;
        }
        // Every memory was checked, as the one it will be.
        new.into_iter()
            .map(|(memory, embedding)| self.add(memory, &embedding))
            .collect()
    }

    /// What the stream is made for.
    pub fn settings(&self) -> &StreamSettings {
        &self.settings
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

    /// The vector of `id` as bytes to store: 8-bit codes as they are, floats little-endian;
    /// [`StreamSettings::vector_bytes`] in all.
    pub fn vector(&self, id: MemoryId) -> Option<Vec<u8>> {
        self.vectors.bytes(id.index())
    }

    /// The last `count` memories of one kind, newest first.
    pub fn latest(&self, kind: MemoryKind, count: usize) -> impl DoubleEndedIterator<Item = &Memory> {
        let ids = self.index.of_kind(kind);
        let ids = &ids[ids.len().saturating_sub(count)..];
        ids.iter().rev().map(|id| &self.memories[id.index()])
    }

    /// The memories with this keyword, upper or lower case alike, newest first.
    pub fn with_keyword(&self, keyword: &str) -> impl DoubleEndedIterator<Item = MemoryId> {
        self.index.with_keyword(keyword).iter().rev().copied()
    }

    /// The memories with this subject or object, upper or lower case alike, newest first.
    pub fn about(&self, name: &str) -> impl DoubleEndedIterator<Item = MemoryId> {
        self.index.about(name).iter().rev().copied()
    }

    /// What matters now, best first. What is returned is marked: last accessed at the query's `now`,
    /// once more than before.
    pub fn retrieve(&mut self, query: &Query<'_>) -> Vec<Retrieved> {
        let found = self.peek(query);
        for one in &found {
            let access_count = self.memories[one.id.index()].access_count.saturating_add(1);
            self.mark(
                one.id.index(),
                Access {
                    last_accessed: query.now,
                    access_count,
                },
            );
        }
        found
    }

    /// What matters now, best first, without a trace: for interviews and viewers.
    ///
    /// Asked about an earlier moment than the present (see [`Filter`](crate::Filter)), it knows only
    /// when each memory was *last* accessed; later accesses count as just now.
    pub fn peek(&self, query: &Query<'_>) -> Vec<Retrieved> {
        rank(&self.facts, &self.vectors, query)
    }

    /// When and how often each memory was accessed, in id order: what a checkpoint adds to stored
    /// memories.
    pub fn accesses(&self) -> impl ExactSizeIterator<Item = Access> {
        self.memories.iter().map(Memory::access)
    }

    /// Puts [`accesses`](Self::accesses) back.
    ///
    /// # Errors
    /// Not exactly one for each memory; then nothing was changed.
    pub fn set_accesses(&mut self, accesses: &[Access]) -> Result<(), MemoryError> {
        if accesses.len() != self.len() {
            return Err(MemoryError::Accesses {
                found: accesses.len(),
                expected: self.len(),
            });
        }
        for (index, access) in accesses.iter().enumerate() {
            self.mark(index, *access);
        }
        Ok(())
    }

    fn next_id(&self) -> Result<MemoryId, MemoryError> {
        let index = u32::try_from(self.len()).map_err(|_| MemoryError::Full(self.len()))?;
        Ok(MemoryId::from_index(index))
    }

    fn check(
        &self,
        id: MemoryId,
        importance: u8,
        evidence: &[MemoryId],
        embedding: &Embedding,
    ) -> Result<(), MemoryError> {
        let (found, expected) = (embedding.dimensions(), self.settings.dimensions);
        if found != expected {
            let embedder = self.settings.embedder.clone();
            return Err(MemoryError::Dimensions {
                id,
                found,
                expected,
                embedder,
            });
        }
        if found > MAX_DIMENSIONS {
            let (dimensions, most) = (found, MAX_DIMENSIONS);
            return Err(MemoryError::TooManyDimensions { id, dimensions, most });
        }
        if !NewMemory::IMPORTANCE.contains(&importance) {
            return Err(MemoryError::Importance {
                id,
                found: importance,
            });
        }
        match evidence.iter().find(|evidence| evidence.index() >= id.index()) {
            Some(&evidence) => Err(MemoryError::Evidence { id, evidence }),
            None => Ok(()),
        }
    }

    /// The depth of a memory of this kind on this (checked) evidence.
    fn depth(&self, kind: MemoryKind, evidence: &[MemoryId]) -> u16 {
        if kind != MemoryKind::Reflection {
            return 0;
        }
        let deepest = evidence
            .iter()
            .map(|id| self.memories[id.index()].depth)
            .max()
            .unwrap_or(0);
        deepest.saturating_add(1)
    }

    /// Extends every part by a checked memory.
    fn push(&mut self, memory: Memory, embedding: &Embedding) {
        self.vectors.push(embedding);
        let is_idle = self.settings.is_idle(&memory.text);
        self.facts.push(Facts::of(&memory, is_idle));
        self.index.add(&memory);
        self.memories.push(memory);
    }

    /// The one place where a memory in the stream changes.
    fn mark(&mut self, index: usize, access: Access) {
        let memory = &mut self.memories[index];
        memory.last_accessed = access.last_accessed;
        memory.access_count = access.access_count;
        self.facts[index].last_accessed = access.last_accessed;
    }
}
