//! What fills the time between meals and hours of work, and what breaks it.

use townsfolk_time::Minute;

use super::super::Rules;
use super::super::activities::{Setting, kind_of};
use super::super::atlas::{is_eatery, is_pub};
use super::super::lifestyle::between;
use super::super::phrases::fill;
use super::super::pursuits::{self, Habit, Part, Pursuit, Role};
use super::super::text::Words;
use super::super::words::lexicon;
use super::canvas::Canvas;
use super::day::{Day, longest, placed, tells, without_place};
use super::{BREAK_MINUTES, GRID_MINUTES, LONGEST_AT_HOME_MINUTES, SHORTEST_REST_MINUTES};
use crate::tasks::DayPlan;

/// What somebody would do with a day that nothing fixes: what it likes to do, errands, a quiet evening.
pub(crate) struct FreeDay(Canvas);

impl FreeDay {
    /// The day of a plan without its work, its meals, and what is off.
    pub(crate) fn of(task: &DayPlan<'_>, rules: &Rules<'_>, is_off: impl Fn(&str) -> bool) -> Self {
        let mut day = Day::new(task, rules);
        let stays = |p: &Pursuit| p.role == Role::Leisure && !is_off(&p.in_words());
        day.required.retain(|p| stays(p) && p.start.is_none());
        day.work.retain(stays);
        day.habits.retain(|habit| !is_off(&habit.place));
        let mut canvas = Canvas::new(day.wake, day.awake);
        day.fill(&mut canvas);
        day.vary(&mut canvas);
        Self(canvas)
    }

    /// What is done at a minute after midnight.
    pub(crate) fn at(&self, minute: Minute) -> &str {
        self.0.words_at(between(self.0.wake, minute))
    }
}

impl Day<'_> {
    /// What fills the time between meals: flexible work, habits, leisure.
    pub(super) fn fill(&self, canvas: &mut Canvas) {
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
    pub(super) fn vary(&self, canvas: &mut Canvas) {
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
