//! Every kind of ground, wall and thing that a map is drawn from.
//!
//! A kind is a row of the tileset, in the order of [`KINDS`]: tile id = 16 × row + variant. For kinds
//! that join their neighbours the variant says on which sides (1 north, 2 east, 4 south, 8 west).

use super::paint::{self, Paint};

/// Pixels of a tile's side.
pub(crate) const TILE: usize = 16;
/// Variants of a kind, and tiles in a row of the tileset.
pub(crate) const VARIANTS: usize = 16;

/// The layer a kind is drawn on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Ground,
    Walls,
    Things,
    /// Drawn one tile higher than it stands, over everything.
    Above,
}

/// Which of a kind's variants is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// There is one.
    Only,
    /// The one that fits the neighbours of the same kind.
    Joined,
    /// One of so many, by place on the map.
    Scattered(usize),
}

/// A kind of ground, wall or thing.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) layer: Layer,
    pub(crate) choice: Choice,
    /// Whether nobody can stand on it.
    pub(crate) blocks: bool,
    pub(crate) paint: Paint,
}

const fn kind(name: &'static str, layer: Layer, choice: Choice, blocks: bool, paint: Paint) -> Kind {
    Kind {
        name,
        layer,
        choice,
        blocks,
        paint,
    }
}

use Choice::{Joined, Only, Scattered};
use Layer::{Above, Ground, Things, Walls};

/// All kinds. Add at the end: maps refer to rows.
pub(crate) const KINDS: &[Kind] = &[
    kind("grass", Ground, Scattered(8), false, paint::grass),
    kind("meadow", Ground, Scattered(8), false, paint::meadow),
    kind("path", Ground, Joined, false, paint::path),
    kind("cobbles", Ground, Joined, false, paint::cobbles),
    kind("water", Ground, Joined, true, paint::water),
    kind("planks", Ground, Joined, false, paint::planks),
    kind("soil", Ground, Joined, false, paint::soil),
    kind("boards", Ground, Scattered(4), false, paint::boards),
    kind("tiles", Ground, Only, false, paint::tiles),
    kind("flagstones", Ground, Scattered(4), false, paint::flagstones),
    kind("carpet", Ground, Joined, false, paint::carpet),
    kind("oak", Ground, Scattered(4), false, paint::oak),
    kind("brick", Walls, Joined, true, paint::brick),
    kind("timber", Walls, Joined, true, paint::timber),
    kind("plaster", Walls, Joined, true, paint::plaster),
    kind("stone", Walls, Joined, true, paint::stone),
    kind("door", Walls, Joined, false, paint::door),
    kind("hedge", Walls, Joined, true, paint::hedge),
    kind("fence", Walls, Joined, true, paint::fence),
    kind("bed", Things, Joined, false, paint::bed),
    kind("cot", Things, Joined, false, paint::cot),
    kind("wardrobe", Things, Joined, true, paint::wardrobe),
    kind("desk", Things, Joined, true, paint::desk),
    kind("chair", Things, Only, false, paint::chair),
    kind("table", Things, Joined, true, paint::table),
    kind("counter", Things, Joined, true, paint::counter),
    kind("stove", Things, Only, true, paint::stove),
    kind("fridge", Things, Only, true, paint::fridge),
    kind("sink", Things, Only, true, paint::sink),
    kind("toilet", Things, Only, false, paint::toilet),
    kind("shower", Things, Only, false, paint::shower),
    kind("bookshelf", Things, Joined, true, paint::bookshelf),
    kind("shelf", Things, Joined, true, paint::shelf),
    kind("sofa", Things, Joined, false, paint::sofa),
    kind("plant", Things, Only, true, paint::plant),
    kind("fireplace", Things, Joined, true, paint::fireplace),
    kind("blackboard", Things, Joined, true, paint::blackboard),
    kind("noticeboard", Things, Only, true, paint::noticeboard),
    kind("oven", Things, Joined, true, paint::oven),
    kind("crate", Things, Scattered(2), true, paint::crate_),
    kind("barrel", Things, Only, true, paint::barrel),
    kind("piano", Things, Joined, true, paint::piano),
    kind("easel", Things, Scattered(4), true, paint::easel),
    kind("workbench", Things, Joined, true, paint::workbench),
    kind("anvil", Things, Only, true, paint::anvil),
    kind("press", Things, Joined, true, paint::press),
    kind("boat", Things, Joined, true, paint::boat),
    kind("radio", Things, Joined, true, paint::radio),
    kind("bicycle", Things, Joined, true, paint::bicycle),
    kind("stall", Things, Joined, true, paint::stall),
    kind("fountain", Things, Joined, true, paint::fountain),
    kind("bench", Things, Joined, false, paint::bench),
    kind("stage", Things, Joined, false, paint::stage),
    kind("plot", Things, Scattered(4), false, paint::plot),
    kind("hive", Things, Only, true, paint::hive),
    kind("swing", Things, Joined, false, paint::swing),
    kind("net", Things, Joined, false, paint::net),
    kind("bollard", Things, Only, true, paint::bollard),
    kind("bush", Things, Scattered(2), true, paint::bush),
    kind("trunk", Things, Scattered(4), true, paint::trunk),
    kind("crown", Above, Scattered(4), false, paint::crown),
    kind("post", Things, Only, true, paint::post),
    kind("lantern", Above, Only, false, paint::lantern),
    kind("window", Things, Only, true, paint::window),
    kind("lilies", Things, Only, true, paint::lilies),
    kind("blocked", Things, Only, true, paint::blocked),
];

/// The row of a kind.
pub(crate) fn row(name: &str) -> Option<usize> {
    KINDS.iter().position(|kind| kind.name == name)
}
