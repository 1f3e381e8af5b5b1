//! What must hold in any town's days, and what happens in small ones.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{EARLY, engine, row, somebody, town};
use townsfolk_engine::Engine;
use townsfolk_store::{ActionStatus, TickRows};
use townsfolk_town::Town;

const DAY: u64 = 8_640;

/// Every tick's rows until `until`.
fn rows(engine: &mut Engine, until: u64) -> Vec<TickRows> {
    std::iter::from_fn(|| engine.advance(until).expect("the routine mind never halts")).collect()
}

fn two_days() -> Vec<TickRows> {
    rows(&mut engine(row(), 1), 2 * DAY)
}

#[test]
fn every_plan_is_a_whole_day() {
    let mut plans = 0;
    for plan in two_days().iter().flat_map(|tick| &tick.plans) {
        let mut hours: Vec<_> = plan
            .entries
            .iter()
            .filter(|e| e.level == townsfolk_store::PlanLevel::Hour)
            .collect();
        hours.sort_by_key(|entry| entry.start);
        let mut minute = 0;
        for entry in hours {
            assert_eq!(entry.start, minute, "{}: no gap, no overlap", plan.date);
            minute += entry.minutes;
        }
        assert_eq!(minute, 1_440);
        plans += 1;
    }
    assert!(plans >= 8, "four people, two days and part of a third: {plans}");
}

#[test]
fn nobody_knows_news_before_somebody_told_it() {
    // Who holds which memory, and since when.
    let mut held: BTreeMap<(u32, u32), (u32, String)> = BTreeMap::new();
    let mut told = 0;
    for tick in two_days() {
        for memory in &tick.memories {
            for evidence in &memory.evidence {
                assert!(
                    held.contains_key(&(memory.resident, *evidence)),
                    "evidence is older"
                );
            }
            if let Some(hearsay) = &memory.hearsay {
                let source = held
                    .get(&(hearsay.teller, hearsay.memory))
                    .expect("the teller held it before");
                assert_eq!(source.1, memory.text);
                assert!(source.0 < tick.tick);
                told += 1;
            }
            held.insert((memory.resident, memory.id), (tick.tick, memory.text.clone()));
        }
    }
    assert!(told > 0, "something was passed on");
}

#[test]
fn talks_take_turns_and_end_and_nobody_is_in_two() {
    let mut open: BTreeMap<u32, (u32, u32, Option<u32>)> = BTreeMap::new();
    let mut count = 0;
    for tick in two_days() {
        for talk in &tick.conversations {
            let busy: BTreeSet<u32> = open.values().flat_map(|(a, b, _)| [*a, *b]).collect();
            assert!(
                !busy.contains(&talk.a) && !busy.contains(&talk.b),
                "one talk at a time"
            );
            open.insert(talk.id, (talk.a, talk.b, None));
            count += 1;
        }
        for line in &tick.lines {
            let (a, b, last) = open
                .get_mut(&line.conversation)
                .expect("it has begun and not ended");
            assert!(line.speaker == *a || line.speaker == *b);
            assert_ne!(*last, Some(line.speaker), "they take turns");
            *last = Some(line.speaker);
        }
        for end in &tick.conversation_ends {
            open.remove(&end.conversation).expect("it was going on");
        }
    }
    assert!(count > 2, "{count} talks");
    assert!(open.is_empty(), "every talk ends: {open:?}");
}

#[test]
fn sleepers_cost_next_to_nothing() {
    let people = |world: &townsfolk_world::World| {
        let home = "Little Row:Ivy House:main room";
        ["Ann Ek", "Bo Ek", "Cy Ek"]
            .map(|name| somebody(world, name, home, ["", "", EARLY]))
            .to_vec()
    };
    let mut town = town(common::STREET, people);
    town.start = "2024-06-03 00:00".parse().unwrap();
    let mut engine = engine(town, 1);
    let computed = rows(&mut engine, 2_100).len(); // 05:50
    assert!(computed < 40, "{computed} of 2,100 ticks had anything in them");
    let pulse = engine.pulse();
    assert_eq!((pulse.asleep, pulse.residents), (3, 3));
    assert!(
        pulse.next >= "2024-06-03 05:30".parse().unwrap(),
        "the first wakes at {}",
        pulse.next
    );
}

