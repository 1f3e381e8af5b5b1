//! Who "I", "you" and "she" are: statements about people turned to somebody's mouth, and back.
//!
//! [`spoken`] turns a memory ("Mara Ilves is planning a supper") into what Mara says ("I am planning
//! a supper") or what is said to her ("you are planning a supper"). [`thought`] turns a whisper
//! ("You are planning a supper") and [`reported`] a line of talk into statements about people by
//! name. Sentences the rules don't understand, and other languages, come through unchanged, so
//! nothing is lost and nothing invented.

use self::recast::{State, recast};
use self::third_person::{Named, third_person};
use self::verbs::third;
use super::phrases::Phrases;
use super::prose::{first_name, unclosed, words};
use super::when::clock_times;
use crate::Identity;

mod clauses;
mod recast;
mod third_person;
pub(crate) mod verbs;

/// A memory in the words of `speaker` to `listener`. `speaker_first` is what friends call the
/// speaker.
pub(crate) fn spoken(text: &str, speaker: &str, speaker_first: &str, listener: &str) -> String {
    recast(text, speaker, speaker_first, listener, State::default())
}

/// A statement from the speaker's own texts, where "she" at the start is the speaker.
pub(crate) fn spoken_of_self(text: &str, speaker: &str, speaker_first: &str, listener: &str) -> String {
    recast(text, speaker, speaker_first, listener, State::of_speaker())
}

/// A statement from somebody's own texts with "she" at the start replaced by the name.
pub(crate) fn named(text: &str, name: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or("");
    let rest = text.trim_start().get(first.len()..).unwrap_or("");
    match first {
        "He" | "She" => format!("{name}{rest}"),
        "They" => match rest.trim_start().split_once(' ') {
            Some((verb, more)) => {
                format!("{name} {} {more}", third(&Phrases::get().grammar, verb))
            }
            None => text.to_owned(),
        },
        _ => text.to_owned(),
    }
}

/// A whisper or an author's text as a statement about the resident by name; orders ("Run for
/// mayor") become wishes.
pub(crate) fn thought(text: &str, name: &str, first: &str) -> String {
    let grammar = &Phrases::get().grammar;
    let (all, _) = words(text);
    let personal = all.iter().any(|word| {
        let lower = word.text.to_lowercase();
        grammar.second.contains(&lower) || grammar.first.contains(&lower)
    });
    match order(text).filter(|_| !personal) {
        Some(Order::Not(what)) => return format!("{name} {} {what}", grammar.means_not_to),
        Some(Order::Do(what)) => return format!("{name} {} {what}", grammar.wants_to),
        None => {}
    }
    let me = Named { name, first };
    third_person(text, Some(me), Some(me))
}

/// A statement that somebody makes, with the name for "I".
pub(crate) fn by_name(text: &str, name: &str, first: &str) -> String {
    third_person(text, Some(Named { name, first }), None)
}

/// What somebody is told to do, or not to do.
enum Order {
    Do(String),
    Not(String),
}

/// A text that begins with an order: "Go home", "Please wait", "Don't go".
fn order(text: &str) -> Option<Order> {
    let grammar = &Phrases::get().grammar;
    let (all, _) = words(text);
    let lower: Vec<String> = all.iter().map(|w| w.text.to_lowercase()).collect();
    let rest = |at: usize| {
        let from = all.get(at)?.text.as_ptr() as usize - text.as_ptr() as usize;
        Some(text[from..].trim())
    };
    if grammar.forbids(&lower) {
        let words = if grammar.prohibitions.contains(&lower[0]) {
            1
        } else {
            2
        };
        return Some(Order::Not(rest(words)?.to_owned()));
    }
    let at = match lower.as_slice() {
        // "Work ends at noon."
        [_, course, ..] if grammar.courses.contains(course) => return None,
        [please, verb, ..] if grammar.please.contains(please) && grammar.is_command(verb) => 1,
        [verb, ..] if grammar.is_command(verb) => 0,
        _ => return None,
    };
    let mut what = rest(at)?.to_owned();
    if let Some(head) = what.get(..1) {
        let head = head.to_lowercase();
        what.replace_range(..1, &head);
    }
    Some(Order::Do(what))
}

/// A sentence said to somebody; an order with a time of day says what they should do, by name.
pub(crate) fn advice(text: &str, listener: &str) -> String {
    let grammar = &Phrases::get().grammar;
    match order(text) {
        Some(Order::Do(what)) if !clock_times(text).is_empty() => {
            format!("{listener} {} {what}", grammar.advising)
        }
        Some(Order::Not(what)) => format!("{listener} {} {what}", grammar.advising_not),
        _ => text.to_owned(),
    }
}

/// A line of talk as a statement about its speaker and listener by name.
pub(crate) fn reported(text: &str, speaker: &str, listener: &str) -> String {
    let named = |name| Named {
        name,
        first: first_name(name),
    };
    third_person(text, Some(named(speaker)), Some(named(listener)))
}

/// The same without the full stop, as memories are written.
pub(crate) fn unclosed_report(text: &str, speaker: &str, listener: &str) -> String {
    unclosed(&reported(text, speaker, listener))
}

/// A statement to follow a word such as "that": its first letter small, unless that is a name or "I".
pub(crate) fn embedded(text: &str) -> String {
    let grammar = &Phrases::get().grammar;
    let Some(first) = text.split_whitespace().next() else {
        return String::new();
    };
    let lower = first.to_lowercase();
    if grammar.openers_lowered.contains(&lower) || grammar.function.contains(&lower) {
        format!("{lower}{}", &text[text.find(first).unwrap_or(0) + first.len()..])
    } else {
        text.to_owned()
    }
}

/// The first clause's verb phrase: "eating lunch" out of "Klaus Mueller is eating lunch".
pub(crate) fn activity<'a>(text: &'a str, name: &str) -> &'a str {
    let text = text.trim().trim_end_matches('.');
    let rest = text.strip_prefix(name).map(str::trim_start).unwrap_or(text);
    rest.strip_prefix("is ").unwrap_or(rest).trim()
}

/// What a resident does, in words that follow "is", as it says it of itself: "marking her pupils' work" is
/// "marking my pupils' work". None in another language.
pub(crate) fn own_activity(doing: &str, speaker: &Identity, listener: &str) -> Option<String> {
    let is_doing = format!("{} is {doing}", speaker.name);
    let said = spoken(&is_doing, &speaker.name, &speaker.first_name, listener);
    said.split_once(" am ").map(|(_, doing)| doing.to_owned())
}

#[cfg(test)]
mod tests;
