use std::sync::Arc;

use proptest::prelude::*;
use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::{Date, clock};

use super::super::fixtures::{Townsperson, rules, somebody, townspeople};
use super::*;
use crate::tasks::{Appointment, Blocks, HourlySchedule, KnownPlace, Occasion, Recalled, Strokes, WakeUp};
use crate::{Schedule, Task};

/// The first day of the 2023 town.
const MONDAY: Date = Date::constant(2023, 2, 13);

/// Everything one day is planned from.
struct Morning<'a> {
    who: &'a Identity,
    resident: u16,
    date: Date,
    appointments: &'a [Appointment],
    recalled: &'a [Recalled],
    known_places: &'a [Arc<str>],
    places: &'a [KnownPlace<'a>],
}

impl<'a> Morning<'a> {
    fn of(who: &'a Identity) -> Self {
        Self {
            who,
            resident: 0,
            date: MONDAY,
            appointments: &[],
            recalled: &[],
            known_places: &[],
            places: &[],
        }
    }

    fn schedule(&self) -> Schedule {
        self.planned().1
    }

    fn planned(&self) -> (Strokes, Schedule) {
        let rules = rules(self.resident, 0);
        let wake = WakeUp {
            who: self.who,
            date: self.date,
        }
        .by_rule(&rules)
        .minute;
        let plan = DayPlan {
            who: self.who,
            date: self.date,
            wake,
            appointments: self.appointments,
            recalled: self.recalled,
            known_places: self.known_places,
            places: self.places,
        };
        let strokes = plan.by_rule(&rules);
        plan.check(&strokes).unwrap();
        let hourly = HourlySchedule {
            plan: &plan,
            strokes: &strokes.strokes,
        };
        let blocks = hourly.by_rule(&rules);
        hourly.check(&blocks).unwrap();
        let schedule = Schedule::new(Blocks::entries(&blocks)).unwrap();
        (strokes, schedule)
    }
}

fn shown(schedule: &Schedule) -> String {
    let line = |e: &crate::Entry| {
        format!(
            "{} {}{}",
            clock(e.start),
            e.activity,
            if e.cause.is_some() { " *" } else { "" }
        )
    };
    schedule.entries().iter().map(line).collect::<Vec<_>>().join("\n")
}

fn minutes_where(schedule: &Schedule, test: impl Fn(&str) -> bool) -> u16 {
    schedule
        .entries()
        .iter()
        .filter(|e| test(&e.activity))
        .map(|e| e.minutes)
        .sum()
}

#[test]
fn a_night_baker_is_at_work_at_midnight_and_sleeps_by_day() {
    let who = Identity {
        background: "Priya Nandakumar is a night baker at the Blue Kettle bakery".to_owned(),
        lifestyle: "Priya Nandakumar works 22:00–06:00, sleeps 08:00–15:00".to_owned(),
        ..somebody("Priya Nandakumar")
    };
    let day = Morning::of(&who).schedule();
    for minute in [0, 120, 359, 22 * 60, 23 * 60 + 59] {
        let entry = day.at(minute);
        let eats = entry.activity.contains("dinner at the Blue Kettle bakery")
            || entry.activity.contains("lunch at the Blue Kettle bakery");
        assert!(
            entry.activity.contains("baking") || eats,
            "{} {}",
            clock(minute),
            entry.activity
        );
    }
    for minute in [8 * 60 + 15, 12 * 60, 14 * 60 + 45] {
        assert!(day.at(minute).asleep, "{}\n{}", clock(minute), shown(&day));
    }
    assert!(!day.at(16 * 60).asleep);
}

#[test]
fn what_is_begun_right_before_bed_leaves_bedtime_where_it_is() {
    let who = Identity {
        lifestyle: "goes to bed around 9pm, wakes up around 6am".to_owned(),
        ..somebody("Wren Okafor")
    };
    let stroke = |start, activity: &str| Stroke {
        start,
        until: None,
        activity: activity.to_owned(),
        cause: None,
    };
    let strokes = [
        stroke(6 * 60, "waking up"),
        stroke(19 * 60 + 30, "mending nets"),
        stroke(20 * 60 + 50, "tidying up"),
        stroke(21 * 60, "sleeping"),
    ];
    let plan = DayPlan {
        who: &who,
        date: MONDAY,
        wake: 6 * 60,
        appointments: &[],
        recalled: &[],
        known_places: &[],
        places: &[],
    };
    let blocks = HourlySchedule {
        plan: &plan,
        strokes: &strokes,
    }
    .by_rule(&rules(0, 0));
    let day = Schedule::new(blocks.entries()).unwrap();
    assert_eq!(&*day.at(21 * 60 - 1).activity, "mending nets", "{}", shown(&day));
    assert!(
        day.at(21 * 60).asleep && day.at(21 * 60).start == 21 * 60,
        "{}",
        shown(&day)
    );
}

