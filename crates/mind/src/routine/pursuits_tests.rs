use proptest::prelude::*;
use townsfolk_time::clock;

use super::super::fixtures::somebody;
use super::*;

fn line(p: &Pursuit) -> String {
    let time = |t: Option<Minute>| t.map_or_else(|| "?".to_owned(), clock);
    format!("{:?} {} {}-{}", p.role, p.in_words(), time(p.start), time(p.end))
}

fn asked(requirement: &str) -> Vec<String> {
    let who = Identity {
        daily_requirement: requirement.to_owned(),
        ..somebody("Wren Okafor")
    };
    required(&who).iter().map(line).collect()
}

#[test]
fn what_others_are_doing_is_no_pursuit_of_ones_own() {
    let doing = |current: &str| {
        let who = Identity {
            current: current.to_owned(),
            ..somebody("Wren Okafor")
        };
        work(&who).into_iter().map(|p| p.activity).collect::<Vec<_>>()
    };
    assert_eq!(
        doing(
            "Wren Okafor is grinding a lens. Wren Okafor keeps in mind that the fair is in May; Bram Holt is preparing the papers for the fair."
        ),
        ["grinding a lens"]
    );
    assert_eq!(
        doing("Wren Okafor knows that Bram Holt is preparing an exhibition and is writing a speech."),
        Vec::<String>::new()
    );
    assert_eq!(
        doing("Her daughter is studying the stars. Wren is also painting a wall."),
        ["painting a wall"]
    );
    let told = Recalled {
        text: "Wren Okafor knows from Ilse Brandt that Bram Holt likes to read at Alder Library".into(),
        ..recalled()
    };
    let own = Recalled {
        text: "Wren Okafor likes to read at Alder Library".into(),
        ..recalled()
    };
    let who = somebody("Wren Okafor");
    assert_eq!(habits(&who, &[told]), []);
    assert_eq!(habits(&who, &[own]).len(), 1);
}

fn recalled() -> Recalled {
    Recalled {
        id: townsfolk_memory::MemoryId::from_index(0),
        kind: townsfolk_memory::MemoryKind::Reflection,
        text: "".into(),
        subject: "Wren Okafor".into(),
        importance: 5,
        created: townsfolk_time::GameTime::midnight(townsfolk_time::Date::constant(2024, 6, 3)),
        told_by: None,
        known: false,
    }
}

#[test]
fn a_requirement_is_read_clause_by_clause() {
    assert_eq!(
        asked(
            "Wren opens the Blue Kettle cafe at 8am everyday, and stands at the counter until 8pm, at which point she closes the cafe."
        ),
        ["Work working at the counter at the Blue Kettle cafe 08:00-20:00"]
    );
    assert_eq!(
        asked(
            "Wren goes to the library at Alder College to take classes from 10am to 2pm, and then spends her days studying at the library."
        ),
        [
            "Work taking classes at the library at Alder College 10:00-14:00",
            "Work studying at the library ?-?"
        ]
    );
    assert_eq!(
        asked("Wren goes to the mill to teach starting 10 am, teaches until 2pm, and returns home to work."),
        [
            "Work teaching at the mill 10:00-14:00",
            "Work working at home ?-?"
        ]
    );
    assert_eq!(
        asked(
            "Wren opens Alder Supply Store at 8am, stands behind its counter, and closes it at 6pm, at which point, she likes to go to The Heron Pub to relax"
        ),
        [
            "Work working behind the counter at Alder Supply Store 08:00-18:00",
            "Leisure relaxing at The Heron Pub ?-?"
        ]
    );
    assert_eq!(
        asked("Wren goes for a run in the morning and exercises at night"),
        ["Leisure going for a run ?-?", "Leisure exercising ?-?"]
    );
    assert_eq!(asked("毎日パンを焼く。"), Vec::<String>::new());
    assert_eq!(asked(""), Vec::<String>::new());
}

#[test]
fn hours_of_work_may_stand_in_the_way_of_life() {
    let who = Identity {
        background: "Priya Nandakumar is a night baker at the Blue Kettle bakery".to_owned(),
        lifestyle: "works 22:00–06:00, sleeps 08:00–15:00".to_owned(),
        ..somebody("Priya Nandakumar")
    };
    let lines: Vec<_> = required(&who).iter().map(line).collect();
    assert_eq!(lines, ["Work baking at the Blue Kettle bakery 22:00-06:00"]);
}

#[test]
fn work_is_what_one_is_in_the_middle_of_then_the_occupation() {
    let who = Identity {
        background: "Joon Park is a poet who loves rivers.".to_owned(),
        current: "Joon Park is living with Mara. He is also writing a long poem about the harbor and mending his boat.".to_owned(),
        ..somebody("Joon Park")
    };
    let lines: Vec<_> = work(&who).iter().map(Pursuit::in_words).collect();
    assert_eq!(
        lines,
        [
            "writing a long poem about the harbor",
            "mending his boat",
            "writing poetry"
        ]
    );
    let retired = Identity {
        background: "Joon Park is a retired teacher".to_owned(),
        ..somebody("Joon Park")
    };
    assert_eq!(work(&retired), []);
}

proptest! {
    #[test]
    fn any_texts_are_read(text in ".{0,100}", other in "[a-zA-Z ,.0-9:]{0,100}") {
        let who = Identity {
            daily_requirement: text.clone(),
            current: other.clone(),
            background: format!("{other} is a {text}"),
            lifestyle: format!("works {text} {other}"),
            ..somebody("Zoë O'Neill-Ångström")
        };
        prop_assert!(required(&who).iter().chain(&work(&who)).all(|p| !p.in_words().trim().is_empty()));
        let _ = habits(&who, &[]);
    }
}

#[test]
fn concerns_are_ones_own_and_say_what_is_done() {
    let who = Identity {
        current: "Mara Ilves is secretly designing a kite. She is mending old clocks in the afternoons and \
                  gathering jars for it. Mara Ilves keeps in mind that Joon Park is writing an opera."
            .to_owned(),
        ..somebody("Mara Ilves")
    };
    let told: Vec<String> = work(&who).into_iter().map(|p| p.activity).collect();
    assert_eq!(told, ["designing a kite", "mending old clocks", "gathering jars"]);
}
