//! The rest of the day after something came between.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{Date, Minute, clock};

use super::hourly_schedule::{BlockWire, Said, in_order, without_gaps};
use super::{Block, Blocks, KnownPlace};
use crate::model::wire::Bound;
use crate::model::{Fit, Stretch, Who};
use crate::routine::{Rules, revise};
use crate::{Entry, Identity, Schedule, Task, TaskKind};

/// Asks for the rest of the day, from `now`, with something new in it.
#[derive(Clone, Debug, Serialize)]
pub struct ReviseSchedule<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day.
    pub date: Date,
    /// The minute from which the day may change.
    pub now: Minute,
    /// The day as planned.
    pub plan: &'a Schedule,
    /// What must stand in the answer; none where the reason may only move or drop what is planned.
    pub new: Option<&'a Entry>,
    /// Why, in words: what was heard, seen or agreed.
    pub reason: &'a str,
    /// The memory behind it, where there is one.
    pub cause: Option<MemoryId>,
    /// The places that the resident knows.
    #[serde(skip)]
    pub places: &'a [KnownPlace<'a>],
}

/// The rest of the day as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// From now to midnight, by time.
    pub rest: Vec<BlockWire>,
}

fn block_of(entry: &Entry) -> Block {
    Block {
        start: entry.start,
        activity: entry.activity.to_string(),
        asleep: entry.asleep,
        cause: entry.cause,
    }
}

/// Puts an entry over whatever stands at its time; what it cuts goes on after it.
fn put_in(blocks: &mut Vec<Block>, new: &Entry) {
    let end = new.end();
    let after = blocks.iter().rev().find(|block| block.start <= end).cloned();
    let mut rest: Vec<Block> = blocks.iter().filter(|b| b.start < new.start).cloned().collect();
    rest.push(block_of(new));
    if end < townsfolk_time::DAY_MINUTES {
        let goes_on = after.filter(|block| block.activity != *new.activity || block.start == end);
        rest.extend(goes_on.map(|block| Block { start: end, ..block }));
        rest.extend(blocks.iter().filter(|b| b.start > end).cloned());
    }
    *blocks = rest;
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    now: String,
    rest: Vec<Stretch<'a>>,
    new: Option<Stretch<'a>>,
    reason: std::borrow::Cow<'a, str>,
}

impl ReviseSchedule<'_> {
    /// What is planned from now on, cut at now.
    fn planned(&self) -> Vec<Entry> {
        let entries = self.plan.entries().iter().filter(|entry| entry.end() > self.now);
        let mut rest: Vec<Entry> = entries.cloned().collect();
        if let Some(first) = rest.first_mut() {
            let end = first.end();
            first.start = first.start.max(self.now);
            first.minutes = end - first.start;
        }
        rest
    }
}

impl Task for ReviseSchedule<'_> {
    const KIND: TaskKind = TaskKind::ReviseSchedule;
    /// The blocks from `now` to midnight; the first starts at `now`.
    type Answer = Blocks;

    type Wire = Wire;

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        vec![Bound::at_least("rest", 1)]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        // Owned stretches: what is cut at now stands in no plan.
        let rest = self.plan.entries().iter().filter(|entry| entry.end() > self.now);
        let mut rest: Vec<Stretch<'_>> = rest.map(|entry| fit.stretch(entry)).collect();
        if let Some(first) = rest.first_mut() {
            first.from = fit.clock(self.now);
        }
        View {
            who: fit.who(self.who),
            date: fit.date(self.date),
            now: fit.clock(self.now),
            rest,
            new: self.new.map(|entry| fit.stretch(entry)),
            reason: fit.text(self.reason),
        }
    }

    /// What must stand stands at its time, whatever was written around it. What a stretch leaves open by
    /// its end holds what was planned for the time. A stretch that was planned so keeps its cause; a new or
    /// moved one has the change's.
    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<Blocks, String> {
        let said: Result<Vec<Said>, String> =
            wire.rest.into_iter().map(|block| block.read(self.who)).collect();
        let others = |block: &Block, _| {
            let entries = self.plan.entries().iter();
            let others = entries.filter(|entry| *entry.activity != *block.activity);
            others.map(block_of).collect()
        };
        let blocks = without_gaps(in_order(said?), others, fit);
        let planned = self.planned();
        // What was written for the past says what goes on now, unless something else starts now.
        let going_on = blocks.iter().rposition(|block| block.start <= self.now);
        let mut rest: Vec<Block> = Vec::with_capacity(blocks.len() + 2);
        for (i, block) in blocks.into_iter().enumerate() {
            if going_on.is_some_and(|at| i < at) {
                continue;
            }
            let start = block.start.max(self.now);
            rest.push(Block { start, ..block });
        }
        let Some(first) = rest.first() else {
            return Err("the rest of the day has no stretches".to_owned());
        };
        if first.start > self.now {
            let Some(now) = planned.first().filter(|entry| entry.end() >= first.start) else {
                return Err(format!("start the rest of the day at {}", clock(self.now)));
            };
            rest.insert(0, block_of(now));
        }
        for block in &mut rest {
            let covers = |entry: &&Entry| (entry.start..entry.end()).contains(&block.start);
            let same = planned
                .iter()
                .filter(covers)
                .find(|entry| *entry.activity == *block.activity);
            block.cause = same.map_or(self.cause, |entry| entry.cause);
            block.asleep |= same.is_some_and(|entry| entry.asleep);
        }
        if let Some(new) = self.new {
            put_in(&mut rest, new);
        }
        Ok(Blocks { blocks: rest })
    }

    fn write(&self, answer: &Blocks) -> Wire {
        Wire {
            rest: answer.blocks.iter().map(BlockWire::write).collect(),
        }
    }

    fn check(&self, answer: &Blocks) -> Result<(), String> {
        if answer.blocks.first().map(|b| b.start) != Some(self.now) {
            return Err(format!("the first block starts at minute {}", self.now));
        }
        let mut revised = self.plan.clone();
        revised.splice(answer.entries()).map_err(|e| e.to_string())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Blocks {
        Blocks {
            blocks: revise::revise(self, rules),
        }
    }
}
