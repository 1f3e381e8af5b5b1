//! Perceiving: what is new in sight becomes observations.
//!
//! As in the 2023 code, a resident sees what lies within its radius and in the same arena, nearest
//! first, as much as its attention holds, and takes for new what is not among its latest
//! observations. Two things differ: it looks again only when something in sight changed, and what
//! it already saw when it last looked is not new however much else it observed meanwhile; in
//! a crowd the 2023 code observes the same few events over and over.

use std::sync::Arc;

use townsfolk_memory::{MemoryId, MemoryKind, Triple};
use townsfolk_world::{PlaceId, PlaceKind};

use super::intents::Intents;
use super::remember::{Note, remember};
use super::resident::Resident;
use super::situation::{Sighting, Situation, Status};
use crate::ResidentId;
use crate::asker::{Asker, Halted};
use crate::phrases::fill;

/// Something new in sight, and the memory of it.
pub(crate) struct Fresh {
    pub(crate) subject: Subject,
    pub(crate) memory: MemoryId,
}

/// Whom or what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Person(ResidentId),
    Object(PlaceId),
}

pub(crate) async fn perceive(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<Vec<Fresh>, Halted> {
    learn_places(resident, situation);
    let seen: Vec<(Subject, Triple, Arc<str>, bool)> = situation
        .sight
        .iter()
        .map(|sighting| event(situation, sighting))
        .collect();
    let unchanged = seen.len() == resident.life.last_look.len()
        && seen
            .iter()
            .zip(&resident.life.last_look)
            .all(|((.., text, _), last)| text == last);
    if unchanged {
        return Ok(Vec::new());
    }
    let look: Vec<Arc<str>> = seen.iter().map(|(.., text, _)| text.clone()).collect();
    let last_look = std::mem::replace(&mut resident.life.last_look, look);
    let retained: Vec<Triple> = resident
        .stream
        .latest(MemoryKind::Observation, resident.settings.retention)
        .map(|memory| memory.triple.clone())
        .collect();

    let here = situation.world.spot(situation.me.tile).arena;
    let mut subjects = Vec::new();
    let mut notes = Vec::new();
    for (subject, triple, text, idle) in seen {
        if last_look.contains(&text) || retained.contains(&triple) {
            continue;
        }
        let mut note = Note::new(MemoryKind::Observation, triple, text);
        note.importance = idle.then_some(1);
        note.place = here;
        notes.push(note);
        subjects.push(subject);
    }
    if notes.is_empty() {
        return Ok(Vec::new());
    }
    let memories = remember(resident, situation.now, asker, &mut intents.journal, notes).await?;
    Ok(subjects
        .into_iter()
        .zip(memories)
        .map(|(subject, memory)| Fresh { subject, memory })
        .collect())
}

/// What is seen of places goes into the resident's own knowledge of the town.
fn learn_places(resident: &mut Resident, situation: &Situation<'_>) {
    if resident.life.last_tile == Some(situation.me.tile) {
        return;
    }
    resident.life.last_tile = Some(situation.me.tile);
    let spot = situation.world.spot(situation.me.tile);
    resident
        .life
        .known
        .extend(spot.sector.into_iter().chain(spot.arena));
    for sighting in &situation.sight {
        if let Sighting::Object { place, .. } = sighting {
            resident.life.known.insert(*place);
        }
    }
}

/// A sighting as an event: whom it is about, the triple, the words, and whether nothing is going on.
fn event(situation: &Situation<'_>, sighting: &Sighting<'_>) -> (Subject, Triple, Arc<str>, bool) {
    let (world, phrases) = (situation.world, situation.phrases);
    match sighting {
        Sighting::Person { id, name, body } => {
            let showing = &body.showing;
            let text = match showing.status {
                Status::Asleep => fill(&phrases.person_sleeps, &[("name", name)]),
                Status::Walking => {
                    let sector = showing.place.and_then(|p| world.ancestor(p, PlaceKind::Sector));
                    let place = sector.map_or(phrases.street.as_str(), |p| &world.place(p).name);
                    fill(&phrases.person_walks, &[("name", name), ("place", place)])
                }
                Status::Doing | Status::Talking | Status::Waiting => {
                    phrases.person_does(name, &showing.activity)
                }
            };
            // A walk is another event than what will be done at its end.
            let triple = match showing.status {
                Status::Walking => Triple::new(Arc::clone(name), "walk", text.as_str()),
                _ => showing.triple.clone(),
            };
            (Subject::Person(*id), triple, text.into(), false)
        }
        Sighting::Object { place, state, .. } => {
            let object = world.place(*place);
            let text = phrases.object_is(&object.name, state);
            let idle = object.default_state.as_deref() == Some(*state);
            let triple = Triple::new(world.address(*place), "be", *state);
            (Subject::Object(*place), triple, text.into(), idle)
        }
    }
}
