//! Reading a map made in Tiled: the documented JSON form (`.tmj`) with plain number data.
//!
//! `docs/town-format.md`, section `map.tmj`, says what a map must hold. Reading goes in steps, each
//! with its own file below: the JSON as it stands (`format`), the tilesets that say which tile ids
//! exist (`tilesets`), and the named rectangles that become places (`rectangles`).
//!
//! The `tiled` crate reads the XML forms alone, so it serves here for external `.tsx` tilesets;
//! maps are read with `serde_json`. Every failure is a [`MapError`] that names the file and, as
//! far as there are any, layer, object and tile.

mod error;
mod format;
mod rectangles;
mod tilesets;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

pub use error::{MapError, MapFault, ObjectFault};
use format::{FoundLayer, Layer, LayerKind, TiledMap};
use rectangles::Rectangles;
use tilesets::TileIds;

use crate::{PlaceKind, Tile, World, WorldBuilder, WorldError};

/// The tile layer of which every non-empty tile is a wall.
const COLLISION_LAYER: &str = "Collision";
/// The object layer of start tiles.
const SPAWN_LAYER: &str = "Spawns";

/// The object layer that holds the places of a kind.
fn layer_of(kind: PlaceKind) -> &'static str {
    match kind {
        // The world has no layer; its name is a property of the map.
        PlaceKind::World => "map",
        PlaceKind::Sector => "Sectors",
        PlaceKind::Arena => "Arenas",
        PlaceKind::Object => "Objects",
    }
}

/// Gives the bytes of a tileset that the map names, relative to the map.
type OpenTileset<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, io::Error>;

/// Reads a Tiled map (`.tmj`) and the tilesets it refers to.
///
/// # Errors
/// [`MapError`], whose file is `path` as given.
pub fn read_tiled(path: &Path) -> Result<World, MapError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |source: &str| std::fs::read(folder.join(source));
    let world = std::fs::read(path)
        .map_err(MapFault::Unreadable)
        .and_then(|bytes| read(&bytes, &open));
    world.map_err(|fault| MapError {
        file: path.display().to_string(),
        fault: Box::new(fault),
    })
}

/// Reads a Tiled map from memory; `file` is its name in error messages. Its tilesets must be
/// embedded in it.
///
/// # Errors
/// [`MapError`].
pub fn read_tiled_bytes(file: &str, map_json: &[u8]) -> Result<World, MapError> {
    let open = |_: &str| {
        let remedy = "this map is read from memory alone; embed the tileset in the map";
        Err(io::Error::new(io::ErrorKind::NotFound, remedy))
    };
    read(map_json, &open).map_err(|fault| MapError {
        file: file.to_owned(),
        fault: Box::new(fault),
    })
}

fn read(bytes: &[u8], open: OpenTileset<'_>) -> Result<World, MapFault> {
    let map = TiledMap::parse(bytes)?;
    let name = map.name()?;
    let builder = WorldBuilder::new(name, map.width, map.height);
    let mut builder = builder.map_err(MapFault::World)?;

    let layers = map.all_layers();
    let ids = TileIds::read(&map.tilesets, open)?;
    for found in &layers {
        if found.layer.kind == LayerKind::TileLayer {
            check_tiles(&map, found.layer, &ids)?;
        }
    }
    let walls = only(&layers, COLLISION_LAYER, LayerKind::TileLayer)?;
    let walls = map.tiles_of(walls)?;
    let walls = walls.into_iter().filter(|&(_, id)| id != 0);
    let walls: BTreeSet<Tile> = walls.map(|(tile, _)| tile).collect();
    for &wall in &walls {
        builder.add_wall(wall).map_err(MapFault::World)?;
    }

    let mut rectangles = Rectangles::new(&map, &mut builder);
    for kind in [PlaceKind::Sector, PlaceKind::Arena, PlaceKind::Object] {
        let layer = only(&layers, layer_of(kind), LayerKind::ObjectGroup)?;
        rectangles.add_places(kind, layer)?;
    }
    let spawns = only(&layers, SPAWN_LAYER, LayerKind::ObjectGroup)?;
    rectangles.add_spawns(spawns, &walls)?;

    let world = builder.build().map_err(MapFault::World)?;
    world.check_reachable().map_err(|fault| {
        let layer = match fault {
            WorldError::Unreachable { kind, .. } => layer_of(kind),
            _ => SPAWN_LAYER,
        };
        MapFault::Layer { layer, fault }
    })?;
    Ok(world)
}

/// The one layer of that name, which must be of that kind and lie unmoved on the map.
fn only<'a>(layers: &[FoundLayer<'a>], name: &'static str, kind: LayerKind) -> Result<&'a Layer, MapFault> {
    let mut named = layers.iter().filter(|found| found.layer.name == name);
    let needed = kind.label();
    let found = named.next().ok_or(MapFault::MissingLayer { name, needed })?;
    if named.next().is_some() {
        return Err(MapFault::RepeatedLayer { name });
    }
    if found.layer.kind != kind {
        let found = found.layer.kind.label();
        return Err(MapFault::LayerKind { name, found, needed });
    }
    if (found.offset_x, found.offset_y) != (0.0, 0.0) {
        return Err(MapFault::MovedLayer {
            name,
            offset_x: found.offset_x,
            offset_y: found.offset_y,
        });
    }
    Ok(found.layer)
}

/// Every tile layer must be whole and name tiles that exist, those for looks too: a map that draws
/// wrongly is found here and not in a viewer.
fn check_tiles(map: &TiledMap, layer: &Layer, ids: &TileIds) -> Result<(), MapFault> {
    for (tile, id) in map.tiles_of(layer)? {
        if id != 0 && !ids.contains(id) {
            return Err(MapFault::UnknownTileId {
                layer: layer.name.clone(),
                tile,
                id,
                known: ids.to_string(),
            });
        }
    }
    Ok(())
}
