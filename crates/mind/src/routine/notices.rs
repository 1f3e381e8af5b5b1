//! What is said about plans: that something closes, is off or is moved, or what somebody is to do at an hour.
//!
//! Only what a sentence states counts: no question, condition, guess or denial, nor what was so before. It is
//! about the head of its phrase: "the shop next to the library is closed" says nothing of the library.
//!
//! A [`Notice`] holds for a day: the one it names, the weekdays it names ("every Monday"), else the one on
//! which it was said.

use std::collections::{BTreeSet, HashSet};
use std::sync::OnceLock;

use townsfolk_time::{DAY_MINUTES, Date, GameTime, Minute};

use super::activities::{gerund, is_verb};
use super::atlas::{self, KnownPlace};
use super::concerns::commitment;
use super::names::plain;
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
    /// It is not to be had from a time to another; the whole day from midnight to midnight.
    Off {
        /// Minutes after midnight.
        from: Minute,
        /// Likewise.
        to: Minute,
    },
    /// The resident is to stay at home from a time to another.
    Stays {
        /// Minutes after midnight.
        from: Minute,
        /// Likewise.
        to: Minute,
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
        /// Whether it is a meal at a place that the resident knows.
        placed: bool,
    },
}

/// What becomes of an occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// It does not take place.
    CalledOff,
    /// It is at another time than it stood at, where that is said.
    Moved {
        /// Minutes after midnight.
        stood: Option<Minute>,
        /// Likewise.
        to: Minute,
    },
}

