//! Looking memories up without ranking: by keyword, by whom they are about, by kind.

use std::collections::BTreeMap;

use crate::memory::{Memory, MemoryId, MemoryKind};

/// Lists of ids, each in the order in which the memories were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    keywords: Postings,
    names: Postings,
    kinds: BTreeMap<MemoryKind, Vec<MemoryId>>,
}

impl Index {
    pub(crate) fn add(&mut self, memory: &Memory) {
        for keyword in &memory.keywords {
            self.keywords.add(keyword, memory.id);
        }
        self.names.add(&memory.triple.subject, memory.id);
        self.names.add(&memory.triple.object, memory.id);
        self.kinds.entry(memory.kind).or_default().push(memory.id);
    }

    pub(crate) fn with_keyword(&self, keyword: &str) -> &[MemoryId] {
        self.keywords.get(keyword)
    }

    pub(crate) fn about(&self, name: &str) -> &[MemoryId] {
        self.names.get(name)
    }

    pub(crate) fn of_kind(&self, kind: MemoryKind) -> &[MemoryId] {
        self.kinds.get(&kind).map_or(&[], Vec::as_slice)
    }
}

/// Words in lower case, each with the memories it belongs to.
#[derive(Clone, Debug, Default)]
struct Postings(BTreeMap<String, Vec<MemoryId>>);

impl Postings {
    fn add(&mut self, word: &str, id: MemoryId) {
        let ids = self.0.entry(word.to_lowercase()).or_default();
        // A memory that says the same word twice is listed once.
        if ids.last() != Some(&id) {
            ids.push(id);
        }
    }

    fn get(&self, word: &str) -> &[MemoryId] {
        self.0.get(&word.to_lowercase()).map_or(&[], Vec::as_slice)
    }
}
