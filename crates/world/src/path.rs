//! Shortest paths.
//!
//! Bodies do not block each other and every step costs the same, so a breadth-first flood from the
//! start is exact; it stops at the first ring of tiles that holds a target.
//!
//! **Tie rule** (that of the 2023 code's path finder): among equally near targets the first in row-major
//! order is the goal. The path is traced back from the goal, each time to the first neighbour that is
//! one step nearer to the start, tried in the order up, left, down, right.
//!
//! Each thread keeps one scratch buffer for all worlds. A cell is part of the present flood when its
//! mark is at least `base`, so nothing has to be cleared between searches.

use std::cell::RefCell;

use crate::{PlaceId, Tile, World};

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Working memory of the flood, indexed by [`World::cell_of`].
#[derive(Default)]
struct Scratch {
    /// `base + distance from the start` where the present flood has been; less elsewhere.
    marks: Vec<u32>,
    /// `base` where the present search has a target; something else elsewhere.
    targets: Vec<u32>,
    /// Flooded cells in order of distance.
    queue: Vec<u32>,
    /// Above every mark of earlier searches; 0 only before the first.
    base: u32,
    /// The least base that the next search may take.
    next_base: u32,
}

impl Scratch {
    /// Makes room for a map of that many cells and forgets the last search.
    fn begin(&mut self, cells: usize) {
        // Distances are less than `cells`, which `MAX_SIDE` keeps below 2^25.
        let span = cells as u32;
        if self.next_base.checked_add(span).is_none() {
            self.marks.fill(0);
            self.targets.fill(0);
            self.next_base = 0;
        }
        if self.marks.len() < cells {
            self.marks.resize(cells, 0);
            self.targets.resize(cells, 0);
        }
        self.base = self.next_base.max(1);
        self.next_base = self.base + span;
        self.queue.clear();
    }
}

impl World {
    /// The shortest way from `from` to the nearest of the tiles `to`, by steps up, left, down and
    /// right over walkable tiles: the tiles to step onto, without `from`, the target last.
    ///
    /// `Some` of nothing when `from` is itself a target; `None` when no target can be reached.
    /// `from` need not be walkable (one may stand on a bed). Targets that are walls or outside the
    /// map are never reached. Ties fall as the module says: up before left before down before
    /// right, seen from the target back.
    pub fn path(&self, from: Tile, to: &[Tile]) -> Option<Vec<Tile>> {
        if !self.contains(from) {
            return None;
        }
        if to.contains(&from) {
            return Some(Vec::new());
        }
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.begin(self.open_cells.len());
            let mut is_hopeless = true;
            for &tile in to.iter().filter(|tile| self.walkable(**tile)) {
                scratch.targets[self.cell_of(tile)] = scratch.base;
                is_hopeless = false;
            }
            if is_hopeless {
                return None;
            }
            let goal = self.flood(from, scratch)?;
            Some(self.trace_back(goal, scratch))
        })
    }

    /// The shortest way from `from` to where one can stand at a place: the same as
    /// [`path`](World::path) to its [`standing_tiles`](World::standing_tiles).
    pub fn path_to_place(&self, from: Tile, place: PlaceId) -> Option<Vec<Tile>> {
        self.path(from, self.standing_tiles(place))
    }

    /// Which cells can be walked to from `from`, itself included.
    pub(crate) fn reachable_from(&self, from: Tile) -> Vec<bool> {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.begin(self.open_cells.len());
            self.flood(from, scratch);
            let marks = scratch.marks.iter().take(self.open_cells.len());
            marks.map(|&mark| mark >= scratch.base).collect()
        })
    }

    /// Floods ring by ring until a ring holds targets, and gives the first of those.
    fn flood(&self, from: Tile, scratch: &mut Scratch) -> Option<usize> {
        let Scratch {
            marks,
            targets,
            queue,
            base,
            ..
        } = scratch;
        let start = self.cell_of(from);
        marks[start] = *base;
        queue.push(start as u32);
        let mut goal: Option<usize> = None;
        let mut ring = 0..1;
        let mut mark = *base;
        while goal.is_none() && !ring.is_empty() {
            mark += 1;
            for at in ring.clone() {
                for next in self.cells_beside(queue[at] as usize) {
                    if marks[next] >= *base || !self.open_cells[next] {
                        continue;
                    }
                    marks[next] = mark;
                    queue.push(next as u32);
                    if targets[next] == *base {
                        goal = Some(goal.map_or(next, |best| best.min(next)));
                    }
                }
            }
            ring = ring.end..queue.len();
        }
        goal
    }

    fn trace_back(&self, goal: usize, scratch: &Scratch) -> Vec<Tile> {
        let length = (scratch.marks[goal] - scratch.base) as usize;
        let mut path = vec![Tile::default(); length];
        let mut at = goal;
        for step in path.iter_mut().rev() {
            *step = self.tile_of(at);
            let nearer = scratch.marks[at] - 1;
            let back = self.cells_beside(at);
            // Every flooded cell but the start was reached from a neighbour one step nearer.
            at = back
                .into_iter()
                .find(|&cell| scratch.marks[cell] == nearer)
                .unwrap_or(at);
        }
        path
    }

    /// The cells up, left, down and right of a cell that is not of the border, in that order.
    fn cells_beside(&self, cell: usize) -> [usize; 4] {
        let row = self.cells_in_row();
        [cell - row, cell - 1, cell + row, cell + 1]
    }

    fn tile_of(&self, cell: usize) -> Tile {
        // Both fit: only tiles of this world are ever flooded.
        Tile {
            x: (cell % self.cells_in_row() - 1) as u16,
            y: (cell / self.cells_in_row() - 1) as u16,
        }
    }
}
