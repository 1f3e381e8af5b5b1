//! What is said about plans: that something closes, is off or is moved, or what somebody is to do at an hour.
//!
//! A [`Notice`] holds for a day: the one it names, the weekdays it names ("every Monday"), else the one on
//! which it was said.

use std::collections::BTreeSet;

use townsfolk_time::{Date, GameTime, Minute};

use super::activities::{gerund, is_verb};
use super::atlas::{self, KnownPlace};
use super::concerns::commitment;
use super::phrases::{Phrases, fill};
use super::pursuits::{Role, role_of};
use super::text::Words;
use super::when::{self, ClockTime, clock_times_in};
use super::words::lexicon;
use crate::{Chance, Identity};

/// How long something takes that somebody is to do, where nobody says.
const USUAL_MINUTES: Minute = 60;
/// How many words the name of a place has at most, besides the last.
const LONGEST_NAME_WORDS: usize = 4;

/// Something that is said about plans.
pub(crate) struct Notice {
    /// What it is about, in lower case: the words of whoever said it, and the names of places they mean.
    subjects: BTreeSet<String>,
    /// What is so.
    pub(crate) says: Says,
    /// For which days.
    days: when::Days,
}

/// What a notice says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// It is not to be had from then on; the whole day from 0.
    Off {
        /// Minutes after midnight.
        from: Minute,
    },
    /// It is at another time.
    Moved {
        /// The time it stood at, where that is said.
        stood: Option<Minute>,
        /// When it is instead.
        to: Minute,
    },
    /// The resident is to do something.
    Meant {
        /// What, in words that follow "is".
        activity: String,
        /// When.
        at: Minute,
        /// For how long.
        minutes: Minute,
        /// Whether it is said to come in place of what was planned for it.
        instead: bool,
    },
}

