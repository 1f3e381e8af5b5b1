//! Plans of days: whole, honest about the past, and changed for reasons that are remembered.

use std::collections::BTreeMap;

use townsfolk_store::{ActionStatus, At, PlanEntryRow, PlanLevel, PlanRow, Result};
use townsfolk_time::DAY_MINUTES;

use super::memories::quoted;
use crate::report::Examination;
use crate::story::{Person, Story};

pub(crate) fn whole(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        for plan in &person.plans {
            examination.look();
            let mut fault = |what: String| {
                examination.fault(plan.tick, person.id, || format!("{}: {what}", name(&plan.row)));
            };
            let mut minute = 0;
            for hour in level(&plan.row, PlanLevel::Hour) {
                if u32::from(hour.start) != minute {
                    fault(format!(
                        "{} starts at minute {}, not {minute}",
                        quoted(&hour.activity),
                        hour.start
                    ));
                    break;
                }
                minute = u32::from(hour.start) + u32::from(hour.minutes);
            }
            if minute != u32::from(DAY_MINUTES) {
                fault(format!("it ends at minute {minute}"));
            }
            let mut free_from = 0;
            for task in level(&plan.row, PlanLevel::Task) {
                if u32::from(task.start) < free_from {
                    fault(format!("{} overlaps the task before it", quoted(&task.activity)));
                }
                free_from = u32::from(task.start) + u32::from(task.minutes);
            }
            if free_from > u32::from(DAY_MINUTES) {
                fault(format!("its last task ends at minute {free_from}"));
            }
        }
    }
    Ok(())
}

pub(crate) fn past(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        for pair in person.plans.windows(2) {
            let (before, after) = (&pair[0].row, &pair[1].row);
            if before.date != after.date {
                if after.revision != 0 {
                    examination.fault(pair[1].tick, person.id, || {
                        format!("{}: the day's first plan is missing", name(after))
                    });
                }
                continue;
            }
            examination.look();
            if after.revision != before.revision + 1 {
                examination.fault(pair[1].tick, person.id, || {
                    format!("{} follows revision {}", name(after), before.revision)
                });
            }
            let now = story.time(pair[1].tick);
            if now.date().to_string() != after.date {
                continue;
            }
            for shown in [PlanLevel::Hour, PlanLevel::Task] {
                let changed = (0..now.minute_of_day())
                    .find(|minute| activity_at(before, shown, *minute) != activity_at(after, shown, *minute));
                if let Some(minute) = changed {
                    examination.fault(pair[1].tick, person.id, || {
                        format!(
                            "{} changes minute {minute} of the {shown}s, which is past at minute {}",
                            name(after),
                            now.minute_of_day()
                        )
                    });
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn causes(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        for plan in &person.plans {
            let entries = plan.row.entries.iter().filter_map(|entry| entry.cause_memory);
            for cause in plan.row.cause_memory.into_iter().chain(entries) {
                examination.look();
                if !could_cause(story, person, plan, cause) {
                    examination.fault(plan.tick, person.id, || {
                        format!(
                            "{} was changed for memory {cause}, which was not there",
                            name(&plan.row)
                        )
                    });
                }
            }
        }
    }
    Ok(())
}

/// A plan's own cause was there when it was made; entries may be added until the next revision.
fn could_cause(story: &Story<'_>, person: &Person, plan: &At<PlanRow>, cause: u32) -> bool {
    let until = if plan.row.cause_memory == Some(cause) {
        plan.tick
    } else {
        story.head
    };
    story.held(person.id, cause, until).is_some()
}

pub(crate) fn days(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in story.people.iter().filter(|person| !person.visits) {
        let mut planned: BTreeMap<&str, u32> = BTreeMap::new();
        for plan in &person.plans {
            let since = planned.entry(&plan.row.date).or_insert(plan.tick);
            *since = plan.tick.min(*since);
        }
        let awake = person
            .actions
            .iter()
            .filter(|a| a.row.status != ActionStatus::Asleep);
        for action in awake {
            examination.look();
            let date = story.time(action.tick).date().to_string();
            if planned
                .get(date.as_str())
                .is_none_or(|since| *since > action.tick)
            {
                examination.fault(action.tick, person.id, || {
                    format!("{} without a plan of {date}", quoted(&action.row.activity))
                });
            }
        }
    }
    Ok(())
}

fn level(plan: &PlanRow, level: PlanLevel) -> impl Iterator<Item = &PlanEntryRow> {
    // Read back ordered by level and start.
    plan.entries.iter().filter(move |entry| entry.level == level)
}

fn activity_at(plan: &PlanRow, shown: PlanLevel, minute: u16) -> Option<&str> {
    let covers = |entry: &&PlanEntryRow| {
        entry.start <= minute && u32::from(minute) < u32::from(entry.start) + u32::from(entry.minutes)
    };
    level(plan, shown)
        .find(covers)
        .map(|entry| entry.activity.as_str())
}

fn name(plan: &PlanRow) -> String {
    format!("the plan of {}, revision {}", plan.date, plan.revision)
}
