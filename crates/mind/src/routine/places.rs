//! Where to do something, out of the places a resident knows.
//!
//! Every choice gets points: for being named in the activity or in the stretch of the day it
//! belongs to, for an object of the kind the activity uses, for being home where home suits, for
//! being near. Other people's rooms lose points, as do counters to whoever doesn't work there.
//! Equal choices are told apart by likeness of meaning, then by addressed chance.

use townsfolk_world::PlaceId;

use super::Rules;
use super::activities::{Kind, Setting, kind_named, kind_of};
use super::text::Words;
use super::words::lexicon;
use crate::tasks::{Choice, ChoosePlace};

/// Points; only their order of size matters.
mod points {
    pub(super) const SECTOR_NAMED: i32 = 12_000;
    pub(super) const SECTOR_NAMED_WITHIN: i32 = 8_000;
    pub(super) const ARENA_NAMED: i32 = 3_000;
    pub(super) const ARENA_NAMED_WITHIN: i32 = 1_500;
    pub(super) const HOME_NAMED: i32 = 9_000;
    pub(super) const OBJECT_BEST: i32 = 2_400;
    pub(super) const OBJECT_STEP: i32 = 140;
    pub(super) const OBJECT_WORD: i32 = 300;
    pub(super) const HOME: i32 = 1_500;
    pub(super) const OWN_ROOM: i32 = 900;
    pub(super) const HERE: i32 = 150;
    pub(super) const NEAR: i32 = 900;
    pub(super) const STRANGERS_HOME: i32 = -6_000;
    pub(super) const STRANGERS_ROOM: i32 = -5_000;
    pub(super) const BEHIND_COUNTER: i32 = -4_000;
    pub(super) const NO_OBJECT: i32 = -200;
}

/// How many equal choices are compared by meaning.
const MOST_COMPARED: usize = 8;

/// The best of the choices.
pub(crate) fn choose(task: &ChoosePlace<'_>, rules: &Rules<'_>) -> Option<PlaceId> {
    let question = Question::new(task);
    let mut best: Vec<&Choice> = Vec::new();
    let mut most = i32::MIN;
    let mut sector: Option<(&str, i32)> = None;
    for choice in task.choices {
        // Choices of one sector stand together: its name is compared once.
        let sector_points = match sector {
            Some((name, points)) if *name == *choice.sector => points,
            _ => {
                let points = question.sector(choice);
                sector = Some((&choice.sector, points));
                points
            }
        };
        let points = sector_points + question.arena_and_object(choice);
        if points > most {
            most = points;
            best.clear();
        }
        if points == most {
            best.push(choice);
        }
    }
    if best.len() < 2 {
        return best.first().map(|choice| choice.place);
    }
    let alike = |choice: &Choice| {
        let name = choice.object.as_deref().unwrap_or(&choice.arena);
        rules.likeness(task.activity, name)
    };
    let ranked: Vec<(f64, &Choice)> = best.iter().take(MOST_COMPARED).map(|c| (alike(c), *c)).collect();
    let closest = ranked
        .iter()
        .map(|(likeness, _)| *likeness)
        .fold(f64::MIN, f64::max);
    let equal: Vec<&Choice> = ranked
        .iter()
        .filter(|(l, _)| *l >= closest)
        .map(|(_, c)| *c)
        .collect();
    rules
        .chance
        .pick(task.within, &equal)
        .or(best.first())
        .map(|choice| choice.place)
}

struct Question<'a> {
    task: &'a ChoosePlace<'a>,
    activity: Words<'a>,
    within: Words<'a>,
    kind: Option<&'static Kind>,
    /// Words of the objects the kind uses, best first.
    objects: Vec<Vec<&'static str>>,
    /// Whether the resident works behind counters there.
    serves: bool,
    /// Whether home is named in the activity or the stretch it belongs to.
    home_named: bool,
    /// Whether a sector is named in either.
    sector_named: bool,
    /// Words for the other gender's rooms.
    not_ours: Option<&'static [String]>,
}

