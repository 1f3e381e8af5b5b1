//! What people do from outside: recorded, seen, answered, and the same every time.

mod common;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use common::{digest, row, setting, somebody};
use townsfolk_embed::HashedWords;
use townsfolk_engine::{Engine, Input, InputError, Options, Run, RunError, Written, at};
use townsfolk_memory::{Embedder, Memory, MemoryKind};
use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::Status;
use townsfolk_store::{PlanLevel, RunReader, RunState};
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::{PlaceId, Tile};

const DAY: u64 = 8_640;
const ILSE: ResidentId = ResidentId(0);
const TOMAS: ResidentId = ResidentId(1);
const ZOE: ResidentId = ResidentId(2);

fn embedder() -> Arc<dyn Embedder> {
    Arc::new(HashedWords)
}

fn start(path: &Path, town: Town) -> Run {
    Run::create(path, setting(town, 7), Options::default(), "test").unwrap()
}

fn go_on(run: &mut Run, until: u64) {
    run.run_until(until, |_| ControlFlow::Continue(())).unwrap();
}

/// The tick at which the clock of the story shows this on its first day.
fn tick(engine: &Engine, clock: &str) -> u64 {
    let time: GameTime = format!("2024-06-03 {clock}").parse().unwrap();
    engine.setting().tick_at(time)
}

fn go_to(run: &mut Run, clock: &str) {
    let until = tick(run.engine(), clock);
    go_on(run, until);
}

fn memories(engine: &Engine, who: ResidentId) -> impl DoubleEndedIterator<Item = &Memory> {
    engine.residents()[who.index()].stream.iter()
}

fn remembers<'e>(engine: &'e Engine, who: ResidentId, part: &str) -> Option<&'e Memory> {
    memories(engine, who).find(|memory| memory.text.contains(part))
}

fn place(town: &Town, address: &str) -> PlaceId {
    town.world.find(address).expect("a place of the sketch")
}

fn standing(town: &Town, address: &str) -> Tile {
    town.world.standing_tiles(place(town, address))[0]
}

fn whisper(to: ResidentId, text: &str) -> Input {
    Input::Whisper {
        resident: to,
        text: text.to_owned(),
    }
}

/// The row, where the gardener means to go to the cafe (which serves as the clinic of field case 18) at
/// two.
fn clinic() -> Town {
    let mut town = row();
    let tomas = &mut town.residents[1].identity;
    tomas.daily_requirement =
        "Tomas Varga works at Oak House from 8am to 2pm and visits Lamp Cafe from 2pm to 3pm.".to_owned();
    town
}

#[test]
fn a_whisper_moves_or_drops_what_stands_in_the_plan_and_leaves_the_past_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut run = start(&path, clinic());
    go_to(&mut run, "11:00");
    let before = run.engine().residents()[1].life.day.clone().unwrap();
    let at_two = |engine: &Engine| {
        let day = engine.residents()[1].life.day.clone().unwrap();
        day.hours.at(14 * 60 + 10).clone()
    };
    assert!(at_two(run.engine()).activity.contains("Lamp Cafe"), "{before:?}");
    let tick = run
        .input(whisper(TOMAS, "Lamp Cafe closes at noon today."))
        .unwrap();
    go_on(&mut run, tick + 1);

    let news = remembers(run.engine(), TOMAS, "closes at noon").unwrap().id;
    let now = at_two(run.engine());
    assert!(!now.activity.contains("Lamp Cafe"), "{now:?}");
    assert_eq!(now.cause, Some(news), "the change names the memory behind it");
    let after = run.engine().residents()[1].life.day.clone().unwrap();
    for minute in 0..11 * 60 {
        assert_eq!(after.hours.at(minute).activity, before.hours.at(minute).activity);
    }
    run.finish(RunState::Paused).unwrap();
    let plan = RunReader::open(&path)
        .unwrap()
        .plan(1, "2024-06-03", tick as u32)
        .unwrap();
    let last = plan.unwrap().row;
    assert_eq!(last.cause_memory, Some(news.index() as u32));
    let hours = last.entries.iter().filter(|e| e.level == PlanLevel::Hour);
    assert_eq!(hours.map(|e| u32::from(e.minutes)).sum::<u32>(), 1_440);
}

