//! One square of the map.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// One map square: `x` columns from the left edge, `y` rows from the top edge, both from 0.
///
/// Tiles order *row-major*: first by `y`, then by `x`, the way one reads a page. Every list of
/// tiles in this crate that promises an order, and every tie between tiles, uses that order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tile {
    /// Columns from the left edge.
    pub x: u16,
    /// Rows from the top edge.
    pub y: u16,
}

impl Tile {
    /// The number of king's moves between two tiles: the larger of the two coordinate differences.
    /// A tile is within the sight square of radius `r` when this is at most `r`.
    pub fn chebyshev(self, other: Tile) -> u16 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// The squared straight-line distance, in tiles. Exact for tiles of one world, whose sides
    /// are at most [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn squared_distance(self, other: Tile) -> u32 {
        let dx = u32::from(self.x.abs_diff(other.x));
        let dy = u32::from(self.y.abs_diff(other.y));
        (dx * dx).saturating_add(dy * dy)
    }

    /// The four tiles that share an edge with this one, in the order up, left, down, right.
    /// Those that would have a negative coordinate are left out.
    pub fn neighbours(self) -> impl Iterator<Item = Tile> {
        let Tile { x, y } = self;
        [
            y.checked_sub(1).map(|y| Tile { x, y }),
            x.checked_sub(1).map(|x| Tile { x, y }),
            y.checked_add(1).map(|y| Tile { x, y }),
            x.checked_add(1).map(|x| Tile { x, y }),
        ]
        .into_iter()
        .flatten()
    }
}

impl Ord for Tile {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}
