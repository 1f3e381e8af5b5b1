//! A resident's day, hour by hour, with the steps worked out so far.

use serde::Serialize;
use townsfolk_store::{PlanEntryRow, PlanLevel};
use townsfolk_time::clock;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// One day of one resident, as it was planned at the moment looked at.
#[derive(Serialize)]
pub(super) struct Schedule {
    resident: String,
    date: String,
    /// How often the day's plan was revised; none where there is no plan yet.
    revision: Option<u32>,
    /// What the resident is doing, and where.
    doing: Option<Doing>,
    hours: Vec<Stretch>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Doing {
    activity: String,
    status: &'static str,
    place: Option<String>,
}

#[derive(Serialize)]
struct Stretch {
    start: String,
    minutes: u16,
    activity: String,
    now: bool,
    steps: Vec<Stretch>,
}

impl Schedule {
    pub(super) fn of(run: &RunAt, resident: u32) -> Result<Self, Failure> {
        let now = run.now();
        let date = now.date().to_string();
        let plan = run.reader.plan(resident, &date, run.tick)?;
        let doing = run
            .reader
            .actions(run.tick)?
            .into_iter()
            .find(|action| action.row.resident == resident);
        let minute = now.minute_of_day();
        let entries = plan.as_ref().map_or(&[][..], |plan| &plan.row.entries);
        let of_level = |level| entries.iter().filter(move |entry| entry.level == level);
        let hours: Vec<&PlanEntryRow> = of_level(PlanLevel::Hour).collect();
        let stretch = |entry: &PlanEntryRow, steps| Stretch {
            start: clock(entry.start),
            minutes: entry.minutes,
            activity: entry.activity.clone(),
            now: (entry.start..entry.start + entry.minutes).contains(&minute),
            steps,
        };
        let with_steps = |hour: &&PlanEntryRow| {
            let within = |step: &&PlanEntryRow| (hour.start..hour.start + hour.minutes).contains(&step.start);
            stretch(
                hour,
                of_level(PlanLevel::Task)
                    .filter(within)
                    .map(|step| stretch(step, Vec::new()))
                    .collect(),
            )
        };
        Ok(Self {
            resident: run.name(resident).to_owned(),
            revision: plan.as_ref().map(|plan| plan.row.revision),
            doing: doing.map(|action| Doing {
                activity: action.row.activity,
                status: action.row.status.as_str(),
                place: run.place(action.row.place),
            }),
            hours: hours.iter().map(with_steps).collect(),
            date,
            moment: Moment::of(run),
        })
    }
}

impl View for Schedule {
    fn write(&self, page: &mut Page) {
        head(page, &format!("{}: schedule", self.resident), &self.moment);
        if let Some(doing) = &self.doing {
            let place = doing
                .place
                .as_ref()
                .map(|place| format!(", {place}"))
                .unwrap_or_default();
            page.paragraph(0, &format!("Now {}: {}{place}", doing.status, doing.activity));
            page.gap();
        }
        if self.hours.is_empty() {
            page.line("The day is not planned yet.");
            return;
        }
        let mut rows = Vec::new();
        for hour in &self.hours {
            let mark = if hour.now { "▸" } else { "" };
            let look = if hour.now { Look::Strong } else { Look::Plain };
            rows.push(vec![
                mark.to_owned(),
                hour.start.clone(),
                format!("{:>5}", format!("{} min", hour.minutes)),
                page.look(look, &hour.activity),
            ]);
            for step in &hour.steps {
                let mark = if step.now { "▸" } else { "·" };
                rows.push(vec![
                    String::new(),
                    String::new(),
                    String::new(),
                    page.look(Look::Faint, format!("{} {mark} {}", step.start, step.activity)),
                ]);
            }
        }
        page.table(0, &rows);
        if let Some(revision @ 1..) = self.revision {
            page.gap();
            let times = words::count(revision, "time", "times");
            let name = self.resident.split_whitespace().next().unwrap_or_default();
            let note = page.look(
                Look::Faint,
                format!("Revised {times}; `inspect RUN plan {name}` says why."),
            );
            page.paragraph(0, &note);
        }
    }
}
