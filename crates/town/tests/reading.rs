//! Reading towns from folders: the smallest example, odd but fine files, and every fault by its words.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use townsfolk_town::{Flaw, Town};
use townsfolk_world::{PlaceId, Tile};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two_neighbours")
}

/// A copy of the example town that a test may spoil.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let copy = Copy(tempfile::tempdir().unwrap());
        fs::create_dir(copy.0.path().join("residents")).unwrap();
        for file in [
            "town.toml",
            "map.tmj",
            "residents/nora.toml",
            "residents/théo.toml",
        ] {
            fs::copy(example().join(file), copy.0.path().join(file)).unwrap();
        }
        copy
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn write(self, file: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(file), contents).unwrap();
        self
    }

    /// Replaces a piece of text that must be there.
    fn change(self, file: &str, from: &str, to: &str) -> Self {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{from:?} is not in {file}");
        self.write(file, text.replacen(from, to, 1))
    }

    fn remove(self, file: &str) -> Self {
        fs::remove_file(self.path(file)).unwrap();
        self
    }

    fn read(&self) -> Town {
        Town::read(self.0.path()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What is said about it, with the folder left out.
    fn fault(&self) -> String {
        let said = Town::read(self.0.path())
            .expect_err("this town is spoilt")
            .to_string();
        let folder = format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR);
        said.replace(&folder, "").replace('\\', "/")
    }
}

#[track_caller]
fn check(copy: &Copy, expected: &str) {
    assert_eq!(copy.fault(), expected);
}

fn addresses(town: &Town, known: &[PlaceId]) -> Vec<String> {
    known.iter().map(|&place| town.world.address(place)).collect()
}

#[test]
fn the_example_reads() {
    let town = Town::read(&example()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (&*town.name, &*town.language, town.seconds_per_tick),
        ("Two Neighbours", "en", 10)
    );
    assert_eq!(town.start.to_string(), "2024-09-02 06:30:00");
    let [nora, théo] = &town.residents[..] else {
        panic!("two people live there");
    };
    assert_eq!(
        (&*nora.identity.name, &*théo.identity.first_name),
        ("Nora Lindqvist", "Théo")
    );
    // A text folded over lines is one line.
    assert_eq!(
        nora.identity.background,
        "Nora Lindqvist mends violins at home and makes jam from every apple she can reach."
    );
    // Nora starts in her bed, Théo where the spawn is.
    let bed = town.world.find("Two Neighbours:Lindqvist House:bedroom:bed");
    assert_eq!(town.world.spot(nora.start).object, bed);
    assert_eq!(théo.start, Tile { x: 16, y: 6 });
    // The town's defaults, and Théo's departures from them.
    assert_eq!(
        (nora.settings.vision_radius, nora.settings.reflection_threshold),
        (6, 100)
    );
    assert_eq!(
        (théo.settings.vision_radius, théo.settings.reflection_threshold),
        (4, 100)
    );
    assert_eq!(
        (nora.settings.retrieval.decay, nora.settings.retrieval.importance),
        (0.99, 1.0)
    );
    assert_eq!(
        (théo.settings.retrieval.decay, théo.settings.retrieval.importance),
        (0.99, 2.0)
    );
}

#[test]
fn who_knows_what() {
    let town = Town::read(&example()).unwrap();
    let nora = addresses(&town, &town.residents[0].known);
    assert!(nora.contains(&"Two Neighbours:Garden:lawn:apple tree".to_owned()));
    assert!(nora.contains(&"Two Neighbours:Lindqvist House:bedroom:workbench".to_owned()));
    assert!(!nora.iter().any(|address| address.contains("Baptiste House")));
    // Théo's file names the garden and one private room; his own house goes without saying.
    let théo = addresses(&town, &town.residents[1].known);
    assert!(théo.contains(&"Two Neighbours:Lindqvist House".to_owned()));
    assert!(théo.contains(&"Two Neighbours:Lindqvist House:kitchen:stove".to_owned()));
    assert!(
        !théo
            .iter()
            .any(|address| address.contains("Lindqvist House:bedroom"))
    );
    assert!(théo.contains(&"Two Neighbours:Baptiste House:room:bed".to_owned()));
    for resident in &town.residents {
        assert!(resident.known.is_sorted());
    }
}

#[test]
fn windows_line_ends_and_byte_order_marks_change_nothing() {
    let plain = Copy::new().read();
    let mut copy = Copy::new();
    for file in [
        "town.toml",
        "map.tmj",
        "residents/nora.toml",
        "residents/théo.toml",
    ] {
        let text = fs::read_to_string(copy.path(file)).unwrap();
        copy = copy.write(file, format!("\u{feff}{}", text.replace('\n', "\r\n")));
    }
    assert_eq!(copy.read(), plain);
}

