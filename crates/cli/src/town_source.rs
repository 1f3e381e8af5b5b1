//! Finding the town that a name on the command line means.
//!
//! In this order: a town that comes with Townsfolk (for a name without a slash), a run file, a
//! town's folder, a base of the 2023 code.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use townsfolk_smallville::{ImportReport, apply_history, read_base};
use townsfolk_town::{Bundled, Town};

use crate::failure::Failure;
use crate::words;

/// The town that runs when none is named.
pub(crate) const DEFAULT_TOWN: &str = "osier_quay";

/// What a name means.
pub(crate) enum Source {
    /// A town that comes with Townsfolk.
    Bundled(&'static Bundled),
    /// A town's folder.
    Folder(PathBuf),
    /// A base of the 2023 code.
    Smallville(PathBuf),
    /// A run, to be resumed.
    Run(PathBuf),
}

/// What is needed to read a town besides its name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras<'a> {
    /// Where the maps of a base of the 2023 code are.
    pub(crate) assets: Option<&'a Path>,
    /// A history file of the 2023 code.
    pub(crate) history: Option<&'a Path>,
}

impl Source {
    /// What `name` means, or the default town.
    ///
    /// # Errors
    /// When there is nothing of that name, or nothing that could be run.
    pub(crate) fn find(name: Option<&str>) -> Result<Self, Failure> {
        let name = name.unwrap_or(DEFAULT_TOWN);
        if let Ok(town) = Bundled::find(name) {
            return Ok(Self::Bundled(town));
        }
        let path = PathBuf::from(name);
        let shown = words::path(&path);
        if path.is_file() {
            return match path.file_name().and_then(|file| file.to_str()) {
                Some("town.toml") => Ok(Self::Folder(folder_of(&path))),
                _ => Ok(Self::Run(path)),
            };
        }
        if !path.is_dir() {
            return Err(Failure::Usage(anyhow!(
                "{shown}: no such town, folder or run; {}",
                bundled_names(name)
            )));
        }
        if path.join("town.toml").is_file() {
            return Ok(Self::Folder(path));
        }
        let compressed = path.join("meta.json").is_file() && path.join("personas").is_dir();
        if path.join("reverie").join("meta.json").is_file() || compressed {
            return Ok(Self::Smallville(path));
        }
        Err(Failure::Usage(anyhow!(
            "{shown}: neither a town (it has no town.toml) nor a base of the 2023 code (it has no \
             reverie/meta.json); `townsfolk towns --export {DEFAULT_TOWN} FOLDER` writes a town to start from"
        )))
    }

    /// The town, checked. What a base of the 2023 code left out is in the report.
    ///
    /// # Errors
    /// The first fault in its files, with file, place and remedy.
    pub(crate) fn read(&self, extras: Extras<'_>) -> Result<(Town, Option<ImportReport>), Failure> {
        if extras.assets.is_some() && !matches!(self, Self::Smallville(_)) {
            return Err(Failure::Usage(anyhow!(
                "--assets is for a base of the 2023 code; this town has its own map"
            )));
        }
        let (mut town, report) = match self {
            Self::Bundled(town) => (town.town().map_err(Failure::usage)?, None),
            Self::Folder(folder) => (Town::read(folder).map_err(Failure::usage)?, None),
            Self::Smallville(folder) => {
                let import = read_base(folder, extras.assets).map_err(Failure::usage)?;
                (import.town, Some(import.report))
            }
            Self::Run(path) => {
                return Err(Failure::Usage(anyhow!(
                    "{}: is a run, not a town",
                    words::path(path)
                )));
            }
        };
        if let Some(history) = extras.history {
            apply_history(&mut town, history).map_err(Failure::usage)?;
        }
        Ok((town, report))
    }

    /// A short name for files made from it.
    pub(crate) fn stem(&self) -> String {
        let of_path = |path: &Path| {
            let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            full.file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or("town")
                .to_owned()
        };
        match self {
            Self::Bundled(town) => town.name.to_owned(),
            Self::Folder(path) | Self::Smallville(path) | Self::Run(path) => of_path(path),
        }
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The towns there are, with the one that was perhaps meant first.
fn bundled_names(asked: &str) -> String {
    let names: Vec<&str> = Bundled::all().iter().map(|town| town.name).collect();
    let close = |name: &&&str| strsim::jaro_winkler(name, asked) > 0.8;
    match names.iter().find(close) {
        Some(name) => format!("did you mean {name}?"),
        None => format!("the towns that come with Townsfolk are: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_town_comes_with_townsfolk() {
        assert!(matches!(Source::find(None), Ok(Source::Bundled(town)) if town.name == DEFAULT_TOWN));
    }
}
