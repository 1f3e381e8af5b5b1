//! Shortest paths: the tie rule, odd starts and targets, and agreement with a plain search.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use townsfolk_world::{Tile, World, WorldBuilder, sketch};

fn at(x: u16, y: u16) -> Tile {
    Tile { x, y }
}

/// A map with the path drawn on it: `s` start, `*` steps, `g` goal.
fn draw(world: &World, from: Tile, to: &[Tile]) -> String {
    let path = world.path(from, to).expect("a way");
    let goal = path.last().copied();
    let mut text = String::new();
    for y in 0..world.height() {
        for x in 0..world.width() {
            let tile = at(x, y);
            text.push(match tile {
                _ if tile == from => 's',
                _ if Some(tile) == goal => 'g',
                _ if path.contains(&tile) => '*',
                _ if world.walkable(tile) => '.',
                _ => '#',
            });
        }
        text.push('\n');
    }
    text
}

fn check(rows: &str, from: Tile, to: &[Tile], expected: &str) {
    let world = sketch::read(&format!("town\n{rows}")).unwrap();
    let lines = expected.lines().map(str::trim);
    let expected: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    assert_eq!(draw(&world, from, to), format!("{}\n", expected.join("\n")));
}

#[test]
fn seen_from_the_goal_up_comes_before_left_before_down_before_right() {
    let open = "....\n....\n....";
    let to = |x, y| vec![at(x, y)];
    // Goal to the lower right: from it first up, then left.
    check(open, at(0, 0), &to(3, 2), "s***\n...*\n...g");
    // Goal to the lower left: up before right.
    check(open, at(3, 0), &to(0, 2), "***s\n*...\ng...");
    // Goal to the upper right: left before down.
    check(open, at(0, 2), &to(3, 0), "***g\n*...\ns...");
    // Goal to the upper left: down before right.
    check(open, at(3, 2), &to(0, 0), "g...\n*...\n***s");
}

#[test]
fn the_nearest_target_wins_and_then_the_first_in_row_major_order() {
    let open = ".....\n.....\n.....";
    let near_and_far = [at(0, 0), at(3, 1)];
    check(open, at(2, 1), &near_and_far, ".....\n..sg.\n.....");
    let all_two_away = [at(2, 2), at(3, 1), at(1, 1), at(2, 0)];
    check(open, at(2, 1), &all_two_away, "..g..\n..s..\n.....");
    let by_row = [at(4, 1), at(0, 1)];
    check(open, at(2, 1), &by_row, ".....\ng*s..\n.....");
    // The flood comes by the lower left first.
    let lower_left_or_right = [at(1, 2), at(4, 1)];
    check(open, at(2, 1), &lower_left_or_right, ".....\n..s*g\n.....");
}

#[test]
fn walls_are_walked_around() {
    check(
        "..#..\n..#..\n.....",
        at(0, 0),
        &[at(4, 0)],
        "s*#*g\n.*#*.\n.***.",
    );
}

#[test]
fn one_who_is_there_already_takes_no_step() {
    let world = sketch::read("town\n...").unwrap();
    assert_eq!(world.path(at(1, 0), &[at(0, 0), at(1, 0)]), Some(vec![]));
}

#[test]
fn what_cannot_be_reached_is_none() {
    let world = sketch::read("town\n..#..").unwrap();
    assert_eq!(world.path(at(0, 0), &[at(4, 0)]), None, "behind the wall");
    assert_eq!(world.path(at(0, 0), &[at(2, 0)]), None, "the wall itself");
    assert_eq!(world.path(at(0, 0), &[at(9, 9)]), None, "outside");
    assert_eq!(world.path(at(9, 9), &[at(0, 0)]), None, "from outside");
    assert_eq!(world.path(at(0, 0), &[]), None, "nothing asked for");
    let one_of_them = world.path(at(0, 0), &[at(2, 0), at(4, 0), at(1, 0)]);
    assert_eq!(one_of_them, Some(vec![at(1, 0)]));
}

#[test]
fn one_may_leave_a_tile_that_cannot_be_entered() {
    let world = sketch::read("town\n...\n.#.\n...").unwrap();
    let path = world.path(at(1, 1), &[at(2, 0)]);
    assert_eq!(path, Some(vec![at(1, 0), at(2, 0)]));
    // A path from elsewhere goes around that tile.
    assert_eq!(world.path(at(1, 0), &[at(1, 2)]).map(|p| p.len()), Some(4));
}

#[test]
fn a_corridor_of_one_tile_lets_people_pass_both_ways() {
    let world = sketch::read("town\n..###..\n.......\n..###..").unwrap();
    let east = world.path(at(0, 1), &[at(6, 1)]).unwrap();
    let mut west = world.path(at(6, 1), &[at(0, 1)]).unwrap();
    assert_eq!(east.len(), 6);
    west.reverse();
    assert_eq!(east[..5], west[1..], "the same tiles, the other way round");
}

