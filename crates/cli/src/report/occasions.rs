//! What residents meant to attend together: whose it was, who heard of it, who accepted or declined,
//! and who came.
//!
//! Who came is not taken from anybody's words: they stood on a tile of the place's sector while the
//! occasion lasted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_store::{AppointmentRow, MoveRow, Tick};
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile};

use super::{Memories, news};
use crate::failure::Failure;
use crate::run_at::RunAt;

/// Something that more than one resident heard of.
#[derive(Debug, Serialize)]
pub(crate) struct Occasion {
    pub(crate) what: String,
    pub(crate) host: String,
    pub(crate) place: Option<String>,
    pub(crate) start: String,
    pub(crate) end: String,
    /// How it stands at the moment looked at.
    pub(crate) stage: Stage,
    /// Who knows of it besides the host.
    pub(crate) heard: Vec<String>,
    pub(crate) accepted: Vec<String>,
    pub(crate) declined: Vec<Declined>,
    /// Who of those was there, and for how long.
    pub(crate) came: Vec<Stay>,
    /// Who was there without having heard of it.
    pub(crate) also_there: Vec<Stay>,
    #[serde(skip)]
    pub(super) times: (GameTime, GameTime),
}

/// How an occasion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    Ahead,
    GoingOn,
    Over,
}

/// Somebody who declined.
#[derive(Debug, Serialize)]
pub(crate) struct Declined {
    pub(crate) resident: String,
    pub(crate) reason: String,
}

/// Somebody who was there.
#[derive(Debug, Serialize)]
pub(crate) struct Stay {
    pub(crate) resident: String,
    pub(crate) minutes: i64,
}

/// The occasions that more than one resident heard of, by start.
pub(super) fn all(run: &RunAt, memories: &Memories) -> Result<Vec<Occasion>, Failure> {
    let mut held: BTreeMap<(i64, u32), Vec<AppointmentRow>> = BTreeMap::new();
    for resident in 0..run.residents() {
        for appointment in run.reader.appointments(resident, run.tick)? {
            let row = appointment.row;
            held.entry((row.start, row.host)).or_default().push(row);
        }
    }
    let mut occasions = Vec::new();
    for ((_, host), rows) in held {
        let mut aware: BTreeSet<u32> = rows.iter().map(|row| row.resident).collect();
        for memory in known_through(host, &rows, memories) {
            aware.extend(news::who_heard((host, memory), memories));
        }
        aware.insert(host);
        if aware.len() > 1 {
            occasions.push(occasion(run, host, &rows, &aware)?);
        }
    }
    Ok(occasions)
}

/// The host's memories that speak of an occasion: the one it was fixed by, and those that name it.
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

fn occasion(
    run: &RunAt,
    host: u32,
    rows: &[AppointmentRow],
    aware: &BTreeSet<u32>,
) -> Result<Occasion, Failure> {
    // The host's own words and place count where there are any.
    let own = rows.iter().find(|row| row.resident == host);
    let main = own
        .or(rows.first())
        .ok_or_else(|| Failure::Failed(anyhow::anyhow!("an occasion nobody holds")))?;
    let place = main.place.or_else(|| rows.iter().find_map(|row| row.place));
    let (start, end) = (
        GameTime::from_seconds(main.start),
        GameTime::from_seconds(main.end),
    );
    let name = |id: &u32| run.name(*id).to_owned();
    let with_status = |status: &str| {
        let last_word: BTreeMap<u32, &AppointmentRow> = rows.iter().map(|row| (row.resident, row)).collect();
        let status = status.to_owned();
        last_word
            .into_values()
            .filter(move |row| row.status == status && row.resident != host)
    };
    let stays = match run.sector(place) {
        Some(sector) => stays(run, sector, start, end)?,
        None => BTreeMap::new(),
    };
    let there = |wanted: bool| {
        let stays = stays.iter().filter(|(id, _)| aware.contains(id) == wanted);
        stays
            .map(|(id, minutes)| Stay {
                resident: name(id),
                minutes: *minutes,
            })
            .collect()
    };
    Ok(Occasion {
        what: main.what.clone(),
        host: name(&host),
        place: run.place(place),
        start: start.to_string(),
        end: end.to_string(),
        stage: match run.now() {
            now if now < start => Stage::Ahead,
            now if now < end => Stage::GoingOn,
            _ => Stage::Over,
        },
        heard: aware.iter().filter(|id| **id != host).map(name).collect(),
        accepted: with_status("accepted").map(|row| name(&row.resident)).collect(),
        declined: with_status("declined")
            .map(|row| Declined {
                resident: name(&row.resident),
                reason: row.reason.clone(),
            })
            .collect(),
        came: there(true),
        also_there: there(false),
        times: (start, end),
    })
}

/// For how many minutes each resident stood in `sector` between two times, as far as the run goes.
fn stays(
    run: &RunAt,
    sector: PlaceId,
    start: GameTime,
    end: GameTime,
) -> Result<BTreeMap<u32, i64>, Failure> {
    let tick = |time: GameTime| (time - run.clock.start).div_euclid(run.clock.seconds_per_tick);
    let (first, last) = (tick(start).max(0), tick(end).min(i64::from(run.tick) + 1));
    if first >= last {
        return Ok(BTreeMap::new());
    }
    // Both lie between tick 0 and the moment looked at.
    let (first, last) = (first as Tick, last as Tick);
    let inside = |row: MoveRow| run.world().spot(Tile { x: row.x, y: row.y }).sector == Some(sector);
    let mut since: BTreeMap<u32, Tick> = BTreeMap::new();
    for at in run
        .reader
        .positions(first)?
        .into_iter()
        .filter(|at| inside(at.row))
    {
        since.insert(at.row.resident, first);
    }
    let mut ticks: BTreeMap<u32, Tick> = BTreeMap::new();
    for at in run.reader.moves(first + 1..=last.max(first + 1) - 1)? {
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
    let minutes = |ticks: Tick| i64::from(ticks) * run.clock.seconds_per_tick / 60;
    Ok(ticks
        .into_iter()
        .map(|(resident, ticks)| (resident, minutes(ticks)))
        .collect())
}
