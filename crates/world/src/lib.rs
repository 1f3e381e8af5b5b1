//! The map of a town: tiles, places, sight and shortest paths, and reading a map made in Tiled.
//!
//! A [`World`] is made once, checked, and then shared unchanged by everyone. This crate knows no
//! resident's mind, no time, and no disk besides the reading of Tiled files. Where residents stand
//! and what state objects are in is not kept here.
//!
//! - [`Tile`], [`Place`], [`PlaceId`], [`Spot`], [`Spawn`]: the parts of a map.
//! - [`World`]: look-up, sight ([`World::sight`]) and paths ([`World::path`]).
//! - [`WorldBuilder`]: puts a world together from code; fails with [`WorldError`].
//! - [`read_tiled`], [`read_tiled_bytes`]: from a Tiled map (`.tmj`); fail with [`MapError`], which
//!   names file, layer, object and coordinate.
//! - [`sketch`]: a world from a few lines of text, for tests and examples.

mod builder;
mod error;
mod path;
mod place;
mod sight;
pub mod sketch;
mod stored;
mod tile;
mod tiled_map;
mod world;

pub use builder::{DEFAULT_OBJECT_STATE, MAX_SIDE, WorldBuilder};
pub use error::WorldError;
pub use place::{ADDRESS_SEPARATOR, Place, PlaceId, PlaceKind, Spawn, Spot};
pub use sight::Sight;
pub use tile::Tile;
pub use tiled_map::{MapError, MapFault, ObjectFault, read_tiled, read_tiled_bytes};
pub use world::World;
