//! Who a resident is: the pinned facts that stand in front of every decision.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_world::PlaceId;

/// Position of a resident in its town, from 0 in the order of the town's files.
///
/// Conflicts between residents are settled in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ResidentId(pub u16);

impl ResidentId {
    /// The id as an index into a list of all residents.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The facts about a resident that every prompt and rule starts from ("identity stable set" in the
/// 2023 code). All texts are the town author's, in any language and script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Full name, unique in the town.
    pub name: Arc<str>,
    /// What friends call them; the full name where the author gave none.
    pub first_name: Arc<str>,
    /// Age in years, if it is known.
    pub age: Option<u16>,
    /// Inborn traits, such as "friendly, outgoing, hospitable" ("innate").
    pub traits: String,
    /// Background: what they do, love and look for ("learned").
    pub background: String,
    /// What occupies them at present; revised overnight ("currently").
    pub current: String,
    /// When they sleep, rise and eat ("lifestyle").
    pub lifestyle: String,
    /// What their days must contain; may be empty ("daily_plan_req").
    pub daily_requirement: String,
    /// The arena (or sector) where they live and sleep.
    pub home: PlaceId,
}

/// Identities are written into task records by name: the facts themselves stand once in the run.
pub(crate) fn by_name<S: serde::Serializer>(who: &&Identity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&who.name)
}
