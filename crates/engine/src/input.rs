//! Steering from outside: what people do to a town while its story goes on.
//!
//! An input is recorded before it acts, at the start of a tick, so that a run with inputs can be
//! executed again and comes out the same. [`Input`] is one act by ids, as programs give it;
//! [`Written`] is the same act by names, as the run file and files of inputs hold it.

use serde::{Deserialize, Serialize};
use townsfolk_mind::ResidentId;
use townsfolk_town::Newcomer;
use townsfolk_world::{PlaceId, PlaceKind, Tile, World};

use crate::people::Person;

/// How many letters a whisper, a visitor's line or an object's state has at most.
const MOST_LETTERS: usize = 2_000;
/// And so many as a visitor's name or role.
const MOST_LETTERS_OF_A_NAME: usize = 80;

/// One act from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "input")]
pub enum Input {
    /// An inner voice: remembered as a thought of one's own, and acted on. Who sleeps hears it on
    /// waking.
    Whisper {
        /// Who hears it.
        resident: ResidentId,
        /// The words.
        text: String,
    },
    /// Brings an object into a state that stays, whoever uses it, until it is set again. Whoever sees
    /// it can react.
    SetObject {
        /// Which object.
        object: PlaceId,
        /// Its state, in words that follow "is", such as "broken", or a sentence about it.
        state: String,
    },
    /// A visitor walks in: a body without a mind of ours, that people move and speak through.
    Arrive {
        /// Full name, unlike any resident's.
        name: String,
        /// What they are, such as "a reporter"; may be empty.
        role: String,
        /// Where they appear; a walkable tile.
        tile: Tile,
    },
    /// A visitor walks to a tile, step by step.
    Walk {
        /// The visitor.
        visitor: ResidentId,
        /// Where to.
        to: Tile,
    },
    /// A visitor says something: opens a talk with `to`, or answers in the talk they are in.
    Speak {
        /// The visitor.
        visitor: ResidentId,
        /// Whom they speak to.
        to: ResidentId,
        /// The words.
        text: String,
        /// Whether the visitor ends the talk with them.
        ends: bool,
    },
    /// A visitor, or a resident, leaves the town for good.
    Leave {
        /// Who.
        who: ResidentId,
    },
    /// A resident is put on another tile.
    Move {
        /// Who.
        resident: ResidentId,
        /// Where; a walkable tile.
        to: Tile,
    },
    /// Somebody new lives here from now on.
    Join {
        /// Who; gets the next id.
        newcomer: Box<Newcomer>,
    },
    /// A question and the answer a resident gave to it become a memory of the resident's.
    Remember {
        /// Who answered.
        resident: ResidentId,
        /// What was asked.
        question: String,
        /// What was answered.
        answer: String,
    },
}

/// One act from outside in the words of people: names instead of ids, addresses instead of places.
/// What inputs a run had can be read in its file, and ids don't depend on who came first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "input", deny_unknown_fields)]
#[allow(missing_docs, reason = "the fields are those of `Input`, by name")]
pub enum Written {
    /// [`Input::Whisper`].
    Whisper { resident: String, text: String },
    /// [`Input::SetObject`].
    SetObject { object: String, state: String },
    /// [`Input::Arrive`].
    Arrive {
        name: String,
        #[serde(default)]
        role: String,
        tile: [u16; 2],
    },
    /// [`Input::Walk`].
    Walk { visitor: String, to: [u16; 2] },
    /// [`Input::Speak`].
    Speak {
        visitor: String,
        to: String,
        text: String,
        #[serde(default)]
        ends: bool,
    },
    /// [`Input::Leave`].
    Leave { who: String },
    /// [`Input::Move`].
    Move { resident: String, to: [u16; 2] },
    /// [`Input::Join`].
    Join { newcomer: Box<Newcomer> },
    /// [`Input::Remember`].
    Remember {
        resident: String,
        question: String,
        answer: String,
    },
}

