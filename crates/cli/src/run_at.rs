//! A run at one of its moments, with what every view needs: names, places, the clock.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use townsfolk_server::look::Look;
use townsfolk_store::{MoveRow, RunInfo, RunReader, Tick};
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::{PlaceKind, Tile, World};

use crate::failure::Failure;
use crate::people;
use crate::when::{Clock, When};
use crate::words;

/// A run, looked at as it was at the end of a tick.
pub(crate) struct RunAt {
    /// The file.
    pub(crate) reader: RunReader,
    /// What the run says about itself.
    pub(crate) info: RunInfo,
    /// How it counts time.
    pub(crate) clock: Clock,
    /// The tick looked at.
    pub(crate) tick: Tick,
    /// The town it was started with.
    pub(crate) town: Town,
}

impl RunAt {
    /// Opens a run to look at it at a moment, or at its last one.
    ///
    /// # Errors
    /// When the file is no run or has no tick yet, and when the run does not reach the moment.
    pub(crate) fn open(path: &Path, at: Option<When>) -> Result<Self, Failure> {
        let reader = RunReader::open(path)?;
        let info = reader.info()?;
        let clock = Clock {
            start: GameTime::from_seconds(info.start),
            seconds_per_tick: i64::from(info.seconds_per_tick.max(1)),
        };
        let file = words::path(path);
        let Some(head) = info.head else {
            let spent = reader.spent()?;
            let calls: u64 = spent.iter().map(|spent| spent.calls).sum();
            let tokens: u64 = spent.iter().map(|spent| spent.tokens_in + spent.tokens_out).sum();
            let paid = match calls {
                0 => String::new(),
                _ => format!(
                    " ({} with {} paid for wait in it)",
                    words::count(calls, "call", "calls"),
                    words::count(tokens, "token", "tokens")
                ),
            };
            let advice = format!(
                "{file}: nothing has happened in it yet{paid}; start it with `townsfolk resume {file}`"
            );
            return Err(Failure::Usage(anyhow!(advice)));
        };
        let tick = match at {
            Some(when) => clock
                .tick(when, head)
                .with_context(|| file.clone())
                .map_err(Failure::Usage)?,
            None => head,
        };
        let parts = reader.town()?;
        let part = parts.iter().find(|part| part.part == "town");
        let part = part
            .ok_or_else(|| Failure::Failed(anyhow!("{file}: holds no town; was it written by Townsfolk?")))?;
        let town = serde_json::from_str(&part.data)
            .with_context(|| {
                format!("{file}: the town in it cannot be read; use the version of townsfolk that wrote it")
            })
            .map_err(Failure::Failed)?;
        Ok(Self {
            reader,
            info,
            clock,
            tick,
            town,
        })
    }

    /// Game time of the moment.
    pub(crate) fn now(&self) -> GameTime {
        self.clock.time(self.tick)
    }

    /// Map and places.
    pub(crate) fn world(&self) -> &World {
        &self.town.world
    }

    /// How many residents there are.
    pub(crate) fn residents(&self) -> u32 {
        self.town.residents.len() as u32
    }

    /// A resident's full name.
    pub(crate) fn name(&self, id: u32) -> &str {
        self.town
            .residents
            .get(id as usize)
            .map_or("somebody", |resident| &resident.identity.name)
    }

    /// The resident that `asked` means.
    ///
    /// # Errors
    /// When nobody or more than one is called that.
    pub(crate) fn resident(&self, asked: &str) -> Result<u32, Failure> {
        let names: Vec<&str> = self
            .town
            .residents
            .iter()
            .map(|resident| &*resident.identity.name)
            .collect();
        people::find(&names, asked)
            .map(|index| index as u32)
            .map_err(Failure::usage)
    }

    /// The same for one that need not be given.
    pub(crate) fn maybe_resident(&self, asked: Option<&str>) -> Result<Option<u32>, Failure> {
        asked.map(|asked| self.resident(asked)).transpose()
    }

    /// A place in words, widest first and without the world: `Kettle and Crumb, kitchen, stove`.
    pub(crate) fn place(&self, id: Option<u32>) -> Option<String> {
        let world = self.world();
        let mut at = world.places().get(id? as usize);
        let mut names: Vec<&str> = Vec::new();
        while let Some(place) = at.filter(|place| place.kind != PlaceKind::World) {
            names.insert(0, &place.name);
            at = place.parent.map(|parent| world.place(parent));
        }
        Some(if names.is_empty() {
            world.name().to_owned()
        } else {
            names.join(", ")
        })
    }

    /// The same moment, by ids.
    pub(crate) fn look(&self) -> Look<'_> {
        Look {
            run: &self.reader,
            town: &self.town,
            clock: townsfolk_server::look::Clock::of(&self.info),
            tick: self.tick,
        }
    }

    /// The name of the sector of a tile; the street where there is none.
    pub(crate) fn sector_at(&self, row: MoveRow) -> String {
        let spot = self.world().spot(Tile { x: row.x, y: row.y });
        spot.sector.map_or("the street".to_owned(), |sector| {
            self.world().place(sector).name.clone()
        })
    }
}
