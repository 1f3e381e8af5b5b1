//! What memories say of a day: what is closed, off or moved, and what the resident is to do then.

use std::ops::Range;

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::{Date, Minute};

use super::super::Rules;
use super::super::lifestyle::{after, between};
use super::super::notices::{Notice, Says, at_home, is_same_meal, meal_elsewhere};
use super::super::pursuits::{self, Role};
use super::super::revise::{FED_MINUTES, LONGEST_GOING_ON_MINUTES, keeps_its_place};
use super::super::text::Words;
use super::super::when::days_in;
use super::super::words::lexicon;
use super::canvas::Canvas;
use super::leisure::FreeDay;
use super::{GRID_MINUTES, SHORTEST_STROKE_MINUTES};
use crate::tasks::{Appointment, DayPlan};

impl Canvas {
    /// Moves what is concerned before the closing, by changing places with what nobody agreed to, or
    /// drops it; who is there by then stays until it closes. A meal is had elsewhere.
    pub(super) fn close(
        &mut self,
        notice: &Notice,
        closed: Range<Minute>,
        cause: MemoryId,
        task: &DayPlan<'_>,
        rules: &Rules<'_>,
        off: impl Fn(&str) -> bool,
    ) {
        let wake = self.wake;
        let wall = |cell: usize| after(wake, cell as Minute * GRID_MINUTES);
        let at = |cell: usize| cell as Minute * GRID_MINUTES;
        let shortest = usize::from(SHORTEST_STROKE_MINUTES / GRID_MINUTES);
        let concerned: Vec<_> = self
            .runs()
            .into_iter()
            .filter(|run| notice.concerns(&self.paints[run.2].0))
            .collect();
        let open_before = |run: &(usize, usize, usize)| {
            let open = |cell: &usize| wall(*cell) + GRID_MINUTES <= closed.start;
            (run.0..run.1).take_while(open).count()
        };
        let had = concerned.iter().any(|run| open_before(run) >= shortest);
        let mut free = None;
        for (first, end, paint) in concerned {
            let during: Vec<usize> = (first..end)
                .filter(|cell| closed.contains(&wall(*cell)))
                .collect();
            let (Some(from), Some(to)) = (during.first().copied(), during.last().map(|cell| cell + 1)) else {
                continue;
            };
            let visit = self.paints[paint].clone();
            if pursuits::role_of(&visit.0) == Role::Meal && visit.1.is_none() {
                let known = task.known_places.iter().map(|place| &**place);
                let meal = meal_elsewhere(&visit.0, known, &off, &rules.chance);
                self.paint(at(first), at(end), meal, Some(cause));
                continue;
            }
            let runs = self.runs();
            let earlier = runs
                .iter()
                .filter(|run| run.0 > 0 && !had && self.gives_way(run, notice))
                .filter(|run| !keeps_its_place(&self.paints[run.2].0, &visit.0))
                .find_map(|run| {
                    let open = open_before(run).min(to - from);
                    (open >= shortest && run.1 <= from).then_some((run.0, run.0 + open, run.2))
                });
            let short = at(to - from) <= LONGEST_GOING_ON_MINUTES;
            let beside = || self.beside(from, to, notice).filter(|_| short);
            if let Some(instead) = earlier.map(|run| run.2).or_else(beside) {
                let words = self.paints[instead].0.clone();
                self.paint(at(from), at(to), words, Some(cause));
            } else {
                let free = free.get_or_insert_with(|| {
                    let open = task.known_places.iter().filter(|place| !off(place));
                    let known_places: Vec<_> = open.cloned().collect();
                    let task = DayPlan {
                        known_places: &known_places,
                        ..task.clone()
                    };
                    FreeDay::of(&task, rules, &off)
                });
                for cell in from..to {
                    self.paint(
                        at(cell),
                        at(cell + 1),
                        free.at(wall(cell)).to_owned(),
                        Some(cause),
                    );
                }
            }
            if let Some((from, to, _)) = earlier {
                self.paint(at(from), at(to), visit.0, Some(cause));
            }
        }
    }