#[test]
fn who_stays_up_past_midnight_is_awake_when_the_day_begins() {
    let who = Identity {
        lifestyle: "goes to bed around 2am, awakes up around 10am".to_owned(),
        ..somebody("Joon Park")
    };
    let day = Morning::of(&who).schedule();
    assert!(
        !day.at(60).asleep && day.at(121).asleep && day.at(9 * 60 + 30).asleep && !day.at(23 * 60).asleep
    );
}

#[test]
fn nothing_known_gives_a_plain_day_in_any_language() {
    for who in [
        somebody("林 秋"),
        Identity {
            lifestyle: "夜型です".to_owned(),
            background: "詩人。".to_owned(),
            ..somebody("林 秋")
        },
    ] {
        let day = Morning::of(&who).schedule();
        assert!(day.at(3 * 60).asleep && !day.at(12 * 60).asleep);
        let asleep: u16 = day.entries().iter().filter(|e| e.asleep).map(|e| e.minutes).sum();
        assert!((7 * 60..=9 * 60).contains(&asleep));
        assert!(
            minutes_where(&day, |a| a.contains("having")) >= 90,
            "{}",
            shown(&day)
        );
    }
}

/// Somebody who knows where to eat.
fn about_town<'a>(who: &'a Identity, known_places: &'a [Arc<str>]) -> Morning<'a> {
    Morning {
        known_places,
        ..Morning::of(who)
    }
}

#[test]
fn boats_are_planked_in_the_workshop_and_lunch_is_not_had_there() {
    let who = Identity {
        background: "Wren Okafor builds boats".to_owned(),
        current: "Wren Okafor is planking a boat for the rowing club.".to_owned(),
        daily_requirement: "Wren Okafor works in the workshop of the Alder Boatyard from 8am to 5pm, and is at The Blue Kettle Cafe from 8pm to 9pm".to_owned(),
        ..somebody("Wren Okafor")
    };
    let known = ["Alder Boatyard".into(), "Blue Kettle Cafe".into()];
    let day = about_town(&who, &known).schedule();
    let text = shown(&day);
    assert!(
        text.contains("planking a boat for the rowing club at the workshop of the Alder Boatyard"),
        "{text}"
    );
    let lunch = day
        .entries()
        .iter()
        .find(|e| e.activity.contains("lunch"))
        .unwrap();
    assert!(!lunch.activity.contains("workshop"), "{text}");
    assert!(
        day.at(20 * 60 + 30).activity.starts_with("spending time at"),
        "{text}"
    );
}

#[test]
fn errands_take_an_hour_and_housework_is_broken() {
    let shopper = Identity {
        daily_requirement: "Wren Okafor shops at the Willow Market at 2pm".to_owned(),
        ..somebody("Wren Okafor")
    };
    let homemaker = Identity {
        background: "Mara Ilves is a homemaker".to_owned(),
        ..somebody("Mara Ilves")
    };
    let known = ["Blue Kettle Cafe".into()];
    let day = about_town(&shopper, &known).schedule();
    let shopping = minutes_where(&day, |a| a.contains("shopping"));
    assert!((45..=75).contains(&shopping), "{}", shown(&day));
    let day = about_town(&homemaker, &known).schedule();
    let longest = day
        .entries()
        .iter()
        .filter(|e| e.activity.contains("housework"))
        .map(|e| e.minutes)
        .max();
    assert!(longest.is_some_and(|minutes| minutes <= 150), "{}", shown(&day));
    let out = ["walk", "Blue Kettle"];
    assert!(
        minutes_where(&day, |a| out.iter().any(|o| a.contains(o))) >= 30,
        "{}",
        shown(&day)
    );
}

