//! One resident's `bootstrap_memory` folder.

use std::path::Path;

use townsfolk_town::Newcomer;
use townsfolk_world::{PlaceKind, World};

use crate::files::read_json;
use crate::nodes::read_nodes;
use crate::positions::Positions;
use crate::scratch::Scratch;
use crate::spatial::{Finder, SpatialMemory};
use crate::{ImportError, ImportFault, Note};

/// Reads the folder of the resident called `name`; what does not fit goes into `notes`.
pub(crate) fn read(
    folder: &Path,
    name: &str,
    positions: &Positions,
    world: &World,
    notes: &mut Vec<Note>,
) -> Result<Newcomer, ImportError> {
    let scratch_path = folder.join("scratch.json");
    let scratch: Scratch = read_json(&scratch_path, "it says who the resident is")?;
    let in_scratch = |fault| ImportError::new(&scratch_path, fault);
    scratch.check(name).map_err(in_scratch)?;
    if scratch.is_under_way() {
        let resident = name.to_owned();
        notes.push(Note::DayUnderWay { resident });
    }
    let start = positions.start(name, (&scratch_path, scratch.curr_tile), world, notes)?;
    let mut finder = Finder {
        world,
        resident: name,
        notes,
    };
    let home = finder.home(&scratch.living_area).map_err(in_scratch)?;
    if world.path_to_place(start, home).is_none() {
        let (name, home) = (name.to_owned(), world.address(home));
        return Err(in_scratch(ImportFault::HomeCutOff { name, home, start }));
    }
    let spatial_path = folder.join("spatial_memory.json");
    let spatial: SpatialMemory = read_json(&spatial_path, "it says which places the resident knows")?;
    let mut known = finder.known(&spatial);
    // Nobody can go home to a place they do not know.
    known.insert(home);
    known.extend(world.ancestor(home, PlaceKind::Sector));
    let nodes_path = folder.join("associative_memory").join("nodes.json");
    Ok(Newcomer {
        identity: scratch.identity(home),
        settings: scratch.settings(),
        start,
        known: known.into_iter().collect(),
        history: Vec::new(),
        memories: read_nodes(&nodes_path, name, notes)?,
    })
}
