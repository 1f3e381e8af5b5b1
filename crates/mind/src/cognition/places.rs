//! Finding places: what a resident may choose from, and where a name leads.

use std::sync::Arc;

use townsfolk_world::{PlaceId, PlaceKind};

use super::resident::Resident;
use super::situation::Situation;
use crate::routine::names::Name;
use crate::routine::reactions::is_out_of_order;
use crate::tasks::{Choice, KnownPlace};

/// The places a resident can choose from: the objects it knows, and known arenas of which it knows
/// no object. Its home is always among them. Never empty.
pub(crate) fn choices(resident: &Resident, situation: &Situation<'_>) -> Vec<Choice> {
    let world = situation.world;
    let here = world.spot(situation.me.tile);
    let home = resident.life.identity.home;
    let home_sector = world.ancestor(home, PlaceKind::Sector);
    let known = &resident.life.known;
    let mut choices = Vec::new();
    for place in known.iter().copied().chain([home]).map(|id| world.place(id)) {
        let usable = match place.kind {
            PlaceKind::Object => true,
            PlaceKind::Arena => !place.children.iter().any(|object| known.contains(object)),
            PlaceKind::Sector => place.children.is_empty(),
            PlaceKind::World => false,
        };
        if !usable || world.standing_tiles(place.id).is_empty() {
            continue;
        }
        let name = |kind| {
            world
                .ancestor(place.id, kind)
                .map(|id| world.place(id).name.as_str())
        };
        let arena = world.ancestor(place.id, PlaceKind::Arena);
        let sector = world.ancestor(place.id, PlaceKind::Sector);
        choices.push(Choice {
            place: place.id,
            sector: name(PlaceKind::Sector).unwrap_or_default().into(),
            arena: name(PlaceKind::Arena).unwrap_or_default().into(),
            object: name(PlaceKind::Object).map(Into::into),
            state: resident.life.unusual.get(&place.id).map(|u| u.state.clone()),
            own_room: arena == Some(home) || place.id == home,
            home: sector.is_some() && sector == home_sector,
            here: arena.is_some() && arena == here.arena,
            near: sector.is_some() && sector == here.sector,
        });
    }
    if choices.is_empty() {
        let place = world.place(home);
        choices.push(Choice {
            place: home,
            sector: place.name.as_str().into(),
            arena: place.name.as_str().into(),
            object: None,
            state: None,
            own_room: true,
            home: true,
            here: false,
            near: false,
        });
    }
    choices
}

/// Of the places to choose from, those where the resident may sleep: the beds of its room, else of its home,
/// else its room, else its home. What is on fire or broken is slept in only where there is nothing else. Never empty.
pub(crate) fn to_sleep(mut choices: Vec<Choice>) -> Vec<Choice> {
    let rank = |choice: &Choice| {
        let is_whole = !choice.state.as_deref().is_some_and(is_out_of_order);
        let is_bed = choice
            .object
            .as_deref()
            .is_some_and(|name| Name::new(name).is_bed);
        let (own_room, home) = (is_whole && choice.own_room, is_whole && choice.home);
        (is_bed && own_room, is_bed && home, own_room, home, is_whole)
    };
    if let Some(best) = choices.iter().map(rank).max() {
        choices.retain(|choice| rank(choice) == best);
    }
    choices
}

/// Names of the sectors that a resident knows, in the town's order.
pub(crate) fn known_sectors(resident: &Resident, situation: &Situation<'_>) -> Vec<Arc<str>> {
    let places = resident.life.known.iter().map(|id| situation.world.place(*id));
    places
        .filter(|place| place.kind == PlaceKind::Sector)
        .map(|place| place.name.as_str().into())
        .collect()
}

/// The places that a resident knows, each with those it lies in, in the town's order.
pub(crate) fn known_places<'s>(resident: &Resident, situation: &Situation<'s>) -> Vec<KnownPlace<'s>> {
    let world = situation.world;
    let mut places = Vec::with_capacity(resident.life.known.len());
    for id in &resident.life.known {
        let name = |kind| world.ancestor(*id, kind).map(|id| &*world.place(id).name);
        places.extend(name(PlaceKind::Sector).map(|sector| KnownPlace {
            sector,
            arena: name(PlaceKind::Arena),
            object: name(PlaceKind::Object),
        }));
    }
    places
}

/// The sector or arena that somebody's words name, among known places: its full address, or its
/// name as a part of the words; the longest name wins, then the first place.
pub(crate) fn named(resident: &Resident, situation: &Situation<'_>, words: &str) -> Option<PlaceId> {
    let world = situation.world;
    if let Some(place) = world.find(words) {
        return Some(place);
    }
    let words = words.to_lowercase();
    let mut best: Option<(usize, PlaceId)> = None;
    for place in resident.life.known.iter().map(|id| world.place(*id)) {
        if !matches!(place.kind, PlaceKind::Sector | PlaceKind::Arena) {
            continue;
        }
        let name = place.name.to_lowercase();
        if words.contains(&name) && best.is_none_or(|(length, _)| name.len() > length) {
            best = Some((name.len(), place.id));
        }
    }
    best.map(|(_, place)| place)
}
