//! What a resident's days contain, from its own texts: work, classes, meals and habits, with the
//! times, places and parts of the day that the texts state.
//!
//! [`required`] reads the daily requirement clause by clause ("opens Hobbs Cafe at 8am everyday,
//! and stands at the counter until 8pm"). [`work`] reads the present concern and the occupation.
//! [`habits`] reads what the resident does at some place every so often, out of its texts and what
//! came to its mind.

use std::ops::Range;

use townsfolk_time::Minute;

use super::activities::{self, Setting, kind_of};
use super::phrases::Phrases;
use super::text::Words;
use super::when::{ClockTime, clock_times_in, place_at};
use super::words::lexicon;
use crate::Identity;
use crate::tasks::Recalled;

/// Something a day contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pursuit {
    /// What sort of thing it is.
    pub(crate) role: Role,
    /// What is done, beginning with a verb: "taking classes".
    pub(crate) activity: String,
    /// Where, in the text's words.
    pub(crate) place: Option<String>,
    /// When it starts, minutes after midnight, if that is said.
    pub(crate) start: Option<Minute>,
    /// When it ends, if that is said.
    pub(crate) end: Option<Minute>,
    /// How long it takes in all, if that is said.
    pub(crate) minutes: Option<Minute>,
    /// Part of the day, if that is said.
    pub(crate) part: Option<Part>,
}

/// What sort of thing a pursuit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Work or study.
    Work,
    /// Eating.
    Meal,
    /// Anything else.
    Leisure,
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Up to noon.
    Morning,
    /// Noon to dinner.
    Afternoon,
    /// From dinner on.
    Evening,
    /// The whole working day.
    Day,
}

impl Pursuit {
    /// The activity with its place, as a plan says it.
    pub(crate) fn in_words(&self) -> String {
        match &self.place {
            Some(place) if !self.activity.contains(place.as_str()) => format!("{} at {place}", self.activity),
            _ => self.activity.clone(),
        }
    }

    /// Whether it is work at a counter or shop of the resident's own.
    pub(crate) fn is_post(&self) -> bool {
        self.role == Role::Work
            && kind_of(&Words::new(&self.in_words()))
                .is_some_and(|found| found.kind.setting == Setting::Counter)
    }
}

/// What the daily requirement asks for (and the hours of work that a way of life states), in the
/// text's order.
pub(crate) fn required(who: &Identity) -> Vec<Pursuit> {
    let mut pursuits = clauses(who, &who.daily_requirement, true);
    if !pursuits.iter().any(|p| p.start.is_some()) {
        let hours = clauses(who, &who.lifestyle, false);
        let stated = hours
            .into_iter()
            .find(|p| p.role == Role::Work && p.start.is_some() && p.end.is_some());
        if let Some(mut stated) = stated {
            if let Some(occupation) = occupation(who) {
                stated.activity = occupation.activity;
                stated.place = stated.place.or(occupation.place);
            }
            pursuits.push(stated);
        }
    }
    pursuits
}

/// The verbs whose clause says more than the verb itself.
#[derive(Clone, Copy, PartialEq)]
enum Verb {
    Open,
    Close,
    Stand,
    Go,
    Return,
    Spend,
    Eat,
    Sleep,
    Other,
}

