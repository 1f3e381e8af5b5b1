//! Which parts of a map hang together.

use townsfolk_world::{PlaceId, Tile, World};

/// The walkable tiles that can be walked to from a start.
pub(crate) struct Reach<'a> {
    world: &'a World,
    reached: Vec<bool>,
}

impl<'a> Reach<'a> {
    /// Floods from a tile of the map. The tile itself may be a wall: one can step out of it.
    pub(crate) fn from(world: &'a World, start: Tile) -> Self {
        let tiles = usize::from(world.width()) * usize::from(world.height());
        let mut reach = Self {
            world,
            reached: vec![false; tiles],
        };
        let mut queue = vec![start];
        while let Some(tile) = queue.pop() {
            for next in exits(world, tile) {
                let index = reach.index(next);
                if !reach.reached[index] {
                    reach.reached[index] = true;
                    queue.push(next);
                }
            }
        }
        reach
    }

    /// How many tiles were reached.
    pub(crate) fn tiles(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// Whether somebody at this tile of the map can walk there.
    pub(crate) fn meets(&self, tile: Tile) -> bool {
        exits(self.world, tile).any(|tile| self.reached[self.index(tile)])
    }

    /// Whether one can stand at the place.
    pub(crate) fn has(&self, place: PlaceId) -> bool {
        let mut standing = self.world.standing_tiles(place).iter();
        standing.any(|tile| self.reached[self.index(*tile)])
    }

    fn index(&self, tile: Tile) -> usize {
        usize::from(tile.y) * usize::from(self.world.width()) + usize::from(tile.x)
    }
}

/// The walkable tiles at and beside a tile.
pub(crate) fn exits(world: &World, tile: Tile) -> impl Iterator<Item = Tile> {
    let own = std::iter::once(tile);
    own.chain(tile.neighbours()).filter(|tile| world.walkable(*tile))
}
