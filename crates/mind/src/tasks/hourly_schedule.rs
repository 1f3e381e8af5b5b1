//! The whole day, hour by hour, in one answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, Minute, clock};

use super::day_plan::StrokeView;
use super::{DayPlan, Stroke};
use crate::model::doing::doing;
use crate::model::reading::Reading;
use crate::model::wire::{Bound, span};
use crate::model::{Fit, Who};
use crate::routine::{Rules, days};
use crate::{Entry, Identity, Schedule, Task, TaskKind};

/// Asks for the whole day from its broad strokes.
#[derive(Clone, Debug, Serialize)]
pub struct HourlySchedule<'a> {
    /// What the strokes answer: who is asked, the day, what is agreed and what came to mind.
    #[serde(flatten)]
    pub plan: &'a DayPlan<'a>,
    /// The broad strokes, by start.
    pub strokes: &'a [Stroke],
}

/// One stretch of the day, which lasts until the next begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// When it starts, minutes after midnight.
    pub start: Minute,
    /// What is done.
    pub activity: String,
    /// Whether the resident sleeps through it.
    #[serde(default)]
    pub asleep: bool,
    /// The memory it comes from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<MemoryId>,
}

/// A day as stretches; the first starts at minute 0, the last ends at midnight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// By start.
    pub blocks: Vec<Block>,
}

impl Blocks {
    /// The stretches as entries, each lasting until the next begins and the last until midnight.
    pub fn entries(&self) -> Vec<Entry> {
        let ends = self.blocks.iter().skip(1).map(|b| b.start).chain([DAY_MINUTES]);
        let entry = |(block, end): (&Block, Minute)| Entry {
            start: block.start,
            minutes: end.saturating_sub(block.start),
            activity: block.activity.as_str().into(),
            asleep: block.asleep,
            cause: block.cause,
            step: false,
        };
        self.blocks.iter().zip(ends).map(entry).collect()
    }
}

/// The day as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// From 00:00 to midnight, by time.
    pub day: Vec<BlockWire>,
}

/// A stretch as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlockWire {
    /// Whether it is sleep.
    #[serde(default)]
    pub asleep: Option<bool>,
    /// What is done, and where.
    #[serde(rename = "do")]
    pub activity: String,
    /// When it starts, HH:MM.
    pub from: String,
}

/// A stretch as a model said it.
pub(super) struct Said {
    pub(super) block: Block,
    /// When it ends, where that is said; else it lasts until the next starts.
    pub(super) until: Option<Minute>,
}

impl BlockWire {
    /// The stretch. Where nothing is said of sleep, the activity says it.
    pub(super) fn read(self, who: &Identity) -> Result<Said, String> {
        if self.activity.trim().is_empty() {
            return Err(format!("say what is done from {}", self.from));
        }
        let activity = doing(&self.activity, "activity", who)?;
        let (start, until) = span(&self.from)?;
        let block = Block {
            start,
            asleep: self.asleep.unwrap_or_else(|| Reading::get().is_sleep(&activity)),
            activity,
            cause: None,
        };
        Ok(Said { block, until })
    }

    /// The way back.
    pub(super) fn write(block: &Block) -> Self {
        Self {
            asleep: Some(block.asleep),
            activity: block.activity.clone(),
            from: clock(block.start),
        }
    }
}

/// Puts stretches in order of time; of two that start together the later-written one goes, and so does
/// one that is written last to say what comes at midnight.
pub(super) fn in_order(mut said: Vec<Said>) -> Vec<Said> {
    let mut at = 0;
    said.retain(|said| {
        at += 1;
        at == 1 || said.block.start > 0
    });
    said.sort_by_key(|said| said.block.start);
    said.dedup_by_key(|said| said.block.start);
    said
}

/// Less time than this between the end of a stretch and the next is the way there.
const SHORTEST_GAP_MINUTES: Minute = 15;

