//! Observing: who and what lies in a resident's sight.

use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::{Body, Resident, Sighting, Status};
use townsfolk_world::{PlaceId, Tile, World};

use crate::engine::{Setting, State};
use crate::people::Person;

/// Who is in which arena; those in none (the street) share the first list.
#[derive(Clone)]
pub(crate) struct Arenas(Vec<Vec<ResidentId>>);

impl Arenas {
    pub(crate) fn new(world: &World, bodies: &[Body]) -> Self {
        let mut arenas = Self(vec![Vec::new(); world.places().len() + 1]);
        for (body, id) in bodies.iter().zip(0..) {
            arenas.0[slot(world.spot(body.tile).arena)].push(ResidentId(id));
        }
        arenas
    }

    /// Everybody in the arena of a tile, by id.
    pub(crate) fn at(&self, world: &World, tile: Tile) -> &[ResidentId] {
        &self.0[slot(world.spot(tile).arena)]
    }

    /// Somebody comes to town.
    pub(crate) fn come(&mut self, world: &World, who: ResidentId, at: Tile) {
        let arena = &mut self.0[slot(world.spot(at).arena)];
        let position = arena.partition_point(|id| *id < who);
        arena.insert(position, who);
    }

    /// Somebody leaves town.
    pub(crate) fn leave(&mut self, world: &World, who: ResidentId, from: Tile) {
        self.0[slot(world.spot(from).arena)].retain(|id| *id != who);
    }

    /// Somebody walks from one tile to another.
    pub(crate) fn walk(&mut self, world: &World, who: ResidentId, from: Tile, to: Tile) {
        let (from, to) = (slot(world.spot(from).arena), slot(world.spot(to).arena));
        if from != to {
            self.0[from].retain(|id| *id != who);
            let at = self.0[to].partition_point(|id| *id < who);
            self.0[to].insert(at, who);
        }
    }
}

fn slot(arena: Option<PlaceId>) -> usize {
    arena.map_or(0, |arena| arena.index() + 1)
}

/// What a resident sees: in its radius and arena, nearest first, as much as it can attend to.
/// Nothing while it sleeps.
pub(crate) fn sight<'s>(
    setting: &'s Setting,
    people: &'s [Person],
    state: &'s State,
    arenas: &Arenas,
    resident: &Resident,
) -> Vec<Sighting<'s>> {
    let me = &state.bodies[resident.id.index()];
    if me.showing.status == Status::Asleep {
        return Vec::new();
    }
    let world = &setting.town.world;
    let radius = resident.settings.vision_radius;
    let mut seen: Vec<(u32, Sighting<'s>)> = Vec::new();
    for id in arenas.at(world, me.tile) {
        let body = &state.bodies[id.index()];
        if me.tile.chebyshev(body.tile) <= radius {
            let name = people[id.index()].name();
            seen.push((
                me.tile.squared_distance(body.tile),
                Sighting::Person { id: *id, name, body },
            ));
        }
    }
    for (place, _, distance) in world.objects_in_sight(me.tile, radius) {
        let (state, in_use) = match state.objects.get(&place) {
            Some(object) => (&*object.state, object.user.is_some()),
            None => (
                world.place(place).default_state.as_deref().unwrap_or_default(),
                false,
            ),
        };
        seen.push((distance, Sighting::Object { place, state, in_use }));
    }
    // Stable: at equal distance people come before objects, each in order of id.
    seen.sort_by_key(|(distance, _)| *distance);
    seen.truncate(resident.settings.attention_bandwidth);
    seen.into_iter().map(|(_, sighting)| sighting).collect()
}
