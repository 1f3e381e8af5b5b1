//! Why something could not be imported: always a file and what is wrong in it.

use std::fmt;
use std::path::{Path, PathBuf};

use townsfolk_memory::BadRetrieval;
use townsfolk_world::{Tile, WorldError};

/// A refusal. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct ImportError {
    /// The file or folder that has to be mended.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: ImportFault,
}

impl ImportError {
    pub(crate) fn new(path: &Path, fault: ImportFault) -> Self {
        Self {
            path: path.to_owned(),
            fault,
        }
    }
}

/// What is wrong with a file or folder. Lines, rows and columns of text count from 1, tiles from 0.
#[derive(Debug, thiserror::Error)]
pub enum ImportFault {
    /// A file or folder that the format demands is not there.
    #[error("there is no such file or folder, but {needed}")]
    Missing {
        /// What it is needed for.
        needed: &'static str,
    },
    /// The system would not read it.
    #[error("cannot be read: {0}")]
    Read(#[source] std::io::Error),
    /// The text is in another encoding.
    #[error("line {line} is not UTF-8; save the file as UTF-8")]
    NotUtf8 {
        /// The first such line.
        line: usize,
    },
    /// Not JSON, or not of the expected shape.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// Where reading stopped.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What was found or missing there.
        message: String,
    },
    /// Not CSV.
    #[error("line {line}: {message}")]
    Csv {
        /// Where reading stopped.
        line: u64,
        /// What was found there.
        message: String,
    },
    /// The folder holds no simulation.
    #[error(
        "holds neither reverie/meta.json (a base or a saved simulation) nor meta.json (a compressed run); name the folder of one simulation"
    )]
    NotABase,
    /// No map was found.
    #[error("no map \"{maze_name}\" found; looked for {}. Name the assets folder", List(looked.iter().map(|p| p.display())))]
    NoAssets {
        /// The map's name.
        maze_name: String,
        /// Where it was looked for.
        looked: Vec<PathBuf>,
    },
    /// The assets hold other maps.
    #[error(
        "maze_name is \"{maze_name}\", but {} holds {}{}",
        assets.display(), Quoted(found), Nearest(nearest)
    )]
    UnknownMaze {
        /// The map's name in the base.
        maze_name: String,
        /// The assets folder.
        assets: PathBuf,
        /// The maps in it.
        found: Vec<String>,
        /// The one that was perhaps meant.
        nearest: Option<String>,
    },
    /// A layer written as one line has the wrong number of cells.
    #[error(
        "has {found} cells in one row, but a map of {width}×{height} tiles needs {}", width * height
    )]
    Cells {
        /// Cells in the file.
        found: usize,
        /// Columns of the map.
        width: usize,
        /// Rows of the map.
        height: usize,
    },
    /// A layer has the wrong number of rows.
    #[error(
        "has {found} rows, but the map has {height}; write one row for each, or all cells in a single row"
    )]
    Rows {
        /// Rows in the file.
        found: usize,
        /// Rows of the map.
        height: usize,
    },
    /// One row of a layer has the wrong number of cells.
    #[error("row {row} has {found} cells, but the map is {width} tiles wide")]
    RaggedRow {
        /// The row.
        row: usize,
        /// Cells in it.
        found: usize,
        /// Columns of the map.
        width: usize,
    },
    /// A cell of a layer is not a whole number.
    #[error("the cell of tile {tile} is \"{text}\", which is not a whole number; write 0 for nothing")]
    Cell {
        /// The tile.
        tile: Tile,
        /// The cell.
        text: String,
    },
    /// A cell names a block that is not listed.
    #[error("tile {tile} has the id {id}, which {} does not list", blocks.display())]
    UnknownId {
        /// The tile.
        tile: Tile,
        /// The id.
        id: i64,
        /// The file that ought to list it.
        blocks: PathBuf,
    },
    /// A line of a block file is too short.
    #[error("line {line} has {found} columns; expected at least {expected}: {columns}")]
    BlockColumns {
        /// The line.
        line: u64,
        /// Columns in it.
        found: usize,
        /// Columns needed.
        expected: usize,
        /// What they are.
        columns: &'static str,
    },
    /// The first column of a block is no id.
    #[error("line {line}: the id \"{text}\" is not a whole number")]
    BlockId {
        /// The line.
        line: u64,
        /// The column.
        text: String,
    },
    /// Two blocks have one id.
    #[error("lines {first} and {line} both have the id {id}; give each block its own")]
    DuplicateBlock {
        /// The id.
        id: i64,
        /// Where it was first.
        first: u64,
        /// Where it is again.
        line: u64,
    },
    /// No world is named.
    #[error("is empty; write one line: an id and the world's name")]
    NoWorld,
    /// The pieces make no world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A date that cannot be read.
    #[error("{key} is \"{text}\"; write it like \"{example}\"")]
    Date {
        /// The key.
        key: &'static str,
        /// Its value.
        text: String,
        /// A value that can be read.
        example: &'static str,
    },
    /// A number outside of its range.
    #[error("{key} is {found}; {allowed}")]
    Number {
        /// The key.
        key: &'static str,
        /// Its value.
        found: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// Weights or decay that cannot weigh anything.
    #[error("the retrieval weights: {0}")]
    Retrieval(#[from] BadRetrieval),
    /// `persona_names` is an empty list.
    #[error("persona_names is empty; a town needs at least one resident")]
    NoResidents,
    /// A name that is blank or holds control characters.
    #[error("persona_names has {name:?}; a name must be one line that says something")]
    BadName {
        /// The name.
        name: String,
    },
    /// A name stands twice in `persona_names`, in whatever case.
    #[error(
        "persona_names has \"{name}\" twice, upper and lower case aside; residents are told apart by name"
    )]
    DuplicateResident {
        /// The name.
        name: String,
    },
    /// A name in `persona_names` has no folder.
    #[error("has no folder for \"{name}\", who is in persona_names{}", Nearest(nearest))]
    NoPersonaFolder {
        /// The name.
        name: String,
        /// The folder that was perhaps meant.
        nearest: Option<String>,
    },
    /// A folder has no name in `persona_names`.
    #[error(
        "the folder \"{name}\" is not in persona_names; add the name to meta.json or take the folder away"
    )]
    ExtraPersonaFolder {
        /// The folder.
        name: String,
    },
    /// The scratch belongs to somebody else.
    #[error("name is \"{found}\", but the folder and persona_names say \"{expected}\"; make them the same")]
    OtherName {
        /// The name in the scratch.
        found: String,
        /// The folder's.
        expected: String,
    },
    /// The positions lack a resident.
    #[error("gives no position for \"{name}\"")]
    NoPosition {
        /// The resident.
        name: String,
    },
    /// There are no positions, and the scratch has none either.
    #[error("curr_tile is null, and there is no {} to say where \"{name}\" is", positions.display())]
    NoTile {
        /// The resident.
        name: String,
        /// The file that would have the position.
        positions: PathBuf,
    },
    /// A resident stands outside the map.
    #[error("\"{name}\" stands at ({x}, {y}), outside the map of {width}×{height} tiles")]
    OutsideMap {
        /// The resident.
        name: String,
        /// Column.
        x: i64,
        /// Row.
        y: i64,
        /// Columns of the map.
        width: u16,
        /// Rows of the map.
        height: u16,
    },
    /// A resident stands where nothing can be reached.
    #[error("\"{name}\" stands at {tile}, inside a wall with walls on every side")]
    WalledIn {
        /// The resident.
        name: String,
        /// The tile.
        tile: Tile,
    },
    /// The home is no place of the map.
    #[error(
        "living_area is \"{address}\", which is no sector or arena of the map{}",
        Nearest(nearest)
    )]
    NoHome {
        /// The address as written.
        address: String,
        /// The place that was perhaps meant.
        nearest: Option<String>,
    },
    /// Nobody could go home.
    #[error("\"{name}\" cannot walk home to \"{home}\" from {start}; open a way in the collision layer")]
    HomeCutOff {
        /// The resident.
        name: String,
        /// The home's address.
        home: String,
        /// Where the walk starts.
        start: Tile,
    },
    /// A memory node that contradicts itself or another.
    #[error("{node}: {fault}")]
    Node {
        /// Its key.
        node: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A history file without the two columns.
    #[error("line {line} has {found} column(s); expected two: Name,Whisper")]
    HistoryColumns {
        /// The line.
        line: u64,
        /// Columns in it.
        found: usize,
    },
    /// A quote without its other half.
    #[error("line {line}: a quote opens on this line and is not closed on it; nothing was changed")]
    OpenQuote {
        /// The line.
        line: u64,
    },
    /// Whispers for nobody.
    #[error("line {line} has whispers but no name")]
    NoName {
        /// The line.
        line: u64,
    },
    /// Whispers for somebody who is not in the town.
    #[error(
        "line {line}: nobody in the town is named \"{name}\"{}; nothing was changed",
        Nearest(nearest)
    )]
    UnknownResident {
        /// The line.
        line: u64,
        /// The name as written.
        name: String,
        /// The resident who was perhaps meant.
        nearest: Option<String>,
    },
}

/// ` (nearest: "…")`, or nothing.
pub(crate) struct Nearest<'a>(pub(crate) &'a Option<String>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, " (nearest: \"{name}\")"),
            None => Ok(()),
        }
    }
}

/// Things with commas between them.
struct List<I>(I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for List<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.clone().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")?;
        }
        Ok(())
    }
}

/// Names in quotation marks, or the word `none`.
struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none"),
            names => List(names.iter().map(|name| format!("\"{name}\""))).fmt(f),
        }
    }
}
