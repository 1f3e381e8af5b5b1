//! When and where meals are had.

use townsfolk_time::Minute;

use super::super::atlas::{has_word, is_eatery, is_pub};
use super::super::lifestyle::{after, between};
use super::super::phrases::fill;
use super::super::pursuits::Role;
use super::super::words::lexicon;
use super::GRID_MINUTES;
use super::canvas::Canvas;
use super::day::Day;

impl Day<'_> {
    /// Sets the times of meals on the resident's own clock, in minutes after getting up.
    pub(super) fn with_meals(mut self) -> Self {
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

    pub(super) fn meals(&self, canvas: &mut Canvas) {
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
    pub(super) fn meal_words(&self, meal: &str, at: Minute) -> String {
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

    fn dines_with_kin(&self) -> bool {
        let kin = &lexicon().days.kin;
        has_word(&self.task.who.current, kin) || has_word(&self.task.who.background, kin)
    }
}

/// A meal somewhere.
fn having(meal: &str, place: &str) -> String {
    fill(&lexicon().phrases.having, &[("meal", meal), ("place", place)])
}
