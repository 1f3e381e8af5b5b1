use std::sync::Arc;

use super::super::fixtures::{Townsperson, rules, somebody, townspeople};
use super::*;
use crate::Identity;

fn choices(places: &[(&str, &str, Option<&str>)], home: (&str, &str), at: (&str, &str)) -> Vec<Choice> {
    let choice = |(i, (sector, arena, object)): (usize, &(&str, &str, Option<&str>))| Choice {
        place: PlaceId::from_index(i),
        sector: Arc::from(*sector),
        arena: Arc::from(*arena),
        object: object.map(Arc::from),
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
    let place = choose(&task, &rules(0, 0)).unwrap();
    let c = choices.iter().find(|c| c.place == place).unwrap();
    format!(
        "{} / {} / {}",
        c.sector,
        c.arena,
        c.object.as_deref().unwrap_or("-")
    )
}

fn of(t: &Townsperson, at: (&str, &str), activity: &str, within: &str) -> String {
    let places: Vec<_> = t
        .places
        .iter()
        .map(|(s, a, o)| (s.as_str(), a.as_str(), o.as_deref()))
        .collect();
    let choices = choices(&places, (&t.home.0, &t.home.1), at);
    chosen(&t.who, &choices, activity, within)
}

#[test]
fn the_galley_serves_where_there_is_no_kitchen() {
    let who = somebody("Wren Okafor");
    let boat = choices(
        &[
            ("houseboat", "galley", None),
            ("houseboat", "cabin", Some("bunk")),
        ],
        ("houseboat", "cabin"),
        ("houseboat", "cabin"),
    );
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
fn print_places() {
    let all = townspeople("x").unwrap();
    let named = |name: &str| all.iter().find(|t| &*t.who.name == name).unwrap();
    for t in &all {
        eprintln!("## {}", t.who.name);
        let home = (t.home.0.as_str(), t.home.1.as_str());
        for activity in [
            "sleeping",
            "using the toilet",
            "taking a shower",
            "brushing teeth",
            "getting dressed",
            "cooking lunch",
            "having lunch",
            "washing the dishes",
            "reading",
            "studying",
            "writing",
            "resting",
        ] {
            eprintln!(
                "   {activity}: {}",
                of(t, home, activity, &format!("{activity} at home"))
            );
        }
    }
    let cafe = ("Hobbs Cafe", "cafe");
    let home = ("x", "y");
    for (name, at, activity, within) in [
        (
            "Isabella Rodriguez",
            cafe,
            "working at the counter at Hobbs Cafe (taking orders)",
            "working at the counter at Hobbs Cafe",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "working at the counter at Hobbs Cafe (wiping tables)",
            "working at the counter at Hobbs Cafe",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "working at the counter at Hobbs Cafe (washing the cups)",
            "working at the counter at Hobbs Cafe",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "working at the counter at Hobbs Cafe (making coffee)",
            "working at the counter at Hobbs Cafe",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "getting ready for the Valentine's Day party at Hobbs Cafe (putting up decorations)",
            "getting ready for the Valentine's Day party at Hobbs Cafe",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "gathering party material (choosing)",
            "gathering party material",
        ),
        (
            "Isabella Rodriguez",
            cafe,
            "having lunch",
            "having lunch at Hobbs Cafe",
        ),
        (
            "Klaus Mueller",
            home,
            "ordering lunch",
            "having lunch at Hobbs Cafe",
        ),
        ("Klaus Mueller", home, "paying", "having lunch at Hobbs Cafe"),
        (
            "Klaus Mueller",
            home,
            "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe",
            "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe",
        ),
        (
            "Klaus Mueller",
            home,
            "going to Hobbs Cafe for Isabella Rodriguez's Valentine's Day party",
            "going to Hobbs Cafe for Isabella Rodriguez's Valentine's Day party",
        ),
        (
            "Klaus Mueller",
            home,
            "writing at the library at Oak Hill College (drafting on)",
            "writing at the library at Oak Hill College",
        ),
        (
            "Ayesha Khan",
            home,
            "taking classes at the library at Oak Hill College (taking notes)",
            "taking classes at the library at Oak Hill College",
        ),
        (
            "Mei Lin",
            home,
            "teaching at Oak Hill college (answering questions)",
            "teaching at Oak Hill college",
        ),
        (
            "Eddy Lin",
            home,
            "taking classes at Oak Hill College (listening to the lecture)",
            "taking classes at Oak Hill College",
        ),
        (
            "Tom Moreno",
            home,
            "working behind the grocery counter at The Willow Market and Pharmacy (ringing up purchases)",
            "working behind the grocery counter at The Willow Market and Pharmacy",
        ),
        (
            "Tom Moreno",
            home,
            "working behind the grocery counter at The Willow Market and Pharmacy (stocking the shelves)",
            "working behind the grocery counter at The Willow Market and Pharmacy",
        ),
        (
            "John Lin",
            home,
            "working behind the counter at the Willow Market and Pharmacy (greeting customers)",
            "working behind the counter at the Willow Market and Pharmacy",
        ),
        (
            "Carmen Ortiz",
            home,
            "working behind the counter at Harvey Oak Supply Store (greeting customers)",
            "working behind the counter at Harvey Oak Supply Store",
        ),
        (
            "Arthur Burton",
            home,
            "working at the counter at The Rose and Crown Pub (pouring drinks)",
            "working at the counter at The Rose and Crown Pub",
        ),
        (
            "Carlos Gomez",
            home,
            "spending the evening at The Rose and Crown Pub (having a drink)",
            "spending the evening at The Rose and Crown Pub",
        ),
        (
            "Carlos Gomez",
            home,
            "having lunch at home",
            "having lunch at home",
        ),
        (
            "Sam Moore",
            home,
            "talking a walk around Johnson Park (setting out)",
            "talking a walk around Johnson Park",
        ),
        (
            "Sam Moore",
            home,
            "sitting at Hobbs cafe reading",
            "sitting at Hobbs cafe reading",
        ),
        (
            "Wolfgang Schulz",
            home,
            "going for a run at the part (running)",
            "going for a run at the part",
        ),
        (
            "Wolfgang Schulz",
            home,
            "exercising at his room (lifting weights)",
            "exercising at his room",
        ),
        (
            "Maria Lopez",
            home,
            "Twitch streaming or gaming at home (playing)",
            "Twitch streaming or gaming at home",
        ),
    ] {
        eprintln!("{name}: {activity} -> {}", of(named(name), at, activity, within));
    }
}
