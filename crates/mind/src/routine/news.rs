//! What is worth passing on, what is nobody's business, and how it is put.

use townsfolk_memory::MemoryKind;
use townsfolk_time::GameTime;

use super::activities::is_verb;
use super::notices::{announces, outlasts_its_day};
use super::phrases::{Phrases, holds};
use super::prose::{first_name, lower_words, names, sentences, unclosed};
use super::text::Words;
use super::when;
use super::words::lexicon;
use crate::Identity;
use crate::tasks::Recalled;

/// From this importance on a memory is news whatever its words, in any language.
const STRIKING: u8 = 7;
/// Below this importance nothing is news.
const NOTABLE: u8 = 4;

/// Whether `who` would pass this memory on to `listener` at `now`.
pub(crate) fn is_news(who: &Identity, listener: &str, memory: &Recalled, now: GameTime) -> bool {
    let news = &Phrases::get().news;
    if memory.importance < NOTABLE
        || !matches!(memory.kind, MemoryKind::Observation | MemoryKind::Reflection)
        || memory.told_by.as_deref() == Some(listener)
    {
        return false;
    }
    let lower = memory.text.to_lowercase();
    // The cheap look at single words comes before the search for phrases.
    let news_worthy = memory.importance >= STRIKING
        || lower_words(&lower).iter().any(|w| news.words.contains(w))
        || announces(&Words::new(&memory.text), memory.created);
    let noted = |mark: &String| memory.text.contains(mark.as_str());
    news_worthy
        && !names(&memory.text, listener)
        && !Phrases::get().reflection.memory_marks.iter().any(noted)
        && !holds(&lower, &news.unspoken)
        && !is_standing(&lower)
        && !leans(&statement(&memory.text))
        && !is_private(who, listener, &memory.text, &lower)
        && !is_over(&memory.text, memory.created, now)
}

/// Whether what a text said at `said` speaks of is over at `now`: an occasion that has ended, a closing of the day
/// before. What it tells as past never is.
pub(crate) fn is_over(text: &str, said: GameTime, now: GameTime) -> bool {
    if let Some(occasion) = when::occasion(text, said) {
        return GameTime::at(occasion.date, occasion.start) + i64::from(occasion.minutes) * 60 <= now;
    }
    let words = Words::new(text);
    let days = when::Days::in_words(&words, said);
    let announced = || announces(&words, said);
    if days.are_unsaid() {
        // Who is to stay in bed is up the next day.
        let staying = &lexicon().days.staying;
        let of_a_day = || announced() || staying.iter().any(|phrase| words.find(phrase).is_some());
        return said.date() < now.date() && of_a_day() && !outlasts_its_day(&words);
    }
    days.are_over(now.date()) && (announced() || !tells_of_the_past(&words))
}

/// Whether a text has a verb in the past: "won", "was", "has fallen".
fn tells_of_the_past(words: &Words<'_>) -> bool {
    let grammar = &Phrases::get().grammar;
    let passive = &lexicon().days.passive;
    (0..words.len()).any(|i| {
        let word = words.at(i);
        let before = i.checked_sub(1).map_or("", |before| words.at(before));
        let after_being = passive.iter().any(|being| being == before);
        let after_having = matches!(before, "has" | "have") && (word.ends_with("en") || word.ends_with("ed"));
        let regular = || {
            let bases = [
                word.strip_suffix("ed"),
                word.strip_suffix('d').filter(|base| base.ends_with('e')),
            ];
            bases.into_iter().flatten().any(is_verb)
        };
        let past = grammar.past.contains(word) || after_having || regular();
        matches!(word, "was" | "were" | "had" | "did") || past && !after_being
    })
}

/// Whether a text tells of an occasion that has not begun at `now`.
pub(crate) fn is_coming(text: &str, now: GameTime) -> bool {
    when::occasion(text, now).is_some_and(|o| GameTime::at(o.date, o.start) > now)
}

