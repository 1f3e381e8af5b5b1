//! The rest of a day after something came between.
//!
//! What is new goes in at its time; what fits stays; a meal or an appointment that it covers moves
//! behind it if there is room; the rest gives way. Where the reason is a [`Notice`] for today: what needs
//! a place that closes ("the clinic closes at noon") moves before that time by changing places with what
//! stands there, or is dropped, and a meal is had elsewhere; who is there by then stays until it closes, and has
//! the time after that free; what is moved ("the clinic at 2pm is moved to
//! 3:30pm") goes to its new time; what the resident means not to do is dropped, and what it is to do at an
//! hour that is still to come is done then.

use std::sync::Arc;

use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, GameTime, Minute};

use super::Rules;
use super::atlas::has_word;
use super::days::FreeDay;
use super::lifestyle::Lifestyle;
use super::notices::{Notice, Says, at_home, is_same_meal, meal_elsewhere};
use super::pursuits::{Role, kind_name, role_of};
use super::words::lexicon;
use crate::Entry;
use crate::tasks::{Block, DayPlan, ReviseSchedule};

/// The least time for which something is worth moving.
const SHORTEST_MOVED_MINUTES: Minute = 15;
/// For how long what is done before something that falls, or after it, goes on in its place.
pub(crate) const LONGEST_GOING_ON_MINUTES: Minute = 90;
/// For how long whoever has eaten at an occasion has no meal after it.
pub(crate) const FED_MINUTES: Minute = 150;
/// Slivers shorter than this join what comes before.
const SLIVER_MINUTES: Minute = 5;

/// Blocks from `now` to midnight with what is new in them, if anything is.
pub(crate) fn revise(task: &ReviseSchedule<'_>, rules: &Rules<'_>) -> Vec<Block> {
    let now = task.now.min(DAY_MINUTES - 1);
    let mut day = Rest::new(task, now);
    let notice = Notice::of(task.reason, task.who, GameTime::at(task.date, now), task.places);
    let notice = notice.filter(|notice| notice.is_for(task.date));
    let meant = notice.as_ref().and_then(|notice| day.meant(notice, task));
    let new = task.new.or(meant.as_ref());
    let span = new.map(|new| {
        let from = new.start.max(now).min(DAY_MINUTES - 1);
        (from, from.saturating_add(new.minutes.max(1)).min(DAY_MINUTES))
    });
    if let Some(notice) = &notice {
        // Where nothing is new, no time is taken.
        day.heed(notice, task, rules, span.unwrap_or((now, now)));
    }
    let (Some(new), Some((from, to))) = (new, span) else {
        return day.blocks(None);
    };
    let block = Block {
        start: from,
        activity: named(&new.activity),
        asleep: new.asleep,
        cause: task.cause.or(new.cause),
    };
    let mut covered = day.covered(from, to);
    // Who has eaten there has had the meal.
    let eats = matches!(kind_name(&block.activity), Some("partying" | "meal")) && is_fed(&block.activity);
    if eats {
        covered.retain(|(block, _)| block.cause.is_some() || role_of(&block.activity) != Role::Meal);
        day.skip_meals(from, to, &block.activity);
    }
    let new = day.put(from, to, block);
    day.move_behind(to, covered);
    let mut blocks = day.blocks(Some(new));
    // What goes on where the meal was planned does so for the same cause.
    let instead =
        |block: &&mut Block| block.cause.is_none() && *task.plan.at(block.start).activity != *block.activity;
    for block in blocks.iter_mut().filter(|_| eats).filter(instead) {
        block.cause = task.cause;
    }
    blocks
}

fn named(activity: &str) -> String {
    let text = activity.trim();
    if text.is_empty() {
        lexicon().phrases.resting.clone()
    } else {
        text.to_owned()
    }
}

/// The minutes from `now` to midnight, each holding one of the blocks.
struct Rest {
    now: Minute,
    minutes: Vec<usize>,
    blocks: Vec<Block>,
}

impl Rest {
    fn new(task: &ReviseSchedule<'_>, now: Minute) -> Self {
        let mut minutes = Vec::with_capacity(usize::from(DAY_MINUTES - now));
        let mut blocks = Vec::new();
        for entry in task.plan.entries().iter().filter(|entry| entry.end() > now) {
            let Entry {
                activity,
                asleep,
                cause,
                ..
            } = entry;
            let length = usize::from(entry.end() - entry.start.max(now));
            minutes.extend(std::iter::repeat_n(blocks.len(), length));
            blocks.push(Block {
                start: entry.start,
                activity: named(activity),
                asleep: *asleep,
                cause: *cause,
            });
        }
        Self { now, minutes, blocks }
    }

    fn cell(&self, minute: Minute) -> usize {
        usize::from(minute.saturating_sub(self.now)).min(self.minutes.len())
    }

