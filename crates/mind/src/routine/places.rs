//! Where to do something, out of the places a resident knows.
//!
//! Every choice gets points: for being named in the activity or in the stretch of the day it
//! belongs to, for an object of the kind the activity uses, for being home where home suits, for
//! being near. Other people's rooms lose points, as do counters to whoever doesn't work there.
//! Equal choices are told apart by likeness of meaning, then by addressed chance.

use std::cell::OnceCell;
use std::sync::Arc;

use townsfolk_world::PlaceId;

use super::Rules;
use super::activities::{Kind, Setting, index_of, kind_named, kind_of};
use super::names::{Gender, Name, plain};
use super::reactions;
use super::text::Words;
use super::when::place_at;
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
    pub(super) const LEAST_USED: i32 = 420;
    pub(super) const PLAIN: i32 = 280;
    pub(super) const OBJECT_WORD: i32 = 300;
    pub(super) const HOME: i32 = 1_500;
    pub(super) const OWN_ROOM: i32 = 900;
    pub(super) const HERE: i32 = 150;
    pub(super) const NEAR: i32 = 900;
    pub(super) const STRANGERS_HOME: i32 = -6_000;
    pub(super) const STRANGERS_ROOM: i32 = -5_000;
    pub(super) const BEHIND_COUNTER: i32 = -4_000;
    pub(super) const NO_OBJECT: i32 = -200;
    pub(super) const BED: i32 = -700;
    pub(super) const OUT_OF_ORDER: i32 = -4_000;
}

/// How many equal choices are compared by meaning.
const MOST_COMPARED: usize = 8;

/// The best of the choices.
pub(crate) fn choose(task: &ChoosePlace<'_>, rules: &Rules<'_>) -> Option<PlaceId> {
    let activity = Words::new(task.activity);
    let within = Words::new(task.within);
    let mut question = Question::new(task, &activity, &within);
    let sectors = Memo::new(task.choices, rules, |choice| &*choice.sector);
    question.sector_named = sectors.distinct.iter().any(|name| question.is_named(name));
    if !question.sector_named {
        question.find_heads();
        question.sector_named = sectors.distinct.iter().any(|name| question.is_meant(name));
    }
    let arenas = Memo::new(task.choices, rules, |choice| &*choice.arena);
    let mut best: Vec<&Choice> = Vec::new();
    let mut most = i32::MIN;
    // Choices of one arena stand together: what holds for all of them is worked out once.
    let mut shared: Option<(usize, usize, bool, i32)> = None;
    for (i, choice) in task.choices.iter().enumerate() {
        let (sector, arena) = (sectors.of[i], arenas.of[i]);
        let of_arena = match shared {
            Some((s, a, own, points)) if (s, a, own) == (sector, arena, choice.own_room) => points,
            _ => {
                let points = question.sector(choice, &sectors.distinct[sector])
                    + question.arena(choice, &arenas.distinct[arena]);
                shared = Some((sector, arena, choice.own_room, points));
                points
            }
        };
        let points = of_arena + question.object(choice, &arenas.distinct[arena], rules);
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

/// What the names of the choices' sectors or arenas say, each looked up once per run of equals.
struct Memo {
    distinct: Vec<Arc<Name>>,
    /// For each choice, the position of its name.
    of: Vec<usize>,
}

impl Memo {
    fn new<'a>(choices: &'a [Choice], rules: &Rules<'_>, name: impl Fn(&'a Choice) -> &'a str) -> Self {
        let mut memo = Self {
            distinct: Vec::new(),
            of: Vec::with_capacity(choices.len()),
        };
        let mut last: Option<&str> = None;
        for choice in choices {
            let name = name(choice);
            if last != Some(name) {
                memo.distinct.push(rules.name(name));
                last = Some(name);
            }
            memo.of.push(memo.distinct.len() - 1);
        }
        memo
    }
}

