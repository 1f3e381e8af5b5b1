//! A world from a few lines of text, for tests and examples.
//!
//! The first line is the world's name, then come the rows of the map, then a legend. `#` is a wall,
//! `.` open street; the legend says what every other character is:
//!
//! ```
//! let world = townsfolk_world::sketch::read("
//!     the Ville
//!     #########
//!     #hhh#kcc#
//!     #hBA.KccZ
//!     #####....
//!     h = house:room
//!     B = house:room:bed (neatly made)
//!     A @ Zoë in house:room
//!     c = Hobbs Cafe:cafe
//!     k = Hobbs Cafe:cafe:counter
//!     K # Hobbs Cafe:cafe:counter
//!     Z @ 林 秋
//! ")?;
//! let bed = world.find("the Ville:house:room:bed").expect("drawn above");
//! assert_eq!(world.place(bed).default_state.as_deref(), Some("neatly made"));
//! assert_eq!(world.spawns().len(), 2);
//! # Ok::<(), townsfolk_world::sketch::SketchError>(())
//! ```
//!
//! - `c = sector:arena:object` a tile one can walk on; fewer parts for a sector or an arena alone;
//!   after an object its default state may follow in brackets.
//! - `c # sector:arena:object` the same, but a wall (a counter, a tree).
//! - `c @ name` a spawn on the street, `c @ name in sector:arena` one in a place. Once per map.
//!
//! Rows are as long as the longest; short ones go on as street. White space around lines is
//! nothing. Fails with [`SketchError`], which names line and character.

use std::collections::BTreeMap;

use crate::place::ADDRESS_SEPARATOR;
use crate::{PlaceId, Tile, World, WorldBuilder, WorldError};

/// Why a sketch is no world. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SketchError {
    /// There is no name or no row.
    #[error("a sketch needs a line with the world's name and at least one row")]
    Empty,
    /// A character in a row that the legend does not explain.
    #[error("line {line}: {symbol:?} is not in the legend; add a line such as \"{symbol} = sector:arena\"")]
    Unexplained {
        /// The line of the row.
        line: usize,
        /// The character.
        symbol: char,
    },
    /// The legend explains a character twice, or one that has a fixed meaning.
    #[error("line {line}: {symbol:?} already has a meaning")]
    Repeated {
        /// The line of the legend.
        line: usize,
        /// The character.
        symbol: char,
    },
    /// A row after the legend has begun.
    #[error("line {line}: a row after the legend; a legend line is \"x = sector:arena\"")]
    RowAfterLegend {
        /// The line.
        line: usize,
    },
    /// The lines make no world together: a place of the legend is nowhere on the map.
    #[error("{0}")]
    Whole(WorldError),
    /// A line does not fit the others.
    #[error("line {line}: {fault}")]
    Line {
        /// The line of the row or of the legend.
        line: usize,
        /// What the builder said.
        fault: WorldError,
    },
}

/// One line of the legend.
struct Meaning<'a> {
    line: usize,
    is_wall: bool,
    /// Empty on the street.
    address: Vec<&'a str>,
    state: Option<&'a str>,
    spawn: Option<&'a str>,
}

