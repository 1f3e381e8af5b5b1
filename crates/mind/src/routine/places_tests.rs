use std::sync::Arc;

use proptest::prelude::*;

use super::super::fixtures::{Townsperson, rules, somebody, townspeople};
use super::*;
use crate::tasks::Choice;
use crate::{Identity, Task};

type Spot<'a> = (&'a str, &'a str, Option<&'a str>);

fn choices(places: &[Spot<'_>], home: (&str, &str), at: (&str, &str)) -> Vec<Choice> {
    let choice = |(i, (sector, arena, object)): (usize, &Spot<'_>)| Choice {
        place: PlaceId::from_index(i),
        sector: Arc::from(*sector),
        arena: Arc::from(*arena),
        object: object.map(Arc::from),
        state: None,
        own_room: (*sector, *arena) == home,
        home: *sector == home.0,
        here: (*sector, *arena) == at,
        near: *sector == at.0,
    };
    places.iter().enumerate().map(choice).collect()
}

fn chosen(who: &Identity, choices: &[Choice], activity: &str, within: &str) -> String {
    let task = ChoosePlace {
        who,
        activity,
        within,
        asleep: activity == "sleeping",
        choices,
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    let c = choices.iter().find(|c| c.place == answer.place).unwrap();
    format!(
        "{} / {} / {}",
        c.sector,
        c.arena,
        c.object.as_deref().unwrap_or("-")
    )
}

#[test]
fn what_is_out_of_order_is_avoided_and_what_is_decorated_is_not() {
    let who = somebody("Wren Okafor");
    let spots = [
        ("houseboat", "galley", Some("stove")),
        ("houseboat", "mess", Some("stove")),
    ];
    let mut boat = choices(&spots, ("houseboat", "cabin"), ("houseboat", "galley"));
    let cooking = |boat: &[Choice]| chosen(&who, boat, "cooking dinner", "having dinner at home");
    assert_eq!(cooking(&boat), "houseboat / galley / stove", "the nearer one");
    boat[0].state = Some("hung with lanterns".into());
    assert_eq!(cooking(&boat), "houseboat / galley / stove");
    for state in ["broken", "on fire", "being descaled", "Out of order"] {
        boat[0].state = Some(state.into());
        assert_eq!(cooking(&boat), "houseboat / mess / stove", "{state}");
    }
}

#[test]
fn the_galley_serves_where_there_is_no_kitchen() {
    let who = somebody("Wren Okafor");
    let spots = [
        ("houseboat", "galley", None),
        ("houseboat", "cabin", Some("bunk")),
    ];
    let boat = choices(&spots, ("houseboat", "cabin"), ("houseboat", "cabin"));
    assert_eq!(
        chosen(&who, &boat, "cooking dinner", "having dinner at home"),
        "houseboat / galley / -"
    );
    assert_eq!(
        chosen(&who, &boat, "sleeping", "sleeping"),
        "houseboat / cabin / bunk"
    );
    assert_eq!(
        chosen(&who, &boat[..1], "flying to the moon base", "moon base"),
        "houseboat / galley / -"
    );
}

#[test]
fn people_keep_to_their_own_rooms_and_off_other_peoples() {
    let who = Identity {
        background: "Mara Ilves is a weaver; she weaves".to_owned(),
        ..somebody("Mara Ilves")
    };
    let spots = [
        ("Joon Park's house", "main room", Some("bed")),
        ("Alder dorm", "Joon Park's room", Some("bed")),
        ("Alder dorm", "Mara Ilves's room", Some("bed")),
        ("Alder dorm", "man's bathroom", Some("shower")),
        ("Alder dorm", "woman's bathroom", Some("shower")),
        ("The Heron Pub", "pub", Some("behind the bar counter")),
        ("The Heron Pub", "pub", Some("bar customer seating")),
    ];
    let all = choices(
        &spots,
        ("Alder dorm", "Mara Ilves's room"),
        ("The Heron Pub", "pub"),
    );
    assert_eq!(
        chosen(&who, &all, "sleeping", "sleeping"),
        "Alder dorm / Mara Ilves's room / bed"
    );
    assert_eq!(
        chosen(&who, &all, "taking a shower", "morning routine"),
        "Alder dorm / woman's bathroom / shower"
    );
    assert_eq!(
        chosen(&who, &all, "having a drink", "evening at The Heron Pub"),
        "The Heron Pub / pub / bar customer seating"
    );
    assert_eq!(
        chosen(&who, &all, "pouring drinks", "working at The Heron Pub"),
        "The Heron Pub / pub / behind the bar counter"
    );
}

#[test]
fn nobody_crosses_town_for_a_sink() {
    let who = somebody("Zoë O'Neill-Ångström");
    let spots = [
        ("mill", "hall", Some("sink")),
        ("boathouse", "galley", Some("sink")),
        ("cottage", "kitchen", Some("sink")),
    ];
    let all = choices(&spots, ("cottage", "kitchen"), ("boathouse", "galley"));
    assert_eq!(
        chosen(&who, &all, "washing cups", "tidying up at the boathouse"),
        "boathouse / galley / sink"
    );
    assert_eq!(
        chosen(&who, &all, "washing cups", "tidying up"),
        "boathouse / galley / sink"
    );
    assert_eq!(
        chosen(&who, &all, "washing cups", "tidying up at home"),
        "cottage / kitchen / sink"
    );
}

#[test]
fn beds_are_for_rest() {
    let who = somebody("Wren Okafor");
    let spots = [
        ("cottage", "bedroom", Some("bed")),
        ("cottage", "bedroom", Some("wardrobe")),
        ("cottage", "kitchen", Some("kitchen sink")),
        ("cottage", "kitchen", Some("table")),
    ];
    let all = choices(&spots, ("cottage", "bedroom"), ("cottage", "bedroom"));
    let goes = |activity: &str, expected: &str| {
        assert_eq!(chosen(&who, &all, activity, activity), expected, "{activity}");
    };
    goes("painting a mural at home", "cottage / kitchen / table");
    goes("raising a new sourdough at home", "cottage / kitchen / table");
    goes("taking a shower", "cottage / kitchen / kitchen sink");
    goes("brushing teeth", "cottage / kitchen / kitchen sink");
    goes("sleeping", "cottage / bedroom / bed");
    goes("lying down in bed with the light on", "cottage / bedroom / bed");
}

#[test]
fn other_scripts_stay_where_the_likeness_is() {
    let who = somebody("林 秋");
    let spots = [("家", "台所", Some("流し")), ("家", "居間", Some("机"))];
    let all = choices(&spots, ("家", "居間"), ("家", "居間"));
    assert_eq!(chosen(&who, &all, "書く", "書く"), "家 / 居間 / 机");
}

fn of(t: &Townsperson, activity: &str, within: &str) -> String {
    let places: Vec<_> = t
        .places
        .iter()
        .map(|(s, a, o)| (s.as_str(), a.as_str(), o.as_deref()))
        .collect();
    let home = (t.home.0.as_str(), t.home.1.as_str());
    chosen(&t.who, &choices(&places, home, home), activity, within)
}

#[test]
fn the_2023_towns_residents_go_where_their_plans_say() {
    let Some(all) = townspeople("places of the 2023 town") else {
        return;
    };
    let goes = |name: &str, step: &str, within: &str, expected: &str| {
        let person = all.iter().find(|t| &*t.who.name == name).unwrap();
        let activity = if step.is_empty() {
            within.to_owned()
        } else {
            format!("{within} ({step})")
        };
        assert_eq!(of(person, &activity, within), expected, "{name}: {activity}");
    };
    let cafe = "working at the counter at Hobbs Cafe";
    goes(
        "Isabella Rodriguez",
        "taking orders",
        cafe,
        "Hobbs Cafe / cafe / behind the cafe counter",
    );
    goes(
        "Isabella Rodriguez",
        "wiping tables",
        cafe,
        "Hobbs Cafe / cafe / cafe customer seating",
    );
    goes(
        "Isabella Rodriguez",
        "washing the cups",
        cafe,
        "Hobbs Cafe / cafe / kitchen sink",
    );
    goes(
        "Isabella Rodriguez",
        "",
        "hosting the Valentine's Day party at Hobbs Cafe",
        "Hobbs Cafe / cafe / cafe customer seating",
    );
    goes(
        "Isabella Rodriguez",
        "choosing",
        "gathering party material",
        "The Willows Market and Pharmacy / store / grocery store shelf",
    );
    goes(
        "Klaus Mueller",
        "",
        "having lunch at Hobbs Cafe",
        "Hobbs Cafe / cafe / cafe customer seating",
    );
    goes(
        "Klaus Mueller",
        "",
        "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe",
        "Hobbs Cafe / cafe / cafe customer seating",
    );
    goes(
        "Klaus Mueller",
        "drafting on",
        "writing at the library at Oak Hill College",
        "Oak Hill College / library / library table",
    );
    goes(
        "Ayesha Khan",
        "taking notes",
        "taking classes at the library at Oak Hill College",
        "Oak Hill College / library / library table",
    );
    goes(
        "Mei Lin",
        "answering questions",
        "teaching at Oak Hill college",
        "Oak Hill College / classroom / classroom podium",
    );
    let market = "The Willow Market and Pharmacy";
    let grocery = format!("working behind the grocery counter at {market}");
    goes(
        "Tom Moreno",
        "ringing up purchases",
        &grocery,
        "The Willows Market and Pharmacy / store / behind the grocery counter",
    );
    goes(
        "Tom Moreno",
        "stocking the shelves",
        &grocery,
        "The Willows Market and Pharmacy / store / grocery store shelf",
    );
    let pharmacy = format!("working behind the counter at {market}");
    goes(
        "John Lin",
        "greeting customers",
        &pharmacy,
        "The Willows Market and Pharmacy / store / behind the pharmacy counter",
    );
    goes(
        "Arthur Burton",
        "pouring drinks",
        "working at the counter at The Rose and Crown Pub",
        "The Rose and Crown Pub / pub / behind the bar counter",
    );
    goes(
        "Carlos Gomez",
        "having a drink",
        "spending the evening at The Rose and Crown Pub",
        "The Rose and Crown Pub / pub / bar customer seating",
    );
    goes(
        "Sam Moore",
        "setting out",
        "talking a walk around Johnson Park",
        "Johnson Park / park / park garden",
    );
    goes(
        "Wolfgang Schulz",
        "lifting weights",
        "exercising at his room",
        "Dorm for Oak Hill College / Wolfgang Schulz's room / lifting weight",
    );
    for person in &all {
        let knows_own_bed = person
            .places
            .iter()
            .any(|(s, a, o)| (s, a) == (&person.home.0, &person.home.1) && o.as_deref() == Some("bed"));
        let bed = of(person, "sleeping", "sleeping");
        let expected = format!("{} / {} / bed", person.home.0, person.home.1);
        assert!(
            bed == expected || !knows_own_bed && bed.starts_with(&person.home.0),
            "{}: {bed}",
            person.who.name
        );
        let sink = of(
            person,
            "brushing teeth",
            "waking up and completing the morning routine",
        );
        assert!(sink.starts_with(&person.home.0), "{}: {sink}", person.who.name);
        if person.sectors().iter().any(|s| &**s == "The Rose and Crown Pub") {
            let pub_dinner = "having dinner at The Rose and Crown Pub";
            let seat = of(person, pub_dinner, pub_dinner);
            assert_eq!(
                seat, "The Rose and Crown Pub / pub / bar customer seating",
                "{}",
                person.who.name
            );
        }
    }
}

proptest! {
    #[test]
    fn there_is_always_a_place(
        spots in prop::collection::vec((".{0,12}", ".{0,12}", prop::option::of(".{0,12}")), 1..40),
        activity in prop_oneof![".{0,40}", Just("cooking".to_owned()), Just("sleeping".to_owned())],
        within in ".{0,40}",
        seed in any::<u64>(),
    ) {
        let who = somebody("Zoë O'Neill-Ångström");
        let places: Vec<Spot<'_>> = spots.iter().map(|(s, a, o)| (s.as_str(), a.as_str(), o.as_deref())).collect();
        let all = choices(&places, (places[0].0, places[0].1), ("", ""));
        let task = ChoosePlace { who: &who, activity: &activity, within: &within, asleep: false, choices: &all };
        prop_assert_eq!(task.check(&task.by_rule(&rules(2, seed))), Ok(()));
    }
}

#[test]
fn one_word_for_a_place_leads_there() {
    let who = somebody("Wren Okafor");
    let spots = [
        ("Wren's house", "study", Some("desk")),
        ("Wren's house", "study", Some("library table")),
        ("Hobbs Cafe", "cafe", Some("cafe customer seating")),
        ("Old Quay Library", "reading room", Some("bookshelf")),
        ("Reed Street Clinic", "waiting room", Some("bench")),
        ("The Clinic House", "bedroom", Some("bed")),
    ];
    let known = choices(&spots, ("Wren's house", "study"), ("Hobbs Cafe", "cafe"));
    for (errand, place) in [
        ("going to the library", "Old Quay Library"),
        ("going to the clinic", "Reed Street Clinic"),
        ("walking to the cafe", "Hobbs Cafe"),
        ("reading at the library", "Old Quay Library"),
    ] {
        let found = chosen(&who, &known, errand, errand);
        assert!(found.starts_with(place), "{errand}: {found}");
        let step = chosen(&who, &known, "looking around", errand);
        assert!(step.starts_with(place), "{errand}, a step: {step}");
    }
    let full = chosen(&who, &known, "going to the library at Hobbs Cafe", "resting");
    assert!(full.starts_with("Hobbs Cafe"), "a full name says more: {full}");
}