fn clauses(who: &Identity, text: &str, keep_untimed: bool) -> Vec<Pursuit> {
    let words = Words::new(text);
    let times = clock_times_in(&words);
    let mut pursuits: Vec<Pursuit> = Vec::new();
    let mut carried: Option<String> = None;
    for clause in split(&words) {
        let Some(verb_at) = clause.clone().find(|i| is_verb(&words, *i, who)) else {
            continue;
        };
        let verb = verb_of(words.at(verb_at));
        let inside: Vec<&ClockTime> = times.iter().filter(|t| clause.contains(&t.words.start)).collect();
        let place = (verb_at..clause.end)
            .find_map(|i| place_at(&words, i))
            .or_else(|| around(&words, verb_at..clause.end))
            .filter(|_| verb != Verb::Open)
            .or_else(|| opened(&words, verb, verb_at, &clause, &inside))
            .filter(|place| !is_home_or_counter(place));
        let until = |t: &&ClockTime| {
            t.words.start > 0 && matches!(words.at(t.words.start - 1), "until" | "till" | "to" | "by")
        };
        let end = inside.iter().find(|t| until(t)).map(|t| t.minute);
        let start = inside.iter().find(|t| !until(t)).map(|t| t.minute);
        // "08:00–15:00" has no word between.
        let end = end.or_else(|| inside.get(1).filter(|_| start.is_some()).map(|t| t.minute));
        let part = part_of(&words, &clause);
        if verb == Verb::Close {
            if let Some(open) = pursuits.iter_mut().rev().find(|p| p.role == Role::Work) {
                open.end = open.end.or(start).or(end);
            }
            // "…, at which point she likes to go to the pub" begins a clause of its own.
            continue;
        }
        let goes_home =
            matches!(verb, Verb::Go | Verb::Return) && (verb_at..clause.end).any(|i| words.at(i) == "home");
        if goes_home && let Some(last) = pursuits.iter_mut().rev().find(|p| p.role == Role::Work) {
            last.end = last.end.or(start);
        }
        if verb == Verb::Sleep {
            continue;
        }
        let purpose = purpose(&words, verb, verb_at, &clause);
        let Some(from) = purpose else {
            // "goes to the library early in the morning": the next clause says what for.
            carried = place.or(carried);
            continue;
        };
        let activity = spoken(&words, from..clause.end, &inside, verb == Verb::Stand);
        if activity.is_empty() {
            continue;
        }
        let role = role_of(&activity);
        let stays = matches!(verb, Verb::Stand | Verb::Spend) || role == Role::Work && !goes_home;
        let place = match place {
            Some(place) => Some(place),
            None if goes_home => Some("home".to_owned()),
            None if stays => carried.clone(),
            None => None,
        };
        if verb == Verb::Open || verb == Verb::Go && role == Role::Work {
            carried = place.clone().or(carried);
        }
        let activity = if verb == Verb::Open {
            format!("opening {}", place.as_deref().unwrap_or("up"))
        } else {
            activity
        };
        let minutes = amount(&words, &clause);
        let next = Pursuit {
            role,
            activity,
            place,
            start,
            end,
            minutes,
            part,
        };
        join(&mut pursuits, next);
    }
    for p in &mut pursuits {
        let opens = p.activity.strip_prefix("opening ").map(str::to_owned);
        if let Some(place) = opens {
            p.activity = "working at the counter".to_owned();
            p.place.get_or_insert(place);
        }
        p.role = role_of(&p.in_words());
    }
    pursuits.retain(|p| keep_untimed || p.start.is_some());
    pursuits
}

/// "opens at 8am" and "stands at the counter until 8pm" are one stretch of work, as are "to teach
/// starting 10 am" and "teaches until 2pm".
fn join(pursuits: &mut Vec<Pursuit>, next: Pursuit) {
    if let Some(last) = pursuits.last_mut() {
        let opening = last.activity.starts_with("opening ");
        let same = kind_name(&last.activity) == kind_name(&next.activity);
        let continues = last.start.is_some() && last.end.is_none() && next.start.is_none();
        if continues && (opening || same) && next.role == Role::Work {
            last.end = next.end;
            if opening {
                let place = last.place.take().filter(|place| !place.contains("counter"));
                last.activity = next.activity;
                last.place = place.or(next.place);
            }
            return;
        }
    }
    pursuits.push(next);
}

/// The name of an activity's kind.
pub(crate) fn kind_name(activity: &str) -> Option<&'static str> {
    kind_of(&Words::new(activity)).map(|found| found.kind.name.as_str())
}