fn party(host: &str, start: Minute, minutes: u16, memory: Option<u32>) -> Appointment {
    Appointment {
        occasion: Occasion {
            what: "lantern supper".to_owned(),
            date: MONDAY,
            start,
            minutes,
            place: Some("the boathouse".to_owned()),
            host: Some(host.to_owned()),
        },
        place: None,
        memory: memory.map(MemoryId::from_index),
    }
}

#[test]
fn what_was_agreed_to_stands_exactly_at_its_time_with_its_cause() {
    let who = somebody("Wren Okafor");
    let appointments = [party("Mara Ilves", 17 * 60, 120, Some(9))];
    let day = Morning {
        appointments: &appointments,
        ..Morning::of(&who)
    }
    .schedule();
    let at = day.at(17 * 60);
    assert_eq!((at.start, at.minutes), (17 * 60, 120), "{}", shown(&day));
    assert_eq!(
        &*at.activity,
        "attending Mara Ilves's lantern supper at the boathouse"
    );
    assert_eq!(at.cause, Some(MemoryId::from_index(9)));
    assert_eq!(
        &*day.at(17 * 60 - 5).activity,
        "going to the boathouse for Mara Ilves's lantern supper"
    );
    assert!(!shown(&day).contains("dinner"), "{}", shown(&day));
    let mut concert = appointments.clone();
    concert[0].occasion.what = "concert".to_owned();
    let day = Morning {
        appointments: &concert,
        ..Morning::of(&who)
    }
    .schedule();
    assert!(
        day.at(19 * 60 + 10).activity.contains("dinner"),
        "{}",
        shown(&day)
    );

    let hosts = [party("Wren Okafor", 17 * 60, 120, None)];
    let day = Morning {
        appointments: &hosts,
        ..Morning::of(&who)
    }
    .schedule();
    assert_eq!(
        &*day.at(17 * 60 + 60).activity,
        "hosting the lantern supper at the boathouse"
    );
    assert_eq!(
        &*day.at(16 * 60 + 30).activity,
        "getting ready for the lantern supper at the boathouse"
    );
}

#[test]
fn a_late_appointment_keeps_the_resident_up() {
    let who = Identity {
        lifestyle: "goes to bed at 10pm, wakes up at 6am".to_owned(),
        ..somebody("Wren Okafor")
    };
    let appointments = [party("Mara Ilves", 22 * 60, 90, Some(9))];
    let day = Morning {
        appointments: &appointments,
        ..Morning::of(&who)
    }
    .schedule();
    assert!(
        day.at(22 * 60 + 45).activity.contains("lantern supper"),
        "{}",
        shown(&day)
    );
    assert!(day.at(23 * 60 + 45).asleep, "{}", shown(&day));
}

#[test]
fn an_occasion_that_was_called_off_is_not_planned() {
    let who = somebody("Wren Okafor");
    let appointments = [party("Mara Ilves", 17 * 60, 120, Some(9))];
    let recalled = [Recalled {
        id: MemoryId::from_index(12),
        kind: townsfolk_memory::MemoryKind::Conversation,
        text: "Mara Ilves said that the lantern supper is cancelled".into(),
        subject: "Mara Ilves".into(),
        importance: 6,
        created: "2023-02-12 10:00".parse().unwrap(),
        told_by: None,
        known: false,
    }];
    let day = Morning {
        appointments: &appointments,
        recalled: &recalled,
        ..Morning::of(&who)
    }
    .schedule();
    assert!(!shown(&day).contains("lantern"), "{}", shown(&day));
}

