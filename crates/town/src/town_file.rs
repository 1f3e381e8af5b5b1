//! `town.toml`: name, story, start, ticks, language, and how minds are set.

use serde::Deserialize;
use toml::{Spanned, Table};
use townsfolk_mind::Settings;
use townsfolk_time::GameTime;

use crate::source::Source;
use crate::toml_file::{TomlFile, shape};
use crate::{TownError, TownFault, settings};

const FILE: &str = "town.toml";
const KEYS: &[&str] = &[
    "name",
    "story",
    "language",
    "start",
    "seconds_per_tick",
    "private",
];

#[derive(Deserialize)]
struct Written {
    name: Spanned<String>,
    #[serde(default)]
    story: String,
    #[serde(default = "english")]
    language: String,
    start: Spanned<String>,
    #[serde(default = "ten_seconds")]
    seconds_per_tick: Spanned<u32>,
    #[serde(default)]
    private: Vec<Spanned<String>>,
    /// Read only so that a fault in it has its line.
    #[serde(default, rename = "defaults")]
    _defaults: Settings,
}

/// A town file that has been read.
pub(crate) struct TownFile<'a> {
    pub(crate) file: TomlFile<'a>,
    pub(crate) name: String,
    pub(crate) story: String,
    pub(crate) language: String,
    pub(crate) start: GameTime,
    pub(crate) seconds_per_tick: Spanned<u32>,
    /// Addresses of places that only those who live there know, as written.
    pub(crate) private: Vec<Spanned<String>>,
    /// What `[defaults]` says.
    pub(crate) defaults: Table,
}

fn english() -> String {
    "en".to_owned()
}

fn ten_seconds() -> Spanned<u32> {
    Spanned::new(0..0, 10)
}

pub(crate) fn read(source: Source<'_>) -> Result<TownFile<'_>, TownError> {
    let file = TomlFile::open(source, FILE)?;
    let (written, mut table): (Written, Table) = file.parse(&shape(KEYS, ("defaults", settings::shape())))?;
    let name = written.name.get_ref().trim().to_owned();
    if name.is_empty() {
        return Err(file.error_at(written.name.span().start, TownFault::Empty { key: "name" }));
    }
    let start = written.start.get_ref().parse();
    let start =
        start.map_err(|bad: townsfolk_time::BadTime| file.error_at(written.start.span().start, bad))?;
    let defaults = match table.remove("defaults") {
        Some(toml::Value::Table(defaults)) => defaults,
        _ => Table::new(),
    };
    Ok(TownFile {
        name,
        story: written.story.trim().to_owned(),
        language: written.language.trim().to_owned(),
        start,
        seconds_per_tick: written.seconds_per_tick,
        private: written.private,
        defaults,
        file,
    })
}
