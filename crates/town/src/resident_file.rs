//! `residents/*.toml`: one resident each.

use serde::Deserialize;
use toml::{Spanned, Table};
use townsfolk_mind::{Identity, Settings};
use townsfolk_world::{PlaceId, Tile, World};

use crate::error::nearest;
use crate::source::Source;
use crate::toml_file::{TomlFile, shape};
use crate::{Flaw, MAX_AGE, Newcomer, TownError, TownFault, places, settings};

const KEYS: &[&str] = &[
    "name",
    "first_name",
    "age",
    "traits",
    "background",
    "current",
    "lifestyle",
    "daily_requirement",
    "home",
    "start",
    "knows",
    "history",
];

#[derive(Deserialize)]
struct Written {
    name: Spanned<String>,
    first_name: Option<Spanned<String>>,
    age: Option<Spanned<i64>>,
    #[serde(default)]
    traits: String,
    #[serde(default)]
    background: String,
    #[serde(default)]
    current: String,
    #[serde(default)]
    lifestyle: String,
    #[serde(default)]
    daily_requirement: String,
    home: Spanned<String>,
    start: Option<Spanned<Start>>,
    knows: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    history: Vec<Spanned<String>>,
    /// Read only so that a fault in it has its line.
    #[serde(default, rename = "settings")]
    _settings: Settings,
}

/// Where a resident stands as the story starts, as written.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`start` must be the name of a spawn, an address, or a tile [x, y]"
)]
enum Start {
    Tile([u16; 2]),
    Named(String),
}

/// What residents are read against.
pub(crate) struct Surroundings<'a> {
    pub(crate) world: &'a World,
    /// Places known only to those who live there.
    pub(crate) private: &'a [PlaceId],
    /// The town's `[defaults]`.
    pub(crate) defaults: &'a Table,
    /// Those read before, whose start tiles are taken.
    pub(crate) before: &'a [Newcomer],
}

/// A resident, and where in the file its keys are, for faults found later.
pub(crate) struct ResidentFile<'a> {
    file: TomlFile<'a>,
    pub(crate) newcomer: Newcomer,
    name: usize,
    age: usize,
    home: usize,
    start: usize,
}

impl ResidentFile<'_> {
    /// The flaw as an error at the key it concerns.
    pub(crate) fn error(&self, flaw: Flaw) -> TownError {
        let byte = match flaw.key() {
            Some("name") => self.name,
            Some("age") => self.age,
            Some("home") => self.home,
            Some("start") => self.start,
            _ => return self.file.error(flaw),
        };
        self.file.error_at(byte, flaw)
    }
}

pub(crate) fn read<'a>(
    source: Source<'a>,
    name: &'a str,
    around: &Surroundings<'_>,
) -> Result<ResidentFile<'a>, TownError> {
    let file = TomlFile::open(source, name)?;
    let (written, table): (Written, Table) = file.parse(&shape(KEYS, ("settings", settings::shape())))?;
    let full_name = text(&file, "name", &written.name)?;
    let first_name = match &written.first_name {
        Some(first) => text(&file, "first_name", first)?,
        None => full_name.clone(),
    };
    let age = written.age.as_ref().map(|age| read_age(&file, age)).transpose()?;
    let home = place(&file, "home", &written.home, around.world)?;
    let start = match &written.start {
        Some(start) => read_start(&file, start, around)?,
        None => default_start(around, home),
    };
    let known = match &written.knows {
        None => places::known_by_default(around.world, home, around.private),
        Some(named) => {
            let named = named.iter().map(|p| place(&file, "knows", p, around.world));
            let named: Vec<PlaceId> = named.collect::<Result<_, _>>()?;
            places::known_by_name(around.world, home, &named)
        }
    };
    let history = written.history.iter().map(|line| text(&file, "history", line));
    let own = table.get("settings").and_then(toml::Value::as_table);
    let settings = settings::merged(around.defaults, own.unwrap_or(&Table::new()));
    let settings =
        settings.map_err(|e| file.error(TownFault::Toml(format!("`settings`: {}", e.message()))))?;
    let newcomer = Newcomer {
        identity: Identity {
            name: full_name.into(),
            first_name: first_name.into(),
            age,
            traits: tidy(&written.traits),
            background: tidy(&written.background),
            current: tidy(&written.current),
            lifestyle: tidy(&written.lifestyle),
            daily_requirement: tidy(&written.daily_requirement),
            home,
        },
        settings,
        start,
        known,
        history: history.collect::<Result<_, _>>()?,
        memories: Vec::new(),
    };
    Ok(ResidentFile {
        newcomer,
        name: written.name.span().start,
        age: written.age.map_or(0, |age| age.span().start),
        home: written.home.span().start,
        start: written
            .start
            .map_or(written.home.span().start, |start| start.span().start),
        file,
    })
}

