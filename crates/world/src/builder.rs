//! Putting a world together and checking that it makes sense.
//!
//! [`WorldBuilder`] takes the pieces in any order and [`build`](WorldBuilder::build) checks them
//! against each other. What does not fit is a [`WorldError`].

use std::collections::{BTreeMap, BTreeSet};

use crate::place::ADDRESS_SEPARATOR;
use crate::{Place, PlaceId, PlaceKind, Spawn, Spot, Tile, World, WorldError};

/// The longest side a world may have, in tiles. Keeps squared distances and tile counts well
/// within 32 bits.
pub const MAX_SIDE: u16 = 4096;

/// The state of an object for which the map gives none, as in the 2023 code.
pub const DEFAULT_OBJECT_STATE: &str = "idle";

/// Collects walls, places and spawns in any order and turns them into a [`World`].
///
/// ```
/// use townsfolk_world::{Tile, WorldBuilder};
/// let mut builder = WorldBuilder::new("the Ville", 3, 2)?;
/// let cafe = builder.place(builder.root(), "Hobbs Cafe")?;
/// builder.add_tile(cafe, Tile { x: 1, y: 0 })?;
/// builder.add_wall(Tile { x: 2, y: 1 })?;
/// builder.add_spawn("door", Tile { x: 0, y: 0 })?;
/// let world = builder.build()?;
/// assert_eq!(world.find("the Ville:Hobbs Cafe"), Some(cafe));
/// # Ok::<(), townsfolk_world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    width: u16,
    height: u16,
    walls: BTreeSet<Tile>,
    places: Vec<Place>,
    /// (parent, name in lower case) → place; finds names that are equal or alike.
    by_name: BTreeMap<(PlaceId, String), PlaceId>,
    spawns: Vec<Spawn>,
}

impl WorldBuilder {
    /// A map of open street. Sides are in tiles, from 1 to [`MAX_SIDE`].
    ///
    /// # Errors
    /// [`WorldError::Size`], [`WorldError::Name`].
    pub fn new(name: &str, width: usize, height: usize) -> Result<Self, WorldError> {
        let side = |n: usize| u16::try_from(n).ok().filter(|n| (1..=MAX_SIDE).contains(n));
        let (Some(columns), Some(rows)) = (side(width), side(height)) else {
            return Err(WorldError::Size { width, height });
        };
        check_name(PlaceKind::World, name)?;
        let tiles = (0..rows).flat_map(|y| (0..columns).map(move |x| Tile { x, y }));
        let root = Place {
            id: PlaceId::from_index(0),
            kind: PlaceKind::World,
            name: name.to_owned(),
            parent: None,
            children: Vec::new(),
            tiles: tiles.collect(),
            default_state: None,
        };
        Ok(WorldBuilder {
            width: columns,
            height: rows,
            walls: BTreeSet::new(),
            places: vec![root],
            by_name: BTreeMap::new(),
            spawns: Vec::new(),
        })
    }

    /// The place that is the whole map; sectors go inside it.
    pub fn root(&self) -> PlaceId {
        PlaceId::from_index(0)
    }

    /// The place of that name directly inside `parent`: the one already there, or a new one, whose
    /// kind follows from the parent's. New objects are in the state [`DEFAULT_OBJECT_STATE`].
    ///
    /// # Errors
    /// [`WorldError::Name`], [`WorldError::AlikeNames`], [`WorldError::InsideObject`],
    /// [`WorldError::UnknownPlace`].
    pub fn place(&mut self, parent: PlaceId, name: &str) -> Result<PlaceId, WorldError> {
        let around = self.known(parent)?;
        let Some(kind) = around.kind.inside() else {
            return Err(WorldError::InsideObject {
                name: name.to_owned(),
                object: self.address(parent),
            });
        };
        check_name(kind, name)?;
        let key = (parent, name.to_lowercase());
        if let Some(&there) = self.by_name.get(&key) {
            if self.places[there.index()].name == name {
                return Ok(there);
            }
            return Err(WorldError::AlikeNames {
                kind,
                first: self.places[there.index()].name.clone(),
                second: name.to_owned(),
                parent: self.address(parent),
            });
        }
        let id = PlaceId::from_index(self.places.len());
        let default_state = (kind == PlaceKind::Object).then(|| DEFAULT_OBJECT_STATE.to_owned());
        self.by_name.insert(key, id);
        self.places[parent.index()].children.push(id);
        self.places.push(Place {
            id,
            kind,
            name: name.to_owned(),
            parent: Some(parent),
            children: Vec::new(),
            tiles: Vec::new(),
            default_state,
        });
        Ok(id)
    }