#[test]
fn a_visitors_words_change_plans_like_anybodys() {
    let folder = tempfile::tempdir().unwrap();
    let town = clinic();
    let mut run = start(&folder.path().join("a.run"), town);
    go_to(&mut run, "11:00");
    let tile = run.engine().tile_beside(TOMAS).unwrap();
    let arrive = Input::Arrive {
        name: "Dana Reed".to_owned(),
        role: "a reporter".to_owned(),
        tile,
    };
    run.input(arrive).unwrap();
    let dana = run.find("Dana Reed").unwrap();
    let speak = |text: &str, ends| Input::Speak {
        visitor: dana,
        to: TOMAS,
        text: text.to_owned(),
        ends,
    };
    run.input(speak("Good morning. Lamp Cafe closes at noon today.", true))
        .unwrap();
    go_to(&mut run, "11:05");
    let engine = run.engine();
    let heard = memories(engine, TOMAS)
        .find(|m| m.hearsay.as_ref().is_some_and(|h| &*h.teller == "Dana Reed"))
        .expect("it is hearsay from the visitor");
    assert!(heard.text.contains("closes at noon"), "{}", heard.text);
    let entry = engine.residents()[1]
        .life
        .day
        .as_ref()
        .unwrap()
        .hours
        .at(14 * 60 + 10);
    assert!(!entry.activity.contains("Lamp Cafe"), "{entry:?}");
    assert_eq!(entry.cause, Some(heard.id));
    assert!(
        memories(engine, TOMAS).any(|m| m.kind == MemoryKind::Conversation && m.text.contains("Dana Reed")),
        "the talk itself is remembered"
    );
}

#[test]
fn a_closing_tomorrow_changes_tomorrow_and_not_today() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = start(&folder.path().join("a.run"), clinic());
    go_to(&mut run, "11:00");
    let plan = |engine: &Engine| engine.residents()[1].life.day.clone().unwrap();
    let before = plan(run.engine());
    let tick_of_news = run.input(whisper(TOMAS, "The cafe is closed tomorrow.")).unwrap();
    go_on(&mut run, tick_of_news + 1);
    assert_eq!(plan(run.engine()).hours, before.hours, "today it is open");
    assert!(before.hours.at(14 * 60 + 10).activity.contains("Lamp Cafe"));

    let tomorrow = DAY + tick(run.engine(), "10:00");
    go_on(&mut run, tomorrow);
    let engine = run.engine();
    let news = remembers(engine, TOMAS, "closed tomorrow").unwrap().id;
    let day = plan(engine);
    let visit = day.hours.at(14 * 60 + 10);
    assert!(!visit.activity.contains("Lamp Cafe"), "{visit:?}");
    assert_eq!(visit.cause, Some(news), "the plan names the memory behind it");
}

#[test]
fn a_directive_with_an_hour_is_followed_at_that_hour_once_and_not_when_it_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = start(&folder.path().join("a.run"), clinic());
    go_to(&mut run, "11:00");
    let plan = |engine: &Engine| engine.residents()[1].life.day.clone().unwrap().hours;
    let before = plan(run.engine());
    let over = run.input(whisper(TOMAS, "Go to Ivy House at 9am")).unwrap();
    go_on(&mut run, over + 1);
    assert_eq!(plan(run.engine()), before, "nine is over");
    let tick_of_wish = run
        .input(whisper(TOMAS, "You should visit Lamp Cafe at 4pm instead"))
        .unwrap();
    go_on(&mut run, tick_of_wish + 1);
    let wish = remembers(run.engine(), TOMAS, "at 4pm instead").unwrap().id;
    let day = plan(run.engine());
    let visit = day.at(16 * 60 + 10);
    assert!(visit.activity.contains("Lamp Cafe"), "{visit:?}");
    assert_eq!(visit.cause, Some(wish), "the plan names the memory behind it");
    assert!(!day.at(14 * 60 + 10).activity.contains("Lamp Cafe"), "{day:?}");

    let tile = run.engine().tile_beside(TOMAS).unwrap();
    let arrive = Input::Arrive {
        name: "Dana Reed".to_owned(),
        role: "a reporter".to_owned(),
        tile,
    };
    run.input(arrive).unwrap();
    let visitor = run.find("Dana Reed").unwrap();
    let words = Input::Speak {
        visitor,
        to: TOMAS,
        text: "Go to Ivy House at 17:00!".to_owned(),
        ends: true,
    };
    run.input(words).unwrap();
    go_to(&mut run, "11:05");
    let told = |m: &&Memory| m.hearsay.is_some() && m.text.contains("should go to Ivy House");
    let advice = memories(run.engine(), TOMAS).find(told).unwrap().id;
    let day = plan(run.engine());
    let visit = day.at(17 * 60 + 10);
    assert_eq!(
        (&*visit.activity, visit.cause),
        ("going to Ivy House", Some(advice))
    );

    let tomorrow = DAY + tick(run.engine(), "10:00");
    go_on(&mut run, tomorrow);
    let day = plan(run.engine());
    let again = |entry: &&townsfolk_mind::Entry| [Some(wish), Some(advice)].contains(&entry.cause);
    assert_eq!(
        day.entries().iter().find(again),
        None,
        "the day after is as usual"
    );
}