struct Question<'a> {
    task: &'a ChoosePlace<'a>,
    activity: &'a Words<'a>,
    within: &'a Words<'a>,
    /// The words of both, made plain.
    plain_activity: Vec<&'a str>,
    plain_within: Vec<&'a str>,
    kind: Option<&'static Kind>,
    kind_index: usize,
    /// Whether the resident works behind counters there.
    serves: bool,
    /// Whether home is named in the activity or the stretch it belongs to.
    home_named: bool,
    /// Whether a sector is named in either.
    sector_named: bool,
    /// The word for a place in "going to the library", made plain, where no sector is named in full: in
    /// the activity, and in the stretch it belongs to.
    head: Option<&'a str>,
    head_within: Option<&'a str>,
    /// What the resident's own texts say, worked out when first needed.
    gender: OnceCell<Option<Gender>>,
    own_texts: OnceCell<[Words<'a>; 2]>,
}

impl<'a> Question<'a> {
    fn new(task: &'a ChoosePlace<'a>, activity: &'a Words<'a>, within: &'a Words<'a>) -> Self {
        let outer = kind_of(within).map(|found| found.kind);
        let kind = if task.asleep {
            kind_named("sleep")
        } else {
            kind_of(activity).map(|found| found.kind).or(outer)
        };
        let serves = [kind, outer]
            .into_iter()
            .flatten()
            .any(|kind| kind.setting == Setting::Counter);
        let named = |words: &Words<'_>, name: &str| words.find(name).is_some();
        let home = &lexicon().phrases.home;
        Self {
            task,
            activity,
            within,
            plain_activity: (0..activity.len()).map(|i| plain(activity.at(i))).collect(),
            plain_within: (0..within.len()).map(|i| plain(within.at(i))).collect(),
            kind,
            kind_index: kind.map_or(usize::MAX, index_of),
            serves,
            home_named: named(activity, home) || named(within, home) || named(activity, "room"),
            sector_named: false,
            head: None,
            head_within: None,
            gender: OnceCell::new(),
            own_texts: OnceCell::new(),
        }
    }

    fn is_named(&self, name: &Name) -> bool {
        name.stands_in(&self.plain_activity) > 0 || name.stands_in(&self.plain_within) > 0
    }

    fn find_heads(&mut self) {
        self.head = place_word(self.activity);
        self.head_within = place_word(self.within);
    }

    /// Whether one of the words for places means this sector.
    fn is_meant(&self, sector: &Name) -> bool {
        let meant = |head: Option<&str>| head.is_some_and(|head| sector.is_a(head));
        meant(self.head) || meant(self.head_within)
    }

    fn setting(&self) -> Setting {
        self.kind.map_or(Setting::Any, |kind| kind.setting)
    }

    fn sector(&self, choice: &Choice, sector: &Name) -> i32 {
        let mut total = 0;
        let here = sector.stands_in(&self.plain_activity);
        let wide = sector.stands_in(&self.plain_within);
        if here > 0 {
            total += points::SECTOR_NAMED + 10 * here;
        } else if wide > 0 {
            total += points::SECTOR_NAMED_WITHIN + 10 * wide;
        } else if self.head.is_some_and(|head| sector.is_a(head)) {
            total += points::SECTOR_NAMED;
        } else if self.head_within.is_some_and(|head| sector.is_a(head)) {
            total += points::SECTOR_NAMED_WITHIN;
        }
        if choice.home {
            total += match (self.home_named, self.setting(), self.sector_named) {
                (true, ..) => points::HOME_NAMED,
                (false, _, true) | (false, Setting::Out, _) => 0,
                (false, Setting::Home | Setting::OwnRoom, _) => 2 * points::HOME,
                _ => points::HOME / 2,
            };
        } else if sector.is_residence && here == 0 {
            total += points::STRANGERS_HOME;
        } else if self.setting() == Setting::Out {
            total += points::HOME / 2;
        }
        total
    }