    /// Makes the tile one of the place's. Does not add it to the places around: give every level
    /// its tiles. Adding a tile twice changes nothing; the world has all tiles from the start.
    ///
    /// # Errors
    /// [`WorldError::Outside`], [`WorldError::UnknownPlace`].
    pub fn add_tile(&mut self, place: PlaceId, tile: Tile) -> Result<(), WorldError> {
        self.known(place)?;
        self.check_inside(tile, || format!("{:?}", self.address(place)))?;
        if place != self.root() {
            self.places[place.index()].tiles.push(tile);
        }
        Ok(())
    }

    /// Sets the state an object is in when nobody has used it.
    ///
    /// # Errors
    /// [`WorldError::State`] when the place is no object or the state is empty;
    /// [`WorldError::UnknownPlace`].
    pub fn set_default_state(&mut self, object: PlaceId, state: &str) -> Result<(), WorldError> {
        let fault = match self.known(object)?.kind {
            PlaceKind::Object if !state.trim().is_empty() => {
                self.places[object.index()].default_state = Some(state.to_owned());
                return Ok(());
            }
            PlaceKind::Object => "it is empty".to_owned(),
            kind => format!("only objects have states, and this is a {kind}"),
        };
        Err(WorldError::State {
            address: self.address(object),
            state: state.to_owned(),
            fault,
        })
    }

    /// Makes the tile a wall.
    ///
    /// # Errors
    /// [`WorldError::Outside`].
    pub fn add_wall(&mut self, tile: Tile) -> Result<(), WorldError> {
        self.check_inside(tile, || "a wall".to_owned())?;
        self.walls.insert(tile);
        Ok(())
    }

    /// Names a start tile. It must not be a wall, which [`build`](WorldBuilder::build) checks.
    ///
    /// # Errors
    /// [`WorldError::Outside`], [`WorldError::Name`], [`WorldError::DuplicateSpawn`].
    pub fn add_spawn(&mut self, name: &str, tile: Tile) -> Result<(), WorldError> {
        check_name("spawn", name)?;
        self.check_inside(tile, || format!("the spawn {name:?}"))?;
        if let Some(first) = self.spawns.iter().find(|spawn| spawn.name == name) {
            return Err(WorldError::DuplicateSpawn {
                name: name.to_owned(),
                first: first.tile,
                second: tile,
            });
        }
        self.spawns.push(Spawn {
            name: name.to_owned(),
            tile,
        });
        Ok(())
    }

    /// Checks the whole and makes the world.
    ///
    /// # Errors
    /// [`WorldError::NoTiles`], [`WorldError::Overlap`], [`WorldError::OutsideParent`],
    /// [`WorldError::SpawnInWall`]. Reachability is a check of its own:
    /// [`World::check_reachable`].
    pub fn build(mut self) -> Result<World, WorldError> {
        for place in &mut self.places {
            place.tiles.sort_unstable();
            place.tiles.dedup();
        }
        let spots = self.spots()?;
        let in_wall = |spawn: &&Spawn| self.walls.contains(&spawn.tile);
        if let Some(spawn) = self.spawns.iter().find(in_wall) {
            return Err(WorldError::SpawnInWall {
                name: spawn.name.clone(),
                tile: spawn.tile,
            });
        }
        let mut world = World {
            width: self.width,
            height: self.height,
            open_cells: Vec::new(),
            spots,
            places: self.places,
            standing: Vec::new(),
            spawns: self.spawns,
        };
        let cells = world.cells_in_row() * (usize::from(world.height) + 2);
        world.open_cells = vec![false; cells];
        for &tile in world.places[0]
            .tiles
            .iter()
            .filter(|tile| !self.walls.contains(tile))
        {
            let cell = world.cell_of(tile);
            world.open_cells[cell] = true;
        }
        world.standing = world.places.iter().map(|p| standing(&world, p)).collect();
        Ok(world)
    }