impl Written {
    /// The word for its kind, as it stands in the run file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Whisper { .. } => "whisper",
            Self::SetObject { .. } => "set_object",
            Self::Arrive { .. } => "arrive",
            Self::Walk { .. } => "walk",
            Self::Speak { .. } => "speak",
            Self::Leave { .. } => "leave",
            Self::Move { .. } => "move",
            Self::Join { .. } => "join",
            Self::Remember { .. } => "remember",
        }
    }

    /// Refuses more words at once than anybody takes in.
    ///
    /// # Errors
    /// [`InputError::TooLong`].
    pub(crate) fn check_length(&self) -> Result<(), InputError> {
        let short = |what, text: &str, most| {
            let letters = text.chars().count();
            match letters > most {
                true => Err(InputError::TooLong { what, letters, most }),
                false => Ok(()),
            }
        };
        match self {
            Self::Whisper { text, .. } => short("the whisper", text, MOST_LETTERS),
            Self::Speak { text, .. } => short("what the visitor says", text, MOST_LETTERS),
            Self::SetObject { state, .. } => short("the state", state, MOST_LETTERS),
            Self::Arrive { name, role, .. } => {
                short("the visitor's name", name, MOST_LETTERS_OF_A_NAME)?;
                short("the visitor's role", role, MOST_LETTERS_OF_A_NAME)
            }
            _ => Ok(()),
        }
    }

    /// The act by names; none for an id that nobody has.
    pub(crate) fn of(input: &Input, people: &[Person], world: &World) -> Result<Self, InputError> {
        let name = |id: ResidentId| {
            let person = people.get(id.index());
            person
                .map(|person| person.name().to_string())
                .ok_or(InputError::NoId {
                    id: id.0,
                    people: people.len(),
                })
        };
        let tile = |tile: Tile| [tile.x, tile.y];
        Ok(match input.clone() {
            Input::Whisper { resident, text } => Self::Whisper {
                resident: name(resident)?,
                text,
            },
            Input::SetObject { object, state } => Self::SetObject {
                object: address(object, world)?,
                state,
            },
            Input::Arrive { name, role, tile: at } => Self::Arrive {
                name,
                role,
                tile: tile(at),
            },
            Input::Walk { visitor, to } => Self::Walk {
                visitor: name(visitor)?,
                to: tile(to),
            },
            Input::Speak {
                visitor,
                to,
                text,
                ends,
            } => Self::Speak {
                visitor: name(visitor)?,
                to: name(to)?,
                text,
                ends,
            },
            Input::Leave { who } => Self::Leave { who: name(who)? },
            Input::Move { resident, to } => Self::Move {
                resident: name(resident)?,
                to: tile(to),
            },
            Input::Join { newcomer } => Self::Join { newcomer },
            Input::Remember {
                resident,
                question,
                answer,
            } => Self::Remember {
                resident: name(resident)?,
                question,
                answer,
            },
        })
    }

    /// The act by ids, among `people` and the places of `world`.
    ///
    /// # Errors
    /// [`InputError::Nobody`] and [`InputError::NoPlace`], with what was perhaps meant.
    pub(crate) fn resolve(&self, people: &[Person], world: &World) -> Result<Input, InputError> {
        let who = |name: &str| {
            let at = people.iter().position(|person| **person.name() == *name);
            at.and_then(|at| u16::try_from(at).ok())
                .map(ResidentId)
                .ok_or_else(|| InputError::Nobody {
                    name: name.to_owned(),
                    nearest: nearest(name, people.iter().map(|person| &**person.name())),
                })
        };
        let tile = |[x, y]: [u16; 2]| Tile { x, y };
        Ok(match self.clone() {
            Self::Whisper { resident, text } => Input::Whisper {
                resident: who(&resident)?,
                text,
            },
            Self::SetObject { object, state } => Input::SetObject {
                object: place(&object, world)?,
                state,
            },
            Self::Arrive { name, role, tile: at } => Input::Arrive {
                name,
                role,
                tile: tile(at),
            },
            Self::Walk { visitor, to } => Input::Walk {
                visitor: who(&visitor)?,
                to: tile(to),
            },
            Self::Speak {
                visitor,
                to,
                text,
                ends,
            } => Input::Speak {
                visitor: who(&visitor)?,
                to: who(&to)?,
                text,
                ends,
            },
            Self::Leave { who: name } => Input::Leave { who: who(&name)? },
            Self::Move { resident, to } => Input::Move {
                resident: who(&resident)?,
                to: tile(to),
            },
            Self::Join { newcomer } => Input::Join { newcomer },
            Self::Remember {
                resident,
                question,
                answer,
            } => Input::Remember {
                resident: who(&resident)?,
                question,
                answer,
            },
        })
    }
}

