//! The compact form in which a world is serialized.
//!
//! Walls and places are lists of spans `[y, x, length]` of tiles in one row. Reading goes through
//! [`WorldBuilder`], so stored worlds are checked like any other.

use serde::{Deserialize, Serialize};

use crate::{PlaceId, Spawn, Tile, World, WorldBuilder, WorldError};

/// Row, first column, number of tiles to the right.
type Span = [u16; 3];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredWorld {
    name: String,
    width: u16,
    height: u16,
    walls: Vec<Span>,
    /// All places but the world itself: the first has id 1.
    places: Vec<StoredPlace>,
    spawns: Vec<Spawn>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPlace {
    parent: PlaceId,
    name: String,
    state: Option<String>,
    tiles: Vec<Span>,
}

impl From<World> for StoredWorld {
    fn from(world: World) -> Self {
        let all = world.places[0].tiles.iter().copied();
        let walls = all.filter(|&tile| !world.walkable(tile));
        let places = world.places.iter().filter_map(|place| {
            Some(StoredPlace {
                parent: place.parent?,
                name: place.name.clone(),
                state: place.default_state.clone(),
                tiles: spans(place.tiles.iter().copied()),
            })
        });
        StoredWorld {
            name: world.name().to_owned(),
            width: world.width,
            height: world.height,
            walls: spans(walls),
            places: places.collect(),
            spawns: world.spawns.clone(),
        }
    }
}

impl TryFrom<StoredWorld> for World {
    type Error = WorldError;

    fn try_from(stored: StoredWorld) -> Result<Self, WorldError> {
        let (width, height) = (stored.width.into(), stored.height.into());
        let mut builder = WorldBuilder::new(&stored.name, width, height)?;
        for tile in tiles(&stored.walls) {
            builder.add_wall(tile)?;
        }
        for (index, place) in stored.places.iter().enumerate() {
            let id = builder.place(place.parent, &place.name)?;
            // A repeated name would give back an earlier place and shift all ids after it.
            if id.index() != index + 1 {
                return Err(WorldError::RepeatedPlace {
                    name: place.name.clone(),
                    first: id.index(),
                    second: index + 1,
                });
            }
            if let Some(state) = &place.state {
                builder.set_default_state(id, state)?;
            }
            for tile in tiles(&place.tiles) {
                builder.add_tile(id, tile)?;
            }
        }
        for spawn in &stored.spawns {
            builder.add_spawn(&spawn.name, spawn.tile)?;
        }
        builder.build()
    }
}

/// Joins tiles in row-major order into spans.
fn spans(tiles: impl Iterator<Item = Tile>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for Tile { x, y } in tiles {
        match spans.last_mut() {
            Some([row, first, length]) if *row == y && *first + *length == x => *length += 1,
            _ => spans.push([y, x, 1]),
        }
    }
    spans
}

/// Spans that run past the greatest coordinate stop there; the builder refuses that tile.
fn tiles(spans: &[Span]) -> impl Iterator<Item = Tile> {
    spans
        .iter()
        .flat_map(|&[y, first, length]| (first..first.saturating_add(length)).map(move |x| Tile { x, y }))
}
