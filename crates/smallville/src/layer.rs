//! A layer of a map: a CSV file with one whole number for each tile, 0 for nothing.

use std::path::Path;

use townsfolk_world::Tile;

use crate::files::read_text;
use crate::{ImportError, ImportFault};

/// The size of a map in tiles.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Size {
    /// The tile of a cell, counted row by row. The map's sides have been checked to be within
    /// `MAX_SIDE`, so they fit.
    pub(crate) fn tile(self, cell: usize) -> Tile {
        Tile {
            x: (cell % self.width) as u16,
            y: (cell / self.width) as u16,
        }
    }
}

/// The numbers of a layer, row by row: from one line of all cells, as the 2023 code has it, or
/// from one line for each row of the map. Spaces around numbers and empty lines are nothing.
pub(crate) fn read_layer(path: &Path, size: Size) -> Result<Vec<i64>, ImportError> {
    let fail = |fault| ImportError::new(path, fault);
    let text = read_text(
        path,
        "a map has the layers collision, sector, arena, game_object and spawning_location",
    )?;
    let rows: Vec<&str> = text.lines().filter(|row| !row.trim().is_empty()).collect();
    let Size { width, height } = size;
    let cells_in = |row: &str| row.split(',').count();
    match rows.as_slice() {
        [row] if height == 1 || cells_in(row) != width => {
            let found = cells_in(row);
            if found != width * height {
                return Err(fail(ImportFault::Cells { found, width, height }));
            }
        }
        rows if rows.len() != height => {
            let found = rows.len();
            return Err(fail(ImportFault::Rows { found, height }));
        }
        rows => {
            let ragged = rows.iter().position(|row| cells_in(row) != width);
            if let Some(index) = ragged {
                let (row, found) = (index + 1, cells_in(rows[index]));
                return Err(fail(ImportFault::RaggedRow { row, found, width }));
            }
        }
    }
    let cells = rows.iter().flat_map(|row| row.split(','));
    cells
        .enumerate()
        .map(|(index, cell)| {
            let cell = cell.trim();
            cell.parse().map_err(|_| {
                let (tile, text) = (size.tile(index), shortened(cell));
                fail(ImportFault::Cell { tile, text })
            })
        })
        .collect()
}

/// Enough of a text to recognise it by.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
