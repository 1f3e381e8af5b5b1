//! How often the mind was asked what, and how often it fell back.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Tasks up to the moment looked at, by kind and mind.
#[derive(Serialize)]
pub(super) struct Tasks {
    kinds: Vec<Kind>,
    residents: Vec<Resident>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Default, Serialize)]
struct Kind {
    kind: String,
    mind: String,
    tasks: u64,
    fallbacks: u64,
}

#[derive(Serialize)]
struct Resident {
    resident: String,
    tasks: u64,
    fallbacks: u64,
}

impl Tasks {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        let mut kinds: BTreeMap<(String, String), Kind> = BTreeMap::new();
        let mut residents: BTreeMap<Option<u32>, Resident> = BTreeMap::new();
        for count in run.reader.task_counts(run.tick)? {
            let name = count.resident.map_or("the town", |id| run.name(id));
            let resident = residents.entry(count.resident).or_insert_with(|| Resident {
                resident: name.to_owned(),
                tasks: 0,
                fallbacks: 0,
            });
            resident.tasks += count.tasks;
            resident.fallbacks += count.fallbacks;
            let kind = kinds.entry((count.kind.clone(), count.mind.clone())).or_default();
            kind.tasks += count.tasks;
            kind.fallbacks += count.fallbacks;
            (kind.kind, kind.mind) = (count.kind, count.mind);
        }
        let mut kinds: Vec<Kind> = kinds.into_values().collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.tasks));
        Ok(Self {
            kinds,
            residents: residents.into_values().collect(),
            moment: Moment::of(run),
        })
    }
}

impl View for Tasks {
    fn write(&self, page: &mut Page) {
        let total: u64 = self.kinds.iter().map(|kind| kind.tasks).sum();
        head(
            page,
            &words::count(total, "question to minds", "questions to minds"),
            &self.moment,
        );
        let widest = words::grouped(total).len();
        let number = |number: u64| format!("{:>widest$}", words::grouped(number));
        let mut rows = Vec::new();
        for kind in &self.kinds {
            let fallbacks = words::count(kind.fallbacks, "fallback", "fallbacks");
            let look = if kind.fallbacks > 0 {
                Look::Warning
            } else {
                Look::Faint
            };
            rows.push(vec![
                kind.kind.clone(),
                number(kind.tasks),
                kind.mind.clone(),
                page.look(look, fallbacks),
            ]);
        }
        page.table(0, &rows);
        page.heading("By resident");
        let rows: Vec<Vec<String>> = self
            .residents
            .iter()
            .map(|resident| vec![page.look(Look::Name, &resident.resident), number(resident.tasks)])
            .collect();
        page.table(0, &rows);
    }
}
