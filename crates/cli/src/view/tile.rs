//! What and who is on a tile of the map.

use serde::Serialize;
use townsfolk_world::{PlaceKind, Tile};

use super::{Moment, View, head, refuse};
use crate::failure::Failure;
use crate::page::Page;
use crate::run_at::RunAt;
use crate::words;

/// One tile.
#[derive(Serialize)]
pub(super) struct TileView {
    x: u16,
    y: u16,
    walkable: bool,
    sector: Option<String>,
    arena: Option<String>,
    object: Option<String>,
    /// The state of the object.
    state: Option<String>,
    /// Who brought it about.
    state_by: Option<String>,
    residents: Vec<String>,
    /// How often anybody stepped on it so far.
    steps: usize,
    #[serde(skip)]
    moment: Moment,
}

impl TileView {
    pub(super) fn of(run: &RunAt, (x, y): (u16, u16)) -> Result<Self, Failure> {
        let (world, tile) = (run.world(), Tile { x, y });
        if !world.contains(tile) {
            return refuse(format!(
                "tile {x},{y} lies outside the map, which goes from 0,0 to {},{}",
                world.width().saturating_sub(1),
                world.height().saturating_sub(1)
            ));
        }
        let spot = world.spot(tile);
        let name = |id: Option<townsfolk_world::PlaceId>| id.map(|id| world.place(id).name.clone());
        let states = run.reader.object_states(run.tick)?;
        let changed = spot
            .object
            .and_then(|id| states.iter().find(|at| at.row.place as usize == id.index()));
        let usual = spot.object.and_then(|id| world.place(id).default_state.clone());
        let here = run
            .reader
            .positions(run.tick)?
            .into_iter()
            .filter(|at| (at.row.x, at.row.y) == (x, y) && !run.has_left(at.row.resident));
        let moves = run.reader.moves(0..=run.tick)?;
        debug_assert!(
            spot.object
                .is_none_or(|id| world.place(id).kind == PlaceKind::Object)
        );
        Ok(Self {
            x,
            y,
            walkable: world.walkable(tile),
            sector: name(spot.sector),
            arena: name(spot.arena),
            object: name(spot.object),
            state: changed.map(|at| at.row.state.clone()).or(usual),
            state_by: changed.and_then(|at| at.row.by).map(|id| run.name(id).to_owned()),
            residents: here.map(|at| run.who(at.row.resident)).collect(),
            steps: moves.iter().filter(|at| (at.row.x, at.row.y) == (x, y)).count(),
            moment: Moment::of(run),
        })
    }
}

impl View for TileView {
    fn write(&self, page: &mut Page) {
        head(page, &format!("Tile {},{}", self.x, self.y), &self.moment);
        let mut rows = Vec::new();
        let mut row = |label: &str, text: String| rows.push(vec![label.to_owned(), text]);
        row(
            "sector",
            self.sector
                .clone()
                .unwrap_or_else(|| "none: the street".to_owned()),
        );
        if let Some(arena) = &self.arena {
            row("arena", arena.clone());
        }
        if let Some(object) = &self.object {
            row("object", object.clone());
        }
        if let Some(state) = &self.state {
            let by = self
                .state_by
                .as_ref()
                .map(|name| format!(", by {name}"))
                .unwrap_or_default();
            row("state", format!("{state}{by}"));
        }
        row(
            "ground",
            if self.walkable { "can be walked on" } else { "wall" }.to_owned(),
        );
        row(
            "people",
            if self.residents.is_empty() {
                "nobody".to_owned()
            } else {
                words::list(&self.residents)
            },
        );
        row("steps on it", words::grouped(self.steps as u64));
        page.table(0, &rows);
    }
}
