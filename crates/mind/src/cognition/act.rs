//! Acting: walking to where something is done, doing it there, waiting until it is free.

use std::sync::Arc;

use townsfolk_memory::Triple;
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile};

use super::intents::Intents;
use super::resident::{Resident, Waiting};
use super::situation::{Showing, Sighting, Situation, Status};
use crate::Chance;
use crate::phrases::fill;

/// Finds the way to a place. Everybody has a favourite spot there, so people don't stand on top of
/// one another more than they must.
pub(crate) fn set_out(
    resident: &mut Resident,
    situation: &Situation<'_>,
    place: PlaceId,
    intents: &mut Intents,
) {
    let world = situation.world;
    let tiles = world.standing_tiles(place);
    let from = situation.me.tile;
    let path = if tiles.contains(&from) {
        Some(Vec::new())
    } else {
        let spot = Chance {
            seed: 0,
            resident: resident.id,
            tick: u64::from(place.index() as u32),
        };
        let favourite = spot.pick("favourite spot", tiles).copied();
        favourite
            .and_then(|tile| world.path(from, &[tile]))
            .or_else(|| world.path_to_place(from, place))
    };
    match path {
        Some(path) => resident.life.path = path.into(),
        None => {
            // It is done where the resident stands instead, and said so.
            let address = world.address(place);
            intents
                .journal
                .notices
                .push(("unreachable", format!("{address} cannot be reached from {from}")));
            resident.life.path.clear();
            if let Some(doing) = &mut resident.life.doing {
                doing.place = None;
                doing.showing.place = None;
                doing.showing.uses = None;
            }
        }
    }
}

/// Whoever was put on another tile goes back from there to where it does what it does; asleep, it sleeps
/// on where it is.
pub(crate) fn find_the_way_again(resident: &mut Resident, situation: &Situation<'_>, intents: &mut Intents) {
    if !situation.displaced {
        return;
    }
    resident.life.path.clear();
    let doing = resident.life.doing.as_ref().filter(|doing| !doing.asleep);
    if let Some(place) = doing.and_then(|doing| doing.place) {
        set_out(resident, situation, place, intents);
    }
}

/// Takes the next step, or shows what is done where the resident is.
pub(crate) fn act(resident: &mut Resident, situation: &Situation<'_>, intents: &mut Intents) {
    wait_no_longer_than_needed(resident, situation);
    let Some(doing) = &resident.life.doing else { return };
    if let Some(waiting) = &resident.life.waiting {
        let what = &situation.world.place(waiting.object).name;
        let phrases = situation.phrases;
        let activity = fill(&phrases.waiting, &[("what", &phrases.the(what))]);
        show(
            situation,
            intents,
            Showing {
                status: Status::Waiting,
                triple: Triple::new(resident.life.identity.name.clone(), "wait for", what.as_str()),
                activity: activity.into(),
                emoji: "⏳".into(),
                place: doing.place,
                uses: None,
                ends: waiting.until,
            },
        );
        return;
    }
    // Once only: in a crowd every spot is taken, and people stand close.
    if let ([last], Some(doing)) = (resident.life.path.make_contiguous(), &mut resident.life.doing)
        && !doing.moved_over
        && let Some(other) = free_spot(situation, doing.place, *last)
    {
        doing.moved_over = true;
        let way = situation
            .world
            .path(situation.me.tile, &[other])
            .unwrap_or_default();
        resident.life.path = way.into();
    }
    keep_to_the_way(resident, situation);
    let Some(doing) = &resident.life.doing else { return };
    match resident.life.path.pop_front() {
        Some(tile) => {
            intents.step = Some(tile);
            let walking = Showing {
                status: Status::Walking,
                uses: None,
                ..doing.showing.clone()
            };
            show(situation, intents, walking);
        }
        None => show(situation, intents, doing.showing.clone()),
    }
}

/// Whoever left its way, to walk up to somebody for a talk, takes it up from where it stands.
fn keep_to_the_way(resident: &mut Resident, situation: &Situation<'_>) {
    let path = &resident.life.path;
    let (Some(next), Some(goal)) = (path.front(), path.back().copied()) else {
        return;
    };
    let here = situation.me.tile;
    if here.squared_distance(*next) != 1 {
        let way = situation.world.path(here, &[goal]).unwrap_or_default();
        resident.life.path = way.into();
    }
}

/// Another spot of `place` in sight, if somebody stands on the wanted one.
fn free_spot(situation: &Situation<'_>, place: Option<PlaceId>, wanted: Tile) -> Option<Tile> {
    let taken = |tile: Tile| {
        situation.sight.iter().any(|s| matches!(s, Sighting::Person { body, .. }
            if body.tile == tile && body.showing.status != Status::Walking && !std::ptr::eq(*body, situation.me)))
    };
    if !taken(wanted) {
        return None;
    }
    let world = situation.world;
    let from = situation.me.tile;
    let free = world
        .standing_tiles(place?)
        .iter()
        .copied()
        .filter(|t| world.same_arena(*t, wanted) && !taken(*t));
    free.min_by_key(|t| (from.squared_distance(*t), *t))
}

/// Stops walking and waits for an object, at most until `until`.
pub(crate) fn wait_for(resident: &mut Resident, object: PlaceId, until: GameTime) {
    resident.life.path.clear();
    resident.life.waiting = Some(Waiting { object, until });
}

fn wait_no_longer_than_needed(resident: &mut Resident, situation: &Situation<'_>) {
    let Some(waiting) = &resident.life.waiting else {
        return;
    };
    let object = waiting.object;
    let taken = user_of(situation, object).is_some();
    if taken && situation.now < waiting.until {
        return;
    }
    resident.life.waiting = None;
    let tiles = situation.world.standing_tiles(object);
    resident.life.path = situation
        .world
        .path(situation.me.tile, tiles)
        .unwrap_or_default()
        .into();
}

/// Who else in sight is using an object.
pub(crate) fn user_of<'s>(situation: &'s Situation<'_>, object: PlaceId) -> Option<&'s Arc<str>> {
    situation.sight.iter().find_map(|sighting| match sighting {
        Sighting::Person { name, body, .. } if !std::ptr::eq(*body, situation.me) => {
            let uses = body
                .showing
                .uses
                .as_ref()
                .is_some_and(|(used, _)| *used == object);
            uses.then_some(*name)
        }
        _ => None,
    })
}

/// Shows something else than before, if it is something else.
pub(crate) fn show(situation: &Situation<'_>, intents: &mut Intents, showing: Showing) {
    intents.showing = (situation.me.showing != showing).then_some(showing);
}