#[test]
fn a_closing_that_was_told_of_the_day_before_changes_the_day_it_concerns() {
    let who = somebody("Wren Okafor");
    let mut supper = party("Mara Ilves", 17 * 60, 120, Some(9));
    supper.occasion.host = None;
    let appointments = [supper];
    let day = |text: &str| {
        let recalled = [Recalled {
            id: MemoryId::from_index(12),
            kind: MemoryKind::Observation,
            text: text.into(),
            subject: "Wren Okafor".into(),
            importance: 6,
            created: "2023-02-12 10:00".parse().unwrap(),
            told_by: None,
            known: false,
        }];
        Morning {
            appointments: &appointments,
            recalled: &recalled,
            ..Morning::of(&who)
        }
        .planned()
    };
    let usual = day("It rains");
    for other in ["The boathouse is closed", "The boathouse is closed on Tuesday"] {
        assert_eq!(day(other), usual, "{other}");
    }
    for closed in [
        "The boathouse is closed tomorrow",
        "On Monday the boathouse is closed",
    ] {
        let (strokes, hours) = day(closed);
        assert!(!shown(&hours).contains("boathouse"), "{}", shown(&hours));
        assert!(strokes.strokes.iter().all(|s| !s.activity.contains("boathouse")));
        assert_eq!(hours.at(17 * 60 + 60).cause, Some(MemoryId::from_index(12)));
    }
    let (_, hours) = day("The boathouse closes at noon tomorrow");
    let there: Vec<_> = hours
        .entries()
        .iter()
        .filter(|e| e.activity.contains("boathouse"))
        .collect();
    assert!(
        !there.is_empty() && there.iter().all(|e| e.end() <= 12 * 60),
        "{}",
        shown(&hours)
    );
    assert!(there.iter().all(|e| e.cause == Some(MemoryId::from_index(12))));
}

/// Wren's Monday, after what was said the day before.
fn monday_after(requirement: &str, news: &str, appointments: &[Appointment], cafes: &[Arc<str>]) -> Schedule {
    let who = Identity {
        daily_requirement: requirement.to_owned(),
        ..somebody("Wren Okafor")
    };
    let place = |sector, arena| KnownPlace {
        sector,
        arena,
        object: None,
    };
    let places = [
        place("Lantern Clinic", None),
        place("Lantern Clinic", Some("consulting room")),
        place("Blue Kettle Cafe", None),
        place("Tin Cup Cafe", None),
    ];
    let recalled = [Recalled {
        id: MemoryId::from_index(12),
        kind: MemoryKind::Observation,
        text: news.into(),
        subject: "Wren Okafor".into(),
        importance: 6,
        created: "2023-02-12 10:00".parse().unwrap(),
        told_by: None,
        known: false,
    }];
    Morning {
        appointments,
        recalled: &recalled,
        known_places: cafes,
        places: &places,
        ..Morning::of(&who)
    }
    .schedule()
}

#[test]
fn news_of_the_day_before_moves_drops_and_sets_what_the_day_holds() {
    let cafes: [Arc<str>; 2] = ["Blue Kettle Cafe".into(), "Tin Cup Cafe".into()];
    let requirement =
        "Wren Okafor works at Alder College from 9am to noon and visits the clinic from 2pm to 3pm.";
    let day = |news: &str| monday_after(requirement, news, &[], &cafes);
    let usual = day("It rains");
    let has = |day: &Schedule, hour: u16, what: &str| day.at(hour * 60 + 10).activity.contains(what);
    assert!(has(&usual, 14, "clinic"), "{}", shown(&usual));
    for dropped in [
        "Wren Okafor means not to go to the clinic tomorrow",
        "All visits to the clinic are cancelled on Monday",
        "The clinic is closed every Monday",
        "The clinic is closed on Mondays",
        "The consulting room is closed tomorrow",
    ] {
        let day = day(dropped);
        assert!(!shown(&day).contains("clinic"), "{dropped}: {}", shown(&day));
    }
    for moved in [
        "The clinic at 2pm is moved to 4pm tomorrow",
        "The clinic is moved to 4pm on Monday",
        "Wren Okafor should go to the clinic at 4pm tomorrow instead",
    ] {
        let day = day(moved);
        assert!(
            has(&day, 16, "clinic") && !has(&day, 14, "clinic"),
            "{moved}: {}",
            shown(&day)
        );
        assert_eq!(day.at(16 * 60 + 10).cause, Some(MemoryId::from_index(12)));
    }
    for gone in ["The clinic has burned down", "The clinic is closed for good"] {
        assert!(
            !shown(&day(gone)).contains("clinic"),
            "{gone}: {}",
            shown(&day(gone))
        );
    }
    for other in [
        "The clinic was closed last Monday",
        "The clinic might be closed tomorrow",
        "Is the clinic closed tomorrow?",
        "The clinic is closed next week",
        "The clinic is closed every Tuesday",
        "The clinic is closed on Friday",
        "The clinic is closed",
        "Mara Ilves means not to go to the clinic tomorrow",
        "Mara Ilves should go to the clinic at 4pm tomorrow instead",
        "Wren Okafor wants to visit the clinic at 4pm",
    ] {
        assert_eq!(day(other), usual, "{other}");
    }
    let set = day("Wren Okafor should visit the pier at 4pm tomorrow");
    assert_eq!(
        &*set.at(16 * 60 + 10).activity,
        "visiting the pier",
        "{}",
        shown(&set)
    );
    assert!(has(&set, 14, "clinic"), "{}", shown(&set));
}

