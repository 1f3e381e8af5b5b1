//! What was passed on: who knew it first, who told whom, and who knows it now.
//!
//! Each told memory names its teller and the teller's own memory, so the way back to whoever knew it
//! first is never guessed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_store::{At, MemoryRow};
use utoipa::ToSchema;

use super::Memories;

/// One piece of news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Piece {
    /// In the words it is told in.
    pub text: String,
    /// How many residents know it.
    pub known_by: usize,
    /// 1 to 10: how poignant it is to those who knew it first, at most.
    pub importance: u8,
    /// Those who did not hear it from anybody.
    pub holders: Vec<Knower>,
}

/// Somebody who knows it, and to whom they passed it on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Knower {
    /// Who.
    pub resident: u32,
    /// The tick they learned it.
    pub since: u32,
    /// Where they learned it.
    pub place: Option<u32>,
    /// In which talk.
    pub talk: Option<u32>,
    /// Their memory of it.
    pub memory: u32,
    /// Whom they told.
    #[schema(no_recursion)]
    pub told: Vec<Knower>,
}

type Key = (u32, u32);

/// Everything that was passed on; first what many know and what matters to them.
pub fn all(memories: &Memories) -> Vec<Piece> {
    let told = tellings(memories);
    let roots = memories
        .all()
        .filter(|memory| told.contains_key(&key(memory)) && is_first(memory, memories));
    sorted(group(roots, memories, &told))
}

/// Everything with all words of `text` in it, in any case and order, that was passed on, or that somebody knew from
/// the start.
pub fn about(text: &str, memories: &Memories) -> Vec<Piece> {
    let fits = holding(text);
    let told = tellings(memories);
    let news = |memory: &&At<MemoryRow>| memory.tick == 0 || told.contains_key(&key(memory));
    let roots = memories
        .all()
        .filter(fits)
        .filter(news)
        .filter(|memory| is_first(memory, memories));
    sorted(group(roots, memories, &told))
}

/// How many memories have all words of `text` in them, whatever became of them.
pub fn mentions(text: &str, memories: &Memories) -> usize {
    memories.all().filter(holding(text)).count()
}

/// Whether a memory has all words of `text` in it, in any case and order.
fn holding(text: &str) -> impl Fn(&&At<MemoryRow>) -> bool {
    let text = text.to_lowercase();
    move |memory| {
        let lower = memory.row.text.to_lowercase();
        text.split_whitespace().all(|word| lower.contains(word))
    }
}

/// The residents who know what memory `id` of `resident` says, through being told or on their own.
pub fn who_heard(resident: u32, id: u32, memories: &Memories) -> BTreeSet<u32> {
    let told = tellings(memories);
    let mut known = BTreeSet::new();
    let mut next = vec![(resident, id)];
    while let Some(key) = next.pop() {
        known.insert(key.0);
        next.extend(told.get(&key).into_iter().flatten());
    }
    known
}

fn key(memory: &At<MemoryRow>) -> Key {
    (memory.row.resident, memory.row.id)
}

/// For each memory that was passed on, the memories it became.
fn tellings(memories: &Memories) -> BTreeMap<Key, Vec<Key>> {
    let mut told: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
    for memory in memories.all() {
        if let Some(hearsay) = memory.row.hearsay {
            told.entry((hearsay.teller, hearsay.memory))
                .or_default()
                .push(key(memory));
        }
    }
    told
}

fn is_first(memory: &At<MemoryRow>, memories: &Memories) -> bool {
    memory
        .row
        .hearsay
        .is_none_or(|hearsay| memories.get(hearsay.teller, hearsay.memory).is_none())
}

fn group<'a>(
    roots: impl Iterator<Item = &'a At<MemoryRow>>,
    memories: &Memories,
    told: &BTreeMap<Key, Vec<Key>>,
) -> Vec<Piece> {
    let mut by_text: BTreeMap<&str, (u8, Vec<Knower>)> = BTreeMap::new();
    for root in roots {
        let (importance, holders) = by_text.entry(&root.row.text).or_default();
        *importance = root.row.importance.max(*importance);
        holders.push(knower(root, memories, told));
    }
    let pieces = by_text.into_iter().map(|(text, (importance, holders))| {
        let mut known = BTreeSet::new();
        holders.iter().for_each(|knower| knower.collect(&mut known));
        Piece {
            text: text.to_owned(),
            known_by: known.len(),
            importance,
            holders,
        }
    });
    pieces.collect()
}

fn sorted(mut pieces: Vec<Piece>) -> Vec<Piece> {
    // Stable, so that equal ones stay in order of their text.
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.known_by * usize::from(piece.importance)));
    pieces
}

fn knower(memory: &At<MemoryRow>, memories: &Memories, told: &BTreeMap<Key, Vec<Key>>) -> Knower {
    let mut heard: Vec<&At<MemoryRow>> = told
        .get(&key(memory))
        .into_iter()
        .flatten()
        .filter_map(|(who, id)| memories.get(*who, *id))
        .collect();
    heard.sort_by_key(|memory| (memory.tick, memory.row.resident));
    Knower {
        resident: memory.row.resident,
        since: memory.tick,
        place: memory.row.place,
        talk: memory.row.conversation,
        memory: memory.row.id,
        told: heard
            .into_iter()
            .map(|memory| knower(memory, memories, told))
            .collect(),
    }
}

impl Knower {
    fn collect(&self, known: &mut BTreeSet<u32>) {
        known.insert(self.resident);
        self.told.iter().for_each(|knower| knower.collect(known));
    }
}
