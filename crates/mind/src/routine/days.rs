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

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::{DAY_MINUTES, Date, Minute};

use super::Rules;
use super::activities::{Setting, kind_of};
use super::atlas::{has_word, is_eatery, is_pub};
use super::lifestyle::{Lifestyle, after, between};
use super::notices::{Notice, Says, meal_elsewhere};
use super::phrases::fill;
use super::pursuits::{self, Habit, Part, Pursuit, Role};
use super::text::Words;
use super::when::days_in;
use super::words::lexicon;
use crate::Identity;
use crate::model::reading::Reading;
use crate::tasks::{Appointment, Block, DayPlan, HourlySchedule, Stroke};

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

/// What a day's plan is made of.
struct Day<'a> {
    task: &'a DayPlan<'a>,
    rules: &'a Rules<'a>,
    wake: Minute,
    /// Minutes from getting up to going to bed.
    awake: Minute,
    lifestyle: Lifestyle,
    required: Vec<Pursuit>,
    work: Vec<Pursuit>,
    habits: Vec<Habit>,
    breakfast: Minute,
    lunch: Minute,
    dinner: Minute,
}

impl<'a> Day<'a> {
    fn new(task: &'a DayPlan<'a>, rules: &'a Rules<'a>) -> Self {
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
                let purpose = p
                    .activity
                    .split_once(" and ")
                    .map(|(_, verb)| super::activities::gerund(verb));
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

    /// Sets the times of meals on the resident's own clock, in minutes after getting up.
    fn with_meals(mut self) -> Self {
        let own = |minute: Minute| between(self.wake, minute);
        let inside = |t: Minute, from: Minute, to: Minute| (from..to.max(from)).contains(&t);
        let later = self.awake;
        self.breakfast = match self.lifestyle.breakfast.map(own) {
            Some(stated) if inside(stated, 0, later.saturating_sub(60)) => stated,
            _ => 45,
        };
        // Most people in a town have lunch around noon; who gets up late has it later.
        let noon = own(12 * 60 + [0, 0, 15, 30][self.rules.chance.below("lunch time", 4)]);
        let stated = self
            .lifestyle
            .lunch
            .map(own)
            .filter(|t| inside(*t, self.breakfast + 60, later));
        self.lunch = match stated {
            Some(stated) => stated,
            None if inside(noon, 150, later.saturating_sub(180)) => noon,
            None => (self.awake / 4).max(self.breakfast + 60),
        };
        let usual = own(18 * 60);
        let stated = self
            .lifestyle
            .dinner
            .map(own)
            .filter(|t| inside(*t, self.breakfast + 60, later));
        self.dinner = match stated {
            Some(stated) => stated,
            None if inside(usual, self.lunch + 180, later.saturating_sub(60)) => usual,
            None => self.lunch + (self.awake / 3).clamp(60, 330),
        };
        // Who dines at four has lunch well before.
        if self.lunch + 180 > self.dinner
            && self.lifestyle.lunch.is_none()
            && self.dinner > self.breakfast + 240
        {
            self.lunch = self.lunch.min(self.dinner - 180).max(self.breakfast + 90);
        }
        self.breakfast = self.breakfast / GRID_MINUTES * GRID_MINUTES;
        self.lunch = self.lunch / GRID_MINUTES * GRID_MINUTES;
        self.dinner = self.dinner / GRID_MINUTES * GRID_MINUTES;
        self
    }

    /// What fills the time between meals: flexible work, habits, leisure.
    fn fill(&self, canvas: &mut Canvas) {
        let chance = &self.rules.chance;
        let main = self.main_work();
        let (morning, afternoon) = ((self.breakfast, self.lunch), (self.lunch, self.dinner));
        let evening = (self.dinner, self.awake);
        let main_words = |spot: &str| match &main {
            Some(work) => self.at_some_place(work, spot),
            None => self.idle_day(spot),
        };
        canvas.paint(0, self.awake, main_words("morning"), None);
        // Some days bring a second thing in the afternoon.
        let kind = |p: &Pursuit| pursuits::kind_name(&p.activity);
        let differs = |p: &&Pursuit| main.as_ref().is_some_and(|main| kind(p) != kind(main));
        let second = self
            .work
            .iter()
            .filter(differs)
            .find(|p| p.role == Role::Work && !p.is_post());
        let switch = match second {
            Some(second) if chance.happens("second work", 0.35) && !self.is_required(main.as_ref()) => {
                self.at_some_place(second, "afternoon")
            }
            _ => main_words("afternoon"),
        };
        canvas.paint(afternoon.0, afternoon.1, switch, None);
        self.evening(canvas, evening, main.as_ref());
        // Untimed things the resident must or likes to do.
        for pursuit in self
            .required
            .iter()
            .filter(|p| p.start.is_none() && !main.as_ref().is_some_and(|main| tells(main, p)))
        {
            let words = self.outing_or_home(pursuit);
            match (pursuit.role, pursuit.part, pursuit.minutes) {
                (_, _, Some(minutes)) => {
                    // A stated amount fills the afternoon and, if need be, the evening.
                    let from = (self.lunch + 60).max(self.dinner.saturating_sub(minutes));
                    canvas.paint(from, self.dinner, words.clone(), None);
                    let left = minutes.saturating_sub(self.dinner.saturating_sub(from));
                    canvas.paint(
                        evening.0 + 60,
                        (evening.0 + 60 + left).min(self.awake),
                        words,
                        None,
                    );
                }
                (Role::Meal, ..) => {}
                (_, Some(Part::Morning), _) => {
                    canvas.paint(morning.0 + 30, (morning.0 + 90).min(morning.1), words, None)
                }
                (_, Some(Part::Evening), _) => canvas.paint(evening.0 + 60, evening.0 + 150, words, None),
                (Role::Work, ..) => canvas.paint(afternoon.0, afternoon.1, words, None),
                (Role::Leisure, ..) => self.leisure_when_free(canvas, pursuit, words),
            }
        }
    }

    /// Leisure without a time: after work where there is a post, else in the morning or afternoon.
    fn leisure_when_free(&self, canvas: &mut Canvas, pursuit: &Pursuit, words: String) {
        let ends = self
            .required
            .iter()
            .filter(|p| p.start.is_some())
            .filter_map(|p| self.hours(p))
            .map(|(_, end)| end);
        if let Some(end) = ends.max() {
            if self.rules.chance.happens(&pursuit.activity, 0.75) {
                canvas.paint(end, (end + 120).min(self.awake), words, None);
            }
            return;
        }
        let nth = self
            .required
            .iter()
            .filter(|p| p.role == Role::Leisure)
            .position(|p| p == pursuit)
            .unwrap_or(0);
        let (from, to) = if nth % 2 == 0 {
            (self.breakfast + 30, (self.breakfast + 150).min(self.lunch))
        } else {
            (self.lunch, (self.lunch + 180).min(self.dinner))
        };
        canvas.paint(from, to, words, None);
    }

    fn evening(&self, canvas: &mut Canvas, evening: (Minute, Minute), main: Option<&Pursuit>) {
        let phrases = &lexicon().phrases;
        let chance = &self.rules.chance;
        let (from, to) = evening;
        let first = self.at_home(&self.quiet_evening("evening", ""));
        let second = self.at_home(&self.quiet_evening("late evening", &first));
        canvas.paint(from, to, first, None);
        if to.saturating_sub(from) > 120 {
            canvas.paint(from + (to - from) * 3 / 5, to, second, None);
        }
        let long = to.saturating_sub(from) > 300;
        if let Some(main) =
            main.filter(|m| long && m.role == Role::Work && !m.is_post() && chance.happens("late work", 0.6))
        {
            canvas.paint(from, from + (to - from) / 2, self.at_home(&main.activity), None);
        }
        let out: Vec<&Habit> = self
            .habits
            .iter()
            .filter(|h| h.part == Some(Part::Evening) || h.part.is_none() && is_pub(&h.place))
            .filter(|h| !self.is_post_place(&h.place))
            .collect();
        let likely = |h: &Habit| if h.seldom { 0.4 } else { 0.75 };
        if let Some(habit) = out.into_iter().find(|h| chance.happens(&h.place, likely(h))) {
            let start = (from + 60).max(to.saturating_sub(240)).min(to.saturating_sub(90));
            let words = match &habit.purpose {
                Some(purpose) if !habit.eats => placed(purpose, &habit.place),
                _ => fill(&phrases.evening_out, &[("place", &habit.place)]),
            };
            canvas.paint(start, to.saturating_sub(30), words, None);
        } else if self.is_sociable() && chance.happens("going out", 0.3) {
            let pubs: Vec<_> = self
                .task
                .known_places
                .iter()
                .filter(|p| is_pub(p) && !self.is_post_place(p))
                .collect();
            if let Some(place) = chance.pick("which pub", &pubs) {
                let start = (from + 60).max(to.saturating_sub(210)).min(to.saturating_sub(90));
                canvas.paint(
                    start,
                    to.saturating_sub(60),
                    fill(&phrases.drink_out, &[("place", place)]),
                    None,
                );
            }
        }
    }

    /// Hours of work and classes that the texts state.
    fn work(&self, canvas: &mut Canvas) {
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
    fn hours(&self, pursuit: &Pursuit) -> Option<(Minute, Minute)> {
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

    fn meals(&self, canvas: &mut Canvas) {
        let phrases = &lexicon().phrases;
        let rise = if self.awake > 600 { 45 } else { 20 };
        let breakfast = self.breakfast.max(rise);
        canvas.paint(0, rise, phrases.rising.clone(), None);
        canvas.paint(
            breakfast,
            breakfast + 30,
            having(&phrases.breakfast, &phrases.home),
            None,
        );
        let free = |at: Minute| {
            !self
                .required
                .iter()
                .filter_map(|p| self.hours(p))
                .any(|(from, to)| (from..to).contains(&at))
        };
        let lunch_words = self.meal_words(&phrases.lunch, self.lunch);
        let length = if free(self.lunch) { 60 } else { 45 };
        canvas.paint(
            self.lunch,
            (self.lunch + length).min(self.dinner),
            lunch_words,
            None,
        );
        // Work with an end after the usual hour: dinner at the place if one can eat there, else later.
        let (mut dinner, mut length) = (self.dinner, 60);
        let at_work = self
            .required
            .iter()
            .filter_map(|p| Some((p, self.hours(p)?)))
            .find(|(_, (from, to))| (*from..*to).contains(&dinner));
        if let Some((post, (from, to))) = at_work {
            let eats_here = post.place.as_deref().is_some_and(|p| is_eatery(p) || is_pub(p));
            if eats_here || to + 90 > self.awake || self.dinner - from > 480 || to - self.dinner > 180 {
                length = 30;
            } else {
                dinner = to;
            }
        }
        let dinner_words = self.meal_words(&phrases.dinner, dinner);
        canvas.paint(dinner, (dinner + length).min(self.awake), dinner_words, None);
    }

    /// Where a meal is had, in words.
    fn meal_words(&self, meal: &str, at: Minute) -> String {
        let phrases = &lexicon().phrases;
        let chance = &self.rules.chance;
        let at_work = self
            .required
            .iter()
            .find(|p| self.hours(p).is_some_and(|(from, to)| (from..to).contains(&at)));
        let own_place = at_work.and_then(|p| p.place.as_deref());
        if let Some(place) = own_place.filter(|place| is_eatery(place) || is_pub(place)) {
            return having(meal, place);
        }
        // "goes home to eat dinner with his wife".
        let said = self
            .required
            .iter()
            .find(|p| p.role == Role::Meal && p.activity.contains(meal));
        if let Some(said) = said.filter(|_| own_place.is_none()) {
            return said.in_words();
        }
        let habit = self
            .habits
            .iter()
            .find(|h| h.eats && (*meal == *phrases.dinner) == is_pub(&h.place));
        if let Some(habit) = habit.filter(|h| chance.happens(meal, if h.seldom { 0.4 } else { 0.85 })) {
            return having(meal, &habit.place);
        }
        let likely = match (meal == phrases.lunch, own_place) {
            (true, Some(_)) => 0.75,
            (true, None) => 0.5,
            (false, Some(_)) => 0.3,
            _ if self.dines_with_kin() => 0.0,
            _ => 0.1,
        };
        let frequented = self.habits.iter().find(|h| is_eatery(&h.place));
        if chance.happens(&format!("{meal} out"), likely) {
            if let Some(habit) = frequented {
                return having(meal, &habit.place);
            }
            let eateries: Vec<_> = self.task.known_places.iter().filter(|p| is_eatery(p)).collect();
            if let Some(place) = chance.pick(&format!("{meal} where"), &eateries) {
                return having(meal, place);
            }
        }
        // At night nothing else is open and home is asleep: who works then eats there.
        let hour = after(self.wake, at) / 60;
        let at_night = !(6..21).contains(&hour);
        having(meal, own_place.filter(|_| at_night).unwrap_or(&phrases.home))
    }

    /// What was agreed to, exactly at its time, with a little time to get there.
    fn appointments(&self, canvas: &mut Canvas) {
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
            if self.dinner + 60 > start
                && self.dinner < end
                && end + 60 < self.awake
                && !what.contains(&*phrases.dinner)
            {
                let words = self.meal_words(&phrases.dinner, end);
                canvas.paint(end, end + 45, words, None);
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
    fn main_work(&self) -> Option<Pursuit> {
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
    fn is_required(&self, main: Option<&Pursuit>) -> bool {
        main.is_some_and(|main| self.required.iter().any(|p| tells(main, p)))
    }

    /// Flexible work at its place, at a place where the resident likes to do such things, or home.
    fn at_some_place(&self, work: &Pursuit, spot: &str) -> String {
        if work.place.as_deref() == Some("home") {
            return self.at_home(&work.activity);
        }
        let chance = &self.rules.chance;
        let here = |h: &Habit| match &h.purpose {
            Some(purpose) if pursuits::kind_name(purpose) == pursuits::kind_name(&work.activity) => true,
            _ => can_be_done_at(&work.activity, &h.place),
        };
        let suits = |h: &&Habit| {
            let fits = matches!(
                (h.part, spot),
                (None, _) | (Some(Part::Morning), "morning") | (Some(Part::Afternoon), "afternoon")
            );
            fits && here(h) && !is_pub(&h.place) && !self.is_post_place(&h.place)
        };
        if self.is_required(Some(work)) && work.place.is_some() {
            return work.in_words();
        }
        let likely = |h: &Habit| match (h.seldom, h.part.is_some()) {
            (_, true) => 0.9,
            (true, _) => 0.2,
            (false, _) => 0.5,
        };
        match self.habits.iter().find(suits) {
            Some(habit) if chance.happens(&format!("{spot} at {}", habit.place), likely(habit)) => {
                placed(without_place(&work.activity), &habit.place)
            }
            _ if work.place.is_some() => work.in_words(),
            _ => self.at_home(&work.activity),
        }
    }

    fn outing_or_home(&self, pursuit: &Pursuit) -> String {
        match &pursuit.place {
            Some(_) => pursuit.in_words(),
            None => self.at_home(&pursuit.activity),
        }
    }

    /// An activity that is not done elsewhere by its nature or its own words, at home.
    fn at_home(&self, activity: &str) -> String {
        let words = Words::new(activity);
        let says_where = (0..words.len()).any(|i| words.at(i) == "at" || words.at(i) == "home");
        let out = kind_of(&words).is_some_and(|found| found.kind.setting == Setting::Out);
        if says_where || out {
            activity.to_owned()
        } else {
            placed(activity, &lexicon().phrases.home)
        }
    }

    /// What somebody without work does by day: what it likes to do, else something quiet.
    fn idle_day(&self, spot: &str) -> String {
        let phrases = &lexicon().phrases;
        let own = self
            .work
            .iter()
            .filter(|p| p.role == Role::Leisure && !pursuits::is_errand(&p.activity));
        let mut ideas: Vec<String> = own.map(|p| self.at_home(&p.activity)).collect();
        if ideas.is_empty() {
            ideas.extend(lexicon().days.quiet_days.iter().cloned());
        }
        let idea = self.rules.chance.pick(&format!("idle {spot}"), &ideas);
        idea.map_or_else(|| phrases.resting.clone(), Clone::clone)
    }

    /// How the resident likes to spend an evening at home.
    fn quiet_evening(&self, spot: &str, before: &str) -> String {
        let days = &lexicon().days;
        let mut ideas: Vec<&str> = Vec::new();
        let traits = Words::new(&self.task.who.traits);
        ideas.extend(
            (0..traits.len())
                .filter_map(|i| days.evenings.get(traits.at(i)))
                .map(String::as_str),
        );
        ideas.extend(
            self.work
                .iter()
                .filter(|p| p.role == Role::Leisure && !pursuits::is_errand(&p.activity))
                .map(|p| p.activity.as_str()),
        );
        ideas.extend(days.quiet_evenings.iter().map(String::as_str));
        let earlier = pursuits::kind_name(before);
        ideas.retain(|idea| earlier.is_none() || pursuits::kind_name(idea) != earlier);
        self.rules
            .chance
            .pick(spot, &ideas)
            .map_or_else(|| "resting".to_owned(), |idea| (*idea).to_owned())
    }

    /// Breaks what would go on too long, so that nobody shops for an afternoon or keeps house all day,
    /// and nobody stays in all day without need.
    fn vary(&self, canvas: &mut Canvas) {
        let home = &lexicon().phrases.home;
        let at_home = |canvas: &Canvas, paint: usize| {
            let words = Words::new(&canvas.paints[paint].0);
            let quiet =
                kind_of(&words).is_some_and(|f| matches!(f.kind.setting, Setting::Home | Setting::OwnRoom));
            quiet || words.find(home).is_some()
        };
        let runs = canvas.runs();
        let mut stays_in = runs.iter().all(|run| at_home(canvas, run.2));
        let mut used: Vec<String> = Vec::new();
        for (from, to, paint) in runs {
            let words = canvas.paints[paint].0.clone();
            let is_set = |p: &Pursuit| p.start.is_some() && p.in_words() == words;
            let kept = pursuits::role_of(&words) == Role::Meal || self.required.iter().any(is_set);
            let limit = longest(&words)
                .or(at_home(canvas, paint).then_some(LONGEST_AT_HOME_MINUTES))
                .filter(|_| !kept);
            let Some(limit) = limit else { continue };
            let to = to as Minute * GRID_MINUTES;
            let mut at = from as Minute * GRID_MINUTES + limit;
            // One errand or walk is enough; other things are gone on with after the break.
            let once = kind_of(&Words::new(&words)).is_some_and(|f| f.kind.setting == Setting::Out);
            used.push(words);
            while at + SHORTEST_REST_MINUTES <= to {
                let Some(idea) = self.pause(at, stays_in, &used) else {
                    break;
                };
                stays_in = false;
                let length = if once {
                    longest(&idea).unwrap_or(LONGEST_AT_HOME_MINUTES)
                } else {
                    BREAK_MINUTES
                };
                let end = if at + length + SHORTEST_REST_MINUTES > to {
                    to
                } else {
                    at + length
                };
                canvas.paint(at, end, idea.clone(), None);
                used.push(idea);
                at = if once { end } else { end + limit };
            }
        }
    }

    /// Something else to do for a while, of another kind than what the day has had so far.
    fn pause(&self, at: Minute, goes_out: bool, used: &[String]) -> Option<String> {
        let days = &lexicon().days;
        let chance = &self.rules.chance;
        let evening = at >= self.dinner;
        let mut ideas: Vec<String> = Vec::new();
        if !evening {
            ideas.extend(days.breaks_out.iter().cloned());
            let own = self.work.iter().filter(|p| p.role == Role::Leisure);
            ideas.extend(own.map(|p| self.outing_or_home(p)));
            let known = self.task.known_places.iter();
            let eateries: Vec<_> = known.filter(|p| is_eatery(p) && !self.is_post_place(p)).collect();
            let visit = chance.pick("which cafe", &eateries);
            ideas.extend(visit.map(|place| fill(&lexicon().phrases.visiting, &[("place", place)])));
        }
        if evening || !goes_out {
            let quiet = if evening {
                &days.quiet_evenings
            } else {
                &days.breaks_in
            };
            ideas.extend(quiet.iter().cloned());
        }
        ideas.retain(|idea| {
            let kind = pursuits::kind_name(idea);
            !used.iter().any(|u| u == idea || pursuits::kind_name(u) == kind)
        });
        chance.pick(&format!("break at {at}"), &ideas).cloned()
    }

    fn dines_with_kin(&self) -> bool {
        let kin = &lexicon().days.kin;
        has_word(&self.task.who.current, kin) || has_word(&self.task.who.background, kin)
    }

    fn is_sociable(&self) -> bool {
        let traits = Words::new(&self.task.who.traits);
        (0..traits.len()).any(|i| lexicon().days.sociable.iter().any(|s| s == traits.at(i)))
    }

    fn is_post_place(&self, place: &str) -> bool {
        self.required
            .iter()
            .chain(&self.work)
            .any(|p| p.is_post() && p.place.as_deref().is_some_and(|own| own.contains(place)))
    }
}

/// How long an activity of this kind goes on, where the lexicon says.
fn longest(activity: &str) -> Option<Minute> {
    pursuits::kind_name(activity).and_then(|kind| lexicon().days.longest.get(kind).copied())
}

/// Whether a place like this has what the activity needs: papers can be gone through in a cafe, boats
/// can't be planked there.
fn can_be_done_at(activity: &str, place: &str) -> bool {
    let words = Words::new(place);
    let guests = is_eatery(place);
    kind_of(&Words::new(activity)).is_some_and(|found| {
        found
            .kind
            .objects
            .iter()
            .any(|object| guests && object == "customer seating" || words.find(object).is_some())
    })
}

/// Whether `main` tells of flexible work what `short` does in fewer words.
fn tells(main: &Pursuit, short: &Pursuit) -> bool {
    let flexible = short.start.is_none() && short.minutes.is_none() && short.role == Role::Work;
    flexible && main.activity.starts_with(&short.activity)
}

/// An activity with its place.
fn placed(activity: &str, place: &str) -> String {
    format!(
        "{activity}{}",
        fill(&lexicon().phrases.at_place, &[("place", place)])
    )
}

/// A meal somewhere.
fn having(meal: &str, place: &str) -> String {
    fill(&lexicon().phrases.having, &[("meal", meal), ("place", place)])
}

/// "studying at Oak Hill College" without where.
fn without_place(activity: &str) -> &str {
    activity.split(" at ").next().unwrap_or(activity)
}

/// What the memories say of the day, oldest first. Where they name no day, what they are about says which.
fn notices(task: &DayPlan<'_>) -> Vec<(Notice, MemoryId)> {
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
fn called_off(appointment: &Appointment, task: &DayPlan<'_>) -> bool {
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

/// A day on the resident's own clock, painted in cells of five minutes.
struct Canvas {
    wake: Minute,
    cells: Vec<usize>,
    /// What was painted: words and the memory behind them. The first is nothing.
    paints: Vec<(String, Option<MemoryId>)>,
}

impl Canvas {
    fn new(wake: Minute, awake: Minute) -> Self {
        let phrases = &lexicon().phrases;
        let cells = vec![0; usize::from(awake.div_ceil(GRID_MINUTES)).max(1)];
        Self {
            wake,
            cells,
            paints: vec![(phrases.resting.clone(), None)],
        }
    }

    /// Paints `from..to`, minutes after getting up, over what was there.
    fn paint(&mut self, from: Minute, to: Minute, words: String, cause: Option<MemoryId>) {
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
    fn painted(task: &DayPlan<'_>, rules: &Rules<'_>) -> Self {
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
                Says::Off { from } => canvas.close(notice, from, *cause, task, rules, off),
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

    /// Moves what is concerned before the closing, by changing places with what nobody agreed to, or
    /// drops it. A meal is had elsewhere.
    fn close(
        &mut self,
        notice: &Notice,
        off_from: Minute,
        cause: MemoryId,
        task: &DayPlan<'_>,
        rules: &Rules<'_>,
        off: impl Fn(&str) -> bool,
    ) {
        let wall = |cell: usize| after(self.wake, cell as Minute * GRID_MINUTES);
        let late = |run: &(usize, usize, usize)| wall(run.1 - 1) >= off_from;
        let concerned: Vec<_> = self
            .runs()
            .into_iter()
            .filter(|run| notice.concerns(&self.paints[run.2].0) && late(run))
            .collect();
        for (from, to, paint) in concerned {
            let visit = self.paints[paint].clone();
            let at = |cell: usize| cell as Minute * GRID_MINUTES;
            if pursuits::role_of(&visit.0) == Role::Meal && visit.1.is_none() {
                let known = task.known_places.iter().map(|place| &**place);
                let meal = meal_elsewhere(&visit.0, known, &off, &rules.chance);
                self.paint(at(from), at(to), meal, Some(cause));
                continue;
            }
            let runs = self.runs();
            let shortest = usize::from(SHORTEST_STROKE_MINUTES / GRID_MINUTES);
            let earlier = runs
                .iter()
                .filter(|run| self.gives_way(run, notice))
                .filter(|run| run.0 > 0 && pursuits::role_of(&self.paints[run.2].0) != Role::Meal)
                .find_map(|run| {
                    let open = (run.0..run.1)
                        .take_while(|cell| after(self.wake, (*cell as Minute + 1) * GRID_MINUTES) <= off_from)
                        .count()
                        .min(to - from);
                    (open >= shortest && run.1 <= from).then_some((run.0, run.0 + open, run.2))
                });
            let instead = earlier.map(|run| run.2).or_else(|| self.beside(from, to, notice));
            let words = self.paints[instead.unwrap_or(0)].0.clone();
            self.paint(at(from), at(to), words, Some(cause));
            if let Some((from, to, _)) = earlier {
                self.paint(at(from), at(to), visit.0, Some(cause));
            }
        }
    }

    /// Whether a run may give way to something: nobody agreed to it, and it isn't concerned itself.
    fn gives_way(&self, run: &(usize, usize, usize), notice: &Notice) -> bool {
        let (words, cause) = &self.paints[run.2];
        cause.is_none() && !notice.concerns(words)
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
    fn shift(&mut self, notice: &Notice, stood: Option<Minute>, to: Minute, cause: MemoryId) {
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
            .map(|run| (run.0 - from, run.1 - from, self.paints[run.2].0.clone()))
            .collect();
        self.paint(at(from), at(until), words, Some(cause));
        let begin = target.saturating_sub(lead);
        for (start, end, words) in moved {
            self.paint(at(begin + start), at(begin + end), words, Some(cause));
        }
    }

    /// Puts what the resident is to do at an hour in its place; a meal that it takes is had afterwards.
    fn fit_in(&mut self, notice: &Notice, cause: MemoryId) {
        let Says::Meant {
            activity,
            at,
            minutes,
            instead,
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

    fn words_at(&self, minute: Minute) -> &str {
        let cell = self
            .cells
            .get(usize::from(minute / GRID_MINUTES))
            .copied()
            .unwrap_or(0);
        &self.paints[cell].0
    }

    /// The day as it was painted, on the clock on the wall, from midnight to midnight.
    fn strokes(&self) -> Vec<Stroke> {
        self.on_the_wall(&self.runs())
    }

    /// The day in at most [`MOST_STROKES`], unless more was agreed to. What goes is said by the stroke
    /// before it.
    fn broad_strokes(&self) -> Vec<Stroke> {
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
    fn runs(&self) -> Vec<(usize, usize, usize)> {
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
        match kept.last_mut() {
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
