//! Maps from Tiled: one that is right, and one variant for everything that can be wrong.

use std::path::PathBuf;

use serde_json::{Value, json};
use townsfolk_world::{Tile, World, read_tiled, read_tiled_bytes};

fn at(x: u16, y: u16) -> Tile {
    Tile { x, y }
}

/// 12×8 tiles of 16 pixels: a house with a room, a stove on a wall tile, a bed in two parts, a
/// garden and one spawn.
const WALLS: [&str; 8] = [
    "............",
    ".######.....",
    ".#..#.#.....",
    ".#....#.....",
    ".#....#.....",
    ".###.##.....",
    "............",
    "............",
];

fn rectangle(name: &str, x: u16, y: u16, width: u16, height: u16) -> Value {
    json!({
        "id": 7, "name": name, "type": "", "visible": true, "rotation": 0,
        "x": x * 16, "y": y * 16, "width": width * 16, "height": height * 16,
    })
}

fn objects(name: &str, objects: Vec<Value>) -> Value {
    json!({
        "name": name, "type": "objectgroup", "draworder": "topdown", "id": 3,
        "objects": objects, "opacity": 1, "visible": true, "x": 0, "y": 0,
    })
}

fn tiles(name: &str, data: Vec<u32>) -> Value {
    json!({
        "name": name, "type": "tilelayer", "id": 1, "width": 12, "height": 8,
        "data": data, "opacity": 1, "visible": true, "x": 0, "y": 0,
    })
}

const GROUND: usize = 0;
const COLLISION: usize = 1;
const SECTORS: usize = 2;
const ARENAS: usize = 3;
const OBJECTS: usize = 4;
const SPAWNS: usize = 5;

fn map() -> Value {
    let walls = WALLS.concat();
    let walls = walls.chars().map(|c| if c == '#' { 5 } else { 0 });
    let mut stove = rectangle("stove", 4, 2, 1, 1);
    stove["properties"] = json!([{"name": "state", "type": "string", "value": "off"}]);
    let mut spawn = rectangle("front door", 0, 0, 0, 0);
    spawn["point"] = json!(true);
    (spawn["x"], spawn["y"]) = (json!(72.5), json!(111.9));
    json!({
        "type": "map", "version": "1.10", "tiledversion": "1.11.2",
        "orientation": "orthogonal", "renderorder": "right-down", "infinite": false,
        "width": 12, "height": 8, "tilewidth": 16, "tileheight": 16,
        "properties": [{"name": "name", "type": "string", "value": "Little Ville"}],
        "tilesets": [
            {"firstgid": 1, "name": "town", "tilecount": 40, "columns": 8, "image": "town.png"},
        ],
        "layers": [
            tiles("Ground", vec![1; 96]),
            tiles("Collision", walls.collect()),
            objects("Sectors", vec![
                rectangle("Zoë's house", 1, 1, 6, 5),
                rectangle("Garden", 8, 0, 4, 8),
            ]),
            objects("Arenas", vec![
                rectangle("kitchen", 1, 1, 6, 4),
                rectangle("kitchen", 4, 5, 1, 1),
                rectangle("lawn", 8, 0, 4, 8),
            ]),
            objects("Objects", vec![
                stove,
                rectangle("bed", 2, 3, 1, 1),
                rectangle("bed", 2, 4, 2, 1),
                rectangle("apple tree", 9, 3, 1, 1),
            ]),
            objects("Spawns", vec![spawn]),
        ],
    })
}

fn read(map: &Value) -> World {
    read_tiled_bytes("map.tmj", map.to_string().as_bytes()).unwrap()
}

/// The message for a map with one thing changed.
fn check(change: impl FnOnce(&mut Value), expected: &str) {
    let mut map = map();
    change(&mut map);
    let fault = read_tiled_bytes("map.tmj", map.to_string().as_bytes()).unwrap_err();
    assert_eq!(fault.to_string(), expected);
}