/// Whether a text says who is whose family ("Noor is Samir's wife"): everybody knows, so it is no news.
fn is_standing(lower: &str) -> bool {
    let words: Vec<&str> = lower.split_whitespace().collect();
    let kin = &Phrases::get().attitude.kin;
    words.windows(2).enumerate().any(|(at, pair)| {
        let owned = pair[0].ends_with("'s") || pair[0].ends_with("’s") || pair[0].ends_with("s'");
        let relative = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        owned && kin.contains(relative) && words[at.saturating_sub(3)..at].contains(&"is")
    })
}

/// Whether a sentence begins with a word that leans on the sentence before it, such as "she".
fn leans(sentence: &str) -> bool {
    let first = sentence.split_whitespace().next().unwrap_or("").to_lowercase();
    Phrases::get().news.leaning.contains(&first)
}

/// Whether a memory isn't for `listener`'s ears: secrets, crushes, and bad words about anybody.
pub(crate) fn is_private(who: &Identity, listener: &str, text: &str, lower: &str) -> bool {
    let phrases = Phrases::get();
    let unkind = holds(lower, &phrases.attitude.dislike);
    holds(lower, &phrases.news.private)
        || unkind && (names(text, listener) || !super::attitudes::is_harsh(who))
}

/// The sentence of a memory that carries the news, in the third person and without the clauses that
/// only say that it is being told.
pub(crate) fn statement(text: &str) -> String {
    let news = &Phrases::get().news;
    let parts = sentences(text);
    let sentence = parts
        .iter()
        .find(|s| !leans(s) && lower_words(s).iter().any(|w| news.words.contains(w)))
        .or(parts.first())
        .copied()
        .unwrap_or(text);
    let mut sentence = unclosed(sentence);
    for begins in &news.announcing {
        if let Some(at) = sentence.find(begins.as_str()) {
            let rest = sentence[at + begins.len()..].trim().to_owned();
            // "Sam Moore is telling people that Sam is running": the full name says who.
            let teller = sentence[..at].trim().to_owned();
            let first = first_name(&teller);
            sentence = match rest.strip_prefix(first) {
                Some(after) if !teller.is_empty() && after.starts_with(' ') => format!("{teller}{after}"),
                _ => rest,
            };
            break;
        }
    }
    for telling in &news.about_telling {
        let Some(at) = sentence.find(telling.as_str()) else {
            continue;
        };
        if let Some(and) = sentence[..at].rfind(" and ")
            && sentence[..and].split_whitespace().count() > 4
        {
            sentence.truncate(and);
        }
    }
    sentence.trim_end_matches([',', ' ']).to_owned()
}

/// What `who` wonders about, as the rest of a question ("who will run for mayor"), with the text it
/// comes from.
pub(crate) fn curiosity<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let news = &Phrases::get().news;
    for text in texts {
        for sentence in sentences(text) {
            for cue in &news.curious {
                let Some(at) = sentence.find(cue.as_str()) else {
                    continue;
                };
                let rest = sentence[at + cue.len()..].trim();
                let mut opening = rest.split_whitespace().map(str::to_lowercase);
                let opens = opening.next().unwrap_or_default();
                // "Whether to go" is for nobody else to know.
                let own = opens == "whether" && opening.next().as_deref() == Some("to");
                if own || !news.questions.contains(&opens) {
                    continue;
                }
                // "… and he is asking everyone": only the question itself.
                let end = rest
                    .match_indices(" and ")
                    .find(|(at, and)| begins_a_clause(&rest[at + and.len()..]))
                    .map_or(rest.len(), |(at, _)| at);
                return Some(unclosed(&rest[..end]));
            }
        }
    }
    None
}

/// Whether what follows "and" is a clause of its own: "he is …", "talks …", "that is …".
fn begins_a_clause(rest: &str) -> bool {
    let grammar = &Phrases::get().grammar;
    let mut following = rest.split_whitespace();
    let Some(first) = following.next() else {
        return true;
    };
    let lower = first.to_lowercase();
    grammar.openers_lowered.contains(&lower)
        || grammar.finite.contains(&lower)
        || grammar.present_verbs.contains(&lower)
        || following
            .next()
            .is_some_and(|second| grammar.finite.contains(second) || grammar.present_verbs.contains(second))
            && lower != *first
            && following.next().is_some()
            && !rest.contains(" are ")
}
