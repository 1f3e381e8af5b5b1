//! Every way to break a base, and what is said about it: the snapshots are the messages people
//! read, with the temporary folder taken out of the paths.

mod common;

use std::fmt::Write as _;

use common::check_sound;
use common::small::{BASE, MATRIX, Small};
use townsfolk_smallville::{read_base, read_history};

/// What is said about a fresh base after `damage`.
fn refusal(damage: impl Fn(&Small)) -> String {
    let small = Small::new();
    damage(&small);
    match read_base(&small.base(), None) {
        Ok(import) => panic!("accepted: {}", import.report),
        Err(error) => small.without_path(&error.to_string()),
    }
}

/// A kind of damage and how to do it.
type Case<'a> = (&'a str, &'a dyn Fn(&Small));

/// Each damage with what is said about it.
fn refusals(cases: &[Case]) -> String {
    let mut said = String::new();
    for (what, damage) in cases {
        writeln!(said, "{what}:\n    {}\n", refusal(damage)).unwrap();
    }
    said
}

fn meta() -> String {
    format!("{BASE}/reverie/meta.json")
}

fn layer(name: &str) -> String {
    format!("{MATRIX}/maze/{name}_maze.csv")
}

fn blocks(name: &str) -> String {
    format!("{MATRIX}/special_blocks/{name}_blocks.csv")
}

