//! What was passed on: who knew it first, who told whom, and who knows it now.
//!
//! Each told memory names its teller and the teller's own memory, so the way back to whoever knew it
//! first is never guessed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_store::{At, MemoryRow};

use super::Memories;
use crate::page::{Look, Page, Tree};
use crate::run_at::RunAt;
use crate::words;

/// One piece of news.
#[derive(Debug, Serialize)]
pub(crate) struct News {
    /// In the words it is told in.
    pub(crate) text: String,
    /// How many residents know it.
    pub(crate) known_by: usize,
    /// 1 to 10: how poignant it is to those who knew it first, at most.
    pub(crate) importance: u8,
    /// Those who did not hear it from anybody.
    pub(crate) first_holders: Vec<Knower>,
}

/// Somebody who knows it, and to whom they passed it on.
#[derive(Debug, Serialize)]
pub(crate) struct Knower {
    pub(crate) resident: String,
    /// Game time since when.
    pub(crate) since: String,
    /// Where they learned it.
    pub(crate) place: Option<String>,
    pub(crate) conversation: Option<u32>,
    pub(crate) memory: u32,
    pub(crate) told: Vec<Knower>,
    #[serde(skip)]
    pub(crate) id: u32,
    #[serde(skip)]
    since_words: String,
}

type Key = (u32, u32);

/// Everything that was passed on; first what many know and what matters to them.
pub(crate) fn all(run: &RunAt, memories: &Memories) -> Vec<News> {
    let told = tellings(memories);
    let roots = memories
        .all()
        .filter(|memory| told.contains_key(&key(memory)) && is_first(memory, memories));
    sorted(group(roots, run, memories, &told))
}

/// Everything with `text` in it that was passed on, or that somebody knew from the start.
pub(crate) fn about(text: &str, run: &RunAt, memories: &Memories) -> Vec<News> {
    let wanted = text.to_lowercase();
    let told = tellings(memories);
    let fits = |memory: &&At<MemoryRow>| memory.row.text.to_lowercase().contains(&wanted);
    let news = |memory: &&At<MemoryRow>| memory.tick == 0 || told.contains_key(&key(memory));
    let roots = memories
        .all()
        .filter(fits)
        .filter(news)
        .filter(|memory| is_first(memory, memories));
    sorted(group(roots, run, memories, &told))
}

/// How many memories have `text` in them, whatever became of them.
pub(crate) fn mentions(text: &str, memories: &Memories) -> usize {
    let wanted = text.to_lowercase();
    memories
        .all()
        .filter(|memory| memory.row.text.to_lowercase().contains(&wanted))
        .count()
}

/// The residents who know what `memory` of `resident` says, through being told or on their own.
pub(super) fn who_heard(memory: Key, memories: &Memories) -> BTreeSet<u32> {
    let told = tellings(memories);
    let mut known = BTreeSet::new();
    let mut next = vec![memory];
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
    run: &RunAt,
    memories: &Memories,
    told: &BTreeMap<Key, Vec<Key>>,
) -> Vec<News> {
    let mut by_text: BTreeMap<&str, (u8, Vec<Knower>)> = BTreeMap::new();
    for root in roots {
        let (importance, first_holders) = by_text.entry(&root.row.text).or_default();
        *importance = root.row.importance.max(*importance);
        first_holders.push(knower(root, run, memories, told));
    }
    let news = by_text.into_iter().map(|(text, (importance, first_holders))| {
        let mut known = BTreeSet::new();
        first_holders.iter().for_each(|knower| knower.collect(&mut known));
        News {
            text: text.to_owned(),
            known_by: known.len(),
            importance,
            first_holders,
        }
    });
    news.collect()
}

fn sorted(mut news: Vec<News>) -> Vec<News> {
    // Stable, so that equal ones stay in order of their text.
    news.sort_by_key(|news| std::cmp::Reverse(news.known_by * usize::from(news.importance)));
    news
}

fn knower(
    memory: &At<MemoryRow>,
    run: &RunAt,
    memories: &Memories,
    told: &BTreeMap<Key, Vec<Key>>,
) -> Knower {
    let time = run.clock.time(memory.tick);
    let mut heard: Vec<&At<MemoryRow>> = told
        .get(&key(memory))
        .into_iter()
        .flatten()
        .filter_map(|(who, id)| memories.get(*who, *id))
        .collect();
    heard.sort_by_key(|memory| (memory.tick, memory.row.resident));
    Knower {
        resident: run.name(memory.row.resident).to_owned(),
        since: time.to_string(),
        place: run.place(memory.row.place),
        conversation: memory.row.conversation,
        memory: memory.row.id,
        told: heard
            .into_iter()
            .map(|memory| knower(memory, run, memories, told))
            .collect(),
        id: memory.row.resident,
        since_words: if memory.tick == 0 {
            "from the start".to_owned()
        } else {
            words::moment(time)
        },
    }
}

impl Knower {
    fn collect(&self, known: &mut BTreeSet<u32>) {
        known.insert(self.id);
        self.told.iter().for_each(|knower| knower.collect(known));
    }

    fn tree(&self, page: &Page) -> Tree {
        let place = self
            .place
            .as_ref()
            .map(|place| format!(", {place}"))
            .unwrap_or_default();
        let facts = page.look(Look::Faint, format!("{}{place}", self.since_words));
        Tree {
            text: format!("{} · {facts}", page.look(Look::Name, &self.resident)),
            children: self.told.iter().map(|knower| knower.tree(page)).collect(),
        }
    }
}

impl News {
    /// Writes it as a tree.
    pub(crate) fn write(&self, page: &mut Page, residents: u32) {
        let known = page.look(Look::Faint, format!("{} of {residents} know it", self.known_by));
        page.paragraph(0, &format!("“{}” · {known}", self.text));
        for holder in &self.first_holders {
            let tree = holder.tree(page);
            page.tree(2, &tree);
        }
    }
}
