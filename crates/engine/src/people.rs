//! Everybody who is or was in town: the town's own residents, those who joined later, and visitors.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_mind::cognition::Body;
use townsfolk_mind::{Identity, ResidentId};
use townsfolk_town::{Newcomer, Town};
use townsfolk_world::{Tile, World};

use crate::engine::Engine;

/// Somebody with a body in town. Ids are positions in [`Engine::people`]: first the town's residents in
/// its order, then whoever came later, in the order they came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// Who they are. A visitor has a name, and otherwise empty texts.
    pub newcomer: Newcomer,
    /// The tick at which they came; 0 for the town's own residents.
    pub came: u64,
    /// What a visitor is ("a reporter"), perhaps in no words; none for residents, who think.
    pub role: Option<Arc<str>>,
}

impl Person {
    /// A resident of the town.
    pub(crate) fn resident(newcomer: Newcomer, came: u64) -> Self {
        Self {
            newcomer,
            came,
            role: None,
        }
    }

    /// A visitor: a body without a mind.
    pub(crate) fn visitor(name: &str, role: &str, tile: Tile, came: u64, world: &World) -> Self {
        let spot = world.spot(tile);
        let identity = Identity {
            name: name.into(),
            first_name: name.split_whitespace().next().unwrap_or(name).into(),
            age: None,
            traits: String::new(),
            background: String::new(),
            current: String::new(),
            lifestyle: String::new(),
            daily_requirement: String::new(),
            home: spot.narrowest().unwrap_or_else(|| world.root()),
        };
        Self {
            newcomer: Newcomer {
                identity,
                settings: Default::default(),
                start: tile,
                known: Vec::new(),
                history: Vec::new(),
                memories: Vec::new(),
            },
            came,
            role: Some(role.trim().into()),
        }
    }

    /// Their full name.
    pub fn name(&self) -> &Arc<str> {
        &self.newcomer.identity.name
    }

    /// Whether people move and speak through them.
    pub fn is_visitor(&self) -> bool {
        self.role.is_some()
    }
}

/// The people of a town as its story starts, and those who came since.
pub(crate) fn all(town: &Town, arrived: &[Person]) -> Vec<Person> {
    let own = town.residents.iter().cloned();
    own.map(|newcomer| Person::resident(newcomer, 0))
        .chain(arrived.iter().cloned())
        .collect()
}

impl Engine {
    /// Everybody who is or was in town, by id.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Whether somebody is in town: has come, and not left.
    pub fn is_here(&self, who: ResidentId) -> bool {
        who.index() < self.people.len() && !self.state.left.contains_key(&who)
    }

    /// Whether somebody in town has a mind that is asked.
    pub(crate) fn thinks(&self, who: ResidentId) -> bool {
        self.is_here(who) && !self.people[who.index()].is_visitor()
    }

    /// Where somebody is and what they show.
    pub fn body(&self, who: ResidentId) -> Option<&Body> {
        self.state.bodies.get(who.index())
    }

    /// The id of whoever has this full name.
    pub fn find(&self, name: &str) -> Option<ResidentId> {
        let at = self.people.iter().position(|person| **person.name() == *name)?;
        u16::try_from(at).ok().map(ResidentId)
    }
}
