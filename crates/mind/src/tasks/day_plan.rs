//! The day in five to eight strokes.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::{DAY_MINUTES, Date, Minute, clock};

use super::{Appointment, KnownPlace, Recalled};
use crate::model::doing::doing;
use crate::model::wire::{Bound, positions, span};
use crate::model::{Fit, Remembered, Who};
use crate::routine::{Rules, days};
use crate::{Identity, Task, TaskKind};

/// Asks for the broad strokes of a day.
#[derive(Clone, Debug, Serialize)]
pub struct DayPlan<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day to plan.
    pub date: Date,
    /// When the resident gets up, minutes after midnight.
    pub wake: Minute,
    /// What the resident has agreed to attend that day, by start.
    pub appointments: &'a [Appointment],
    /// What came to mind about plans and recent days, best first.
    pub recalled: &'a [Recalled],
    /// Names of the sectors that the resident knows, in the town's order.
    pub known_places: &'a [Arc<str>],
    /// Those sectors and all that is known to lie in them.
    #[serde(skip)]
    pub places: &'a [KnownPlace<'a>],
}

/// One broad stroke of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stroke {
    /// When it starts, minutes after midnight.
    pub start: Minute,
    /// When it ends, where that is said; else it lasts until the next starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Minute>,
    /// What is done.
    pub activity: String,
    /// The memory it comes from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<MemoryId>,
}

/// The broad strokes of a day, by start, without sleep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strokes {
    /// Five to eight as a rule; at least one.
    pub strokes: Vec<Stroke>,
}

/// The strokes as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// Five to eight, by time.
    pub plan: Vec<StrokeWire>,
}

/// A stroke as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrokeWire {
    /// When it starts, HH:MM.
    pub at: String,
    /// The number of the memory behind it, or 0.
    #[serde(default)]
    pub because: u32,
    /// What is done, and where.
    #[serde(rename = "do")]
    pub activity: String,
}

/// Fewer are no day that a model planned.
const FEWEST_STROKES: usize = 2;

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    date: String,
    wake: String,
    appointments: Vec<AppointmentView<'a>>,
    memories: Vec<Remembered<'a>>,
    places: &'a [Arc<str>],
}

/// A stroke, as prompts say it.
#[derive(Serialize)]
pub(super) struct StrokeView<'a> {
    at: String,
    activity: Cow<'a, str>,
}

impl<'a> StrokeView<'a> {
    pub(super) fn new(stroke: &'a Stroke, fit: &Fit<'_>) -> Self {
        Self {
            at: match stroke.until {
                Some(until) => format!("{}–{}", fit.clock(stroke.start), fit.clock(until)),
                None => fit.clock(stroke.start),
            },
            activity: fit.text(&stroke.activity),
        }
    }
}

#[derive(Serialize)]
struct AppointmentView<'a> {
    what: Cow<'a, str>,
    from: String,
    to: String,
    place: Option<&'a str>,
}

impl Task for DayPlan<'_> {
    const KIND: TaskKind = TaskKind::DayPlan;
    type Answer = Strokes;

    type Wire = Wire;

    fn bounds(&self, fit: &Fit<'_>) -> Vec<Bound> {
        vec![
            Bound::at_least("plan", FEWEST_STROKES),
            // 0 where no memory is behind it.
            Bound::within("plan[].because", 0..=fit.shown(self.recalled.len())),
        ]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        let appointments = self
            .appointments
            .iter()
            .map(|Appointment { occasion, .. }| AppointmentView {
                what: fit.text(&occasion.what),
                from: fit.clock(occasion.start),
                to: fit.clock(occasion.start.saturating_add(occasion.minutes).min(DAY_MINUTES)),
                place: occasion.place.as_deref(),
            });
        View {
            who: fit.who(self.who),
            date: fit.date(self.date),
            wake: fit.clock(self.wake),
            appointments: appointments.collect(),
            memories: fit.memories(self.recalled),
            places: self.known_places,
        }
    }

    /// Strokes are put in order of time; a memory that was not shown is no cause.
    fn read(&self, wire: Wire, fit: &Fit<'_>) -> Result<Strokes, String> {
        let shown = fit.shown(self.recalled.len());
        let mut strokes = Vec::with_capacity(wire.plan.len());
        for stroke in wire.plan {
            let cause = positions(&[stroke.because], shown)
                .first()
                .map(|at| self.recalled[*at].id);
            let activity = doing(&stroke.activity, "activity", self.who)?;
            let (start, until) = span(&stroke.at)?;
            strokes.push(Stroke {
                start,
                until,
                activity,
                cause,
            });
        }
        if (1..FEWEST_STROKES).contains(&strokes.len()) {
            return Err("one stroke is no day; give five to eight".to_owned());
        }
        strokes.sort_by_key(|stroke| stroke.start);
        Ok(Strokes { strokes })
    }

    fn write(&self, answer: &Strokes) -> Wire {
        let number = |stroke: &Stroke| {
            let at = self.recalled.iter().position(|m| Some(m.id) == stroke.cause);
            at.map_or(0, |at| at as u32 + 1)
        };
        let plan = answer.strokes.iter().map(|stroke| StrokeWire {
            at: match stroke.until {
                Some(until) => format!("{}-{}", clock(stroke.start), clock(until)),
                None => clock(stroke.start),
            },
            because: number(stroke),
            activity: stroke.activity.clone(),
        });
        Wire { plan: plan.collect() }
    }

    fn check(&self, answer: &Strokes) -> Result<(), String> {
        let strokes = &answer.strokes;
        if strokes.is_empty() {
            return Err("the day has no strokes".to_owned());
        }
        if strokes.iter().any(|s| s.activity.trim().is_empty()) {
            return Err("a stroke says nothing".to_owned());
        }
        if strokes
            .iter()
            .any(|s| s.start.max(s.until.unwrap_or(0)) >= DAY_MINUTES)
            || !strokes.is_sorted_by_key(|s| s.start)
        {
            return Err("strokes start within the day and in order".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Strokes {
        Strokes {
            strokes: days::strokes(self, rules),
        }
    }
}
