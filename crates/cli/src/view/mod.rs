//! `townsfolk inspect`: looking into a run.
//!
//! Each view is one file: what it shows as data, which `--json` prints, and how it is written for
//! people. All show the run as it was at one moment.

mod calls;
mod chats;
mod cost;
mod digest;
mod drift;
mod memories;
mod news;
mod places;
pub(crate) mod plan;
mod reflections;
mod relationships;
mod schedule;
mod tasks;
mod tile;

use serde::Serialize;

use crate::Done;
use crate::args::{InspectArgs, What};
use crate::failure::Failure;
use crate::output;
use crate::page::{Look, Page};
use crate::report::Report;
use crate::run_at::RunAt;
use crate::words;

/// Something that can be shown.
pub(crate) trait View: Serialize {
    /// Writes it for people.
    fn write(&self, page: &mut Page);
}

impl View for Report {
    fn write(&self, page: &mut Page) {
        Report::write(self, page);
    }
}

/// Shows what was asked for.
pub(crate) fn inspect(args: &InspectArgs) -> Done {
    let what = args.what.as_ref().unwrap_or(&What::Summary);
    let run = match what {
        // Calls are there before the first tick is.
        What::Cost | What::Calls(_) => RunAt::open_early(&args.run, args.at)?,
        _ => RunAt::open(&args.run, args.at)?,
    };
    let json = args.json;
    match what {
        What::Summary => show(&run, &Report::of(&run)?, json),
        What::Schedule(of) => show(
            &run,
            &schedule::Schedule::of(&run, run.resident(&of.resident)?)?,
            json,
        ),
        What::Memories(of) => show(&run, &memories::Memories::of(&run, of)?, json),
        What::Chats(of) => show(
            &run,
            &chats::Chats::of(&run, run.maybe_resident(of.resident.as_deref())?)?,
            json,
        ),
        What::Reflections(of) => show(
            &run,
            &reflections::Reflections::of(&run, run.resident(&of.resident)?)?,
            json,
        ),
        What::Plan(of) => show(&run, &plan::Plans::of(&run, run.resident(&of.resident)?)?, json),
        What::Places(of) => match run.maybe_resident(of.resident.as_deref())? {
            Some(resident) => show(&run, &places::Visits::of(&run, resident)?, json),
            None => show(&run, &places::Everybody::of(&run)?, json),
        },
        What::Relationships(of) => match run.maybe_resident(of.resident.as_deref())? {
            Some(resident) => show(&run, &relationships::Others::of(&run, resident)?, json),
            None => show(&run, &relationships::Pairs::of(&run)?, json),
        },
        What::Tile(of) => show(&run, &tile::TileView::of(&run, of.tile)?, json),
        What::Tasks => show(&run, &tasks::Tasks::of(&run)?, json),
        What::Cost => show(&run, &cost::Cost::of(&run)?, json),
        What::Calls(of) => calls::show(&run, of, json),
        What::News(of) => show(&run, &news::NewsView::of(&run, of.text.as_deref())?, json),
        What::Drift => show(&run, &drift::DriftView::of(&run)?, json),
        What::Digest => show(&run, &digest::DigestView::of(&run)?, json),
    }
}

fn show(run: &RunAt, view: &impl View, json: bool) -> Done {
    if json {
        #[derive(Serialize)]
        struct Shown<'a, V> {
            /// None where nothing has happened yet.
            tick: Option<u32>,
            time: String,
            #[serde(flatten)]
            view: &'a V,
        }
        return output::print_json(&Shown {
            tick: run.has_begun.then_some(run.tick),
            time: run.now().to_string(),
            view,
        });
    }
    let mut page = output::page();
    view.write(&mut page);
    output::print(page.text())
}

/// The first lines of most views: what it is, of whom, and when.
fn head(page: &mut Page, title: &str, moment: &Moment) {
    let when = match moment.tick {
        Some(tick) => format!(
            "{} · tick {}",
            words::moment_with_year(moment.time),
            words::grouped(tick.into())
        ),
        None => "nothing has happened yet".to_owned(),
    };
    let line = format!(
        "{} · {}",
        page.look(Look::Strong, title),
        page.look(Look::Faint, when)
    );
    page.paragraph(0, &line);
    page.gap();
}

/// The moment that a view shows, for its first line.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: townsfolk_time::GameTime,
    /// None where nothing has happened yet.
    tick: Option<u32>,
}

impl Moment {
    fn of(run: &RunAt) -> Self {
        Self {
            time: run.now(),
            tick: run.has_begun.then_some(run.tick),
        }
    }
}

/// Refuses what the run does not have.
fn refuse<T>(message: String) -> Result<T, Failure> {
    Err(Failure::Usage(anyhow::anyhow!(message)))
}