/// Reads a sketch as the module describes.
///
/// # Errors
/// [`SketchError`].
pub fn read(text: &str) -> Result<World, SketchError> {
    let lines = text.lines().map(str::trim).enumerate();
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let (name_line, name) = lines.next().ok_or(SketchError::Empty)?;
    let mut rows: Vec<(usize, Vec<char>)> = Vec::new();
    let mut legend = fixed_legend();
    for (index, text) in lines {
        let line = index + 1;
        match legend_line(line, text) {
            Some((symbol, meaning)) => {
                if legend.insert(symbol, meaning).is_some() {
                    return Err(SketchError::Repeated { line, symbol });
                }
            }
            None if legend.len() > 2 => return Err(SketchError::RowAfterLegend { line }),
            None => rows.push((line, text.chars().collect())),
        }
    }

    let width = rows.iter().map(|(_, row)| row.len()).max();
    let width = width.ok_or(SketchError::Empty)?;
    let builder = WorldBuilder::new(name, width, rows.len());
    let mut builder = builder.map_err(|fault| SketchError::Line {
        line: name_line + 1,
        fault,
    })?;
    let mut in_order: Vec<&Meaning> = legend.values().collect();
    in_order.sort_by_key(|meaning| meaning.line);
    for meaning in in_order {
        declare(&mut builder, meaning).map_err(|fault| SketchError::Line {
            line: meaning.line,
            fault,
        })?;
    }
    for (y, (line, row)) in rows.iter().enumerate() {
        for (x, &symbol) in row.iter().enumerate() {
            let line = *line;
            let meaning = legend.get(&symbol);
            let meaning = meaning.ok_or(SketchError::Unexplained { line, symbol })?;
            // The builder has accepted the map's size, so both fit.
            let (x, y) = (x as u16, y as u16);
            draw(&mut builder, meaning, Tile { x, y }).map_err(|fault| SketchError::Line { line, fault })?;
        }
    }
    builder.build().map_err(SketchError::Whole)
}

fn fixed_legend() -> BTreeMap<char, Meaning<'static>> {
    let meaning = |is_wall| Meaning {
        line: 0,
        is_wall,
        address: Vec::new(),
        state: None,
        spawn: None,
    };
    BTreeMap::from([('#', meaning(true)), ('.', meaning(false))])
}

/// `None` when the line is a row of the map: rows hold no white space.
fn legend_line(line: usize, text: &str) -> Option<(char, Meaning<'_>)> {
    let (symbol, rest) = text.split_once(' ')?;
    let (sign, rest) = rest.split_once(' ')?;
    let mut symbols = symbol.chars();
    let (Some(symbol), None) = (symbols.next(), symbols.next()) else {
        return None;
    };
    let rest = rest.trim();
    let (spawn, place) = match sign {
        "=" | "#" => (None, rest),
        "@" => match rest.split_once(" in ") {
            Some((spawn, place)) => (Some(spawn.trim()), place.trim()),
            None => (Some(rest), ""),
        },
        _ => return None,
    };
    let (place, state) = match place.strip_suffix(')').and_then(|p| p.rsplit_once(" (")) {
        Some((place, state)) => (place.trim(), Some(state)),
        None => (place, None),
    };
    let names = place.split(ADDRESS_SEPARATOR);
    let meaning = Meaning {
        line,
        is_wall: sign == "#",
        address: names.filter(|_| !place.is_empty()).collect(),
        state,
        spawn,
    };
    Some((symbol, meaning))
}

/// Makes the places of a legend line, so that their ids follow the lines of the legend.
fn declare(builder: &mut WorldBuilder, meaning: &Meaning<'_>) -> Result<(), WorldError> {
    let narrowest = places(builder, meaning)?.pop();
    match (meaning.state, narrowest) {
        (Some(state), Some(object)) => builder.set_default_state(object, state),
        _ => Ok(()),
    }
}

fn draw(builder: &mut WorldBuilder, meaning: &Meaning<'_>, tile: Tile) -> Result<(), WorldError> {
    if meaning.is_wall {
        builder.add_wall(tile)?;
    }
    for place in places(builder, meaning)? {
        builder.add_tile(place, tile)?;
    }
    match meaning.spawn {
        Some(name) => builder.add_spawn(name, tile),
        None => Ok(()),
    }
}

/// The places of a legend line, widest first.
fn places(builder: &mut WorldBuilder, meaning: &Meaning<'_>) -> Result<Vec<PlaceId>, WorldError> {
    let mut around = builder.root();
    let mut places = Vec::with_capacity(meaning.address.len());
    for name in &meaning.address {
        around = builder.place(around, name)?;
        places.push(around);
    }
    Ok(places)
}
