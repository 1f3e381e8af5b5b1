//! A whole import of the small base: every part arrives where it belongs.

mod common;

use common::check_sound;
use common::small::{BASE, MATRIX, RESIDENTS, Small};
use townsfolk_memory::{MemoryId, MemoryKind, Retrieval};
use townsfolk_smallville::{Import, apply_history, read_base, read_history};
use townsfolk_world::Tile;

fn import(small: &Small) -> Import {
    let import = read_base(&small.base(), None).unwrap_or_else(|error| panic!("{error}"));
    check_sound(&import);
    import
}

#[test]
fn people_come_with_names_homes_settings_and_places() {
    let small = Small::new();
    let town = import(&small).town;
    assert_eq!(town.name, "hamlet");
    assert_eq!(town.start.to_string(), "2024-03-01 06:00:00");
    assert_eq!(town.seconds_per_tick, 20);

    let [zoe, aki] = town.residents.as_slice() else {
        panic!("two residents")
    };
    let address = |id| town.world.address(id);
    assert_eq!(&*zoe.identity.name, RESIDENTS[0]);
    assert_eq!(&*zoe.identity.first_name, "Zoë");
    assert_eq!(zoe.identity.age, Some(52));
    assert_eq!(aki.identity.age, None);
    assert_eq!(zoe.identity.traits, "patient, droll");
    assert_eq!(aki.identity.background, "林 秋 has lived here always.");
    assert_eq!(address(zoe.identity.home), "town:Zoë's house:room");
    assert_eq!(zoe.start, Tile { x: 1, y: 1 });
    assert_eq!(aki.start, Tile { x: 6, y: 3 });
    let known: Vec<String> = aki.known.iter().map(|id| address(*id)).collect();
    assert_eq!(
        known,
        [
            "town:茶屋 菊",
            "town:茶屋 菊:店",
            "town:茶屋 菊:店:stools, three",
            "town:茶屋 菊:店:帳場"
        ]
    );
    assert_eq!(
        (aki.settings.vision_radius, aki.settings.attention_bandwidth),
        (4, 3)
    );
    assert_eq!(
        (aki.settings.retention, aki.settings.reflection_threshold),
        (5, 90)
    );
    let weights = Retrieval {
        relevance: 2.0,
        importance: 0.5,
        decay: 0.99,
        ..Retrieval::paper()
    };
    assert_eq!(zoe.settings.retrieval, weights);
}

#[test]
fn the_map_follows_its_layers() {
    let world = import(&Small::new()).town.world;
    assert_eq!((world.width(), world.height()), (10, 8));
    assert!(!world.walkable(Tile { x: 4, y: 1 }));
    assert!(world.walkable(Tile { x: 4, y: 3 }));
    // One block, a bed in each of the two arenas.
    for (bed, tile) in [
        ("town:Zoë's house:room:bed", (1, 1)),
        ("town:茶屋 菊:店:bed", (5, 3)),
    ] {
        let bed = world.find(bed).unwrap();
        assert_eq!(world.place(bed).tiles, [Tile { x: tile.0, y: tile.1 }]);
    }
    // The counter is a wall: one stands beside it.
    let counter = world.find("town:茶屋 菊:店:帳場").unwrap();
    assert_eq!(world.place(counter).tiles, [Tile { x: 7, y: 2 }]);
    assert_eq!(world.standing_tiles(counter).len(), 4);
    let spawns: Vec<&str> = world.spawns().iter().map(|spawn| spawn.name.as_str()).collect();
    let sp = "Zoë's house / room / sp-A";
    assert_eq!(spawns, [sp, &format!("{sp} (2)"), &format!("{sp} (3)")]);
}

#[test]
fn a_layer_may_have_one_line_for_each_row() {
    let small = Small::new();
    let in_one_line = import(&small).town.world;
    for layer in ["collision", "sector", "arena", "game_object", "spawning_location"] {
        let file = format!("{MATRIX}/maze/{layer}_maze.csv");
        let text = std::fs::read_to_string(small.path(&file)).unwrap();
        let cells: Vec<&str> = text.split(", ").collect();
        let rows: Vec<String> = cells.chunks(10).map(|row| row.join(",")).collect();
        small.write(&file, rows.join("\r\n"));
    }
    assert_eq!(import(&small).town.world, in_one_line);
}

#[test]
fn assets_may_be_named_at_three_levels() {
    let small = Small::new();
    let found = import(&small).town;
    for assets in ["assets", "assets/hillside", MATRIX] {
        let given = read_base(&small.base(), Some(&small.path(assets)));
        assert_eq!(given.unwrap().town, found, "{assets}");
    }
    let static_dirs = small.path("static_dirs");
    std::fs::create_dir(&static_dirs).unwrap();
    std::fs::rename(small.path("assets"), static_dirs.join("assets")).unwrap();
    assert_eq!(import(&small).town, found);
}