#[test]
fn a_path_to_a_place_ends_where_one_can_stand() {
    let world = sketch::read(
        "town
         .......
         .###k..
         .#ccc..
         .#####.
         c = cafe:room
         k # cafe:room:counter",
    )
    .unwrap();
    let counter = world.find("town:cafe:room:counter").unwrap();
    let room = world.find("town:cafe:room").unwrap();
    // Tiles above and to the right of the counter are nearer, but on the street.
    assert_eq!(world.standing_tiles(counter), [at(4, 2)]);
    let path = world.path_to_place(at(0, 0), counter).unwrap();
    assert_eq!(path.last(), Some(&at(4, 2)));
    assert_eq!(path.len(), 8);
    assert_eq!(world.path_to_place(at(4, 2), room), Some(vec![]));
}

#[test]
fn the_scratch_of_a_thread_serves_worlds_of_any_size_in_turn() {
    let small = sketch::read("town\n...").unwrap();
    let large = WorldBuilder::new("town", 60, 60).unwrap().build().unwrap();
    let cut = sketch::read("town\n.#.\n.#.").unwrap();
    for _ in 0..3 {
        assert_eq!(small.path(at(0, 0), &[at(2, 0)]).unwrap().len(), 2);
        assert_eq!(large.path(at(0, 0), &[at(59, 59)]).unwrap().len(), 118);
        assert_eq!(cut.path(at(0, 0), &[at(2, 1)]), None);
    }
}

#[test]
fn many_threads_walk_at_the_same_time() {
    let world = WorldBuilder::new("town", 40, 40).unwrap().build().unwrap();
    let expected = world.path(at(0, 0), &[at(39, 39)]);
    std::thread::scope(|scope| {
        let walks: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| world.path(at(0, 0), &[at(39, 39)])))
            .collect();
        for walk in walks {
            assert_eq!(walk.join().unwrap(), expected);
        }
    });
}

/// The tie rule once more, in the plainest way: flood everything, choose the goal, trace back.
fn reference(world: &World, from: Tile, to: &[Tile]) -> Option<Vec<Tile>> {
    let beside = |Tile { x, y }: Tile| {
        let (x, y) = (i32::from(x), i32::from(y));
        [(x, y - 1), (x - 1, y), (x, y + 1), (x + 1, y)]
            .map(|(x, y)| Some(at(u16::try_from(x).ok()?, u16::try_from(y).ok()?)))
            .into_iter()
            .flatten()
    };
    let mut steps = BTreeMap::from([(from, 0usize)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(tile) = waiting.pop_front() {
        for next in beside(tile) {
            if world.walkable(next) && !steps.contains_key(&next) {
                steps.insert(next, steps[&tile] + 1);
                waiting.push_back(next);
            }
        }
    }
    let reached = to.iter().filter(|tile| steps.contains_key(tile));
    let goal = *reached.min_by_key(|tile| (steps[tile], tile.y, tile.x))?;
    let mut path = vec![];
    let mut tile = goal;
    while tile != from {
        path.insert(0, tile);
        tile = beside(tile)
            .find(|next| steps.get(next) == Some(&(steps[&tile] - 1)))
            .unwrap();
    }
    Some(path)
}

prop_compose! {
    fn arb_grid()(width in 1usize..14, height in 1usize..14)(
        walls in prop::collection::vec(prop::bool::weighted(0.3), width * height),
        width in Just(width),
        height in Just(height),
    ) -> World {
        let mut builder = WorldBuilder::new("grid", width, height).unwrap();
        for (index, _) in walls.iter().enumerate().filter(|(_, wall)| **wall) {
            let tile = at((index % width) as u16, (index / width) as u16);
            builder.add_wall(tile).unwrap();
        }
        builder.build().unwrap()
    }
}

proptest! {
    // A failing case is printed; a file of old ones beside the tests is not kept.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_agree_with_the_plain_search(
        world in arb_grid(),
        from in (0u16..14, 0u16..14),
        to in prop::collection::vec((0u16..15, 0u16..15), 0..20),
    ) {
        let from = at(from.0 % world.width(), from.1 % world.height());
        let to: Vec<Tile> = to.into_iter().map(|(x, y)| at(x, y)).collect();
        let path = world.path(from, &to);
        prop_assert_eq!(&path, &reference(&world, from, &to));
        // And it is a way at all: single steps over free tiles.
        let mut before = from;
        for step in path.unwrap_or_default() {
            prop_assert!(world.walkable(step));
            prop_assert!(before.neighbours().any(|next| next == step));
            before = step;
        }
    }
}