fn address(place: PlaceId, world: &World) -> Result<String, InputError> {
    if place.index() < world.places().len() {
        return Ok(world.address(place));
    }
    Err(InputError::NoPlace {
        address: format!("number {}", place.index()),
        nearest: None,
    })
}

/// The place of an address; the world's name may be left out.
fn place(written: &str, world: &World) -> Result<PlaceId, InputError> {
    let written = written.trim();
    let found = world
        .find(written)
        .or_else(|| world.find(&format!("{}:{written}", world.name())));
    found.ok_or_else(|| no_place(written, world))
}

/// That there is no such place, with the object that was perhaps meant.
fn no_place(written: &str, world: &World) -> InputError {
    let parts: Vec<&str> = written.split(':').map(str::trim).collect();
    let objects = world
        .places()
        .iter()
        .filter(|place| place.kind == PlaceKind::Object);
    let objects = objects.map(|place| {
        let address = world.address(place.id);
        (as_an_address(&parts, &address), address)
    });
    InputError::NoPlace {
        address: written.to_owned(),
        nearest: most_alike(objects),
    }
}

/// How alike the parts of an address, some of which may be missing, are to an object's: half for the object itself,
/// half for all parts, each wherever it fits best.
fn as_an_address(parts: &[&str], address: &str) -> f64 {
    let best = |part: &str| {
        address
            .split(':')
            .map(|other| alike(part, other))
            .fold(0.0, f64::max)
    };
    let all = parts.iter().map(|part| best(part)).sum::<f64>() / parts.len().max(1) as f64;
    let object = address.rsplit(':').next().unwrap_or_default();
    (all + parts.last().map_or(0.0, |part| alike(part, object))) / 2.0
}

/// The name most like `written`, or of which a word is, if one is alike enough to be meant.
fn nearest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let likeness = |name: &str| {
        let words = name.split_whitespace().map(|word| alike(written, word));
        words.fold(alike(written, name), f64::max)
    };
    most_alike(names.map(|name| (likeness(name), name.to_owned())))
}

/// How alike two names are in writing, from 0 to 1.
fn alike(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

/// The most alike of several, if it is alike enough to be meant; the first of equals.
fn most_alike(candidates: impl Iterator<Item = (f64, String)>) -> Option<String> {
    candidates
        .filter(|(likeness, _)| *likeness >= 0.6)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate)
}

