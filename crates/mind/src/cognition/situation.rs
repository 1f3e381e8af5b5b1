//! What a resident thinks about: the world in sight, as committed at the end of the tick before.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::{NewMemory, Triple};
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile, World};

use crate::tasks::{Exchange, Line};
use crate::{Phrases, ResidentId};

/// Number of a conversation, in the order they began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationId(pub u32);

/// How a resident spends the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Asleep: sees nothing and cannot be spoken to.
    Asleep,
    /// On the way to where the activity is done.
    Walking,
    /// Doing the activity.
    Doing,
    /// In a conversation.
    Talking,
    /// Waiting for somebody or something.
    Waiting,
}

/// What others can see of what a resident does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Showing {
    /// How the moment is spent.
    pub status: Status,
    /// The activity, in words that follow "is".
    pub activity: Arc<str>,
    /// The activity as emoji.
    pub emoji: Arc<str>,
    /// The activity as a triple whose subject is the resident.
    pub triple: Triple,
    /// Where it is done.
    pub place: Option<PlaceId>,
    /// The object in use, and the state that its use puts it in.
    pub uses: Option<(PlaceId, Arc<str>)>,
    /// When it is meant to end; nobody else can see this.
    pub ends: GameTime,
}

/// Where a resident is and what it shows: all that the world knows of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Where it stands.
    pub tile: Tile,
    /// What it shows.
    pub showing: Showing,
    /// The conversation it is in.
    pub talk: Option<ConversationId>,
}

/// Somebody or something in sight.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighting<'a> {
    /// Another resident, or oneself.
    Person {
        /// Who.
        id: ResidentId,
        /// Their name.
        name: &'a Arc<str>,
        /// Where they are and what they show.
        body: &'a Body,
    },
    /// An object.
    Object {
        /// Which.
        place: PlaceId,
        /// Its state.
        state: &'a str,
        /// Whether somebody's use put it in that state.
        in_use: bool,
    },
}

/// A conversation between two residents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Talk {
    /// Which.
    pub id: ConversationId,
    /// Who began it, and who was spoken to; they speak in turn, the first begins.
    pub between: [ResidentId; 2],
    /// Their names.
    pub names: [Arc<str>; 2],
    /// What was said.
    pub lines: Vec<Line>,
    /// The tick from which the next line may be said.
    pub next_line_tick: u64,
    /// How many lines it may have at most.
    pub cap: u16,
}

impl Talk {
    /// Whose turn it is: 0 or 1.
    pub fn turn(&self) -> usize {
        self.lines.len() % 2
    }

    /// How many lines the one whose turn it is may still say.
    pub fn lines_left(&self) -> u16 {
        let left = usize::from(self.cap).saturating_sub(self.lines.len());
        (left.div_ceil(2)).max(1) as u16
    }

    /// The place of `who` in the pair, if they take part.
    pub fn side(&self, who: ResidentId) -> Option<usize> {
        self.between.iter().position(|id| *id == who)
    }
}

/// The moment as one resident sees it.
pub struct Situation<'a> {
    /// Game time.
    pub now: GameTime,
    /// Ticks since the start.
    pub tick: u64,
    /// Game seconds in a tick.
    pub seconds_per_tick: i64,
    /// Map and places.
    pub world: &'a World,
    /// How things are worded.
    pub phrases: &'a Phrases,
    /// The resident's own body.
    pub me: &'a Body,
    /// What is in sight, nearest first; empty while asleep.
    pub sight: Vec<Sighting<'a>>,
    /// The conversation it is in.
    pub talk: Option<&'a Talk>,
    /// The conversation it was in until the last tick.
    pub ended_talk: Option<&'a Talk>,
    /// What it remembers from before the story, at its first thought; evidence counts positions in it.
    pub past: &'a [NewMemory],
    /// What it is whispered now.
    pub whispers: Vec<&'a str>,
    /// What it answered to somebody from outside and is to remember.
    pub answers: Vec<&'a Exchange>,
    /// Whether it was put on another tile since it last thought.
    pub displaced: bool,
}