#[test]
fn a_whispered_party_of_ones_own_is_hosted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut run = start(&path, row());
    go_to(&mut run, "11:00");
    let party = "You are planning a tea party at Lamp Cafe today from 3pm to 4pm";
    let tick = run.input(whisper(ZOE, party)).unwrap();
    go_on(&mut run, tick + 1);
    let day = run.engine().residents()[2].life.day.clone().unwrap();
    assert_eq!(
        &*day.hours.at(15 * 60 + 10).activity,
        "hosting the tea party at Lamp Cafe"
    );
    let what = |run: &Run| {
        let resident = &run.engine().residents()[2].life;
        let hours = &resident.day.as_ref().unwrap().hours;
        let hosts = hours.entries().iter().filter(|e| e.activity.contains("hosting"));
        let starts: Vec<u16> = hosts.map(|e| e.start).collect();
        let meant: Vec<u16> = resident.appointments.iter().map(|a| a.occasion.start).collect();
        (starts, meant, !resident.called_off.is_empty())
    };
    let tick = run.input(whisper(ZOE, "The tea party is moved to 5pm")).unwrap();
    go_on(&mut run, tick + 1);
    assert_eq!(what(&run), (vec![17 * 60], vec![17 * 60], false));
    let tick = run
        .input(whisper(ZOE, "You are cancelling the tea party"))
        .unwrap();
    go_on(&mut run, tick + 1);
    assert_eq!(what(&run), (vec![], vec![], true));
    run.finish(RunState::Paused).unwrap();
    let rows = RunReader::open(&path)
        .unwrap()
        .appointments(2, tick as u32)
        .unwrap();
    let rows: Vec<_> = rows.into_iter().map(|at| (at.row.id, at.row.status)).collect();
    assert_eq!(
        rows,
        [(0, "declined".to_owned())],
        "one party, whatever became of it"
    );
}

#[test]
fn a_whispered_errand_is_run_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = start(&folder.path().join("a.run"), row());
    go_to(&mut run, "11:00");
    let tick = run.input(whisper(ZOE, "Go to the cafe right away")).unwrap();
    go_on(&mut run, tick + 60);
    let engine = run.engine();
    let thought = remembers(engine, ZOE, "wants to go to the cafe").unwrap();
    let entry = engine.residents()[2]
        .life
        .day
        .as_ref()
        .unwrap()
        .hours
        .at(11 * 60 + 5);
    assert_eq!(
        (&*entry.activity, entry.cause),
        ("going to the cafe", Some(thought.id))
    );
    let world = &engine.setting().town.world;
    let sector = world.spot(engine.body(ZOE).unwrap().tile).sector.unwrap();
    assert_eq!(world.place(sector).name, "Lamp Cafe", "and she is there");
}

