use proptest::prelude::*;
use townsfolk_memory::MemoryId;
use townsfolk_time::{Date, clock};

use super::super::fixtures::{rules, somebody};
use super::*;
use crate::{Schedule, Task};

fn day(parts: &[(&str, &str)]) -> Schedule {
    let minute = |text: &str| townsfolk_time::parse_clock(text).unwrap();
    let ends = parts
        .iter()
        .skip(1)
        .map(|(start, _)| minute(start))
        .chain([DAY_MINUTES]);
    let entry = |((start, activity), end): (&(&str, &str), Minute)| Entry {
        start: minute(start),
        minutes: end - minute(start),
        activity: (*activity).into(),
        asleep: *activity == "sleeping",
        cause: None,
        step: false,
    };
    Schedule::new(parts.iter().zip(ends).map(entry).collect()).unwrap()
}

fn usual() -> Schedule {
    day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("8:00", "sorting seed packets"),
        ("12:00", "having lunch at home"),
        ("13:00", "watering trays"),
        ("14:00", "seeing the doctor at the clinic"),
        ("15:00", "reading at home"),
        ("18:00", "having dinner at home"),
        ("19:00", "resting at home"),
        ("22:00", "sleeping"),
    ])
}

fn revised(plan: &Schedule, now: Minute, new: Entry, reason: &str) -> String {
    let who = somebody("Wren Okafor");
    let cause = Some(MemoryId::from_index(41));
    let task = ReviseSchedule {
        who: &who,
        date: Date::constant(2023, 6, 1),
        now,
        plan,
        new: Some(&new),
        reason,
        cause,
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    let line = |b: &Block| {
        format!(
            "{} {}{}",
            clock(b.start),
            b.activity,
            if b.cause.is_some() { " *" } else { "" }
        )
    };
    answer.blocks.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn new(start: Minute, minutes: u16, activity: &str) -> Entry {
    Entry {
        start,
        minutes,
        activity: activity.into(),
        asleep: false,
        cause: None,
        step: false,
    }
}

#[test]
fn news_that_the_clinic_closes_moves_the_visit_before_noon() {
    let after = revised(
        &usual(),
        660,
        new(660, 10, "talking with Ilse Brandt"),
        "Ilse said that the clinic closes at noon",
    );
    let expected = "11:00 talking with Ilse Brandt *
11:10 seeing the doctor at the clinic *
12:00 having lunch at home
13:00 watering trays
14:00 sorting seed packets *
15:00 reading at home
18:00 having dinner at home
19:00 resting at home
22:00 sleeping";
    assert_eq!(after, expected);
}

#[test]
fn news_alone_changes_the_day_too() {
    let (plan, who) = (usual(), somebody("Wren Okafor"));
    let day = |reason| {
        let date = Date::constant(2023, 6, 1);
        let task = ReviseSchedule {
            who: &who,
            date,
            now: 660,
            plan: &plan,
            new: None,
            reason,
            cause: None,
        };
        let answer = task.by_rule(&rules(0, 0));
        task.check(&answer).unwrap();
        answer
            .blocks
            .iter()
            .map(|b| format!("{} {}", clock(b.start), b.activity))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        day("the clinic closes at noon")[0],
        "11:00 seeing the doctor at the clinic"
    );
    assert_eq!(day("it rains")[0], "11:00 sorting seed packets");
}

/// The rest of Wren's Thursday from eleven on, after a thought.
fn heeded(reason: &str) -> String {
    let (plan, who) = (usual(), somebody("Wren Okafor"));
    let task = ReviseSchedule {
        who: &who,
        date: Date::constant(2023, 6, 1),
        now: 660,
        plan: &plan,
        new: None,
        reason,
        cause: Some(MemoryId::from_index(41)),
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    let line = |b: &Block| format!("{} {}", clock(b.start), b.activity);
    answer.blocks.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn news_of_another_day_leaves_today_alone() {
    let usual = heeded("it rains");
    for reason in [
        "The clinic is closed tomorrow",
        "The clinic is closed on Saturday",
        "The clinic was closed yesterday",
        "Wren Okafor means not to go to the clinic tomorrow",
        "The clinic at 2pm is moved to 3:30pm tomorrow",
    ] {
        assert_eq!(heeded(reason), usual, "{reason}");
    }
    for reason in ["The clinic is closed today", "The clinic is closed on Thursday"] {
        assert!(!heeded(reason).contains("clinic"), "{reason}");
    }
}

#[test]
fn what_is_moved_goes_to_its_new_time() {
    for reason in [
        "Clinic at 2pm is moved to 3:30pm",
        "The clinic has been postponed until 3:30pm today",
    ] {
        let after = heeded(reason);
        assert!(
            after.contains(
                "14:00 reading at home\n15:00 reading at home\n15:30 seeing the doctor at the clinic\n16:30 reading at home"
            ),
            "{reason}: {after}"
        );
    }
    assert!(heeded("Clinic at 5pm is moved to 6pm").contains("14:00 seeing the doctor"));
}

#[test]
fn what_is_shunned_or_called_off_is_dropped() {
    for reason in [
        "Wren Okafor means not to go to the clinic",
        "Wren Okafor means not to see the doctor today.",
        "The doctor is ill; all visits today are cancelled",
    ] {
        let after = heeded(reason);
        assert!(!after.contains("clinic"), "{reason}: {after}");
        assert!(after.contains("reading at home"), "{after}");
    }
    let usual = heeded("it rains");
    assert_eq!(heeded("Wren Okafor means not to eat meat"), usual);
}

#[test]
fn what_cannot_be_done_any_more_is_dropped() {
    let after = revised(
        &usual(),
        725,
        new(725, 10, "talking with Ilse Brandt"),
        "the clinic closes at noon",
    );
    assert!(!after.contains("clinic"), "{after}");
    assert!(after.contains("14:00 watering trays *"), "{after}");
}

#[test]
fn an_invitation_over_dinner_moves_dinner_behind_it() {
    let after = revised(
        &usual(),
        900,
        new(1050, 60, "attending the lantern supper at the boathouse"),
        "invited",
    );
    let expected = "15:00 reading at home
17:30 attending the lantern supper at the boathouse *
18:30 having dinner at home
19:00 resting at home
22:00 sleeping";
    assert_eq!(after, expected);
    let covering = revised(&usual(), 900, new(1050, 90, "attending a party"), "invited");
    assert!(
        covering.contains("19:00 having dinner at home\n20:00 resting at home"),
        "{covering}"
    );
}

#[test]
fn a_short_talk_leaves_the_day_as_it_was() {
    let after = revised(&usual(), 480, new(480, 8, "talking with Bram Holt"), "a talk");
    assert!(
        after.starts_with("08:00 talking with Bram Holt *\n08:08 sorting seed packets\n12:00"),
        "{after}"
    );
    assert!(after.ends_with("22:00 sleeping"));
}

proptest! {
    #[test]
    fn any_revision_leaves_a_whole_day(
        now in 0u16..1440,
        start in 0u16..1600,
        minutes in 0u16..900,
        activity in ".{0,16}",
        reason in prop_oneof![".{0,30}", Just("the clinic closes at noon".to_owned()), Just("clinic is closed".to_owned())],
    ) {
        let who = somebody("Zoë O'Neill-Ångström");
        let plan = usual();
        let new = new(start, minutes, &activity);
        let task = ReviseSchedule { who: &who, date: Date::constant(2023, 6, 1), now, plan: &plan, new: Some(&new), reason: &reason, cause: None };
        let answer = task.by_rule(&rules(1, 2));
        prop_assert_eq!(task.check(&answer), Ok(()));
        let wanted = named(&new.activity);
        prop_assert!(answer.blocks.iter().any(|b| b.activity == wanted), "{:?}", answer);
    }
}