/// Why an input cannot act. Nothing was recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// An id that nobody has.
    #[error("there is nobody with number {id}; numbers go from 0 to {}", .people.saturating_sub(1))]
    NoId {
        /// The id.
        id: u16,
        /// How many people there are.
        people: usize,
    },
    /// A name that nobody has.
    #[error("nobody is called \"{name}\"{}", did_you_mean(.nearest.as_deref()))]
    Nobody {
        /// The name.
        name: String,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// A place that is not on the map.
    #[error("the map has no place \"{address}\"{}", did_you_mean(.nearest.as_deref()))]
    NoPlace {
        /// The address.
        address: String,
        /// The object most like it.
        nearest: Option<String>,
    },
    /// A place that is no object.
    #[error("\"{address}\" is {} and not an object; an object's address has four parts, such as \"{example}\"", article(.kind))]
    NotAnObject {
        /// The address.
        address: String,
        /// What it is: `world`, `sector` or `arena`.
        kind: PlaceKind,
        /// An object's address, inside it where there is one.
        example: String,
    },
    /// A tile off the map.
    #[error("tile {tile} is off the map, which is {width} tiles wide and {height} high")]
    OffMap {
        /// The tile.
        tile: Tile,
        /// Width of the map in tiles.
        width: u16,
        /// Height of the map in tiles.
        height: u16,
    },
    /// A tile on which nobody can stand.
    #[error("nobody can stand on tile {tile}: it is a wall{}", stand_on(.nearest))]
    Wall {
        /// The tile.
        tile: Tile,
        /// A tile near it on which one can.
        nearest: Option<Tile>,
    },
    /// A tile that cannot be walked to.
    #[error("there is no way from tile {from} to tile {to}")]
    NoWay {
        /// Where the visitor stands.
        from: Tile,
        /// Where to.
        to: Tile,
    },
    /// A name that somebody has.
    #[error("the name \"{name}\" is taken: {by} is in this town's story already; choose another")]
    NameTaken {
        /// The name.
        name: String,
        /// Who has it.
        by: String,
    },
    /// Words that say nothing.
    #[error("{what} is empty; write something")]
    Empty {
        /// Which words.
        what: &'static str,
    },
    /// A name with characters that cannot be seen.
    #[error("{what} has characters that cannot be seen and change what is around them; leave them out")]
    Hidden {
        /// Which name.
        what: &'static str,
    },
    /// More words than are taken at once.
    #[error("{what} has {letters} letters, and {most} are the most; say less, or part it into several")]
    TooLong {
        /// Which words.
        what: &'static str,
        /// How many letters they have.
        letters: usize,
        /// How many they may have.
        most: usize,
    },
    /// Somebody who left.
    #[error("{name} has left the town")]
    Gone {
        /// Who.
        name: String,
    },
    /// Somebody who will have left by then.
    #[error("{name} leaves the town at tick {tick}: that is recorded already")]
    Leaving {
        /// Who.
        name: String,
        /// When.
        tick: u64,
    },
    /// A resident where only a visitor will do.
    #[error("{name} lives here and moves and speaks by themselves; whisper to them, or bring a visitor")]
    NotAVisitor {
        /// Who.
        name: String,
    },
    /// A visitor where only a resident will do.
    #[error("{name} is a visitor, without a mind of ours; name a resident")]
    NotAResident {
        /// Who.
        name: String,
    },
    /// A visitor too far away to be heard.
    #[error(
        "{visitor} is out of earshot of {to}: {tiles} tiles away{}; walk up to them first",
        if *.same_room { "" } else { " and not in the same room" }
    )]
    OutOfEarshot {
        /// The visitor.
        visitor: String,
        /// Who does not hear.
        to: String,
        /// How far apart they are, in tiles.
        tiles: u16,
        /// Whether they are in the same room.
        same_room: bool,
    },
    /// Somebody who sleeps.
    #[error("{name} is asleep and hears nothing; try again when they are up")]
    Asleep {
        /// Who.
        name: String,
    },
    /// Somebody in another talk.
    #[error("{name} is talking with {with}; wait until they are done")]
    Busy {
        /// Who.
        name: String,
        /// With whom.
        with: String,
    },
    /// A new resident who does not fit the town.
    #[error("{name} cannot live here: {fault}")]
    Unfit {
        /// Who.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// As many people as can be counted.
    #[error("a town has room for {} people", u16::MAX)]
    Full,
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean \"{name}\"?"))
}

fn stand_on(nearest: &Option<Tile>) -> String {
    nearest.map_or(String::new(), |tile| format!("; the nearest free one is {tile}"))
}

fn article(kind: &PlaceKind) -> &'static str {
    match kind {
        PlaceKind::World => "the whole world",
        PlaceKind::Sector => "a sector",
        PlaceKind::Arena => "an arena",
        PlaceKind::Object => "an object",
    }
}