    fn put(&mut self, from: Minute, to: Minute, block: Block) -> usize {
        let range = self.cell(from)..self.cell(to);
        self.blocks.push(block);
        let index = self.blocks.len() - 1;
        self.minutes[range].fill(index);
        index
    }

    /// Stretches of one block: block, first minute, minute after the last.
    fn stretches(&self) -> Vec<(usize, Minute, Minute)> {
        let mut stretches: Vec<(usize, Minute, Minute)> = Vec::new();
        for (i, block) in self.minutes.iter().enumerate() {
            let minute = self.now + i as Minute;
            match stretches.last_mut() {
                Some(last) if last.0 == *block => last.2 = minute + 1,
                _ => stretches.push((*block, minute, minute + 1)),
            }
        }
        stretches
    }

    /// Meals and appointments of which `from..to` takes more than half.
    fn covered(&self, from: Minute, to: Minute) -> Vec<(Block, Minute)> {
        let weighty = |block: &Block| block.cause.is_some() || role_of(&block.activity) == Role::Meal;
        self.stretches()
            .into_iter()
            .filter(|(block, ..)| weighty(&self.blocks[*block]) && !self.blocks[*block].asleep)
            .filter(|(_, start, end)| {
                let taken = to.min(*end).saturating_sub(from.max(*start));
                2 * taken > end - start && *start >= self.now
            })
            .map(|(block, start, end)| (self.blocks[block].clone(), end - start))
            .collect()
    }

    /// Moves what was covered behind `from`, where neither sleep nor anything agreed to stands.
    fn move_behind(&mut self, mut from: Minute, covered: Vec<(Block, Minute)>) {
        for (block, wanted) in covered {
            // What was left of it gives way to the whole.
            let free = self
                .stretches()
                .into_iter()
                .filter(|(_, start, end)| *end > from && *start <= from + 30)
                .take_while(|(index, ..)| {
                    let there = &self.blocks[*index];
                    !there.asleep && (there.cause.is_none() || there.cause == block.cause)
                })
                .map(|(_, _, end)| end)
                .last();
            let Some(free) = free else { continue };
            let to = from.saturating_add(wanted).min(free);
            if to >= from + SHORTEST_MOVED_MINUTES {
                self.put(from, to, block);
                from = to;
            }
        }
    }

    /// Leaves out the meals that begin soon after `from..to`, when something is eaten, and the same meal as that
    /// whenever it was to be had: what goes before them goes on.
    fn skip_meals(&mut self, from: Minute, to: Minute, eaten: &str) {
        for (index, start, end) in self.stretches() {
            let block = &self.blocks[index];
            let same = is_same_meal(&block.activity, eaten);
            let soon = start >= from && start < to.saturating_add(FED_MINUTES);
            if role_of(&block.activity) != Role::Meal
                || block.cause.is_some()
                || start < self.now
                || !same && !soon
            {
                continue;
            }
            let before = start.checked_sub(1).filter(|minute| *minute >= self.now);
            let beside = before.or(Some(end).filter(|end| *end < DAY_MINUTES));
            if let Some(other) = beside.map(|minute| self.minutes[self.cell(minute)])
                && !self.blocks[other].asleep
            {
                let range = self.cell(start)..self.cell(end);
                self.minutes[range].fill(other);
            }
        }
    }

    /// What the resident is to do at an hour that is still to come, where that stands in no plan yet.
    fn meant(&self, notice: &Notice, task: &ReviseSchedule<'_>) -> Option<Entry> {
        let Says::Meant {
            activity,
            at,
            minutes,
            ..
        } = &notice.says
        else {
            return None;
        };
        let planned = task.plan.entries().iter();
        let done = task.cause.is_some() && planned.into_iter().any(|entry| entry.cause == task.cause);
        let stands = self.planned_for(notice).is_some();
        (*at >= self.now && !done && !stands).then(|| Entry {
            start: *at,
            minutes: (*minutes).min(DAY_MINUTES - at),
            activity: activity.as_str().into(),
            asleep: false,
            cause: task.cause,
            step: false,
        })
    }

    /// What is planned already and is to be done at the hour of the notice instead: a meal, or what it says
    /// to do "instead".
    fn planned_for(&self, notice: &Notice) -> Option<(usize, Minute, Minute)> {
        let Says::Meant {
            activity, instead, ..
        } = &notice.says
        else {
            return None;
        };
        let meal = role_of(activity) == Role::Meal;
        self.stretches().into_iter().find(|(index, start, _)| {
            let block = &self.blocks[*index];
            let same = (role_of(&block.activity) == Role::Meal) == meal;
            !block.asleep
                && *start >= self.now
                && same
                && (meal || *instead)
                && notice.concerns(&block.activity)
        })
    }

