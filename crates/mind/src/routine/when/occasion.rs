//! What happens on a day and at a time: what it is, whose, where, from when until when.

use std::ops::Range;

use townsfolk_time::{DAY_MINUTES, GameTime, Minute};

use super::super::text::Words;
use super::super::words::lexicon;
use super::clock::{ClockTime, clock_times_in, time_at};
use super::day::{Day, days_in};
use crate::tasks::Occasion;

/// Something that a text says will happen (or has happened) on a day and at a time.
///
/// `now` is the moment at which the text was said or written. The host is whoever the text says
/// plans, hosts or gives it, by name; none where that is "I", "you" or nobody. Where no end is
/// said, the lexicon knows how long such things last.
pub(crate) fn occasion(text: &str, now: GameTime) -> Option<Occasion> {
    let words = Words::new(text);
    let days = days_in(&words, now);
    let day = days.first()?;
    let sentence = words.sentence(day.words.start);
    let times = clock_times_in(&words);
    let (start, end, time_words) = start_and_end(&words, &times, day, &sentence)?;
    let named = name_of(&words, &sentence, day).or_else(|| name_of(&words, &(0..words.len()), day));
    let (what, what_words, usual_minutes) = named?;
    let minutes = match end {
        Some(end) => (end + DAY_MINUTES - start) % DAY_MINUTES,
        None => usual_minutes,
    };
    Some(Occasion {
        what,
        date: day.date,
        start,
        minutes: minutes.clamp(15, 720),
        place: place_of(&words, &sentence, &what_words, &time_words),
        host: host_of(&words, &what_words),
    })
}

/// When it starts, when it ends if that is said, and the words that say so.
fn start_and_end(
    words: &Words<'_>,
    times: &[ClockTime],
    day: &Day,
    sentence: &Range<usize>,
) -> Option<(Minute, Option<Minute>, Range<usize>)> {
    let inside = |time: &&ClockTime| sentence.contains(&time.words.start);
    let close_after =
        |time: &&ClockTime| time.words.start >= day.words.end && time.words.start <= day.words.end + 8;
    let chosen = times
        .iter()
        .filter(inside)
        .find(close_after)
        .or_else(|| {
            times
                .iter()
                .filter(inside)
                .rfind(|time| time.words.end <= day.words.start)
        })
        .or_else(|| times.iter().find(inside))
        .or_else(|| times.iter().find(|time| time.words.start >= sentence.end));
    let Some(time) = chosen else {
        // "on Saturday evening", "tomorrow afternoon", "tonight".
        let part = sentence
            .clone()
            .find_map(|i| lexicon().when.parts.get(words.at(i)).map(|minute| (i, *minute)));
        return part.map(|(i, minute)| (minute, None, i..i + 1));
    };
    // "from 10 to 12": a range's start may stand before the time that was found.
    let position = times.iter().position(|t| t == time)?;
    let is_range = |a: &ClockTime, b: &ClockTime| {
        let between = a.words.end..b.words.start;
        (between.len() == 1 && matches!(words.at(between.start), "to" | "until" | "till" | "and"))
            || between.is_empty() && words.gap_after(a.words.end - 1).contains(['-', '–', '—'])
    };
    let time = match position.checked_sub(1) {
        Some(before) if is_range(&times[before], time) => &times[before],
        _ => time,
    };
    let start = afternoon_unless_certain(time);
    // The end may be said later in the text, next to the same start.
    let end = times.windows(2).find_map(|pair| {
        (afternoon_unless_certain(&pair[0]) == start && is_range(&pair[0], &pair[1])).then(|| {
            let end = afternoon_unless_certain(&pair[1]);
            if pair[1].certain || end > start {
                end
            } else {
                (end + 720) % DAY_MINUTES
            }
        })
    });
    Some((start, end, time.words.clone()))
}

/// "at six": occasions with a bare hour from one to seven are in the afternoon or evening.
fn afternoon_unless_certain(time: &ClockTime) -> Minute {
    if !time.certain && (60..480).contains(&time.minute) {
        time.minute + 720
    } else {
        time.minute
    }
}

/// What the occasion is called, where it is named and how long such things last.
fn name_of(words: &Words<'_>, within: &Range<usize>, day: &Day) -> Option<(String, Range<usize>, u16)> {
    let occasions = &lexicon().occasions;
    let kind = |i: usize| {
        let word = words.at(i);
        occasions.kinds.get(word).map(|minutes| (i, *minutes))
    };
    let stop = |i: usize| {
        let word = words.at(i);
        occasions
            .stops
            .iter()
            .chain(&occasions.determiners)
            .any(|s| s == word)
    };
    // The last noun of "dinner party" is what it is; prefer the first such phrase.
    let found = within.clone().find_map(kind).map(|(mut i, mut minutes)| {
        while let Some((next, longer)) = (i + 1 < within.end && words.gap_after(i) == " ")
            .then(|| kind(i + 1))
            .flatten()
        {
            (i, minutes) = (next, longer);
        }
        (i, minutes)
    });
    if let Some((last, minutes)) = found {
        let mut first = last;
        while first > within.start
            && words
                .gap_after(first - 1)
                .trim_matches(['*', ' ', '-', '"'])
                .is_empty()
            && !stop(first - 1)
            && !is_ing_verb(words, first - 1)
            && !(day.words.contains(&(first - 1)))
        {
            first -= 1;
        }
        // The host's name stands before a possessive: "Mara's lantern supper".
        let possessive = (first..last).find(|i| {
            let word = words.at(*i);
            (word.ends_with("'s") || word.ends_with("’s"))
                && words.at(*i + 1) != "day"
                && words.at(*i + 1) != "eve"
        });
        let first = possessive.map_or(first, |i| i + 1).min(last);
        return Some((words.phrase(first, last + 1).to_owned(), first..last + 1, minutes));
    }
    // A kind the lexicon doesn't know: what somebody is "planning" or "hosting", with an article.
    let verb = within
        .clone()
        .find(|i| occasions.hosting.iter().any(|h| h == words.at(*i)))?;
    let article = (verb + 1..(verb + 4).min(within.end))
        .find(|i| occasions.determiners.iter().any(|d| d == words.at(*i)))?;
    let first = article + 1;
    let mut last = first;
    while last < within.end && !stop(last) && !day.words.contains(&last) && last < first + 6 {
        last += 1;
        if !words.gap_after(last - 1).trim().is_empty() {
            break;
        }
    }
    (last > first).then(|| (words.phrase(first, last).to_owned(), first..last, 60))
}