#[test]
fn a_night_worker_works_at_night() {
    let mut town = row();
    let priya = &mut town.residents[1].identity;
    priya.name = "Priya Nandakumar".into();
    priya.background = "Priya Nandakumar is a night baker at Lamp Cafe.".to_owned();
    priya.lifestyle = "sleeps from 8am to 3pm".to_owned();
    priya.daily_requirement = "Priya Nandakumar works at Lamp Cafe from 10pm to 6am.".to_owned();
    town.start = "2024-06-03 00:00".parse().unwrap();
    let mut engine = engine(town, 1);
    let mut schedules = 0;
    for tick in rows(&mut engine, DAY) {
        schedules += tick
            .tasks
            .iter()
            .filter(|t| t.resident == Some(1) && t.kind == "hourly_schedule")
            .count();
        let hour = tick.tick / 360;
        for action in tick.actions.iter().filter(|a| a.resident == 1) {
            if hour < 5 {
                assert_ne!(
                    action.status,
                    ActionStatus::Asleep,
                    "{} at {hour} h",
                    action.activity
                );
            }
        }
    }
    assert_eq!(schedules, 1, "one hourly schedule a day");
}

#[test]
fn fifteen_people_pass_in_a_corridor_one_tile_wide() {
    let sketched = "
        Pass
        #################
        #llllC.....Rrrrr#
        #llll#######rrrr#
        #################
        l = Left:hall
        C = Left:hall:gate
        r = Right:hall
        R = Right:hall:gate
    ";
    let mut town = town(sketched, |world| {
        let homes = ["Pass:Left:hall", "Pass:Right:hall"];
        (0..15)
            .map(|i| {
                let name = format!("Walker {}", char::from(b'A' + i));
                somebody(world, &name, homes[usize::from(i) % 2], ["", "", EARLY])
            })
            .collect()
    });
    // Each starts on the other side of the corridor from its home.
    let sides: Vec<_> = town.residents.iter().map(|r| r.start).collect();
    for (i, resident) in town.residents.iter_mut().enumerate() {
        resident.start = sides[(i + 1) % 2];
    }
    town.start = "2024-06-03 23:00".parse().unwrap();
    let mut engine = engine(town, 1);
    rows(&mut engine, 360);
    assert_eq!(
        engine.pulse().asleep,
        15,
        "everybody got home to bed through the corridor"
    );
}

#[test]
fn every_object_returns_to_its_usual_state() {
    let mut states: BTreeMap<u32, String> = BTreeMap::new();
    let mut used = BTreeSet::new();
    let mut engine = engine(row(), 1);
    for tick in rows(&mut engine, DAY) {
        for change in &tick.object_states {
            if change.by.is_some() {
                used.insert(change.place);
            }
            states.insert(change.place, change.state.clone());
        }
    }
    assert!(used.len() >= 3, "objects are used: {used:?}");
    let world = &engine.setting().town.world;
    let usual = |place: u32| {
        world.places()[place as usize]
            .default_state
            .clone()
            .unwrap_or_default()
    };
    let in_use = states
        .iter()
        .filter(|(place, state)| **state != usual(**place))
        .count();
    assert!(
        in_use <= engine.residents().len(),
        "no more objects are in use than there are people"
    );
}

#[test]
fn the_host_is_at_the_supper_and_whoever_accepted_comes() {
    let town: Town = row();
    let cafe = town.world.find("Little Row:Lamp Cafe").unwrap();
    let mut engine = engine(town, 1);
    let mut accepted: BTreeSet<u32> = BTreeSet::new();
    let mut came: BTreeSet<u32> = BTreeSet::new();
    let mut tiles: BTreeMap<u32, townsfolk_world::Tile> = BTreeMap::new();
    // 2024-06-04 18:30, half an hour into the supper.
    let supper = (24 + 12) * 360 + 180;
    for tick in rows(&mut engine, supper) {
        for note in &tick.appointments {
            if note.status == "accepted" || note.status == "own" {
                accepted.insert(note.resident);
            }
        }
        for step in &tick.moves {
            tiles.insert(step.resident, townsfolk_world::Tile { x: step.x, y: step.y });
        }
    }
    let world = &engine.setting().town.world;
    for (resident, tile) in tiles {
        if world.spot(tile).sector == Some(cafe) {
            came.insert(resident);
        }
    }
    assert!(accepted.contains(&0), "Ilse hosts it");
    assert!(accepted.len() > 1, "somebody accepted: {accepted:?}");
    assert!(accepted.is_subset(&came), "accepted {accepted:?}, came {came:?}");
}
