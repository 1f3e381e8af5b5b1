//! Where two plans of a day say different things.

use serde::Serialize;
use townsfolk_store::{PlanEntryRow, PlanLevel, PlanRow};
use townsfolk_time::DAY_MINUTES;
use utoipa::ToSchema;

/// A stretch of a day that is now planned otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Change {
    /// Minute of the day at which it begins.
    pub from: u16,
    /// Minute of the day at which it ends.
    pub to: u16,
    /// What was planned.
    pub was: String,
    /// What is planned now.
    pub is: String,
}

/// Where two plans of a day differ, from the earliest minute on; only what was planned counts, not
/// how it is cut up.
pub fn differences(before: &PlanRow, after: &PlanRow) -> Vec<Change> {
    let (before, after) = (hours(before), hours(after));
    let at = |hours: &[&PlanEntryRow], minute: u16| -> String {
        let covers = |entry: &&&PlanEntryRow| {
            (entry.start..entry.start.saturating_add(entry.minutes)).contains(&minute)
        };
        hours
            .iter()
            .find(covers)
            .map(|entry| entry.activity.clone())
            .unwrap_or_default()
    };
    let mut changes: Vec<Change> = Vec::new();
    for minute in 0..DAY_MINUTES {
        let (was, is) = (at(&before, minute), at(&after, minute));
        match changes.last_mut() {
            _ if was == is => {}
            Some(last) if last.to == minute && last.was == was && last.is == is => last.to += 1,
            _ => changes.push(Change {
                from: minute,
                to: minute + 1,
                was,
                is,
            }),
        }
    }
    changes
}

fn hours(plan: &PlanRow) -> Vec<&PlanEntryRow> {
    let hours = plan.entries.iter();
    hours.filter(|entry| entry.level == PlanLevel::Hour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(hours: &[(u16, u16, &str)]) -> PlanRow {
        let entry = |(start, minutes, activity): &(u16, u16, &str)| PlanEntryRow {
            level: PlanLevel::Hour,
            start: *start,
            minutes: *minutes,
            activity: (*activity).to_owned(),
            place: None,
            cause_memory: None,
        };
        PlanRow {
            resident: 0,
            date: "2024-06-03".to_owned(),
            revision: 0,
            cause_memory: None,
            strokes: "[]".to_owned(),
            entries: hours.iter().map(entry).collect(),
        }
    }

    #[test]
    fn a_revision_is_shown_as_the_stretches_that_differ() {
        let before = plan(&[(0, 1_080, "working"), (1_080, 360, "reading")]);
        // The first stretch is only cut in two, which is no difference.
        let after = plan(&[
            (0, 600, "working"),
            (600, 480, "working"),
            (1_080, 90, "the supper"),
            (1_170, 270, "reading"),
        ]);
        let changed = |change: Change| (change.from, change.to, change.was, change.is);
        let changes: Vec<_> = differences(&before, &after).into_iter().map(changed).collect();
        let expected = (1_080, 1_170, "reading".to_owned(), "the supper".to_owned());
        assert_eq!(changes, [expected]);
    }
}
