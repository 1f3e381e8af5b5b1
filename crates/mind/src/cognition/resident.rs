//! One resident's inner life: identity, memories, known places, today's plan, what it is doing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::{MemoryId, MemoryStream, ReflectionTrigger, StreamSettings};
use townsfolk_time::{Date, GameTime, Minute};
use townsfolk_world::{PlaceId, Tile};

use super::describe::SelfView;
use super::situation::{ConversationId, Showing};
use crate::asker::Name;
use crate::tasks::{Acquaintance, Appointment, Occasion, Stroke};
use crate::{Identity, ResidentId, Schedule, Settings};

/// A resident's inner life. Only its own thinking changes it.
#[derive(Clone)]
pub struct Resident {
    /// Which resident of the town.
    pub id: ResidentId,
    /// How its mind is set.
    pub settings: Settings,
    /// What it remembers.
    pub stream: MemoryStream,
    /// Everything else.
    pub life: Life,
}

impl Resident {
    /// A resident as the story starts, who remembers nothing yet.
    pub fn new(
        id: ResidentId,
        identity: Identity,
        settings: Settings,
        known: impl IntoIterator<Item = PlaceId>,
        stream: StreamSettings,
    ) -> Self {
        let life = Life {
            trigger: ReflectionTrigger::new(settings.reflection_threshold),
            identity,
            known: known.into_iter().collect(),
            day: None,
            doing: None,
            path: VecDeque::new(),
            last_look: Vec::new(),
            last_tile: None,
            people: BTreeMap::new(),
            appointments: Vec::new(),
            called_off: Vec::new(),
            talking: None,
            waiting: None,
            settled_in: false,
            self_view: None,
            unusual: BTreeMap::new(),
        };
        Self {
            id,
            settings,
            stream: MemoryStream::new(stream),
            life,
        }
    }
}

/// What a checkpoint keeps of a resident besides its memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Life {
    /// Who it is; what occupies it is revised overnight.
    pub identity: Identity,
    /// The places it knows.
    pub known: BTreeSet<PlaceId>,
    /// When it next reflects.
    pub trigger: ReflectionTrigger,
    /// Today's plan.
    pub day: Option<Day>,
    /// What it is doing.
    pub doing: Option<Doing>,
    /// The tiles to walk, nearest first.
    pub path: VecDeque<Tile>,
    /// What it saw when it last looked.
    pub last_look: Vec<Arc<str>>,
    /// Where it stood when it last looked.
    pub last_tile: Option<Tile>,
    /// Whom it has dealt with.
    pub people: BTreeMap<Name, Person>,
    /// What it means to attend, by start.
    pub appointments: Vec<Appointment>,
    /// What it knows of that does not take place.
    #[serde(default)]
    pub called_off: Vec<Occasion>,
    /// The conversation it is in.
    pub talking: Option<Talking>,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// Whether it has thought about what its own texts commit it to.
    pub settled_in: bool,
    /// How it sees itself.
    #[serde(default)]
    pub self_view: Option<SelfView>,
    /// The objects that were not as usual when it last saw them, though nobody used them.
    #[serde(default)]
    pub unusual: BTreeMap<PlaceId, Unusual>,
}

/// An object that was not as usual when a resident last saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusual {
    /// Its state.
    pub state: Arc<str>,
    /// The memory of seeing it.
    pub memory: Option<MemoryId>,
}

/// A day's plan at its three levels: strokes, hours, and steps as they are decomposed just in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// The day.
    pub date: Date,
    /// When the resident gets up, minutes after midnight.
    pub wake: Minute,
    /// The broad strokes.
    pub strokes: Vec<Stroke>,
    /// The hours, as planned and revised.
    pub hours: Schedule,
    /// The hours with the stretches that were decomposed in their place.
    pub steps: Schedule,
}

/// What a resident is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Doing {
    /// When it began.
    pub since: GameTime,
    /// When it ends.
    pub until: GameTime,
    /// The stretch of the plan it fills: its start and activity.
    pub entry: (Date, Minute, Arc<str>),
    /// Whether it is sleep.
    pub asleep: bool,
    /// What it shows once it is where it is done.
    pub showing: Showing,
    /// The place where it is done, if any.
    pub place: Option<PlaceId>,
    /// Whether the resident has made way to another spot because somebody stood on its own.
    #[serde(default)]
    pub moved_over: bool,
    /// Whether the resident has considered giving way to whoever uses the object.
    pub gave_way: bool,
}

/// What a resident knows of its dealings with somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// How many talks they had.
    pub talks: u32,
    /// When the last one ended.
    pub last_talk: Option<GameTime>,
    /// Which of the resident's memories they share: told by one to the other.
    pub shared: BTreeSet<MemoryId>,
    /// The occasions that one of the two asked the other to and got an answer about.
    #[serde(default)]
    pub answered: Vec<Occasion>,
    /// What the resident makes of them, and how many memories were about them then.
    pub summary: Option<(String, u32)>,
}

/// The conversation a resident is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talking {
    /// Which.
    pub id: ConversationId,
    /// What the resident was doing when it began.
    pub interrupted: Arc<str>,
    /// What the other was seen doing when it began.
    pub other_doing: Arc<str>,
}

/// What a resident waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The object that must become free.
    pub object: PlaceId,
    /// When it gives up waiting.
    pub until: GameTime,
}

impl Resident {
    /// How well the resident knows somebody.
    pub fn acquaintance(&self, name: &str, now: GameTime) -> Acquaintance {
        let person = self.life.people.get(name);
        Acquaintance {
            memories: self.memories_about(name),
            talks: person.map_or(0, |p| p.talks),
            minutes_since_talk: person
                .and_then(|p| p.last_talk)
                .map(|t| ((now - t).max(0) / 60) as u32),
        }
    }

    /// How many talks with somebody the resident knows of; none without memory.
    pub fn talks_with(&self, name: &str) -> u32 {
        let person = self.life.people.get(name).filter(|_| self.settings.memory);
        person.map_or(0, |person| person.talks)
    }

    /// How many memories are about somebody.
    pub fn memories_about(&self, name: &str) -> u32 {
        self.stream.about(name).count().try_into().unwrap_or(u32::MAX)
    }
}
