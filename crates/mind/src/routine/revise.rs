//! The rest of a day after something came between.
//!
//! What is new goes in at its time; what fits stays; a meal or an appointment that it covers moves
//! behind it if there is room; the rest gives way. Where the reason says that a place closes or is
//! closed ("the clinic closes at noon"), what was planned there for later moves before that time by
//! changing places with what stands there, or is dropped.

use townsfolk_time::{DAY_MINUTES, Minute};

use super::pursuits::{Role, role_of};
use super::text::Words;
use super::when::clock_times_in;
use super::words::lexicon;
use crate::Entry;
use crate::tasks::{Block, ReviseSchedule};

/// The least time for which something is worth moving.
const SHORTEST_MOVED_MINUTES: Minute = 15;
/// Slivers shorter than this join what comes before.
const SLIVER_MINUTES: Minute = 5;

/// Blocks from `now` to midnight with what is new in them, if anything is.
pub(crate) fn revise(task: &ReviseSchedule<'_>) -> Vec<Block> {
    let now = task.now.min(DAY_MINUTES - 1);
    let mut day = Rest::new(task, now);
    let span = task.new.map(|new| {
        let from = new.start.max(now).min(DAY_MINUTES - 1);
        (from, from.saturating_add(new.minutes.max(1)).min(DAY_MINUTES))
    });
    if let Some(closure) = closure(task.reason) {
        // Where nothing is new, no time is taken.
        day.heed(&closure, task, span.unwrap_or((now, now)));
    }
    let (Some(new), Some((from, to))) = (task.new, span) else {
        return day.blocks(None);
    };
    let block = Block {
        start: from,
        activity: named(&new.activity),
        asleep: new.asleep,
        cause: task.cause.or(new.cause),
    };
    let covered = day.covered(from, to);
    let new = day.put(from, to, block);
    day.move_behind(to, covered);
    day.blocks(Some(new))
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

    /// Moves or drops what can't be done any more.
    fn heed(&mut self, closure: &Closure<'_>, task: &ReviseSchedule<'_>, new: (Minute, Minute)) {
        let settled_by_new = task.new.is_some_and(|new| closure.concerns(&new.activity));
        for (index, start, end) in self.stretches() {
            let block = self.blocks[index].clone();
            let too_late = end > closure.from && start >= self.now;
            if block.asleep || !too_late || !closure.concerns(&block.activity) {
                continue;
            }
            let wanted = end - start;
            let slot = if settled_by_new {
                None
            } else {
                self.slot_before(closure.from, wanted, new)
            };
            match slot {
                Some((from, to, displaced)) => {
                    let cause = task.cause;
                    self.put(
                        start,
                        end,
                        Block {
                            start,
                            cause,
                            ..displaced
                        },
                    );
                    self.put(
                        from,
                        to,
                        Block {
                            start: from,
                            cause: cause.or(block.cause),
                            ..block
                        },
                    );
                }
                None => {
                    let instead = self.neighbour(start, end, closure);
                    self.put(
                        start,
                        end,
                        Block {
                            start,
                            cause: task.cause,
                            ..instead
                        },
                    );
                }
            }
        }
    }

    /// A time before `until`, apart from what is new, where nothing was agreed to: as long as wanted
    /// or as long as it lasts.
    fn slot_before(
        &self,
        until: Minute,
        wanted: Minute,
        new: (Minute, Minute),
    ) -> Option<(Minute, Minute, Block)> {
        self.stretches().into_iter().find_map(|(index, start, end)| {
            let block = &self.blocks[index];
            let from = if new.0 <= start && start < new.1
                || start < new.0 && new.0 < start + SHORTEST_MOVED_MINUTES
            {
                new.1.max(start)
            } else {
                start
            };
            let end = end.min(until);
            let end = if from < new.0 { end.min(new.0) } else { end };
            let free =
                !block.asleep && block.cause.is_none() && end >= from.saturating_add(SHORTEST_MOVED_MINUTES);
            free.then(|| (from, from.saturating_add(wanted).min(end), block.clone()))
        })
    }

    /// What is done before `start`, else after `end`, and isn't concerned itself.
    fn neighbour(&self, start: Minute, end: Minute, closure: &Closure<'_>) -> Block {
        let before = start
            .checked_sub(1)
            .filter(|minute| *minute >= self.now)
            .map(|minute| self.cell(minute));
        let after = (end < DAY_MINUTES).then(|| self.cell(end));
        let fits =
            |block: &&Block| !block.asleep && block.cause.is_none() && !closure.concerns(&block.activity);
        let at = |cell: Option<usize>| {
            cell.and_then(|c| self.minutes.get(c))
                .map(|index| &self.blocks[*index])
        };
        at(before)
            .filter(fits)
            .or_else(|| at(after).filter(fits))
            .cloned()
            .unwrap_or_else(|| Block {
                start,
                activity: lexicon().phrases.resting.clone(),
                asleep: false,
                cause: None,
            })
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

/// A place or thing that is not to be had from some time on.
struct Closure<'a> {
    /// What it is, in the reason's own words.
    subject: &'a str,
    /// From when, minutes after midnight.
    from: Minute,
}

impl Closure<'_> {
    fn concerns(&self, activity: &str) -> bool {
        let words = Words::new(activity);
        let subject = self.subject.to_ascii_lowercase();
        (0..words.len()).any(|i| words.phrase_at(i, &subject))
    }
}

/// What the reason says is closed or off: the words right before "closes at noon".
fn closure(reason: &str) -> Option<Closure<'_>> {
    let words = Words::new(reason);
    let found = lexicon()
        .days
        .cancelling
        .iter()
        .filter_map(|phrase| words.find(phrase))
        .min()?;
    let mut end = found;
    while end > 0
        && matches!(
            words.at(end - 1),
            "is" | "was" | "will" | "be" | "has" | "been" | "are" | "today" | "already"
        )
    {
        end -= 1;
    }
    let last = end.checked_sub(1)?;
    // "Hobbs Cafe" is named by both words, "the clinic" by one.
    let mut first = last;
    while first > 0 && words.is_name(last) && words.is_name(first - 1) && words.gap_before(first) == " " {
        first -= 1;
    }
    let time = clock_times_in(&words)
        .into_iter()
        .find(|time| time.words.start > found);
    let from = time.map_or(0, |time| {
        if !time.certain && time.minute < 420 {
            time.minute + 720
        } else {
            time.minute
        }
    });
    Some(Closure {
        subject: words.phrase(first, end),
        from,
    })
}

#[cfg(test)]
#[path = "revise_tests.rs"]
mod tests;
