//! The real Smallville map, where its data is there.

use std::path::{Path, PathBuf};

use townsfolk_world::{Tile, World, WorldBuilder};

/// The folder of optional data: `TOWNSFOLK_SHARED`, or `shared` beside the workspace.
pub(crate) fn shared() -> PathBuf {
    match std::env::var_os("TOWNSFOLK_SHARED") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
}

/// Walls alone, as the collision layer of the 2023 code has them: one line of 140×100 numbers,
/// anything but 0 a wall. `None`, said on stderr, when the data is missing.
pub(crate) fn smallville_walls() -> Option<World> {
    let file = shared().join("smallville/assets/the_ville/matrix/maze/collision_maze.csv");
    let Ok(text) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: no {}", file.display());
        return None;
    };
    let (width, height) = (140, 100);
    let cells: Vec<&str> = text.trim().split(',').map(str::trim).collect();
    assert_eq!(cells.len(), width * height);
    let mut builder = WorldBuilder::new("the Ville", width, height).unwrap();
    for (index, cell) in cells.iter().enumerate() {
        if *cell != "0" {
            let (x, y) = ((index % width) as u16, (index / width) as u16);
            builder.add_wall(Tile { x, y }).unwrap();
        }
    }
    Some(builder.build().unwrap())
}

/// A tile of the part of Smallville where people live (4,158 tiles of the 11,936 free ones): the
/// front of Hobbs Cafe's counter.
pub(crate) const IN_TOWN: Tile = Tile { x: 75, y: 20 };
