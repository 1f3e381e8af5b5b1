//! What can be wrong with a Tiled map, said so that it can be mended in Tiled.
//!
//! Each message holds those of the faults within it, so none of them is a
//! [`source`](std::error::Error::source): printing the chain would say them twice.

use crate::{PlaceKind, Tile, WorldError};

/// Why a Tiled map is no world: which file, and what is wrong in it.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct MapError {
    /// The map file, as it was named to the reader.
    pub file: String,
    /// What is wrong, with layer, object and tile as far as there are any.
    pub fault: Box<MapFault>,
}

/// What is wrong in a Tiled map.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapFault {
    /// The file cannot be read from disk.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The file is XML, most likely a `.tmx` map.
    #[error("is XML, not JSON; in Tiled choose File > Save As and the type \"JSON map files\"")]
    Xml,
    /// The file is not JSON, or not the JSON of a Tiled map.
    #[error("is not a Tiled map in JSON: {0}")]
    NotTiled(serde_json::Error),
    /// The file is some other thing that Tiled writes.
    #[error("is a Tiled {found}, not a map")]
    NotMap {
        /// The `type` of the file.
        found: String,
    },
    /// The map has no fixed size.
    #[error("is an infinite map; clear Map > Map Properties > Infinite and save again")]
    Infinite,
    /// The map is not made of squares in rows and columns.
    #[error("is {found}; only orthogonal maps have straight rows and columns")]
    Orientation {
        /// The map's `orientation`.
        found: String,
    },
    /// The tiles of the map have no size.
    #[error("has tiles of {width}×{height} pixels; both must be at least 1")]
    TileSize {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// The map has no name.
    #[error(
        "has no name; under Map > Map Properties add a custom property `name` of type string, such as \"the Ville\""
    )]
    NoName,
    /// A layer that must be there is not.
    #[error("has no layer {name:?}; add {needed} of exactly that name")]
    MissingLayer {
        /// The name it must have.
        name: &'static str,
        /// The kind it must have.
        needed: &'static str,
    },
    /// A layer that must be there once is there more than once.
    #[error("has more than one layer {name:?}; join them or rename the others")]
    RepeatedLayer {
        /// Their name.
        name: &'static str,
    },
    /// A layer is of the wrong kind.
    #[error("layer {name:?} is {found}; it must be {needed}")]
    LayerKind {
        /// Its name.
        name: &'static str,
        /// The kind it has.
        found: &'static str,
        /// The kind it must have.
        needed: &'static str,
    },
    /// A layer that carries meaning is shifted against the map.
    #[error(
        "layer {name:?} is moved by ({offset_x}, {offset_y}) pixels; set its offset, and that of groups around it, to 0"
    )]
    MovedLayer {
        /// Its name.
        name: &'static str,
        /// Pixels to the right.
        offset_x: f64,
        /// Pixels down.
        offset_y: f64,
    },
    /// Tile data in a form that is not read.
    #[error(
        "layer {layer:?} keeps its tiles as {encoding}; set Map > Map Properties > Tile Layer Format to CSV and save again"
    )]
    Encoding {
        /// The layer.
        layer: String,
        /// The encoding and compression it has.
        encoding: String,
    },
    /// A tile layer has too many or too few tiles.
    #[error(
        "layer {layer:?} holds {found} tiles; a map of {width}×{height} needs {}: {}",
        width * height, length_fault(*found, *width, *height)
    )]
    DataLength {
        /// The layer.
        layer: String,
        /// Tiles it holds.
        found: usize,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// A tile layer says of itself that it has another size than the map.
    #[error("layer {layer:?} is {found_width}×{found_height} tiles, but the map is {width}×{height}")]
    LayerSize {
        /// The layer.
        layer: String,
        /// Columns of the layer.
        found_width: usize,
        /// Rows of the layer.
        found_height: usize,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// Something that is no tile id stands in tile data.
    #[error("layer {layer:?}, tile {tile}: {found} is not a tile id")]
    NotTileId {
        /// The layer.
        layer: String,
        /// Where.
        tile: Tile,
        /// What stands there, as JSON.
        found: String,
    },
    /// A tile id that no tileset has.
    #[error(
        "layer {layer:?}, tile {tile}: the tile id {id} is outside every tileset ({known}); erase the tile or add the tileset it came from"
    )]
    UnknownTileId {
        /// The layer.
        layer: String,
        /// Where.
        tile: Tile,
        /// The id, without its flip flags.
        id: u32,
        /// The ids there are.
        known: String,
    },
    /// A tileset in a file of its own cannot be had or understood.
    #[error("the tileset {file:?} cannot be used: {reason}")]
    Tileset {
        /// Its file, as the map names it.
        file: String,
        /// Why not.
        reason: String,
    },
    /// Something is wrong with one object of an object layer.
    #[error("layer {layer:?}, {object}: {fault}")]
    Object {
        /// The layer.
        layer: &'static str,
        /// Its name (or number, if it has none) and the tile it begins on.
        object: String,
        /// What is wrong with it.
        fault: ObjectFault,
    },
    /// There is no start tile.
    #[error("layer \"Spawns\" is empty; add a point with a name where a resident may begin")]
    NoSpawns,
    /// The parts of a layer are fine one by one but make no world.
    #[error("layer {layer:?}: {fault}")]
    Layer {
        /// The layer at fault.
        layer: &'static str,
        /// What is wrong.
        fault: WorldError,
    },
    /// The map as a whole makes no world.
    #[error("{0}")]
    World(WorldError),
}

