//! Addresses, spots, standing tiles and sight.

use townsfolk_world::{PlaceId, PlaceKind, Spot, Tile, World, WorldBuilder, WorldError, sketch};

fn at(x: u16, y: u16) -> Tile {
    Tile { x, y }
}

/// Two rooms with a door between them, a garden of a sector without arenas, and the street.
fn village() -> World {
    sketch::read(
        "the Ville
         ggg........
         ####.######
         #aaaaBB#cT#
         #aSaaBBDcc#
         #aaaa##ccc#
         ###########
         g = Park
         a = Zoë O'Neill-Ångström's house:bedroom
         B = Zoë O'Neill-Ångström's house:bedroom:bed (neatly made)
         S # Zoë O'Neill-Ångström's house:bedroom:shelf
         c = Zoë O'Neill-Ångström's house:林 秋の部屋
         D = Zoë O'Neill-Ångström's house:林 秋の部屋
         T = Zoë O'Neill-Ångström's house:林 秋の部屋:机",
    )
    .unwrap()
}

#[test]
fn every_place_is_found_by_its_address() {
    let world = village();
    assert_eq!(world.name(), "the Ville");
    let addresses: Vec<String> = world.places().iter().map(|p| world.address(p.id)).collect();
    let expected = [
        "the Ville",
        "the Ville:Park",
        "the Ville:Zoë O'Neill-Ångström's house",
        "the Ville:Zoë O'Neill-Ångström's house:bedroom",
        "the Ville:Zoë O'Neill-Ångström's house:bedroom:bed",
        "the Ville:Zoë O'Neill-Ångström's house:bedroom:shelf",
        "the Ville:Zoë O'Neill-Ångström's house:林 秋の部屋",
        "the Ville:Zoë O'Neill-Ångström's house:林 秋の部屋:机",
    ];
    assert_eq!(addresses, expected);
    for (index, address) in addresses.iter().enumerate() {
        assert_eq!(world.find(address), Some(PlaceId::from_index(index)));
    }
    for nowhere in [
        "",
        "the ville",
        "Park",
        "the Ville:",
        "the Ville:Park:bench",
        "the Ville:park",
        ":the Ville",
    ] {
        assert_eq!(world.find(nowhere), None, "{nowhere:?}");
    }
}

#[test]
fn a_spot_names_all_levels_at_a_tile() {
    let world = village();
    let house = world.find("the Ville:Zoë O'Neill-Ångström's house");
    let bedroom = world.child(house.unwrap(), "bedroom");
    let bed = world.child(bedroom.unwrap(), "bed");
    let on_bed = Spot {
        sector: house,
        arena: bedroom,
        object: bed,
    };
    assert_eq!(world.spot(at(5, 2)), on_bed);
    assert_eq!(on_bed.narrowest(), bed);
    let park = world.find("the Ville:Park");
    let in_park = Spot {
        sector: park,
        ..Spot::default()
    };
    assert_eq!(world.spot(at(0, 0)), in_park);
    assert_eq!(world.spot(at(10, 0)), Spot::default(), "the street");
    assert_eq!(world.spot(at(11, 0)), Spot::default(), "outside the map");
    assert!(!world.walkable(at(11, 0)) && !world.contains(at(11, 0)));
    assert!(!world.walkable(at(0, 1)) && world.walkable(at(4, 1)));
}

#[test]
fn ancestors_are_a_place_itself_or_around_it() {
    let world = village();
    let bed = world.find("the Ville:Zoë O'Neill-Ångström's house:bedroom:bed");
    let bed = bed.unwrap();
    let ancestor = |kind| world.ancestor(bed, kind).map(|id| world.address(id));
    assert_eq!(ancestor(PlaceKind::World).as_deref(), Some("the Ville"));
    assert_eq!(
        ancestor(PlaceKind::Arena).as_deref(),
        Some("the Ville:Zoë O'Neill-Ångström's house:bedroom")
    );
    assert_eq!(world.ancestor(bed, PlaceKind::Object), Some(bed));
    assert_eq!(world.ancestor(world.root(), PlaceKind::Sector), None);
}

#[test]
fn one_stands_on_an_object_or_beside_it() {
    let world = village();
    let standing = |address: &str| world.standing_tiles(world.find(address).unwrap()).to_vec();
    let house = "the Ville:Zoë O'Neill-Ångström's house";
    let on_bed = [at(5, 2), at(6, 2), at(5, 3), at(6, 3)];
    assert_eq!(standing(&format!("{house}:bedroom:bed")), on_bed);
    let around_shelf = [at(2, 2), at(1, 3), at(3, 3), at(2, 4)];
    assert_eq!(standing(&format!("{house}:bedroom:shelf")), around_shelf);
    assert_eq!(standing("the Ville:Park"), [at(0, 0), at(1, 0), at(2, 0)]);
}

