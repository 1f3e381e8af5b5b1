//! Objects that are not as usual: what a resident last saw of them, until it sees them right again.
//!
//! Somebody's use explains a state while it lasts; what is noted here is broken, on fire, decorated: set
//! by no user. Choices of place know of it, and it is news to whoever has not heard.

use super::perceive::{Fresh, Subject};
use super::resident::{Resident, Unusual};
use super::situation::{Sighting, Situation};

/// Takes note of the objects in sight.
pub(crate) fn note_states(resident: &mut Resident, situation: &Situation<'_>, fresh: &[Fresh]) {
    for sighting in &situation.sight {
        let Sighting::Object { place, state, in_use } = sighting else {
            continue;
        };
        let usual = situation.world.place(*place).default_state.as_deref() == Some(*state);
        let unusual = &mut resident.life.unusual;
        if usual || *in_use {
            unusual.remove(place);
            continue;
        }
        let seen = fresh.iter().find(|f| f.subject == Subject::Object(*place));
        let known = unusual.get(place).filter(|known| *known.state == **state);
        if known.is_none() {
            let memory = seen.map(|fresh| fresh.memory);
            let state = (*state).into();
            unusual.insert(*place, Unusual { state, memory });
        }
    }
}