impl Notice {
    /// What `text`, said at `said`, says about the plans of `who`, if anything: right before "closes at noon",
    /// or what the resident means not to do, or is to do at a time of day.
    pub(crate) fn of(text: &str, who: &Identity, said: GameTime, known: &[KnownPlace<'_>]) -> Option<Self> {
        let words = Words::new(text);
        let times = clock_times_in(&words);
        let own = after_name(&words, who);
        let (subjects, says) = own
            .and_then(|at| shunned(&words, at))
            .or_else(|| changed(&words, &times, known))
            .or_else(|| meant(&words, &times, own?, who, said, known))?;
        let mut all: BTreeSet<String> = BTreeSet::new();
        for subject in &subjects {
            all.extend(atlas::names_of(subject, known));
            all.insert(subject.to_ascii_lowercase());
        }
        Some(Self {
            subjects: all,
            says,
            days: when::Days::in_words(&words, said),
        })
    }

    /// Whether an activity needs what it is about.
    pub(crate) fn concerns(&self, activity: &str) -> bool {
        let words = Words::new(activity);
        let named = |subject: &String| (0..words.len()).any(|i| words.phrase_at(i, subject));
        self.subjects.iter().any(named)
    }

    /// Whether it holds for a day.
    pub(crate) fn is_for(&self, date: Date) -> bool {
        self.days.hold(date)
    }

    /// Whether it names no day, so that what it concerns says which is meant.
    pub(crate) fn names_no_day(&self) -> bool {
        self.days.are_unsaid()
    }

    /// Whether something is not to be had, rather than moved or meant.
    pub(crate) fn is_off(&self) -> bool {
        matches!(self.says, Says::Off { .. })
    }
}

/// Bare hours up to seven are in the afternoon.
fn daytime(time: &ClockTime) -> Minute {
    if !time.certain && time.minute < 420 {
        time.minute + 720
    } else {
        time.minute
    }
}

type Said = (Vec<String>, Says);

/// What closes, is off or is moved.
fn changed(words: &Words<'_>, times: &[ClockTime], known: &[KnownPlace<'_>]) -> Option<Said> {
    let days = &lexicon().days;
    let first_of = |phrases: &[String]| phrases.iter().filter_map(|phrase| words.find(phrase)).min();
    let next = |found: usize| times.iter().find(|time| time.words.start > found).map(daytime);
    let moved = first_of(&days.moving).and_then(|found| Some((found, next(found)?)));
    let found = match moved {
        Some((found, _)) => found,
        None => first_of(&days.cancelling)?,
    };
    let mut end = found;
    let mut stood = None;
    loop {
        if end > 0 && days.helping.iter().any(|word| word == words.at(end - 1)) {
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
    let occasions = &lexicon().occasions;
    let ends_noun = |i: usize| {
        let word = words.at(i);
        let mut ending = occasions.determiners.iter().chain(&occasions.stops);
        ending.any(|w| w == word)
    };
    let subject_before = |end: usize| {
        let last = end.checked_sub(1)?;
        let begins = |goes_on: &dyn Fn(usize) -> bool| {
            let mut first = last;
            while first > 0 && words.gap_before(first) == " " && goes_on(first - 1) {
                first -= 1;
            }
            first
        };
        // A known place may be called by several words: "the consulting room".
        let whole = begins(&|i| !ends_noun(i) && last - i < LONGEST_NAME_WORDS);
        if !atlas::names_of(words.phrase(whole, end), known).is_empty() {
            return Some((whole, last));
        }
        // "Hobbs Cafe" is named by both words, "the clinic" by one.
        Some((
            begins(&|i| words.is_name(last) && words.is_name(i) && words.at(i) != "the"),
            last,
        ))
    };
    let (first, last) = subject_before(end)?;
    let mut subjects = vec![words.phrase(first, end).to_owned()];
    // "The library and the pub are closed."
    let before = first - usize::from(first > 0 && words.at(first - 1) == "the");
    if before > 0
        && words.at(before - 1) == "and"
        && let Some((first, _)) = subject_before(before - 1)
    {
        subjects.push(words.phrase(first, before - 1).to_owned());
    }
    // "The doctor is ill; all visits are cancelled": whose visits stands before.
    if days.engagements.iter().any(|word| word == words.at(last)) {
        let heads = (1..last).filter(|i| words.at(i - 1) == "the");
        subjects.extend(heads.map(|i| words.raw(i).to_owned()));
    }
    let says = match moved {
        Some((_, to)) => Says::Moved { stood, to },
        None => Says::Off {
            from: next(found).unwrap_or(0),
        },
    };
    Some((subjects, says))
}

/// The first word after the resident's name, where a text begins with it.
fn after_name(words: &Words<'_>, who: &Identity) -> Option<usize> {
    [&who.name, &who.first_name].into_iter().find_map(|name| {
        let name = Words::new(name);
        (name.len() > 0 && (0..name.len()).all(|i| words.at(i) == name.at(i))).then_some(name.len())
    })
}

/// The word after one of the phrases, where one stands at `at`; after the longest of several.
fn after_phrase<'p>(
    words: &Words<'_>,
    at: usize,
    phrases: impl IntoIterator<Item = &'p String>,
) -> Option<usize> {
    let standing = phrases.into_iter().filter(|phrase| words.phrase_at(at, phrase));
    standing.map(|phrase| at + phrase.split(' ').count()).max()
}

/// The place or person in "means not to go to the clinic", whose resident's name ends before `at`.
fn shunned(words: &Words<'_>, at: usize) -> Option<Said> {
    let grammar = &Phrases::get().grammar;
    let verb = after_phrase(words, at, grammar.not_to.iter().chain([&grammar.means_not_to]))?;
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
    (end > first).then(|| (vec![words.phrase(first, end).to_owned()], Says::Off { from: 0 }))
}

/// What the resident, whose name ends before `own`, is to do at a time of day: "Mara Ilves should visit the
/// clinic at 1pm instead". What is an occasion ("is planning a party at six") makes an appointment, and no
/// notice.
fn meant(
    words: &Words<'_>,
    times: &[ClockTime],
    own: usize,
    who: &Identity,
    said: GameTime,
    known: &[KnownPlace<'_>],
) -> Option<Said> {
    let grammar = &Phrases::get().grammar;
    let whole = words.phrase(0, words.len());
    let verb = after_phrase(words, own, &grammar.is_to)?;
    let sentence = words.sentence(verb);
    let mut inside = times
        .iter()
        .filter(|time| sentence.contains(&time.words.start) && time.words.start > verb);
    let time = inside.next()?;
    let acts = grammar.is_command(words.at(verb)) || is_verb(words.at(verb));
    if !acts || grammar.being.contains(words.at(verb)) || commitment(who, said, whole).is_some() {
        return None;
    }
    let until = inside
        .next()
        .filter(|until| until.words.start <= time.words.end + 1)
        .map(daytime);
    let at = daytime(time);
    let minutes = until
        .and_then(|until| until.checked_sub(at))
        .unwrap_or(USUAL_MINUTES);
    // The words that say what, without those that say when.
    let days = when::Days::in_words(words, said);
    let dropped = |i: usize| {
        let is_when = times.iter().any(|t| t.words.contains(&i)) || days.are_named_by(i);
        let begins_when = times.iter().any(|t| t.words.start == i + 1) || days.begin_at(i + 1);
        let leads = lexicon().when.leading.iter().any(|word| word == words.at(i));
        is_when || begins_when && leads || grammar.instead.contains(words.at(i))
    };
    let kept: Vec<&str> = (verb + 1..sentence.end)
        .filter(|i| !dropped(*i))
        .map(|i| words.raw(i))
        .collect();
    let mut activity = gerund(words.at(verb));
    for word in &kept {
        activity.push(' ');
        activity.push_str(word);
    }
    let instead = (sentence.start..sentence.end).any(|i| grammar.instead.contains(words.at(i)));
    let subjects = if role_of(&activity) == Role::Meal {
        let meals = &lexicon().phrases;
        let meals = [&meals.breakfast, &meals.lunch, &meals.dinner];
        meals
            .into_iter()
            .filter(|meal| activity.contains(meal.as_str()))
            .cloned()
            .collect()
    } else if atlas::names_of(&activity, known).is_empty() {
        Vec::new()
    } else {
        vec![activity.clone()]
    };
    let says = Says::Meant {
        activity,
        at,
        minutes: minutes.max(1),
        instead,
    };
    Some((subjects, says))
}

/// A meal that was to be had at a place that is off, at another known place where one can eat, in words; at
/// home where there is none.
pub(crate) fn meal_elsewhere<'p>(
    activity: &str,
    sectors: impl Iterator<Item = &'p str>,
    is_off: impl Fn(&str) -> bool,
    chance: &Chance,
) -> String {
    let phrases = &lexicon().phrases;
    let meals = [&phrases.breakfast, &phrases.lunch, &phrases.dinner];
    let meal = meals.into_iter().find(|meal| activity.contains(meal.as_str()));
    let meal = meal.unwrap_or(&phrases.a_meal);
    let open: Vec<&str> = sectors.filter(|place| !is_off(place)).collect();
    let serving = |serves: fn(&str) -> bool| open.iter().copied().filter(|place| serves(place)).collect();
    let cafes: Vec<&str> = serving(atlas::is_eatery);
    let pubs: Vec<&str> = serving(atlas::is_pub);
    let place = [cafes, pubs]
        .into_iter()
        .find_map(|places| chance.pick(meal, &places).copied());
    fill(
        &phrases.having,
        &[("meal", meal), ("place", place.unwrap_or(&phrases.home))],
    )
}
