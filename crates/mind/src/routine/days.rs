//! A day in broad strokes, and the whole day hour by hour.
//!
//! A day is planned on the resident's own clock, which begins when it gets up: whoever sleeps from
//! eight in the morning to three in the afternoon has breakfast in the afternoon and is at work at
//! midnight. Strokes are painted one over the other, the less binding first: what fills the time,
//! habits, hours of work, meals, and last what was agreed to. Where the resident's waking hours
//! reach past midnight, the same day's early hours show how such a day ends.
//!
//! The painted day is the one that is lived, hour by hour. Its broad strokes are what is left of it when
//! breaks, ways and, where need be, meals go into what surrounds them. What memories say of the day counts
//! last: what is closed then moves before the closing or is left out, meals are had elsewhere, what is moved
//! goes to its time, and what the resident is to do at an hour is done then.

use townsfolk_time::{DAY_MINUTES, Minute};

use self::canvas::Canvas;
use super::Rules;
use super::lifestyle::{Lifestyle, after, between};
use super::words::lexicon;
use crate::Identity;
use crate::model::reading::Reading;
use crate::tasks::{Block, DayPlan, HourlySchedule, Stroke};

mod canvas;
mod day;
mod leisure;
mod meals;
mod notices;

pub(crate) use self::leisure::FreeDay;
pub(crate) use self::notices::speaks_of;

/// Sleep sooner after getting up is no nap.
const SHORTEST_BEFORE_NAP_MINUTES: Minute = 60;

/// Time to get somewhere before an appointment.
const MARGIN_MINUTES: Minute = 15;

/// Grid on which a day is painted.
const GRID_MINUTES: Minute = 5;

/// A stroke shorter than this joins its neighbour unless it was agreed to.
const SHORTEST_STROKE_MINUTES: Minute = 15;

/// Work without a stated end.
const USUAL_WORK_MINUTES: Minute = 9 * 60;

/// Classes without a stated end.
const USUAL_CLASSES_MINUTES: Minute = 3 * 60;

/// Leisure without a stated end, unless its kind has a length of its own.
const USUAL_LEISURE_MINUTES: Minute = 2 * 60;

/// A stretch at home that goes on for longer is broken, unless its kind has a length of its own.
const LONGEST_AT_HOME_MINUTES: Minute = 210;

/// How long a break in such a stretch takes.
const BREAK_MINUTES: Minute = 45;

/// What is left of a stretch isn't worth breaking for.
const SHORTEST_REST_MINUTES: Minute = 30;

/// How many stretches a day has at most, as a rule.
const MOST_STRETCHES: usize = 10;

/// How many broad strokes a day has at most (Park et al. 2023: 5 to 8), unless more was agreed to.
const MOST_STROKES: usize = 8;

/// The broad strokes of a day.
pub(crate) fn strokes(task: &DayPlan<'_>, rules: &Rules<'_>) -> Vec<Stroke> {
    Canvas::painted(task, rules).broad_strokes()
}

/// Getting ready for bed takes this long at the end of a day without anything agreed to.
const RETIRING_MINUTES: Minute = 30;

/// The whole day, hour by hour. Strokes of these rules stand for the day that they were taken from;
/// anybody else's are the day.
pub(crate) fn hours(task: &HourlySchedule<'_>, rules: &Rules<'_>) -> Vec<Block> {
    let HourlySchedule { plan, strokes } = task;
    let painted = Canvas::painted(plan, rules);
    let usual = painted.strokes();
    if painted.broad_strokes() == *strokes {
        whole_day(plan.who, plan.wake, &usual)
    } else {
        whole_day(plan.who, plan.wake, &without_gaps(strokes, &usual, plan.wake))
    }
}

/// Strokes, and what the usual day has where one of them is said to end before the next begins.
fn without_gaps(strokes: &[Stroke], usual: &[Stroke], wake: Minute) -> Vec<Stroke> {
    let own = |minute: Minute| between(wake % DAY_MINUTES, minute % DAY_MINUTES);
    let mut whole = strokes.to_vec();
    for stroke in strokes {
        // What lasts until the next day begins leaves nothing open.
        let Some(until) = stroke.until.filter(|until| own(*until) > own(stroke.start)) else {
            continue;
        };
        let starts = strokes.iter().map(|other| own(other.start));
        let next = starts.filter(|start| *start > own(stroke.start)).min();
        let gap = own(until)..next.unwrap_or(DAY_MINUTES);
        if gap.is_empty() {
            continue;
        }
        let going_on = usual.iter().filter(|other| own(other.start) <= gap.start);
        whole.extend(going_on.max_by_key(|other| own(other.start)).map(|other| Stroke {
            start: until,
            ..other.clone()
        }));
        let begun = |other: &&Stroke| own(other.start) > gap.start && gap.contains(&own(other.start));
        whole.extend(usual.iter().filter(begun).cloned());
    }
    whole
}

