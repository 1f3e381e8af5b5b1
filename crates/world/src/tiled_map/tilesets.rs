//! Which tile ids exist: the ranges that the tilesets of a map take up.

use std::fmt;
use std::io::{self, Cursor};
use std::ops::Range;
use std::path::Path;

use super::format::{Tileset, TilesetTiles};
use super::{MapFault, OpenTileset};

/// The ids of all tilesets of a map.
pub(super) struct TileIds {
    ranges: Vec<Range<u32>>,
}

impl TileIds {
    pub(super) fn read(tilesets: &[Tileset], open: OpenTileset<'_>) -> Result<Self, MapFault> {
        let mut ranges = Vec::with_capacity(tilesets.len());
        for tileset in tilesets {
            let size = match &tileset.source {
                None => tileset.tiles.size(),
                Some(source) => size_of_file(source, open).map_err(|reason| MapFault::Tileset {
                    file: source.clone(),
                    reason,
                })?,
            };
            ranges.push(tileset.first_id..tileset.first_id.saturating_add(size));
        }
        Ok(TileIds { ranges })
    }

    pub(super) fn contains(&self, id: u32) -> bool {
        self.ranges.iter().any(|range| range.contains(&id))
    }
}

impl fmt::Display for TileIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ranges.is_empty() {
            return f.write_str("the map has none");
        }
        for (index, range) in self.ranges.iter().enumerate() {
            let comma = if index == 0 { "ids " } else { ", " };
            write!(f, "{comma}{}–{}", range.start, range.end.saturating_sub(1))?;
        }
        Ok(())
    }
}

impl TilesetTiles {
    /// One more than the highest tile number.
    fn size(&self) -> u32 {
        let last = self.tiles.iter().map(|tile| tile.id.saturating_add(1));
        last.max().unwrap_or(0).max(self.tile_count)
    }
}

/// The size of a tileset in a file of its own: XML (`.tsx`) or JSON (`.tsj`, `.json`).
fn size_of_file(source: &str, open: OpenTileset<'_>) -> Result<u32, String> {
    let bytes = open(source).map_err(|error| error.to_string())?;
    let extension = Path::new(source).extension().and_then(|e| e.to_str());
    match extension {
        Some("tsx") => size_of_tsx(source, &bytes).map_err(|error| error.to_string()),
        Some("tsj" | "json") => {
            let tiles: Result<TilesetTiles, _> = serde_json::from_slice(&bytes);
            tiles.map(|tiles| tiles.size()).map_err(|error| error.to_string())
        }
        _ => Err("its name ends in neither .tsx nor .tsj".to_owned()),
    }
}

fn size_of_tsx(source: &str, bytes: &[u8]) -> Result<u32, tiled::Error> {
    let reader = |_: &Path| Ok::<_, io::Error>(Cursor::new(bytes.to_vec()));
    let tileset = tiled::Loader::with_reader(reader).load_tsx_tileset(source)?;
    let last = tileset.tiles().map(|(id, _)| id.saturating_add(1));
    Ok(last.max().unwrap_or(0).max(tileset.tilecount))
}
