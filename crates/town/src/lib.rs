//! What a town is: a map, the people who live there, and when the story starts; and reading one.
//!
//! - [`Town`], [`Newcomer`]: everything a run starts from.
//! - [`Town::read`]: from a folder with `town.toml`, `map.tmj` and `residents/*.toml`, as described
//!   in `docs/town-format.md`. All or nothing: it fails with a [`TownError`] that names the file, the
//!   line, and what to do.
//! - [`Bundled`], [`Town::bundled`]: the towns that are compiled in, read by the same code.
//! - [`Town::validate`]: what must hold of any town, wherever it came from; fails with a [`Flaw`].
//!
//! This crate starts no run and knows nothing of what happens in one.

mod bundled;
mod error;
mod picture;
mod places;
mod read;
mod resident_file;
mod settings;
mod source;
mod toml_file;
mod town_file;
mod validate;

use serde::{Deserialize, Serialize};
use townsfolk_memory::NewMemory;
use townsfolk_mind::{Identity, Settings};
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile, World};

pub use bundled::Bundled;
pub use error::{TownError, TownFault};
pub use picture::{ImageFormat, Picture, PictureLayer, PictureTileset};
pub use validate::{Flaw, MAX_AGE, MAX_SECONDS_PER_TICK, is_hidden};

/// Everything a run starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Town {
    /// Its name.
    pub name: String,
    /// One paragraph about it, for people.
    pub story: String,
    /// The language its texts are written in, such as "en".
    pub language: String,
    /// Map and places.
    pub world: World,
    /// When the story starts.
    pub start: GameTime,
    /// Game seconds in a tick; 10 in the 2023 code.
    pub seconds_per_tick: u32,
    /// Who lives there; a resident's id is its position.
    pub residents: Vec<Newcomer>,
    /// How the map is drawn, where the town has pictures for it.
    #[serde(default)]
    pub picture: Option<Picture>,
}

/// A resident as the story starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Newcomer {
    /// Who they are.
    pub identity: Identity,
    /// How their mind is set.
    pub settings: Settings,
    /// Where they stand.
    pub start: Tile,
    /// The places they know, in order of id: objects, with the arenas and sectors around them. Home
    /// is always among them; the world itself is not listed.
    pub known: Vec<PlaceId>,
    /// What they have been told before the story starts, as whispers in the second person.
    pub history: Vec<String>,
    /// What they remember from before the story starts, oldest first: the first memories of their
    /// stream, so evidence counts positions in this list. Empty for a resident who begins afresh.
    #[serde(default)]
    pub memories: Vec<NewMemory>,
}
