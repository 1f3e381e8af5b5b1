//! What happened in the days of a run, from its file alone: the page that ends a run and that
//! `inspect summary` prints.
//!
//! - [`Report`]: the whole, as data and as a page.
//! - `days`: conversations, conclusions, changed plans and notices, day by day.
//! - `news`: what was passed on, from whom to whom.
//! - `occasions`: what residents meant to attend together, and who came.

mod days;
pub(crate) mod news;
mod occasions;
mod writing;

use std::collections::BTreeMap;

use serde::Serialize;
use townsfolk_engine::ledger::{add_usd, known_cost_usd, prices_of};
use townsfolk_server::look::Memories;
use townsfolk_store::{At, MemoryKind, MemoryRow, RunState};
use townsfolk_time::GameTime;

use self::days::Day;
use self::news::News;
use self::occasions::Occasion;
use crate::failure::Failure;
use crate::likeness::likeness;
use crate::run_at::RunAt;

/// What happened in the days of a run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) run: RunFacts,
    pub(crate) days: Vec<Day>,
    /// What was passed on; first what many know and what matters to them.
    pub(crate) news: Vec<News>,
    /// What more than one resident heard of, by start.
    pub(crate) occasions: Vec<Occasion>,
    pub(crate) memories: MemoryCounts,
    pub(crate) drift: DriftTotals,
    pub(crate) tasks: TaskTotals,
}

/// How far residents have drifted from who they are.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct DriftTotals {
    pub(crate) self_descriptions: usize,
    pub(crate) changed_facts: usize,
    /// Whose self-description has moved away most, and by how much.
    pub(crate) furthest: Option<(String, f64)>,
}

impl DriftTotals {
    fn of(run: &RunAt) -> Result<Self, Failure> {
        let drift = townsfolk_audit::drift(&run.reader, run.tick, likeness())?;
        let furthest = drift.largest_growth();
        Ok(Self {
            self_descriptions: drift.descriptions(),
            changed_facts: drift.changed_facts(),
            furthest: furthest.map(|(name, growth)| (name.to_owned(), growth)),
        })
    }
}

/// What the run says about itself.
#[derive(Debug, Serialize)]
pub(crate) struct RunFacts {
    pub(crate) file: String,
    pub(crate) file_bytes: u64,
    pub(crate) town: String,
    /// Who live there or have lived there.
    pub(crate) residents: u32,
    pub(crate) visitors: u32,
    pub(crate) seed: u64,
    /// Who answered, in the order of their first answers; whom it began with before the first.
    pub(crate) minds: Vec<String>,
    pub(crate) state: &'static str,
    pub(crate) forked_at_tick: Option<u32>,
    pub(crate) start: String,
    pub(crate) now: String,
    pub(crate) tick: u32,
    /// From the start to the end of the last tick.
    #[serde(skip)]
    span: (GameTime, GameTime),
    /// A resident to show as an example.
    #[serde(skip)]
    somebody: String,
}

/// How many memories there are, by kind.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct MemoryCounts {
    pub(crate) observations: usize,
    pub(crate) reflections: usize,
    pub(crate) plans: usize,
    pub(crate) conversations: usize,
}

impl MemoryCounts {
    fn of<'a>(memories: impl Iterator<Item = &'a At<MemoryRow>>) -> Self {
        let mut counts = Self::default();
        for memory in memories {
            *match memory.row.kind {
                MemoryKind::Observation => &mut counts.observations,
                MemoryKind::Reflection => &mut counts.reflections,
                MemoryKind::Plan => &mut counts.plans,
                MemoryKind::Conversation => &mut counts.conversations,
            } += 1;
        }
        counts
    }

    fn total(self) -> usize {
        self.observations + self.reflections + self.plans + self.conversations
    }
}

