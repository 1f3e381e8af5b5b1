//! Why a world cannot be made.

use crate::{MAX_SIDE, PlaceKind, Spawn, Tile};

/// Why the pieces given to a [`WorldBuilder`](crate::WorldBuilder) make no world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// A side of the map is 0 or longer than [`MAX_SIDE`].
    #[error("a map of {width}×{height} tiles: each side must be from 1 to {MAX_SIDE}")]
    Size {
        /// Columns asked for.
        width: usize,
        /// Rows asked for.
        height: usize,
    },
    /// A name is empty, too long, or holds a character that addresses cannot carry.
    #[error("the {what} name {name:?} {fault}")]
    Name {
        /// Whose name: a kind of place, or `spawn`.
        what: String,
        /// The name as given.
        name: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// Two places in one parent have names that differ only in upper and lower case.
    #[error(
        "the {kind}s {first:?} and {second:?} in {parent:?} differ only in upper and lower case, which makes their addresses ambiguous; rename one"
    )]
    AlikeNames {
        /// The kind of both.
        kind: PlaceKind,
        /// The one that was there.
        first: String,
        /// The one that came after it.
        second: String,
        /// The address of the place around them.
        parent: String,
    },
    /// A place was to be put inside an object.
    #[error("{name:?} cannot be put inside the object {object:?}: objects hold no places")]
    InsideObject {
        /// The name of the place to be.
        name: String,
        /// The address of the object.
        object: String,
    },
    /// An id that no place of this builder has.
    #[error("there is no place number {index}")]
    UnknownPlace {
        /// The index of the id.
        index: usize,
    },
    /// A stored world lists a place twice, so that ids would no longer fit.
    #[error("the places {first} and {second} are the same: {name:?} in one parent")]
    RepeatedPlace {
        /// The name of both.
        name: String,
        /// The index of the first.
        first: usize,
        /// The index of the second.
        second: usize,
    },
    /// A state was given to something that is not an object, or twice with different words.
    #[error("{address:?} cannot get the state {state:?}: {fault}")]
    State {
        /// The place's address.
        address: String,
        /// The state as given.
        state: String,
        /// What is wrong with it.
        fault: String,
    },
    /// Something lies outside the map.
    #[error("{what} reaches {tile}, outside the map of {width}×{height} tiles")]
    Outside {
        /// The place's address, or the spawn, or a wall.
        what: String,
        /// The tile.
        tile: Tile,
        /// Columns of the map.
        width: u16,
        /// Rows of the map.
        height: u16,
    },
    /// Two places of one kind cover the same tile.
    #[error("the {kind}s {first:?} and {second:?} both cover {tile}")]
    Overlap {
        /// The kind of both.
        kind: PlaceKind,
        /// The address of the one with the lower id.
        first: String,
        /// The address of the other.
        second: String,
        /// The first such tile of the second.
        tile: Tile,
    },
    /// A place has a tile that is not a tile of the place around it.
    #[error("the {kind} {address:?} reaches {tile}, which is not in its {parent_kind}")]
    OutsideParent {
        /// The kind of the place.
        kind: PlaceKind,
        /// Its address.
        address: String,
        /// The first such tile.
        tile: Tile,
        /// The kind of the place around it.
        parent_kind: PlaceKind,
    },
    /// A place has no tiles.
    #[error("the {kind} {address:?} covers no tile")]
    NoTiles {
        /// The kind of the place.
        kind: PlaceKind,
        /// Its address.
        address: String,
    },
    /// Two spawns have the same name.
    #[error("two spawns are named {name:?}: at {first} and {second}")]
    DuplicateSpawn {
        /// The name.
        name: String,
        /// Where the first is.
        first: Tile,
        /// Where the second is.
        second: Tile,
    },
    /// A spawn is inside a wall.
    #[error("the spawn {name:?} at {tile} is in a wall")]
    SpawnInWall {
        /// The spawn's name.
        name: String,
        /// Its tile.
        tile: Tile,
    },
    /// A place cannot be walked to.
    #[error(
        "the {kind} {address:?} (first tile {tile}) cannot be reached on foot from the spawn {:?} at {}",
        start.name, start.tile
    )]
    Unreachable {
        /// The kind of the place.
        kind: PlaceKind,
        /// Its address.
        address: String,
        /// Its first tile.
        tile: Tile,
        /// Where the walk began.
        start: Spawn,
    },
    /// One spawn cannot be walked to from another.
    #[error(
        "the spawn {:?} at {} cannot be reached on foot from the spawn {:?} at {}",
        spawn.name, spawn.tile, start.name, start.tile
    )]
    UnreachableSpawn {
        /// The one that cannot be reached.
        spawn: Spawn,
        /// Where the walk began.
        start: Spawn,
    },
}
