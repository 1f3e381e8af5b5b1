//! Where to do something: sector, arena and object in one answer, from the places that are known.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_world::PlaceId;

use crate::routine::{Rules, places};
use crate::{Identity, Task, TaskKind};

/// Asks where to do something.
#[derive(Clone, Debug, Serialize)]
pub struct ChoosePlace<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What is to be done.
    pub activity: &'a str,
    /// The larger stretch of the day it belongs to, which may name the place.
    pub within: &'a str,
    /// Whether it is sleep.
    pub asleep: bool,
    /// The places to choose from, never empty: all objects that the resident knows, and arenas
    /// without known objects.
    #[serde(skip)]
    pub choices: &'a [Choice],
}

/// A place to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The object, or the arena where it has no known object.
    pub place: PlaceId,
    /// Name of its sector.
    pub sector: Arc<str>,
    /// Name of its arena.
    pub arena: Arc<str>,
    /// Name of the object, where it is one.
    pub object: Option<Arc<str>>,
    /// Whether it is in the arena where the resident lives.
    pub own_room: bool,
    /// Whether it is in the sector where the resident lives.
    pub home: bool,
    /// Whether it is in the arena where the resident is.
    pub here: bool,
    /// Whether it is in the sector where the resident is.
    pub near: bool,
}

/// The chosen place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// One of the choices' places.
    pub place: PlaceId,
}

impl Task for ChoosePlace<'_> {
    const KIND: TaskKind = TaskKind::ChoosePlace;
    type Answer = Chosen;

    fn check(&self, answer: &Chosen) -> Result<(), String> {
        if self.choices.iter().any(|c| c.place == answer.place) {
            Ok(())
        } else {
            Err("that place is not among the known ones".to_owned())
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Chosen {
        // Without choices, against the contract, home is all there is.
        let place = places::choose(self, rules).unwrap_or(self.who.home);
        Chosen { place }
    }
}
