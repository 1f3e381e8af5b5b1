//! What occupies a resident: what its own affairs commit it to, and how that changes overnight.

use townsfolk_memory::MemoryKind;
use townsfolk_time::{Date, GameTime, clock};

use super::activities;
use super::news;
use super::notices::is_of_change;
use super::phrases::{Phrases, fill};
use super::speech;
use super::text::Words;
use super::when::{days_in, occasion};
use super::words::lexicon;
use crate::Identity;
use crate::tasks::{Occasion, Recalled, ReviseIdentity};

/// The present concern never grows beyond this many characters.
const MOST_CHARACTERS: usize = 600;
/// Only memories at least this important change what occupies a resident.
const IMPORTANT: u8 = 8;
/// How many pieces of news are kept.
const MOST_NEWS: usize = 2;
/// How long news occupies a resident.
const NEWS_SECONDS: i64 = 2 * 86_400;

/// The occasion that `text` about `who`'s own affairs fixes: one that it hosts, or that it means to
/// attend. Past ones and mere talk of occasions fix nothing.
pub(crate) fn commitment(who: &Identity, now: GameTime, text: &str) -> Option<Occasion> {
    let mut found = occasion(text, now)?;
    if GameTime::at(found.date, found.start) + i64::from(found.minutes) * 60 <= now {
        return None;
    }
    let is_who = |name: &str| name == &*who.name || name == &*who.first_name;
    let words = Words::new(text);
    // What is moved or off is fixed already.
    if is_of_change(&words)
        || found.host.as_deref().is_none_or(is_who) && is_ones_own_meal(&words, &found.what)
    {
        return None;
    }
    if found.host.as_deref().is_some_and(is_who)
        || found.host.is_none() && speaks_of_self(&words, &lexicon().occasions.hosting)
    {
        found.host = Some(who.name.to_string());
        return Some(found);
    }
    let attends = attends(&words, who);
    attends.then_some(found)
}

/// Whether what is said is when somebody eats, rather than an occasion to which it invites: "having lunch", "my
/// dinner is at eight".
fn is_ones_own_meal(words: &Words<'_>, what: &str) -> bool {
    let days = &lexicon().days;
    let mut meals = days.breakfast.iter().chain(&days.lunch).chain(&days.dinner);
    let hosting = &lexicon().occasions.hosting;
    let hosts = |i: usize| words.at(i) != "having" && hosting.iter().any(|verb| verb == words.at(i));
    meals.any(|meal| meal == what) && !(0..words.len()).any(hosts)
}

/// "I am planning", "you are hosting", "is planning" without a name before it.
fn speaks_of_self(words: &Words<'_>, verbs: &[String]) -> bool {
    (0..words.len()).any(|i| {
        verbs.iter().any(|verb| verb == words.at(i))
            && (i.saturating_sub(5)..i)
                .any(|before| matches!(words.at(before), "i" | "you" | "we" | "i'm" | "i'll" | "you're"))
    })
}

/// Whether the text says that `who` (by name, "I" or "you") attends.
fn attends(words: &Words<'_>, who: &Identity) -> bool {
    let attending = &lexicon().occasions.attending;
    (0..words.len()).any(|i| {
        let word = words.at(i);
        let base = activities::base_of_gerund(word)
            .map(str::to_owned)
            .unwrap_or_else(|| activities::base_of_third_person(word));
        if !attending.iter().any(|verb| *verb == base || verb == word) {
            return false;
        }
        let sentence = words.sentence(i).start..i;
        let own = sentence.clone().any(|j| {
            matches!(words.at(j), "i" | "you" | "i'm" | "i'll" | "you're" | "i've")
                || words.raw(j) == &*who.first_name
        });
        own || sentence.clone().any(|j| words.phrase_at_raw(j, &who.name))
    })
}