#[test]
fn a_map_becomes_a_world() {
    let world = read(&map());
    assert_eq!((world.width(), world.height()), (12, 8));
    let addresses: Vec<String> = world.places().iter().map(|p| world.address(p.id)).collect();
    let expected = [
        "Little Ville",
        "Little Ville:Zoë's house",
        "Little Ville:Garden",
        "Little Ville:Zoë's house:kitchen",
        "Little Ville:Garden:lawn",
        "Little Ville:Zoë's house:kitchen:stove",
        "Little Ville:Zoë's house:kitchen:bed",
        "Little Ville:Garden:lawn:apple tree",
    ];
    assert_eq!(addresses, expected);
    for (y, row) in WALLS.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            let tile = at(x as u16, y as u16);
            assert_eq!(world.walkable(tile), cell == '.', "{tile}");
        }
    }
    let place = |address| world.place(world.find(address).unwrap());
    let bed = place("Little Ville:Zoë's house:kitchen:bed");
    assert_eq!(bed.tiles, [at(2, 3), at(2, 4), at(3, 4)]);
    assert_eq!(bed.default_state.as_deref(), Some("idle"));
    let stove = place("Little Ville:Zoë's house:kitchen:stove");
    assert_eq!(stove.default_state.as_deref(), Some("off"));
    assert_eq!(world.standing_tiles(stove.id), [at(3, 2), at(5, 2), at(4, 3)]);
    assert_eq!(world.spawns().len(), 1);
    assert_eq!(world.spawns()[0].name, "front door");
    assert_eq!(world.spawns()[0].tile, at(4, 6));
    let path = world.path_to_place(at(4, 6), bed.id).unwrap();
    assert_eq!(path, [at(4, 5), at(4, 4), at(3, 4)]);
}

#[test]
fn what_tiled_may_do_to_a_file_changes_nothing() {
    let plain = read(&map());

    // A byte order mark and Windows line ends.
    let text = serde_json::to_string_pretty(&map()).unwrap();
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let windows = read_tiled_bytes("map.tmj", text.as_bytes()).unwrap();
    assert_eq!(windows, plain);

    // Every way of flipping and turning a tile.
    let mut flipped = map();
    flipped["layers"][GROUND]["data"][0] = json!(0x8000_0001u32);
    flipped["layers"][GROUND]["data"][1] = json!(0xF000_0028u32);
    flipped["layers"][COLLISION]["data"][13] = json!(0x6000_0005u32);
    assert_eq!(read(&flipped), plain);

    // Layers in groups, in another order, hidden, among pictures.
    let mut grouped = map();
    let layers = grouped["layers"].as_array_mut().unwrap();
    layers.reverse();
    layers[0]["visible"] = json!(false);
    let group = json!({"name": "meaning", "type": "group", "layers": layers});
    grouped["layers"] = json!([{"name": "sky", "type": "imagelayer", "offsetx": 3}, group]);
    assert_eq!(read(&grouped), plain);

    // A spawn drawn as a square.
    let mut square = map();
    square["layers"][SPAWNS]["objects"][0] = rectangle("front door", 4, 6, 1, 1);
    assert_eq!(read(&square), plain);
}

#[test]
fn the_file_must_be_a_map() {
    let read = |text: &str| {
        let fault = read_tiled_bytes("towns/a/map.tmj", text.as_bytes()).unwrap_err();
        fault.to_string()
    };
    assert_eq!(
        read("<?xml version=\"1.0\"?><map/>"),
        "towns/a/map.tmj: is XML, not JSON; in Tiled choose File > Save As and the type \"JSON map files\""
    );
    assert_eq!(
        read("{\"type\": \"map\","),
        "towns/a/map.tmj: is not a Tiled map in JSON: EOF while parsing a value at line 1 column 15"
    );
    assert_eq!(
        read("{\"type\": \"tileset\"}"),
        "towns/a/map.tmj: is a Tiled tileset, not a map"
    );
    assert_eq!(
        read("{\"type\": \"map\"}"),
        "towns/a/map.tmj: is not a Tiled map in JSON: missing field `width` at line 1 column 15"
    );
    let missing = read_tiled(&PathBuf::from("no/such/map.tmj")).unwrap_err();
    let missing = missing.to_string();
    assert!(
        missing.starts_with("no/such/map.tmj: cannot be read: "),
        "{missing}"
    );
}