impl Notice {
    /// What `text`, said at `said`, says about the plans of `who`, if anything: right before "closes at noon",
    /// or what the resident means not to do, or is to do at a time of day.
    pub(crate) fn of(text: &str, who: &Identity, said: GameTime, known: &[KnownPlace<'_>]) -> Option<Self> {
        let words = Words::new(text);
        let times = clock_times_in(&words);
        let own = after_name(&words, who);
        let mut days = when::Days::in_words(&words, said);
        let (subjects, says) = shunned(&words, own, who)
            .or_else(|| changed(&words, &times, &mut days, who, known))
            .or_else(|| stays(&words, &times, own?))
            .or_else(|| meant(&words, &times, own?, who, said, known))?;
        let mut all: BTreeSet<String> = BTreeSet::new();
        for subject in &subjects {
            all.extend(atlas::names_of(subject, known));
            all.insert(subject.to_ascii_lowercase());
        }
        Some(Self {
            subjects: all,
            says,
            days,
        })
    }

    /// Whether an activity needs what it is about.
    pub(crate) fn concerns(&self, activity: &str) -> bool {
        let words = Words::new(activity);
        let sessions = &lexicon().days.sessions;
        // Who plays cards is at the card game.
        let played = |subject: &str| {
            let (before, last) = subject.rsplit_once(' ')?;
            let what = before
                .rsplit(' ')
                .next()
                .filter(|_| sessions.iter().any(|s| s == last))?;
            (0..words.len()).find(|i| plain(words.at(*i)) == plain(what))
        };
        let named = |subject: &String| {
            (0..words.len()).any(|i| words.phrase_at(i, subject))
                || played(subject).is_some()
                || lexicon().days.workday.contains(subject) && is_work(activity)
        };
        self.subjects.iter().any(named)
    }

    /// The words for what is planned already and done as it says: its own, where it says at which place.
    pub(crate) fn in_its_words<'s>(&'s self, planned: &'s str) -> &'s str {
        match &self.says {
            Says::Meant {
                activity,
                placed: true,
                ..
            } => activity,
            _ => planned,
        }
    }

    /// Whether it holds for a day.
    pub(crate) fn is_for(&self, date: Date) -> bool {
        self.days.hold(date)
    }

    /// Whether it names no day, so that what it concerns says which is meant.
    pub(crate) fn names_no_day(&self) -> bool {
        self.days.are_unsaid()
    }

    /// What becomes of an occasion of `date` that is called `what`, if this is about it.
    pub(crate) fn becomes_of(&self, what: &str, date: Date) -> Option<Becomes> {
        let words = Words::new(what);
        let mut subjects = self.subjects.iter();
        let is_about = subjects.any(|subject| (0..words.len()).any(|i| words.phrase_at(i, subject)));
        if !is_about || !self.is_for(date) && !self.names_no_day() {
            return None;
        }
        match self.says {
            Says::Off {
                from: 0,
                to: DAY_MINUTES,
            } => Some(Becomes::CalledOff),
            Says::Moved { stood, to } => Some(Becomes::Moved { stood, to }),
            _ => None,
        }
    }

    /// Whether something is not to be had, rather than moved or meant.
    pub(crate) fn is_off(&self) -> bool {
        matches!(self.says, Says::Off { .. })
    }
}

/// Whether an activity is work, and no part of getting up or going to bed.
fn is_work(activity: &str) -> bool {
    let phrases = &lexicon().phrases;
    let own = [
        &phrases.rising,
        &phrases.retiring,
        &phrases.sleeping,
        &phrases.resting,
    ];
    role_of(activity) == Role::Work && own.into_iter().all(|own| own != activity)
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

/// Whether a text says that something is off or at another time, whatever it is.
pub(crate) fn is_of_change(words: &Words<'_>) -> bool {
    let days = &lexicon().days;
    let mut phrases = days
        .moving
        .iter()
        .chain(&days.moving_from)
        .chain(&days.calling_off);
    phrases.any(|phrase| words.find(phrase).is_some())
}

/// Whether a text announces that something closes, is off, is moved or is to be had later: it states so, and of
/// something that it names or for a time that it names. "Cafe is closed", as things are seen, announces nothing.
pub(crate) fn announces(words: &Words<'_>, said: GameTime) -> bool {
    let lexicon = lexicon();
    let mut found = None;
    let news = |at: usize| {
        let (times, days) =
            found.get_or_insert_with(|| (clock_times_in(words), when::Days::in_words(words, said)));
        let Some(change) = Change::at(words, times, at).filter(|_| is_stated(words, at)) else {
            return false;
        };
        let Some(subject) = Subject::before(words, times, days, at, &[]) else {
            return false;
        };
        let sentence = words.sentence(at);
        let part = || when::span_in(words, sentence.clone()).is_some();
        let dated = !days.are_unsaid() || times.iter().any(|t| sentence.contains(&t.words.start)) || part();
        let named = subject.first > 0 && is_one(words, subject.first - 1, &lexicon.occasions.determiners);
        let ones_own = change.of_ones_own || is_one(words, subject.last, &lexicon.days.workday);
        (dated || named) && !ones_own
    };
    (0..words.len())
        .filter(|at| Change::may_begin(words.at(*at)))
        .any(news)
}

/// Whether what a text says of something, where it names no day, goes on for more than the day on which it was said:
/// it is so for good, or it speaks of an occasion, which has a day of its own.
pub(crate) fn outlasts_its_day(words: &Words<'_>) -> bool {
    let lexicon = lexicon();
    (0..words.len()).any(|at| {
        after_phrase(words, at, &lexicon.days.lasting).is_some()
            || lexicon.occasions.kinds.contains_key(words.at(at))
    })
}

fn is_one(words: &Words<'_>, at: usize, list: &[String]) -> bool {
    list.iter().any(|word| word == words.at(at))
}

/// Whether the sentence states what it says with the word at `at`: it does not ask, guess, deny or set a
/// condition.
fn is_stated(words: &Words<'_>, at: usize) -> bool {
    let days = &lexicon().days;
    let sentence = words.sentence(at);
    let asks = words.gap_after(sentence.end - 1).contains(['?', '？']);
    let holds = |i: usize, phrases: &[String]| phrases.iter().any(|phrase| words.phrase_at(i, phrase));
    let conditional = || sentence.clone().any(|i| holds(i, &days.conditions));
    let parts = |i: &usize| {
        words.gap_before(*i).contains([',', ';', ':', '(', '—']) || is_one(words, *i, &days.parting)
    };
    let clause = (sentence.start..=at).rev().find(parts).unwrap_or(sentence.start);
    // "In May" guesses nothing.
    let month = |i: usize| words.is_name(i) && lexicon().when.months.contains_key(words.at(i));
    let unsure = || (clause..at).any(|i| holds(i, &days.unsure) && !month(i));
    !asks && !conditional() && !unsure()
}

/// What closes, is off or is moved, where a sentence states that it does.
fn changed(
    words: &Words<'_>,
    times: &[ClockTime],
    days: &mut when::Days,
    who: &Identity,
    known: &[KnownPlace<'_>],
) -> Option<Said> {
    (0..words.len()).find_map(|at| changed_at(words, times, at, days, who, known))
}

/// The same, where the words that say so begin with the one at `at`.
fn changed_at(
    words: &Words<'_>,
    times: &[ClockTime],
    at: usize,
    days: &mut when::Days,
    who: &Identity,
    known: &[KnownPlace<'_>],
) -> Option<Said> {
    let lexicon = lexicon();
    let cues = &lexicon.days;
    let sentence = words.sentence(at);
    let Change {
        end,
        how,
        of_ones_own,
    } = Change::at(words, times, at)?;
    if !is_stated(words, at) {
        return None;
    }
    let subject = Subject::before(words, times, days, at, known)?;
    if of_ones_own {
        return subject.set(words, times, end, who, known);
    }
    let lapses = is_one(words, at, &cues.lapsing);
    if subject.past && lapses && !days.name_that_day() {
        return None;
    }
    let passive =
        at > sentence.start && is_one(words, at - 1, &cues.passive) && !words.at(at).ends_with("ing");
    let object = match how {
        How::Falls if !passive => object_after(words, times, end),
        _ => None,
    };
    let mut subjects = match object {
        Some((owned, first, last)) => {
            let object = words.phrase(first, last + 1);
            let whole = words.phrase(subject.first, subject.last + 1);
            if owned && is_one(words, last, &cues.fronts) {
                vec![subject.in_words(words, who, known)]
            } else if owned && !atlas::names_of(whole, known).is_empty() {
                // "The library has closed its cafe": that one, and no other.
                vec![atlas::part_named(object, whole, known)?]
            } else {
                vec![object.to_owned()]
            }
        }
        None => vec![subject.in_words(words, who, known)],
    };
    let (first, last) = object.map_or((subject.first, subject.last), |(_, first, last)| (first, last));
    // "The library and the pub are closed."
    let before = first - usize::from(first > 0 && words.at(first - 1) == "the");
    let one = matches!(words.at(subject.last + 1), "is" | "was" | "has");
    if object.is_none()
        && !one
        && before > 0
        && words.at(before - 1) == "and"
        && let Some(other) = Subject::before(words, times, days, before - 1, known)
    {
        subjects.push(other.in_words(words, who, known));
    }
    // "The doctor is ill; all visits are cancelled": whose visits stands before.
    if is_one(words, last, &cues.engagements) {
        let heads = (1..last).filter(|i| words.at(i - 1) == "the");
        subjects.extend(heads.map(|i| words.raw(i).to_owned()));
    }
    if sentence
        .clone()
        .any(|i| after_phrase(words, i, &cues.lasting).is_some())
    {
        days.go_on();
    }
    let says = match how {
        How::Moves { stood, to } => Says::Moved {
            stood: stood.or(subject.stood),
            to,
        },
        How::Opens(to) => Says::Off { from: 0, to },
        How::Falls => {
            let (from, to) = span(words, times, end);
            Says::Off { from, to }
        }
    };
    Some((subjects, says))
}

/// What a sentence says of something, with the word after the words that say so.
struct Change {
    end: usize,
    how: How,
    /// Whether it says when something of the resident's own is, which is news to nobody else.
    of_ones_own: bool,
}

enum How {
    /// It is not to be had.
    Falls,
    /// It is to be had from then on.
    Opens(Minute),
    /// It is at another time than it stood, where that is said.
    Moves { stood: Option<Minute>, to: Minute },
}

impl Change {
    /// Where the words that say so begin with the one at `at`.
    fn at(words: &Words<'_>, times: &[ClockTime], at: usize) -> Option<Self> {
        let cues = &lexicon().days;
        let sentence = words.sentence(at);
        let after = |end: usize| {
            let inside = times.iter().filter(|time| sentence.contains(&time.words.start));
            inside.filter(move |time| time.words.start >= end).map(daytime)
        };
        let change = |end, how| {
            Some(Self {
                end,
                how,
                of_ones_own: false,
            })
        };
        let to = |end: usize| after(end).next().map(|to| (end, to));
        if let Some(end) = after_phrase(words, at, &cues.moving_from)
            && let (Some(stood), Some(to)) = (after(end).next(), after(end).nth(1))
        {
            let stood = Some(stood);
            return change(end, How::Moves { stood, to });
        }
        if let Some((end, to)) = after_phrase(words, at, &cues.moving).and_then(to) {
            return change(end, How::Moves { stood: None, to });
        }
        if let Some(end) = after_phrase(words, at, &cues.cancelling) {
            return change(end, How::Falls);
        }
        // Who opens a place is another matter: "Mara opens the shop at 8am".
        let opens = after_phrase(words, at, &cues.opening);
        if let Some(time) = times
            .iter()
            .find(|t| opens.is_some_and(|end| (end..end + 2).contains(&t.words.start)))
        {
            return change(time.words.start, How::Opens(daytime(time)));
        }
        let (end, to) = after_phrase(words, at, &cues.standing_at).and_then(to)?;
        Some(Self {
            end,
            how: How::Moves { stood: None, to },
            of_ones_own: true,
        })
    }

    /// Whether such words may begin with this one.
    fn may_begin(word: &str) -> bool {
        static FIRST: OnceLock<HashSet<&str>> = OnceLock::new();
        let first = FIRST.get_or_init(|| {
            let cues = &lexicon().days;
            let lists = [&cues.moving_from, &cues.moving, &cues.cancelling, &cues.opening];
            let phrases = lists.into_iter().flatten();
            phrases.filter_map(|phrase| phrase.split(' ').next()).collect()
        });
        first.contains(word)
    }
}

/// From when to when, by the times after the words that end before `end`: "from 2 to 3pm", "until noon",
/// "at noon", else by the part of the day that the sentence names: "this afternoon".
fn span(words: &Words<'_>, times: &[ClockTime], end: usize) -> (Minute, Minute) {
    let sentence = words.sentence(end.saturating_sub(1));
    let mut times = times
        .iter()
        .filter(|time| time.words.start >= end && sentence.contains(&time.words.start));
    let Some(first) = times.next() else {
        return when::span_in(words, sentence).unwrap_or((0, DAY_MINUTES));
    };
    let second = times
        .next()
        .filter(|second| second.words.start <= first.words.end + 1);
    let (at, until) = (daytime(first), second.map(daytime));
    let ends = (end..first.words.start).any(|i| is_one(words, i, &lexicon().days.reopening));
    match until {
        Some(until) if until > at => (at, until),
        None if ends => (0, at),
        _ => (at, DAY_MINUTES),
    }
}

/// What a sentence is about: the phrase that ends before what it says of it.
struct Subject {
    first: usize,
    last: usize,
    /// The time that it stands at, where that is said.
    stood: Option<Minute>,
    /// Whether what is said of it was so.
    past: bool,
}

impl Subject {
    /// The one whose sentence goes on with the word at `end`.
    fn before(
        words: &Words<'_>,
        times: &[ClockTime],
        days: &when::Days,
        end: usize,
        known: &[KnownPlace<'_>],
    ) -> Option<Self> {
        let cues = &lexicon().days;
        let mut found = Self::nearest(words, times, days, end, known)?;
        // What stands before "next to the library" is what it is about, unless that is a visit or a meal there.
        while let Some(link) = found.link(words) {
            let Some(head) = Self::nearest(words, times, days, link, known) else {
                break;
            };
            let meals = cues.breakfast.iter().chain(&cues.lunch).chain(&cues.dinner);
            let mut there = meals.chain(&cues.engagements);
            if there.any(|word| word == words.at(head.last)) {
                break;
            }
            found = Self {
                stood: found.stood.or(head.stood),
                past: found.past,
                ..head
            };
        }
        Some(found)
    }

    /// The phrase right before the word at `end`, without what only helps the verb.
    fn nearest(
        words: &Words<'_>,
        times: &[ClockTime],
        days: &when::Days,
        mut end: usize,
        known: &[KnownPlace<'_>],
    ) -> Option<Self> {
        let lexicon = lexicon();
        let (cues, occasions, when) = (&lexicon.days, &lexicon.occasions, &lexicon.when);
        let (mut stood, mut past) = (None, false);
        loop {
            if end > 0 && is_one(words, end - 1, &cues.helping) {
                end -= 1;
                past |= is_one(words, end, &cues.past);
            } else if let Some(time) = times.iter().find(|time| time.words.end == end) {
                // "The clinic at 2pm is moved".
                stood = Some(daytime(time));
                end = time.words.start;
                if end > 0 && matches!(words.at(end - 1), "at" | "from") {
                    end -= 1;
                }
            } else if let Some(first) = end.checked_sub(1).and_then(|last| days.begin_of(last)) {
                // "The supper on June 4th is cancelled".
                end = first - usize::from(first > 0 && matches!(words.at(first - 1), "on" | "of"));
            } else {
                break;
            }
        }
        let ends_noun =
            |i: usize| is_one(words, i, &occasions.determiners) || is_one(words, i, &occasions.stops);
        let last = end.checked_sub(1)?;
        let is_when = when.weekdays.contains_key(words.at(last)) || when.parts.contains_key(words.at(last));
        if ends_noun(last) || is_when || is_one(words, last, &when.daily) {
            return None;
        }
        let begins = |goes_on: &dyn Fn(usize) -> bool| {
            let mut first = last;
            while first > 0 && words.gap_before(first) == " " && goes_on(first - 1) {
                first -= 1;
            }
            first
        };
        // A known place may be called by several words: "the consulting room". Else "Hobbs Cafe" is named by
        // both words, "the clinic" by one.
        let whole = begins(&|i| !ends_noun(i) && last - i < LONGEST_NAME_WORDS);
        let first = if atlas::names_of(words.phrase(whole, end), known).is_empty() {
            // "The card game" is no other game, and the lantern supper no other supper.
            let is_kind = is_one(words, last, &cues.sessions) || occasions.kinds.contains_key(words.at(last));
            let owns = |i: usize| words.raw(i).ends_with("'s") || words.raw(i).ends_with("’s");
            let session = |i: usize| is_kind && i + 1 == last && !ends_noun(i) && !owns(i);
            begins(&|i| session(i) || words.is_name(last) && words.is_name(i) && words.at(i) != "the")
        } else {
            whole
        };
        Some(Self {
            first,
            last,
            stood,
            past,
        })
    }

    /// Where a preposition begins that leads from what stands before it to this.
    fn link(&self, words: &Words<'_>) -> Option<usize> {
        let lexicon = lexicon();
        let article = self.first > 0 && is_one(words, self.first - 1, &lexicon.occasions.determiners);
        let end = self.first - usize::from(article);
        let links = lexicon.days.beside.iter().filter_map(|phrase| {
            let begin = end.checked_sub(phrase.split(' ').count())?;
            (begin > 0 && words.phrase_at(begin, phrase)).then_some(begin)
        });
        let apart = |link: &usize| (*link..=self.first).any(|i| words.gap_before(i) != " ");
        links.min().filter(|link| !apart(link))
    }

    /// When something of the resident's own is, or where and when a meal: "Lunch is at the pub at 1pm", whose
    /// words that say so end before `end`.
    fn set(
        &self,
        words: &Words<'_>,
        times: &[ClockTime],
        end: usize,
        who: &Identity,
        known: &[KnownPlace<'_>],
    ) -> Option<Said> {
        let cues = &lexicon().days;
        let mut meals = cues.breakfast.iter().chain(&cues.lunch).chain(&cues.dinner);
        let is_meal = meals.any(|meal| meal == words.at(self.last));
        if !is_meal && !is_one(words, self.last, &cues.sessions) {
            return None;
        }
        let time = times.iter().find(|time| time.words.start >= end)?;
        let to = daytime(time);
        let place = words.phrase(end, time.words.start - 1);
        let placed = is_meal && !atlas::names_of(place, known).is_empty();
        let says = if placed {
            Says::Meant {
                activity: meal_at(meal_of(words.at(self.last)), place),
                at: to,
                minutes: USUAL_MINUTES,
                instead: false,
                placed,
            }
        } else {
            Says::Moved {
                stood: self.stood,
                to,
            }
        };
        Some((vec![self.in_words(words, who, known)], says))
    }

    /// In words, with its owner where that is somebody else than the resident: "Rosa's dinner".
    fn in_words(&self, words: &Words<'_>, who: &Identity, known: &[KnownPlace<'_>]) -> String {
        let phrase = words.phrase(self.first, self.last + 1);
        let owner = self.first.checked_sub(1).filter(|at| words.is_name(*at));
        let owned = owner.and_then(|at| {
            words
                .raw(at)
                .strip_suffix("'s")
                .or(words.raw(at).strip_suffix("’s"))
        });
        let others = owned.is_some_and(|name| !who.name.split(' ').any(|own| own == name));
        if !others || !atlas::names_of(phrase, known).is_empty() {
            return phrase.to_owned();
        }
        let mut first = self.first - 1;
        let names = |i: usize| words.is_name(i) && !is_one(words, i, &lexicon().occasions.determiners);
        while first > 0 && words.gap_before(first) == " " && names(first - 1) {
            first -= 1;
        }
        words.phrase(first, self.last + 1).to_owned()
    }
}

/// What follows a verb as its object, from its first to its last word, and whether it is said whose it is: "its
/// reading room".
fn object_after(words: &Words<'_>, times: &[ClockTime], end: usize) -> Option<(bool, usize, usize)> {
    let lexicon = lexicon();
    let when = &lexicon.when;
    let owned = matches!(
        words.at(end),
        "its" | "their" | "his" | "her" | "my" | "your" | "our"
    );
    if !owned && !matches!(words.at(end), "the" | "a" | "an" | "all") || words.gap_before(end) != " " {
        return None;
    }
    let goes_on = |i: &usize| {
        words.gap_before(*i) == " "
            && !is_one(words, *i, &lexicon.occasions.stops)
            && !times.iter().any(|time| time.words.contains(i))
    };
    let last = (end + 1..words.len()).take_while(goes_on).last()?;
    let timely = |i: usize| {
        is_one(words, i, &when.units)
            || when.parts.contains_key(words.at(i))
            || is_one(words, i, &when.stretches)
    };
    (!(end + 1..=last).any(timely)).then_some((owned, end + 1, last))
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

/// The place, person or plan in "means not to go to the clinic" or "should cancel the card game", whose resident's
/// name ends before `own`; an order has no name before it.
fn shunned(words: &Words<'_>, own: Option<usize>, who: &Identity) -> Option<Said> {
    let grammar = &Phrases::get().grammar;
    let occasions = &lexicon().occasions;
    let own_name = |i: usize| {
        let word = words.raw(i);
        let word = word
            .strip_suffix("'s")
            .or(word.strip_suffix("’s"))
            .unwrap_or(word);
        who.name.split(' ').any(|name| name == word)
    };
    let whose = |i: usize| is_one(words, i, &occasions.determiners) || own_name(i);
    let not_to =
        own.and_then(|at| after_phrase(words, at, grammar.not_to.iter().chain([&grammar.means_not_to])));
    let dropped = || {
        let at = match own {
            Some(at) => after_phrase(words, at, &grammar.is_to)?,
            None => 0,
        };
        let object = after_phrase(words, at, &lexicon().days.dropping)?;
        whose(object).then_some(object)
    };
    let mut first = not_to.map(|verb| verb + 1).or_else(dropped)?;
    while first < words.len() && (matches!(words.at(first), "to" | "at" | "in") || whose(first)) {
        first += 1;
    }
    let stops = |i: usize| is_one(words, i, &occasions.stops);
    let mut end = first;
    while end < words.len() && !stops(end) && (end == first || words.gap_before(end) == " ") {
        end += 1;
    }
    let off = Says::Off {
        from: 0,
        to: DAY_MINUTES,
    };
    (end > first && is_stated(words, own.unwrap_or(0)))
        .then(|| (vec![words.phrase(first, end).to_owned()], off))
}

/// That the resident, whose name ends before `own`, is to stay at home: "is sick and should stay in bed all day".
fn stays(words: &Words<'_>, times: &[ClockTime], own: usize) -> Option<Said> {
    let is_to = &Phrases::get().grammar.is_to;
    let sentence = words.sentence(own);
    let (verb, end) = (own..sentence.end).find_map(|i| {
        let verb = after_phrase(words, i, is_to)?;
        Some((verb, after_phrase(words, verb, &lexicon().days.staying)?))
    })?;
    let (from, to) = span(words, times, end);
    is_stated(words, verb).then_some((Vec::new(), Says::Stays { from, to }))
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
    let dines = is_dining(words, own);
    let verb = if dines {
        own + 1
    } else {
        after_phrase(words, own, &grammar.is_to)?
    };
    let sentence = words.sentence(verb);
    let mut inside = times
        .iter()
        .filter(|time| sentence.contains(&time.words.start) && time.words.start > verb);
    let time = inside.next()?;
    let acts = grammar.is_command(words.at(verb)) || is_verb(words.at(verb));
    if !acts && !dines || grammar.being.contains(words.at(verb)) || commitment(who, said, whole).is_some() {
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
    let mut activity = if dines {
        words.at(verb).to_owned()
    } else {
        gerund(words.at(verb))
    };
    for word in &kept {
        activity.push(' ');
        activity.push_str(word);
    }
    let instead = (sentence.start..sentence.end).any(|i| grammar.instead.contains(words.at(i)));
    let is_meal = role_of(&activity) == Role::Meal;
    let is_somewhere = !atlas::names_of(&activity, known).is_empty();
    let subjects = if is_meal {
        let meals = &lexicon().phrases;
        let meals = [&meals.breakfast, &meals.lunch, &meals.dinner];
        meals
            .into_iter()
            .filter(|meal| activity.contains(meal.as_str()))
            .cloned()
            .collect()
    } else if is_somewhere {
        vec![activity.clone()]
    } else {
        Vec::new()
    };
    let says = Says::Meant {
        activity,
        at,
        minutes: minutes.max(1),
        instead,
        placed: is_meal && is_somewhere,
    };
    Some((subjects, says))
}

/// Whether a meal of one's own follows: "is having lunch with Ilse at one".
fn is_dining(words: &Words<'_>, own: usize) -> bool {
    let cues = &lexicon().days;
    let mut meals = cues.breakfast.iter().chain(&cues.lunch).chain(&cues.dinner);
    words.at(own) == "is"
        && matches!(words.at(own + 1), "having" | "eating")
        && meals.any(|meal| meal == words.at(own + 2))
}

/// A meal that was to be had at a place that is off, at another known place where one can eat, in words; at
/// home where there is none.
pub(crate) fn meal_elsewhere<'p>(
    activity: &str,
    sectors: impl Iterator<Item = &'p str>,
    is_off: impl Fn(&str) -> bool,
    chance: &Chance,
) -> String {
    let open: Vec<&str> = sectors.filter(|place| !is_off(place)).collect();
    let serving = |serves: fn(&str) -> bool| open.iter().copied().filter(|place| serves(place)).collect();
    let cafes: Vec<&str> = serving(atlas::is_eatery);
    let pubs: Vec<&str> = serving(atlas::is_pub);
    let meal = meal_of(activity);
    let place = [cafes, pubs]
        .into_iter()
        .find_map(|places| chance.pick(meal, &places).copied());
    meal_at(meal, place.unwrap_or(&lexicon().phrases.home))
}

/// Which meal an activity is.
fn meal_of(activity: &str) -> &'static str {
    let phrases = &lexicon().phrases;
    let meals = [&phrases.breakfast, &phrases.lunch, &phrases.dinner];
    let meal = meals.into_iter().find(|meal| activity.contains(meal.as_str()));
    meal.unwrap_or(&phrases.a_meal)
}

/// Whether what is eaten at an occasion is a meal that an activity is.
pub(crate) fn is_same_meal(activity: &str, eaten: &str) -> bool {
    let cues = &lexicon().days;
    let meals = [&cues.breakfast, &cues.lunch, &cues.dinner];
    meals
        .into_iter()
        .any(|meal| atlas::has_word(activity, meal) && atlas::has_word(eaten, meal))
}

fn meal_at(meal: &str, place: &str) -> String {
    fill(&lexicon().phrases.having, &[("meal", meal), ("place", place)])
}

/// What somebody who has to stay at home does in place of an activity: it rests, but for meals, getting up and
/// going to bed.
pub(crate) fn at_home(activity: &str) -> String {
    let phrases = &lexicon().phrases;
    if role_of(activity) == Role::Meal {
        return meal_at(meal_of(activity), &phrases.home);
    }
    let kept = [&phrases.rising, &phrases.retiring]
        .into_iter()
        .find(|kept| *kept == activity);
    kept.unwrap_or(&phrases.resting).clone()
}
