//! Reading a map made in Tiled.

use std::path::Path;

use crate::World;

/// Why a Tiled map is no world: which file, and what is wrong in it.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct MapError {
    /// The file as it was named to the reader.
    pub file: String,
    /// What is wrong, with layer, object and coordinate.
    pub fault: MapFault,
}

/// What is wrong in a Tiled map.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is not JSON.
    #[error("is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
}

/// Reads a Tiled map (`.tmj`) and the tilesets beside it.
///
/// # Errors
/// [`MapError`].
pub fn read_tiled(path: &Path) -> Result<World, MapError> {
    let file = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => read_tiled_bytes(&file, &bytes),
        Err(error) => Err(MapError {
            file,
            fault: error.into(),
        }),
    }
}

/// Reads a Tiled map from memory; `file` is its name in error messages. Its tilesets must be embedded.
///
/// # Errors
/// [`MapError`].
pub fn read_tiled_bytes(file: &str, map_json: &[u8]) -> Result<World, MapError> {
    serde_json::from_slice(map_json).map_err(|error| MapError {
        file: file.to_owned(),
        fault: error.into(),
    })
}
