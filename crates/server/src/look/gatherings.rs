//! What residents meant to attend together: whose it was, who heard of it, who accepted or declined,
//! and who came.
//!
//! Who came is not taken from anybody's words: they stood on a tile of the place's sector while the
//! occasion lasted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_store::{AppointmentRow, StoreError, Tick};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;
use utoipa::ToSchema;

use super::{Look, Memories, news};

/// Something that more than one resident heard of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Gathering {
    /// What it is, in the host's words.
    pub what: String,
    /// Whose it is.
    pub host: u32,
    /// Where.
    pub place: Option<u32>,
    /// Game time at which it starts, in seconds since 1970.
    pub start: i64,
    /// Game time at which it ends.
    pub end: i64,
    /// How it stands at the moment looked at.
    pub stage: Stage,
    /// Who knows of it besides the host.
    pub heard: Vec<u32>,
    /// Who said they would come.
    pub accepted: Vec<u32>,
    /// Who said they would not.
    pub declined: Vec<Declined>,
    /// Who of those who knew was there, and for how long.
    pub came: Vec<Stay>,
    /// Who was there without having heard of it.
    pub also_there: Vec<Stay>,
}

/// How a gathering stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It has not begun.
    Ahead,
    /// It has begun and not ended.
    GoingOn,
    /// It has ended.
    Over,
}

/// Somebody who declined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Declined {
    /// Who.
    pub resident: u32,
    /// Why, in their words.
    pub reason: String,
}

/// Somebody who was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stay {
    /// Who.
    pub resident: u32,
    /// For how many minutes of game time.
    pub minutes: i64,
}

/// The gatherings that more than one resident heard of, by start and host.
///
/// # Errors
/// [`StoreError::Torn`].
pub fn all(look: &Look<'_>, memories: &Memories) -> Result<Vec<Gathering>, StoreError> {
    let mut held: BTreeMap<(i64, u32), Vec<AppointmentRow>> = BTreeMap::new();
    for resident in look.run.residents()? {
        for appointment in look.run.appointments(resident.id, look.tick)? {
            let row = appointment.row;
            held.entry((row.start, row.host)).or_default().push(row);
        }
    }
    let mut gatherings = Vec::new();
    for ((_, host), rows) in held {
        let mut aware: BTreeSet<u32> = rows.iter().map(|row| row.resident).collect();
        for memory in known_through(host, &rows, memories) {
            aware.extend(news::who_heard(host, memory, memories));
        }
        aware.insert(host);
        if aware.len() > 1 {
            gatherings.extend(gathering(look, host, &rows, &aware)?);
        }
    }
    Ok(gatherings)
}

/// The host's memories that speak of a gathering: the one it was fixed by, and those that name it.
fn known_through(host: u32, rows: &[AppointmentRow], memories: &Memories) -> BTreeSet<u32> {
    let own = rows.iter().filter(|row| row.resident == host);
    let names: Vec<String> = own.clone().map(|row| row.what.to_lowercase()).collect();
    let named = memories.all().filter(|memory| {
        let text = memory.row.text.to_lowercase();
        memory.row.resident == host && names.iter().any(|name| !name.is_empty() && text.contains(name))
    });
    own.filter_map(|row| row.memory)
        .chain(named.map(|memory| memory.row.id))
        .collect()
}

/// None for a gathering that nobody holds, which no list of rows gives.
fn gathering(
    look: &Look<'_>,
    host: u32,
    rows: &[AppointmentRow],
    aware: &BTreeSet<u32>,
) -> Result<Option<Gathering>, StoreError> {
    // The host's own words and place count where there are any.
    let own = rows.iter().find(|row| row.resident == host);
    let Some(main) = own.or(rows.first()) else {
        return Ok(None);
    };
    let place = main.place.or_else(|| rows.iter().find_map(|row| row.place));
    let (start, end) = (
        GameTime::from_seconds(main.start),
        GameTime::from_seconds(main.end),
    );
    let last_word: BTreeMap<u32, &AppointmentRow> = rows.iter().map(|row| (row.resident, row)).collect();
    let with_status = |status: &'static str| {
        last_word
            .values()
            .filter(move |row| row.status == status && row.resident != host)
    };
    let stays = match look.sector(place) {
        Some(sector) => stays(look, sector, start, end)?,
        None => BTreeMap::new(),
    };
    let there = |wanted: bool| {
        let stays = stays.iter().filter(|(id, _)| aware.contains(id) == wanted);
        let stay = |(resident, minutes): (&u32, &i64)| Stay {
            resident: *resident,
            minutes: *minutes,
        };
        stays.map(stay).collect()
    };
    Ok(Some(Gathering {
        what: main.what.clone(),
        host,
        place,
        start: main.start,
        end: main.end,
        stage: match look.now() {
            now if now < start => Stage::Ahead,
            now if now < end => Stage::GoingOn,
            _ => Stage::Over,
        },
        heard: aware.iter().copied().filter(|id| *id != host).collect(),
        accepted: with_status("accepted").map(|row| row.resident).collect(),
        declined: with_status("declined")
            .map(|row| Declined {
                resident: row.resident,
                reason: row.reason.clone(),
            })
            .collect(),
        came: there(true),
        also_there: there(false),
    }))
}

/// For how many minutes each resident stood in `sector` between two times, as far as the run goes.
fn stays(
    look: &Look<'_>,
    sector: PlaceId,
    start: GameTime,
    end: GameTime,
) -> Result<BTreeMap<u32, i64>, StoreError> {
    let (first, last) = (
        look.clock.tick(start).max(0),
        look.clock.tick(end).min(i64::from(look.tick) + 1),
    );
    if first >= last {
        return Ok(BTreeMap::new());
    }
    // Both lie between tick 0 and the moment looked at.
    let (first, last) = (first as Tick, last as Tick);
    let inside = |row| look.sector_at(row) == Some(sector);
    let mut since: BTreeMap<u32, Tick> = BTreeMap::new();
    for at in look.run.positions(first)?.into_iter().filter(|at| inside(at.row)) {
        since.insert(at.row.resident, first);
    }
    let mut ticks: BTreeMap<u32, Tick> = BTreeMap::new();
    for at in look.run.moves(first + 1..=last.max(first + 1) - 1)? {
        match (inside(at.row), since.contains_key(&at.row.resident)) {
            (true, false) => {
                since.insert(at.row.resident, at.tick);
            }
            (false, true) => {
                if let Some(from) = since.remove(&at.row.resident) {
                    *ticks.entry(at.row.resident).or_default() += at.tick - from;
                }
            }
            _ => {}
        }
    }
    for (resident, from) in since {
        *ticks.entry(resident).or_default() += last - from;
    }
    let minutes = |ticks: Tick| i64::from(ticks) * look.clock.seconds_per_tick / 60;
    Ok(ticks
        .into_iter()
        .map(|(resident, ticks)| (resident, minutes(ticks)))
        .collect())
}
