//! What was said on one day, told on another.

use std::borrow::Cow;

use townsfolk_time::{Date, GameTime};

use super::super::prose::capitalised;
use super::super::text::Words;
use super::super::words::lexicon;
use super::day::{Day, days_in};

/// What was said at `said` in the words of `now`, so that it speaks of the same days: "tomorrow" is "today" a day
/// later.
#[must_use]
pub fn retold(text: &str, said: GameTime, now: GameTime) -> Cow<'_, str> {
    if said.date() == now.date() {
        return Cow::Borrowed(text);
    }
    let words = Words::new(text);
    let today = days_in(&words, now);
    let changed = days_in(&words, said)
        .into_iter()
        .filter(|day| !today.contains(day));
    let mut told = String::new();
    let mut from = 0;
    for day in changed {
        let (first, end, instead) = put(&words, &day, now.date());
        let begins = first == 0 || words.ends_sentence(first - 1);
        told.push_str(&text[from..words.start(first)]);
        told.push_str(&if begins { capitalised(&instead) } else { instead });
        from = words.end(end - 1);
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    told.push_str(&text[from..]);
    Cow::Owned(told)
}

/// The words that name a day, with its part ("tomorrow evening") and what leads to them ("on Saturday"), from the
/// first to the one after the last, and what is said instead on `today`.
fn put(words: &Words<'_>, day: &Day, today: Date) -> (usize, usize, String) {
    let when = &lexicon().when;
    let mut named = day.words.clone();
    if named.end < words.len()
        && words.gap_before(named.end) == " "
        && when.parts.contains_key(words.at(named.end))
    {
        named.end += 1;
    }
    let part = match words.at(named.end - 1) {
        "tonight" => Some("evening"),
        last => Some(last).filter(|last| when.parts.contains_key(*last)),
    };
    let before = |at: usize| at.checked_sub(1).map_or("", |before| words.at(before));
    if before(named.start) == "next" {
        named.start -= 1;
    }
    let on = before(named.start) == "on";
    let leads = !on && when.leading.iter().any(|word| word == before(named.start));
    if on {
        named.start -= 1;
    }
    let with = |day: &str| part.map_or_else(|| day.to_owned(), |part| format!("{day} {part}"));
    let instead = match (GameTime::midnight(day.date) - GameTime::midnight(today)) / 86_400 {
        0 if part == Some("night") => "tonight".to_owned(),
        0 => part.map_or_else(|| "today".to_owned(), |part| format!("this {part}")),
        1 => with("tomorrow"),
        -1 => with("yesterday"),
        _ => {
            let month = usize::from(day.date.month().unsigned_abs()).saturating_sub(1);
            let month = when.month_names.get(month).map_or("", String::as_str);
            let date = format!("{month} {}", day.date.day());
            match part {
                Some(part) if leads => format!("the {part} of {date}"),
                Some(part) => format!("on the {part} of {date}"),
                None if leads => date,
                None => format!("on {date}"),
            }
        }
    };
    (named.start, named.end, instead)
}