#[test]
fn an_object_walled_in_by_its_arena_is_used_from_outside() {
    let world = sketch::read(
        "town
         ###
         #W.
         ###
         W # shop:front:window",
    )
    .unwrap();
    let window = world.find("town:shop:front:window").unwrap();
    assert_eq!(world.standing_tiles(window), [at(2, 1)]);
    let front = world.find("town:shop:front").unwrap();
    assert_eq!(world.standing_tiles(front), [], "an arena has its own tiles");
}

#[test]
fn sight_ends_at_the_arena_and_at_the_square() {
    let world = village();
    let near = world.sight(at(4, 2), 1).tiles;
    // Itself, then those at distance 1 by rows, then the corners. The bed is in view; the door at
    // (4, 1) is street and the wall at (5, 4) is of no arena.
    let expected = [at(4, 2), at(3, 2), at(5, 2), at(4, 3), at(3, 3), at(5, 3)];
    assert_eq!(near, expected);

    let far = world.sight(at(4, 2), u16::MAX).tiles;
    let bedroom = world.spot(at(4, 2)).arena.unwrap();
    let mut all = far.clone();
    all.sort();
    assert_eq!(all, world.place(bedroom).tiles);
    assert!(far.is_sorted_by_key(|&t| (at(4, 2).squared_distance(t), t)));

    // Park and street have no arena and are one; so are walls of no arena.
    let outside = world.sight(at(2, 0), 1).tiles;
    let expected = [at(2, 0), at(1, 0), at(3, 0), at(2, 1), at(1, 1), at(3, 1)];
    assert_eq!(outside, expected);
    assert_eq!(world.sight(at(99, 99), 8).tiles, []);
}

#[test]
fn objects_in_sight_come_nearest_first_with_their_nearest_tile() {
    let world = village();
    let names = |from, radius| -> Vec<(String, Tile, u32)> {
        let seen = world.objects_in_sight(from, radius).into_iter();
        seen.map(|(id, tile, distance)| (world.place(id).name.clone(), tile, distance))
            .collect()
    };
    let shelf = |distance| ("shelf".to_owned(), at(2, 3), distance);
    let bed = |distance| ("bed".to_owned(), at(5, 3), distance);
    assert_eq!(names(at(4, 3), 8), [bed(1), shelf(4)]);
    assert_eq!(names(at(3, 3), 8), [shelf(1), bed(4)]);
    assert_eq!(names(at(3, 3), 1), [shelf(1)], "the bed is two tiles off");
    // Standing on it, and never through the wall into the other room.
    assert_eq!(names(at(5, 3), 3), [bed(0), shelf(9)]);
    assert_eq!(names(at(4, 0), 8), [], "no objects on the street");
    assert_eq!(names(at(99, 99), 8), []);
}

#[test]
fn same_arena_joins_the_street_but_not_what_is_off_the_map() {
    let world = village();
    assert!(world.same_arena(at(1, 2), at(6, 3)));
    assert!(!world.same_arena(at(6, 3), at(7, 3)));
    assert!(world.same_arena(at(0, 0), at(10, 0)));
    assert!(!world.same_arena(at(10, 0), at(11, 0)));
}

#[test]
fn tiles_are_ordered_as_one_reads() {
    let mut tiles = [at(0, 1), at(2, 0), at(1, 0), at(1, 1)];
    tiles.sort();
    assert_eq!(tiles, [at(1, 0), at(2, 0), at(0, 1), at(1, 1)]);
    assert_eq!(at(3, 9).chebyshev(at(5, 2)), 7);
    assert_eq!(at(3, 9).squared_distance(at(5, 2)), 53);
}

