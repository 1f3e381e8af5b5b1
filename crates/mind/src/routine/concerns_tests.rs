use townsfolk_memory::{MemoryId, MemoryKind};

use super::super::fixtures::{rules, somebody, townspeople};
use super::*;
use crate::Task;
use crate::tasks::{Commitment, Recalled};
use proptest::prelude::*;

fn monday() -> GameTime {
    "2023-02-13 00:00".parse().unwrap()
}

fn committed(who: &Identity, text: &str) -> String {
    let task = Commitment {
        who,
        now: monday(),
        text,
    };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    answer.occasion.map_or_else(
        || "-".to_owned(),
        |o| {
            format!(
                "{} {} {} {}",
                o.what,
                o.date,
                clock(o.start),
                o.host.as_deref().unwrap_or("-")
            )
        },
    )
}

#[test]
fn hosts_and_guests_are_committed_others_are_not() {
    let who = somebody("Mara Ilves");
    let cases = [
        (
            "Mara Ilves is planning a lantern supper at the boathouse on June 4 at 18:00",
            "lantern supper 2023-06-04 18:00 Mara Ilves",
        ),
        (
            "You are excited to be planning a party on February 14th from 5pm",
            "party 2023-02-14 17:00 Mara Ilves",
        ),
        (
            "Mara Ilves agreed to attend Joon's concert tomorrow at 6pm",
            "concert 2023-02-14 18:00 Joon",
        ),
        (
            "I will join the picnic on Saturday at noon",
            "picnic 2023-02-18 12:00 -",
        ),
        ("Joon Park is hosting a concert tomorrow at 6pm", "-"),
        ("Mara Ilves is running in the election next month", "-"),
        ("Mara Ilves is planning a party on February 1st, 2023 at 5pm", "-"),
        ("Mara Ilves opens her shop at 9am everyday", "-"),
        ("Mara Ilves's dinner tonight is moved to 8pm", "-"),
        ("Mara Ilves's lunch is at 1:30pm today", "-"),
        (
            "Mara Ilves is having lunch with Joon Park at the boathouse at 1pm today",
            "-",
        ),
        (
            "Mara Ilves is hosting a lunch at the boathouse at 1pm today",
            "lunch 2023-02-13 13:00 Mara Ilves",
        ),
        ("Mara Ilves is cancelling the concert tomorrow at 6pm", "-"),
        ("Mara Ilves's concert tomorrow at 6pm is cancelled", "-"),
        ("", "-"),
    ];
    for (text, expected) in cases {
        assert_eq!(committed(&who, text), expected, "{text}");
    }
}

#[test]
fn isabella_hosts_her_party_and_sam_has_no_date() {
    let Some(people) = townspeople("commitments of the 2023 town") else {
        return;
    };
    for person in &people {
        let found = committed(&person.who, &person.who.current);
        let expected = match &*person.who.name {
            "Isabella Rodriguez" => "Valentine's Day party 2023-02-14 17:00 Isabella Rodriguez",
            _ => "-",
        };
        assert_eq!(found, expected, "{}", person.who.name);
    }
}

fn memory(index: u32, text: &str, importance: u8, created: &str) -> Recalled {
    Recalled {
        id: MemoryId::from_index(index),
        kind: MemoryKind::Observation,
        text: text.into(),
        subject: "Mara Ilves".into(),
        importance,
        created: created.parse().unwrap(),
        told_by: None,
        known: false,
    }
}

fn revised(who: &Identity, date: Date, recalled: &[Recalled]) -> String {
    let task = ReviseIdentity { who, date, recalled };
    let answer = task.by_rule(&rules(0, 0));
    task.check(&answer).unwrap();
    answer.text
}

#[test]
fn what_is_over_is_not_planned_any_more() {
    let current = "Mara Ilves is mending nets. She is planning a lantern supper at the boathouse on June 4, 2023 at 18:00. She is telling everyone and gathering dishes for it.";
    let mut who = Identity {
        current: current.to_owned(),
        ..somebody("Mara Ilves")
    };
    assert_eq!(revised(&who, Date::constant(2023, 6, 4), &[]), current);
    who.current = revised(&who, Date::constant(2023, 6, 5), &[]);
    assert_eq!(
        who.current,
        "Mara Ilves is mending nets. The lantern supper of June 4, 2023 is over."
    );
    who.current = revised(&who, Date::constant(2023, 6, 6), &[]);
    assert_eq!(who.current, "Mara Ilves is mending nets.");
}

#[test]
fn what_was_agreed_to_and_important_news_are_kept_in_mind() {
    let mut who = Identity {
        current: "Mara Ilves is mending nets.".to_owned(),
        ..somebody("Mara Ilves")
    };
    let recalled = [
        memory(
            1,
            "Mara Ilves agreed to attend Joon's concert at the mill tomorrow at 6pm",
            6,
            "2023-06-04 15:00",
        ),
        memory(2, "The mill burned down.", 9, "2023-06-04 20:00"),
        memory(3, "Mara Ilves is eating breakfast", 1, "2023-06-04 08:00"),
    ];
    who.current = revised(&who, Date::constant(2023, 6, 5), &recalled);
    assert_eq!(
        who.current,
        "Mara Ilves is mending nets. Mara Ilves means to attend the concert at the mill on June 5, 2023 at 18:00. \
         Mara Ilves keeps in mind that the mill burned down."
    );
    // Asked again with the same in mind, nothing doubles.
    assert_eq!(revised(&who, Date::constant(2023, 6, 5), &recalled), who.current);
    who.current = revised(&who, Date::constant(2023, 6, 7), &recalled);
    assert!(!who.current.contains("burned"), "{}", who.current);
}

proptest! {
    #[test]
    fn a_concern_stays_bounded_over_many_days(texts in prop::collection::vec(".{0,200}", 0..12)) {
        let mut who = somebody("林 秋");
        let recalled: Vec<_> = texts.iter().enumerate().map(|(i, t)| memory(i as u32, t, 9, "2023-06-04 15:00")).collect();
        for day in 4..9 {
            let task = ReviseIdentity { who: &who, date: Date::constant(2023, 6, day), recalled: &recalled };
            let answer = task.by_rule(&rules(0, 0));
            prop_assert_eq!(task.check(&answer), Ok(()));
            prop_assert!(answer.text.chars().count() <= MOST_CHARACTERS);
            who.current = answer.text;
        }
    }
}
