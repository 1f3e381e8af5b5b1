//! The real map and the real walks of the 2023 code, where that data is there.

mod common;

use std::collections::BTreeMap;

use common::{IN_TOWN, shared, smallville_walls};
use serde_json::Value;
use townsfolk_world::{Tile, World};

#[test]
fn the_town_is_the_part_of_4158_tiles() {
    let Some(world) = smallville_walls() else {
        return;
    };
    let all = &world.place(world.root()).tiles;
    let in_town = all
        .iter()
        .filter(|tile| world.walkable(**tile) && world.path(IN_TOWN, &[**tile]).is_some());
    assert_eq!(in_town.count(), 4158);
}

/// Every walk of the recorded day, from standing still to standing still, is one of our paths step
/// by step; or, where the resident changed its mind on the way, a few of them joined.
#[test]
fn recorded_walks_are_our_paths_step_by_step() {
    let Some(world) = smallville_walls() else {
        return;
    };
    let run = "July1_the_ville_isabella_maria_klaus-step-3-20";
    let file = shared().join(format!(
        "smallville/compressed_storage/{run}/master_movement.json"
    ));
    let Ok(text) = std::fs::read_to_string(&file) else {
        eprintln!("skipped: no {}", file.display());
        return;
    };
    let mut walks_by_paths = BTreeMap::new();
    for walk in walks(&serde_json::from_str(&text).unwrap()) {
        *walks_by_paths.entry(paths_in(&world, &walk)).or_insert(0) += 1;
    }
    let expected = BTreeMap::from([(1, 199), (2, 11), (3, 3)]);
    assert_eq!(walks_by_paths, expected, "walks by the number of paths in them");
}

/// Into how few of our paths a walk falls. Any first part of a path is itself the path to where it
/// ends, so taking the longest each time is best.
fn paths_in(world: &World, walk: &[Tile]) -> usize {
    let mut paths = 0;
    let mut rest = walk;
    while let [start, steps @ ..] = rest
        && !steps.is_empty()
    {
        let is_path = |length: &usize| {
            let taken = &steps[..*length];
            let path = world.path(*start, &taken[length - 1..]);
            path.as_deref() == Some(taken)
        };
        let longest = (1..=steps.len()).rev().find(is_path);
        paths += 1;
        rest = &rest[longest.expect("one step onto a free tile is a path")..];
    }
    paths
}

/// The stretches in which a resident changed tile at every step, each with the tile it began on.
fn walks(movement: &Value) -> Vec<Vec<Tile>> {
    let steps = movement.as_object().unwrap();
    let steps: BTreeMap<usize, &Value> = steps
        .iter()
        .map(|(step, moves)| (step.parse().unwrap(), moves))
        .collect();
    let mut present: BTreeMap<&str, Vec<Tile>> = BTreeMap::new();
    let mut done = vec![];
    for moves in steps.values() {
        let moves = moves.as_object().unwrap();
        for (name, walk) in &mut present {
            let is_still = moves
                .get(*name)
                .is_none_or(|now| Some(&tile_of(now)) == walk.last());
            if is_still && walk.len() > 1 {
                let last = walk[walk.len() - 1];
                done.push(std::mem::replace(walk, vec![last]));
            }
        }
        for (name, now) in moves {
            let tile = tile_of(now);
            let walk = present.entry(name).or_default();
            if walk.last() != Some(&tile) {
                walk.push(tile);
            }
        }
    }
    done.extend(present.into_values().filter(|walk| walk.len() > 1));
    done
}

fn tile_of(moves: &Value) -> Tile {
    let number = |index: usize| moves["movement"][index].as_u64().unwrap() as u16;
    Tile {
        x: number(0),
        y: number(1),
    }
}