    /// Leaves out the meals that begin soon after `from..to`, when something is eaten, and the same meal as that
    /// whenever it was to be had: what goes before them goes on.
    pub(super) fn skip_meals(&mut self, from: Minute, to: Minute, eaten: &str) {
        let runs = self.runs();
        for (i, run) in runs.iter().enumerate().skip(1) {
            let (words, cause) = &self.paints[run.2];
            let start = run.0 as Minute * GRID_MINUTES;
            let soon = start >= from && start < to.saturating_add(FED_MINUTES);
            if pursuits::role_of(words) == Role::Meal
                && cause.is_none()
                && (soon || is_same_meal(words, eaten))
            {
                self.cells[run.0..run.1].fill(runs[i - 1].2);
            }
        }
    }

    /// Keeps the resident at home for a while: resting, and for meals.
    pub(super) fn stay_in(&mut self, during: Range<Minute>, cause: MemoryId) {
        for (from, to, paint) in self.runs() {
            let words = at_home(&self.paints[paint].0);
            if words == self.paints[paint].0 {
                continue;
            }
            for cell in from..to {
                let own = cell as Minute * GRID_MINUTES;
                if during.contains(&after(self.wake, own)) {
                    self.paint(own, own + GRID_MINUTES, words.clone(), Some(cause));
                }
            }
        }
    }

    /// Whether a run may give way to something, or go on in its place: nobody agreed to it, it is no meal, and it
    /// isn't concerned itself.
    fn gives_way(&self, run: &(usize, usize, usize), notice: &Notice) -> bool {
        let (words, cause) = &self.paints[run.2];
        cause.is_none() && pursuits::role_of(words) != Role::Meal && !notice.concerns(words)
    }

    /// What goes on before `from`, else after `to`, and may go on in between.
    fn beside(&self, from: usize, to: usize, notice: &Notice) -> Option<usize> {
        let runs = self.runs();
        let free = |run: &&(usize, usize, usize)| self.gives_way(run, notice);
        let before = runs.iter().rev().filter(|run| run.1 <= from).find(free);
        before
            .or_else(|| runs.iter().filter(|run| run.0 >= to).find(free))
            .map(|run| run.2)
    }

    /// Moves what is concerned to the time on the wall `to`, with the way there and what has to be ready for it:
    /// what stood at a time, where one is said, else the longest.
    pub(super) fn shift(&mut self, notice: &Notice, stood: Option<Minute>, to: Minute, cause: MemoryId) {
        let runs = self.runs();
        let concerned = |run: &(usize, usize, usize)| notice.concerns(&self.paints[run.2].0);
        let own = |minute: Minute| usize::from(between(self.wake, minute) / GRID_MINUTES);
        let main = (0..runs.len())
            .filter(|i| concerned(&runs[*i]))
            .filter(|i| stood.is_none_or(|stood| (runs[*i].0..runs[*i].1).contains(&own(stood))))
            .max_by_key(|i| (runs[*i].1 - runs[*i].0, std::cmp::Reverse(*i)));
        let target = own(to);
        let Some(main) = main.filter(|_| target < self.cells.len()) else {
            return;
        };
        let first = (0..main)
            .rev()
            .take_while(|i| concerned(&runs[*i]))
            .last()
            .unwrap_or(main);
        let group = &runs[first..=main];
        let (from, until) = (runs[first].0, runs[main].1);
        let lead = runs[main].0 - from;
        let at = |cell: usize| cell as Minute * GRID_MINUTES;
        let instead = self.beside(from, until, notice).unwrap_or(0);
        let words = self.paints[instead].0.clone();
        let moved: Vec<(usize, usize, String)> = group
            .iter()
            .map(|run| {
                let words = notice.in_its_words(&self.paints[run.2].0);
                (run.0 - from, run.1 - from, words.to_owned())
            })
            .collect();
        self.paint(at(from), at(until), words, Some(cause));
        let begin = target.saturating_sub(lead);
        for (start, end, words) in moved {
            self.paint(at(begin + start), at(begin + end), words, Some(cause));
        }
    }

