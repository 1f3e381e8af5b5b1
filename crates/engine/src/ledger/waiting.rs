//! Who waits for a model, for whoever looks at a run while a tick is being thought.

use std::sync::Arc;

use townsfolk_mind::ResidentId;

use super::TOWN;
use super::account::Account;

/// The calls to models that are on their way, shared between the run that makes them and whoever looks
/// at it. Says nothing about a run's outcome, and changes at any moment.
#[derive(Clone, Debug, Default)]
pub struct Waiting(pub(super) Arc<Account>);

impl Waiting {
    /// The residents of whom a call of the tick at hand is on its way, by id, each once.
    pub fn residents(&self) -> Vec<ResidentId> {
        let on_their_way = self.0.on_their_way();
        let now = on_their_way.first().map(|key| key.tick);
        let of_now = on_their_way.iter().filter(|key| Some(key.tick) == now);
        let mut residents: Vec<_> = of_now.map(|key| key.resident).filter(|id| *id != TOWN).collect();
        residents.dedup();
        residents
    }
}