impl<'a> Question<'a> {
    fn new(task: &'a ChoosePlace<'a>) -> Self {
        let activity = Words::new(task.activity);
        let within = Words::new(task.within);
        let kind = if task.asleep {
            kind_named("sleep")
        } else {
            kind_of(&activity).or_else(|| kind_of(&within)).map(|f| f.kind)
        };
        let outer = kind_of(&within).map(|f| f.kind);
        let serves = [kind, outer]
            .into_iter()
            .flatten()
            .any(|kind| kind.setting == Setting::Counter);
        let named = |words: &Words<'_>, name: &str| words.find(name).is_some();
        let home_named = named(&activity, "home") || named(&within, "home") || named(&activity, "room");
        let objects = kind.map_or_else(Vec::new, |kind| {
            kind.objects.iter().map(|o| o.split(' ').collect()).collect()
        });
        let mut question = Self {
            task,
            activity,
            within,
            kind,
            objects,
            serves,
            home_named,
            sector_named: false,
            not_ours: other_gender(task),
        };
        let mut last = "";
        question.sector_named = task.choices.iter().any(|choice| {
            let new = *choice.sector != *last;
            last = &choice.sector;
            new && (names(&question.activity, &choice.sector) > 0
                || names(&question.within, &choice.sector) > 0)
        });
        question
    }

    fn setting(&self) -> Setting {
        self.kind.map_or(Setting::Any, |kind| kind.setting)
    }

    fn sector(&self, choice: &Choice) -> i32 {
        let mut total = 0;
        let (here, wide) = (
            names(&self.activity, &choice.sector),
            names(&self.within, &choice.sector),
        );
        if here > 0 {
            total += points::SECTOR_NAMED + 10 * here;
        } else if wide > 0 {
            total += points::SECTOR_NAMED_WITHIN + 10 * wide;
        }
        let residence = is_residence(&choice.sector);
        if choice.home {
            total += match (self.home_named, self.setting(), self.sector_named) {
                (true, ..) => points::HOME_NAMED,
                (false, _, true) | (false, Setting::Out, _) => 0,
                (false, Setting::Home | Setting::OwnRoom, _) => 2 * points::HOME,
                _ => points::HOME / 2,
            };
        } else if residence && here == 0 {
            total += points::STRANGERS_HOME;
        } else if self.setting() == Setting::Out {
            total += points::HOME / 2;
        }
        total
    }

    fn arena_and_object(&self, choice: &Choice) -> i32 {
        let mut total = 0;
        let arena = &*choice.arena;
        if names(&self.activity, arena) > 0 {
            total += points::ARENA_NAMED;
        } else if names(&self.within, arena) > 0 {
            total += points::ARENA_NAMED_WITHIN;
        }
        if choice.own_room && matches!(self.setting(), Setting::OwnRoom) {
            total += points::OWN_ROOM * 2;
        } else if choice.own_room {
            total += points::OWN_ROOM / 9;
        }
        if choice.near {
            total += points::NEAR;
        }
        if choice.here {
            total += points::HERE;
        }
        if !choice.own_room && self.is_somebody_elses(arena) {
            total += points::STRANGERS_ROOM;
        }
        if let Some(words) = self.not_ours
            && contains_any(arena, words)
        {
            total += points::STRANGERS_ROOM;
        }
        let Some(object) = choice.object.as_deref() else {
            return total + points::NO_OBJECT + self.kind_points(arena);
        };
        // A room may be what the activity needs where its object isn't: a galley to cook in.
        total += self
            .kind_points(object)
            .max(self.kind_points(arena) - points::OBJECT_BEST / 3);
        total += points::OBJECT_WORD * self.shared_words(object);
        let staff = lexicon().spots.staff.iter().find(|word| has_word(object, word));
        if let Some(staff) = staff {
            let meant = self.serves || self.objects.iter().any(|words| words.contains(&staff.as_str()));
            total += if meant {
                points::OBJECT_WORD
            } else {
                points::BEHIND_COUNTER
            };
            total += points::OBJECT_WORD / 3 * self.own_words(object);
        }
        total
    }