    fn arena(&self, choice: &Choice, arena: &Name) -> i32 {
        let mut total = 0;
        if arena.stands_in(&self.plain_activity) > 0 {
            total += points::ARENA_NAMED;
        } else if arena.stands_in(&self.plain_within) > 0 {
            total += points::ARENA_NAMED_WITHIN;
        }
        if choice.own_room && self.setting() == Setting::OwnRoom {
            total += points::OWN_ROOM * 2;
        } else if choice.own_room {
            total += points::OWN_ROOM / 9;
        }
        let who = self.task.who;
        let ours =
            choice.own_room || choice.arena.contains(&*who.name) || arena.names_person(&who.first_name);
        if arena.is_somebodys && !ours {
            total += points::STRANGERS_ROOM;
        }
        if let Some(gender) = arena.gendered
            && self.gender().is_some_and(|own| own != gender)
        {
            total += points::STRANGERS_ROOM;
        }
        total
    }

    fn object(&self, choice: &Choice, arena: &Name, rules: &Rules<'_>) -> i32 {
        let mut total = if choice.near { points::NEAR } else { 0 };
        if choice.here {
            total += points::HERE;
        }
        let Some(object) = choice.object.as_deref() else {
            return total + points::NO_OBJECT + self.kind_points(arena);
        };
        if choice.state.as_deref().is_some_and(reactions::is_out_of_order) {
            total += points::OUT_OF_ORDER;
        }
        let object = rules.name(object);
        // A room may be what the activity needs where its object isn't: a galley to cook in.
        total += self
            .kind_points(&object)
            .max(self.kind_points(arena) - points::OBJECT_BEST / 3);
        total += points::OBJECT_WORD * shared(&object, [self.activity, self.within]);
        if let Some(staff) = object.staff {
            let meant = self.serves
                || self
                    .kind
                    .is_some_and(|kind| kind.objects.iter().any(|o| o.split(' ').any(|w| w == staff)));
            total += if meant {
                points::OBJECT_WORD
            } else {
                points::BEHIND_COUNTER
            };
            let own = self.own_texts.get_or_init(|| {
                let who = self.task.who;
                [Words::new(&who.background), Words::new(&who.daily_requirement)]
            });
            total += points::OBJECT_WORD / 3 * shared(&object, own.each_ref());
        }
        total
    }

    /// Points for being of a kind that the activity uses; next best are tables and seats.
    fn kind_points(&self, name: &Name) -> i32 {
        match name.used_by(self.kind_index) {
            Some(position) => {
                (points::OBJECT_BEST - points::OBJECT_STEP * i32::from(position)).max(points::LEAST_USED)
            }
            // Whatever isn't rest is done anywhere rather than on a bed.
            None if name.is_bed => points::BED,
            None if name.is_plain => points::PLAIN,
            None => 0,
        }
    }

    /// The resident's gender, as far as the pronouns of its own texts tell.
    fn gender(&self) -> Option<Gender> {
        *self.gender.get_or_init(|| {
            let people = &lexicon().people;
            let texts = [
                Words::new(&self.task.who.background),
                Words::new(&self.task.who.current),
            ];
            let count = |pronouns: &[String]| {
                let in_text = |w: &Words<'_>| {
                    (0..w.len())
                        .filter(|i| pronouns.iter().any(|p| p == w.at(*i)))
                        .count()
                };
                texts.iter().map(in_text).sum::<usize>()
            };
            match count(&people.male_pronouns).cmp(&count(&people.female_pronouns)) {
                std::cmp::Ordering::Greater => Some(Gender::Men),
                std::cmp::Ordering::Less => Some(Gender::Women),
                std::cmp::Ordering::Equal => None,
            }
        })
    }
}

/// The last word of the place in "going to the library", made plain.
fn place_word<'a>(words: &'a Words<'_>) -> Option<&'a str> {
    (0..words.len()).find_map(|i| {
        if words.at(i + 1) != "the" {
            return None;
        }
        let place = place_at(words, i)?;
        let last = i + Words::new(&place).len();
        (last > i + 1).then(|| plain(words.at(last)))
    })
}

/// How many of an object's words stand in the texts, such as "grocery"; words of names there
/// ("Market and Pharmacy") don't count.
fn shared(object: &Name, texts: [&Words<'_>; 2]) -> i32 {
    object.count(|word| {
        texts
            .iter()
            .any(|text| (0..text.len()).any(|i| text.raw(i) == word))
    })
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
