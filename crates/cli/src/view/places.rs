//! Where residents are, and where one of them has spent the time.

use std::collections::BTreeMap;

use serde::Serialize;
use townsfolk_store::Tick;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Everybody, and where they are.
#[derive(Serialize)]
pub(super) struct Everybody {
    residents: Vec<Present>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Present {
    resident: String,
    /// What a visitor is; none for residents.
    role: Option<String>,
    tile: (u16, u16),
    place: String,
    activity: String,
    status: &'static str,
    emoji: String,
    /// The name, and of visitors what they are.
    #[serde(skip)]
    who: String,
}

impl Everybody {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        let actions = run.reader.actions(run.tick)?;
        let mut residents = Vec::new();
        for at in run.reader.positions(run.tick)? {
            let id = at.row.resident;
            let left = run.has_left(id);
            let action = actions.iter().find(|action| action.row.resident == id && !left);
            residents.push(Present {
                resident: run.name(id).to_owned(),
                role: run.person(id).and_then(|person| person.role.clone()),
                who: run.who(id),
                tile: (at.row.x, at.row.y),
                place: run.sector_at(at.row),
                activity: action
                    .map(|action| action.row.activity.clone())
                    .unwrap_or_default(),
                status: match action {
                    _ if left => "has left",
                    Some(action) => action.row.status.as_str(),
                    None => "",
                },
                emoji: action.map(|action| action.row.emoji.clone()).unwrap_or_default(),
            });
        }
        Ok(Self {
            residents,
            moment: Moment::of(run),
        })
    }
}

impl View for Everybody {
    fn write(&self, page: &mut Page) {
        head(page, "Everybody", &self.moment);
        let mut rows = Vec::new();
        for present in &self.residents {
            rows.push(vec![
                page.look(Look::Name, &present.who),
                present.place.clone(),
                page.look(Look::Faint, format!("{},{}", present.tile.0, present.tile.1)),
                page.look(Look::Faint, present.status),
                present.activity.clone(),
            ]);
        }
        page.table(0, &rows);
    }
}

/// Where one resident has spent the time.
#[derive(Serialize)]
pub(super) struct Visits {
    resident: String,
    places: Vec<Visited>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Visited {
    place: String,
    minutes: i64,
    visits: u32,
    /// When it was last entered.
    last: String,
    here: bool,
    #[serde(skip)]
    seconds: i64,
}

impl Visits {
    pub(super) fn of(run: &RunAt, resident: u32) -> Result<Self, Failure> {
        let moves = run
            .reader
            .moves(0..=run.tick)?
            .into_iter()
            .filter(|at| at.row.resident == resident);
        // Stays: the sector, and the tick from which on.
        let mut stays: Vec<(String, Tick)> = Vec::new();
        for at in moves {
            let place = run.sector_at(at.row);
            if stays.last().is_none_or(|(last, _)| *last != place) {
                stays.push((place, at.tick));
            }
        }
        let left = run.person(resident).and_then(|person| person.left);
        let end = left.map_or(run.tick, |left| left.min(run.tick));
        let mut places: BTreeMap<&str, Visited> = BTreeMap::new();
        for (index, (place, from)) in stays.iter().enumerate() {
            let last = index + 1 == stays.len();
            let to = stays.get(index + 1).map_or(end, |(_, next)| *next);
            let visited = places.entry(place).or_insert_with(|| Visited {
                place: place.clone(),
                minutes: 0,
                visits: 0,
                last: String::new(),
                here: false,
                seconds: 0,
            });
            visited.visits += 1;
            visited.seconds += i64::from(to - from) * run.clock.seconds_per_tick;
            visited.minutes = visited.seconds / 60;
            visited.last = run.clock.time(*from).to_string();
            visited.here = last && !run.has_left(resident);
        }
        let mut places: Vec<Visited> = places.into_values().collect();
        places.sort_by_key(|visited| std::cmp::Reverse(visited.seconds));
        Ok(Self {
            resident: run.name(resident).to_owned(),
            places,
            moment: Moment::of(run),
        })
    }
}

impl View for Visits {
    fn write(&self, page: &mut Page) {
        head(page, &format!("Where {} has been", self.resident), &self.moment);
        let mut rows = Vec::new();
        for visited in &self.places {
            rows.push(vec![
                visited.place.clone(),
                words::span(visited.seconds),
                words::count(visited.visits, "visit", "visits"),
                if visited.here {
                    page.look(Look::Strong, "here now")
                } else {
                    String::new()
                },
            ]);
        }
        page.table(0, &rows);
    }
}
