//! Day by day: conversations, what was concluded, plans that changed, notices.

use std::collections::BTreeMap;

use serde::Serialize;
use townsfolk_store::{At, MemoryKind, MemoryRow, Tick};
use townsfolk_time::{DAY_SECONDS, GameTime};

use super::Memories;
use crate::failure::Failure;
use crate::run_at::RunAt;
use crate::view::plan::{Change, differences};

/// Conclusions shown for a day.
const CONCLUSIONS: usize = 3;

/// One day of the story.
#[derive(Debug, Serialize)]
pub(crate) struct Day {
    /// From 1.
    pub(crate) day: i64,
    pub(crate) date: String,
    pub(crate) conversations: usize,
    pub(crate) lines: usize,
    /// Who talked most, with how many conversations.
    pub(crate) talked_most: Vec<(String, usize)>,
    /// How many facts were heard from others for the first time, and by how many residents.
    pub(crate) facts_heard: usize,
    pub(crate) residents_who_heard: usize,
    pub(crate) reflections: usize,
    /// Some of them: the deepest and most important.
    pub(crate) conclusions: Vec<Conclusion>,
    pub(crate) changed_plans: Vec<ChangedPlan>,
    /// How often what went otherwise than intended, with the first case.
    pub(crate) notices: Vec<Notice>,
    #[serde(skip)]
    pub(super) begins: GameTime,
}

/// Something a resident concluded.
#[derive(Debug, Serialize)]
pub(crate) struct Conclusion {
    pub(crate) resident: String,
    pub(crate) text: String,
    pub(crate) evidence: usize,
}

/// A plan that something heard or agreed on changed.
#[derive(Debug, Serialize)]
pub(crate) struct ChangedPlan {
    pub(crate) resident: String,
    pub(crate) time: String,
    pub(crate) because: String,
    pub(crate) changes: Vec<Change>,
    #[serde(skip)]
    pub(super) tick: Tick,
}

/// Notices of one kind.
#[derive(Debug, Serialize)]
pub(crate) struct Notice {
    pub(crate) kind: String,
    pub(crate) count: usize,
    /// The first: whom it concerns, and the particulars.
    pub(crate) first: String,
}

/// Every day up to the moment looked at.
pub(super) fn all(run: &RunAt, memories: &Memories) -> Result<Vec<Day>, Failure> {
    let chats = run.reader.conversations(run.tick)?;
    let notices = run.reader.notices(0..=run.tick)?;
    let changed = changed_plans(run, memories)?;
    let first = GameTime::midnight(run.clock.start.date());
    let last = run.clock.day(run.now());
    let mut days = Vec::new();
    let mut changed = changed.into_iter().peekable();
    for day in 1..=last {
        let today = |tick: Tick| run.clock.day(run.clock.time(tick)) == day;
        let begins = first + (day - 1) * DAY_SECONDS;
        let chats: Vec<_> = chats.iter().filter(|chat| today(chat.began.tick)).collect();
        let mut talks: BTreeMap<u32, usize> = BTreeMap::new();
        for chat in &chats {
            *talks.entry(chat.began.row.a).or_default() += 1;
            *talks.entry(chat.began.row.b).or_default() += 1;
        }
        let mut most: Vec<(u32, usize)> = talks.into_iter().collect();
        most.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), *id));
        let new: Vec<&At<MemoryRow>> = memories.all().filter(|memory| today(memory.tick)).collect();
        let heard: Vec<_> = new.iter().filter(|memory| memory.row.hearsay.is_some()).collect();
        let who: std::collections::BTreeSet<u32> = heard.iter().map(|memory| memory.row.resident).collect();
        let reflections = new
            .iter()
            .filter(|memory| memory.row.kind == MemoryKind::Reflection);
        let mut changed_plans = Vec::new();
        while let Some(change) = changed.next_if(|change| today(change.tick)) {
            changed_plans.push(change);
        }
        days.push(Day {
            day,
            date: begins.date().to_string(),
            conversations: chats.len(),
            lines: chats.iter().map(|chat| chat.lines.len()).sum(),
            talked_most: most
                .into_iter()
                .take(3)
                .map(|(id, count)| (run.name(id).to_owned(), count))
                .collect(),
            facts_heard: heard.len(),
            residents_who_heard: who.len(),
            reflections: reflections.clone().count(),
            conclusions: conclusions(run, reflections.copied().collect()),
            changed_plans,
            notices: count(
                run,
                notices
                    .iter()
                    .filter(|notice| today(notice.tick))
                    .map(|notice| &notice.row),
            ),
            begins,
        });
    }
    Ok(days)
}

/// The deepest and most important ones, no two of the same resident.
fn conclusions(run: &RunAt, mut reflections: Vec<&At<MemoryRow>>) -> Vec<Conclusion> {
    // Notes kept after a talk rest on the talk alone; what was inferred from several memories says more.
    let rank = |memory: &&At<MemoryRow>| {
        (
            memory.row.evidence.len().min(3),
            memory.row.depth,
            memory.row.importance,
        )
    };
    reflections.sort_by_key(|memory| std::cmp::Reverse(rank(memory)));
    let mut chosen: Vec<&At<MemoryRow>> = Vec::new();
    for memory in reflections {
        let taken = |other: &&At<MemoryRow>| {
            other.row.resident == memory.row.resident || other.row.text == memory.row.text
        };
        if chosen.len() < CONCLUSIONS && !chosen.iter().any(taken) {
            chosen.push(memory);
        }
    }
    let conclusion = |memory: &At<MemoryRow>| Conclusion {
        resident: run.name(memory.row.resident).to_owned(),
        text: memory.row.text.clone(),
        evidence: memory.row.evidence.len(),
    };
    chosen.into_iter().map(conclusion).collect()
}

/// Plans that a memory changed, by tick.
fn changed_plans(run: &RunAt, memories: &Memories) -> Result<Vec<ChangedPlan>, Failure> {
    let mut changed = Vec::new();
    for resident in run.people.iter().map(|person| person.id) {
        let plans = run.reader.plans(resident, run.tick)?;
        for pair in plans.windows(2) {
            let [before, after] = pair else { continue };
            let cause = after
                .row
                .cause_memory
                .and_then(|memory| memories.get(resident, memory));
            let (Some(cause), true) = (cause, before.row.date == after.row.date) else {
                continue;
            };
            changed.push(ChangedPlan {
                resident: run.name(resident).to_owned(),
                time: run.clock.time(after.tick).to_string(),
                because: cause.row.text.clone(),
                changes: differences(&before.row, &after.row),
                tick: after.tick,
            });
        }
    }
    changed.sort_by_key(|change| change.tick);
    Ok(changed)
}

fn count<'a>(run: &RunAt, rows: impl Iterator<Item = &'a townsfolk_store::NoticeRow>) -> Vec<Notice> {
    let mut notices: BTreeMap<&str, Notice> = BTreeMap::new();
    for row in rows {
        let who = row
            .resident
            .map(|id| format!("{}: ", run.name(id)))
            .unwrap_or_default();
        let first = || Notice {
            kind: row.kind.clone(),
            count: 0,
            first: format!("{who}{}", row.detail),
        };
        notices.entry(&row.kind).or_insert_with(first).count += 1;
    }
    notices.into_values().collect()
}