    /// Moves or drops what can't be done any more, or not then.
    fn heed(&mut self, notice: &Notice, task: &ReviseSchedule<'_>, rules: &Rules<'_>, new: (Minute, Minute)) {
        match notice.says {
            Says::Off { from, to } => self.take_off(notice, (from, to), task, rules, new),
            Says::Stays { from, to } => self.stay_in((from, to), task),
            Says::Moved { stood, to } => {
                let stands = |(index, start, end): &(usize, Minute, Minute)| {
                    let block = &self.blocks[*index];
                    !block.asleep
                        && *start >= self.now
                        && notice.concerns(&block.activity)
                        && stood.is_none_or(|stood| (*start..*end).contains(&stood))
                };
                if let Some(stretch) = self.stretches().into_iter().find(stands) {
                    self.shift(stretch, notice, to, task, rules);
                }
            }
            Says::Meant { at, .. } => {
                if let Some(stretch) = self.planned_for(notice) {
                    self.shift(stretch, notice, at, task, rules);
                }
            }
        }
    }

    /// Moves, cuts or drops what needs something that is off for a while.
    fn take_off(
        &mut self,
        notice: &Notice,
        off: (Minute, Minute),
        task: &ReviseSchedule<'_>,
        rules: &Rules<'_>,
        new: (Minute, Minute),
    ) {
        let settled_by_new = task.new.is_some_and(|new| notice.concerns(&new.activity));
        let cause = task.cause;
        let stretches = self.stretches();
        let concerned = |block: &Block| !block.asleep && notice.concerns(&block.activity);
        // Who is there before it closes has been, and needs not come earlier.
        let had = stretches.iter().any(|(index, start, _)| {
            concerned(&self.blocks[*index]) && start.saturating_add(SHORTEST_MOVED_MINUTES) <= off.0
        });
        for (index, start, end) in stretches {
            let block = self.blocks[index].clone();
            let (from, to) = (start.max(off.0), end.min(off.1));
            if from >= to || !concerned(&block) {
                continue;
            }
            if role_of(&block.activity) == Role::Meal && block.cause.is_none() {
                let activity = meal_elsewhere(
                    &block.activity,
                    sectors(task),
                    |place| notice.concerns(place),
                    &rules.chance,
                );
                let elsewhere = Block {
                    start,
                    activity,
                    cause,
                    ..block
                };
                self.put(start, end, elsewhere);
                continue;
            }
            let slot = if settled_by_new || had {
                None
            } else {
                self.slot_before(off.0, to - from, new, notice, &block)
            };
            match slot {
                Some((earlier, until, displaced)) => {
                    self.put(
                        from,
                        to,
                        Block {
                            start: from,
                            cause,
                            ..displaced
                        },
                    );
                    self.put(
                        earlier,
                        until,
                        Block {
                            start: earlier,
                            cause: cause.or(block.cause),
                            ..block
                        },
                    );
                }
                None => self.free(from, to, notice, task, rules),
            }
        }
    }

    /// Keeps the resident at home for a while: resting, and for meals.
    fn stay_in(&mut self, (from, until): (Minute, Minute), task: &ReviseSchedule<'_>) {
        for (index, start, end) in self.stretches() {
            let block = self.blocks[index].clone();
            let (start, end) = (start.max(from), end.min(until));
            if start < end && !block.asleep {
                let activity = at_home(&block.activity);
                let cause = if activity == block.activity {
                    block.cause
                } else {
                    task.cause
                };
                self.put(
                    start,
                    end,
                    Block {
                        start,
                        activity,
                        asleep: false,
                        cause,
                    },
                );
            }
        }
    }

    /// Moves a stretch to `to`, for as long as it takes, if that is still to come.
    fn shift(
        &mut self,
        (index, start, end): (usize, Minute, Minute),
        notice: &Notice,
        to: Minute,
        task: &ReviseSchedule<'_>,
        rules: &Rules<'_>,
    ) {
        let block = self.blocks[index].clone();
        let activity = notice.in_its_words(&block.activity).to_owned();
        if to < self.now || to == start && activity == block.activity {
            return;
        }
        let there = self.blocks[self.minutes[self.cell(to)]].clone();
        let cause = task.cause;
        if gives_way(&there, notice) {
            self.go_on(start, end, there, cause);
        } else {
            self.free(start, end, notice, task, rules);
        }
        let until = to.saturating_add(end - start).min(DAY_MINUTES);
        self.put(
            to,
            until,
            Block {
                start: to,
                activity,
                asleep: block.asleep,
                cause: cause.or(block.cause),
            },
        );
    }