/// Where clauses begin and end: at stops and commas, and before "and" with a new verb.
fn split(words: &Words<'_>) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut from = 0;
    for i in 0..words.len() {
        let stop = words.gap_after(i).contains([',', '.', ';', '!', '?', '\n']);
        let and = matches!(words.at(i + 1), "and" | "then" | "but") && is_third_person(words.at(i + 2))
            || words.at(i + 1) == "and" && matches!(words.at(i + 2), "then" | "she" | "he" | "they" | "also");
        if stop || and || i + 1 == words.len() {
            clauses.push(from..i + 1);
            from = i + 1;
        }
    }
    clauses
}

fn is_third_person(word: &str) -> bool {
    word.ends_with('s') && activities::is_verb(&activities::base_of_third_person(word))
}

fn is_verb(words: &Words<'_>, index: usize, who: &Identity) -> bool {
    let word = words.at(index);
    if lexicon().days.wishes.iter().any(|w| w == word)
        || words.is_name(index) && who.name.contains(words.raw(index))
    {
        return false;
    }
    // Nouns such as "the run" or "her plans" follow an article or owner.
    let noun = index > 0
        && lexicon()
            .occasions
            .determiners
            .iter()
            .any(|d| d == words.at(index - 1));
    !noun
        && (is_third_person(word) || activities::is_verb(word) || activities::base_of_gerund(word).is_some())
}

fn verb_of(word: &str) -> Verb {
    match word {
        "opens" | "open" => Verb::Open,
        "closes" | "close" => Verb::Close,
        "stands" | "stand" => Verb::Stand,
        "goes" | "go" | "heads" | "head" => Verb::Go,
        "returns" | "return" | "comes" | "come" => Verb::Return,
        "spends" | "spend" => Verb::Spend,
        "eats" | "eat" | "dines" => Verb::Eat,
        "sleeps" | "sleep" | "wakes" | "wake" | "awakes" => Verb::Sleep,
        _ => Verb::Other,
    }
}

/// Where the words begin that say what is done; none where the clause only says where to go.
fn purpose(words: &Words<'_>, verb: Verb, verb_at: usize, clause: &Range<usize>) -> Option<usize> {
    match verb {
        Verb::Go | Verb::Return => {
            let to_do = |i: &usize| {
                words.at(*i) == "to" && activities::is_verb(words.at(*i + 1)) && !words.is_name(*i + 1)
            };
            let for_what = |i: &usize| words.at(*i) == "for" && matches!(words.at(*i + 1), "a" | "an");
            let range = verb_at + 1..clause.end;
            if let Some(to) = range.clone().find(to_do) {
                return Some(to + 1);
            }
            range.clone().find(for_what).map(|_| verb_at)
        }
        Verb::Spend => {
            let gerund = |i: &usize| activities::base_of_gerund(words.at(*i)).is_some();
            let first = (verb_at + 1..clause.end).find(gerund)?;
            // "Twitch streaming": a name right before the verb belongs to it.
            Some(if first > verb_at + 1 && words.is_name(first - 1) {
                first - 1
            } else {
                first
            })
        }
        _ => Some(verb_at),
    }
}

/// What a clause says is done, beginning with a verb in "-ing", without its times.
fn spoken(words: &Words<'_>, range: Range<usize>, times: &[&ClockTime], stands: bool) -> String {
    let when = &lexicon().when;
    let first = range.start;
    let mut text = String::new();
    let mut i = first;
    while i < range.end {
        let time = times
            .iter()
            .find(|t| t.words.contains(&i) || t.words.start == i + 1 && is_time_word(words.at(i)));
        if let Some(time) = time {
            i = time.words.end;
            continue;
        }
        if matches!(words.at(i), "everyday" | "afterwards" | "daily") {
            i += 1;
            continue;
        }
        // "in the morning", "at night", "during the day", "every day", "early".
        let part = |at: usize| when.parts.contains_key(words.at(at)) || words.at(at) == "day";
        if matches!(words.at(i), "in" | "during" | "at" | "every" | "early") {
            if part(i + 1) {
                i += 2;
                continue;
            }
            if words.at(i + 1) == "the" && part(i + 2) {
                i += 3;
                continue;
            }
        }
        if i == first {
            let word = words.at(i);
            let base = activities::base_of_third_person(word);
            let verb = if stands {
                "working".to_owned()
            } else if base == "be" {
                lexicon().phrases.spending_time.clone()
            } else if activities::base_of_gerund(word).is_some() || words.is_name(i) {
                words.raw(i).to_owned()
            } else {
                activities::gerund(&base)
            };
            text.push_str(&verb);
        } else {
            let gap = words.gap_before(i);
            text.push_str(if gap.trim().is_empty() { " " } else { gap });
            // "behind its counter": whose it is, is said by the place.
            text.push_str(if words.at(i) == "its" { "the" } else { words.raw(i) });
        }
        i += 1;
    }
    let cut = |text: &str, end: &str| text.strip_suffix(end).map(str::to_owned);
    while let Some(shorter) = [" and", " at", " around", " to", " from", ","]
        .into_iter()
        .find_map(|end| cut(&text, end))
    {
        text = shorter;
    }
    text
}

