//! `spatial_memory.json`: the places a resident knows, as a tree of names; and a home's address.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use townsfolk_world::{ADDRESS_SEPARATOR, PlaceId, World};

use crate::names::{self, Found};
use crate::{ImportFault, Note};

/// World, sectors, arenas, and lists of objects.
pub(crate) type SpatialMemory = BTreeMap<String, BTreeMap<String, BTreeMap<String, Objects>>>;

/// The objects of an arena. Some bases write an empty arena as `{}`.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Objects {
    /// Their names.
    List(Vec<String>),
    /// None of them; names as keys are taken as well.
    Tree(BTreeMap<String, serde::de::IgnoredAny>),
}

impl Objects {
    fn names(&self) -> Box<dyn Iterator<Item = &String> + '_> {
        match self {
            Objects::List(names) => Box::new(names.iter()),
            Objects::Tree(tree) => Box::new(tree.keys()),
        }
    }
}

/// Looks names up in the world for one resident and notes what does not fit.
pub(crate) struct Finder<'a> {
    pub(crate) world: &'a World,
    pub(crate) resident: &'a str,
    pub(crate) notes: &'a mut Vec<Note>,
}

impl Finder<'_> {
    /// Every place of the tree that the map has, without the world itself, in order of id.
    pub(crate) fn known(&mut self, tree: &SpatialMemory) -> BTreeSet<PlaceId> {
        let mut known = BTreeSet::new();
        for (world, sectors) in tree {
            let Some(root) = self.top(world) else {
                continue;
            };
            for (sector, arenas) in sectors {
                let Some(sector) = self.known_child(root, sector) else {
                    continue;
                };
                known.insert(sector);
                for (arena, objects) in arenas {
                    let Some(arena) = self.known_child(sector, arena) else {
                        continue;
                    };
                    known.insert(arena);
                    known.extend(objects.names().filter_map(|name| self.known_child(arena, name)));
                }
            }
        }
        known
    }

    /// The sector or arena at the address; an object's address gives its arena.
    pub(crate) fn home(&mut self, address: &str) -> Result<PlaceId, ImportFault> {
        let no_home = |nearest| {
            let address = address.to_owned();
            ImportFault::NoHome { address, nearest }
        };
        let mut parts = address.split(ADDRESS_SEPARATOR).take(3);
        let world = parts.next().unwrap_or_default();
        let mut at = match self.find_top(world) {
            Some(found) => found.item(),
            None => return Err(no_home(Some(self.world.name().to_owned()))),
        };
        let mut is_loose = false;
        for name in parts {
            at = match self.find_child(at, name) {
                Some(Found::Exactly(id)) => id,
                Some(Found::Loosely(id)) => {
                    is_loose = true;
                    id
                }
                None => return Err(no_home(self.nearest_child(at, name))),
            };
        }
        if at == self.world.root() {
            return Err(no_home(None));
        }
        if is_loose {
            self.note_loose(address.to_owned(), at);
        }
        Ok(at)
    }

    fn top(&mut self, name: &str) -> Option<PlaceId> {
        match self.find_top(name) {
            Some(found) => Some(found.item()),
            None => {
                self.note_unknown(name.to_owned(), Some(self.world.name().to_owned()));
                None
            }
        }
    }

    fn known_child(&mut self, parent: PlaceId, name: &str) -> Option<PlaceId> {
        let address = || format!("{}{ADDRESS_SEPARATOR}{name}", self.world.address(parent));
        match self.find_child(parent, name) {
            Some(Found::Exactly(id)) => Some(id),
            Some(Found::Loosely(id)) => {
                self.note_loose(address(), id);
                Some(id)
            }
            None => {
                let nearest = self.nearest_child(parent, name);
                self.note_unknown(address(), nearest);
                None
            }
        }
    }

    fn find_top(&self, name: &str) -> Option<Found<PlaceId>> {
        names::find(name, std::iter::once((self.world.name(), self.world.root())))
    }

    fn find_child(&self, parent: PlaceId, name: &str) -> Option<Found<PlaceId>> {
        let children = self.world.place(parent).children.iter();
        names::find(name, children.map(|&id| (self.world.place(id).name.as_str(), id)))
    }

    fn nearest_child(&self, parent: PlaceId, name: &str) -> Option<String> {
        let children = self.world.place(parent).children.iter();
        names::nearest(name, children.map(|&id| self.world.place(id).name.as_str()))
    }

    fn note_unknown(&mut self, address: String, nearest: Option<String>) {
        let resident = self.resident.to_owned();
        self.notes.push(Note::UnknownPlace {
            resident,
            address,
            nearest,
        });
    }

    fn note_loose(&mut self, address: String, taken: PlaceId) {
        let (resident, taken) = (self.resident.to_owned(), self.world.address(taken));
        self.notes.push(Note::LooseName {
            resident,
            address,
            taken,
        });
    }
}