#[test]
fn the_builder_says_what_does_not_fit() {
    let check = |build: fn(&mut WorldBuilder) -> Result<(), WorldError>, expected: &str| {
        let mut builder = WorldBuilder::new("town", 4, 3).unwrap();
        let result = build(&mut builder).and_then(|()| builder.build().map(|_| ()));
        assert_eq!(result.unwrap_err().to_string(), expected);
    };
    check(
        |b| b.add_wall(at(4, 0)),
        "a wall reaches (4, 0), outside the map of 4×3 tiles",
    );
    check(
        |b| b.place(b.root(), "a:b").map(|_| ()),
        "the sector name \"a:b\" holds a ':', which separates the parts of an address; take it out",
    );
    check(
        |b| b.place(b.root(), " a").map(|_| ()),
        "the sector name \" a\" begins or ends with white space; take it away",
    );
    check(
        |b| {
            b.place(b.root(), "Cafe")?;
            b.place(b.root(), "CAFE").map(|_| ())
        },
        "the sectors \"Cafe\" and \"CAFE\" in \"town\" differ only in upper and lower case, which makes their addresses ambiguous; rename one",
    );
    check(
        |b| b.place(b.root(), "Cafe").map(|_| ()),
        "the sector \"town:Cafe\" covers no tile",
    );
    check(
        |b| {
            let cafe = b.place(b.root(), "Cafe")?;
            let room = b.place(cafe, "room")?;
            b.add_tile(cafe, at(0, 0))?;
            b.add_tile(room, at(1, 0))
        },
        "the arena \"town:Cafe:room\" reaches (1, 0), which is not in its sector",
    );
    check(
        |b| {
            let cafe = b.place(b.root(), "Cafe")?;
            let pub_ = b.place(b.root(), "Pub")?;
            b.add_tile(cafe, at(0, 0))?;
            b.add_tile(pub_, at(0, 0))
        },
        "the sectors \"town:Cafe\" and \"town:Pub\" both cover (0, 0)",
    );
    check(
        |b| {
            let cafe = b.place(b.root(), "Cafe")?;
            let room = b.place(cafe, "room")?;
            let bar = b.place(room, "bar")?;
            b.place(bar, "drawer").map(|_| ())
        },
        "\"drawer\" cannot be put inside the object \"town:Cafe:room:bar\": objects hold no places",
    );
    check(
        |b| b.set_default_state(b.root(), "idle"),
        "\"town\" cannot get the state \"idle\": only objects have states, and this is a world",
    );
    check(
        |b| {
            b.add_spawn("home", at(1, 1))?;
            b.add_spawn("home", at(2, 1))
        },
        "two spawns are named \"home\": at (1, 1) and (2, 1)",
    );
    check(
        |b| {
            b.add_wall(at(1, 1))?;
            b.add_spawn("home", at(1, 1))
        },
        "the spawn \"home\" at (1, 1) is in a wall",
    );
    check(
        |b| b.add_tile(PlaceId::from_index(7), at(0, 0)),
        "there is no place number 7",
    );
    let size = WorldBuilder::new("town", 0, 5000).unwrap_err().to_string();
    assert_eq!(size, "a map of 0×5000 tiles: each side must be from 1 to 4096");
}

#[test]
fn what_no_spawn_can_reach_is_told() {
    let check = |text: &str, expected: Option<&str>| {
        let world = sketch::read(text).unwrap();
        let fault = world.check_reachable().err().map(|fault| fault.to_string());
        assert_eq!(fault.as_deref(), expected);
    };
    check("town\n1.#c\n1 @ home\nc # lake", None);
    check(
        "town\n1.#c\n1 @ home\nc = lake",
        Some(
            "the sector \"town:lake\" (first tile (3, 0)) cannot be reached on foot from the spawn \"home\" at (0, 0)",
        ),
    );
    check("town\n..#c\nc = cellar:room", None);
    check(
        "town\n1.#c\n1 @ home\nc = cellar:room",
        Some(
            "the sector \"town:cellar\" (first tile (3, 0)) cannot be reached on foot from the spawn \"home\" at (0, 0)",
        ),
    );
    check(
        "town\nc1.#k\n1 @ home\nc = house\nk = house:cellar",
        Some(
            "the arena \"town:house:cellar\" (first tile (4, 0)) cannot be reached on foot from the spawn \"home\" at (1, 0)",
        ),
    );
    check(
        "town\n1c#K\n1 @ home\nc = cellar:room\nK # cellar:room:keg",
        Some(
            "the object \"town:cellar:room:keg\" (first tile (3, 0)) cannot be reached on foot from the spawn \"home\" at (0, 0)",
        ),
    );
    check(
        "town\n1.#2\n1 @ home\n2 @ inn",
        Some("the spawn \"inn\" at (3, 0) cannot be reached on foot from the spawn \"home\" at (0, 0)"),
    );
}

#[test]
fn sketches_tell_what_they_cannot_read() {
    let check = |text: &str, expected: &str| {
        assert_eq!(sketch::read(text).unwrap_err().to_string(), expected);
    };
    check(
        "town",
        "a sketch needs a line with the world's name and at least one row",
    );
    check(
        "town\n..x",
        "line 2: 'x' is not in the legend; add a line such as \"x = sector:arena\"",
    );
    check("town\n..\nx = a", "the sector \"town:a\" covers no tile");
    check("town\n..\n# = a:b", "line 3: '#' already has a meaning");
    check(
        "town\n.x\nx = a:b\n...",
        "line 4: a row after the legend; a legend line is \"x = sector:arena\"",
    );
    check(
        "town\n.x\nx = a::b",
        "line 3: the arena name \"\" is empty; give it a name",
    );
    check(
        "town\n11\n1 @ home",
        "line 2: two spawns are named \"home\": at (0, 0) and (1, 0)",
    );
}