#[test]
fn what_is_broken_at_home_is_told_to_those_who_have_not_seen_it() {
    let folder = tempfile::tempdir().unwrap();
    let town = row();
    let stove = place(&town, "Little Row:Ivy House:main room:stove");
    let mut run = start(&folder.path().join("a.run"), town);
    go_to(&mut run, "06:30");
    run.input(Input::SetObject {
        object: stove,
        state: "broken".to_owned(),
    })
    .unwrap();
    go_on(&mut run, 2 * DAY);
    let engine = run.engine();
    let told = |who| memories(engine, who).find(|m| m.hearsay.is_some() && &*m.text == "stove is broken");
    let heard = [TOMAS, ZOE]
        .into_iter()
        .find_map(told)
        .expect("who saw it told somebody who had not");
    let teller = &heard.hearsay.as_ref().unwrap().teller;
    assert!(
        ["Ilse Brandt", "林 秋"].contains(&&**teller),
        "from somebody of that house: {teller}"
    );
}

#[test]
fn whoever_sleeps_hears_a_whisper_on_waking() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = start(&folder.path().join("a.run"), row());
    go_to(&mut run, "23:30");
    let asleep = |run: &Run| run.engine().pulse().asleep;
    assert_eq!(asleep(&run), 4, "the town sleeps");
    run.input(whisper(TOMAS, "You have found a gold coin in the garden"))
        .unwrap();
    go_on(&mut run, DAY - 720);
    assert!(remembers(run.engine(), TOMAS, "gold coin").is_none());
    go_on(&mut run, DAY + 2_160);
    let heard = remembers(run.engine(), TOMAS, "gold coin").expect("it woke and heard it");
    assert_eq!(&*heard.text, "Tomas Varga has found a gold coin in the garden");
    assert!(heard.created > "2024-06-04 05:00".parse().unwrap());
}

#[test]
fn an_object_set_from_outside_stays_so_is_seen_and_can_be_set_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let town = row();
    let counter = place(&town, "Little Row:Lamp Cafe:cafe:behind the cafe counter");
    let mut run = start(&path, town);
    go_to(&mut run, "10:00");
    let set = |state: &str| Input::SetObject {
        object: counter,
        state: state.to_owned(),
    };
    let tick = run.input(set("behind the cafe counter is on fire")).unwrap();
    go_on(&mut run, tick + 1);
    let seen = remembers(run.engine(), ILSE, "on fire").expect("who stands at it sees it at once");
    assert_eq!(&*seen.text, "behind the cafe counter is on fire");
    let seen = seen.id;
    let day = run.engine().residents()[0].life.day.as_ref().unwrap();
    assert_eq!(
        day.hours.at(10 * 60).cause,
        Some(seen),
        "and leaves what she was doing: {:?}",
        day.hours.at(10 * 60)
    );
    go_to(&mut run, "12:00");
    run.input(set("idle")).unwrap();
    go_to(&mut run, "13:00");
    run.finish(RunState::Paused).unwrap();
    let reader = RunReader::open(&path).unwrap();
    let info = reader.info().unwrap();
    let states: Vec<_> = reader.object_states_between(0..=info.head.unwrap()).unwrap();
    let states: Vec<_> = states
        .into_iter()
        .filter(|s| s.row.place == counter.index() as u32)
        .collect();
    let after: Vec<_> = states.iter().filter(|s| s.tick >= tick as u32).take(2).collect();
    assert_eq!((after[0].row.state.as_str(), after[0].row.by), ("on fire", None));
    let set_right = after[1].tick;
    assert_eq!(
        set_right, 2_160,
        "nobody's use of it changes it meanwhile: {states:?}"
    );
}