#[test]
fn names_and_files_of_any_script() {
    let copy = Copy::new()
        .write("residents/林秋.toml", "name = \"林 秋\"\nhome = \"Garden\"\n")
        .write(
            "residents/Ωmega.toml",
            "name = \"Zoë O'Neill-Ångström\"\nhome = \"Garden:lawn\"\n",
        )
        .write("residents/.hidden.toml", "not a resident")
        .write("residents/notes.txt", "not a resident");
    let town = copy.read();
    let names: Vec<&str> = town.residents.iter().map(|r| &*r.identity.name).collect();
    assert_eq!(
        names,
        ["Nora Lindqvist", "Théo Baptiste", "Zoë O'Neill-Ångström", "林 秋"]
    );
    // Who gives no first name is called by the full one; two who start nowhere in particular stand apart.
    assert_eq!(&*town.residents[3].identity.first_name, "林 秋");
    assert_ne!(town.residents[2].start, town.residents[3].start);
}

#[test]
fn a_start_may_be_a_tile_or_a_place() {
    let tile = Copy::new()
        .change("residents/théo.toml", "\"on the bench\"", "[17, 14]")
        .read();
    assert_eq!(tile.residents[1].start, Tile { x: 17, y: 14 });
    let place = Copy::new()
        .change(
            "residents/théo.toml",
            "\"on the bench\"",
            "\"Baptiste House:kitchen:toilet\"",
        )
        .read();
    let spot = place.world.spot(place.residents[1].start);
    assert_eq!(
        spot.object,
        place.world.find("Two Neighbours:Baptiste House:kitchen:toilet")
    );
}

#[test]
fn faults_of_the_town_file() {
    let spoilt = |from, to| Copy::new().change("town.toml", from, to);
    check(
        &spoilt("seconds_per_tick", "second_per_tick"),
        "town.toml:5: unknown key `second_per_tick`; did you mean `seconds_per_tick`?",
    );
    check(
        &spoilt("story", "quite_something_else"),
        "town.toml:2: unknown key `quite_something_else`",
    );
    check(
        &spoilt("vision_radius", "visionradius"),
        "town.toml:10: unknown key `visionradius`; did you mean `vision_radius`?",
    );
    check(
        &spoilt("decay = 0.99", "decoy = 0.99"),
        "town.toml:15: unknown key `decoy`; did you mean `decay`?",
    );
    check(
        &spoilt("2024-09-02 06:30", "next Monday"),
        "town.toml:4: `start`: \"next Monday\" is not a time; write it like 2023-02-13 06:15 or 2023-02-13T06:15:30",
    );
    check(
        &spoilt("seconds_per_tick = 10", "seconds_per_tick = 0"),
        "town.toml:5: `seconds_per_tick` is 0; it must be from 1 to 3600",
    );
    check(
        &spoilt("name = \"Two Neighbours\"", "name = \" \""),
        "town.toml:1: `name` is empty; write something or leave the key out",
    );
    check(
        &spoilt("name = \"Two Neighbours\"\n", ""),
        "town.toml:1: missing field `name`",
    );
    check(
        &spoilt("\"Lindqvist House\"", "\"Linqvist House\""),
        "town.toml:6: `private`: the map has no place \"Linqvist House\"; did you mean \"Lindqvist House\"?",
    );
    check(
        &spoilt("vision_radius = 6", "vision_radius = -6"),
        "town.toml:10: invalid value: integer `-6`, expected u16",
    );
}

#[test]
fn faults_of_a_resident() {
    let spoilt = |from, to| Copy::new().change("residents/nora.toml", from, to);
    check(
        &spoilt("traits", "trait"),
        "residents/nora.toml:4: unknown key `trait`; did you mean `traits`?",
    );
    check(
        &spoilt("Lindqvist House:bedroom", "Lindqvist House:bedrom"),
        "residents/nora.toml:11: `home`: the map has no place \"Lindqvist House:bedrom\"; did you mean \"Lindqvist House:bedroom\"?",
    );
    check(
        &spoilt("Lindqvist House:bedroom", "Atlantis"),
        "residents/nora.toml:11: `home`: the map has no place \"Atlantis\"",
    );
    check(
        &spoilt("Lindqvist House:bedroom", "Lindqvist House:bedroom:bed"),
        "residents/nora.toml:11: `home`: Nora Lindqvist cannot live in \"Two Neighbours:Lindqvist House:bedroom:bed\"; \
         a home is a sector or an arena",
    );
    check(
        &spoilt("age = 58", "age = 580"),
        "residents/nora.toml:3: `age` is 580; it must be from 0 to 150",
    );
    check(
        &spoilt("age = 58", "age = -3"),
        "residents/nora.toml:3: `age` is -3; it must be from 0 to 150",
    );
    check(
        &spoilt("age = 58", "age = \"old\""),
        "residents/nora.toml:3: invalid type: string \"old\", expected i64",
    );
    check(
        &spoilt(
            "\"You live next door to Théo Baptiste, who never locks his door\"",
            "\"\"",
        ),
        "residents/nora.toml:13: `history` is empty; write something or leave the key out",
    );
    check(
        &spoilt("\"Nora Lindqvist\"", "\"théo BAPTISTE\""),
        "residents/théo.toml:1: `name`: another resident is called \"Théo Baptiste\" already; names must differ",
    );
}