#[test]
fn memories_keep_their_order_kind_and_evidence() {
    let import = import(&Small::new());
    let memories = &import.town.residents[1].memories;
    let kinds: Vec<MemoryKind> = memories.iter().map(|memory| memory.kind).collect();
    assert_eq!(
        kinds,
        [
            MemoryKind::Observation,
            MemoryKind::Conversation,
            MemoryKind::Reflection
        ]
    );
    let rain = &memories[2];
    assert_eq!(&*rain.text, "林 秋 likes rain");
    assert_eq!(rain.evidence, [MemoryId::from_index(0), MemoryId::from_index(1)]);
    assert_eq!(rain.created.to_string(), "2024-02-29 21:00:00");
    assert_eq!(rain.expires.unwrap().to_string(), "2024-03-30 21:00:00");
    assert_eq!((rain.importance, &*rain.triple.object), (4, "rain"));
    assert_eq!(import.report.memories, 3);
}

#[test]
fn a_plan_is_known_by_its_wording() {
    let small = Small::new();
    let nodes = Small::of(1, "associative_memory/nodes.json");
    small.replace(
        &nodes,
        r#""predicate": "like", "object": "rain""#,
        r#""predicate": "plan", "object": "Friday March 01""#,
    );
    small.replace(
        &nodes,
        "林 秋 likes rain",
        "This is 林 秋's plan for Friday March 01: brew tea.",
    );
    assert_eq!(
        import(&small).town.residents[1].memories[2].kind,
        MemoryKind::Plan
    );
    small.replace(&nodes, "This is 林 秋's plan for", "For 林 秋's planning:");
    assert_eq!(
        import(&small).town.residents[1].memories[2].kind,
        MemoryKind::Plan
    );
    small.replace(&nodes, "For 林 秋's planning:", "For someone's planning:");
    assert_eq!(
        import(&small).town.residents[1].memories[2].kind,
        MemoryKind::Reflection
    );
}

/// A compressed run: `meta.json` at the top, positions in the scratches, no embeddings.
#[test]
fn a_compressed_run_goes_on_where_it_stopped() {
    let small = Small::new();
    std::fs::rename(
        small.path(&format!("{BASE}/reverie/meta.json")),
        small.path(&format!("{BASE}/meta.json")),
    )
    .unwrap();
    small.remove(&format!("{BASE}/reverie"));
    small.remove(&format!("{BASE}/environment"));
    for (resident, tile) in [(0, "[2, 5]"), (1, "[7, 6]")] {
        small.remove(&Small::of(resident, "associative_memory/embeddings.json"));
        let scratch = Small::of(resident, "scratch.json");
        small.replace(&scratch, "\"curr_tile\": null", &format!("\"curr_tile\": {tile}"));
    }
    let town = import(&small).town;
    let starts: Vec<Tile> = town.residents.iter().map(|resident| resident.start).collect();
    assert_eq!(starts, [Tile { x: 2, y: 5 }, Tile { x: 7, y: 6 }]);
}

#[test]
fn whispers_reach_whom_they_are_for() {
    let small = Small::new();
    let mut town = import(&small).town;
    apply_history(&mut town, &small.path("history.csv")).unwrap();
    assert_eq!(town.residents[0].history, ["You bake bread"]);
    assert_eq!(
        town.residents[1].history,
        ["You brew tea", "you know Zoë, who bakes"]
    );
}

#[test]
fn a_history_is_applied_whole_or_not_at_all() {
    let small = Small::new();
    let mut town = import(&small).town;
    let before = town.clone();
    small.write(
        "history.csv",
        "Name,Whisper\n林 秋,You brew tea\nZoe O'Neill-Angstrom,You bake\n",
    );
    let error = apply_history(&mut town, &small.path("history.csv"))
        .unwrap_err()
        .to_string();
    assert_eq!(
        small.without_path(&error),
        "history.csv: line 3: nobody in the town is named \"Zoe O'Neill-Angstrom\" (nearest: \"Zoë O'Neill-Ångström\"); nothing was changed"
    );
    assert_eq!(town, before);
}

#[test]
fn a_history_may_be_written_in_many_ways() {
    let small = Small::new();
    let expected = [("林 秋", vec!["a, b", "c"]), ("Zoë", vec!["d"])];
    for text in [
        "Name,Whisper\n林 秋,\"a, b; c\"\nZoë,d\n",
        "\u{feff}Name,Whisper\r\n林 秋,\"a, b;c;\"\r\n\r\nZoë,d\r\n",
        " name , Whispers ,,\n 林 秋 , a, b;; c \nZoë,;d,,\n,\n",
    ] {
        small.write("history.csv", text);
        let history = read_history(&small.path("history.csv")).unwrap();
        let read: Vec<(&str, Vec<&str>)> = history
            .iter()
            .map(|told| {
                (
                    told.name.as_str(),
                    told.texts.iter().map(String::as_str).collect(),
                )
            })
            .collect();
        assert_eq!(read, expected, "{text:?}");
    }
}

#[test]
fn a_start_inside_a_wall_becomes_one_beside_it() {
    let small = Small::new();
    small.set_cell("collision", (1, 1), "1");
    let import = import(&small);
    // Above and left of it are the walls of the house, below it is the room.
    assert_eq!(import.town.residents[0].start, Tile { x: 1, y: 2 });
    let said = import.report.to_string();
    assert!(
        said.contains("stands at (1, 1), which is a wall; starts at (1, 2)"),
        "{said}"
    );
}

#[test]
fn an_imported_town_can_be_stored() {
    let town = import(&Small::new()).town;
    let stored = serde_json::to_string(&town).unwrap();
    assert_eq!(
        serde_json::from_str::<townsfolk_town::Town>(&stored).unwrap(),
        town
    );
}
