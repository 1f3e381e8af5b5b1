//! Reading a town: `town.toml`, then the map, then the residents, then the whole is checked.

use std::path::Path;

use crate::picture::Picture;
use crate::resident_file::{self, ResidentFile, Surroundings};
use crate::source::Source;
use crate::{Bundled, Newcomer, Town, TownError, TownFault, places, town_file};

impl Town {
    /// Reads a town from a folder as described in `docs/town-format.md`.
    ///
    /// # Errors
    /// The first fault found, with file, line and remedy; nothing is half read.
    pub fn read(folder: &Path) -> Result<Self, TownError> {
        Self::from_source(Source::Folder(folder))
    }

    /// The town of that name among those compiled in ([`Bundled::all`]).
    ///
    /// # Errors
    /// [`TownFault::NotBundled`]; else as for [`Town::read`].
    pub fn bundled(name: &str) -> Result<Self, TownError> {
        Bundled::find(name)?.town()
    }

    /// Reads one resident's file for this town, whose story may have begun long ago. The file stands for
    /// itself: no town's defaults are laid under its settings. Who names nothing under `knows` knows the sector
    /// of its home and every place that is not private: a run keeps no list of these, so that in a sector
    /// where somebody has a home, whatever most who live elsewhere don't know is private.
    ///
    /// # Errors
    /// As for [`Town::read`], with file, line and remedy.
    pub fn read_newcomer(&self, file: &Path) -> Result<Newcomer, TownError> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let around = Surroundings {
            world: &self.world,
            private: &places::private_by_knowledge(&self.world, &self.residents),
            defaults: &toml::Table::new(),
            before: &self.residents,
        };
        let read = resident_file::read(Source::Folder(folder), &name, &around)?;
        let mut alone = Town {
            residents: vec![read.newcomer.clone()],
            ..self.clone()
        };
        match alone.validate() {
            Ok(()) => Ok(alone.residents.remove(0)),
            Err(flaw) => Err(read.error(flaw)),
        }
    }

    pub(crate) fn from_source(source: Source<'_>) -> Result<Self, TownError> {
        let written = town_file::read(source)?;
        let world = source.map()?;
        let mut private = Vec::new();
        for address in &written.private {
            let place = places::find(&world, address.get_ref()).ok_or_else(|| {
                let fault = TownFault::UnknownPlace {
                    key: "private",
                    written: address.get_ref().clone(),
                    nearest: places::most_like(&world, address.get_ref()),
                };
                written.file.error_at(address.span().start, fault)
            })?;
            private.push(place);
        }
        let names = source.resident_files()?;
        let mut files: Vec<ResidentFile<'_>> = Vec::new();
        let mut residents: Vec<Newcomer> = Vec::new();
        for name in &names {
            let around = Surroundings {
                world: &world,
                private: &private,
                defaults: &written.defaults,
                before: &residents,
            };
            let file = resident_file::read(source, name, &around)?;
            residents.push(file.newcomer.clone());
            files.push(file);
        }
        let town = Town {
            name: written.name,
            story: written.story,
            language: written.language,
            world,
            start: written.start,
            seconds_per_tick: *written.seconds_per_tick.get_ref(),
            residents,
            picture: Picture::read(source),
        };
        match town.validate() {
            Ok(()) => Ok(town),
            Err(flaw) => Err(match flaw.resident().and_then(|id| files.get(id.index())) {
                Some(file) => file.error(flaw),
                None if flaw.key() == Some("seconds_per_tick") => {
                    let byte = written.seconds_per_tick.span().start;
                    written.file.error_at(byte, flaw)
                }
                None => source.error("residents", None, flaw),
            }),
        }
    }
}
