//! The rest of a day after something came between.
//!
//! What is new goes in at its time; what fits stays; a meal or an appointment that it covers moves
//! behind it if there is room; the rest gives way. Where the reason says that a place closes or is
//! closed ("the clinic closes at noon"), what was planned there for later moves before that time by
//! changing places with what stands there, or is dropped. What the reason moves ("the clinic at 2pm is
//! moved to 3:30pm") goes to its new time; what the resident means not to do is dropped. A reason that
//! speaks of another day changes nothing today.

use townsfolk_time::{DAY_MINUTES, Date, GameTime, Minute};

use super::phrases::Phrases;
use super::pursuits::{Role, role_of};
use super::text::Words;
use super::when::{ClockTime, clock_times_in, days_in};
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
    if let Some(closure) = closure(task.reason, GameTime::at(task.date, now), task.date) {
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

    /// Moves or drops what can't be done any more, or not then.
    fn heed(&mut self, closure: &Closure<'_>, task: &ReviseSchedule<'_>, new: (Minute, Minute)) {
        if let Some(to) = closure.moved_to {
            self.shift(closure, to, task);
            return;
        }
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

    /// Moves the first thing that is concerned and has not begun to `to`, for as long as it takes.
    fn shift(&mut self, closure: &Closure<'_>, to: Minute, task: &ReviseSchedule<'_>) {
        let stands = |(index, start, end): &(usize, Minute, Minute)| {
            let block = &self.blocks[*index];
            !block.asleep
                && *start >= self.now
                && closure.concerns(&block.activity)
                && (closure.from == 0 || (*start..*end).contains(&closure.from))
        };
        let Some((index, start, end)) = self.stretches().into_iter().find(stands) else {
            return;
        };
        if to < self.now || to == start {
            return;
        }
        let block = self.blocks[index].clone();
        let there = self.blocks[self.minutes[self.cell(to)]].clone();
        let free = !there.asleep && there.cause.is_none() && !closure.concerns(&there.activity);
        let instead = if free {
            there
        } else {
            self.neighbour(start, end, closure)
        };
        let cause = task.cause;
        self.put(
            start,
            end,
            Block {
                start,
                cause,
                ..instead
            },
        );
        let until = to.saturating_add(end - start).min(DAY_MINUTES);
        self.put(
            to,
            until,
            Block {
                start: to,
                cause: cause.or(block.cause),
                ..block
            },
        );
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

/// A place or thing that is not to be had from some time on, or at another time.
pub(crate) struct Closure<'a> {
    /// What it is, in the reason's own words; any of them.
    subjects: Vec<&'a str>,
    /// From when, minutes after midnight; the whole day 0. Where it is moved, the time it stood at, 0
    /// if that isn't said.
    pub(crate) from: Minute,
    /// When it is instead, minutes after midnight.
    moved_to: Option<Minute>,
}

impl Closure<'_> {
    /// Whether an activity needs what is not to be had.
    pub(crate) fn concerns(&self, activity: &str) -> bool {
        let words = Words::new(activity);
        self.subjects.iter().any(|subject| {
            let subject = subject.to_ascii_lowercase();
            (0..words.len()).any(|i| words.phrase_at(i, &subject))
        })
    }

    /// Whether it is not to be had, rather than moved.
    pub(crate) fn closes(&self) -> bool {
        self.moved_to.is_none()
    }
}

/// What the reason, said at `said`, says is closed, off or moved on `date`: the words right before
/// "closes at noon", or what the resident means not to do. Where the reason names no day, it speaks of
/// the day on which it was said.
pub(crate) fn closure(reason: &str, said: GameTime, date: Date) -> Option<Closure<'_>> {
    let words = Words::new(reason);
    let days = days_in(&words, said);
    let speaks_of_it = if days.is_empty() {
        said.date() == date
    } else {
        days.iter().any(|day| day.date == date)
    };
    if !speaks_of_it {
        return None;
    }
    if let Some(shunned) = shunned(&words) {
        return Some(Closure {
            subjects: vec![shunned],
            from: 0,
            moved_to: None,
        });
    }
    let first_of = |phrases: &[String]| phrases.iter().filter_map(|phrase| words.find(phrase)).min();
    let lexicon = &lexicon().days;
    let times = clock_times_in(&words);
    let next = |found: usize| times.iter().find(|time| time.words.start > found).map(daytime);
    let moved = first_of(&lexicon.moving).and_then(|found| Some((found, next(found)?)));
    let found = match moved {
        Some((found, _)) => found,
        None => first_of(&lexicon.cancelling)?,
    };
    let mut end = found;
    let mut stood = None;
    loop {
        let helps = |word: &str| {
            matches!(
                word,
                "is" | "was"
                    | "will"
                    | "be"
                    | "has"
                    | "been"
                    | "are"
                    | "have"
                    | "today"
                    | "tomorrow"
                    | "already"
            )
        };
        if end > 0 && helps(words.at(end - 1)) {
            end -= 1;
        } else if let Some(time) = times.iter().find(|time| time.words.end == end) {
            // "The clinic at 2pm is moved".
            stood = Some(daytime(time));
            end = time.words.start;
            if end > 0 && matches!(words.at(end - 1), "at" | "from") {
                end -= 1;
            }
        } else {
            break;
        }
    }
    let last = end.checked_sub(1)?;
    // "Hobbs Cafe" is named by both words, "the clinic" by one.
    let mut first = last;
    while first > 0
        && words.is_name(last)
        && words.is_name(first - 1)
        && words.gap_before(first) == " "
        && words.at(first - 1) != "the"
    {
        first -= 1;
    }
    let mut subjects = vec![words.phrase(first, end)];
    // "The doctor is ill; all visits are cancelled": whose visits stands before.
    if lexicon.engagements.iter().any(|word| word == words.at(last)) {
        let heads = (1..last)
            .filter(|i| words.at(i - 1) == "the")
            .map(|i| words.raw(i));
        subjects.extend(heads);
    }
    let (from, moved_to) = match moved {
        Some((_, to)) => (stood.unwrap_or(0), Some(to)),
        None => (next(found).unwrap_or(0), None),
    };
    Some(Closure {
        subjects,
        from,
        moved_to,
    })
}

/// Bare hours up to seven are in the afternoon.
fn daytime(time: &ClockTime) -> Minute {
    if !time.certain && time.minute < 420 {
        time.minute + 720
    } else {
        time.minute
    }
}

/// The place or person in "means not to go to the clinic".
fn shunned<'a>(words: &Words<'a>) -> Option<&'a str> {
    let means_not_to = Phrases::get().grammar.means_not_to.as_str();
    let verb = words.find(means_not_to)? + means_not_to.split(' ').count();
    let occasions = &lexicon().occasions;
    let skipped = |i: usize| {
        matches!(words.at(i), "to" | "at" | "in") || occasions.determiners.iter().any(|d| d == words.at(i))
    };
    let mut first = verb + 1;
    while first < words.len() && skipped(first) {
        first += 1;
    }
    let stops = |i: usize| occasions.stops.iter().any(|stop| stop == words.at(i));
    let mut end = first;
    while end < words.len() && !stops(end) && (end == first || words.gap_before(end) == " ") {
        end += 1;
    }
    (end > first).then(|| words.phrase(first, end))
}

#[cfg(test)]
#[path = "revise_tests.rs"]
mod tests;
