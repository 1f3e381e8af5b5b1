//! The towns that come with Townsfolk, compiled in.

use std::fs;
use std::path::Path;

use crate::source::Source;
use crate::{Town, TownError, TownFault};

/// A town that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// The name it is asked for by, which is also a good name for its folder.
    pub name: &'static str,
    /// Path inside the town's folder, and contents; in order of path.
    pub(crate) files: &'static [(&'static str, &'static [u8])],
}

const ALL: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

impl Bundled {
    /// All of them, by name.
    pub fn all() -> &'static [Bundled] {
        ALL
    }

    /// The one of that name.
    ///
    /// # Errors
    /// [`TownFault::NotBundled`], which lists the names there are.
    pub fn find(name: &str) -> Result<&'static Bundled, TownError> {
        let found = ALL.iter().find(|town| town.name == name);
        found.ok_or_else(|| TownError {
            file: name.to_owned(),
            line: None,
            fault: TownFault::NotBundled {
                names: ALL.iter().map(|town| town.name).collect(),
            },
        })
    }

    /// The contents of one of its files, such as `map.tmj` or `tiles.png`.
    pub fn file(&self, path: &str) -> Option<&'static [u8]> {
        let found = self.files.iter().find(|(name, _)| *name == path);
        found.map(|(_, bytes)| *bytes)
    }

    /// The town.
    ///
    /// # Errors
    /// As for [`Town::read`].
    pub fn town(&self) -> Result<Town, TownError> {
        Town::from_source(Source::Bundled(self))
    }

    /// Writes its files into a folder, which must be empty or not exist yet, for people to edit.
    ///
    /// # Errors
    /// [`TownFault::NotEmpty`], [`TownFault::Disk`].
    pub fn export(&self, folder: &Path) -> Result<(), TownError> {
        let error = |path: &Path, fault| TownError {
            file: path.display().to_string(),
            line: None,
            fault,
        };
        let failed = |path: &Path, cause| {
            let fault = TownFault::Disk {
                what: "written",
                error: cause,
            };
            error(path, fault)
        };
        fs::create_dir_all(folder).map_err(|cause| failed(folder, cause))?;
        let mut inside = fs::read_dir(folder).map_err(|cause| failed(folder, cause))?;
        if inside.next().is_some() {
            return Err(error(folder, TownFault::NotEmpty));
        }
        for (name, bytes) in self.files {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|cause| failed(parent, cause))?;
            }
            fs::write(&path, bytes).map_err(|cause| failed(&path, cause))?;
        }
        Ok(())
    }
}
