//! Small towns for tests, drawn as text.

#![allow(dead_code, reason = "each test uses some of these")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use townsfolk_embed::HashedWords;
use townsfolk_engine::{Engine, Options, Run, Setting};
use townsfolk_mind::{Identity, Settings};
use townsfolk_store::{RunReader, RunState};
use townsfolk_town::{Newcomer, Town};
use townsfolk_world::{PlaceId, World, sketch};

/// Two houses, a cafe and a street.
pub(crate) const STREET: &str = "
    Little Row
    ####################
    #aaBa#ccccccccc#bbb#
    #aaSa#cKcTTTcc.#bDb#
    #a.aa#cccccccc.#b.b#
    ##.###########.##.##
    ....................
    ....................
    a = Ivy House:main room
    B = Ivy House:main room:bed
    S = Ivy House:main room:stove
    c = Lamp Cafe:cafe
    K = Lamp Cafe:cafe:behind the cafe counter
    T = Lamp Cafe:cafe:cafe customer seating
    b = Oak House:main room
    D = Oak House:main room:bed
";

/// Somebody who lives in `home` and knows the whole town.
pub(crate) fn somebody(world: &World, name: &str, home: &str, texts: [&str; 3]) -> Newcomer {
    let home = world.find(home).expect("a place of the sketch");
    let [background, current, lifestyle] = texts.map(str::to_owned);
    let start = world.standing_tiles(home)[0];
    Newcomer {
        identity: Identity {
            name: name.into(),
            first_name: name.split(' ').next().unwrap_or(name).into(),
            age: Some(40),
            traits: "friendly, outgoing".to_owned(),
            background,
            current,
            lifestyle,
            daily_requirement: String::new(),
            home,
        },
        settings: Settings::default(),
        start,
        known: (0..world.places().len()).map(PlaceId::from_index).collect(),
        history: Vec::new(),
        memories: Vec::new(),
    }
}

pub(crate) const EARLY: &str = "goes to bed around 10pm, wakes up around 6am, has dinner around 6pm";

/// A town of a sketch, from six in the morning of 2024-06-03.
pub(crate) fn town(sketched: &str, people: impl FnOnce(&World) -> Vec<Newcomer>) -> Town {
    let world = sketch::read(sketched).expect("the sketch is right");
    let residents = people(&world);
    Town {
        name: world.name().to_owned(),
        story: String::new(),
        language: "en".to_owned(),
        start: "2024-06-03 06:00".parse().expect("a time"),
        seconds_per_tick: 10,
        residents,
        world,
        picture: None,
    }
}

/// Four people of the little row, one of whom has news.
pub(crate) fn row() -> Town {
    town(STREET, |world| {
        let ivy = "Little Row:Ivy House:main room";
        let oak = "Little Row:Oak House:main room";
        let mut people = vec![
            somebody(
                world,
                "Ilse Brandt",
                ivy,
                [
                    "Ilse Brandt runs Lamp Cafe and likes to talk to everybody.",
                    "Ilse Brandt is planning a harvest supper at Lamp Cafe on June 4th, 2024 from 6pm to 8pm and is telling everyone about it.",
                    EARLY,
                ],
            ),
            somebody(
                world,
                "Tomas Varga",
                oak,
                [
                    "Tomas Varga is a gardener.",
                    "Tomas Varga is sorting seeds.",
                    EARLY,
                ],
            ),
            somebody(
                world,
                "Zoë O'Neill-Ångström",
                oak,
                ["Zoë paints.", "Zoë is painting the sea.", EARLY],
            ),
            somebody(
                world,
                "林 秋",
                ivy,
                ["林 秋 keeps bees.", "林 秋 is looking after the hives.", EARLY],
            ),
        ];
        people[0].identity.daily_requirement =
            "Ilse Brandt opens Lamp Cafe at 8am and stands behind its counter until 5pm.".to_owned();
        people[1].history = vec![
            "You and Ilse Brandt are good friends".to_owned(),
            "You have lunch at Lamp Cafe every day".to_owned(),
        ];
        people
    })
}

/// A base of the 2023 code, where its files are.
pub(crate) fn smallville(base: &str) -> Option<Town> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("TOWNSFOLK_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let base = shared.join("smallville/storage").join(base);
    if !base.exists() {
        eprintln!("skipped: {} is not there", base.display());
        return None;
    }
    Some(
        townsfolk_smallville::read_base(&base, None)
            .expect("the base can be read")
            .town,
    )
}

pub(crate) fn setting(town: Town, seed: u64) -> Setting {
    Setting::new(town, seed, Arc::new(HashedWords))
}

pub(crate) fn engine(town: Town, workers: usize) -> Engine {
    Engine::new(Arc::new(setting(town, 7)), Options { workers })
}

/// Runs a town into a file and gives its digest.
pub(crate) fn digest_of(path: &Path, town: Town, seed: u64, workers: usize, until: u64) -> String {
    let mut run = Run::create(path, setting(town, seed), Options { workers }, "test").expect("a new file");
    run.run_until(until, |_| ControlFlow::Continue(()))
        .expect("the routine mind never halts");
    run.finish(RunState::Finished).expect("the file closes");
    digest(path)
}

pub(crate) fn digest(path: &Path) -> String {
    RunReader::open(path)
        .expect("a run file")
        .digest()
        .expect("it can be read")
        .to_string()
}