fn is_time_word(word: &str) -> bool {
    lexicon().when.before_times.iter().any(|w| w == word)
}

/// "around Johnson Park", "in the park": a place of which one isn't told by "at".
fn around(words: &Words<'_>, range: Range<usize>) -> Option<String> {
    let at = range
        .clone()
        .find(|i| matches!(words.at(*i), "around" | "through" | "near") && words.is_name(*i + 1))?;
    let end = (at + 1..range.end)
        .find(|i| !words.is_name(*i))
        .unwrap_or(range.end);
    Some(words.phrase(at + 1, end).to_owned())
}

/// What is opened: the words from the verb to its time.
fn opened(
    words: &Words<'_>,
    verb: Verb,
    verb_at: usize,
    clause: &Range<usize>,
    times: &[&ClockTime],
) -> Option<String> {
    if verb != Verb::Open {
        return None;
    }
    let to = times.first().map_or(clause.end, |t| t.words.start);
    let to = (verb_at + 1..to)
        .find(|i| is_time_word(words.at(*i)))
        .unwrap_or(to);
    (to > verb_at + 1).then(|| words.phrase(verb_at + 1, to).to_owned())
}

fn is_home_or_counter(place: &str) -> bool {
    let words = Words::new(place);
    (0..words.len()).any(|i| matches!(words.at(i), "home" | "counter"))
}

fn part_of(words: &Words<'_>, clause: &Range<usize>) -> Option<Part> {
    // "In the afternoon, he likes to …": the part may be a clause of its own before this one.
    let from = clause
        .start
        .saturating_sub(3)
        .max(words.sentence(clause.start).start);
    let own = clause.clone().find_map(|i| part_word(words.at(i)));
    own.or_else(|| {
        let before = from..clause.start;
        (before.len() <= 3 && words.at(before.start) == "in")
            .then(|| before.into_iter().find_map(|i| part_word(words.at(i))))?
    })
}

fn part_word(word: &str) -> Option<Part> {
    match word {
        "morning" | "mornings" => Some(Part::Morning),
        "afternoon" | "afternoons" => Some(Part::Afternoon),
        "evening" | "evenings" | "night" | "nights" | "late" => Some(Part::Evening),
        "day" | "days" | "daytime" => Some(Part::Day),
        _ => None,
    }
}

/// "at least 6 hours a day" in minutes.
fn amount(words: &Words<'_>, clause: &Range<usize>) -> Option<Minute> {
    clause.clone().find_map(|i| {
        let number = words
            .at(i)
            .parse()
            .ok()
            .or_else(|| lexicon().when.numbers.get(words.at(i)).copied())?;
        match words.at(i + 1) {
            "hour" | "hours" => Some(u16::min(number, 16) * 60),
            "minutes" => Some(number.min(960)),
            _ => None,
        }
    })
}

/// The role of an activity by its kind.
pub(crate) fn role_of(activity: &str) -> Role {
    match kind_of(&Words::new(activity)) {
        Some(found) if found.kind.name == "meal" => Role::Meal,
        Some(found) if lexicon().days.leisure.contains(&found.kind.name) => Role::Leisure,
        _ => Role::Work,
    }
}