#[test]
fn faults_of_a_start() {
    let spoilt = |to| Copy::new().change("residents/théo.toml", "\"on the bench\"", to);
    check(
        &spoilt("[22, 3]"),
        "residents/théo.toml:10: `start`: Théo Baptiste cannot stand at (22, 3), which is in a wall",
    );
    check(
        &spoilt("[99, 3]"),
        "residents/théo.toml:10: `start`: Théo Baptiste cannot stand at (99, 3), which is outside the map",
    );
    check(
        &spoilt("\"on the bank\""),
        "residents/théo.toml:10: `start`: the map has no spawn and no place \"on the bank\"; did you mean \"on the bench\"?; \
         a tile is written [x, y]",
    );
    check(
        &spoilt("true"),
        "residents/théo.toml:10: `start` must be the name of a spawn, an address, or a tile [x, y]",
    );
    let known = Copy::new().change("residents/théo.toml", "\"Garden\"", "\"Garten\"");
    check(
        &known,
        "residents/théo.toml:11: `knows`: the map has no place \"Garten\"; did you mean \"Garden\"?",
    );
}

#[test]
fn faults_of_files() {
    check(
        &Copy::new()
            .remove("residents/nora.toml")
            .remove("residents/théo.toml"),
        "residents: nobody lives here; write at least one resident",
    );
    check(
        &Copy::new().write("residents/nora.toml", b"name = \"N\xe9\""),
        "residents/nora.toml: is not UTF-8 text; save it as UTF-8",
    );
    check(
        &Copy::new().write("residents/nora.toml", "name = \"Nora\nhome = \"x\""),
        "residents/nora.toml:1: invalid basic string, expected `\"`",
    );
    check(
        &Copy::new().write("map.tmj", "<map/>"),
        "map.tmj: is XML, not JSON; in Tiled choose File > Save As and the type \"JSON map files\"",
    );
    let missing = Copy::new().remove("town.toml").fault();
    assert!(missing.starts_with("town.toml: cannot be read: "), "{missing}");
    let missing = Copy::new().remove("map.tmj").fault();
    assert!(missing.starts_with("map.tmj: cannot be read: "), "{missing}");
}

#[test]
fn a_town_put_together_in_code_is_checked_too() {
    let good = Town::read(&example()).unwrap();
    assert_eq!(good.validate(), Ok(()));
    let mut nobody = good.clone();
    nobody.residents.clear();
    assert_eq!(nobody.validate(), Err(Flaw::NoResidents));
    let mut nowhere = good.clone();
    nowhere.residents[1].identity.home = PlaceId::from_index(10_000);
    assert_eq!(
        nowhere.validate().unwrap_err().to_string(),
        "`home`: Théo Baptiste cannot live in \"place number 10000\"; a home is a sector or an arena"
    );
    let mut twice = good.clone();
    let again = twice.residents[0].known[0];
    twice.residents[0].known.push(again);
    assert_eq!(
        twice.validate().unwrap_err().to_string(),
        "the places known to Nora Lindqvist are not places of this map, each once, in order of id"
    );
    let mut walled = good.clone();
    walled.world = townsfolk_world::sketch::read("walls\n.#h\n.#h\nh = house").unwrap();
    walled.residents.truncate(1);
    walled.residents[0].identity.home = walled.world.find("walls:house").unwrap();
    (walled.residents[0].start, walled.residents[0].known) = (Tile { x: 0, y: 0 }, Vec::new());
    assert_eq!(
        walled.validate().unwrap_err().to_string(),
        "`home`: Nora Lindqvist cannot walk home to \"walls:house\" from (0, 0); open a door on the way"
    );
    let mut nameless = good;
    nameless.residents[0].identity.name = "\n".into();
    assert_eq!(nameless.validate().unwrap_err().key(), Some("name"));
}

#[test]
fn a_torn_file_is_refused_or_read_but_never_a_crash() {
    let copy = Copy::new();
    let mut refused = 0;
    for file in [
        "town.toml",
        "map.tmj",
        "residents/nora.toml",
        "residents/théo.toml",
    ] {
        let whole = fs::read(copy.path(file)).unwrap();
        // Cuts fall anywhere, within letters of several bytes too.
        for cut in (0..whole.len()).step_by(whole.len() / 40 + 1) {
            fs::write(copy.path(file), &whole[..cut]).unwrap();
            match Town::read(copy.0.path()) {
                Ok(town) => assert_eq!(town.validate(), Ok(())),
                Err(error) => {
                    refused += 1;
                    assert!(error.file.ends_with(file.rsplit('/').next().unwrap()), "{error}");
                    assert!(!error.to_string().contains('\n'), "{error}");
                }
            }
        }
        fs::write(copy.path(file), whole).unwrap();
    }
    assert!(refused > 40, "{refused}");
    assert_eq!(copy.read(), Copy::new().read());
}
