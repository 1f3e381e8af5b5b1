//! Why a folder is no town.

use std::fmt;

use townsfolk_world::MapFault;

use crate::Flaw;

/// Why a town cannot be read: which file, which line, what is wrong and what to do.
#[derive(Debug)]
pub struct TownError {
    /// The file or folder, as it was named to the reader.
    pub file: String,
    /// The line in it, from 1, where the fault has one.
    pub line: Option<usize>,
    /// What is wrong.
    pub fault: TownFault,
}

impl fmt::Display for TownError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.fault),
            None => write!(f, "{}: {}", self.file, self.fault),
        }
    }
}

// Nothing lies below: the text already says all of it.
impl std::error::Error for TownError {}

/// What is wrong in a town's files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TownFault {
    /// A file or folder cannot be read or written.
    #[error("cannot be {what}: {error}")]
    Disk {
        /// `read` or `written`.
        what: &'static str,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file is not in UTF-8.
    #[error("is not UTF-8 text; save it as UTF-8")]
    NotUtf8,
    /// A file's name is not Unicode.
    #[error("has a name that is not Unicode; rename it")]
    BadFileName,
    /// A file is not TOML, or a value is missing or of the wrong kind.
    #[error("{0}")]
    Toml(String),
    /// A key that nothing reads.
    #[error("unknown key `{key}`{}", did_you_mean(.nearest.as_deref(), '`', '`'))]
    UnknownKey {
        /// The key as written.
        key: String,
        /// The known key most like it.
        nearest: Option<String>,
    },
    /// A text that must say something is empty.
    #[error("`{key}` is empty; write something or leave the key out")]
    Empty {
        /// The key.
        key: &'static str,
    },
    /// `start` of the town is no time.
    #[error("`start`: {0}")]
    Time(#[from] townsfolk_time::BadTime),
    /// A place that the map does not have.
    #[error("`{key}`: the map has no place \"{written}\"{}", did_you_mean(.nearest.as_deref(), '"', '"'))]
    UnknownPlace {
        /// The key.
        key: &'static str,
        /// The address as written.
        written: String,
        /// The address most like it.
        nearest: Option<String>,
    },
    /// `start` of a resident is neither a spawn nor a place of the map.
    #[error(
        "`start`: the map has no spawn and no place \"{written}\"{}; a tile is written [x, y]",
        did_you_mean(.nearest.as_deref(), '"', '"')
    )]
    UnknownStart {
        /// What was written.
        written: String,
        /// The spawn or address most like it.
        nearest: Option<String>,
    },
    /// The map is no map.
    #[error("{0}")]
    Map(Box<MapFault>),
    /// The pieces make no sensible town.
    #[error("{0}")]
    Flaw(#[from] Flaw),
    /// No town of that name is compiled in.
    #[error("no town of that name comes with Townsfolk; there is {}", .names.join(", "))]
    NotBundled {
        /// The names there are.
        names: Vec<&'static str>,
    },
    /// The folder to write a town into has something in it.
    #[error("is not empty; name a folder that is empty or does not exist yet")]
    NotEmpty,
}

fn did_you_mean(nearest: Option<&str>, open: char, close: char) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean {open}{nearest}{close}?"),
        None => String::new(),
    }
}

/// The candidate most like `written`, if one is alike enough to be meant.
pub(crate) fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let written = written.to_lowercase();
    let alike = |candidate: &str| strsim::normalized_damerau_levenshtein(&written, &candidate.to_lowercase());
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let likeness = alike(candidate);
        if likeness >= 0.6 && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate.to_owned())
}