#[test]
fn the_map_must_be_plain_and_named() {
    check(
        |map| map["infinite"] = json!(true),
        "map.tmj: is an infinite map; clear Map > Map Properties > Infinite and save again",
    );
    check(
        |map| map["orientation"] = json!("isometric"),
        "map.tmj: is isometric; only orthogonal maps have straight rows and columns",
    );
    check(
        |map| map["tilewidth"] = json!(0),
        "map.tmj: has tiles of 0×16 pixels; both must be at least 1",
    );
    check(
        |map| map["height"] = json!(0),
        "map.tmj: a map of 12×0 tiles: each side must be from 1 to 4096",
    );
    check(
        |map| map["properties"] = json!([]),
        "map.tmj: has no name; under Map > Map Properties add a custom property `name` of type string, such as \"the Ville\"",
    );
    check(
        |map| map["properties"][0]["value"] = json!("a:b"),
        "map.tmj: the world name \"a:b\" holds a ':', which separates the parts of an address; take it out",
    );
}

#[test]
fn the_layers_must_be_there_once_and_in_place() {
    let remove =
        |index: usize| move |map: &mut Value| drop(map["layers"].as_array_mut().unwrap().remove(index));
    check(
        remove(COLLISION),
        "map.tmj: has no layer \"Collision\"; add a tile layer of exactly that name",
    );
    for (index, name) in [
        (SECTORS, "Sectors"),
        (ARENAS, "Arenas"),
        (OBJECTS, "Objects"),
        (SPAWNS, "Spawns"),
    ] {
        let expected = format!("map.tmj: has no layer {name:?}; add an object layer of exactly that name");
        check(remove(index), &expected);
    }
    check(
        |map| map["layers"][GROUND]["name"] = json!("Collision"),
        "map.tmj: has more than one layer \"Collision\"; join them or rename the others",
    );
    check(
        |map| map["layers"][ARENAS] = tiles("Arenas", vec![0; 96]),
        "map.tmj: layer \"Arenas\" is a tile layer; it must be an object layer",
    );
    check(
        |map| map["layers"][OBJECTS]["offsety"] = json!(-8),
        "map.tmj: layer \"Objects\" is moved by (0, -8) pixels; set its offset, and that of groups around it, to 0",
    );
    check(
        |map| map["layers"][SPAWNS]["objects"] = json!([]),
        "map.tmj: layer \"Spawns\" is empty; add a point with a name where a resident may begin",
    );
}

#[test]
fn tile_data_must_be_whole_numbers_of_known_tiles() {
    check(
        |map| {
            map["layers"][GROUND]["encoding"] = json!("base64");
            map["layers"][GROUND]["compression"] = json!("zlib");
            map["layers"][GROUND]["data"] = json!("eJxjYBgFo2AUAA==");
        },
        "map.tmj: layer \"Ground\" keeps its tiles as base64 with zlib; set Map > Map Properties > Tile Layer Format to CSV and save again",
    );
    check(
        |map| drop(map["layers"][COLLISION]["data"].as_array_mut().unwrap().pop()),
        "map.tmj: layer \"Collision\" holds 95 tiles; a map of 12×8 needs 96: the first missing one is (11, 7)",
    );
    check(
        |map| map["layers"][GROUND]["data"] = json!(vec![1; 108]),
        "map.tmj: layer \"Ground\" holds 108 tiles; a map of 12×8 needs 96: 12 too many",
    );
    check(
        |map| map["layers"][GROUND]["width"] = json!(13),
        "map.tmj: layer \"Ground\" is 13×8 tiles, but the map is 12×8",
    );
    check(
        |map| map["layers"][GROUND]["data"][26] = json!(41),
        "map.tmj: layer \"Ground\", tile (2, 2): the tile id 41 is outside every tileset (ids 1–40); erase the tile or add the tileset it came from",
    );
    check(
        |map| map["layers"][COLLISION]["data"][95] = json!(0x8000_0000u32 | 999),
        "map.tmj: layer \"Collision\", tile (11, 7): the tile id 999 is outside every tileset (ids 1–40); erase the tile or add the tileset it came from",
    );
    check(
        |map| map["tilesets"] = json!([]),
        "map.tmj: layer \"Ground\", tile (0, 0): the tile id 1 is outside every tileset (the map has none); erase the tile or add the tileset it came from",
    );
    check(
        |map| map["layers"][GROUND]["data"][13] = json!(-1),
        "map.tmj: layer \"Ground\", tile (1, 1): -1 is not a tile id",
    );
    check(
        |map| map["layers"][GROUND]["data"][13] = json!("1"),
        "map.tmj: layer \"Ground\", tile (1, 1): \"1\" is not a tile id",
    );
}

