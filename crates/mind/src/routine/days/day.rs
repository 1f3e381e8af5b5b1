//! What a day is made of, and when it is done: hours of work, what was agreed to, what one is at.

use townsfolk_time::{DAY_MINUTES, Minute};

use super::super::Rules;
use super::super::activities::gerund;
use super::super::lifestyle::{Lifestyle, between};
use super::super::phrases::fill;
use super::super::pursuits::{self, Habit, Pursuit, Role};
use super::super::revise::is_fed;
use super::super::text::Words;
use super::super::words::lexicon;
use super::canvas::Canvas;
use super::notices::called_off;
use super::{
    MARGIN_MINUTES, SHORTEST_STROKE_MINUTES, USUAL_CLASSES_MINUTES, USUAL_LEISURE_MINUTES, USUAL_WORK_MINUTES,
};
use crate::tasks::DayPlan;

/// What a day's plan is made of.
pub(super) struct Day<'a> {
    pub(super) task: &'a DayPlan<'a>,
    pub(super) rules: &'a Rules<'a>,
    pub(super) wake: Minute,
    /// Minutes from getting up to going to bed.
    pub(super) awake: Minute,
    pub(super) lifestyle: Lifestyle,
    pub(super) required: Vec<Pursuit>,
    pub(super) work: Vec<Pursuit>,
    pub(super) habits: Vec<Habit>,
    pub(super) breakfast: Minute,
    pub(super) lunch: Minute,
    pub(super) dinner: Minute,
}

impl<'a> Day<'a> {
    pub(super) fn new(task: &'a DayPlan<'a>, rules: &'a Rules<'a>) -> Self {
        let lifestyle = Lifestyle::of(task.who);
        let wake = task.wake % DAY_MINUTES;
        let mut awake = lifestyle.awake_minutes(wake);
        // An appointment late at night keeps the resident up.
        for appointment in task.appointments.iter().filter(|a| a.occasion.date == task.date) {
            let start = between(wake, appointment.occasion.start);
            if start < awake.saturating_add(240) {
                awake = awake.max((start + appointment.occasion.minutes.min(720)).min(DAY_MINUTES - 60));
            }
        }
        let mut habits = pursuits::habits(task.who, task.recalled);
        let mut required = pursuits::required(task.who);
        // "likes to go to Hobbs Cafe to eat and study" is a habit with a meal.
        required.retain(|p| match &p.place {
            Some(place) if p.role == Role::Meal && place != "home" => {
                let purpose = p.activity.split_once(" and ").map(|(_, verb)| gerund(verb));
                let habit = Habit {
                    place: place.clone(),
                    purpose,
                    part: p.part,
                    eats: true,
                    seldom: false,
                };
                habits.retain(|h| h.place != *place);
                habits.insert(0, habit);
                false
            }
            _ => true,
        });
        let mut work = pursuits::work(task.who);
        let posts = |p: &Pursuit| p.start.is_some();
        if required.iter().any(posts) {
            work.retain(|p| !p.is_post());
        }
        let day = Self {
            task,
            rules,
            wake,
            awake,
            lifestyle,
            required,
            work,
            habits,
            breakfast: 0,
            lunch: 0,
            dinner: 0,
        };
        day.with_meals()
    }

    /// Hours of work and classes that the texts state.
    pub(super) fn work(&self, canvas: &mut Canvas) {
        for pursuit in &self.required {
            if let Some((start, end)) = self.hours(pursuit) {
                canvas.paint(start, end, pursuit.in_words(), None);
            }
        }
        let occupied: Minute = self
            .required
            .iter()
            .filter_map(|p| self.hours(p))
            .map(|(from, to)| to - from)
            .sum();
        // A post without stated hours is worked at from morning to dinner.
        if occupied == 0
            && let Some(post) = self.work.iter().find(|p| p.is_post())
        {
            canvas.paint(
                self.breakfast + 30,
                self.dinner.min(self.breakfast + 30 + USUAL_WORK_MINUTES),
                post.in_words(),
                None,
            );
        }
        // Who is at a post all day slips out for an errand now and then.
        let errand = self
            .work
            .iter()
            .find(|p| p.role == Role::Leisure && pursuits::is_errand(&p.activity));
        if let Some(errand) = errand.filter(|_| occupied >= 480 && self.rules.chance.happens("errand", 0.6)) {
            let from = self.lunch + 120;
            canvas.paint(from, from + 45, errand.in_words(), None);
        }
    }

    /// A pursuit's hours on the resident's own clock, if it has any.
    pub(super) fn hours(&self, pursuit: &Pursuit) -> Option<(Minute, Minute)> {
        let start = between(self.wake, pursuit.start?);
        if start >= self.awake {
            return None;
        }
        let end = match pursuit.end {
            Some(end) => between(self.wake, end),
            None => {
                let words = Words::new(&pursuit.activity);
                let timed = (0..words.len()).any(|i| lexicon().days.timed.iter().any(|t| t == words.at(i)));
                let usual = start
                    + match longest(&pursuit.activity) {
                        _ if timed => USUAL_CLASSES_MINUTES,
                        Some(longest) => longest,
                        None if pursuit.role == Role::Leisure => USUAL_LEISURE_MINUTES,
                        None => USUAL_WORK_MINUTES,
                    };
                if !timed && self.dinner > start + 180 {
                    usual.min(self.dinner)
                } else {
                    usual
                }
            }
        };
        let end = if end <= start {
            start + USUAL_WORK_MINUTES
        } else {
            end
        };
        Some((start, end.min(self.awake)))
    }

