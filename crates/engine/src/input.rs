//! Steering from outside: what people do to a town while its story goes on.
//!
//! An input is recorded before it acts, at the start of a tick, so that a run with inputs can be
//! executed again and comes out the same.

use serde::{Deserialize, Serialize};
use townsfolk_mind::ResidentId;
use townsfolk_town::Newcomer;
use townsfolk_world::{PlaceId, Tile};

/// One act from outside.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "input")]
pub enum Input {
    /// An inner voice: remembered as a thought of one's own, and acted on.
    Whisper {
        /// Who hears it.
        resident: ResidentId,
        /// The words.
        text: String,
    },
    /// Brings an object into a state. Whoever sees it can react.
    SetObject {
        /// Which object.
        object: PlaceId,
        /// Its state, in words that follow "is", such as "broken".
        state: String,
    },
    /// A visitor walks in: a body without a mind of ours, that people move and speak through.
    Arrive {
        /// Full name, unlike any resident's.
        name: String,
        /// What they are, such as "a reporter"; may be empty.
        role: String,
        /// Where they appear; a walkable tile.
        tile: Tile,
    },
    /// A visitor walks to a tile, step by step.
    Walk {
        /// The visitor.
        visitor: ResidentId,
        /// Where to.
        to: Tile,
    },
    /// A visitor says something: opens a talk with `to`, or answers in the talk they are in.
    Speak {
        /// The visitor.
        visitor: ResidentId,
        /// Whom they speak to.
        to: ResidentId,
        /// The words.
        text: String,
        /// Whether the visitor ends the talk with them.
        ends: bool,
    },
    /// A visitor, or a resident, leaves the town for good.
    Leave {
        /// Who.
        who: ResidentId,
    },
    /// A resident is put on another tile.
    Move {
        /// Who.
        resident: ResidentId,
        /// Where; a walkable tile.
        to: Tile,
    },
    /// Somebody new lives here from now on.
    Join {
        /// Who; gets the next id.
        newcomer: Box<Newcomer>,
    },
}