    /// Puts what the resident is to do at an hour in its place; a meal that it takes is had afterwards.
    pub(super) fn fit_in(&mut self, notice: &Notice, cause: MemoryId) {
        let Says::Meant {
            activity,
            at,
            minutes,
            instead,
            ..
        } = &notice.says
        else {
            return;
        };
        let (start, awake) = (between(self.wake, *at), self.cells.len() as Minute * GRID_MINUTES);
        let agreed = self.paints.iter().any(|paint| paint.1 == Some(cause));
        if start >= awake || agreed {
            return;
        }
        let meal = pursuits::role_of(activity) == Role::Meal;
        let planned = |run: &(usize, usize, usize)| {
            let words = &self.paints[run.2].0;
            (pursuits::role_of(words) == Role::Meal) == meal && notice.concerns(words)
        };
        if (meal || *instead) && self.runs().iter().any(planned) {
            return self.shift(notice, None, *at, cause);
        }
        let end = start.saturating_add(*minutes).min(awake);
        let taken = |run: &(usize, usize, usize)| {
            let cells = usize::from(start / GRID_MINUTES)..usize::from(end / GRID_MINUTES);
            let covered = run.1.min(cells.end).saturating_sub(run.0.max(cells.start));
            let (words, cause) = &self.paints[run.2];
            cause.is_none() && pursuits::role_of(words) == Role::Meal && 2 * covered > run.1 - run.0
        };
        let meal = self.runs().into_iter().find(taken);
        let meal = meal.map(|run| {
            (
                (run.1 - run.0) as Minute * GRID_MINUTES,
                self.paints[run.2].0.clone(),
            )
        });
        self.paint(start, end, activity.clone(), Some(cause));
        if let Some((minutes, words)) = meal {
            self.paint(end, end.saturating_add(minutes).min(awake), words, None);
        }
    }
}

/// What the memories say of the day, oldest first. Where they name no day, what they are about says which.
pub(super) fn notices(task: &DayPlan<'_>) -> Vec<(Notice, MemoryId)> {
    let mut found: Vec<_> = task
        .recalled
        .iter()
        .filter(|memory| memory.kind == MemoryKind::Observation)
        .filter_map(|memory| {
            let notice = Notice::of(&memory.text, task.who, memory.created, task.places)?;
            let is_for = speaks_of(&notice, task.date, memory.created.date(), task.appointments);
            is_for.then_some((memory.created, memory.id, notice))
        })
        .collect();
    found.sort_by_key(|(created, id, _)| (*created, *id));
    found.into_iter().map(|(_, id, notice)| (notice, id)).collect()
}

/// Whether a notice given on `said` speaks of `date`: it names the day, or something that was agreed for it.
pub(crate) fn speaks_of(notice: &Notice, date: Date, said: Date, appointments: &[Appointment]) -> bool {
    let of_date = |a: &&Appointment| a.occasion.date == date;
    let agreed = || {
        appointments
            .iter()
            .filter(of_date)
            .any(|a| notice.concerns(&a.occasion.what))
    };
    notice.is_for(date) || notice.names_no_day() && said < date && agreed()
}

/// Whether something came to mind that says the occasion is off.
pub(super) fn called_off(appointment: &Appointment, task: &DayPlan<'_>) -> bool {
    let occasion = &appointment.occasion;
    task.recalled.iter().any(|memory| {
        let words = Words::new(&memory.text);
        let off = lexicon()
            .days
            .calling_off
            .iter()
            .any(|phrase| words.find(phrase).is_some());
        let later = Some(memory.id) > appointment.memory;
        let same_day = days_in(&words, memory.created)
            .first()
            .is_none_or(|day| day.date == occasion.date);
        off && later && same_day && memory.text.contains(occasion.what.as_str())
    })
}
