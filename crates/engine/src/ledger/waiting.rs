//! Who waits for a model, for whoever looks at a run while a tick is being thought.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use townsfolk_mind::ResidentId;
use townsfolk_mind::model::CallKey;

use super::TOWN;
use super::recorder::{Sum, lock};

/// The calls to models that are on their way, shared between the run that makes them and whoever looks
/// at it. Says nothing about a run's outcome, and changes at any moment.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Arc<Mutex<BTreeMap<CallKey, Sum>>>);

impl Waiting {
    /// The residents of whom a call is on its way, by id, each once.
    pub fn residents(&self) -> Vec<ResidentId> {
        let mut residents: Vec<_> = self.calls().keys().map(|key| key.resident).collect();
        residents.sort_unstable();
        residents.dedup();
        residents.retain(|resident| *resident != TOWN);
        residents
    }

    /// The calls, with what each may take.
    pub(super) fn calls(&self) -> MutexGuard<'_, BTreeMap<CallKey, Sum>> {
        lock(&self.0)
    }
}
