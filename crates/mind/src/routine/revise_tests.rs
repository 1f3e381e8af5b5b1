use proptest::prelude::*;
use townsfolk_memory::MemoryId;
use townsfolk_time::{Date, clock};

use super::super::fixtures::{rules, somebody};
use super::*;
use crate::tasks::KnownPlace;
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
        places: &[],
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
            places: &[],
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

/// The places that Wren knows.
const PLACES: [KnownPlace<'static>; 6] = [
    known("Lantern Clinic", None, None),
    known("Lantern Clinic", Some("consulting room"), None),
    known("Lantern Clinic", Some("consulting room"), Some("couch")),
    known("Alder College", None, None),
    known("Alder College", Some("library"), None),
    known("Blue Kettle Cafe", None, None),
];

const fn known(
    sector: &'static str,
    arena: Option<&'static str>,
    object: Option<&'static str>,
) -> KnownPlace<'static> {
    KnownPlace {
        sector,
        arena,
        object,
    }
}

/// The rest of Wren's Thursday from eleven on, after a thought.
fn heeded(reason: &str) -> String {
    rest_of(&usual(), reason)
}

fn rest_of(plan: &Schedule, reason: &str) -> String {
    let who = somebody("Wren Okafor");
    let task = ReviseSchedule {
        who: &who,
        date: Date::constant(2023, 6, 1),
        now: 660,
        plan,
        new: None,
        reason,
        cause: Some(MemoryId::from_index(41)),
        places: &PLACES,
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
        "The clinic was closed last week",
        "The clinic was closed two years ago",
        "In 1998 the clinic was closed for a year",
        "The clinic was closed when Wren came",
    ] {
        assert_eq!(heeded(reason), usual, "{reason}");
    }
    for reason in ["The clinic is closed today", "The clinic is closed on Thursday"] {
        assert!(!heeded(reason).contains("clinic"), "{reason}");
    }
}

#[test]
fn only_what_is_stated_of_the_place_itself_is_news_of_it() {
    let usual = heeded("it rains");
    for reason in [
        "The clinic never closes",
        "The clinic is not closed today",
        "Is the clinic closed today?",
        "If the clinic is closed, go home",
        "Mara said the clinic might be closed today",
        "Perhaps the clinic is closed today",
        "Wren Okafor wonders whether the clinic is closed today",
        "It is false that the clinic is closed",
        "The shop next to the clinic is closed today",
        "The window of the clinic is shut",
        "Mara Ilves opens the clinic at 8am",
        "The clinic has closed its shop",
    ] {
        assert_eq!(heeded(reason), usual, "{reason}");
    }
    for reason in [
        "Mara said the clinic is closed today",
        "It rains, so the clinic is closed today",
        "By the way, the clinic will be shut today",
        "The clinic closes its doors at noon",
        "The clinic has closed its consulting room",
        "Mara Ilves has closed the clinic",
        "The clinic has burned down",
        "The clinic was destroyed last week",
        "The clinic is closed until 4pm",
        "The clinic opens at 4pm today",
        "The clinic has to close at noon today",
        "The clinic is on fire",
        "The clinic ends at 2pm today",
        "The clinic does not run today",
    ] {
        assert_ne!(heeded(reason), usual, "{reason}");
    }
}

#[test]
fn who_works_at_a_place_that_closes_has_the_rest_of_a_day_off() {
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("9:00", "seeing patients at the clinic"),
        ("12:00", "having lunch at home"),
        ("12:45", "seeing patients at the clinic"),
        ("17:00", "tending the herb garden"),
        ("18:00", "having dinner at home"),
        ("22:00", "sleeping"),
    ]);
    let at_noon = rest_of(&plan, "The clinic closes at noon today");
    assert!(
        at_noon.starts_with("11:00 seeing patients at the clinic\n12:00 having lunch at home\n12:45"),
        "{at_noon}"
    );
    let today = rest_of(&plan, "The clinic is closed today");
    for after in [&at_noon, &today] {
        assert!(!after[40..].contains("clinic"), "{after}");
        assert_eq!(after.matches("lunch").count(), 1, "{after}");
        assert!(after.contains("12:00 having lunch at home\n12:45 "), "{after}");
        assert!(
            after.lines().count() >= 7,
            "an afternoon has more than one thing: {after}"
        );
        assert!(
            after.ends_with("17:00 tending the herb garden\n18:00 having dinner at home\n22:00 sleeping"),
            "{after}"
        );
    }
    let for_an_hour = rest_of(&plan, "The clinic is closed from 2 to 3 pm today");
    let lines = [
        "12:45 seeing patients at the clinic",
        "14:00 ",
        "15:00 seeing patients at the clinic",
    ];
    assert!(
        lines.iter().all(|line| for_an_hour.contains(line)),
        "{for_an_hour}"
    );
    // It has no other room.
    let from_three = rest_of(&plan, "The clinic is closing its consulting room today at 3pm");
    assert!(
        from_three.contains("12:45 seeing patients at the clinic\n15:00 "),
        "{from_three}"
    );
    assert_eq!(from_three.matches("clinic").count(), 2, "{from_three}");
}

