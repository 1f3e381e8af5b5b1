//! One stretch of the day in steps of five to fifteen minutes.
//!
//! What an activity consists of is told by its kind in the lexicon, whether it is done at home or
//! elsewhere, and the resident's own words stay in front: "writing a novel (making notes)". A step
//! that would only repeat them is the activity itself.

use townsfolk_time::Minute;

use super::Rules;
use super::activities::{self, Found, Setting, kind_of};
use super::phrases::fill;
use super::pursuits::{self, Pursuit};
use super::text::Words;
use super::words::lexicon;
use crate::Entry;
use crate::tasks::{Decompose, Step};

/// A stretch shorter than this stays whole.
const SHORTEST_STRETCH_MINUTES: Minute = 20;
/// Shortest and longest step (Park et al. 2023: 5 to 15 minutes).
const STEP_MINUTES: (Minute, Minute) = (5, 15);
/// Usual length of a step.
const USUAL_STEP_MINUTES: Minute = 12;

/// The steps of a stretch; together exactly as long.
pub(crate) fn steps(task: &Decompose<'_>, rules: &Rules<'_>) -> Vec<Step> {
    let entry = task.entry;
    let whole = || {
        let text = entry.activity.trim();
        let activity = if text.is_empty() {
            lexicon().phrases.resting.clone()
        } else {
            text.to_owned()
        };
        vec![Step {
            activity,
            minutes: entry.minutes,
        }]
    };
    if entry.asleep || entry.minutes < SHORTEST_STRETCH_MINUTES {
        return whole();
    }
    let words = Words::new(&entry.activity);
    let Some(found) = kind_of(&words) else {
        return whole();
    };
    let steps = step_texts(task, &words, &found);
    if steps.is_empty() {
        return whole();
    }
    let lengths = lengths(entry.minutes, steps.len(), found.kind.whole);
    let mut order = order(lengths.len(), steps.len(), &found, entry, rules);
    let shown = |text: &str| {
        let said = Words::new(text);
        let told = (0..said.len()).all(|i| words.find(said.at(i)).is_some());
        if found.kind.whole {
            text.to_owned()
        } else if told {
            // The activity itself, which the step would only say again.
            entry.activity.trim().to_owned()
        } else {
            format!("{} ({text})", entry.activity.trim())
        }
    };
    let mut texts: Vec<String> = order.drain(..).map(|i| shown(&steps[i])).collect();
    if found.kind.setting == Setting::Counter {
        open_and_close(task, &mut texts, shown);
    }
    texts
        .into_iter()
        .zip(lengths)
        .map(|(activity, minutes)| Step { activity, minutes })
        .collect()
}

/// The texts of the kind's steps, at home or elsewhere, with the cue's own word in them.
fn step_texts(task: &Decompose<'_>, words: &Words<'_>, found: &Found) -> Vec<String> {
    let kind = found.kind;
    let at_home = words.find("home").is_some() || words.find("at").is_none();
    // Whoever runs the cafe makes their own lunch there.
    let own_place = |p: &Pursuit| {
        p.is_post()
            && p.place
                .as_deref()
                .is_some_and(|own| task.entry.activity.contains(own))
    };
    let own = || !kind.home_steps.is_empty() && pursuits::required(task.who).iter().any(own_place);
    let steps = if !kind.home_steps.is_empty() && (at_home || own()) {
        &kind.home_steps
    } else {
        &kind.steps
    };
    let cue = words.raw(found.at + found.length - 1);
    let lower = words.at(found.at + found.length - 1);
    let is_verb = activities::base_of_gerund(lower).is_some() || activities::is_verb(lower);
    let meal = if is_verb {
        lexicon().phrases.a_meal.as_str()
    } else {
        cue
    };
    steps.iter().map(|step| fill(step, &[("cue", meal)])).collect()
}

/// Lengths of steps: each from 5 to 15 minutes, longer ones first.
fn lengths(minutes: Minute, kinds_of_steps: usize, whole: bool) -> Vec<Minute> {
    let (shortest, longest) = STEP_MINUTES;
    let wanted = if whole {
        kinds_of_steps as Minute
    } else {
        minutes / USUAL_STEP_MINUTES
    };
    let count = wanted.clamp(minutes.div_ceil(longest), minutes / shortest);
    let units = minutes / shortest;
    let mut lengths: Vec<Minute> = (0..count)
        .map(|i| shortest * (units / count + Minute::from(i < units % count)))
        .collect();
    if let Some(last) = lengths.last_mut() {
        *last += minutes % shortest;
    }
    lengths
}

/// Which step comes when: the order of the lexicon, each stretched where there is time; at a
/// counter whatever comes up.
fn order(count: usize, kinds: usize, found: &Found, entry: &Entry, rules: &Rules<'_>) -> Vec<usize> {
    let turn = if found.kind.setting == Setting::Counter {
        rules.chance.below(&format!("step {}", entry.start), kinds)
    } else {
        0
    };
    let stretched = found.kind.whole && count < 2 * kinds;
    (0..count)
        .map(|i| match (stretched, count > kinds) {
            (true, true) => i * kinds / count,
            _ => (i + turn) % kinds,
        })
        .collect()
}