    /// Points for being of a kind that the activity uses; next best are tables and seats.
    fn kind_points(&self, name: &str) -> i32 {
        let position = self
            .objects
            .iter()
            .position(|words| words.iter().all(|word| has_word(name, word)));
        match position {
            Some(position) => {
                (points::OBJECT_BEST - points::OBJECT_STEP * position as i32).max(points::OBJECT_STEP)
            }
            None if contains_any(name, &lexicon().spots.plain) => points::OBJECT_STEP / 2,
            None => 0,
        }
    }

    /// How many of a name's words stand in the activity or the stretch it belongs to, such as
    /// "grocery"; words of names ("Market and Pharmacy") don't count.
    fn shared_words(&self, name: &str) -> i32 {
        count_shared(name, &[&self.activity, &self.within])
    }

    /// How many of a name's words stand in what the resident's own texts say of its work.
    fn own_words(&self, name: &str) -> i32 {
        let who = self.task.who;
        let texts = [Words::new(&who.background), Words::new(&who.daily_requirement)];
        count_shared(name, &[&texts[0], &texts[1]])
    }

    /// Whether a room bears a person's name that isn't the resident's.
    fn is_somebody_elses(&self, arena: &str) -> bool {
        let owned = arena.split(' ').any(|word| {
            (word.ends_with("'s") || word.ends_with("’s") || word.ends_with("s'"))
                && word.chars().next().is_some_and(char::is_uppercase)
        });
        let who = self.task.who;
        owned
            && !arena.contains(&*who.name)
            && !arena
                .split(' ')
                .any(|word| word.trim_end_matches("'s") == &*who.first_name)
    }
}

/// How many words of `name` stand in `words` one after the other, if all do: a leading "the" and a
/// final s count for nothing.
fn names(words: &Words<'_>, name: &str) -> i32 {
    let plain = |word: &str| word.len() - usize::from(word.len() > 3 && word.ends_with(['s', 'S']));
    let same = |a: &str, b: &str| a[..plain(a)].eq_ignore_ascii_case(&b[..plain(b)]);
    let mut parts = name.split([' ', '-']).filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_some_and(|part| part.eq_ignore_ascii_case("the")) {
        parts.next();
    }
    let Some(first) = parts.next() else { return 0 };
    (0..words.len())
        .filter(|start| same(words.at(*start), first))
        .map(|start| {
            let mut length = 1;
            for part in parts.clone() {
                if !same(words.at(start + length), part) {
                    return 0;
                }
                length += 1;
            }
            length as i32
        })
        .max()
        .unwrap_or(0)
}

/// How many of a name's longer words stand in the texts in lower case.
fn count_shared(name: &str, texts: &[&Words<'_>]) -> i32 {
    let mentioned =
        |word: &&str| word.len() > 3 && texts.iter().any(|w| (0..w.len()).any(|i| w.raw(i).eq(*word)));
    name.split(' ').filter(mentioned).count() as i32
}

fn has_word(name: &str, word: &str) -> bool {
    name.split([' ', '-']).any(|part| part.eq_ignore_ascii_case(word))
}

fn contains_any(name: &str, words: &[String]) -> bool {
    words.iter().any(|word| has_word(name, word))
}

/// Whether people live in a sector, by its name; a coffee house is none.
fn is_residence(sector: &str) -> bool {
    let days = &lexicon().days;
    let has = |list: &[String]| {
        sector
            .split([' ', '-'])
            .any(|part| list.iter().any(|w| part.eq_ignore_ascii_case(w)))
    };
    has(&days.residences) && !has(&days.eateries) && !has(&days.pubs)
}

/// Words for rooms of the other gender, as far as the resident's own texts tell its own.
fn other_gender(task: &ChoosePlace<'_>) -> Option<&'static [String]> {
    let people = &lexicon().people;
    let texts = [Words::new(&task.who.background), Words::new(&task.who.current)];
    let count = |pronouns: &[String]| {
        texts
            .iter()
            .map(|w| {
                (0..w.len())
                    .filter(|i| pronouns.iter().any(|p| p == w.at(*i)))
                    .count()
            })
            .sum::<usize>()
    };
    let (men, women) = (count(&people.male_pronouns), count(&people.female_pronouns));
    match men.cmp(&women) {
        std::cmp::Ordering::Greater => Some(&people.female_rooms),
        std::cmp::Ordering::Less => Some(&people.male_rooms),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
