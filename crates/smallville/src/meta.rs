//! A simulation's folder: its `meta.json`, and whether names and folders are the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use townsfolk_time::GameTime;

use crate::dates::{LONG_EXAMPLE, long};
use crate::files::{folders_in, read_json};
use crate::{ImportError, ImportFault, names};

/// The longest step, in game seconds: an hour.
const MAX_SECONDS_PER_STEP: u32 = 3_600;

/// `meta.json`.
#[derive(Deserialize)]
pub(crate) struct Meta {
    start_date: String,
    curr_time: Option<String>,
    /// Game seconds in a step.
    pub(crate) sec_per_step: u32,
    /// The map's folder in the assets.
    pub(crate) maze_name: String,
    /// The residents, in the order in which they act.
    pub(crate) persona_names: Vec<String>,
    /// How many steps were run.
    pub(crate) step: u64,
}

/// An opened folder, whose `meta.json` makes sense.
pub(crate) struct Simulation {
    folder: PathBuf,
    /// The file of `meta`.
    pub(crate) meta_path: PathBuf,
    pub(crate) meta: Meta,
    /// The folder that holds one folder for each resident.
    pub(crate) personas: PathBuf,
}

impl Simulation {
    /// Reads and checks `reverie/meta.json`, or `meta.json` in a compressed run.
    pub(crate) fn open(folder: &Path) -> Result<Self, ImportError> {
        let places = [folder.join("reverie").join("meta.json"), folder.join("meta.json")];
        let Some(meta_path) = places.into_iter().find(|path| path.is_file()) else {
            return Err(ImportError::new(folder, ImportFault::NotABase));
        };
        let meta: Meta = read_json(&meta_path, "it says who is in the simulation")?;
        meta.check()
            .map_err(|fault| ImportError::new(&meta_path, fault))?;
        let personas = folder.join("personas");
        let folders = folders_in(&personas, "it holds a folder for each resident")?;
        meta.check_folders(&folders)
            .map_err(|fault| ImportError::new(&personas, fault))?;
        Ok(Self {
            folder: folder.to_owned(),
            meta_path,
            meta,
            personas,
        })
    }

    /// The folder's own name, or the map's where it has none.
    pub(crate) fn name(&self) -> String {
        let full = std::fs::canonicalize(&self.folder);
        let full = full.as_ref().unwrap_or(&self.folder);
        let name = full.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.meta.maze_name.clone())
    }

    /// The moment of the simulation: `curr_time`, or the start of `start_date`.
    pub(crate) fn start(&self) -> Result<GameTime, ImportError> {
        let read = |key, text: &str| {
            long(text).ok_or_else(|| {
                let (text, example) = (text.to_owned(), LONG_EXAMPLE);
                ImportError::new(&self.meta_path, ImportFault::Date { key, text, example })
            })
        };
        let start_date = read("start_date", &self.meta.start_date)?;
        let curr_time = self.meta.curr_time.as_deref();
        curr_time.map_or(Ok(start_date), |text| read("curr_time", text))
    }
}

impl Meta {
    fn check(&self) -> Result<(), ImportFault> {
        if !(1..=MAX_SECONDS_PER_STEP).contains(&self.sec_per_step) {
            return Err(ImportFault::Number {
                key: "sec_per_step",
                found: self.sec_per_step.to_string(),
                allowed: "a step lasts from 1 second to an hour (3600)",
            });
        }
        let names = &self.persona_names;
        if names.is_empty() {
            return Err(ImportFault::NoResidents);
        }
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            return Err(ImportFault::BadName { name: name.clone() });
        }
        let mut alike = BTreeSet::new();
        match names.iter().find(|name| !alike.insert(name.to_lowercase())) {
            Some(name) => Err(ImportFault::DuplicateResident { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// Each name has its folder and each folder its name.
    fn check_folders(&self, folders: &[String]) -> Result<(), ImportFault> {
        let names = &self.persona_names;
        let mut unnamed = folders.iter().filter(|folder| !names.contains(folder));
        if let Some(name) = names.iter().find(|name| !folders.contains(name)) {
            let nearest = names::nearest(name, unnamed.map(String::as_str));
            return Err(ImportFault::NoPersonaFolder {
                name: name.clone(),
                nearest,
            });
        }
        match unnamed.next() {
            Some(name) => Err(ImportFault::ExtraPersonaFolder { name: name.clone() }),
            None => Ok(()),
        }
    }
}

/// A name is one line that says something.
fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.chars().any(char::is_control)
}
