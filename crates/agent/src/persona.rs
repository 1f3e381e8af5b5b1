//! Who an agent is.

use serde::{Deserialize, Serialize};
use townsfolk_mind::Identity;
use townsfolk_world::PlaceId;

/// The facts about an agent that stand in front of everything it is asked. All texts are free, in
/// any language; only the name is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Persona {
    /// Full name.
    pub name: String,
    /// Age in years.
    pub age: Option<u16>,
    /// Inborn traits, such as "curious, patient" (LangChain: `traits`).
    pub traits: String,
    /// What they do, love and look for.
    pub background: String,
    /// What occupies them at present (LangChain: `status`).
    pub current: String,
    /// When they sleep, rise and eat.
    pub lifestyle: String,
}

impl Persona {
    /// Somebody of whom nothing but the name is known.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    pub(crate) fn identity(&self) -> Identity {
        let first = self.name.split_whitespace().next().unwrap_or(&self.name);
        Identity {
            name: self.name.as_str().into(),
            first_name: first.into(),
            age: self.age,
            traits: self.traits.clone(),
            background: self.background.clone(),
            current: self.current.clone(),
            lifestyle: self.lifestyle.clone(),
            daily_requirement: String::new(),
            // An agent without a town lives nowhere on a map.
            home: PlaceId::from_index(0),
        }
    }
}
