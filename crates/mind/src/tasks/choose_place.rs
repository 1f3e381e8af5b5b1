//! Where to do something: sector, arena and object in one answer, from the places that are known.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_world::PlaceId;

use crate::model::reading::Reading;
use crate::model::wire::{Bound, Pick};
use crate::model::{Fit, Who};
use crate::routine::{Rules, places};
use crate::{Identity, Task, TaskKind};

/// Asks where to do something.
#[derive(Clone, Debug, Serialize)]
pub struct ChoosePlace<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What is to be done.
    pub activity: &'a str,
    /// The larger stretch of the day it belongs to, which may name the place.
    pub within: &'a str,
    /// Whether it is sleep.
    pub asleep: bool,
    /// The places to choose from, never empty: all objects that the resident knows, and arenas
    /// without known objects; for sleep, those of them where it may sleep.
    #[serde(skip)]
    pub choices: &'a [Choice],
}

/// A place to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The object, or the arena where it has no known object.
    pub place: PlaceId,
    /// Name of its sector.
    pub sector: Arc<str>,
    /// Name of its arena.
    pub arena: Arc<str>,
    /// Name of the object, where it is one.
    pub object: Option<Arc<str>>,
    /// Its state as last seen, where that is not its usual one and nobody's use explains it.
    pub state: Option<Arc<str>>,
    /// Whether it is in the arena where the resident lives.
    pub own_room: bool,
    /// Whether it is in the sector where the resident lives.
    pub home: bool,
    /// Whether it is in the arena where the resident is.
    pub here: bool,
    /// Whether it is in the sector where the resident is.
    pub near: bool,
}

/// The chosen place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// One of the choices' places.
    pub place: PlaceId,
}

/// The place as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// The number of the chosen place.
    pub place: Pick,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    activity: Cow<'a, str>,
    within: Option<Cow<'a, str>>,
    sectors: Vec<SectorView<'a>>,
}

/// A sector with its arenas, in the order of the choices.
#[derive(Serialize)]
struct SectorView<'a> {
    name: &'a str,
    home: bool,
    near: bool,
    arenas: Vec<ArenaView<'a>>,
}

#[derive(Serialize)]
struct ArenaView<'a> {
    name: &'a str,
    own_room: bool,
    here: bool,
    places: Vec<PlaceView<'a>>,
}

#[derive(Serialize)]
struct PlaceView<'a> {
    number: usize,
    name: &'a str,
    state: Option<&'a str>,
}

/// Whoever writes more words than these that say something does not just name a place.
const MOST_WORDS: usize = 8;

impl ChoosePlace<'_> {
    fn sectors(&self) -> Vec<SectorView<'_>> {
        let mut sectors: Vec<SectorView<'_>> = Vec::new();
        for (i, choice) in self.choices.iter().enumerate() {
            let at = sectors
                .iter()
                .position(|s| *s.name == *choice.sector)
                .unwrap_or_else(|| {
                    sectors.push(SectorView {
                        name: &choice.sector,
                        home: choice.home,
                        near: choice.near,
                        arenas: Vec::new(),
                    });
                    sectors.len() - 1
                });
            let arenas = &mut sectors[at].arenas;
            let at = arenas
                .iter()
                .position(|a| *a.name == *choice.arena)
                .unwrap_or_else(|| {
                    arenas.push(ArenaView {
                        name: &choice.arena,
                        own_room: choice.own_room,
                        here: choice.here,
                        places: Vec::new(),
                    });
                    arenas.len() - 1
                });
            arenas[at].places.push(PlaceView {
                number: i + 1,
                name: choice.object.as_deref().unwrap_or(&choice.arena),
                state: choice.state.as_deref(),
            });
        }
        sectors
    }

    /// The choice that a text means: the one with just that name, else, of those with all words of a name in
    /// it, the one that shares most; where the resident is, then its home, then the first, goes before others as good.
    fn named(&self, name: &str) -> Option<&Choice> {
        let wanted = words_of(name);
        if wanted.len() > MOST_WORDS {
            return None;
        }
        let all_in = |words: &[String], others: &[String]| words.iter().all(|word| others.contains(word));
        let score = |choice: &Choice| {
            let object = choice.object.as_deref().unwrap_or("");
            let own = words_of(object);
            let around: Vec<String> = words_of(&choice.arena)
                .into_iter()
                .chain(words_of(&choice.sector))
                .collect();
            let shared = |words: &[String]| words.iter().filter(|w| wanted.contains(w)).count();
            let exact = [object, &choice.arena, &choice.sector]
                .iter()
                .any(|n| !n.is_empty() && words_of(n) == wanted);
            let names = [object, &choice.arena, &choice.sector].map(words_of);
            // A word of a name is none: "and" is not the fruit and vegetables.
            let is_meant = names.iter().any(|n| !n.is_empty() && all_in(n, &wanted));
            let found = 3 * shared(&own) + 2 * shared(&around) + if exact { 10 } else { 0 };
            let found = if is_meant { found } else { 0 };
            (found, choice.here, choice.own_room, choice.home)
        };
        let best = self.choices.iter().map(score).max()?;
        if best.0 == 0 {
            return None;
        }
        self.choices.iter().find(|choice| score(choice) == best)
    }
}

/// Words of a name that say something, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty());
    words
        .map(str::to_lowercase)
        .filter(|w| !Reading::get().is_small(w))
        .collect()
}

impl Task for ChoosePlace<'_> {
    const KIND: TaskKind = TaskKind::ChoosePlace;
    type Answer = Chosen;

    type Wire = Wire;

    /// Where there is one place, nobody chooses.
    fn known(&self) -> Option<Chosen> {
        match self.choices {
            [only] => Some(Chosen { place: only.place }),
            _ => None,
        }
    }

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        vec![Bound::within("place", 1..=self.choices.len())]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.lasting(self.who),
            activity: fit.text(self.activity),
            within: (self.within != self.activity).then(|| fit.text(self.within)),
            sectors: self.sectors(),
        }
    }

    /// A number names its place; words name the known place most like them, or nothing.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Chosen, String> {
        let last = self.choices.len();
        let found = match &wire.place {
            Pick::Number(number) => self.choices.get((*number as usize).wrapping_sub(1)),
            Pick::Name(name) => self.named(name),
        };
        let unknown = || match &wire.place {
            Pick::Number(number) => format!("there is no place {number}; places are numbered 1 to {last}"),
            Pick::Name(name) => format!("\"{name}\" is no known place; give a number from 1 to {last}"),
        };
        found
            .map(|choice| Chosen { place: choice.place })
            .ok_or_else(unknown)
    }

    fn write(&self, answer: &Chosen) -> Wire {
        let at = self
            .choices
            .iter()
            .position(|choice| choice.place == answer.place);
        Wire {
            place: Pick::Number(at.map_or(0, |at| at as u32 + 1)),
        }
    }

    fn check(&self, answer: &Chosen) -> Result<(), String> {
        if self.choices.iter().any(|c| c.place == answer.place) {
            Ok(())
        } else {
            Err("that place is not among the known ones".to_owned())
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Chosen {
        // Without choices, against the contract, home is all there is.
        let place = places::choose(self, rules).unwrap_or(self.who.home);
        Chosen { place }
    }
}