#[test]
fn a_part_of_the_day_is_a_span_of_it() {
    let usual = heeded("it rains");
    for none in [
        "The clinic is closed this evening",
        "The clinic is closed tonight",
        "The clinic is closed this morning",
        "The clinic is closed in the evening",
    ] {
        assert_eq!(heeded(none), usual, "{none}");
    }
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("9:00", "seeing patients at the clinic"),
        ("19:30", "reading at home"),
        ("22:00", "sleeping"),
    ]);
    let after = rest_of(&plan, "The clinic is closed this afternoon");
    assert!(
        after.starts_with("11:00 seeing patients at the clinic\n12:00 "),
        "{after}"
    );
    assert!(
        after.contains("18:00 seeing patients at the clinic\n19:30"),
        "{after}"
    );
    assert_eq!(after.matches("clinic").count(), 2, "{after}");
    let rests = rest_of(&plan, "Wren Okafor should stay at home this evening");
    assert!(rests.contains("clinic\n18:00 resting at home\n22:00"), "{rests}");
}

#[test]
fn work_ends_when_it_is_said_to() {
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("9:00", "mending nets"),
        ("17:00", "reading at home"),
        ("22:00", "sleeping"),
    ]);
    let after = rest_of(&plan, "Work ends at 2pm today");
    assert!(after.starts_with("11:00 mending nets\n14:00 "), "{after}");
    assert!(
        after.ends_with("17:00 reading at home\n22:00 sleeping"),
        "{after}"
    );
    assert_eq!(rest_of(&plan, "Rest ends at 4pm"), rest_of(&plan, "it rains"));
}

#[test]
fn pleasure_moves_into_free_time_or_falls() {
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("9:00", "mending nets"),
        ("16:00", "relaxing at home"),
        ("17:00", "socialising at Blue Kettle Cafe"),
        ("18:30", "relaxing at home"),
        ("22:00", "sleeping"),
    ]);
    let falls = rest_of(&plan, "Blue Kettle Cafe closes at 1pm today");
    assert!(falls.starts_with("11:00 mending nets\n16:00"), "{falls}");
    assert!(!falls.contains("Kettle"), "{falls}");
    let moves = rest_of(&plan, "Blue Kettle Cafe closes at 5pm today");
    assert!(
        moves.starts_with("11:00 mending nets\n16:00 socialising at Blue Kettle Cafe\n17:00"),
        "{moves}"
    );
}

#[test]
fn whoever_is_to_stay_at_home_rests_there() {
    for reason in [
        "Wren Okafor is sick and should stay in bed all day",
        "Wren Okafor wants to stay at home",
        "Wren Okafor wants to go home",
        "Wren Okafor is ill and must go home and stay in bed",
        "Wren Okafor has a fever and must go home.",
    ] {
        let expected = "11:00 resting at home\n12:00 having lunch at home\n13:00 resting at home\n18:00 having dinner at home\n19:00 resting at home\n22:00 sleeping";
        assert_eq!(heeded(reason), expected, "{reason}");
    }
    let usual = heeded("it rains");
    for reason in [
        "Mara Ilves should stay in bed all day",
        "Wren Okafor should stay in bed all day tomorrow",
    ] {
        assert_eq!(heeded(reason), usual, "{reason}");
    }
}

#[test]
fn a_meal_is_had_where_it_is_said_and_only_ones_own_is_moved() {
    let lunch = heeded("Wren Okafor wants to have lunch at Blue Kettle Cafe at 1pm today");
    assert!(
        lunch.contains("13:00 having lunch at Blue Kettle Cafe"),
        "{lunch}"
    );
    assert_eq!(lunch.matches("lunch").count(), 1, "{lunch}");
    let same_hour = heeded("Wren Okafor should have lunch at Blue Kettle Cafe at noon");
    assert!(
        same_hour.contains("12:00 having lunch at Blue Kettle Cafe\n13:00 watering"),
        "{same_hour}"
    );
    for said in [
        "Lunch is at Blue Kettle Cafe at 1:30pm today",
        "Wren Okafor is having lunch at Blue Kettle Cafe at 1:30pm today",
        "Wren Okafor is having lunch with Mara Ilves at Blue Kettle Cafe at 1:30pm today",
    ] {
        let lunch = heeded(said);
        assert!(
            lunch.contains("13:30 having lunch") && lunch.contains("at Blue Kettle Cafe\n14:30"),
            "{lunch}"
        );
        assert_eq!(lunch.matches("lunch").count(), 1, "{lunch}");
    }
    let later = heeded("Wren Okafor's lunch is at 1:30pm today");
    assert!(
        later.contains("13:30 having lunch at home\n14:30") && later.matches("lunch").count() == 1,
        "{later}"
    );
    let nowhere = heeded("Wren Okafor should have lunch at the Moon Palace at 1pm");
    assert!(nowhere.contains("13:00 having lunch at home"), "{nowhere}");
    let dinner = heeded("Wren Okafor's dinner tonight is moved to 8pm");
    assert!(
        dinner.contains("20:00 having dinner at home") && dinner.matches("dinner").count() == 1,
        "{dinner}"
    );
    assert_eq!(
        heeded("Mara's dinner tonight is moved to 8pm"),
        heeded("it rains")
    );
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
    let earlier = heeded("The clinic is moved from 2pm to 3:30pm today");
    assert!(
        earlier.contains("15:30 seeing the doctor at the clinic"),
        "{earlier}"
    );
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
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("16:00", "playing cards at Blue Kettle Cafe"),
        ("18:00", "having dinner at home"),
        ("22:00", "sleeping"),
    ]);
    for reason in [
        "Cancel Wren Okafor's card game",
        "Wren Okafor wants to cancel her card game today",
        "The card game is cancelled",
    ] {
        assert!(
            !rest_of(&plan, reason).contains("cards"),
            "{reason}: {}",
            rest_of(&plan, reason)
        );
    }
}