/// A whole day from its parts: asleep from bed to `wake` and in naps, awake otherwise.
fn whole_day(who: &Identity, wake: Minute, strokes: &[Stroke]) -> Vec<Block> {
    let phrases = &lexicon().phrases;
    let lifestyle = Lifestyle::of(who);
    let wake = wake % DAY_MINUTES;
    let mut awake = lifestyle.awake_minutes(wake);
    let own = |stroke: &Stroke| between(wake, stroke.start % DAY_MINUTES);
    let sleeps = |stroke: &Stroke| Reading::get().is_sleep(&stroke.activity);
    let mut awake_strokes: Vec<(Minute, &Stroke)> = Vec::with_capacity(strokes.len());
    let mut bed = None;
    for stroke in strokes {
        let start = own(stroke);
        if sleeps(stroke) {
            // "go to bed" in a plan says when, within reason.
            if start > awake.saturating_sub(180) && start < awake + 240 {
                bed = Some(start.min(DAY_MINUTES - 60));
            } else if (SHORTEST_BEFORE_NAP_MINUTES..awake).contains(&start) {
                awake_strokes.push((start, stroke));
            }
        } else if start < awake + 180 {
            awake_strokes.push((start, stroke));
        } else if DAY_MINUTES - start <= 60 {
            // Rising a little before the hour that was asked for.
            awake_strokes.push((0, stroke));
        }
    }
    awake_strokes.sort_by_key(|(start, _)| *start);
    let late = awake_strokes
        .iter()
        .map(|(start, _)| *start)
        .max()
        .filter(|start| *start >= awake);
    awake = bed
        .or(late.map(|start| (start + 60).min(DAY_MINUTES - 60)))
        .unwrap_or(awake)
        .max(60);
    awake_strokes.retain(|(start, _)| *start < awake);

    let mut own_blocks: Vec<(Minute, Block)> = Vec::with_capacity(strokes.len() + 2);
    let block = |activity: &str, asleep, cause| Block {
        start: 0,
        activity: activity.to_owned(),
        asleep,
        cause,
    };
    if awake_strokes.first().is_none_or(|(start, _)| *start > 0) {
        own_blocks.push((0, block(&phrases.rising, false, None)));
    }
    for (start, stroke) in &awake_strokes {
        // Two at one time: what was agreed to stands, else the later one.
        let next = block(stroke.activity.trim(), sleeps(stroke), stroke.cause);
        match own_blocks.last_mut() {
            Some((before, last)) if *before == *start => {
                if last.cause.is_none() {
                    *last = next;
                }
            }
            Some((_, last)) if last.activity == next.activity && last.cause == next.cause => {}
            _ => own_blocks.push((*start, next)),
        }
    }
    for (_, block) in &mut own_blocks {
        if block.activity.is_empty() {
            block.activity = phrases.resting.clone();
        }
    }
    if let Some((start, last)) = own_blocks.last()
        && last.cause.is_none()
        && awake >= start + 3 * RETIRING_MINUTES
    {
        own_blocks.push((awake - RETIRING_MINUTES, block(&phrases.retiring, false, None)));
    }
    own_blocks.push((awake, block(&phrases.sleeping, true, None)));
    onto_the_wall(own_blocks, wake)
}

/// From the resident's clock to the one on the wall, in stretches of at least fifteen minutes.
fn onto_the_wall(own_blocks: Vec<(Minute, Block)>, wake: Minute) -> Vec<Block> {
    let mut blocks: Vec<Block> = own_blocks
        .into_iter()
        .map(|(own, block)| Block {
            start: after(wake, own),
            ..block
        })
        .collect();
    blocks.sort_by_key(|block| block.start);
    if blocks.first().is_some_and(|first| first.start > 0)
        && let Some(last) = blocks.last()
    {
        // What goes on at midnight began the evening before.
        let first = Block {
            start: 0,
            ..last.clone()
        };
        blocks.insert(0, first);
    }
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let stands = kept.len();
        match kept.last_mut() {
            // Right before bed what was done before it goes on: bedtime stays.
            Some(last)
                if block.start - last.start < SHORTEST_STROKE_MINUTES
                    && last.cause.is_none()
                    && block.asleep
                    && stands > 1 =>
            {
                *last = block;
            }
            // Too short to stand, unless it was agreed to: what follows begins earlier.
            Some(last) if block.start - last.start < SHORTEST_STROKE_MINUTES && last.cause.is_none() => {
                *last = Block {
                    start: last.start,
                    ..block
                };
            }
            _ => kept.push(block),
        }
    }
    let sliver = |last: &Block| DAY_MINUTES - last.start < SHORTEST_STROKE_MINUTES && last.cause.is_none();
    if kept.len() > 1 && kept.last().is_some_and(sliver) {
        kept.pop();
    }
    kept.dedup_by(|next, last| {
        next.activity == last.activity && next.asleep == last.asleep && next.cause == last.cause
    });
    kept
}

#[cfg(test)]
#[path = "days_tests.rs"]
mod tests;
