//! What can be seen from a tile.
//!
//! A resident sees the tiles within a square around it, as in the 2023 code, but not through
//! walls: only those of the arena it is in. Tiles of no arena are one arena, the street.

use crate::{PlaceId, Tile, World};

/// The tiles seen from one tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Nearest first by squared straight-line distance, ties in row-major order. The tile one
    /// stands on comes first. Empty when that is outside the map.
    pub tiles: Vec<Tile>,
}

impl World {
    /// The tiles seen from `from`: within the square of that radius (in tiles; 8 in the 2023
    /// code's residents) and in the same arena.
    pub fn sight(&self, from: Tile, radius: u16) -> Sight {
        if !self.contains(from) {
            return Sight { tiles: Vec::new() };
        }
        let columns = around(from.x, radius, self.width);
        let rows = around(from.y, radius, self.height);
        let arena = self.spot(from).arena;
        let mut seen: Vec<(u32, Tile)> = rows
            .flat_map(|y| columns.clone().map(move |x| Tile { x, y }))
            .filter(|&tile| self.spot(tile).arena == arena)
            .map(|tile| (from.squared_distance(tile), tile))
            .collect();
        seen.sort_unstable();
        Sight {
            tiles: seen.into_iter().map(|(_, tile)| tile).collect(),
        }
    }

    /// The objects of which a tile is seen from `from`, each with its nearest tile and the squared
    /// straight-line distance to it, in the order of [`sight`](World::sight). Objects lie in
    /// arenas, so on the street there are none.
    pub fn objects_in_sight(&self, from: Tile, radius: u16) -> Vec<(PlaceId, Tile, u32)> {
        let Some(arena) = self.spot(from).arena else {
            return Vec::new();
        };
        let nearest = |object: &PlaceId| {
            let tiles = self.place(*object).tiles.iter();
            let seen = tiles.filter(|tile| from.chebyshev(**tile) <= radius);
            let (distance, tile) = seen.map(|&t| (from.squared_distance(t), t)).min()?;
            Some((*object, tile, distance))
        };
        let objects = self.place(arena).children.iter();
        let mut seen: Vec<(PlaceId, Tile, u32)> = objects.filter_map(nearest).collect();
        seen.sort_unstable_by_key(|&(_, tile, distance)| (distance, tile));
        seen
    }
}

/// The coordinates within `radius` of `at` on a side of that length.
fn around(at: u16, radius: u16, side: u16) -> std::ops::Range<u16> {
    at.saturating_sub(radius)..at.saturating_add(radius).saturating_add(1).min(side)
}