#[test]
fn a_visitor_is_seen_spoken_to_remembered_and_missed_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let town = row();
    let seats = standing(&town, "Little Row:Lamp Cafe:cafe:cafe customer seating");
    let mut run = start(&path, town);
    go_to(&mut run, "10:00");
    let arrive = Input::Arrive {
        name: "林 真美".to_owned(),
        role: "a reporter".to_owned(),
        tile: seats,
    };
    run.input(arrive).unwrap();
    let visitor = run.find("林 真美").unwrap();
    assert_eq!(visitor, ResidentId(4));
    let speak = |text: &str, ends| Input::Speak {
        visitor,
        to: ILSE,
        text: text.to_owned(),
        ends,
    };
    let opened = run
        .input(speak("Hello! When does the harvest supper begin?", false))
        .unwrap();
    go_on(&mut run, opened + 2);
    assert!(remembers(run.engine(), ILSE, "visiting the town as a reporter").is_some());
    // She answers, then waits three minutes for the visitor's next words, and no longer.
    go_on(&mut run, opened + 60);
    run.finish(RunState::Paused).unwrap();
    let reader = RunReader::open(&path).unwrap();
    let with_visitor = |reader: &RunReader| {
        let talks = reader.conversations(reader.head().unwrap().unwrap()).unwrap();
        let his = talks
            .into_iter()
            .filter(|talk| talk.began.row.a == 4 || talk.began.row.b == 4);
        his.collect::<Vec<_>>()
    };
    let talks = with_visitor(&reader);
    let [talk] = talks.as_slice() else {
        panic!("one talk: {talks:?}")
    };
    assert_eq!(talk.lines.len(), 2, "{talk:?}");
    assert_eq!(talk.lines[1].row.speaker, 0);
    let end = talk.ended.as_ref().expect("the patience is over");
    assert_eq!(end.row.reason, "no answer");
    assert!(end.tick <= opened as u32 + 40);

    // Late words open another talk; a goodbye is answered once, and that is all.
    let mut run = Run::resume(&path, embedder(), Options::default()).unwrap();
    run.input(speak("Thank you, goodbye!", true)).unwrap();
    let later = run.engine().tick() + 120;
    go_on(&mut run, later);
    run.input(Input::Leave { who: visitor }).unwrap();
    go_on(&mut run, later + 60);
    assert!(!run.engine().is_here(visitor));
    let gone = run.input(speak("Are you there?", false)).unwrap_err();
    assert_eq!(gone.to_string(), "林 真美 has left the town");
    run.finish(RunState::Paused).unwrap();
    let talks = with_visitor(&reader);
    let spoken: Vec<_> = talks.iter().skip(1).flat_map(|talk| &talk.lines).collect();
    let goodbyes = spoken.iter().filter(|line| line.row.speaker == 4).count();
    assert_eq!(goodbyes, 1);
    assert!(talks.iter().all(|talk| talk.ended.is_some()), "{talks:?}");
    let rows = reader.residents().unwrap();
    let row = rows.last().unwrap();
    assert_eq!((row.role.as_deref(), row.came > 0), (Some("a reporter"), true));
    assert!(row.left.is_some());
}