/// Whoever opens or closes the place by their daily requirement does so at the ends of work.
fn open_and_close(task: &Decompose<'_>, texts: &mut [String], shown: impl Fn(&str) -> String) {
    let required = Words::new(&task.who.daily_requirement);
    let says =
        |word: &str| (0..required.len()).any(|i| activities::base_of_third_person(required.at(i)) == word);
    let place = task
        .entry
        .activity
        .rsplit_once(" at ")
        .map_or("", |(_, place)| place);
    let elsewhere = |entry: Option<&Entry>| {
        entry.is_none_or(|entry| place.is_empty() || !entry.activity.contains(place)) && entry.is_some()
    };
    // A meal out is a break, not the end.
    let is_break = |entry: Option<&Entry>| {
        entry
            .and_then(|e| kind_of(&Words::new(&e.activity)))
            .is_some_and(|f| f.kind.name == "meal")
            && entry.is_some_and(|e| (660..870).contains(&e.start))
    };
    let phrases = &lexicon().phrases;
    if says("open")
        && elsewhere(task.before)
        && !is_break(task.before)
        && let Some(first) = texts.first_mut()
    {
        *first = shown(&phrases.opening_up);
    }
    if says("close")
        && elsewhere(task.after)
        && !is_break(task.after)
        && texts.len() > 2
        && let Some(last) = texts.last_mut()
    {
        *last = shown(&phrases.closing_up);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::{rules, somebody};
    use super::*;
    use crate::{Identity, Task};
    use townsfolk_time::Date;

    fn entry(start: Minute, minutes: u16, activity: &str) -> Entry {
        Entry {
            start,
            minutes,
            activity: activity.into(),
            asleep: false,
            cause: None,
            step: false,
        }
    }

    fn listed(who: &Identity, entry: &Entry, before: Option<&Entry>, after: Option<&Entry>) -> Vec<String> {
        let task = Decompose {
            who,
            date: Date::constant(2023, 2, 13),
            entry,
            before,
            after,
            reuse: true,
        };
        let answer = task.by_rule(&rules(0, 0));
        task.check(&answer).unwrap();
        answer
            .steps
            .iter()
            .map(|s| format!("{} {}", s.minutes, s.activity))
            .collect()
    }

    #[test]
    fn a_morning_is_taken_step_by_step() {
        let who = somebody("Tomas Varga");
        let steps = listed(
            &who,
            &entry(420, 45, "waking up and completing the morning routine"),
            None,
            None,
        );
        let expected = [
            "10 getting out of bed and stretching",
            "10 using the toilet",
            "10 taking a shower",
            "5 brushing teeth",
            "5 getting dressed",
            "5 tidying the room",
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn sleep_and_short_stretches_stay_whole() {
        let who = somebody("Tomas Varga");
        let asleep = Entry {
            asleep: true,
            ..entry(0, 60, "asleep")
        };
        assert_eq!(listed(&who, &asleep, None, None), ["60 asleep"]);
        assert_eq!(
            listed(&who, &entry(600, 19, "writing"), None, None),
            ["19 writing"]
        );
        assert_eq!(
            listed(&who, &entry(600, 60, "朝ごはん"), None, None),
            ["60 朝ごはん"]
        );
    }

    #[test]
    fn a_meal_differs_at_home_and_out() {
        let who = somebody("Tomas Varga");
        let home = listed(&who, &entry(720, 60, "having lunch at home"), None, None);
        assert_eq!(
            home,
            [
                "15 preparing lunch",
                "15 having lunch",
                "15 having lunch",
                "15 washing the dishes"
            ]
        );
        let out = listed(
            &who,
            &entry(720, 60, "having lunch at the Blue Kettle"),
            None,
            None,
        );
        assert_eq!(out[0], "15 ordering lunch");
        assert_eq!(out[4], "10 paying");
    }

    #[test]
    fn no_step_only_repeats_the_activity() {
        let who = somebody("Tomas Varga");
        let of = |activity: &str| listed(&who, &entry(600, 60, activity), None, None).join("; ");
        let work = of("working on something at home");
        assert!(
            work.contains("15 working on something at home;") && !work.contains("(working"),
            "{work}"
        );
        let painting = of("painting a mural at home");
        assert!(!painting.contains("(painting"), "{painting}");
        let lanterns = of("gathering lanterns and dishes at home");
        assert!(
            !lanterns.contains("company") && !lanterns.contains("others"),
            "{lanterns}"
        );
    }

    #[test]
    fn who_opens_and_closes_does_so_at_the_ends() {
        let who = Identity {
            daily_requirement: "Priya opens the Blue Kettle cafe at 8am and closes it at 8pm".to_owned(),
            ..somebody("Priya Nandakumar")
        };
        let work = entry(480, 180, "working at the counter at the Blue Kettle cafe");
        let (before, after) = (
            entry(420, 60, "having breakfast at home"),
            entry(660, 60, "relaxing at home"),
        );
        let steps = listed(&who, &work, Some(&before), Some(&after));
        assert!(steps[0].contains("(unlocking"), "{steps:?}");
        assert!(steps.last().unwrap().contains("(locking up"), "{steps:?}");
        assert!(
            steps
                .iter()
                .skip(1)
                .all(|s| s.contains("working at the counter at the Blue Kettle cafe ("))
        );
    }

    proptest! {
        #[test]
        fn steps_fill_any_stretch_exactly(
            activity in prop_oneof![".{0,30}", Just("writing a novel".to_owned()), Just("having dinner at home".to_owned()), Just("cleaning".to_owned())],
            start in 0u16..1439,
            minutes in 1u16..1440,
        ) {
            let who = somebody("林 秋");
            let entry = entry(start, minutes.min(1440 - start), &activity);
            let task = Decompose { who: &who, date: Date::constant(2023, 2, 13), entry: &entry, before: None, after: None, reuse: true };
            let answer = task.by_rule(&rules(3, 9));
            prop_assert_eq!(task.check(&answer), Ok(()));
            if answer.steps.len() > 1 {
                prop_assert!(answer.steps.iter().all(|s| (5..=15).contains(&s.minutes)), "{:?}", answer);
            }
        }
    }
}
