//! The immutable map that all residents share.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::place::ADDRESS_SEPARATOR;
use crate::stored::StoredWorld;
use crate::{Place, PlaceId, PlaceKind, Spawn, Spot, Tile, WorldError};

/// A town's map: walls, places and spawns. It never changes and is `Sync`, so any number of
/// residents may look and walk at the same time; what moves or changes state lives elsewhere.
///
/// Made by [`WorldBuilder`](crate::WorldBuilder), [`read_tiled`](crate::read_tiled) or
/// [`sketch::read`](crate::sketch::read). Serializes to a compact form (walls and places as spans
/// of tiles) and is checked as strictly on the way back in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredWorld", try_from = "StoredWorld")]
pub struct World {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Where one may walk, by [`cell_of`](World::cell_of): row-major with a border of walls around the map, so that
    /// every tile has four neighbours.
    pub(crate) open_cells: Vec<bool>,
    /// Row-major, `width * height`.
    pub(crate) spots: Vec<Spot>,
    pub(crate) places: Vec<Place>,
    /// By place index.
    pub(crate) standing: Vec<Vec<Tile>>,
    pub(crate) spawns: Vec<Spawn>,
}

impl World {
    /// The world's name: the first part of every address.
    pub fn name(&self) -> &str {
        &self.places[0].name
    }

    /// Columns of tiles.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows of tiles.
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The place that is the whole map.
    pub fn root(&self) -> PlaceId {
        PlaceId::from_index(0)
    }

    /// Every place; a [`PlaceId`] is an index into this. Parents come before their children.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The place with this id.
    ///
    /// # Panics
    /// When the id is of another world and past the end of this one. For an id of unsure origin
    /// use `world.places().get(id.index())`.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// Whether the tile lies on the map.
    pub fn contains(&self, tile: Tile) -> bool {
        tile.x < self.width && tile.y < self.height
    }

    /// What is at the tile; an empty spot outside the map.
    pub fn spot(&self, tile: Tile) -> Spot {
        match self.contains(tile) {
            true => self.spots[self.index_of(tile)],
            false => Spot::default(),
        }
    }

    /// Whether a body may walk onto the tile. `false` for walls and outside the map.
    pub fn walkable(&self, tile: Tile) -> bool {
        self.contains(tile) && self.open_cells[self.cell_of(tile)]
    }

    /// The place with this full address, such as `the Ville:Hobbs Cafe:cafe:counter`.
    /// Names compare exactly.
    pub fn find(&self, address: &str) -> Option<PlaceId> {
        let mut names = address.split(ADDRESS_SEPARATOR);
        if names.next() != Some(self.name()) {
            return None;
        }
        names.try_fold(self.root(), |inside, name| self.child(inside, name))
    }

    /// The place of this name directly inside `parent`.
    pub fn child(&self, parent: PlaceId, name: &str) -> Option<PlaceId> {
        let children = &self.place(parent).children;
        children.iter().copied().find(|&id| self.place(id).name == name)
    }

    /// The full address of a place; [`find`](World::find) takes it back to the same id.
    pub fn address(&self, id: PlaceId) -> String {
        let place = self.place(id);
        match place.parent {
            None => place.name.clone(),
            Some(parent) => {
                let mut address = self.address(parent);
                address.push(ADDRESS_SEPARATOR);
                address.push_str(&place.name);
                address
            }
        }
    }

    /// The place of that kind which is `id` itself or around it; `None` when `id` is wider than that.
    pub fn ancestor(&self, id: PlaceId, kind: PlaceKind) -> Option<PlaceId> {
        let mut at = id;
        while self.place(at).kind != kind {
            at = self.place(at).parent?;
        }
        Some(at)
    }

    /// The named start tiles, in the order of the map.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// Where one can stand to be at a place, in row-major order: its walkable tiles. For an object
    /// without any (a counter, a tree) the walkable tiles that share an edge with it: those of its
    /// own arena or, if there are none, any. Empty when nobody can get next to it.
    pub fn standing_tiles(&self, id: PlaceId) -> &[Tile] {
        &self.standing[id.index()]
    }

    /// Whether both tiles are on the map and in the same arena. Tiles of no arena count as one
    /// arena, the street.
    pub fn same_arena(&self, a: Tile, b: Tile) -> bool {
        self.contains(a) && self.contains(b) && self.spot(a).arena == self.spot(b).arena
    }

    /// Checks that every spawn and place can be walked to from the first spawn (and so from every
    /// spawn, since what can be walked can be walked back). A world without spawns passes, and so
    /// does a sector all of walls, which is scenery.
    ///
    /// # Errors
    /// [`WorldError::Unreachable`] or [`WorldError::UnreachableSpawn`] for the first that cannot.
    pub fn check_reachable(&self) -> Result<(), WorldError> {
        let Some(start) = self.spawns.first() else {
            return Ok(());
        };
        let reached = self.reachable_from(start.tile);
        let is_reached = |tile: &Tile| reached[self.cell_of(*tile)];
        if let Some(spawn) = self.spawns.iter().find(|spawn| !is_reached(&spawn.tile)) {
            return Err(WorldError::UnreachableSpawn {
                spawn: spawn.clone(),
                start: start.clone(),
            });
        }
        let cut_off = |place: &&Place| {
            let standing = self.standing_tiles(place.id);
            let is_scenery = place.kind == PlaceKind::Sector && standing.is_empty();
            !is_scenery && !standing.iter().any(is_reached)
        };
        match self.places.iter().find(cut_off) {
            None => Ok(()),
            Some(place) => Err(WorldError::Unreachable {
                kind: place.kind,
                address: self.address(place.id),
                tile: place.tiles[0],
                start: start.clone(),
            }),
        }
    }

    fn index_of(&self, tile: Tile) -> usize {
        usize::from(tile.y) * usize::from(self.width) + usize::from(tile.x)
    }

    /// The index of a tile in lists that have a border around the map; in the order of tiles.
    pub(crate) fn cell_of(&self, tile: Tile) -> usize {
        (usize::from(tile.y) + 1) * self.cells_in_row() + usize::from(tile.x) + 1
    }

    /// Columns and the two of the border.
    pub(crate) fn cells_in_row(&self) -> usize {
        usize::from(self.width) + 2
    }
}

impl fmt::Debug for World {
    /// Short on purpose: a map of 14,000 tiles helps nobody in a failed assertion.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("name", &self.name())
            .field("width", &self.width)
            .field("height", &self.height)
            .field("places", &self.places.len())
            .field("spawns", &self.spawns.len())
            .finish_non_exhaustive()
    }
}
