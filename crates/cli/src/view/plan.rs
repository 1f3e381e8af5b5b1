//! A resident's plans in broad strokes, appointments, and what changed them.

use serde::Serialize;
use townsfolk_server::look::plans;
use townsfolk_store::PlanRow;
use townsfolk_time::{GameTime, clock};

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Changes shown for one revision.
const CHANGES: usize = 4;

/// All plans of one resident up to the moment looked at.
#[derive(Serialize)]
pub(super) struct Plans {
    resident: String,
    /// What occupies the resident.
    days: Vec<DayPlan>,
    appointments: Vec<Appointment>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct DayPlan {
    date: String,
    strokes: Vec<Stroke>,
    revisions: Vec<Revision>,
}

#[derive(Serialize)]
struct Stroke {
    start: String,
    activity: String,
}

#[derive(Serialize)]
struct Revision {
    time: String,
    /// The memory that brought it about, in words.
    because: Option<String>,
    changes: Vec<Change>,
}

/// A stretch of a day that is now planned otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) was: String,
    pub(crate) is: String,
}

impl Change {
    /// `18:00–19:30 attending the supper, not reading`.
    pub(crate) fn words(&self) -> String {
        format!("{}–{} {}, not {}", self.from, self.to, self.is, self.was)
    }
}

#[derive(Serialize)]
struct Appointment {
    what: String,
    host: String,
    place: Option<String>,
    start: String,
    end: String,
    status: String,
    reason: String,
    #[serde(skip)]
    time: GameTime,
}

/// Where two plans of a day say different things, from the earliest minute on.
pub(crate) fn differences(before: &PlanRow, after: &PlanRow) -> Vec<Change> {
    let change = |change: plans::Change| Change {
        from: clock(change.from),
        to: clock(change.to),
        was: change.was,
        is: change.is,
    };
    plans::differences(before, after)
        .into_iter()
        .map(change)
        .collect()
}

impl Plans {
    pub(super) fn of(run: &RunAt, resident: u32) -> Result<Self, Failure> {
        let plans = run.reader.plans(resident, run.tick)?;
        let memories = run.reader.memories(resident, &Default::default())?;
        let memory = |id: Option<u32>| memories.get(id? as usize).map(|memory| memory.row.text.clone());
        let mut days: Vec<DayPlan> = Vec::new();
        for (index, plan) in plans.iter().enumerate() {
            match days.last_mut().filter(|day| day.date == plan.row.date) {
                Some(day) => day.revisions.push(Revision {
                    time: run.clock.time(plan.tick).to_string(),
                    because: memory(plan.row.cause_memory),
                    changes: differences(&plans[index - 1].row, &plan.row),
                }),
                None => days.push(DayPlan {
                    date: plan.row.date.clone(),
                    strokes: strokes(&plan.row.strokes),
                    revisions: Vec::new(),
                }),
            }
        }
        let mut appointments: Vec<Appointment> = Vec::new();
        for at in run.reader.appointments(resident, run.tick)? {
            let row = at.row;
            let time = GameTime::from_seconds(row.start);
            appointments.push(Appointment {
                what: row.what,
                host: run.name(row.host).to_owned(),
                place: run.place(row.place),
                start: time.to_string(),
                end: GameTime::from_seconds(row.end).to_string(),
                status: row.status,
                reason: row.reason,
                time,
            });
        }
        appointments.sort_by_key(|appointment| appointment.time);
        Ok(Self {
            resident: run.name(resident).to_owned(),
            days,
            appointments,
            moment: Moment::of(run),
        })
    }
}

/// Broad strokes from their JSON; what is not in the known form is left out.
fn strokes(json: &str) -> Vec<Stroke> {
    #[derive(serde::Deserialize)]
    struct Stored {
        start: u16,
        activity: String,
    }
    let stored: Vec<Stored> = serde_json::from_str(json).unwrap_or_default();
    let stroke = |stored: Stored| Stroke {
        start: clock(stored.start),
        activity: stored.activity,
    };
    stored.into_iter().map(stroke).collect()
}

impl View for Plans {
    fn write(&self, page: &mut Page) {
        head(page, &format!("{}: plans", self.resident), &self.moment);
        if self.days.is_empty() {
            page.line("No day is planned yet.");
        }
        for day in &self.days {
            page.heading(&day.date);
            let strokes = day
                .strokes
                .iter()
                .map(|stroke| vec![stroke.start.clone(), stroke.activity.clone()]);
            page.table(2, &strokes.collect::<Vec<_>>());
            for revision in &day.revisions {
                let because = revision
                    .because
                    .as_ref()
                    .map(|text| format!(" because “{text}”"))
                    .unwrap_or_default();
                let time = revision.time.split(' ').next_back().unwrap_or_default();
                page.flow(
                    "  ",
                    "    ",
                    &format!(
                        "{} changed{because}",
                        page.look(Look::Warning, &time[..time.len().min(5)])
                    ),
                );
                for change in revision.changes.iter().take(CHANGES) {
                    page.flow("    · ", "      ", &change.words());
                }
                if let Some(more @ 1..) = revision.changes.len().checked_sub(CHANGES) {
                    page.line(&format!(
                        "      and {}",
                        words::count(more, "stretch more", "stretches more")
                    ));
                }
            }
        }
        if self.appointments.is_empty() {
            return;
        }
        page.heading("Appointments");
        let mut rows = Vec::new();
        for appointment in &self.appointments {
            let place = appointment
                .place
                .as_ref()
                .map(|place| format!(", {place}"))
                .unwrap_or_default();
            let host = if appointment.host == self.resident {
                String::new()
            } else {
                format!(", host {}", appointment.host)
            };
            let reason = match appointment.reason.trim() {
                "" => String::new(),
                reason => format!(" ({reason})"),
            };
            rows.push(vec![
                words::moment(appointment.time),
                appointment.status.clone(),
                format!("{}{place}{host}{reason}", appointment.what),
            ]);
        }
        page.table(2, &rows);
    }
}
