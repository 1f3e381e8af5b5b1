//! Addresses as authors write them, and who knows which places.

use townsfolk_world::{ADDRESS_SEPARATOR, PlaceId, PlaceKind, World};

use crate::Newcomer;
use crate::error::nearest;

/// The place of an address such as `sector`, `sector:arena` or `sector:arena:object`; the name of the
/// world may stand in front.
pub(crate) fn find(world: &World, written: &str) -> Option<PlaceId> {
    let written = written.trim();
    let inside = format!("{}{ADDRESS_SEPARATOR}{written}", world.name());
    let found = world.find(&inside).or_else(|| world.find(written));
    found.filter(|&place| place != world.root())
}

/// The address, as authors write it, that is most like one the map does not have: of the places
/// inside as much of it as exists, or else of all sectors and arenas.
pub(crate) fn most_like(world: &World, written: &str) -> Option<String> {
    let written = written.trim();
    if let Some((around, last)) = written.rsplit_once(ADDRESS_SEPARATOR)
        && let Some(around) = find(world, around)
    {
        let names = world.place(around).children.iter();
        let name = nearest(last, names.map(|&child| world.place(child).name.as_str()))?;
        return Some(format!("{}{ADDRESS_SEPARATOR}{name}", short(world, around)));
    }
    let addresses = world.places().iter().skip(1).map(|place| short(world, place.id));
    let addresses: Vec<String> = addresses.collect();
    nearest(written, addresses.iter().map(String::as_str))
}

/// An address without the name of the world.
pub(crate) fn short(world: &World, place: PlaceId) -> String {
    let address = world.address(place);
    let inside = address.strip_prefix(world.name());
    inside
        .and_then(|rest| rest.strip_prefix(ADDRESS_SEPARATOR))
        .map_or(address.clone(), str::to_owned)
}

/// What a resident knows who names nothing: the whole of the home's sector, and all else that
/// isn't private.
pub(crate) fn known_by_default(world: &World, home: PlaceId, private: &[PlaceId]) -> Vec<PlaceId> {
    let own = world.ancestor(home, PlaceKind::Sector);
    let is_private = |place: PlaceId| {
        let around = [PlaceKind::Object, PlaceKind::Arena, PlaceKind::Sector];
        around
            .iter()
            .any(|&kind| world.ancestor(place, kind).is_some_and(|p| private.contains(&p)))
    };
    let places = world.places().iter().skip(1).map(|place| place.id);
    places
        .filter(|&place| world.ancestor(place, PlaceKind::Sector) == own || !is_private(place))
        .collect()
}

/// What is private in a town whose residents' knowledge is all that is left of its files: in a sector where
/// somebody has a home, whatever most of those who live elsewhere, or all but one friend, don't know when the
/// story begins.
pub(crate) fn private_by_knowledge(world: &World, residents: &[Newcomer]) -> Vec<PlaceId> {
    let sector = |place: PlaceId| world.ancestor(place, PlaceKind::Sector);
    let is_private = |place: PlaceId| {
        let (mut at_home, mut elsewhere, mut know) = (false, 0, 0);
        for resident in residents {
            if sector(resident.identity.home) == sector(place) {
                at_home = true;
            } else {
                elsewhere += 1;
                know += usize::from(resident.known.contains(&place));
            }
        }
        at_home && (know < 2 || know * 2 <= elsewhere)
    };
    let places = world.places().iter().skip(1).map(|place| place.id);
    places.filter(|&place| is_private(place)).collect()
}

/// The named places with everything in and around them, and the whole of the home's sector.
pub(crate) fn known_by_name(world: &World, home: PlaceId, named: &[PlaceId]) -> Vec<PlaceId> {
    let own = world.ancestor(home, PlaceKind::Sector);
    let mut known: Vec<PlaceId> = Vec::new();
    for &place in named.iter().chain(&own) {
        let mut around = world.place(place).parent;
        while let Some(parent) = around.filter(|&parent| parent != world.root()) {
            known.push(parent);
            around = world.place(parent).parent;
        }
        let mut inside = vec![place];
        while let Some(next) = inside.pop() {
            known.push(next);
            inside.extend(&world.place(next).children);
        }
    }
    known.sort_unstable();
    known.dedup();
    known
}
