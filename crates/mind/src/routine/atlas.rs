//! Which places words mean: the place tree that a resident knows, and the names that people have for it.

use std::ops::Range;

use super::phrases::Phrases;
use super::text::Words;
use super::words::lexicon;
use crate::period::find;

/// A place that a resident knows: a sector, an arena of it, or an object there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownPlace<'a> {
    /// Name of its sector.
    pub sector: &'a str,
    /// Name of its arena.
    pub arena: Option<&'a str>,
    /// Name of the object.
    pub object: Option<&'a str>,
}

impl<'a> KnownPlace<'a> {
    fn name(&self) -> &'a str {
        self.object.or(self.arena).unwrap_or(self.sector)
    }

    /// Whether this is the place, or lies in it.
    fn is_in(&self, place: &Self) -> bool {
        self.sector == place.sector
            && (place.arena.is_none() || self.arena == place.arena)
            && (place.object.is_none() || self.object == place.object)
    }

    /// Its full name in lower case, and words of it that people say for the whole.
    fn calls(&self) -> Vec<String> {
        let lower = self.name().to_lowercase();
        let full = lower.strip_prefix("the ").unwrap_or(&lower).to_owned();
        let mut calls = vec![full];
        if self.arena.is_none() {
            calls.extend(common_words(self.name()));
        }
        calls
    }
}

/// Words of a name that say what sort of place it is: "cafe", "library".
fn common_words(name: &str) -> impl Iterator<Item = String> + use<> {
    let days = &lexicon().days;
    let grammar = &Phrases::get().grammar;
    let words = Words::new(name);
    let is_home = (0..words.len()).any(|i| days.residences.iter().any(|word| word == words.at(i)));
    let words: Vec<String> = (0..words.len()).map(|i| words.at(i).to_owned()).collect();
    words.into_iter().filter(move |word| {
        let is_sort =
            grammar.place_words.contains(word) || days.eateries.contains(word) || days.pubs.contains(word);
        is_sort && !is_home
    })
}

/// The names, in lower case, under which somebody's activities may mention the places that `text` speaks of:
/// those places' own, those of all that lies in them, and that of a sector which has nothing else. A name
/// that other places have too is none. Of places that `text` may mean, the longest name says which.
pub(crate) fn names_of(text: &str, known: &[KnownPlace<'_>]) -> Vec<String> {
    let meant = spoken_of(text, known);
    let inside = |place: &KnownPlace<'_>| meant.iter().any(|m| place.is_in(m));
    // A cafe that is one room is closed with that room.
    let is_whole = |place: &KnownPlace<'_>| {
        if place.arena.is_some() {
            return false;
        }
        let mut parts = known
            .iter()
            .filter(|part| *part != place && part.is_in(place))
            .peekable();
        parts.peek().is_some() && parts.all(inside)
    };
    let belongs: Vec<bool> = known
        .iter()
        .map(|place| inside(place) || is_whole(place))
        .collect();
    let calls: Vec<Vec<String>> = known.iter().map(KnownPlace::calls).collect();
    let mut names: Vec<String> = Vec::new();
    for (place, own) in belongs.iter().zip(&calls) {
        for call in own.iter().filter(|_| *place) {
            let mut others = belongs.iter().zip(&calls).filter(|(belongs, _)| !**belongs);
            if !names.contains(call) && !others.any(|(_, calls)| calls.contains(call)) {
                names.push(call.clone());
            }
        }
    }
    names
}

/// The name of the room or thing called `part` in a place that `whole` speaks of.
pub(crate) fn part_named(part: &str, whole: &str, known: &[KnownPlace<'_>]) -> Option<String> {
    let wholes = spoken_of(whole, known);
    let part = part.to_lowercase();
    let mut parts = known
        .iter()
        .filter(|place| place.arena.is_some() && wholes.iter().any(|whole| place.is_in(whole)));
    parts.find_map(|place| place.calls().into_iter().find(|call| *call == part))
}

/// The places that `text` speaks of.
fn spoken_of<'k, 'a>(text: &str, known: &'k [KnownPlace<'a>]) -> Vec<&'k KnownPlace<'a>> {
    let lower = text.to_lowercase();
    let mut found: Vec<(Range<usize>, bool, &KnownPlace<'_>)> = Vec::new();
    for place in known {
        let calls = place.calls();
        for (i, call) in calls.iter().enumerate() {
            if let Some(at) = find(&lower, call) {
                found.push((at..at + call.len(), i == 0, place));
            }
        }
    }
    // The longest first; of equals the full name.
    found.sort_by_key(|(range, full, _)| (std::cmp::Reverse(range.len()), !full, range.start));
    let mut taken: Vec<(Range<usize>, bool)> = Vec::new();
    let mut meant = Vec::new();
    for (range, full, place) in found {
        let same = taken.iter().any(|(t, f)| *t == range && *f == full);
        let apart = taken
            .iter()
            .all(|(t, _)| t.end <= range.start || range.end <= t.start);
        if same || apart {
            if !same {
                taken.push((range, full));
            }
            meant.push(place);
        }
    }
    meant
}

/// Whether a place like this serves food.
pub(crate) fn is_eatery(place: &str) -> bool {
    has_word(place, &lexicon().days.eateries)
}

/// Whether a place like this serves drinks.
pub(crate) fn is_pub(place: &str) -> bool {
    has_word(place, &lexicon().days.pubs)
}

/// Whether a text has one of the words.
pub(crate) fn has_word(text: &str, list: &[String]) -> bool {
    let words = Words::new(text);
    (0..words.len()).any(|i| list.iter().any(|w| w == words.at(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<KnownPlace<'static>> {
        let all = [
            ("Blue Kettle Cafe", Some("cafe"), Some("counter")),
            ("Alder College", Some("library"), Some("bookshelf")),
            ("Alder College", Some("classroom"), Some("blackboard")),
            ("Mara's house", Some("kitchen"), Some("stove")),
            ("The Heron Pub", Some("bar room"), Some("pool table")),
            ("The Heron Pub", Some("kitchen"), Some("stove")),
        ];
        let mut known = Vec::new();
        for (sector, arena, object) in all {
            for place in [(None, None), (arena, None), (arena, object)] {
                let place = KnownPlace {
                    sector,
                    arena: place.0,
                    object: place.1,
                };
                if !known.contains(&place) {
                    known.push(place);
                }
            }
        }
        known
    }

    #[test]
    fn words_lead_to_sectors_rooms_and_things_and_the_longest_counts() {
        let names = |text: &str| names_of(text, &known()).join(", ");
        assert_eq!(
            names("the cafe"),
            "blue kettle cafe, cafe, counter",
            "a cafe of one room"
        );
        assert_eq!(names("Blue Kettle Cafe"), names("the cafe"));
        assert_eq!(
            names("the library"),
            "library, bookshelf",
            "not the whole college"
        );
        assert_eq!(
            names("Alder College"),
            "alder college, college, library, bookshelf, classroom, blackboard"
        );
        assert_eq!(
            names("the pub"),
            "heron pub, pub, bar room, pool table",
            "others have kitchens too"
        );
        assert_eq!(names("the pool table"), "pool table");
        assert_eq!(names("the moon"), "");
    }
}