/// Stretches in order, and what is done where one of them is said to end before the next starts: what
/// `planned` gives for the stretch and its end, by start, else rest, or the sleep with which the day begins where
/// nothing comes any more.
pub(super) fn without_gaps(
    said: Vec<Said>,
    planned: impl Fn(&Block, Minute) -> Vec<Block>,
    fit: &Fit<'_>,
) -> Vec<Block> {
    let starts: Vec<Minute> = said.iter().skip(1).map(|said| said.block.start).collect();
    let night = said
        .first()
        .map(|said| said.block.clone())
        .filter(|first| first.start == 0 && first.asleep);
    let mut whole = Vec::with_capacity(said.len());
    for (i, Said { block, until }) in said.into_iter().enumerate() {
        let next = starts.get(i).copied();
        let to = next.unwrap_or(DAY_MINUTES);
        let gap = until.filter(|until| *until > block.start && until + SHORTEST_GAP_MINUTES <= to);
        let open = gap.map(|from| (from, planned(&block, from)));
        let rest = |start| match &night {
            Some(night) if next.is_none() => Block {
                start,
                ..night.clone()
            },
            _ => Block {
                start,
                activity: fit.phrases().resting.clone(),
                asleep: false,
                cause: None,
            },
        };
        whole.push(block);
        let Some((from, planned)) = open else { continue };
        let going_on = planned.iter().rfind(|other| other.start <= from);
        whole.push(going_on.map_or_else(
            || rest(from),
            |other| Block {
                start: from,
                ..other.clone()
            },
        ));
        whole.extend(
            planned
                .into_iter()
                .filter(|other| other.start > from && other.start < to),
        );
    }
    whole
}

/// Fewer stretches besides sleep are no schedule that a model made.
const FEWEST_AWAKE: usize = 3;

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    wake: String,
    strokes: Vec<StrokeView<'a>>,
}

impl Task for HourlySchedule<'_> {
    const KIND: TaskKind = TaskKind::HourlySchedule;
    type Answer = Blocks;

    type Wire = Wire;

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        vec![Bound::at_least("day", FEWEST_AWAKE)]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.plan.who),
            date: fit.date(self.plan.date),
            wake: fit.clock(self.plan.wake),
            strokes: self
                .strokes
                .iter()
                .map(|stroke| StrokeView::new(stroke, fit))
                .collect(),
        }
    }

    /// A day that begins with getting up is slept until then. What a stretch leaves open by its end holds
    /// the strokes that start in the meantime. A stretch that starts with a stroke has the stroke's cause.
    /// Less than a third of the waking day is no schedule.
    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<Blocks, String> {
        let said: Result<Vec<Said>, String> = wire
            .day
            .into_iter()
            .map(|block| block.read(self.plan.who))
            .collect();
        let mut said = in_order(said?);
        match said.first().map(|first| &first.block) {
            None => return Err("the day has no stretches".to_owned()),
            Some(first) if first.start > 0 => {
                let late = first.start > self.plan.wake.saturating_add(180) || first.start > 720;
                if late || first.asleep {
                    return Err(format!("start the day at 00:00, not at {}", clock(first.start)));
                }
                let sleep = said.iter().find(|said| said.block.asleep);
                let block = Block {
                    start: 0,
                    activity: sleep
                        .map_or(&fit.phrases().sleeping, |sleep| &sleep.block.activity)
                        .clone(),
                    asleep: true,
                    cause: None,
                };
                said.insert(0, Said { block, until: None });
            }
            Some(_) => {}
        }
        if said.iter().filter(|said| !said.block.asleep).count() < FEWEST_AWAKE {
            return Err("give every part of the day its stretch: at least three besides sleep".to_owned());
        }
        let stroke = |stroke: &Stroke| Block {
            start: stroke.start,
            activity: stroke.activity.clone(),
            asleep: Reading::get().is_sleep(&stroke.activity),
            cause: None,
        };
        let later = |_: &Block, from| {
            let strokes = self.strokes.iter().filter(|stroke| stroke.start >= from);
            strokes.map(stroke).collect()
        };
        let mut blocks = without_gaps(said, later, fit);
        for block in &mut blocks {
            let stroke = self.strokes.iter().find(|stroke| stroke.start == block.start);
            block.cause = stroke.filter(|_| !block.asleep).and_then(|stroke| stroke.cause);
        }
        Ok(Blocks { blocks })
    }

    fn write(&self, answer: &Blocks) -> Wire {
        Wire {
            day: answer.blocks.iter().map(BlockWire::write).collect(),
        }
    }

    fn check(&self, answer: &Blocks) -> Result<(), String> {
        let schedule = Schedule::new(answer.entries()).map_err(|e| e.to_string())?;
        if schedule.entries().iter().all(|e| e.asleep) {
            return Err("the resident cannot sleep all day".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Blocks {
        Blocks {
            blocks: days::hours(self, rules),
        }
    }
}
