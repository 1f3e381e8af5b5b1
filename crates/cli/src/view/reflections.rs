//! What a resident concluded, as trees down to the memories it rests on.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_store::{MemoryFilter, MemoryKind};

use super::memories::Memory;
use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page, Tree};
use crate::run_at::RunAt;
use crate::words;

/// The conclusions of one resident that no other rests on.
#[derive(Serialize)]
pub(super) struct Reflections {
    resident: String,
    reflections: Vec<Reflection>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Reflection {
    #[serde(flatten)]
    memory: Memory,
    rests_on: Vec<Reflection>,
}

impl Reflections {
    pub(super) fn of(run: &RunAt, resident: u32) -> Result<Self, Failure> {
        let filter = MemoryFilter {
            until: Some(run.tick),
            ..MemoryFilter::default()
        };
        let memories = run.reader.memories(resident, &filter)?;
        let reflection = MemoryKind::Reflection;
        let mut beneath: BTreeSet<u32> = BTreeSet::new();
        for memory in memories.iter().filter(|memory| memory.row.kind == reflection) {
            beneath.extend(&memory.row.evidence);
        }
        let on_top: Vec<u32> = memories
            .iter()
            .filter(|memory| memory.row.kind == reflection && !beneath.contains(&memory.row.id))
            .map(|memory| memory.row.id)
            .collect();
        let by_id: BTreeMap<u32, _> = memories
            .into_iter()
            .map(|memory| (memory.row.id, memory))
            .collect();
        Ok(Self {
            resident: run.name(resident).to_owned(),
            reflections: on_top
                .into_iter()
                .filter_map(|id| Reflection::of(run, id, &by_id))
                .collect(),
            moment: Moment::of(run),
        })
    }
}

type ById = BTreeMap<u32, townsfolk_store::At<townsfolk_store::MemoryRow>>;

impl Reflection {
    fn of(run: &RunAt, id: u32, by_id: &ById) -> Option<Self> {
        let memory = by_id.get(&id)?;
        // The file keeps evidence older than what rests on it, so this comes to an end. Below
        // what was seen or heard there is nothing more to show.
        let evidence = match memory.row.kind {
            MemoryKind::Reflection => memory.row.evidence.as_slice(),
            _ => &[],
        };
        let rests_on = evidence
            .iter()
            .filter_map(|id| Self::of(run, *id, by_id))
            .collect();
        Some(Self {
            memory: Memory::of(run, memory.clone()),
            rests_on,
        })
    }

    fn tree(&self, page: &Page) -> Tree {
        let memory = &self.memory;
        let told = memory
            .told_by
            .as_ref()
            .map(|name| format!(", told by {name}"))
            .unwrap_or_default();
        let facts = format!("{}, {}{told}", words::moment(memory.time), memory.kind);
        Tree {
            text: format!("{} · {}", memory.text, page.look(Look::Faint, facts)),
            children: self.rests_on.iter().map(|below| below.tree(page)).collect(),
        }
    }
}

impl View for Reflections {
    fn write(&self, page: &mut Page) {
        let count = match self.reflections.len() {
            0 => "no reflections yet".to_owned(),
            number => words::count(number, "reflection", "reflections"),
        };
        head(page, &format!("{}: {count}", self.resident), &self.moment);
        for reflection in &self.reflections {
            page.gap();
            let tree = reflection.tree(page);
            page.tree(0, &tree);
        }
    }
}
