//! A run at one of its moments, with what every view needs: names, places, the clock.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use townsfolk_engine::Written;
use townsfolk_server::look::Look;
use townsfolk_store::{At, CallRecord, MoveRow, ResidentRow, RunInfo, RunReader, Tick};
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
    /// The tick looked at; the first where nothing has happened yet.
    pub(crate) tick: Tick,
    /// Whether anything has happened in it.
    pub(crate) has_begun: bool,
    /// The town it was started with.
    pub(crate) town: Town,
    /// Everybody who was in town by then, by id: the town's own residents, who joined, visitors.
    pub(crate) people: Vec<ResidentRow>,
}

impl RunAt {
    /// Opens a run to look at it at a moment, or at its last one.
    ///
    /// # Errors
    /// When the file is no run or has no tick yet, and when the run does not reach the moment.
    pub(crate) fn open(path: &Path, at: Option<When>) -> Result<Self, Failure> {
        let run = Self::open_early(path, at)?;
        if run.has_begun {
            return Ok(run);
        }
        let file = words::path(path);
        let waiting = run.reader.unused_calls()?.len();
        let paid = match waiting {
            0 => String::new(),
            _ => format!(
                " ({} not used yet; `townsfolk inspect {file} calls` shows what was asked)",
                words::count(waiting, "call was made and is", "calls were made and are")
            ),
        };
        Err(Failure::Usage(anyhow!(
            "{file}: nothing has happened in it yet{paid}; start it with `townsfolk resume {file}`"
        )))
    }

    /// Opens a run to look at it at a moment, or at its last one, also where nothing has happened in it yet.
    ///
    /// # Errors
    /// When the file is no run, and when the run does not reach the moment.
    pub(crate) fn open_early(path: &Path, at: Option<When>) -> Result<Self, Failure> {
        let reader = RunReader::open(path)?;
        let info = reader.info()?;
        let clock = Clock {
            start: GameTime::from_seconds(info.start),
            seconds_per_tick: i64::from(info.seconds_per_tick.max(1)),
        };
        let file = words::path(path);
        let head = info.head.unwrap_or(0);
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
        let mut people = reader.residents()?;
        people.retain(|person| person.came <= tick);
        Ok(Self {
            has_begun: info.head.is_some(),
            reader,
            info,
            clock,
            tick,
            town,
            people,
        })
    }

    /// Whether a tick is still to come.
    pub(crate) fn is_to_come(&self, tick: Tick) -> bool {
        self.info.head.is_none_or(|head| tick > head)
    }

    /// Calls that no tick rests on; none where an earlier moment than the last is looked at.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn unused_calls(&self) -> Result<Vec<CallRecord>, Failure> {
        match self.info.head {
            Some(head) if self.tick < head => Ok(Vec::new()),
            _ => Ok(self.reader.unused_calls()?),
        }
    }

    /// Game time of the moment.
    pub(crate) fn now(&self) -> GameTime {
        self.clock.time(self.tick)
    }

    /// Map and places.
    pub(crate) fn world(&self) -> &World {
        &self.town.world
    }

    /// How many residents there are or were; visitors are none.
    pub(crate) fn residents(&self) -> u32 {
        self.people.iter().filter(|person| person.role.is_none()).count() as u32
    }

    /// Somebody who is or was in town.
    pub(crate) fn person(&self, id: u32) -> Option<&ResidentRow> {
        self.people.iter().find(|person| person.id == id)
    }

    /// Whether somebody visits or visited the town, and does not live there.
    pub(crate) fn visits(&self, id: u32) -> bool {
        self.person(id).is_some_and(|person| person.role.is_some())
    }

    /// Whether somebody has left the town for good.
    pub(crate) fn has_left(&self, id: u32) -> bool {
        let left = self.person(id).and_then(|person| person.left);
        left.is_some_and(|left| left <= self.tick)
    }

    /// Somebody's full name.
    pub(crate) fn name(&self, id: u32) -> &str {
        self.person(id).map_or("somebody", |person| &person.name)
    }

    /// Somebody's full name, and of visitors what they are: `Dana Reed (a reporter)`.
    pub(crate) fn who(&self, id: u32) -> String {
        let name = self.name(id);
        match self.person(id).and_then(|person| person.role.as_deref()) {
            Some("") => format!("{name} (a visitor)"),
            Some(role) => format!("{name} ({role})"),
            None => name.to_owned(),
        }
    }

    /// Whoever `asked` means, of all who are or were in town.
    ///
    /// # Errors
    /// When nobody or more than one is called that, and when they come only later.
    pub(crate) fn resident(&self, asked: &str) -> Result<u32, Failure> {
        let names: Vec<&str> = self.people.iter().map(|person| &*person.name).collect();
        let error = match people::find(&names, asked) {
            Ok(index) => return Ok(self.people[index].id),
            Err(error) => error,
        };
        if let Some(later) = self.expected(asked)? {
            return Err(Failure::Usage(later));
        }
        Err(Failure::usage(error))
    }

    /// Why somebody who comes after this moment cannot be looked at yet.
    fn expected(&self, asked: &str) -> Result<Option<anyhow::Error>, Failure> {
        let mut coming: Vec<(String, Tick)> = Vec::new();
        for person in self.reader.residents()? {
            if person.came > self.tick {
                coming.push((person.name, person.came));
            }
        }
        for At { tick, row } in self.reader.inputs(self.tick.saturating_add(1)..=Tick::MAX)? {
            let name = match serde_json::from_str::<Written>(&row.json) {
                Ok(Written::Join { newcomer }) => newcomer.identity.name.to_string(),
                Ok(Written::Arrive { name, .. }) => name.trim().to_owned(),
                _ => continue,
            };
            if coming.iter().all(|(known, _)| *known != name) {
                coming.push((name, tick));
            }
        }
        let names: Vec<&str> = coming.iter().map(|(name, _)| name.as_str()).collect();
        let Ok(index) = people::find(&names, asked) else {
            return Ok(None);
        };
        let (name, tick) = &coming[index];
        Ok(Some(anyhow!(
            "{name} is not in town yet; they come at {} (tick {tick})",
            words::moment_with_year(self.clock.time(*tick))
        )))
    }

    /// The same for one that need not be given.
    pub(crate) fn maybe_resident(&self, asked: Option<&str>) -> Result<Option<u32>, Failure> {
        asked.map(|asked| self.resident(asked)).transpose()
    }

    /// A place in words, widest first and without the world: `Copper Kettle Cafe, kitchen, stove`.
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