    /// What was agreed to, exactly at its time, with a little time to get there.
    pub(super) fn appointments(&self, canvas: &mut Canvas) {
        let phrases = &lexicon().phrases;
        for appointment in self
            .task
            .appointments
            .iter()
            .filter(|a| a.occasion.date == self.task.date)
        {
            if called_off(appointment, self.task) {
                continue;
            }
            let occasion = &appointment.occasion;
            let start = between(self.wake, occasion.start);
            if start >= self.awake {
                continue;
            }
            let end = (start + occasion.minutes.max(SHORTEST_STROKE_MINUTES)).min(self.awake);
            let place = occasion.place.as_deref();
            let hosts = occasion.host.as_deref() == Some(&*self.task.who.name);
            let what = &occasion.what;
            let at = place.map_or_else(String::new, |place| fill(&phrases.at_place, &[("place", place)]));
            let already_there =
                place.is_some_and(|place| canvas.words_at(start.saturating_sub(5)).contains(place));
            // Whatever else was planned for dinner then is had afterwards.
            if self.dinner + 60 > start && self.dinner < end && end + 60 < self.awake && !is_fed(what) {
                let words = self.meal_words(&phrases.dinner, end);
                canvas.paint(end, end + 45, words, None);
            }
            if is_fed(what) {
                canvas.skip_meals(start, end, what);
            }
            if hosts {
                canvas.paint(
                    start.saturating_sub(60),
                    start,
                    fill(&phrases.preparing, &[("what", what), ("place", &at)]),
                    appointment.memory,
                );
                canvas.paint(
                    start,
                    end,
                    fill(&phrases.hosting, &[("what", what), ("place", &at)]),
                    appointment.memory,
                );
                continue;
            }
            let whose = match &occasion.host {
                Some(host) => fill(&phrases.somebodys, &[("host", host), ("what", what)]),
                None => fill(&phrases.the, &[("what", what)]),
            };
            if !already_there {
                let margin = start.saturating_sub(MARGIN_MINUTES);
                let words = match place {
                    Some(place) => fill(&phrases.going, &[("place", place), ("what", &whose)]),
                    None => fill(&phrases.going_anywhere, &[("what", &whose)]),
                };
                canvas.paint(margin, start, words, appointment.memory);
            }
            canvas.paint(
                start,
                end,
                fill(&phrases.attending, &[("what", &whose), ("place", &at)]),
                appointment.memory,
            );
        }
    }

    /// What the resident works on when no hours are set: what its days require, else what occupies
    /// it at present, else its occupation.
    pub(super) fn main_work(&self) -> Option<Pursuit> {
        let flexible = |p: &&Pursuit| p.start.is_none() && p.minutes.is_none() && p.role == Role::Work;
        let required = self.required.iter().find(flexible);
        let main = required.or_else(|| self.work.iter().find(|p| p.role == Role::Work && !p.is_post()))?;
        // "studying" alone is told by the occupation: what, and where; "working" by what one works on.
        let bare = !main.activity.contains(' ');
        let more = self
            .work
            .iter()
            .find(|p| bare && p.activity.starts_with(&main.activity) && !p.is_post());
        let more = more.map(|more| Pursuit {
            place: main.place.clone().or(more.place.clone()),
            ..more.clone()
        });
        Some(more.unwrap_or_else(|| main.clone()))
    }

    /// Whether `main` is what the requirement asks for, perhaps in more words than it uses.
    pub(super) fn is_required(&self, main: Option<&Pursuit>) -> bool {
        main.is_some_and(|main| self.required.iter().any(|p| tells(main, p)))
    }

    pub(super) fn is_sociable(&self) -> bool {
        let traits = Words::new(&self.task.who.traits);
        (0..traits.len()).any(|i| lexicon().days.sociable.iter().any(|s| s == traits.at(i)))
    }

    pub(super) fn is_post_place(&self, place: &str) -> bool {
        self.required
            .iter()
            .chain(&self.work)
            .any(|p| p.is_post() && p.place.as_deref().is_some_and(|own| own.contains(place)))
    }
}

/// How long an activity of this kind goes on, where the lexicon says.
pub(super) fn longest(activity: &str) -> Option<Minute> {
    pursuits::kind_name(activity).and_then(|kind| lexicon().days.longest.get(kind).copied())
}

/// Whether `main` tells of flexible work what `short` does in fewer words.
pub(super) fn tells(main: &Pursuit, short: &Pursuit) -> bool {
    let flexible = short.start.is_none() && short.minutes.is_none() && short.role == Role::Work;
    flexible && main.activity.starts_with(&short.activity)
}

/// An activity with its place.
pub(super) fn placed(activity: &str, place: &str) -> String {
    format!(
        "{activity}{}",
        fill(&lexicon().phrases.at_place, &[("place", place)])
    )
}

/// "studying at Oak Hill College" without where.
pub(super) fn without_place(activity: &str) -> &str {
    activity.split(" at ").next().unwrap_or(activity)
}