#[test]
fn rectangles_must_lie_on_the_grid_and_on_the_map() {
    let object = |layer: usize, index: usize, change: fn(&mut Value)| {
        move |map: &mut Value| change(&mut map["layers"][layer]["objects"][index])
    };
    check(
        object(OBJECTS, 1, |bed| bed["x"] = json!(33.5)),
        "map.tmj: layer \"Objects\", \"bed\" at (2, 3): x 33.5, y 48, width 16, height 16 pixels are not whole tiles of 16×16; turn on View > Snapping > Snap to Grid and redraw it",
    );
    check(
        object(OBJECTS, 1, |bed| bed["width"] = json!(0)),
        "map.tmj: layer \"Objects\", \"bed\" at (2, 3): x 32, y 48, width 0, height 16 pixels are not whole tiles of 16×16; turn on View > Snapping > Snap to Grid and redraw it",
    );
    check(
        object(SECTORS, 1, |garden| garden["width"] = json!(80)),
        "map.tmj: layer \"Sectors\", \"Garden\" at (8, 0): reaches outside the map of 12×8 tiles; move or shrink it",
    );
    check(
        object(SECTORS, 1, |garden| garden["y"] = json!(-16)),
        "map.tmj: layer \"Sectors\", \"Garden\" at (8, -1): reaches outside the map of 12×8 tiles; move or shrink it",
    );
    check(
        object(SECTORS, 1, |garden| garden["width"] = json!(1.6e300)),
        "map.tmj: layer \"Sectors\", \"Garden\" at (8, 0): reaches outside the map of 12×8 tiles; move or shrink it",
    );
    check(
        object(OBJECTS, 3, |tree| tree["ellipse"] = json!(true)),
        "map.tmj: layer \"Objects\", \"apple tree\" at (9, 3): is an ellipse; draw a rectangle (Insert Rectangle, R) instead",
    );
    check(
        object(OBJECTS, 3, |tree| tree["gid"] = json!(12)),
        "map.tmj: layer \"Objects\", \"apple tree\" at (9, 3): is a tile; draw a rectangle (Insert Rectangle, R) instead",
    );
    check(
        object(ARENAS, 2, |lawn| lawn["rotation"] = json!(90)),
        "map.tmj: layer \"Arenas\", \"lawn\" at (8, 0): is a turned rectangle; draw a rectangle (Insert Rectangle, R) instead",
    );
}

#[test]
fn places_must_lie_in_one_place_of_the_level_above() {
    let add = |layer: usize, object: Value| {
        move |map: &mut Value| {
            let objects = &mut map["layers"][layer]["objects"];
            objects.as_array_mut().unwrap().push(object);
        }
    };
    check(
        add(OBJECTS, rectangle("bench", 7, 6, 1, 1)),
        "map.tmj: layer \"Objects\", \"bench\" at (7, 6): covers (7, 6), which is in no arena; draw it inside one rectangle of layer \"Arenas\"",
    );
    check(
        add(OBJECTS, rectangle("table", 5, 4, 3, 1)),
        "map.tmj: layer \"Objects\", \"table\" at (5, 4): covers (7, 4), which is in no arena; draw it inside one rectangle of layer \"Arenas\"",
    );
    check(
        add(ARENAS, rectangle("street", 0, 6, 4, 1)),
        "map.tmj: layer \"Arenas\", \"street\" at (0, 6): covers (0, 6), which is in no sector; draw it inside one rectangle of layer \"Sectors\"",
    );
    check(
        |map| {
            add(SECTORS, rectangle("Shed", 7, 3, 1, 1))(map);
            add(ARENAS, rectangle("path", 6, 3, 2, 1))(map);
        },
        "map.tmj: layer \"Arenas\", \"path\" at (6, 3): begins in the sector \"Zoë's house\" but covers (7, 3) in the sector \"Shed\"; keep it inside one",
    );
    check(
        add(ARENAS, rectangle("pond", 10, 2, 1, 1)),
        "map.tmj: layer \"Arenas\", \"pond\" at (10, 2): covers (10, 2), which already belongs to \"lawn\"; let them not overlap",
    );
    check(
        add(OBJECTS, rectangle("pillow", 2, 4, 1, 1)),
        "map.tmj: layer \"Objects\", \"pillow\" at (2, 4): covers (2, 4), which already belongs to \"bed\"; let them not overlap",
    );
}

