//! Looking an imported town over: how much there is, and what cannot be reached.

use townsfolk_town::Town;
use townsfolk_world::{PlaceId, PlaceKind, Tile, World};

use crate::{ImportReport, Note};

/// Counts what was read and adds to the notes what the first resident cannot reach.
pub(crate) fn report(town: &Town, mut notes: Vec<Note>) -> ImportReport {
    let world = &town.world;
    let places = |kind| world.places().iter().filter(|place| place.kind == kind).count();
    let reach = town
        .residents
        .first()
        .map(|first| Reach::from(world, first.start));
    if let Some(reach) = &reach {
        note_cut_off(town, reach, &mut notes);
    }
    ImportReport {
        width: world.width(),
        height: world.height(),
        walkable_tiles: world
            .place(world.root())
            .tiles
            .iter()
            .filter(|tile| world.walkable(**tile))
            .count(),
        town_tiles: reach.map_or(0, |reach| reach.tiles()),
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

fn note_cut_off(town: &Town, reach: &Reach, notes: &mut Vec<Note>) {
    let world = &town.world;
    let apart = town
        .residents
        .iter()
        .filter(|resident| !reach.includes(resident.start));
    notes.extend(apart.map(|resident| Note::ResidentCutOff {
        name: resident.identity.name.to_string(),
        tile: resident.start,
    }));
    let cut_off = world.places().iter().filter(|place| !reach.has(place.id));
    // Of places inside each other only the widest.
    let widest = cut_off.filter(|place| place.parent.is_none_or(|around| reach.has(around)));
    notes.extend(widest.map(|place| Note::PlaceCutOff {
        address: world.address(place.id),
        tile: place.tiles[0],
    }));
}

/// The tiles that can be walked to from a start.
struct Reach<'a> {
    world: &'a World,
    reached: Vec<bool>,
}

impl<'a> Reach<'a> {
    /// Floods from a walkable tile of the map, which is itself reached.
    fn from(world: &'a World, start: Tile) -> Self {
        let tiles = usize::from(world.width()) * usize::from(world.height());
        let mut reach = Self {
            world,
            reached: vec![false; tiles],
        };
        let mut found = vec![start];
        while let Some(tile) = found.pop() {
            let index = reach.index(tile);
            if !reach.reached[index] {
                reach.reached[index] = true;
                found.extend(tile.neighbours().filter(|next| world.walkable(*next)));
            }
        }
        reach
    }

    /// How many tiles were reached.
    fn tiles(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// Whether this tile of the map was reached.
    fn includes(&self, tile: Tile) -> bool {
        self.reached[self.index(tile)]
    }

    /// Whether one can stand at the place.
    fn has(&self, place: PlaceId) -> bool {
        let standing = self.world.standing_tiles(place);
        standing.iter().any(|tile| self.includes(*tile))
    }

    fn index(&self, tile: Tile) -> usize {
        usize::from(tile.y) * usize::from(self.world.width()) + usize::from(tile.x)
    }
}
