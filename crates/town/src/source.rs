//! Where a town's files come from: a folder, or the program itself.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use townsfolk_world::{World, read_tiled, read_tiled_bytes};

use crate::{Bundled, TownError, TownFault};

/// The folder of residents inside a town.
const RESIDENTS: &str = "residents";
/// The map inside a town.
pub(crate) const MAP: &str = "map.tmj";

/// A folder, or the files of a town that is compiled in.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Folder(&'a Path),
    Bundled(&'a Bundled),
}

impl Source<'_> {
    /// How a file (or, for an empty name, the whole) is called in messages.
    pub(crate) fn label(self, file: &str) -> String {
        match self {
            Source::Folder(folder) if file.is_empty() => folder.display().to_string(),
            // Parts are joined one by one so that Windows shows its own separators.
            Source::Folder(folder) => {
                let path = file
                    .split('/')
                    .fold(folder.to_owned(), |path, part| path.join(part));
                path.display().to_string()
            }
            Source::Bundled(town) if file.is_empty() => town.name.to_owned(),
            Source::Bundled(town) => format!("{}/{file}", town.name),
        }
    }

    pub(crate) fn error(self, file: &str, line: Option<usize>, fault: impl Into<TownFault>) -> TownError {
        TownError {
            file: self.label(file),
            line,
            fault: fault.into(),
        }
    }

    /// The bytes of a file that may be missing.
    pub(crate) fn bytes(self, file: &str) -> Option<Vec<u8>> {
        match self {
            Source::Folder(folder) => fs::read(folder.join(file)).ok(),
            Source::Bundled(town) => town.file(file).map(<[u8]>::to_vec),
        }
    }

    /// The text of a file, without a byte order mark.
    pub(crate) fn text(self, file: &str) -> Result<String, TownError> {
        let bytes = match self {
            Source::Folder(folder) => {
                let read = fs::read(folder.join(file));
                Cow::Owned(read.map_err(|error| self.error(file, None, unreadable(error)))?)
            }
            Source::Bundled(town) => {
                let missing = || self.error(file, None, unreadable(std::io::ErrorKind::NotFound.into()));
                Cow::Borrowed(town.file(file).ok_or_else(missing)?)
            }
        };
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let text = std::str::from_utf8(bytes).map_err(|_| self.error(file, None, TownFault::NotUtf8))?;
        Ok(text.to_owned())
    }

    pub(crate) fn map(self) -> Result<World, TownError> {
        let read = match self {
            Source::Folder(folder) => read_tiled(&folder.join(MAP)),
            Source::Bundled(town) => {
                let missing = || self.error(MAP, None, unreadable(std::io::ErrorKind::NotFound.into()));
                read_tiled_bytes(&self.label(MAP), town.file(MAP).ok_or_else(missing)?)
            }
        };
        read.map_err(|error| TownError {
            file: error.file,
            line: None,
            fault: TownFault::Map(error.fault),
        })
    }

    /// The files of the residents, `residents/….toml`, in order of their names. Hidden files and
    /// files of other kinds are not residents.
    pub(crate) fn resident_files(self) -> Result<Vec<String>, TownError> {
        let is_resident = |name: &str| name.ends_with(".toml") && !name.starts_with('.');
        let mut files = Vec::new();
        match self {
            Source::Folder(folder) => {
                let failed = |error| self.error(RESIDENTS, None, unreadable(error));
                for entry in fs::read_dir(folder.join(RESIDENTS)).map_err(failed)? {
                    let path = entry.map_err(failed)?.path();
                    let name = path.file_name().unwrap_or_default();
                    match name.to_str() {
                        Some(name) if is_resident(name) => files.push(format!("{RESIDENTS}/{name}")),
                        Some(_) => {}
                        None => {
                            let file = format!("{RESIDENTS}/{}", name.to_string_lossy());
                            return Err(self.error(&file, None, TownFault::BadFileName));
                        }
                    }
                }
            }
            Source::Bundled(town) => {
                let inside = |(path, _): &(&'static str, _)| {
                    let name = path.strip_prefix(RESIDENTS)?.strip_prefix('/')?;
                    is_resident(name).then(|| (*path).to_owned())
                };
                files.extend(town.files.iter().filter_map(inside));
            }
        }
        files.sort();
        Ok(files)
    }
}

fn unreadable(error: std::io::Error) -> TownFault {
    TownFault::Disk { what: "read", error }
}
