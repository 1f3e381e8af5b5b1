//! A day being painted, one thing over the other, and what of it goes into broad strokes.

use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, Minute};

use super::super::Rules;
use super::super::lifestyle::after;
use super::super::notices::Says;
use super::super::pursuits::{self, Role};
use super::super::words::lexicon;
use super::day::Day;
use super::notices::notices;
use super::{GRID_MINUTES, MOST_STRETCHES, MOST_STROKES, SHORTEST_STROKE_MINUTES};
use crate::tasks::{DayPlan, Stroke};

/// A day on the resident's own clock, painted in cells of five minutes.
pub(super) struct Canvas {
    pub(super) wake: Minute,
    pub(super) cells: Vec<usize>,
    /// What was painted: words and the memory behind them. The first is nothing.
    pub(super) paints: Vec<(String, Option<MemoryId>)>,
}

impl Canvas {
    pub(super) fn new(wake: Minute, awake: Minute) -> Self {
        let phrases = &lexicon().phrases;
        let cells = vec![0; usize::from(awake.div_ceil(GRID_MINUTES)).max(1)];
        Self {
            wake,
            cells,
            paints: vec![(phrases.resting.clone(), None)],
        }
    }

    /// Paints `from..to`, minutes after getting up, over what was there.
    pub(super) fn paint(&mut self, from: Minute, to: Minute, words: String, cause: Option<MemoryId>) {
        let from = usize::from(from / GRID_MINUTES);
        let to = usize::from(to.div_ceil(GRID_MINUTES)).min(self.cells.len());
        if from >= to {
            return;
        }
        let known = self.paints.iter().position(|p| p.0 == words && p.1 == cause);
        let paint = known.unwrap_or_else(|| {
            self.paints.push((words, cause));
            self.paints.len() - 1
        });
        self.cells[from..to].fill(paint);
    }

    /// The day that these inputs make, with all that it holds.
    pub(super) fn painted(task: &DayPlan<'_>, rules: &Rules<'_>) -> Self {
        let day = Day::new(task, rules);
        let mut canvas = Self::new(day.wake, day.awake);
        day.fill(&mut canvas);
        day.work(&mut canvas);
        day.meals(&mut canvas);
        day.vary(&mut canvas);
        day.appointments(&mut canvas);
        let notices = notices(task);
        for (notice, cause) in &notices {
            let off = |place: &str| notices.iter().any(|(n, _)| n.is_off() && n.concerns(place));
            match notice.says {
                Says::Off { from, to } => canvas.close(notice, from..to, *cause, task, rules, off),
                Says::Stays { from, to } => canvas.stay_in(from..to, *cause),
                Says::Moved { stood, to } => canvas.shift(notice, stood, to, *cause),
                Says::Meant { .. } => canvas.fit_in(notice, *cause),
            }
        }
        canvas.join_short(usize::from(SHORTEST_STROKE_MINUTES / GRID_MINUTES));
        for shortest in [4, 6, 9, 12, 18, 24] {
            if canvas.runs().len() <= MOST_STRETCHES {
                break;
            }
            canvas.join_short(shortest);
        }
        canvas
    }

    pub(super) fn words_at(&self, minute: Minute) -> &str {
        let cell = self
            .cells
            .get(usize::from(minute / GRID_MINUTES))
            .copied()
            .unwrap_or(0);
        &self.paints[cell].0
    }

    /// The day as it was painted, on the clock on the wall, from midnight to midnight.
    pub(super) fn strokes(&self) -> Vec<Stroke> {
        self.on_the_wall(&self.runs())
    }

    /// The day in at most [`MOST_STROKES`], unless more was agreed to. What goes is said by the stroke
    /// before it.
    pub(super) fn broad_strokes(&self) -> Vec<Stroke> {
        let mut runs = self.runs();
        loop {
            let strokes = self.on_the_wall(&runs);
            if strokes.len() <= MOST_STROKES {
                return strokes;
            }
            let least = (1..runs.len())
                .filter_map(|i| Some((self.weight(&runs, i)?, i)))
                .min();
            let Some((_, i)) = least else { return strokes };
            runs[i - 1].1 = runs[i].1;
            runs.remove(i);
            if let Some(next) = runs.get(i).copied().filter(|next| next.2 == runs[i - 1].2) {
                runs[i - 1].1 = next.1;
                runs.remove(i);
            }
        }
    }

    /// How much the `i`th of `runs` says about a day: what kind of thing it is, then how long it takes.
    /// None for what has to be said.
    fn weight(&self, runs: &[(usize, usize, usize)], i: usize) -> Option<(u8, usize)> {
        let (from, to, paint) = runs[i];
        let (words, cause) = &self.paints[paint];
        let cause_of = |run: &(usize, usize, usize)| self.paints[run.2].1;
        let next = runs.get(i + 1);
        let kind = if cause.is_some() {
            // The way to something that was agreed, and what has to be ready for it.
            if next.is_none_or(|next| cause_of(next) != *cause) {
                return None;
            }
            1
        } else if pursuits::role_of(words) == Role::Meal {
            // A meal that comes right after getting up belongs to it.
            if i == 1 { 1 } else { 3 }
        } else if next.is_some_and(|next| next.2 == runs[i - 1].2) {
            0
        } else {
            2
        };
        Some((kind, to - from))
    }

    /// Runs as strokes on the clock on the wall, from midnight to midnight.
    fn on_the_wall(&self, runs: &[(usize, usize, usize)]) -> Vec<Stroke> {
        let mut strokes: Vec<Stroke> = Vec::new();
        for (from, to, paint) in runs {
            let (words, cause) = &self.paints[*paint];
            let start = after(self.wake, *from as Minute * GRID_MINUTES);
            let stroke = |start| Stroke {
                start,
                until: None,
                activity: words.clone(),
                cause: *cause,
            };
            strokes.push(stroke(start));
            // A stretch over midnight shows at the day's beginning too.
            let end = u32::from(start) + (to - from) as u32 * u32::from(GRID_MINUTES);
            if end > u32::from(DAY_MINUTES) {
                strokes.push(stroke(0));
            }
        }
        strokes.sort_by_key(|s| s.start);
        strokes
    }

    /// Runs of one paint: first cell, cell after the last, paint.
    pub(super) fn runs(&self) -> Vec<(usize, usize, usize)> {
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for (i, paint) in self.cells.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if run.2 == *paint => run.1 = i + 1,
                _ => runs.push((i, i + 1, *paint)),
            }
        }
        runs
    }

    /// Runs shorter than `cells` that nobody agreed to and that are no meal become part of the run
    /// before, or of the one after.
    fn join_short(&mut self, cells: usize) {
        loop {
            let runs = self.runs();
            let keep = |paint: usize| {
                self.paints[paint].1.is_some()
                    || cells > 3 && pursuits::role_of(&self.paints[paint].0) == Role::Meal
            };
            let short = (0..runs.len())
                .filter(|i| runs.len() > 1 && runs[*i].1 - runs[*i].0 < cells && !keep(runs[*i].2))
                .min_by_key(|i| runs[*i].1 - runs[*i].0);
            let Some(i) = short else { return };
            let neighbour = if i == 0 { runs[1].2 } else { runs[i - 1].2 };
            // The day begins with getting up, whatever comes after.
            if i == 0 && cells > 3 {
                return;
            }
            self.cells[runs[i].0..runs[i].1].fill(neighbour);
        }
    }
}