#[test]
fn settings_of_the_simulation() {
    let said = refusals(&[
        ("no simulation", &|s| s.remove(&format!("{BASE}/reverie"))),
        ("meta cut off", &|s| {
            s.write(&meta(), r#"{"start_date": "March 1, 2024","#)
        }),
        ("meta is a list", &|s| s.write(&meta(), "[]")),
        ("meta in Latin 1", &|s| {
            s.write(&meta(), b"{\n\"fork_sim_code\": \"Zo\xeb\"}")
        }),
        ("no maze_name", &|s| s.replace(&meta(), "maze_name", "map_name")),
        ("steps of a day", &|s| s.replace(&meta(), ": 20", ": 86400")),
        ("steps of no length", &|s| s.replace(&meta(), ": 20", ": 0")),
        ("negative step", &|s| {
            s.replace(&meta(), "\"step\": 0", "\"step\": -1")
        }),
        ("foreign month", &|s| s.replace(&meta(), "March", "März")),
        ("time without seconds", &|s| {
            s.replace(&meta(), "06:00:00", "06:00")
        }),
        ("a day that is not", &|s| {
            s.replace(&meta(), "March 1, 2024\"", "June 31, 2024\"")
        }),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn residents_and_folders() {
    let zoe = format!("{BASE}/personas/Zoë O'Neill-Ångström");
    let scratch = Small::of(0, "scratch.json");
    let nodes = Small::of(1, "associative_memory/nodes.json");
    let said = refusals(&[
        ("nobody", &|s| {
            s.replace(&meta(), "\n    \"Zoë O'Neill-Ångström\",\n    \"林 秋\"\n  ", "")
        }),
        ("somebody twice", &|s| {
            s.replace(&meta(), "\"林 秋\"", "\"林 秋\", \"林 秋\"")
        }),
        ("the same but for case", &|s| {
            s.replace(&meta(), "\"林 秋\"", "\"Anna\", \"ANNA\"")
        }),
        ("a blank name", &|s| s.replace(&meta(), "林 秋", " \\n")),
        ("misspelt in meta", &|s| {
            s.replace(&meta(), "Ångström", "Angstrom")
        }),
        ("not in meta", &|s| s.replace(&meta(), ",\n    \"林 秋\"", "")),
        ("no personas", &|s| s.remove(&format!("{BASE}/personas"))),
        ("no folder", &|s| s.remove(&zoe)),
        ("no scratch", &|s| s.remove(&scratch)),
        ("no spatial memory", &|s| {
            s.remove(&Small::of(0, "spatial_memory.json"))
        }),
        ("no nodes", &|s| s.remove(&nodes)),
        ("somebody else's scratch", &|s| {
            s.replace(&scratch, "\"name\": \"Zoë O", "\"name\": \"Zoe O")
        }),
        ("no weight", &|s| s.replace(&scratch, "  \"recency_w\": 1,\n", "")),
        ("weight in words", &|s| {
            s.replace(&scratch, "\"recency_w\": 1", "\"recency_w\": \"high\"")
        }),
        ("decay above 1", &|s| s.replace(&scratch, "0.99", "1.5")),
        ("negative sight", &|s| {
            s.replace(&scratch, "\"vision_r\": 4", "\"vision_r\": -4")
        }),
        ("older than anyone", &|s| s.replace(&scratch, "52", "520")),
        ("home behind walls", &|s| {
            s.replace(&scratch, "Zoë's house:room", "茶屋 菊:店");
            s.set_cell("collision", (4, 3), "1");
            s.set_cell("collision", (2, 4), "1");
        }),
        ("unknown home", &|s| {
            s.replace(&scratch, "house:room", "house:rome")
        }),
        ("home without a sector", &|s| {
            s.replace(&scratch, "town:Zoë's house:room", "town")
        }),
        ("home elsewhere", &|s| {
            s.replace(&scratch, "town:Zoë's house:room", "city:flat")
        }),
        ("spatial memory of numbers", &|s| {
            s.write(
                &Small::of(0, "spatial_memory.json"),
                "{\"town\":\n{\"Zoë's house\": 3}}",
            );
        }),
        ("memory of unknown type", &|s| {
            s.replace(&nodes, "\"event\"", "\"dream\"")
        }),
        ("memory without a time", &|s| {
            s.replace(&nodes, "2024-02-29 19:00:00", "yesterday")
        }),
        ("memory with a bad end", &|s| {
            s.replace(&nodes, "2024-03-30 21:00:00", "2024-02-30 21:00:00")
        }),
        ("two memories in one place", &|s| {
            s.replace(&nodes, "\"node_count\": 2", "\"node_count\": 1")
        }),
        ("importance in words", &|s| {
            s.replace(&nodes, "\"poignancy\": 1", "\"poignancy\": \"low\"")
        }),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn where_residents_stand() {
    let positions = format!("{BASE}/environment/0.json");
    let said = refusals(&[
        ("no file of positions", &|s| s.remove(&positions)),
        ("one position missing", &|s| {
            s.replace(&positions, "林 秋", "林 秋子")
        }),
        ("outside", &|s| {
            s.replace(&positions, "\"x\": 6, \"y\": 3", "\"x\": 6, \"y\": 8")
        }),
        ("negative", &|s| {
            s.replace(&positions, "\"x\": 1, \"y\": 1", "\"x\": -1, \"y\": 1")
        }),
        ("walled in", &|s| {
            s.replace(&positions, "\"x\": 1, \"y\": 1", "\"x\": 0, \"y\": 0")
        }),
        ("half a tile", &|s| {
            s.replace(&positions, "\"x\": 1", "\"x\": 1.5")
        }),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn the_map() {
    let info = format!("{MATRIX}/maze_meta_info.json");
    let rows = |cells: usize, rows: usize| vec![vec!["0"; cells].join(","); rows];
    let said = refusals(&[
        ("unknown map", &|s| s.replace(&meta(), "hillside", "hilside")),
        ("map name leads out", &|s| {
            s.replace(&meta(), "\"hillside\"", "\"../assets/hillside\"")
        }),
        ("no assets", &|s| s.remove("assets")),
        ("no size", &|s| s.remove(&info)),
        ("huge", &|s| {
            s.replace(&info, "\"maze_width\": 10", "\"maze_width\": 4000000000")
        }),
        ("no width", &|s| {
            s.replace(&info, "\"maze_width\": 10", "\"maze_width\": 0")
        }),
        ("no layer", &|s| s.remove(&layer("arena"))),
        ("no blocks", &|s| s.remove(&blocks("arena"))),
        ("a cell too few", &|s| {
            s.write(&layer("sector"), vec!["0"; 79].join(", "))
        }),
        ("empty layer", &|s| s.write(&layer("sector"), "\n")),
        ("a row too many", &|s| {
            s.write(&layer("sector"), rows(10, 9).join("\n"))
        }),
        ("ragged row", &|s| {
            let mut rows = rows(10, 8);
            rows[4].push_str(",0");
            s.write(&layer("sector"), rows.join("\n"));
        }),
        ("a word in a cell", &|s| s.set_cell("collision", (3, 2), "wall")),
        ("an empty cell", &|s| s.set_cell("collision", (3, 2), "")),
        ("half a wall", &|s| s.set_cell("collision", (3, 2), "0.5")),
        ("unknown sector", &|s| s.set_cell("sector", (3, 2), "77")),
        ("unknown object", &|s| s.set_cell("game_object", (9, 7), "-1")),
        ("block too short", &|s| {
            s.write(&blocks("arena"), "1, town, Zoë's house, room\n2, town, 店\n")
        }),
        ("block without a number", &|s| {
            s.replace(&blocks("sector"), "2, town", "two, town")
        }),
        ("block id twice", &|s| {
            s.replace(&blocks("sector"), "2, town", "1, town")
        }),
        ("block without a name", &|s| {
            s.write(&blocks("game_object"), "1, town, <all>, \n2, a, b, c\n3, a, b, d")
        }),
        ("block with a colon", &|s| {
            s.replace(&blocks("sector"), "茶屋 菊", "茶屋:菊")
        }),
        ("names alike", &|s| {
            s.write(&blocks("sector"), "1, town, Tea\n2, town, tea\n")
        }),
        ("no world", &|s| s.write(&blocks("world"), "\n")),
        ("nameless world", &|s| s.write(&blocks("world"), "9,\n")),
    ]);
    insta::assert_snapshot!(said);
}

#[test]
fn assets_that_were_named() {
    let small = Small::new();
    let mut said = String::new();
    small.write("elsewhere/readme.txt", "no maps here");
    small.write("elsewhere/lake/matrix/readme.txt", "no map either");
    small.write("empty/readme.txt", "no maps here");
    for assets in ["elsewhere", "elsewhere/lake", "empty", "nowhere"] {
        let error = read_base(&small.base(), Some(&small.path(assets))).unwrap_err();
        writeln!(
            said,
            "{assets}:\n    {}\n",
            small.without_path(&error.to_string())
        )
        .unwrap();
    }
    insta::assert_snapshot!(said);
}

#[test]
fn histories() {
    let small = Small::new();
    let mut said = String::new();
    let cases: [(&str, &[u8]); 8] = [
        ("one column", b"Name,Whisper\nZoe\n"),
        ("semicolons between columns", b"Name;Whisper\nZoe;You bake\n"),
        (
            "an open quote",
            b"Name,Whisper\nZoe,\"You bake; \"\"well\"\"\n\xe6\x9e\x97 \xe7\xa7\x8b,You brew\n",
        ),
        (
            "an open quote before a closed one",
            b"Name,Whisper\nZoe,\"You bake\nZoe,\"You brew\"\n",
        ),
        (
            "an open quote in the last line",
            b"Name,Whisper\nZoe,\"You, bake\"\n\"Zoe,You brew",
        ),
        ("no name", b"Name,Whisper\nZoe,You bake\n ,You brew\n"),
        ("not UTF-8", b"Name,Whisper\nZoe,You bake\nZo\xeb,You brew\n"),
        ("UTF-16", b"\xff\xfeN\0a\0m\0e\0"),
    ];
    for (what, bytes) in cases {
        small.write("history.csv", bytes);
        let error = read_history(&small.path("history.csv")).unwrap_err();
        writeln!(said, "{what}:\n    {}\n", small.without_path(&error.to_string())).unwrap();
    }
    let error = read_history(&small.path("none.csv")).unwrap_err();
    writeln!(said, "no file:\n    {}", small.without_path(&error.to_string())).unwrap();
    insta::assert_snapshot!(said);
}

/// What does not fit but does no harm is left out, and said.
#[test]
fn what_is_left_out_is_said() {
    let small = Small::new();
    let nodes = Small::of(1, "associative_memory/nodes.json");
    let scratch = Small::of(0, "scratch.json");
    small.set_cell("game_object", (8, 6), "1");
    small.set_cell("arena", (4, 6), "2");
    small.set_cell("arena", (3, 1), "2");
    small.set_cell("collision", (6, 3), "1");
    small.set_cell("collision", (2, 4), "1");
    small.set_cell("collision", (4, 3), "1");
    small.set_cell("sector", (9, 6), "4");
    small.write(
        &blocks("sector"),
        "1, town, Zoë's house\n2, town, 茶屋 菊\n4, town, stile\n5, town, mill\n",
    );
    small.replace(
        &format!("{BASE}/environment/0.json"),
        "{\n",
        "{\n  \"Ghost\": {\"x\": 1, \"y\": 1},\n",
    );
    small.write(
        &Small::of(0, "spatial_memory.json"),
        r#"{"town": {"zoë's  house": {"room": ["bad"], "cellar": []}, "": {}, "Mill": {"loft": ["sack"]}}, "Atlantis": {}}"#,
    );
    small.replace(&scratch, "house:room", "House: room");
    small.replace(
        &scratch,
        "\"f_daily_schedule\": []",
        "\"f_daily_schedule\": [[\"asleep\", 1440]]",
    );
    small.replace(&nodes, "\"poignancy\": 4", "\"poignancy\": 11");
    small.replace(&nodes, "\"node_1\", \"node_2\"", "\"node_1\", \"node_9\", 7");
    small.replace(
        &nodes,
        "\"description\": \"the sky is grey\"",
        "\"description\": \" \"",
    );
    let import = read_base(&small.base(), None).unwrap_or_else(|error| panic!("{error}"));
    check_sound(&import);
    insta::assert_snapshot!(import.report);
}
