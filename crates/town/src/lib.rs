//! What a town is: a map, the people who live there, and when the story starts.

use serde::{Deserialize, Serialize};
use townsfolk_memory::NewMemory;
use townsfolk_mind::{Identity, Settings};
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile, World};

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
    /// The places they know, in order of id.
    pub known: Vec<PlaceId>,
    /// What they have been told before the story starts, as whispers in the second person.
    pub history: Vec<String>,
    /// What they remember from before the story starts, oldest first: the first memories of their
    /// stream, so evidence counts positions in this list. Empty for a resident who begins afresh.
    #[serde(default)]
    pub memories: Vec<NewMemory>,
}