    /// A time before `until`, apart from what is new, where nothing was agreed to and, for what is `moved` for
    /// pleasure, no work is done: as long as wanted or as long as it lasts.
    fn slot_before(
        &self,
        until: Minute,
        wanted: Minute,
        new: (Minute, Minute),
        notice: &Notice,
        moved: &Block,
    ) -> Option<(Minute, Minute, Block)> {
        self.stretches().into_iter().find_map(|(index, start, end)| {
            let block = &self.blocks[index];
            if keeps_its_place(&block.activity, &moved.activity) {
                return None;
            }
            let from = if new.0 <= start && start < new.1
                || start < new.0 && new.0 < start + SHORTEST_MOVED_MINUTES
            {
                new.1.max(start)
            } else {
                start
            };
            let end = end.min(until);
            let end = if from < new.0 { end.min(new.0) } else { end };
            let free = gives_way(block, notice) && end >= from.saturating_add(SHORTEST_MOVED_MINUTES);
            free.then(|| (from, from.saturating_add(wanted).min(end), block.clone()))
        })
    }

    /// Fills time that comes free with what is done beside it.
    fn go_on(&mut self, start: Minute, end: Minute, block: Block, cause: Option<MemoryId>) {
        self.put(
            start,
            end,
            Block {
                start,
                cause,
                ..block
            },
        );
    }

    /// Fills time that comes free: a while with what is done before or after it, more with what the resident
    /// does on a free day.
    fn free(
        &mut self,
        start: Minute,
        end: Minute,
        notice: &Notice,
        task: &ReviseSchedule<'_>,
        rules: &Rules<'_>,
    ) {
        let cause = task.cause;
        let short = end - start <= LONGEST_GOING_ON_MINUTES;
        if let Some(block) = self.neighbour(start, end, notice).filter(|_| short) {
            self.go_on(start, end, block, cause);
            return;
        }
        let is_off = |text: &str| notice.concerns(text);
        let open: Vec<Arc<str>> = sectors(task)
            .filter(|place| !is_off(place))
            .map(Arc::from)
            .collect();
        let day = DayPlan {
            who: task.who,
            date: task.date,
            wake: Lifestyle::of(task.who).wake,
            appointments: &[],
            recalled: &[],
            known_places: &open,
            places: task.places,
        };
        let free = FreeDay::of(&day, rules, is_off);
        let mut from = start;
        while from < end {
            let activity = free.at(from);
            let until = (from..end)
                .find(|minute| free.at(*minute) != activity)
                .unwrap_or(end);
            self.put(
                from,
                until,
                Block {
                    start: from,
                    activity: activity.to_owned(),
                    asleep: false,
                    cause,
                },
            );
            from = until;
        }
    }

    /// What is done before `start`, else after `end`, and may go on in between.
    fn neighbour(&self, start: Minute, end: Minute, notice: &Notice) -> Option<Block> {
        let before = start
            .checked_sub(1)
            .filter(|minute| *minute >= self.now)
            .map(|minute| self.cell(minute));
        let after = (end < DAY_MINUTES).then(|| self.cell(end));
        let fits = |cell: usize| {
            let block = self.minutes.get(cell).map(|index| &self.blocks[*index]);
            block.filter(|block| gives_way(block, notice)).cloned()
        };
        before.and_then(fits).or_else(|| after.and_then(fits))
    }

    /// The day in blocks; `new` stands however short it is.
    fn blocks(self, new: Option<usize>) -> Vec<Block> {
        let mut kept: Vec<Block> = Vec::new();
        for (index, start, end) in self.stretches() {
            let block = Block {
                start,
                ..self.blocks[index].clone()
            };
            let same = kept.last().is_some_and(|last| {
                last.activity == block.activity && last.asleep == block.asleep && last.cause == block.cause
            });
            let sliver = Some(index) != new
                && end - start < SLIVER_MINUTES
                && block.cause.is_none()
                && end < DAY_MINUTES
                && !kept.is_empty();
            if !same && !sliver {
                kept.push(block);
            }
        }
        kept
    }
}

/// Whether an activity is work, which makes no room for another that is pleasure.
pub(crate) fn keeps_its_place(activity: &str, other: &str) -> bool {
    role_of(other) == Role::Leisure && role_of(activity) == Role::Work
}

/// Whether an activity is an occasion at which people eat.
pub(crate) fn is_fed(activity: &str) -> bool {
    has_word(activity, &lexicon().occasions.fed)
}

/// Whether a stretch may give way, or go on in place of another: nobody agreed to it, it is no meal, and what is
/// said does not concern it.
fn gives_way(block: &Block, notice: &Notice) -> bool {
    let is_meal = role_of(&block.activity) == Role::Meal;
    !block.asleep && block.cause.is_none() && !is_meal && !notice.concerns(&block.activity)
}

/// The sectors that the resident knows.
fn sectors<'a>(task: &ReviseSchedule<'a>) -> impl Iterator<Item = &'a str> {
    let sectors = task.places.iter().filter(|place| place.arena.is_none());
    sectors.map(|place| place.sector)
}

#[cfg(test)]
#[path = "revise_tests.rs"]
mod tests;
