//! A base, a saved simulation or a compressed run as a town.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use townsfolk_time::GameTime;
use townsfolk_town::{Newcomer, Town};
use townsfolk_world::{PlaceKind, Tile, World};

use crate::assets::find_matrix;
use crate::dates::{LONG_EXAMPLE, long};
use crate::files::{folders_in, read_json};
use crate::map::read_map;
use crate::nodes::read_nodes;
use crate::reach::{Reach, exits};
use crate::scratch::Scratch;
use crate::spatial::{Finder, SpatialMemory};
use crate::{ImportError, ImportFault, ImportReport, Note, names};

/// A town, and what was and was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The town.
    pub town: Town,
    /// What became of everything.
    pub report: ImportReport,
}

/// Reads the base, saved simulation or compressed run in `folder`.
///
/// `assets` says where maps are: the folder of all assets (`assets`), that of the base's map
/// (`assets/the_ville`), or its `matrix`. Without it, `assets` and `static_dirs/assets` two levels
/// above `folder` are tried, which is where the 2023 code keeps them.
///
/// The town is named after the folder. Its story is empty and its language `en`, since the format
/// has neither; set them as you like. Residents come in the order of `persona_names`.
///
/// # Errors
/// An [`ImportError`] that names the file and the place in it, for everything without which there
/// is no sound town. What can be left out is left out and stands in the report's notes.
pub fn read_base(folder: &Path, assets: Option<&Path>) -> Result<Import, ImportError> {
    let base = Base::open(folder)?;
    let matrix = find_matrix(folder, assets, &base.meta.maze_name, &base.meta_path)?;
    let mut notes = Vec::new();
    let world = read_map(&matrix, &mut notes)?;
    let positions = base.positions(&mut notes)?;
    let mut residents = Vec::new();
    for name in &base.meta.persona_names {
        let position = positions
            .as_ref()
            .map(|(path, positions)| (path.as_path(), positions.get(name)));
        residents.push(base.read_resident(name, position, &world, &mut notes)?);
    }
    let town = Town {
        name: base.name(),
        story: String::new(),
        language: "en".to_owned(),
        start: base.start()?,
        seconds_per_tick: base.meta.sec_per_step,
        world,
        residents,
    };
    let report = report(&town, notes);
    Ok(Import { town, report })
}

/// `meta.json`.
#[derive(Deserialize)]
struct Meta {
    start_date: String,
    curr_time: Option<String>,
    sec_per_step: u32,
    maze_name: String,
    persona_names: Vec<String>,
    step: u64,
}

/// An entry of `environment/N.json`.
#[derive(Clone, Copy, Deserialize)]
struct Position {
    x: i64,
    y: i64,
}

/// An opened folder.
struct Base<'a> {
    folder: &'a Path,
    meta_path: PathBuf,
    meta: Meta,
    personas: PathBuf,
}

impl<'a> Base<'a> {
    /// Reads `meta.json` and checks that names and folders are the same.
    fn open(folder: &'a Path) -> Result<Self, ImportError> {
        let places = [folder.join("reverie").join("meta.json"), folder.join("meta.json")];
        let Some(meta_path) = places.into_iter().find(|path| path.is_file()) else {
            return Err(ImportError::new(folder, ImportFault::NotABase));
        };
        let meta: Meta = read_json(&meta_path, "it says who is in the simulation")?;
        let fail = |fault| Err(ImportError::new(&meta_path, fault));
        if meta.sec_per_step == 0 {
            let (key, found) = ("sec_per_step", "0".to_owned());
            return fail(ImportFault::Number {
                key,
                found,
                allowed: "a step lasts at least a second",
            });
        }
        if meta.persona_names.is_empty() {
            return fail(ImportFault::NoResidents);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = meta
            .persona_names
            .iter()
            .find(|name| !names.insert(name.as_str()))
        {
            return fail(ImportFault::DuplicateResident { name: twice.clone() });
        }
        let personas = folder.join("personas");
        let folders = folders_in(&personas, "it holds a folder for each resident")?;
        let missing = meta.persona_names.iter().find(|name| !folders.contains(name));
        if let Some(name) = missing {
            let unnamed = folders
                .iter()
                .map(String::as_str)
                .filter(|name| !names.contains(name));
            let (name, nearest) = (name.clone(), names::nearest(name, unnamed));
            return Err(ImportError::new(
                &personas,
                ImportFault::NoPersonaFolder { name, nearest },
            ));
        }
        if let Some(name) = folders.iter().find(|name| !names.contains(name.as_str())) {
            let name = name.clone();
            return Err(ImportError::new(
                &personas,
                ImportFault::ExtraPersonaFolder { name },
            ));
        }
        Ok(Self {
            folder,
            meta_path,
            meta,
            personas,
        })
    }

    /// The folder's own name, or the map's where it has none.
    fn name(&self) -> String {
        let full = std::fs::canonicalize(self.folder);
        let full = full.unwrap_or_else(|_| self.folder.to_owned());
        let name = full.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.meta.maze_name.clone())
    }

    /// The moment of the simulation: `curr_time`, or the start of `start_date`.
    fn start(&self) -> Result<GameTime, ImportError> {
        let read = |key: &str, text: &str| {
            long(text).ok_or_else(|| {
                let (key, text, example) = (key.to_owned(), text.to_owned(), LONG_EXAMPLE);
                ImportError::new(&self.meta_path, ImportFault::Date { key, text, example })
            })
        };
        let start_date = read("start_date", &self.meta.start_date)?;
        let curr_time = self.meta.curr_time.as_deref();
        curr_time.map_or(Ok(start_date), |text| read("curr_time", text))
    }