/// What occupies the resident from `date` on: its concern so far without what is over, then what it
/// means to attend, then important news.
pub(crate) fn revise(task: &ReviseIdentity<'_>) -> String {
    let phrases = &lexicon().phrases;
    let who = task.who;
    let name = ("name", &*who.name);
    let now = GameTime::midnight(task.date);
    let mut kept: Vec<String> = Vec::new();
    let mut over: Vec<String> = Vec::new();
    let mut ended = false;
    for sentence in sentences(&who.current) {
        // What is got ready for it ends with it: "She is gathering lanterns for it."
        if ended && leans(&sentence) && past_date(&sentence, now).is_none() {
            continue;
        }
        ended = false;
        // Yesterday's news is not today's.
        if phrases.is_news(&sentence) {
            continue;
        }
        match past_date(&sentence, now) {
            None => kept.push(sentence),
            Some(date) => {
                ended = true;
                let what = occasion(&sentence, now).map(|o| o.what);
                let told = sentence.ends_with(phrases.over_end());
                if let Some(what) = what.filter(|_| !told) {
                    let text = fill(&phrases.over, &[("what", &what), ("date", &written(date))]);
                    if !over.contains(&text) {
                        over.push(text);
                    }
                }
            }
        }
    }
    let mut added: Vec<String> = Vec::new();
    // The record of a talk mixes what several people said; only one's own notes commit.
    let own_note = |m: &&Recalled| {
        m.kind == MemoryKind::Plan || m.kind == MemoryKind::Observation && m.told_by.is_none()
    };
    for memory in task.recalled.iter().filter(own_note) {
        let Some(agreed) = commitment(who, memory.created, &memory.text).filter(|o| o.date >= task.date)
        else {
            continue;
        };
        let known = kept
            .iter()
            .chain(&added)
            .any(|s| s.contains(&agreed.what) && s.contains(&written(agreed.date)));
        let own = who.current.contains(&agreed.what) && agreed.host.as_deref() == Some(&*who.name);
        if known || own {
            continue;
        }
        let place = agreed
            .place
            .as_deref()
            .map_or_else(String::new, |place| fill(&phrases.at_place, &[("place", place)]));
        let values = [
            name,
            ("what", &*agreed.what),
            ("place", &*place),
            ("date", &*written(agreed.date)),
            ("time", &*clock(agreed.start)),
        ];
        added.push(fill(&phrases.means_to_attend, &values));
    }
    let fresh = |created: GameTime| (0..=NEWS_SECONDS).contains(&(now - created));
    let news = task
        .recalled
        .iter()
        .filter(|m| m.kind == MemoryKind::Observation && m.importance >= IMPORTANT && fresh(m.created));
    let news: Vec<_> = news
        .filter(|m| {
            !kept.iter().any(|s| s.contains(m.text.trim())) && commitment(who, m.created, &m.text).is_none()
        })
        .filter(|m| past_date(&m.text, now).is_none())
        .take(MOST_NEWS)
        .map(|m| {
            fill(
                &phrases.lately,
                &[name, ("news", &speech::embedded(&news::statement(&m.text)))],
            )
        })
        .collect();
    let mut text = String::new();
    // The author's sentences first; what doesn't fit any more is left out, whole.
    for sentence in kept.iter().chain(&over).chain(&added).chain(&news) {
        let room = MOST_CHARACTERS.saturating_sub(text.chars().count());
        if sentence.chars().count() < room || text.is_empty() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(sentence);
        }
    }
    if text.trim().is_empty() {
        text = fill(&phrases.usual_days, &[name]);
    }
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((cut, _)) => text[..cut].to_owned(),
        None => text,
    }
}

/// Whether a sentence is about what the one before it names.
fn leans(sentence: &str) -> bool {
    let words = Words::new(sentence);
    let leaning_on = &Phrases::get().news.leaning_on;
    (0..words.len()).any(|i| leaning_on.contains(words.at(i)))
}

/// The text's sentences, trimmed, without empty ones.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let stops = match c {
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            '。' | '！' | '？' | '\n' => true,
            _ => false,
        };
        if stops || next.is_none() {
            let sentence = text[from..end].trim();
            if !sentence.is_empty() {
                found.push(sentence.to_owned());
            }
            from = end;
        }
    }
    found
}

/// The date that a sentence states, if all its dates are past. "Tomorrow" and weekdays state none:
/// nobody knows when they were written.
fn past_date(sentence: &str, now: GameTime) -> Option<Date> {
    let words = Words::new(sentence);
    let when = &lexicon().when;
    let states = |at: usize| {
        let word = words.at(at);
        when.months.contains_key(word)
            || word.starts_with(|c: char| c.is_ascii_digit())
            || when.weekdays.contains_key(word) && when.months.contains_key(words.at(at + 1))
    };
    let dates: Vec<Date> = days_in(&words, now)
        .into_iter()
        .filter(|day| states(day.words.start))
        .map(|day| day.date)
        .collect();
    let today = now.date();
    dates
        .last()
        .copied()
        .filter(|_| dates.iter().all(|date| *date < today))
}

/// "February 14, 2023".
fn written(date: Date) -> String {
    let months = &lexicon().when.month_names;
    let month = months
        .get(usize::from(date.month().unsigned_abs()).saturating_sub(1))
        .map_or("", String::as_str);
    format!("{month} {}, {}", date.day(), date.year())
}

#[cfg(test)]
#[path = "concerns_tests.rs"]
mod tests;
