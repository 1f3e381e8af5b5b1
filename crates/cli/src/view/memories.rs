//! What a resident remembers.

use serde::Serialize;
use townsfolk_store::{At, MemoryFilter, MemoryRow};
use townsfolk_time::GameTime;

use super::{Moment, View, head};
use crate::args::MemoriesArgs;
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Memories of one resident, oldest first.
#[derive(Serialize)]
pub(super) struct Memories {
    resident: String,
    memories: Vec<Memory>,
    #[serde(skip)]
    moment: Moment,
}

/// One memory.
#[derive(Serialize)]
pub(super) struct Memory {
    pub(super) id: u32,
    pub(super) created: String,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) importance: u8,
    pub(super) depth: u16,
    pub(super) evidence: Vec<u32>,
    pub(super) told_by: Option<String>,
    pub(super) conversation: Option<u32>,
    pub(super) place: Option<String>,
    #[serde(skip)]
    pub(super) time: GameTime,
}

impl Memories {
    pub(super) fn of(run: &RunAt, args: &MemoriesArgs) -> Result<Self, Failure> {
        let resident = run.resident(&args.resident)?;
        let filter = MemoryFilter {
            until: Some(run.tick),
            kinds: args.kind.map(Into::into).into_iter().collect(),
            containing: args.find.clone(),
            newest: args.newest,
            ..MemoryFilter::default()
        };
        let memories = run.reader.memories(resident, &filter)?;
        Ok(Self {
            resident: run.name(resident).to_owned(),
            memories: memories
                .into_iter()
                .map(|memory| Memory::of(run, memory))
                .collect(),
            moment: Moment::of(run),
        })
    }
}

impl Memory {
    pub(super) fn of(run: &RunAt, At { row, .. }: At<MemoryRow>) -> Self {
        let time = GameTime::from_seconds(row.created);
        Self {
            id: row.id,
            created: time.to_string(),
            kind: row.kind.as_str(),
            importance: row.importance,
            depth: row.depth,
            told_by: row.hearsay.map(|hearsay| run.name(hearsay.teller).to_owned()),
            conversation: row.conversation,
            place: run.place(row.place),
            evidence: row.evidence,
            text: row.text,
            time,
        }
    }
}

impl View for Memories {
    fn write(&self, page: &mut Page) {
        let count = words::count(self.memories.len(), "memory", "memories");
        head(page, &format!("{}: {count}", self.resident), &self.moment);
        let mut rows = Vec::new();
        let mut day = String::new();
        for memory in &self.memories {
            // The date stands once, where it changes.
            let today = words::date(memory.time);
            let date = if today == day {
                String::new()
            } else {
                today.clone()
            };
            day = today;
            let told = memory
                .told_by
                .as_ref()
                .map(|name| format!("  (told by {name})"))
                .unwrap_or_default();
            rows.push(vec![
                page.look(Look::Faint, date),
                page.look(Look::Faint, words::time_of_day(memory.time)),
                format!("{:>2}", memory.importance),
                page.look(Look::Faint, memory.kind),
                format!("{}{}", memory.text, page.look(Look::Faint, told)),
            ]);
        }
        page.table(0, &rows);
        if !rows.is_empty() {
            page.gap();
            let note = page.look(Look::Faint, "The number is the importance, from 1 to 10.");
            page.paragraph(0, &note);
        }
    }
}
