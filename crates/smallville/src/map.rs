//! From the layers and blocks of a `matrix` folder to a world.
//!
//! The rules are those of the 2023 code (`maze.py`): a tile's sector, arena and object are looked up one by
//! one, and an object belongs to the arena of each of its tiles, so `bed` becomes one object in
//! every bedroom. Anything but 0 in the collision layer is a wall. Objects may lie on walls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use townsfolk_world::{PlaceId, Tile, World, WorldBuilder, WorldError};

use crate::assets::META_INFO;
use crate::blocks::{Block, Blocks, read_world_name};
use crate::files::read_json;
use crate::layer::{Size, read_layer};
use crate::{ImportError, ImportFault, Note};

/// `maze_meta_info.json`. Its world name is not used: the one in addresses is that of the blocks.
#[derive(Deserialize)]
struct MetaInfo {
    maze_width: usize,
    maze_height: usize,
}

/// Reads a map; what does not fit goes into `notes`.
pub(crate) fn read_map(matrix: &Path, notes: &mut Vec<Note>) -> Result<World, ImportError> {
    let (builder, size) = begin(matrix)?;
    let mut map = Map {
        builder,
        unfit: BTreeMap::new(),
        spawned: BTreeMap::new(),
    };
    let layers = Layers::read(matrix, size)?;
    for cell in 0..layers.walls.len() {
        map.lay(&layers, cell, size.tile(cell), notes)?;
    }
    let Map { builder, unfit, .. } = map;
    notes.extend(unfit.into_iter().map(|((unfit, name, says), tiles)| match unfit {
        Unfit::ArenaOutsideSector => Note::ArenaOutsideSector { name, tiles },
        Unfit::ObjectOutsideArena => Note::ObjectOutsideArena { name, tiles },
        Unfit::Elsewhere => Note::BlockElsewhere { name, says, tiles },
    }));
    for layer in layers.places.iter().chain([&layers.spawns]) {
        notes.extend(layer.unused());
    }
    let world = builder.build();
    let world = world.map_err(|error| ImportError::new(matrix, error.into()))?;
    let sectors = world.place(world.root()).children.iter();
    let empty = sectors
        .map(|id| world.place(*id))
        .filter(|sector| sector.children.is_empty());
    notes.extend(empty.map(|sector| Note::SectorWithoutArena {
        name: sector.name.clone(),
    }));
    Ok(world)
}

/// An empty map of the right name and size. Refuses one too large to have been meant before
/// anything of that size is read.
fn begin(matrix: &Path) -> Result<(WorldBuilder, Size), ImportError> {
    let meta_info = matrix.join(META_INFO);
    let meta: MetaInfo = read_json(&meta_info, "it says how large the map is")?;
    let size = Size {
        width: meta.maze_width,
        height: meta.maze_height,
    };
    let blocks = matrix.join("special_blocks");
    let name = read_world_name(&blocks)?;
    match WorldBuilder::new(&name, size.width, size.height) {
        Ok(builder) => Ok((builder, size)),
        Err(error @ WorldError::Size { .. }) => Err(ImportError::new(&meta_info, error.into())),
        Err(error) => Err(ImportError::new(&blocks.join("world_blocks.csv"), error.into())),
    }
}

/// All layers of a map.
struct Layers {
    /// Sectors, arenas and objects.
    places: [Layer; 3],
    spawns: Layer,
    /// 0 where one can walk.
    walls: Vec<i64>,
}

impl Layers {
    fn read(matrix: &Path, size: Size) -> Result<Self, ImportError> {
        Ok(Self {
            places: [
                Layer::read(matrix, Kind::Sector, size)?,
                Layer::read(matrix, Kind::Arena, size)?,
                Layer::read(matrix, Kind::Object, size)?,
            ],
            spawns: Layer::read(matrix, Kind::Spawn, size)?,
            walls: read_layer(&matrix.join("maze").join("collision_maze.csv"), size)?,
        })
    }
}

/// The layers whose numbers are looked up in block files.
#[derive(Clone, Copy)]
enum Kind {
    Sector,
    Arena,
    Object,
    Spawn,
}

impl Kind {
    /// In reports, in file names, and what a line of the block file holds at least.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Kind::Sector => ("sector", "sector", "id, world, name"),
            Kind::Arena => ("arena", "arena", "id, world, sector, name"),
            Kind::Object => ("object", "game_object", "id, world, <all>, name"),
            Kind::Spawn => ("spawn", "spawning_location", "id, world, sector, arena, name"),
        }
    }
}

/// A layer together with what its numbers mean.
struct Layer {
    kind: Kind,
    path: PathBuf,
    cells: Vec<i64>,
    blocks: Blocks,
}