#[test]
fn what_cannot_be_done_is_refused_with_what_is_wrong_and_nothing_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let town = row();
    let seats = standing(&town, "Little Row:Lamp Cafe:cafe:cafe customer seating");
    let cafe = place(&town, "Little Row:Lamp Cafe:cafe");
    let mut run = start(&folder.path().join("a.run"), town);
    go_to(&mut run, "10:00");
    let refused = |run: &mut Run, input: Input| run.input(input).unwrap_err().to_string();
    let arrive = |name: &str, tile| Input::Arrive {
        name: name.to_owned(),
        role: String::new(),
        tile,
    };
    assert_eq!(
        refused(&mut run, whisper(ResidentId(9), "Hello")),
        "there is nobody with number 9; numbers go from 0 to 3"
    );
    assert_eq!(
        refused(&mut run, whisper(ILSE, "  ")),
        "the whisper is empty; write something"
    );
    assert_eq!(
        refused(
            &mut run,
            Input::SetObject {
                object: cafe,
                state: "broken".to_owned()
            }
        ),
        "\"Little Row:Lamp Cafe:cafe\" is an arena and not an object; an object's address has four parts, such \
         as \"Little Row:Lamp Cafe:cafe:behind the cafe counter\""
    );
    assert_eq!(
        refused(&mut run, arrive("Dana Reed", Tile { x: 0, y: 0 })),
        "nobody can stand on tile (0, 0): it is a wall; the nearest free one is (1, 1)"
    );
    assert!(refused(&mut run, arrive("Dana Reed", Tile { x: 99, y: 0 })).contains("off the map"));
    assert!(refused(&mut run, arrive("ilse brandt", seats)).contains("is taken"));
    assert!(
        refused(
            &mut run,
            Input::Walk {
                visitor: ILSE,
                to: seats
            }
        )
        .contains("lives here")
    );
    assert_eq!(
        refused(&mut run, arrive(&"ä".repeat(81), Tile { x: 0, y: 5 })),
        "the visitor's name has 81 letters, and 80 are the most; say less, or part it into several"
    );
    assert_eq!(
        refused(&mut run, whisper(ILSE, &"ä".repeat(2_001))),
        "the whisper has 2001 letters, and 2000 are the most; say less, or part it into several"
    );
    for hidden in ["Dana\u{7}", "\u{202e}Dana"] {
        let refused = refused(&mut run, arrive(hidden, Tile { x: 0, y: 5 }));
        assert!(refused.contains("cannot be seen"), "{refused}");
    }
    run.input(arrive("Dana Reed", Tile { x: 0, y: 5 })).unwrap();
    let dana = run.find("Dana Reed").unwrap();
    let far = Input::Speak {
        visitor: dana,
        to: ILSE,
        text: "Hello".to_owned(),
        ends: false,
    };
    let next = run.engine().tick() + 1;
    go_on(&mut run, next);
    let out_of_earshot = refused(&mut run, far);
    assert!(
        out_of_earshot.starts_with("Dana Reed is out of earshot of Ilse Brandt: ")
            && out_of_earshot.ends_with("tiles away and not in the same room; walk up to them first"),
        "{out_of_earshot}"
    );
    let mut scheduled = |written| run_schedule(&mut run, 0, written);
    let past = scheduled(Written::Leave {
        who: "Ilse Brandt".to_owned(),
    });
    assert!(
        past.contains("tick 0 is over") && past.contains("townsfolk fork"),
        "{past}"
    );
    let later = run.engine().tick() + 10;
    let unknown = run_schedule(
        &mut run,
        later,
        Written::Whisper {
            resident: "Tomas Vargas".to_owned(),
            text: "Hello".to_owned(),
        },
    );
    assert_eq!(
        unknown,
        "nobody is called \"Tomas Vargas\"; did you mean \"Tomas Varga\"?"
    );
    for (written, meant) in [
        (
            "Little Row:Lamp Cafe:behind the cafe counter",
            "Lamp Cafe:cafe:behind the cafe counter",
        ),
        (
            "Lamp:cafe:behind cafe counter",
            "Lamp Cafe:cafe:behind the cafe counter",
        ),
        ("Ivy:main room:stov", "Ivy House:main room:stove"),
    ] {
        let object = run_schedule(
            &mut run,
            later,
            Written::SetObject {
                object: written.to_owned(),
                state: "broken".to_owned(),
            },
        );
        let meant = format!("did you mean \"Little Row:{meant}\"?");
        assert!(object.ends_with(&meant), "{object}");
    }
    let kept = run.file().inputs(0..=u32::MAX).unwrap();
    assert_eq!(kept.len(), 1, "only the arrival: {kept:?}");
}

fn run_schedule(run: &mut Run, tick: u64, input: Written) -> String {
    run.schedule(vec![(tick, input)]).unwrap_err().to_string()
}

#[test]
fn a_resident_moved_goes_back_to_what_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let town = row();
    let home = standing(&town, "Little Row:Oak House:main room");
    let counter = place(&town, "Little Row:Lamp Cafe:cafe:behind the cafe counter");
    let spots = town.world.standing_tiles(counter).to_vec();
    let mut run = start(&folder.path().join("a.run"), town);
    go_to(&mut run, "10:00");
    let tile = |run: &Run| run.engine().body(ILSE).unwrap().tile;
    assert!(spots.contains(&tile(&run)), "she stands at her counter");
    let moved = run
        .input(Input::Move {
            resident: ILSE,
            to: home,
        })
        .unwrap();
    go_on(&mut run, moved + 1);
    assert!(tile(&run).chebyshev(home) <= 1);
    assert_eq!(run.engine().body(ILSE).unwrap().showing.status, Status::Walking);
    go_on(&mut run, moved + 60);
    assert!(spots.contains(&tile(&run)), "{:?}", tile(&run));
}