/// Whether an activity is an errand that takes the resident to shops.
pub(crate) fn is_errand(activity: &str) -> bool {
    kind_name(activity) == Some("shopping")
}

/// What occupies the resident by its present concern and occupation, without stated times: what it
/// is in the middle of first, then its occupation.
pub(crate) fn work(who: &Identity) -> Vec<Pursuit> {
    let mut found = Vec::new();
    let home = works_from_home(&who.current) || works_from_home(&who.background);
    let occupation = occupation(who);
    let posts = required(who);
    for activity in in_progress(who, &who.current) {
        let role = role_of(&activity);
        let place = if home {
            Some("home".to_owned())
        } else {
            where_one_works(&activity, &posts)
        };
        found.push(Pursuit {
            role,
            activity,
            place,
            start: None,
            end: None,
            minutes: None,
            part: None,
        });
    }
    found.sort_by_key(|p| p.role != Role::Work);
    if let Some(occupation) = occupation {
        // A post at a counter comes before whatever else one works on.
        if occupation.is_post() {
            found.insert(0, occupation)
        } else {
            found.push(occupation)
        }
    }
    found
}

/// Where the resident works, if that has what `activity` needs: a boat is planked in the workshop.
fn where_one_works(activity: &str, posts: &[Pursuit]) -> Option<String> {
    let kind = kind_of(&Words::new(activity))?.kind;
    posts.iter().filter(|p| p.role == Role::Work).find_map(|post| {
        let text = post.in_words();
        let start = [" in ", " at "]
            .iter()
            .filter_map(|w| Some(text.rfind(w)? + w.len()))
            .max()?;
        let place = &text[start..];
        let words = Words::new(place);
        let has = |object: &String| words.find(object).is_some();
        kind.objects.iter().any(has).then(|| place.to_owned())
    })
}

fn works_from_home(text: &str) -> bool {
    let words = Words::new(text);
    (0..words.len()).any(|i| {
        activities::base_of_third_person(words.at(i)) == "work"
            && words.at(i + 1) == "from"
            && (i + 2..(i + 7).min(words.len()))
                .any(|j| lexicon().days.residences.iter().any(|r| r == words.at(j)))
    })
}

/// Whether somebody other than `who` is the subject of the verb at `verb`: the name or relation that
/// stands before it is not the resident's.
fn is_anothers(words: &Words<'_>, verb: usize, who: &Identity) -> bool {
    let from = words.sentence(verb).start;
    let Some(last) = (from..verb)
        .rev()
        .find(|i| words.at(*i) != "also" && !words.at(*i).ends_with("ly"))
    else {
        return false;
    };
    let grammar = &Phrases::get().grammar;
    let relation = words.at(last);
    if [&grammar.kin_he, &grammar.kin_she, &grammar.kin_any]
        .iter()
        .any(|kin| kin.contains(relation))
    {
        return true;
    }
    let own = |i: usize| {
        let word = words.raw(i);
        who.name
            .split([' ', '-'])
            .chain([&*who.first_name])
            .any(|part| part == word)
    };
    let pronoun = ["he", "she", "they", "i", "you", "we", "it", "this", "that"].contains(&relation);
    !pronoun
        && (from..=last)
            .rev()
            .take_while(|i| words.is_name(*i) && (*i == last || words.gap_after(*i).trim().is_empty()))
            .any(|i| !own(i))
}