impl Layer {
    fn read(matrix: &Path, kind: Kind, size: Size) -> Result<Self, ImportError> {
        let (_, file, columns) = kind.names();
        let path = matrix.join(format!("maze/{file}_maze.csv"));
        Ok(Self {
            kind,
            cells: read_layer(&path, size)?,
            path,
            blocks: Blocks::read(&matrix.join("special_blocks"), file, columns)?,
        })
    }

    /// What the layer has at a cell.
    fn at(&self, cell: usize, tile: Tile) -> Result<Option<&Block>, ImportError> {
        let id = self.cells[cell];
        if id == 0 {
            return Ok(None);
        }
        match self.blocks.by_id.get(&id) {
            Some(block) => Ok(Some(block)),
            None => {
                let blocks = self.blocks.path.clone();
                Err(ImportError::new(
                    &self.path,
                    ImportFault::UnknownId { tile, id, blocks },
                ))
            }
        }
    }

    fn unused(&self) -> impl Iterator<Item = Note> {
        let used: BTreeSet<i64> = self.cells.iter().copied().filter(|id| *id != 0).collect();
        let unused = self.blocks.by_id.iter().filter(move |(id, _)| !used.contains(id));
        unused.map(|(&id, block)| Note::UnusedBlock {
            kind: self.kind.names().0,
            id,
            name: block.name.clone(),
        })
    }
}

/// Why a tile was left out or looks wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unfit {
    ArenaOutsideSector,
    ObjectOutsideArena,
    Elsewhere,
}

/// The world in the making.
struct Map {
    builder: WorldBuilder,
    /// Tiles by (why, name, where the block says it belongs).
    unfit: BTreeMap<(Unfit, String, String), Vec<Tile>>,
    /// How many tiles each spawn block had so far.
    spawned: BTreeMap<i64, usize>,
}

impl Map {
    /// Lays down what all layers have at one tile.
    fn lay(
        &mut self,
        layers: &Layers,
        cell: usize,
        tile: Tile,
        notes: &mut Vec<Note>,
    ) -> Result<(), ImportError> {
        self.lay_places(&layers.places, cell, tile)?;
        let spawns = &layers.spawns;
        let fail = |error: WorldError| ImportError::new(&spawns.blocks.path, error.into());
        let is_wall = layers.walls[cell] != 0;
        if is_wall {
            self.builder.add_wall(tile).map_err(fail)?;
        }
        let Some(spawn) = spawns.at(cell, tile)? else {
            return Ok(());
        };
        let nth = self.spawned.entry(spawns.cells[cell]).or_insert(0);
        *nth += 1;
        let name = spawn_name(spawn, *nth);
        match is_wall {
            true => notes.push(Note::SpawnInWall { name, tile }),
            false => self.builder.add_spawn(&name, tile).map_err(fail)?,
        }
        Ok(())
    }

    /// Adds the tile to its sector, its arena and its object.
    fn lay_places(&mut self, layers: &[Layer; 3], cell: usize, tile: Tile) -> Result<(), ImportError> {
        const LEFT_OUT: [Unfit; 3] = [
            // A sector has the world around it everywhere.
            Unfit::Elsewhere,
            Unfit::ArenaOutsideSector,
            Unfit::ObjectOutsideArena,
        ];
        let mut parent: Option<PlaceId> = Some(self.builder.root());
        let mut around: Vec<&str> = Vec::new();
        for (layer, left_out) in layers.iter().zip(LEFT_OUT) {
            let Some(block) = layer.at(cell, tile)? else {
                parent = None;
                continue;
            };
            let Some(inside) = parent else {
                self.note(left_out, block, tile);
                continue;
            };
            if !block.fits(&around) {
                self.note(Unfit::Elsewhere, block, tile);
            }
            let fail = |error: WorldError| ImportError::new(&layer.blocks.path, error.into());
            let place = self.builder.place(inside, &block.name).map_err(fail)?;
            self.builder.add_tile(place, tile).map_err(fail)?;
            around.push(&block.name);
            parent = Some(place);
        }
        Ok(())
    }

    fn note(&mut self, unfit: Unfit, block: &Block, tile: Tile) {
        let key = (unfit, block.name.clone(), block.within.join(":"));
        self.unfit.entry(key).or_default().push(tile);
    }
}

/// `sector / arena / sp-A`: spawn names are unique in a world. A second tile of the same block
/// gets a number.
fn spawn_name(block: &Block, nth: usize) -> String {
    let mut parts = block.within.clone();
    parts.push(block.name.clone());
    let name = parts.join(" / ");
    match nth {
        1 => name,
        nth => format!("{name} ({nth})"),
    }
}
