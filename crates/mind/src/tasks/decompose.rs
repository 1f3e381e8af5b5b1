//! One stretch of the day in steps of 5 to 15 minutes, just in time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::Date;

use crate::model::doing::doing;
use crate::model::wire::Bound;
use crate::model::{Fit, Stretch, Who};
use crate::routine::{Rules, steps};
use crate::{Entry, Identity, Task, TaskKind};

/// Asks for the steps of one stretch of the day.
#[derive(Clone, Debug, Serialize)]
pub struct Decompose<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The day.
    pub date: Date,
    /// The stretch.
    pub entry: &'a Entry,
    /// What comes before it, if anything.
    pub before: Option<&'a Entry>,
    /// What comes after it, if anything.
    pub after: Option<&'a Entry>,
    /// Whether the steps of the same stretch on another day will do: then the question says nothing of
    /// the day, so that it is the same question.
    pub reuse: bool,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is done.
    pub activity: String,
    /// How long, in minutes; at least 1.
    pub minutes: u16,
}

/// The steps of a stretch; together exactly as long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// In order.
    pub steps: Vec<Step>,
}

/// The steps as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// In order.
    pub steps: Vec<StepWire>,
}

/// A step as models write it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepWire {
    /// What is done.
    #[serde(rename = "do")]
    pub activity: String,
    /// How long, in minutes.
    #[serde(default)]
    pub minutes: Option<u16>,
}

/// Steps that do not say how long they take get no more than this each, in minutes, where they are most of the
/// stretch: longer ones are none.
const LONGEST_SHARE: u32 = 60;

/// Makes parts that add up to `total` add up to `wanted`, which has a minute for each, in proportion:
/// each end of a part is moved to its place in the new whole, and no part becomes empty.
fn scale(minutes: &mut [u32], total: u32, wanted: u32) {
    let count = minutes.len() as u32;
    let (mut sum, mut last_end) = (0, 0);
    for (i, part) in minutes.iter_mut().enumerate() {
        sum += *part;
        let after = count - 1 - i as u32;
        let end = (sum * wanted / total.max(1)).clamp(last_end + 1, wanted - after);
        *part = end - last_end;
        last_end = end;
    }
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    stretch: Stretch<'a>,
    minutes: u16,
    /// None where steps are reused.
    today: Option<Today<'a>>,
}

#[derive(Serialize)]
struct Today<'a> {
    date: String,
    before: Option<Stretch<'a>>,
    after: Option<Stretch<'a>>,
}

impl Task for Decompose<'_> {
    const KIND: TaskKind = TaskKind::Decompose;
    type Answer = Steps;

    type Wire = Wire;

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        let minutes = usize::from(self.entry.minutes);
        vec![
            Bound::within("steps", 1..=minutes),
            Bound::within("steps[].minutes", 1..=minutes),
        ]
    }

    /// Whoever repeats a routine gets the same steps for it: nothing that changes from day to day is in the
    /// question then.
    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        let today = || Today {
            date: fit.date(self.date),
            before: self.before.map(|entry| fit.stretch(entry)),
            after: self.after.map(|entry| fit.stretch(entry)),
        };
        View {
            who: if self.reuse {
                fit.lasting(self.who)
            } else {
                fit.who(self.who)
            },
            stretch: fit.stretch(self.entry),
            minutes: self.entry.minutes,
            today: (!self.reuse).then(today),
        }
    }

    /// Steps without minutes share what the others leave, as far as that makes steps. Steps that together take between half and twice
    /// the stretch are stretched or shortened in proportion; otherwise the sum is refused.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Steps, String> {
        let wanted = u32::from(self.entry.minutes);
        let written: Vec<StepWire> = wire
            .steps
            .into_iter()
            .filter(|s| !s.activity.trim().is_empty())
            .collect();
        if written.is_empty() {
            return Err("give at least one step".to_owned());
        }
        if written.len() as u32 > wanted {
            return Err(format!(
                "{} steps are too many for {wanted} minutes",
                written.len()
            ));
        }
        let said = |step: &StepWire| step.minutes.filter(|m| *m > 0).map(u32::from);
        let stated: u32 = written.iter().filter_map(said).sum();
        let unstated = written.iter().filter(|step| said(step).is_none()).count() as u32;
        let activities = written.iter().map(|step| doing(&step.activity, "step", self.who));
        let activities = activities.collect::<Result<Vec<_>, _>>()?;
        let left = wanted.saturating_sub(stated);
        // At least a minute for each, so that the sum below tells what is wrong.
        let share = (left.checked_div(unstated)).unwrap_or(0).max(1);
        if unstated > 0 && share > LONGEST_SHARE && left > stated {
            return Err("say for each step how many minutes it takes; 5 to 15 as a rule".to_owned());
        }
        let mut minutes: Vec<u32> = written.iter().map(|step| said(step).unwrap_or(share)).collect();
        let total: u32 = minutes.iter().sum();
        if total * 2 < wanted || total > wanted * 2 {
            return Err(format!(
                "the steps take {total} minutes together; they must take {wanted}"
            ));
        }
        scale(&mut minutes, total, wanted);
        let steps = activities
            .into_iter()
            .zip(minutes)
            .map(|(activity, minutes)| Step {
                activity,
                minutes: minutes as u16,
            });
        Ok(Steps {
            steps: steps.collect(),
        })
    }

    fn write(&self, answer: &Steps) -> Wire {
        let steps = answer.steps.iter().map(|step| StepWire {
            activity: step.activity.clone(),
            minutes: Some(step.minutes),
        });
        Wire {
            steps: steps.collect(),
        }
    }

    fn check(&self, answer: &Steps) -> Result<(), String> {
        if answer
            .steps
            .iter()
            .any(|s| s.minutes == 0 || s.activity.trim().is_empty())
        {
            return Err("each step needs an activity and at least one minute".to_owned());
        }
        let total: u32 = answer.steps.iter().map(|s| u32::from(s.minutes)).sum();
        let wanted = u32::from(self.entry.minutes);
        if total == wanted {
            Ok(())
        } else {
            Err(format!("the steps take {total} minutes, not {wanted}"))
        }
    }

    fn by_rule(&self, rules: &Rules<'_>) -> Steps {
        Steps {
            steps: steps::steps(self, rules),
        }
    }
}
