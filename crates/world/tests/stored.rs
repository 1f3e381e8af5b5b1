//! A world survives being stored, and a damaged one is refused.

use serde_json::{Value, json};
use townsfolk_world::{Tile, World, sketch};

fn village() -> World {
    sketch::read(
        "the Ville
         ####..Z
         #hhB...
         ####...
         h = house:room
         B = house:room:bed (neatly made)
         Z @ 林 秋",
    )
    .unwrap()
}

#[test]
fn a_world_is_the_same_after_a_round_trip() {
    let world = village();
    let text = serde_json::to_string(&world).unwrap();
    let back: World = serde_json::from_str(&text).unwrap();
    assert_eq!(back, world);
    let bed = back.find("the Ville:house:room:bed").unwrap();
    assert_eq!(back.standing_tiles(bed), [Tile { x: 3, y: 1 }]);
    assert_eq!(back.path_to_place(Tile { x: 6, y: 0 }, bed).unwrap().len(), 4);
}

#[test]
fn the_stored_form_is_spans_of_tiles() {
    let expected = json!({
        "name": "the Ville",
        "width": 7,
        "height": 3,
        "walls": [[0, 0, 4], [1, 0, 1], [2, 0, 4]],
        "places": [
            {"parent": 0, "name": "house", "state": null, "tiles": [[1, 1, 3]]},
            {"parent": 1, "name": "room", "state": null, "tiles": [[1, 1, 3]]},
            {"parent": 2, "name": "bed", "state": "neatly made", "tiles": [[1, 3, 1]]},
        ],
        "spawns": [{"name": "林 秋", "tile": {"x": 6, "y": 0}}],
    });
    assert_eq!(serde_json::to_value(village()).unwrap(), expected);
}

#[test]
fn damage_is_refused_with_its_reason() {
    let check = |damage: fn(&mut Value), expected: &str| {
        let mut stored = serde_json::to_value(village()).unwrap();
        damage(&mut stored);
        let fault = serde_json::from_value::<World>(stored).unwrap_err();
        assert_eq!(fault.to_string(), expected);
    };
    check(
        |stored| stored["walls"][0] = json!([0, 0, 65535]),
        "a wall reaches (7, 0), outside the map of 7×3 tiles",
    );
    check(
        |stored| stored["places"][2]["parent"] = json!(9),
        "there is no place number 9",
    );
    check(
        |stored| stored["places"][2] = stored["places"][1].clone(),
        "the places 2 and 3 are the same: \"room\" in one parent",
    );
    check(
        |stored| stored["spawns"][0]["tile"] = json!({"x": 0, "y": 0}),
        "the spawn \"林 秋\" at (0, 0) is in a wall",
    );
}
