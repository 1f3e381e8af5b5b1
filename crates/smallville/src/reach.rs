//! Which parts of a map hang together.

use townsfolk_world::{PlaceId, Tile, World};

/// The tiles that can be walked to from a start.
pub(crate) struct Reach<'a> {
    world: &'a World,
    reached: Vec<bool>,
}

impl<'a> Reach<'a> {
    /// Floods from a walkable tile of the map, which is itself reached.
    pub(crate) fn from(world: &'a World, start: Tile) -> Self {
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
    pub(crate) fn tiles(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// Whether this tile of the map was reached.
    pub(crate) fn includes(&self, tile: Tile) -> bool {
        self.reached[self.index(tile)]
    }

    /// Whether one can stand at the place.
    pub(crate) fn has(&self, place: PlaceId) -> bool {
        let standing = self.world.standing_tiles(place);
        standing.iter().any(|tile| self.includes(*tile))
    }

    fn index(&self, tile: Tile) -> usize {
        usize::from(tile.y) * usize::from(self.world.width()) + usize::from(tile.x)
    }
}