    /// The positions at the simulation's step, with the file; `None` where there is no such file,
    /// as in compressed runs.
    #[expect(clippy::type_complexity, reason = "a file and what it holds, used once")]
    fn positions(
        &self,
        notes: &mut Vec<Note>,
    ) -> Result<Option<(PathBuf, BTreeMap<String, Position>)>, ImportError> {
        let path = self.positions_path();
        if !path.exists() {
            return Ok(None);
        }
        let positions: BTreeMap<String, Position> = read_json(&path, "it says where residents are")?;
        let nobody = positions
            .keys()
            .filter(|name| !self.meta.persona_names.contains(name));
        notes.extend(nobody.map(|name| Note::PositionOfNobody { name: name.clone() }));
        Ok(Some((path, positions)))
    }

    fn positions_path(&self) -> PathBuf {
        let file = format!("{}.json", self.meta.step);
        self.folder.join("environment").join(file)
    }

    fn read_resident(
        &self,
        name: &str,
        position: Option<(&Path, Option<&Position>)>,
        world: &World,
        notes: &mut Vec<Note>,
    ) -> Result<Newcomer, ImportError> {
        let folder = self.personas.join(name).join("bootstrap_memory");
        let scratch_path = folder.join("scratch.json");
        let scratch: Scratch = read_json(&scratch_path, "it says who the resident is")?;
        let in_scratch = |fault| ImportError::new(&scratch_path, fault);
        if scratch.name != name {
            let (found, expected) = (scratch.name, name.to_owned());
            return Err(in_scratch(ImportFault::OtherName { found, expected }));
        }
        let start = match position {
            Some((path, position)) => {
                start(name, position.copied(), world, notes).map_err(|fault| ImportError::new(path, fault))?
            }
            None => {
                let Some((x, y)) = scratch.curr_tile else {
                    let (name, positions) = (name.to_owned(), self.positions_path());
                    return Err(in_scratch(ImportFault::NoTile { name, positions }));
                };
                start(name, Some(Position { x, y }), world, notes).map_err(in_scratch)?
            }
        };
        let mut finder = Finder {
            world,
            resident: name,
            notes,
        };
        let home = finder.home(&scratch.living_area).map_err(in_scratch)?;
        let spatial_path = folder.join("spatial_memory.json");
        let spatial: SpatialMemory = read_json(&spatial_path, "it says which places the resident knows")?;
        let mut known = finder.known(&spatial);
        // Nobody can go home to a place they do not know.
        known.insert(home);
        known.extend(world.ancestor(home, PlaceKind::Sector));
        if scratch.is_under_way() {
            notes.push(Note::DayUnderWay {
                resident: name.to_owned(),
            });
        }
        Ok(Newcomer {
            identity: scratch.identity(home),
            settings: scratch.settings(&scratch_path)?,
            start,
            known: known.into_iter().collect(),
            history: Vec::new(),
            memories: read_nodes(&folder.join("associative_memory/nodes.json"), name, notes)?,
        })
    }
}

/// A start tile from a position in a file. A wall is no obstacle as long as one can step out of
/// it: beds and chairs may be walls.
fn start(
    name: &str,
    position: Option<Position>,
    world: &World,
    notes: &mut Vec<Note>,
) -> Result<Tile, ImportFault> {
    let name = name.to_owned();
    let Some(Position { x, y }) = position else {
        return Err(ImportFault::NoPosition { name });
    };
    let tile = match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) if world.contains(Tile { x, y }) => Tile { x, y },
        _ => {
            let (width, height) = (world.width(), world.height());
            return Err(ImportFault::OutsideMap {
                name,
                x,
                y,
                width,
                height,
            });
        }
    };
    if exits(world, tile).next().is_none() {
        return Err(ImportFault::WalledIn { name, tile });
    }
    if !world.walkable(tile) {
        notes.push(Note::StartInWall { name, tile });
    }
    Ok(tile)
}

/// Counts what was read and notes what cannot be reached.
fn report(town: &Town, mut notes: Vec<Note>) -> ImportReport {
    let world = &town.world;
    let rows = 0..world.height();
    let tiles = rows.flat_map(|y| (0..world.width()).map(move |x| Tile { x, y }));
    let places = |kind| world.places().iter().filter(|place| place.kind == kind).count();
    let mut town_tiles = 0;
    if let Some(first) = town.residents.first() {
        let reach = Reach::from(world, first.start);
        town_tiles = reach.tiles();
        let apart = town
            .residents
            .iter()
            .filter(|resident| !reach.meets(resident.start));
        notes.extend(apart.map(|resident| Note::ResidentCutOff {
            name: resident.identity.name.to_string(),
            tile: resident.start,
        }));
        let cut_off = world.places().iter().filter(|place| !reach.has(place.id));
        // Of places inside each other only the widest.
        let cut_off = cut_off.filter(|place| place.parent.is_none_or(|around| reach.has(around)));
        notes.extend(cut_off.map(|place| Note::PlaceCutOff {
            address: world.address(place.id),
            tile: place.tiles[0],
        }));
    }
    ImportReport {
        width: world.width(),
        height: world.height(),
        walkable_tiles: tiles.filter(|tile| world.walkable(*tile)).count(),
        town_tiles,
        sectors: places(PlaceKind::Sector),
        arenas: places(PlaceKind::Arena),
        objects: places(PlaceKind::Object),
        spawns: world.spawns().len(),
        residents: town.residents.len(),
        memories: town
            .residents
            .iter()
            .map(|resident| resident.memories.len())
            .sum(),
        notes,
    }
}