fn is_ing_verb(words: &Words<'_>, index: usize) -> bool {
    let word = words.at(index);
    word.len() > 5 && word.ends_with("ing") && !words.is_name(index)
}

/// Where it is, in the text's own words.
fn place_of(
    words: &Words<'_>,
    sentence: &Range<usize>,
    what: &Range<usize>,
    time: &Range<usize>,
) -> Option<String> {
    let found = |from: usize, to: usize| (from..to).find_map(|i| place_at(words, i));
    found(what.end, sentence.end.max(what.end))
        .or_else(|| found(sentence.start, time.end.max(sentence.start)))
        .or_else(|| found(sentence.start, sentence.end))
        .or_else(|| found(0, words.len()))
}

/// The place whose "at" or "in" is the word at `index`.
pub(crate) fn place_at(words: &Words<'_>, index: usize) -> Option<String> {
    let when = &lexicon().when;
    let occasions = &lexicon().occasions;
    if !matches!(words.at(index), "at" | "in" | "inside" | "to") {
        return None;
    }
    let first = index + 1;
    let article = matches!(
        words.at(first),
        "the" | "my" | "your" | "his" | "her" | "our" | "their" | "a"
    );
    let noun = if article { first + 1 } else { first };
    // "to" leads to places with capitals only: "to Hobbs Cafe", not "to relax".
    if words.at(index) == "to" && !(words.is_name(noun) || article) {
        return None;
    }
    let is_time = |i: usize| {
        let word = words.at(i);
        time_at(words, i).is_some()
            || when.parts.contains_key(word)
            || when.months.contains_key(word)
            || when.weekdays.contains_key(word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_stop = |i: usize| occasions.stops.iter().any(|stop| stop == words.at(i));
    let number = when.numbers.contains_key(words.at(noun));
    if noun >= words.len()
        || is_time(noun)
        || is_stop(noun)
        || number
        || matches!(words.at(noun), "least" | "all" | "once" | "first")
    {
        return None;
    }
    if occasions.kinds.contains_key(words.at(noun)) && !words.is_name(noun) {
        return None;
    }
    let mut end = noun + 1;
    while end < words.len() && end < noun + 8 && words.gap_after(end - 1).trim_matches([' ', '-']).is_empty()
    {
        // "The Rose and Crown Pub", "the library at Oak Hill College".
        let joins_names = words.is_name(end + 1)
            && !is_time(end + 1)
            && match words.at(end) {
                "and" => words.is_name(end - 1),
                "of" | "at" => true,
                _ => false,
            };
        if (is_stop(end) && !joins_names && !words.is_name(end)) || is_time(end) || is_ing_verb(words, end) {
            break;
        }
        end += 1;
    }
    // "to Mara's picnic" leads to the occasion, not to a place.
    let is_occasion = words.at(index) == "to" && occasions.kinds.contains_key(words.at(end - 1));
    (!is_occasion).then(|| words.phrase(first, end).to_owned())
}

/// Whose it is: the name before "is planning", or the possessive before it ("Mara's supper").
fn host_of(words: &Words<'_>, what: &Range<usize>) -> Option<String> {
    let occasions = &lexicon().occasions;
    let name_before = |end: usize| {
        let mut first = end;
        while first > 0
            && words.is_name(first - 1)
            && (first == end || words.gap_after(first - 1).trim_matches([' ', '-']).is_empty())
        {
            first -= 1;
        }
        let name = words.phrase(first, end);
        let pronoun = matches!(name, "" | "I" | "You" | "We" | "They" | "He" | "She" | "It");
        (!pronoun).then(|| name.to_owned())
    };
    let verb = (0..what.start)
        .rev()
        .find(|i| occasions.hosting.iter().any(|h| h == words.at(*i)));
    if let Some(mut at) = verb {
        let helps = [
            "is", "was", "will", "be", "to", "on", "are", "has", "been", "also", "planning", "plans",
            "excited",
        ];
        while at > 0 && helps.contains(&words.at(at - 1)) {
            at -= 1;
        }
        if let Some(name) = name_before(at) {
            return Some(name);
        }
    }
    let before = what.start.checked_sub(1)?;
    let raw = words.raw(before);
    let owner = raw.strip_suffix("'s").or_else(|| raw.strip_suffix("’s"))?;
    match before
        .checked_sub(1)
        .filter(|_| before > 0)
        .and_then(|_| name_before(before))
    {
        Some(first) if words.is_name(before) => Some(format!("{first} {owner}")),
        _ if words.is_name(before) => Some(owner.to_owned()),
        _ => None,
    }
}