#[test]
fn news_is_of_the_place_however_it_is_called() {
    for reason in [
        "The Lantern Clinic is closed today",
        "The consulting room is closed today",
        "The library and the clinic are closed today",
    ] {
        assert!(!heeded(reason).contains("clinic"), "{reason}: {}", heeded(reason));
    }
    let plan = day(&[
        ("0:00", "sleeping"),
        ("7:00", "waking up"),
        ("8:00", "mending nets"),
        ("14:00", "reading in the library"),
        ("15:00", "mending nets"),
        ("18:00", "having dinner at Blue Kettle Cafe"),
        ("22:00", "sleeping"),
    ]);
    for reason in ["Alder College is closed today", "The college is closed today"] {
        let after = rest_of(&plan, reason);
        assert!(!after.contains("library"), "{reason}: {after}");
    }
    let usual = rest_of(&plan, "it rains");
    assert_eq!(rest_of(&plan, "The couch is closed today"), usual);
    let after = rest_of(&plan, "The cafe is closed today");
    assert!(after.contains("18:00 having dinner at home\n22:00"), "{after}");
}

#[test]
fn what_is_to_be_done_at_an_hour_to_come_is_done_then_and_once() {
    let usual = heeded("it rains");
    for reason in [
        "Wren Okafor should visit the pier at 4pm",
        "Wren Okafor wants to visit the pier at 16:00 today.",
        "Wren Okafor has to visit the pier from 4pm to 5pm today",
    ] {
        let after = heeded(reason);
        assert!(
            after.contains("15:00 reading at home\n16:00 visiting the pier\n17:00 reading at home"),
            "{reason}: {after}"
        );
    }
    // What stands in the plan for later moves, and a meal isn't had twice.
    let after = heeded("Wren Okafor should go to the clinic at 4pm instead");
    assert!(
        after.contains("16:00 seeing the doctor at the clinic\n17:00") && !after.contains("14:00 seeing"),
        "{after}"
    );
    let after = heeded("Wren Okafor wants to have lunch at 1pm");
    assert!(
        after.contains("13:00 having lunch at home") && after.matches("lunch").count() == 1,
        "{after}"
    );
    // Over, another day, or another's.
    for reason in [
        "Wren Okafor should visit the pier at 9am",
        "Wren Okafor should visit the pier at 4pm tomorrow",
        "Mara Ilves should visit the pier at 4pm",
        "Wren Okafor thinks that the pier is lovely at 4pm",
    ] {
        assert_eq!(heeded(reason), usual, "{reason}");
    }
    let acted_on = Schedule::new(usual_with_pier()).unwrap();
    let again = rest_of(&acted_on, "Wren Okafor should visit the pier at 4pm");
    assert!(!again.contains("16:00"), "it was done at three: {again}");
}

/// The usual day, in which the thought has been acted on.
fn usual_with_pier() -> Vec<Entry> {
    let mut entries = usual().entries().to_vec();
    let reading = entries.iter_mut().find(|entry| entry.start == 900).unwrap();
    reading.activity = "visiting the pier".into();
    reading.cause = Some(MemoryId::from_index(41));
    entries
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
        new(1050, 60, "attending the rehearsal at the boathouse"),
        "invited",
    );
    let expected = "15:00 reading at home
17:30 attending the rehearsal at the boathouse *
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
fn whoever_eats_at_an_occasion_has_no_other_dinner() {
    for (from, minutes) in [(1050, 60), (1050, 90), (960, 180), (900, 60)] {
        let activity = "attending the lantern supper at the boathouse";
        let after = revised(&usual(), 840, new(from, minutes, activity), "invited");
        assert!(after.contains(activity) && !after.contains("dinner"), "{after}");
    }
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
        let task = ReviseSchedule { who: &who, date: Date::constant(2023, 6, 1), now, plan: &plan, new: Some(&new), reason: &reason, cause: None, places: &[] };
        let answer = task.by_rule(&rules(1, 2));
        prop_assert_eq!(task.check(&answer), Ok(()));
        let wanted = named(&new.activity);
        prop_assert!(answer.blocks.iter().any(|b| b.activity == wanted), "{:?}", answer);
    }
}