#[test]
fn a_closed_place_of_work_leaves_a_day_off_and_an_early_closing_an_afternoon() {
    let requirement = "Wren Okafor sees patients at the clinic from 9am to 5pm.";
    let day = |news: &str| monday_after(requirement, news, &[], &["Tin Cup Cafe".into()]);
    let at = |day: &Schedule, hours: std::ops::Range<u16>| {
        let minutes = (hours.start * 60..hours.end * 60).step_by(5);
        minutes.filter(|m| day.at(*m).activity.contains("clinic")).count()
    };
    let (usual, half, off) = (
        day("It rains"),
        day("The clinic closes at noon tomorrow"),
        day("The clinic is closed tomorrow"),
    );
    assert!(
        at(&usual, 9..12) > 30 && at(&usual, 13..17) > 40,
        "{}",
        shown(&usual)
    );
    assert!(
        at(&half, 9..12) > 30 && at(&half, 12..24) == 0,
        "{}",
        shown(&half)
    );
    assert_eq!(at(&off, 0..24), 0, "{}", shown(&off));
    for day in [&half, &off] {
        let longest = day
            .entries()
            .iter()
            .filter(|e| !e.asleep)
            .map(|e| e.minutes)
            .max();
        assert!(longest <= Some(210), "{}", shown(day));
        let meals = day.entries().iter().filter(|e| {
            ["breakfast", "lunch", "dinner"]
                .iter()
                .any(|m| e.activity.contains(m))
        });
        assert_eq!(meals.count(), 3, "{}", shown(day));
    }
}

#[test]
fn whoever_is_to_stay_in_bed_has_a_day_at_home() {
    let requirement = "Wren Okafor works at Alder College from 9am to noon.";
    let day = monday_after(
        requirement,
        "Wren Okafor should stay in bed all day tomorrow",
        &[],
        &[],
    );
    let out = day
        .entries()
        .iter()
        .find(|e| e.start >= 9 * 60 && !e.asleep && !e.activity.contains("home"));
    assert!(out.is_none_or(|e| e.activity.contains("bed")), "{}", shown(&day));
}

#[test]
fn a_meal_at_a_closed_place_is_had_elsewhere_and_home_comes_last() {
    let lunch = |news: &str, cafes: &[Arc<str>]| {
        let day = monday_after(
            "Wren Okafor eats lunch at Blue Kettle Cafe every day.",
            news,
            &[],
            cafes,
        );
        let lunch = day.entries().iter().find(|e| e.activity.contains("lunch"));
        lunch
            .unwrap_or_else(|| panic!("no lunch: {}", shown(&day)))
            .activity
            .to_string()
    };
    let (kettle, cup): (Arc<str>, Arc<str>) = ("Blue Kettle Cafe".into(), "Tin Cup Cafe".into());
    let both = [kettle.clone(), cup];
    let closed = "Blue Kettle Cafe is closed tomorrow";
    assert!(lunch("It rains", &both).contains("Blue Kettle Cafe"));
    assert_eq!(lunch(closed, &both), "having lunch at Tin Cup Cafe");
    assert_eq!(lunch(closed, &[kettle]), "having lunch at home");
}

#[test]
fn an_occasion_that_was_moved_is_attended_at_its_new_time() {
    let appointments = [party("Mara Ilves", 17 * 60, 120, Some(9))];
    let day = monday_after("", "The lantern supper is moved to 7pm", &appointments, &[]);
    assert!(
        day.at(19 * 60 + 10)
            .activity
            .starts_with("attending Mara Ilves's lantern supper"),
        "{}",
        shown(&day)
    );
    assert!(
        !day.at(17 * 60 + 10).activity.contains("lantern"),
        "{}",
        shown(&day)
    );
}