    /// What is at each tile. Places come parents first, so a parent's tiles are always laid down
    /// before those of its children are checked against them.
    fn spots(&self) -> Result<Vec<Spot>, WorldError> {
        let mut spots = vec![Spot::default(); self.places[0].tiles.len()];
        for place in &self.places {
            let kind = place.kind;
            let address = || self.address(place.id);
            if place.tiles.is_empty() {
                return Err(WorldError::NoTiles {
                    kind,
                    address: address(),
                });
            }
            for &tile in &place.tiles {
                let spot = &mut spots[self.index_of(tile)];
                let (around, level) = match kind {
                    PlaceKind::World => continue,
                    PlaceKind::Sector => (Some(self.root()), &mut spot.sector),
                    PlaceKind::Arena => (spot.sector, &mut spot.arena),
                    PlaceKind::Object => (spot.arena, &mut spot.object),
                };
                if around != place.parent {
                    let parent = place.parent.unwrap_or(self.root());
                    return Err(WorldError::OutsideParent {
                        kind,
                        address: address(),
                        tile,
                        parent_kind: self.places[parent.index()].kind,
                    });
                }
                if let Some(first) = level.replace(place.id) {
                    return Err(WorldError::Overlap {
                        kind,
                        first: self.address(first),
                        second: address(),
                        tile,
                    });
                }
            }
        }
        Ok(spots)
    }

    fn known(&self, id: PlaceId) -> Result<&Place, WorldError> {
        let index = id.index();
        let place = self.places.get(index);
        place.ok_or(WorldError::UnknownPlace { index })
    }

    fn check_inside(&self, tile: Tile, what: impl Fn() -> String) -> Result<(), WorldError> {
        if tile.x < self.width && tile.y < self.height {
            return Ok(());
        }
        Err(WorldError::Outside {
            what: what(),
            tile,
            width: self.width,
            height: self.height,
        })
    }

    fn address(&self, id: PlaceId) -> String {
        let place = &self.places[id.index()];
        match place.parent {
            None => place.name.clone(),
            Some(parent) => {
                format!("{}{ADDRESS_SEPARATOR}{}", self.address(parent), place.name)
            }
        }
    }

    fn index_of(&self, tile: Tile) -> usize {
        usize::from(tile.y) * usize::from(self.width) + usize::from(tile.x)
    }
}

/// See [`World::standing_tiles`].
fn standing(world: &World, place: &Place) -> Vec<Tile> {
    let tiles = place.tiles.iter().copied();
    let inside: Vec<Tile> = tiles.filter(|&t| world.walkable(t)).collect();
    if !inside.is_empty() || place.kind != PlaceKind::Object {
        return inside;
    }
    let beside = place.tiles.iter().flat_map(|tile| tile.neighbours());
    let mut beside: Vec<Tile> = beside.filter(|&t| world.walkable(t)).collect();
    beside.sort_unstable();
    beside.dedup();
    let is_own = |tile: &Tile| world.spot(*tile).arena == place.parent;
    if beside.iter().any(is_own) {
        beside.retain(is_own);
    }
    beside
}

fn check_name(what: impl ToString, name: &str) -> Result<(), WorldError> {
    let fault = if name.is_empty() {
        "is empty; give it a name"
    } else if name.contains(ADDRESS_SEPARATOR) {
        "holds a ':', which separates the parts of an address; take it out"
    } else if name.chars().any(char::is_control) {
        "holds a control character; take it out"
    } else if name.trim() != name {
        "begins or ends with white space; take it away"
    } else {
        return Ok(());
    };
    Err(WorldError::Name {
        what: what.to_string(),
        name: name.to_owned(),
        fault,
    })
}
