//! Places: the world, its sectors, their arenas, and the objects in them.

use serde::{Deserialize, Serialize};

use crate::Tile;

/// What separates the names in an address: `the Ville:Hobbs Cafe:cafe:counter`.
pub const ADDRESS_SEPARATOR: char = ':';

/// Names one place of one [`World`](crate::World): its index in [`World::places`](crate::World::places).
///
/// A parent's id is always less than those of its children, and the root's is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceId(u32);

impl PlaceId {
    /// The id of the place at `index` in [`World::places`](crate::World::places).
    ///
    /// An index past `u32::MAX` gives the last id, which no world has.
    pub fn from_index(index: usize) -> Self {
        PlaceId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Where the place is in [`World::places`](crate::World::places).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The four levels of places, from the widest to the narrowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// The whole map.
    World,
    /// A building or a park: `Hobbs Cafe`.
    Sector,
    /// A room or a part of a sector; residents see what is in the arena they are in.
    Arena,
    /// A thing that can be used and has a state: `counter`.
    Object,
}

impl PlaceKind {
    /// The kind of the places directly inside one of this kind; objects hold none.
    pub fn inside(self) -> Option<PlaceKind> {
        match self {
            PlaceKind::World => Some(PlaceKind::Sector),
            PlaceKind::Sector => Some(PlaceKind::Arena),
            PlaceKind::Arena => Some(PlaceKind::Object),
            PlaceKind::Object => None,
        }
    }
}

impl std::fmt::Display for PlaceKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PlaceKind::World => "world",
            PlaceKind::Sector => "sector",
            PlaceKind::Arena => "arena",
            PlaceKind::Object => "object",
        })
    }
}

/// One place of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its own id.
    pub id: PlaceId,
    /// Its level.
    pub kind: PlaceKind,
    /// Its own name, without those of the places around it. Holds no `:`.
    pub name: String,
    /// The place around it; `None` for the world alone.
    pub parent: Option<PlaceId>,
    /// The places directly inside it, by id.
    pub children: Vec<PlaceId>,
    /// Every tile of it, walls included, in row-major order. Never empty.
    pub tiles: Vec<Tile>,
    /// The state an object is in when nobody has used it, such as `idle`; `None` for other kinds.
    pub default_state: Option<String>,
}

/// What is at a tile. A level is `None` where no such place covers the tile; an object's tiles
/// always have an arena, an arena's always a sector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The sector that covers the tile.
    pub sector: Option<PlaceId>,
    /// The arena that covers the tile.
    pub arena: Option<PlaceId>,
    /// The object on the tile.
    pub object: Option<PlaceId>,
}

impl Spot {
    /// The narrowest place of the spot; `None` on the open street.
    pub fn narrowest(self) -> Option<PlaceId> {
        self.object.or(self.arena).or(self.sector)
    }
}

/// A named tile where a resident may begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawn {
    /// Its name, unique among the spawns of a world.
    pub name: String,
    /// Where it is; always walkable.
    pub tile: Tile,
}