fn planned(person: &Townsperson, resident: usize, date: Date) -> (Strokes, Schedule) {
    let (recalled, known_places) = (person.recalled(), person.sectors());
    let hosting = Occasion {
        what: "Valentine's Day party".to_owned(),
        date: Date::constant(2023, 2, 14),
        start: 17 * 60,
        minutes: 120,
        place: Some("Hobbs Cafe".to_owned()),
        host: Some("Isabella Rodriguez".to_owned()),
    };
    let own = [Appointment {
        occasion: hosting,
        place: None,
        memory: None,
    }];
    let appointments = if &*person.who.name == "Isabella Rodriguez" {
        &own[..]
    } else {
        &[]
    };
    let morning = Morning {
        who: &person.who,
        resident: resident as u16,
        date,
        appointments,
        recalled: &recalled,
        known_places: &known_places,
        places: &[],
    };
    morning.planned()
}

#[test]
fn the_2023_towns_residents_have_believable_days() {
    let Some(people) = townspeople("days of the 2023 town") else {
        return;
    };
    let mut all = String::new();
    let mut at_the_cafe_for_lunch = 0;
    for (i, person) in people.iter().enumerate() {
        let (strokes, day) = planned(person, i, MONDAY);
        let who = &person.who;
        let text = shown(&day);
        all.push_str(&format!("{}\n{text}\n\n", who.name));
        let lifestyle = Lifestyle::of(who);
        assert!(
            (5..=8).contains(&strokes.strokes.len()),
            "{}: {} strokes\n{text}",
            who.name,
            strokes.strokes.len()
        );
        // Asleep and awake as their way of life says.
        assert!(!day.at(after(lifestyle.wake, 15)).asleep, "{}\n{text}", who.name);
        assert!(
            day.at(after(lifestyle.wake, 1440 - 30)).asleep,
            "{}\n{text}",
            who.name
        );
        assert!(
            !day.at(after(lifestyle.bed, 1440 - 20)).asleep,
            "{}\n{text}",
            who.name
        );
        assert!(day.at(after(lifestyle.bed, 20)).asleep, "{}\n{text}", who.name);
        let meals = day
            .entries()
            .iter()
            .filter(|e| {
                ["breakfast", "lunch", "dinner"]
                    .iter()
                    .any(|m| e.activity.contains(m))
            })
            .count();
        assert!(meals >= 3, "{}\n{text}", who.name);
        assert!(
            day.entries().iter().all(|e| e.minutes >= 15),
            "{}\n{text}",
            who.name
        );
        at_the_cafe_for_lunch += usize::from(text.contains("having lunch at Hobbs Cafe"));
    }
    assert!(
        (6..=18).contains(&at_the_cafe_for_lunch),
        "people meet over lunch: {at_the_cafe_for_lunch}\n{all}"
    );
    insta::with_settings!({ prepend_module_to_snapshot => false }, { insta::assert_snapshot!("days_of_the_2023_town", all) });
}

#[test]
fn work_is_where_and_when_the_2023_towns_residents_say() {
    let Some(people) = townspeople("work in the 2023 town") else {
        return;
    };
    let at = |name: &str, words: &str, from: u16, to: u16| {
        let i = people.iter().position(|p| &*p.who.name == name).unwrap();
        for date in [MONDAY, Date::constant(2023, 2, 15)] {
            let (_, day) = planned(&people[i], i, date);
            let inside = (from * 60..to * 60)
                .filter(|m| day.at(*m).activity.contains(words))
                .count();
            let share = inside as f64 / f64::from((to - from) * 60);
            assert!(share > 0.7, "{name}: {words} {share}\n{}", shown(&day));
            let outside = (0..DAY_MINUTES)
                .filter(|m| !(from * 60..to * 60).contains(m) && day.at(*m).activity.contains(words))
                .count();
            assert!(
                outside <= 60,
                "{name}: {words} outside {outside}\n{}",
                shown(&day)
            );
        }
    };
    at("Isabella Rodriguez", "counter at Hobbs Cafe", 8, 20);
    at("Arthur Burton", "counter at The Rose and Crown Pub", 17, 22);
    at(
        "Tom Moreno",
        "grocery counter at The Willow Market and Pharmacy",
        8,
        17,
    );
    at("John Lin", "counter at the Willow Market and Pharmacy", 9, 17);
    at("Carmen Ortiz", "counter at Harvey Oak Supply Store", 8, 18);
    at("Ayesha Khan", "library", 7, 17);
    at("Klaus Mueller", "library at Oak Hill College", 8, 17);
    at("Mei Lin", "teaching at Oak Hill college", 10, 14);
}