#[test]
fn residents_come_and_go_and_a_run_with_all_of_it_comes_out_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let town = row();
    let ivy = "Little Row:Ivy House:main room";
    let newcomer = somebody(
        &town.world,
        "Nora Lind",
        ivy,
        [
            "Nora Lind is an old friend of Ilse Brandt.",
            "Nora Lind is looking for work.",
            common::EARLY,
        ],
    );
    let seats = standing(&town, "Little Row:Lamp Cafe:cafe:cafe customer seating");
    let counter = "Little Row:Lamp Cafe:cafe:behind the cafe counter";
    let script = |engine: &Engine| {
        let at = |clock: &str, input| (tick(engine, clock), input);
        let name = |name: &str| name.to_owned();
        let [x, y] = [seats.x, seats.y];
        vec![
            at(
                "09:00",
                Written::Join {
                    newcomer: Box::new(newcomer.clone()),
                },
            ),
            at(
                "10:00",
                Written::Arrive {
                    name: name("Dana Reed"),
                    role: name("a reporter"),
                    tile: [x, y],
                },
            ),
            at(
                "10:00",
                Written::Speak {
                    visitor: name("Dana Reed"),
                    to: name("Ilse Brandt"),
                    text: name("Hello. The bridge is closed from today on. Have you heard of it?"),
                    ends: false,
                },
            ),
            at(
                "10:03",
                Written::Walk {
                    visitor: name("Dana Reed"),
                    to: [0, 5],
                },
            ),
            at(
                "10:30",
                Written::SetObject {
                    object: name(counter),
                    state: name("broken"),
                },
            ),
            at(
                "11:00",
                Written::Whisper {
                    resident: name("林 秋"),
                    text: name("You would like some tea"),
                },
            ),
            at(
                "12:00",
                Written::Leave {
                    who: name("Tomas Varga"),
                },
            ),
            at(
                "14:00",
                Written::Move {
                    resident: name("Nora Lind"),
                    to: [0, 5],
                },
            ),
            at(
                "15:00",
                Written::Leave {
                    who: name("Dana Reed"),
                },
            ),
        ]
    };
    let whole = |file: &str, workers| {
        let mut run =
            Run::create(&path(file), setting(town.clone(), 7), Options { workers }, "test").unwrap();
        let inputs = script(run.engine());
        run.schedule(inputs).unwrap();
        let to_nobody = Written::Speak {
            visitor: "Dana Reed".to_owned(),
            to: "Tomas Varga".to_owned(),
            text: "Where are you?".to_owned(),
            ends: false,
        };
        let refused = run.schedule(vec![(tick(run.engine(), "13:00"), to_nobody)]);
        let error = refused.unwrap_err().to_string();
        assert!(
            error.contains("Tomas Varga leaves the town at tick 2160"),
            "{error}"
        );
        go_on(&mut run, DAY + 1_000);
        let engine = run.engine();
        assert!(engine.is_here(ResidentId(4)) && !engine.is_here(TOMAS));
        assert_eq!(engine.find("Nora Lind"), Some(ResidentId(4)));
        let nora = &engine.residents()[4];
        assert!(
            nora.life.day.is_some() && nora.stream.len() > 10,
            "she lives here"
        );
        assert!(engine.residents()[1].stream.len() > 10, "his memories stay");
        let refused = run.file().notices(0..=u32::MAX).unwrap();
        let refused: Vec<_> = refused.iter().filter(|n| n.row.kind == "input_refused").collect();
        assert!(refused.is_empty(), "{refused:?}");
        run.finish(RunState::Finished).unwrap();
        digest(&path(file))
    };
    let one = whole("one.run", 1);
    assert_eq!(one, whole("two.run", 2));

    // Left anywhere and taken up again, the inputs come from the file.
    let file = path("left.run");
    let mut run = start(&file, town.clone());
    let inputs = script(run.engine());
    run.schedule(inputs).unwrap();
    for stop in [900, 1_441, 1_445, 1_700, 2_500, 5_000] {
        run.run_until(DAY + 1_000, |progress| match progress.engine.tick() >= stop {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .unwrap();
        drop(run);
        run = Run::resume(&file, embedder(), Options::default()).unwrap();
    }
    go_on(&mut run, DAY + 1_000);
    run.finish(RunState::Finished).unwrap();
    assert_eq!(digest(&file), one);

    // A fork in the middle of it all shares the past, and knows nothing of inputs that came later.
    let child = path("child.run");
    let fork = Run::fork(&path("one.run"), &child, 1_445, embedder(), Options::default()).unwrap();
    assert!(fork.find("Dana Reed").is_some());
    let parent = RunReader::open(path("one.run")).unwrap();
    assert_eq!(
        fork.file().digest_at(1_445).unwrap(),
        parent.digest_at(1_445).unwrap()
    );
    let mut fork = fork;
    go_on(&mut fork, 3_000);
    assert!(fork.engine().is_here(TOMAS), "nobody told him to leave");
    let early = Run::fork(
        &path("one.run"),
        &path("early.run"),
        400,
        embedder(),
        Options::default(),
    )
    .unwrap();
    assert!(early.find("Dana Reed").is_none() && early.find("Nora Lind").is_none());
}

#[test]
fn any_tick_can_be_had_in_memory_while_the_run_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut run = start(&path, row());
    run.schedule(vec![(
        1_450,
        Written::Whisper {
            resident: "Ilse Brandt".to_owned(),
            text: "You would like some tea".to_owned(),
        },
    )])
    .unwrap();
    go_on(&mut run, 3_000);
    let reader = RunReader::open(&path).unwrap();
    for stop in [0, 700, 1_449, 1_450, 2_999] {
        let mut then = at(&reader, stop, embedder(), Options::default()).unwrap();
        let mut plain = common::engine(row(), 1);
        let mut other = Vec::new();
        if stop < 1_450 {
            while plain.advance(u64::from(stop) + 1).unwrap().is_some() {}
            let (was, is) = (plain.pulse(), then.pulse());
            assert_eq!(
                (was.now, was.asleep, was.walking),
                (is.now, is.asleep, is.walking)
            );
            let until = if stop < 1_000 { 1_000 } else { 1_450 };
            while let Some(rows) = plain.advance(until).unwrap() {
                other.push(rows);
            }
            let mut again = Vec::new();
            while let Some(rows) = then.advance(until).unwrap() {
                again.push(rows);
            }
            assert_eq!(again, other, "from tick {stop}");
        } else {
            assert!(remembers(&then, ILSE, "some tea").is_some());
        }
    }
    let past = at(&reader, 3_000, embedder(), Options::default()).err().unwrap();
    assert!(matches!(past, RunError::Store(_)), "{past}");
}

