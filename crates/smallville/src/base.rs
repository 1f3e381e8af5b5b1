//! A base, a saved simulation or a compressed run as a town.

use std::path::Path;

use townsfolk_town::Town;

use crate::assets::find_matrix;
use crate::map::read_map;
use crate::meta::Simulation;
use crate::positions::Positions;
use crate::{ImportError, ImportReport, resident, survey};

/// A town, and what was and was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The town.
    pub town: Town,
    /// What became of everything.
    pub report: ImportReport,
}

/// Reads the base, saved simulation or compressed run in `folder`.
///
/// `assets` says where maps are: the folder of all assets (`assets`), that of the base's map
/// (`assets/the_ville`), or its `matrix`. Without it, `assets` and `static_dirs/assets` two levels
/// above `folder` are tried, which is where the 2023 code keeps them.
///
/// The town is named after the folder. Its story is empty and its language `en`, since the format
/// has neither; set them as you like. Residents come in the order of `persona_names`.
///
/// # Errors
/// An [`ImportError`] that names the file and the place in it, for everything without which there
/// is no sound town. What can be left out is left out and stands in the report's notes.
pub fn read_base(folder: &Path, assets: Option<&Path>) -> Result<Import, ImportError> {
    let simulation = Simulation::open(folder)?;
    let start = simulation.start()?;
    let meta = &simulation.meta;
    let matrix = find_matrix(folder, assets, &meta.maze_name, &simulation.meta_path)?;
    let mut notes = Vec::new();
    let world = read_map(&matrix, &mut notes)?;
    let positions = Positions::read(folder, meta, &mut notes)?;
    let mut residents = Vec::new();
    for name in &meta.persona_names {
        let folder = simulation.personas.join(name).join("bootstrap_memory");
        residents.push(resident::read(&folder, name, &positions, &world, &mut notes)?);
    }
    let town = Town {
        name: simulation.name(),
        story: String::new(),
        language: "en".to_owned(),
        start,
        seconds_per_tick: meta.sec_per_step,
        world,
        residents,
        // The pictures of the 2023 code are licensed apart and not part of a base.
        picture: None,
    };
    let report = survey::report(&town, notes);
    Ok(Import { town, report })
}
