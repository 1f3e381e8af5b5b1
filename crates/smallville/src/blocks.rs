//! Block files: what the numbers of a layer mean.
//!
//! A line reads `id, world, sector, arena, name`, with fewer columns for sectors and with `<all>` in
//! place of sector and arena for objects. As in the 2023 code, id and last column decide; what
//! stands between is compared with where the tiles lie, and differences are noted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::read_text;
use crate::{ImportError, ImportFault};

/// In place of a sector or an arena: wherever the tile lies.
const ANYWHERE: &str = "<all>";

/// One line of a block file.
pub(crate) struct Block {
    line: u64,
    /// The columns between world and name: sector, or sector and arena, or `<all>`.
    pub(crate) within: Vec<String>,
    /// What the place is called.
    pub(crate) name: String,
}

impl Block {
    /// Whether the block may lie in places of these names, from the widest in.
    pub(crate) fn fits(&self, around: &[&str]) -> bool {
        let mut pairs = self.within.iter().zip(around);
        pairs.all(|(says, is)| says == ANYWHERE || says == is)
    }
}

/// A block file.
pub(crate) struct Blocks {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its lines by id.
    pub(crate) by_id: BTreeMap<i64, Block>,
}

impl Blocks {
    /// Reads `KIND_blocks.csv`, whose lines have at least the columns of that description.
    pub(crate) fn read(folder: &Path, kind: &str, columns: &'static str) -> Result<Self, ImportError> {
        let path = folder.join(format!("{kind}_blocks.csv"));
        let fail = |fault| Err(ImportError::new(&path, fault));
        let mut by_id: BTreeMap<i64, Block> = BTreeMap::new();
        for (line, row) in read_rows(&path)? {
            let (expected, found) = (columns.split(',').count(), row.len());
            if found < expected {
                return fail(ImportFault::BlockColumns {
                    line,
                    found,
                    expected,
                    columns,
                });
            }
            let Ok(id) = row[0].parse() else {
                let text = row[0].clone();
                return fail(ImportFault::BlockId { line, text });
            };
            let block = Block {
                line,
                within: row[2..found - 1].to_vec(),
                name: row[found - 1].clone(),
            };
            if let Some(first) = by_id.get(&id).map(|block| block.line) {
                return fail(ImportFault::DuplicateBlock { id, first, line });
            }
            by_id.insert(id, block);
        }
        Ok(Self { path, by_id })
    }
}

/// The world's name: the last column of the first line of `world_blocks.csv`.
pub(crate) fn read_world_name(folder: &Path) -> Result<String, ImportError> {
    let path = folder.join("world_blocks.csv");
    let rows = read_rows(&path)?;
    let name = rows
        .into_iter()
        .next()
        .and_then(|(_, row)| row.into_iter().next_back());
    name.ok_or_else(|| ImportError::new(&path, ImportFault::NoWorld))
}

/// The lines of a CSV file, without white space around columns; empty lines are nothing.
fn read_rows(path: &Path) -> Result<Vec<(u64, Vec<String>)>, ImportError> {
    let text = read_text(
        path,
        "a map has block files for world, sectors, arenas, objects and spawning locations",
    )?;
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true);
    let mut rows = Vec::new();
    for record in reader.from_reader(text.as_bytes()).records() {
        let record = record.map_err(|error| csv_fault(path, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row: Vec<String> = record.iter().map(|column| column.trim().to_owned()).collect();
        if row.iter().any(|column| !column.is_empty()) {
            rows.push((line, row));
        }
    }
    Ok(rows)
}

/// An error of the CSV reader as ours.
pub(crate) fn csv_fault(path: &Path, error: &csv::Error) -> ImportError {
    let line = error.position().map_or(0, csv::Position::line);
    let message = error.to_string();
    ImportError::new(path, ImportFault::Csv { line, message })
}