#[test]
fn two_who_agree_to_do_something_together_both_plan_it() {
    // Ilse asks everybody to her supper; whoever agrees has it in the next day's plan, as she has.
    let mut engine = common::engine(row(), 1);
    let mut guests = Vec::new();
    while let Some(rows) = engine.advance(2 * DAY).unwrap() {
        let accepted = rows.appointments.into_iter().filter(|a| a.status == "accepted");
        guests.extend(accepted.map(|appointment| appointment.resident));
    }
    assert!(!guests.is_empty(), "somebody agrees");
    let mut engine = common::engine(row(), 1);
    while engine.advance(DAY + 1).unwrap().is_some() {}
    let at_seven = |who: usize| {
        let day = engine.residents()[who].life.day.as_ref().unwrap();
        day.hours.at(19 * 60).activity.clone()
    };
    assert!(at_seven(0).contains("supper"), "{}", at_seven(0));
    for guest in guests {
        let told_later = engine.residents()[guest as usize].life.appointments.is_empty();
        assert!(
            told_later || at_seven(guest as usize).contains("supper"),
            "{}",
            at_seven(guest as usize)
        );
    }
}

#[test]
fn an_error_says_which_input_and_why() {
    let error = InputError::Busy {
        name: "Ilse Brandt".to_owned(),
        with: "Tomas Varga".to_owned(),
    };
    assert_eq!(
        error.to_string(),
        "Ilse Brandt is talking with Tomas Varga; wait until they are done"
    );
}
