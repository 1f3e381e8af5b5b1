//! `townsfolk check`: whether a town can be run and what is in it, or whether a run holds.

use anyhow::anyhow;
use serde::Serialize;
use townsfolk_town::Town;
use townsfolk_world::PlaceKind;

use super::check_run;
use crate::Done;
use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::output;
use crate::town_source::{Extras, Source};
use crate::words;

#[derive(Serialize)]
struct Found {
    kind: &'static str,
    name: String,
    language: String,
    start: String,
    seconds_per_tick: u32,
    width_tiles: u16,
    height_tiles: u16,
    sectors: usize,
    arenas: usize,
    objects: usize,
    residents: Vec<String>,
    whispers: usize,
    /// What a base of the 2023 code holds that does not fit.
    notes: Vec<String>,
}

/// Reads a town as `run` would, and runs nothing; or puts every check to a run.
pub(crate) fn check(args: &CheckArgs) -> Done {
    let source = Source::find(Some(&args.town))?;
    let kind = match &source {
        Source::Bundled(_) => "comes with Townsfolk",
        Source::Folder(_) => "a town's folder",
        Source::Smallville(_) => "a base of the 2023 code",
        Source::Run(path) if args.assets.is_some() || args.history.is_some() => {
            return Err(Failure::Usage(anyhow!(
                "{}: is a run, which has its map and history in it; leave out --assets and --history",
                words::path(path)
            )));
        }
        Source::Run(path) => return check_run::check(path, args.json),
    };
    let extras = Extras {
        assets: args.assets.as_deref(),
        history: args.history.as_deref(),
    };
    let (town, report) = source.read(extras)?;
    let notes = report.map_or_else(Vec::new, |report| {
        report.notes.iter().map(ToString::to_string).collect()
    });
    let found = Found::in_town(kind, &town, notes);
    if args.json {
        return output::print_json(&found);
    }
    found.print()
}

impl Found {
    fn in_town(kind: &'static str, town: &Town, notes: Vec<String>) -> Self {
        let places = |kind| {
            town.world
                .places()
                .iter()
                .filter(|place| place.kind == kind)
                .count()
        };
        Self {
            kind,
            name: town.name.clone(),
            language: town.language.clone(),
            start: town.start.to_string(),
            seconds_per_tick: town.seconds_per_tick,
            width_tiles: town.world.width(),
            height_tiles: town.world.height(),
            sectors: places(PlaceKind::Sector),
            arenas: places(PlaceKind::Arena),
            objects: places(PlaceKind::Object),
            residents: town
                .residents
                .iter()
                .map(|resident| resident.identity.name.to_string())
                .collect(),
            whispers: town.residents.iter().map(|resident| resident.history.len()).sum(),
            notes,
        }
    }

    fn print(&self) -> Done {
        let mut page = output::page();
        page.title(&format!("{}: can be run", self.name));
        let map = format!(
            "{} × {} tiles, {}, {}, {}",
            self.width_tiles,
            self.height_tiles,
            words::count(self.sectors, "sector", "sectors"),
            words::count(self.arenas, "arena", "arenas"),
            words::count(self.objects, "object", "objects"),
        );
        let time = format!(
            "starts {}, {} a tick",
            self.start,
            words::count(self.seconds_per_tick, "second", "seconds")
        );
        let who = format!("{}: {}", self.residents.len(), words::list(&self.residents));
        let mut rows = vec![
            vec!["kind".to_owned(), self.kind.to_owned()],
            vec!["map".to_owned(), map],
            vec!["time".to_owned(), time],
            vec!["residents".to_owned(), who],
        ];
        if self.whispers > 0 {
            let told = words::count(self.whispers, "whisper", "whispers");
            rows.push(vec![
                "history".to_owned(),
                format!("{told} before the story starts"),
            ]);
        }
        page.table(2, &rows);
        if !self.notes.is_empty() {
            page.heading("What did not fit and is left out");
            for note in &self.notes {
                page.flow("  · ", "    ", note);
            }
        }
        output::print(page.text())
    }
}