/// Where tile data of a wrong length ends.
fn length_fault(found: usize, width: usize, height: usize) -> String {
    match found.checked_sub(width * height) {
        Some(surplus) => format!("{surplus} too many"),
        None => format!("the first missing one is ({}, {})", found % width, found / width),
    }
}

/// What is wrong with one object of an object layer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectFault {
    /// It is no rectangle (or, for a spawn, no point either).
    #[error("is {found}; draw {needed} instead")]
    Shape {
        /// What it is.
        found: &'static str,
        /// What it must be.
        needed: &'static str,
    },
    /// Its edges are not on the lines between tiles.
    #[error(
        "x {x}, y {y}, width {width}, height {height} pixels are not whole tiles of {tile_width}×{tile_height}; turn on View > Snapping > Snap to Grid and redraw it"
    )]
    OffGrid {
        /// Pixels from the left.
        x: f64,
        /// Pixels from the top.
        y: f64,
        /// Pixels.
        width: f64,
        /// Pixels.
        height: f64,
        /// Pixels.
        tile_width: u32,
        /// Pixels.
        tile_height: u32,
    },
    /// It reaches beyond the map.
    #[error("reaches outside the map of {width}×{height} tiles; move or shrink it")]
    OutsideMap {
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// A spawn covers more than one tile.
    #[error("covers {width}×{height} tiles; a spawn is a point or one tile")]
    SpawnSize {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A spawn is on a wall.
    #[error("is in a wall at {tile}; move it, or erase the tile in layer \"Collision\"")]
    InWall {
        /// Where.
        tile: Tile,
    },
    /// It is not inside a place of the level above.
    #[error("covers {tile}, which is in no {needed}; draw it inside one rectangle of layer {layer:?}")]
    NotInside {
        /// The first such tile.
        tile: Tile,
        /// The kind it must be inside.
        needed: PlaceKind,
        /// The layer of that kind.
        layer: &'static str,
    },
    /// It lies in two places of the level above.
    #[error("begins in the {kind} {first:?} but covers {tile} in the {kind} {second:?}; keep it inside one")]
    Straddles {
        /// The kind of both places.
        kind: PlaceKind,
        /// The name of the one it begins in.
        first: String,
        /// The name of the other.
        second: String,
        /// The first tile in the other.
        tile: Tile,
    },
    /// It covers a tile of another place of its level.
    #[error("covers {tile}, which already belongs to {other:?}; let them not overlap")]
    Overlaps {
        /// The first such tile.
        tile: Tile,
        /// The name of the other place.
        other: String,
    },
    /// Its `state` is not text, or is another than that of its other rectangles.
    #[error("its property `state` is {found}; {remedy}")]
    State {
        /// What it is.
        found: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Its name cannot be used.
    #[error("{0}")]
    Name(WorldError),
}