#[test]
fn isabella_hosts_her_party_on_the_day() {
    let Some(people) = townspeople("the party of the 2023 town") else {
        return;
    };
    let i = people
        .iter()
        .position(|p| &*p.who.name == "Isabella Rodriguez")
        .unwrap();
    let (_, day) = planned(&people[i], i, Date::constant(2023, 2, 14));
    let entry = day.at(17 * 60);
    assert_eq!(
        (&*entry.activity, entry.start, entry.minutes),
        ("hosting the Valentine's Day party at Hobbs Cafe", 1020, 120),
        "{}",
        shown(&day)
    );
    let (_, before) = planned(&people[i], i, MONDAY);
    assert!(!shown(&before).contains("hosting"));
}

fn odd_text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,60}",
        "(goes to bed|wakes up|opens|works|closes|eats dinner|stands|spends|and|at|until|from|to|The Pub|[0-9]{1,2}(am|pm)|[0-9]{1,2}:[0-9]{2}|,| ){0,20}",
        Just("works 22:00–06:00, sleeps 08:00–15:00".to_owned()),
    ]
}

proptest! {
    #[test]
    fn any_resident_gets_a_whole_day(
        texts in prop::collection::vec(odd_text(), 5),
        wake in 0u16..1440,
        tick in any::<u64>(),
        starts in prop::collection::vec((0u16..1440, 1u16..600), 0..4),
        places in prop::collection::vec(".{0,12}", 0..4),
    ) {
        let who = Identity {
            traits: texts[0].clone(),
            background: texts[1].clone(),
            current: texts[2].clone(),
            lifestyle: texts[3].clone(),
            daily_requirement: texts[4].clone(),
            ..somebody("Zoë O'Neill-Ångström")
        };
        let appointments: Vec<_> = starts.iter().map(|(s, m)| party("林 秋", *s, *m, Some(3))).collect();
        let known_places: Vec<Arc<str>> = places.iter().map(|p| Arc::from(p.as_str())).collect();
        let rules = rules(4, tick);
        let wake_up = WakeUp { who: &who, date: MONDAY };
        prop_assert_eq!(wake_up.check(&wake_up.by_rule(&rules)), Ok(()));
        let plan = DayPlan { who: &who, date: MONDAY, wake, appointments: &appointments, recalled: &[], known_places: &known_places, places: &[] };
        let strokes = plan.by_rule(&rules);
        prop_assert_eq!(plan.check(&strokes), Ok(()));
        let hourly = HourlySchedule { plan: &plan, strokes: &strokes.strokes };
        let blocks = hourly.by_rule(&rules);
        prop_assert_eq!(hourly.check(&blocks), Ok(()), "{:?}", blocks);
    }

    #[test]
    fn any_strokes_become_a_whole_day(
        wake in 0u16..1440,
        strokes in prop::collection::vec((0u16..1440, prop_oneof![".{0,8}", Just("sleeping".to_owned()), Just("going to bed".to_owned())], any::<bool>()), 0..12),
        lifestyle in odd_text(),
    ) {
        let who = Identity { lifestyle, ..somebody("林 秋") };
        let mut strokes: Vec<_> = strokes
            .into_iter()
            .map(|(start, activity, agreed)| Stroke { start, until: None, activity, cause: agreed.then(|| MemoryId::from_index(1)) })
            .collect();
        strokes.sort_by_key(|s| s.start);
        let plan = DayPlan { who: &who, date: MONDAY, wake, appointments: &[], recalled: &[], known_places: &[], places: &[] };
        let hourly = HourlySchedule { plan: &plan, strokes: &strokes };
        let blocks = hourly.by_rule(&rules(0, 0));
        prop_assert_eq!(hourly.check(&blocks), Ok(()), "{:?}", blocks);
        let day = Schedule::new(blocks.entries()).unwrap();
        prop_assert!(day.entries().iter().all(|e| e.minutes >= 15 || e.cause.is_some()), "{}", shown(&day));
        prop_assert!(day.entries().iter().any(|e| e.asleep), "{}", shown(&day));
    }
}