#[test]
fn names_and_states_must_be_clear() {
    let rename = |layer: usize, index: usize, name: &'static str| {
        move |map: &mut Value| map["layers"][layer]["objects"][index]["name"] = json!(name)
    };
    check(
        rename(SECTORS, 1, ""),
        "map.tmj: layer \"Sectors\", object 7 at (8, 0): the sector name \"\" is empty; give it a name",
    );
    check(
        rename(OBJECTS, 0, "stove: old"),
        "map.tmj: layer \"Objects\", \"stove: old\" at (4, 2): the object name \"stove: old\" holds a ':', which separates the parts of an address; take it out",
    );
    check(
        rename(OBJECTS, 2, "Bed"),
        "map.tmj: layer \"Objects\", \"Bed\" at (2, 4): the objects \"bed\" and \"Bed\" in \"Little Ville:Zoë's house:kitchen\" differ only in upper and lower case, which makes their addresses ambiguous; rename one",
    );
    let state = |index: usize, value: Value| {
        move |map: &mut Value| {
            let state = json!([{"name": "state", "type": "string", "value": value}]);
            map["layers"][OBJECTS]["objects"][index]["properties"] = state;
        }
    };
    check(
        state(0, json!(3)),
        "map.tmj: layer \"Objects\", \"stove\" at (4, 2): its property `state` is 3; give it some text, or remove it",
    );
    check(
        |map| {
            state(1, json!("made"))(map);
            state(2, json!("unmade"))(map);
        },
        "map.tmj: layer \"Objects\", \"bed\" at (2, 4): its property `state` is \"unmade\"; another rectangle of this object has a different one",
    );
}

#[test]
fn spawns_must_be_free_tiles_from_which_all_can_be_reached() {
    let spawn = |object: Value| {
        move |map: &mut Value| {
            let spawns = map["layers"][SPAWNS]["objects"].as_array_mut();
            spawns.unwrap().push(object);
        }
    };
    check(
        spawn(rectangle("attic", 1, 1, 1, 1)),
        "map.tmj: layer \"Spawns\", \"attic\" at (1, 1): is in a wall at (1, 1); move it, or erase the tile in layer \"Collision\"",
    );
    check(
        spawn(json!({"name": "far", "point": true, "x": 192, "y": 0})),
        "map.tmj: layer \"Spawns\", \"far\" at (12, 0): reaches outside the map of 12×8 tiles; move or shrink it",
    );
    check(
        spawn(rectangle("square", 8, 1, 2, 1)),
        "map.tmj: layer \"Spawns\", \"square\" at (8, 1): covers 2×1 tiles; a spawn is a point or one tile",
    );
    check(
        spawn(rectangle("front door", 8, 1, 1, 1)),
        "map.tmj: layer \"Spawns\", \"front door\" at (8, 1): two spawns are named \"front door\": at (4, 6) and (8, 1)",
    );
    // The door is bricked up.
    let wall =
        |x: usize, y: usize| move |map: &mut Value| map["layers"][COLLISION]["data"][y * 12 + x] = json!(5);
    check(
        wall(4, 5),
        "map.tmj: layer \"Sectors\": the sector \"Little Ville:Zoë's house\" (first tile (1, 1)) cannot be reached on foot from the spawn \"front door\" at (4, 6)",
    );
    check(
        |map| {
            map["layers"][SECTORS]["objects"][0] = rectangle("Zoë's house", 0, 1, 7, 5);
            wall(4, 5)(map);
        },
        "map.tmj: layer \"Arenas\": the arena \"Little Ville:Zoë's house:kitchen\" (first tile (1, 1)) cannot be reached on foot from the spawn \"front door\" at (4, 6)",
    );
    check(
        |map| {
            wall(4, 5)(map);
            spawn(rectangle("bedside", 3, 3, 1, 1))(map);
        },
        "map.tmj: layer \"Spawns\": the spawn \"bedside\" at (3, 3) cannot be reached on foot from the spawn \"front door\" at (4, 6)",
    );
    // Brick up what is around the tree, and the tree itself.
    check(
        |map| {
            for (x, y) in [(9, 2), (8, 3), (9, 3), (10, 3), (9, 4)] {
                wall(x, y)(map);
            }
        },
        "map.tmj: layer \"Objects\": the object \"Little Ville:Garden:lawn:apple tree\" (first tile (9, 3)) cannot be reached on foot from the spawn \"front door\" at (4, 6)",
    );
}

