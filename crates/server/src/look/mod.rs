//! Looking at a run as it was at one moment, by id.
//!
//! What the command line prints and what the page shows of news, gatherings and changed plans is
//! found out here, once. Everything is read from the run file; nothing is kept.

pub mod gatherings;
pub mod news;
pub mod plans;

use townsfolk_store::{At, MemoryFilter, MemoryRow, MoveRow, RunInfo, RunReader, StoreError, Tick};
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::{PlaceId, PlaceKind, Tile};

/// How a run counts time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Game time of tick 0.
    pub start: GameTime,
    /// Game seconds per tick, at least 1.
    pub seconds_per_tick: i64,
}

impl Clock {
    /// The clock of a run.
    pub fn of(info: &RunInfo) -> Self {
        Self {
            start: GameTime::from_seconds(info.start),
            seconds_per_tick: i64::from(info.seconds_per_tick.max(1)),
        }
    }

    /// Game time of a tick.
    pub fn time(self, tick: Tick) -> GameTime {
        self.start + i64::from(tick) * self.seconds_per_tick
    }

    /// The tick that a game time falls in; negative before the start.
    pub fn tick(self, time: GameTime) -> i64 {
        (time - self.start).div_euclid(self.seconds_per_tick)
    }
}

/// A run at the end of one tick.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Its file.
    pub run: &'a RunReader,
    /// The town it was started with.
    pub town: &'a Town,
    /// How it counts time.
    pub clock: Clock,
    /// The tick.
    pub tick: Tick,
}

impl Look<'_> {
    /// Game time of the moment.
    pub fn now(&self) -> GameTime {
        self.clock.time(self.tick)
    }

    /// The sector of a place, itself included.
    pub fn sector(&self, place: Option<u32>) -> Option<PlaceId> {
        let place = self.town.world.places().get(place? as usize)?.id;
        self.town.world.ancestor(place, PlaceKind::Sector)
    }

    /// The sector that a tile lies in; none on the street.
    pub fn sector_at(&self, row: MoveRow) -> Option<PlaceId> {
        let tile = Tile { x: row.x, y: row.y };
        self.town
            .world
            .contains(tile)
            .then(|| self.town.world.spot(tile).sector)
            .flatten()
    }
}

/// What everybody remembers at a moment.
#[derive(Debug)]
pub struct Memories(Vec<Vec<At<MemoryRow>>>);

impl Memories {
    /// Reads them, for everybody who lives there or visits by then.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn read(look: &Look<'_>) -> Result<Self, StoreError> {
        let filter = MemoryFilter {
            until: Some(look.tick),
            ..MemoryFilter::default()
        };
        let residents = look.run.residents()?;
        let read = residents
            .iter()
            .map(|resident| look.run.memories(resident.id, &filter));
        Ok(Self(read.collect::<Result<_, _>>()?))
    }

    /// All of them, by resident and id.
    pub fn all(&self) -> impl Iterator<Item = &At<MemoryRow>> {
        self.0.iter().flatten()
    }

    /// One of them.
    pub fn get(&self, resident: u32, id: u32) -> Option<&At<MemoryRow>> {
        self.0.get(resident as usize)?.get(id as usize)
    }
}
