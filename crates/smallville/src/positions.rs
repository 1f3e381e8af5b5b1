//! Where residents stand: `environment/N.json` at the simulation's step N, or the last tile in their
//! own `scratch.json` where there is no such file, as in compressed runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use townsfolk_world::{Tile, World};

use crate::files::read_json;
use crate::meta::Meta;
use crate::{ImportError, ImportFault, Note};

/// The positions at one step.
pub(crate) struct Positions {
    path: PathBuf,
    /// By name; `None` without the file.
    by_name: Option<BTreeMap<String, Position>>,
}

#[derive(Clone, Copy, Deserialize)]
struct Position {
    x: i64,
    y: i64,
}

impl Positions {
    /// Reads the file, if it is there.
    pub(crate) fn read(folder: &Path, meta: &Meta, notes: &mut Vec<Note>) -> Result<Self, ImportError> {
        let path = folder.join("environment").join(format!("{}.json", meta.step));
        if !path.exists() {
            return Ok(Self { path, by_name: None });
        }
        let by_name: BTreeMap<String, Position> = read_json(&path, "it says where residents are")?;
        let nobody = by_name.keys().filter(|name| !meta.persona_names.contains(name));
        notes.extend(nobody.map(|name| Note::PositionOfNobody { name: name.clone() }));
        Ok(Self {
            path,
            by_name: Some(by_name),
        })
    }

    /// Where a resident starts. `curr_tile` is what their scratch, the file at `scratch`, says.
    pub(crate) fn start(
        &self,
        name: &str,
        (scratch, curr_tile): (&Path, Option<(i64, i64)>),
        world: &World,
        notes: &mut Vec<Note>,
    ) -> Result<Tile, ImportError> {
        let (path, place) = match &self.by_name {
            Some(by_name) => {
                let position = by_name.get(name).map(|position| (position.x, position.y));
                let missing = || ImportFault::NoPosition {
                    name: name.to_owned(),
                };
                (self.path.as_path(), position.ok_or_else(missing))
            }
            None => {
                let positions = self.path.clone();
                let missing = || ImportFault::NoTile {
                    name: name.to_owned(),
                    positions,
                };
                (scratch, curr_tile.ok_or_else(missing))
            }
        };
        let start = place.and_then(|place| stand(name, place, world, notes));
        start.map_err(|fault| ImportError::new(path, fault))
    }
}

/// A walkable tile from a place in a file: that place or, where it is a wall (a bed may be one), the
/// tile beside it, of the same arena if there is one.
fn stand(name: &str, (x, y): (i64, i64), world: &World, notes: &mut Vec<Note>) -> Result<Tile, ImportFault> {
    let name = name.to_owned();
    let tile = match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) if world.contains(Tile { x, y }) => Tile { x, y },
        _ => {
            let (width, height) = (world.width(), world.height());
            return Err(ImportFault::OutsideMap {
                name,
                x,
                y,
                width,
                height,
            });
        }
    };
    if world.walkable(tile) {
        return Ok(tile);
    }
    let beside = tile.neighbours().filter(|tile| world.walkable(*tile));
    // The first of the best: `false` comes before `true`.
    let Some(taken) = beside.min_by_key(|next| !world.same_arena(*next, tile)) else {
        return Err(ImportFault::WalledIn { name, tile });
    };
    notes.push(Note::StartInWall { name, tile, taken });
    Ok(taken)
}