/// Line breaks inside a text are how its author folded it.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(file: &TomlFile<'_>, key: &'static str, written: &Spanned<String>) -> Result<String, TownError> {
    let text = tidy(written.get_ref());
    if text.is_empty() {
        return Err(file.error_at(written.span().start, TownFault::Empty { key }));
    }
    Ok(text)
}

fn read_age(file: &TomlFile<'_>, age: &Spanned<i64>) -> Result<u16, TownError> {
    let years = u16::try_from(*age.get_ref())
        .ok()
        .filter(|&years| years <= MAX_AGE);
    years.ok_or_else(|| {
        file.error_at(
            age.span().start,
            Flaw::Age {
                years: *age.get_ref(),
            },
        )
    })
}

fn place(
    file: &TomlFile<'_>,
    key: &'static str,
    written: &Spanned<String>,
    world: &World,
) -> Result<PlaceId, TownError> {
    places::find(world, written.get_ref()).ok_or_else(|| {
        let fault = TownFault::UnknownPlace {
            key,
            written: written.get_ref().clone(),
            nearest: places::most_like(world, written.get_ref()),
        };
        file.error_at(written.span().start, fault)
    })
}

fn read_start(
    file: &TomlFile<'_>,
    start: &Spanned<Start>,
    around: &Surroundings<'_>,
) -> Result<Tile, TownError> {
    let world = around.world;
    let name = match start.get_ref() {
        Start::Tile([x, y]) => return Ok(Tile { x: *x, y: *y }),
        Start::Named(name) => name.trim(),
    };
    if let Some(spawn) = world.spawns().iter().find(|spawn| spawn.name == name) {
        return Ok(spawn.tile);
    }
    let place = places::find(world, name);
    if let Some(tile) = place.and_then(|place| free_tile(around, place)) {
        return Ok(tile);
    }
    let spawns = world.spawns().iter().map(|spawn| spawn.name.as_str());
    let fault = TownFault::UnknownStart {
        written: name.to_owned(),
        nearest: nearest(name, spawns).or_else(|| places::most_like(world, name)),
    };
    Err(file.error_at(start.span().start, fault))
}

/// The home's first object at which nobody stands yet (the bed, where the map lists it first), or
/// else anywhere in the home.
fn default_start(around: &Surroundings<'_>, home: PlaceId) -> Tile {
    let world = around.world;
    let objects = &world.place(home).children;
    let free = objects.iter().find_map(|&object| {
        let tiles = world.standing_tiles(object);
        tiles.iter().copied().find(|&tile| is_free(around, tile))
    });
    // A place has at least one tile; whether one can stand there is checked with the whole town.
    free.or_else(|| free_tile(around, home))
        .unwrap_or(world.place(home).tiles[0])
}

/// A tile of the place where nobody stands yet, or else its first.
fn free_tile(around: &Surroundings<'_>, place: PlaceId) -> Option<Tile> {
    let tiles = around.world.standing_tiles(place);
    let free = tiles.iter().find(|&&tile| is_free(around, tile));
    free.or(tiles.first()).copied()
}

fn is_free(around: &Surroundings<'_>, tile: Tile) -> bool {
    around.before.iter().all(|other| other.start != tile)
}