/// What "is writing a book about …" says, as "writing a book about …"; states of life are not
/// something to do.
fn in_progress(who: &Identity, text: &str) -> Vec<String> {
    let words = Words::new(text);
    let days = &lexicon().days;
    let mut found = Vec::new();
    // Whether the sentence has come to what others do.
    let mut others = false;
    let mut i = 0;
    while i < words.len() {
        // Other people's affairs, of which one has heard, up to the full stop.
        let sentence = words.sentence(i);
        if lexicon()
            .phrases
            .is_news(words.phrase(sentence.start, sentence.end))
        {
            let stop = (i..words.len()).find(|j| words.gap_after(*j).contains(['.', '!', '?', '\n', '。']));
            i = stop.map_or(words.len(), |stop| stop + 1);
            continue;
        }
        if i == sentence.start {
            others = false;
        }
        if matches!(words.at(i), "is" | "are" | "am") {
            others = words.at(i.saturating_sub(1)) == "and" && others || is_anothers(&words, i, who);
        }
        // "is secretly designing".
        let verb = if words.at(i + 1).ends_with("ly") {
            i + 2
        } else {
            i + 1
        };
        let progressive = matches!(
            words.at(i),
            "is" | "are" | "also" | "am" | "into" | "time" | "days" | "and"
        ) && words.at(verb).len() > 5
            && words.at(verb).ends_with("ing")
            && !others
            && !days.states.iter().any(|s| s == words.at(verb));
        if !progressive {
            i += 1;
            continue;
        }
        let first = verb;
        let mut end = first + 1;
        while end < words.len()
            && end < first + 14
            && words
                .gap_after(end - 1)
                .trim_matches([' ', '-', '"', '’', '\''])
                .is_empty()
        {
            let word = words.at(end);
            let next = words.at(end + 1);
            let new_clause = word == "and"
                && (end > first + 4
                    || next.ends_with("ing")
                    || activities::is_verb(next)
                    || matches!(next, "is" | "how" | "he" | "she" | "they" | "also" | "has"));
            // "in the afternoons", "for it": when, and what only the text before explains.
            let when = word == "in" && next == "the" && part_word(words.at(end + 2)).is_some();
            let vague = word == "for" && matches!(next, "it" | "them" | "this" | "that");
            if new_clause
                || when
                || vague
                || matches!(
                    word,
                    "that" | "which" | "who" | "because" | "while" | "but" | "to"
                )
            {
                break;
            }
            end += 1;
        }
        found.push(words.phrase(first, end).to_owned());
        // "is teaching a course and working on a paper" are two things.
        i = if words.at(end) == "and" {
            end
        } else {
            end.max(i + 1)
        };
    }
    found
}

/// What people of the resident's occupation do, at the place its background names.
fn occupation(who: &Identity) -> Option<Pursuit> {
    let words = Words::new(&who.background);
    let first_sentence = words.sentence(0);
    let is = first_sentence
        .clone()
        .find(|i| matches!(words.at(*i), "is" | "are" | "works" | "as"))?;
    if first_sentence
        .clone()
        .take(is + 6)
        .any(|i| matches!(words.at(i), "retired" | "former" | "ex"))
    {
        return None;
    }
    let occupations = &lexicon().days.occupations;
    let (at, activity) =
        (is + 1..first_sentence.end.min(is + 10)).find_map(|i| Some((i, occupations.get(words.at(i))?)))?;
    let place = (at..first_sentence.end.min(at + 4)).find_map(|i| {
        place_at(&words, i).or_else(|| {
            let of = words.at(i) == "of"
                && (words.is_name(i + 1) || words.at(i + 1) == "the" && words.is_name(i + 2));
            let end = (i + 1..first_sentence.end)
                .find(|j| matches!(words.at(*j), "who" | "that" | "and") && !words.is_name(*j + 1))?;
            of.then(|| words.phrase(i + 1, end).to_owned())
        })
    });
    // "a student studying music theory" says more than the occupation.
    let verb = activity.split(' ').next().unwrap_or_default();
    let told = (at..first_sentence.end)
        .find(|i| words.at(*i) == verb)
        .map(|from| {
            let to = (from..first_sentence.end).find(|i| {
                matches!(words.at(*i), "and" | "who" | "that" | "at" | "in" | "for" | "to")
                    || *i > from && !words.gap_before(*i).trim().is_empty()
            });
            words.phrase(from, to.unwrap_or(first_sentence.end)).to_owned()
        });
    Some(Pursuit {
        role: Role::Work,
        activity: told.unwrap_or_else(|| activity.clone()),
        place,
        start: None,
        end: None,
        minutes: None,
        part: None,
    })
}