/// What was asked of minds, summed up.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct TaskTotals {
    pub(crate) tasks: u64,
    /// Of these, those put to a model.
    pub(crate) put_to_models: u64,
    pub(crate) fallbacks: u64,
    /// The kinds of task that ever fell back, by name.
    pub(crate) fallbacks_by_kind: BTreeMap<String, KindTotals>,
    pub(crate) calls: u64,
    pub(crate) from_cache: u64,
    pub(crate) tokens_in: u64,
    pub(crate) tokens_out: u64,
    /// US dollars; none where no price is known.
    pub(crate) usd: Option<f64>,
}

/// How often one kind of task was asked and fell back.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct KindTotals {
    pub(crate) tasks: u64,
    /// Of these, those put to a model.
    pub(crate) put_to_models: u64,
    pub(crate) fallbacks: u64,
}

impl Report {
    /// Reads it from the run, as of the moment looked at.
    pub(crate) fn of(run: &RunAt) -> Result<Self, Failure> {
        let memories = Memories::read(&run.look())?;
        let news = news::all(run, &memories);
        Ok(Self {
            run: RunFacts::of(run)?,
            days: days::all(run, &memories)?,
            occasions: occasions::all(run, &memories)?,
            news,
            memories: MemoryCounts::of(memories.all()),
            drift: DriftTotals::of(run)?,
            tasks: TaskTotals::of(run)?,
        })
    }
}

impl RunFacts {
    fn of(run: &RunAt) -> Result<Self, Failure> {
        let path = run.reader.path();
        // The log beside a run that is being written is part of it.
        let log = path.with_extension("run-wal");
        let bytes = [path, &log]
            .iter()
            .filter_map(|file| file.metadata().ok())
            .map(|file| file.len())
            .sum();
        let mut minds = run.reader.answerers(run.tick)?;
        if minds.is_empty() {
            minds.push(run.info.mind.clone());
        }
        Ok(Self {
            file: path.display().to_string(),
            file_bytes: bytes,
            town: run.info.town.clone(),
            residents: run.residents(),
            visitors: run.people.len() as u32 - run.residents(),
            seed: run.info.seed,
            minds,
            state: match run.info.state {
                RunState::Running => "running, or stopped by force",
                RunState::Paused => "paused",
                RunState::Finished => "finished",
            },
            forked_at_tick: run.info.parent.as_ref().map(|parent| parent.tick),
            start: run.clock.start.to_string(),
            now: run.now().to_string(),
            tick: run.tick,
            span: (run.clock.start, run.now() + run.clock.seconds_per_tick),
            somebody: run
                .name(0)
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned(),
        })
    }
}

impl TaskTotals {
    fn of(run: &RunAt) -> Result<Self, Failure> {
        let mut kinds: BTreeMap<String, KindTotals> = BTreeMap::new();
        for count in run.reader.task_counts(run.tick)? {
            let put_to_models = count.put_to_models();
            let kind = kinds.entry(count.kind).or_default();
            kind.tasks += count.tasks;
            kind.put_to_models += put_to_models;
            kind.fallbacks += count.fallbacks;
        }
        let sum = |of: fn(&KindTotals) -> u64| kinds.values().map(of).sum();
        let mut totals = Self {
            tasks: sum(|kind| kind.tasks),
            put_to_models: sum(|kind| kind.put_to_models),
            fallbacks: sum(|kind| kind.fallbacks),
            ..Self::default()
        };
        let prices = prices_of(&run.info);
        for count in run.reader.call_counts(run.tick, u32::MAX)? {
            totals.calls += count.calls;
            totals.from_cache += count.from_cache;
            totals.tokens_in += count.tokens_in;
            totals.tokens_out += count.tokens_out;
            let tokens = [count.tokens_in, count.tokens_cached, count.tokens_out];
            add_usd(&mut totals.usd, known_cost_usd(&prices, &count.model, tokens));
        }
        kinds.retain(|_, kind| kind.fallbacks > 0);
        totals.fallbacks_by_kind = kinds;
        Ok(totals)
    }
}
