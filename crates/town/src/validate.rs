//! What must hold of any town before a run starts from it.

use townsfolk_mind::ResidentId;
use townsfolk_world::{PlaceKind, Tile};

use crate::Town;

/// The greatest age a resident may have, in years.
pub const MAX_AGE: u16 = 150;
/// The longest tick, in game seconds: an hour.
pub const MAX_SECONDS_PER_TICK: u32 = 3_600;

/// What makes a town impossible to run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Nobody lives there.
    #[error("nobody lives here; write at least one resident")]
    NoResidents,
    /// More residents than ids.
    #[error("{count} residents are more than a town can hold, which is {}", u16::MAX)]
    TooManyResidents {
        /// How many there are.
        count: usize,
    },
    /// A tick of no time, or too much.
    #[error("`seconds_per_tick` is {seconds}; it must be from 1 to {MAX_SECONDS_PER_TICK}")]
    TickLength {
        /// Its length.
        seconds: u32,
    },
    /// A resident's name is empty or holds control characters.
    #[error("`name` is {name:?}; it must be one line that says something")]
    Name {
        /// Who.
        resident: ResidentId,
        /// The name.
        name: String,
    },
    /// Two residents have one name, or names that differ only in upper and lower case.
    #[error("`name`: another resident is called \"{name}\" already; names must differ")]
    SameName {
        /// The second of them.
        resident: ResidentId,
        /// The name both have.
        name: String,
    },
    /// An age nobody has.
    #[error("`age` is {years}; it must be from 0 to {MAX_AGE}")]
    Age {
        /// The age as given.
        years: i64,
    },
    /// An age nobody has, of a resident that was put together in code.
    #[error("the age of {name}, {years}, must be from 0 to {MAX_AGE}")]
    AgeOf {
        /// Who.
        resident: ResidentId,
        /// Their name.
        name: String,
        /// The age.
        years: u16,
    },
    /// A home that is no arena or sector of this map.
    #[error("`home`: {name} cannot live in \"{place}\"; a home is a sector or an arena")]
    Home {
        /// Who.
        resident: ResidentId,
        /// Their name.
        name: String,
        /// The address, or number, of the place.
        place: String,
    },
    /// A start where one cannot stand.
    #[error("`start`: {name} cannot stand at {tile}, which is {fault}")]
    Start {
        /// Who.
        resident: ResidentId,
        /// Their name.
        name: String,
        /// Where.
        tile: Tile,
        /// `in a wall` or `outside the map`.
        fault: &'static str,
    },
    /// Home cannot be walked to from the start.
    #[error("`home`: {name} cannot walk home to \"{home}\" from {start}; open a door on the way")]
    HomeUnreachable {
        /// Who.
        resident: ResidentId,
        /// Their name.
        name: String,
        /// Address of the home.
        home: String,
        /// Where the walk starts.
        start: Tile,
    },
    /// The known places are not places of the map, each once, in order of id.
    #[error("the places known to {name} are not places of this map, each once, in order of id")]
    Known {
        /// Who.
        resident: ResidentId,
        /// Their name.
        name: String,
    },
}

impl Flaw {
    /// Whom it concerns, where it concerns one resident.
    pub fn resident(&self) -> Option<ResidentId> {
        match self {
            Flaw::Name { resident, .. }
            | Flaw::SameName { resident, .. }
            | Flaw::AgeOf { resident, .. }
            | Flaw::Home { resident, .. }
            | Flaw::Start { resident, .. }
            | Flaw::HomeUnreachable { resident, .. }
            | Flaw::Known { resident, .. } => Some(*resident),
            _ => None,
        }
    }

    /// The key of a town's files that it concerns.
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Flaw::TickLength { .. } => Some("seconds_per_tick"),
            Flaw::Name { .. } | Flaw::SameName { .. } => Some("name"),
            Flaw::Age { .. } | Flaw::AgeOf { .. } => Some("age"),
            Flaw::Home { .. } | Flaw::HomeUnreachable { .. } => Some("home"),
            Flaw::Start { .. } => Some("start"),
            Flaw::NoResidents | Flaw::TooManyResidents { .. } | Flaw::Known { .. } => None,
        }
    }
}

/// Whether a character cannot be seen and changes what is around it: control characters, and those that turn the
/// direction of writing. No name has one.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Town {
    /// Checks what every run relies on: residents with names of their own, homes that exist and can
    /// be walked to from where their people stand, ticks that take time.
    ///
    /// # Errors
    /// The first [`Flaw`] found, in the order of the residents.
    pub fn validate(&self) -> Result<(), Flaw> {
        if !(1..=MAX_SECONDS_PER_TICK).contains(&self.seconds_per_tick) {
            return Err(Flaw::TickLength {
                seconds: self.seconds_per_tick,
            });
        }
        let count = self.residents.len();
        if count == 0 {
            return Err(Flaw::NoResidents);
        }
        if count > usize::from(u16::MAX) {
            return Err(Flaw::TooManyResidents { count });
        }
        let mut names = std::collections::BTreeSet::new();
        for (index, id) in (0..count).zip(0..) {
            self.validate_resident(index, ResidentId(id))?;
            let name = &self.residents[index].identity.name;
            if !names.insert(name.to_lowercase()) {
                return Err(Flaw::SameName {
                    resident: ResidentId(id),
                    name: name.to_string(),
                });
            }
        }
        Ok(())
    }

    fn validate_resident(&self, index: usize, resident: ResidentId) -> Result<(), Flaw> {
        let newcomer = &self.residents[index];
        let who = &newcomer.identity;
        let name = who.name.to_string();
        if name.trim().is_empty() || name.contains(is_hidden) {
            return Err(Flaw::Name { resident, name });
        }
        if let Some(years) = who.age.filter(|&years| years > MAX_AGE) {
            return Err(Flaw::AgeOf {
                resident,
                name,
                years,
            });
        }
        let home = self.world.places().get(who.home.index());
        if !home.is_some_and(|home| matches!(home.kind, PlaceKind::Sector | PlaceKind::Arena)) {
            let place = match home {
                Some(home) => self.world.address(home.id),
                None => format!("place number {}", who.home.index()),
            };
            return Err(Flaw::Home {
                resident,
                name,
                place,
            });
        }
        let tile = newcomer.start;
        if !self.world.walkable(tile) {
            let fault = if self.world.contains(tile) {
                "in a wall"
            } else {
                "outside the map"
            };
            return Err(Flaw::Start {
                resident,
                name,
                tile,
                fault,
            });
        }
        let known = &newcomer.known;
        let is_place = known
            .last()
            .is_none_or(|last| last.index() < self.world.places().len());
        if !is_place || !known.is_sorted_by(|a, b| a < b) {
            return Err(Flaw::Known { resident, name });
        }
        if self.world.path_to_place(tile, who.home).is_none() {
            return Err(Flaw::HomeUnreachable {
                resident,
                name,
                home: self.world.address(who.home),
                start: tile,
            });
        }
        Ok(())
    }
}