/// A folder of this test's own, with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, text) in files {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

#[test]
fn tilesets_may_be_files_beside_the_map() {
    let tsx = r#"<?xml version="1.0" encoding="UTF-8"?>
        <tileset version="1.10" name="town" tilewidth="16" tileheight="16" tilecount="40" columns="8">
         <image source="no-such.png" width="128" height="80"/>
        </tileset>"#;
    let tsj = r#"{"type": "tileset", "name": "things", "tilecount": 2, "tiles": [{"id": 0}, {"id": 9}]}"#;
    let mut outside = map();
    outside["tilesets"] = json!([
        {"firstgid": 1, "source": "sets/town.tsx"},
        {"firstgid": 41, "source": "things.tsj"},
    ]);
    // The last tile of a collection of images, whose numbers have gaps.
    outside["layers"][GROUND]["data"][0] = json!(50);
    let text = outside.to_string();
    let files = [
        ("map.tmj", text.as_str()),
        ("sets/town.tsx", tsx),
        ("things.tsj", tsj),
    ];
    let town = folder("outside", &files);
    assert_eq!(read_tiled(&town.join("map.tmj")).unwrap(), read(&map()));

    outside["layers"][GROUND]["data"][0] = json!(51);
    let text = outside.to_string();
    let town = folder("unknown-tile", &[("map.tmj", &text), files[1], files[2]]);
    let file = town.join("map.tmj");
    let fault = read_tiled(&file).unwrap_err().to_string();
    let expected = "layer \"Ground\", tile (0, 0): the tile id 51 is outside every tileset (ids 1–40, 41–50); erase the tile or add the tileset it came from";
    assert_eq!(fault, format!("{}: {expected}", file.display()));
}

#[test]
fn a_tileset_that_cannot_be_used_is_named() {
    let source = |name: &'static str| {
        move |map: &mut Value| map["tilesets"] = json!([{"firstgid": 1, "source": name}])
    };
    check(
        source("town.tsx"),
        "map.tmj: the tileset \"town.tsx\" cannot be used: this map is read from memory alone; embed the tileset in the map",
    );
    let mut outside = map();
    let mut fault_of = |name: &'static str, text: &str| {
        source(name)(&mut outside);
        let map = outside.to_string();
        let town = folder("bad-tilesets", &[("map.tmj", &map), (name, text)]);
        let fault = read_tiled(&town.join("map.tmj")).unwrap_err();
        fault.fault.to_string()
    };
    assert_eq!(
        fault_of("a.tsj", "{"),
        "the tileset \"a.tsj\" cannot be used: EOF while parsing an object at line 1 column 1"
    );
    assert_eq!(
        fault_of("a.png", ""),
        "the tileset \"a.png\" cannot be used: its name ends in neither .tsx nor .tsj"
    );
    let xml = fault_of("a.tsx", "<tileset");
    assert!(xml.starts_with("the tileset \"a.tsx\" cannot be used: "), "{xml}");
}