/// A place where a resident likes to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Habit {
    /// The place.
    pub(crate) place: String,
    /// What for, where that is said: "studying".
    pub(crate) purpose: Option<String>,
    /// Part of the day, where that is said.
    pub(crate) part: Option<Part>,
    /// Whether to eat there.
    pub(crate) eats: bool,
    /// Whether only "sometimes".
    pub(crate) seldom: bool,
}

/// The places where the resident likes to be, by its own texts and then by what came to mind about
/// itself.
pub(crate) fn habits(who: &Identity, recalled: &[Recalled]) -> Vec<Habit> {
    let mut found = Vec::new();
    for text in [&who.current, &who.background] {
        find_habits(who, text, &mut found);
    }
    for memory in recalled
        .iter()
        .filter(|m| *m.subject == *who.name || m.text.starts_with(&*who.name))
    {
        find_habits(who, &memory.text, &mut found);
    }
    found
}

fn find_habits(who: &Identity, text: &str, found: &mut Vec<Habit>) {
    let words = Words::new(text);
    for i in 0..words.len() {
        if !lexicon().days.habits.iter().any(|h| h == words.at(i)) || is_anothers(&words, i, who) {
            continue;
        }
        let sentence = words.sentence(i);
        let frequents =
            matches!(words.at(i), "frequent" | "frequents" | "visit" | "visits") && words.is_name(i + 1);
        let place = if frequents {
            named_from(&words, i + 1)
        } else {
            let close = sentence.end.min(i + 7);
            (i + 1..close).find_map(|j| place_at(&words, j).or_else(|| around(&words, j..close)))
        };
        let named = |p: &String| {
            let last = p.rsplit(' ').next().unwrap_or_default();
            p.chars().next().is_some_and(char::is_uppercase)
                || p.starts_with("the ")
                    && lexicon()
                        .kinds
                        .iter()
                        .any(|k| k.objects.iter().any(|o| o == last))
        };
        let Some(place) = place.filter(named) else {
            continue;
        };
        if found.iter().any(|h| h.place == place) {
            continue;
        }
        let rest = i + 1..sentence.end;
        let eats = rest
            .clone()
            .any(|j| matches!(words.at(j), "eat" | "eating" | "lunch" | "dinner"));
        let does = |j: &usize| {
            let base = activities::base_of_gerund(words.at(*j)).or_else(|| activities::verb(words.at(*j)));
            base.is_some_and(|base| {
                !matches!(base, "eat" | "go" | "spend" | "hang" | "visit" | "tell" | "take")
            }) && j.checked_sub(1).is_some_and(|b| {
                matches!(
                    words.at(b),
                    "to" | "for" | "and" | "likes" | "like" | "time" | "cafe"
                )
            })
        };
        let purpose = rest
            .clone()
            .find(does)
            .map(|j| match activities::base_of_gerund(words.at(j)) {
                Some(_) => words.at(j).to_owned(),
                None => activities::gerund(words.at(j)),
            });
        let seldom = sentence
            .clone()
            .take_while(|j| *j < i + 1)
            .any(|j| matches!(words.at(j), "sometimes" | "occasionally" | "rarely"));
        let part = rest
            .clone()
            .find_map(|j| part_word(words.at(j)))
            .filter(|p| *p != Part::Day);
        found.push(Habit {
            place,
            purpose,
            part,
            eats,
            seldom,
        });
    }
}

/// The name that begins with the word at `first`.
fn named_from(words: &Words<'_>, first: usize) -> Option<String> {
    let mut end = first;
    while end < words.len()
        && (words.is_name(end) || matches!(words.at(end), "and" | "of" | "the") && words.is_name(end + 1))
        && (end == first || words.gap_after(end - 1).trim_matches([' ', '-']).is_empty())
    {
        end += 1;
    }
    (end > first).then(|| words.phrase(first, end).to_owned())
}

#[cfg(test)]
#[path = "pursuits_tests.rs"]
mod tests;
