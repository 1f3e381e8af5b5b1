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

/// Every walk of the recorded day, from standing still to standing still, against our path between
/// its ends. A walk that changed its mind on the way is no shortest path and proves nothing; one
/// that took as few steps as ours must have taken the same ones.
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
    let movement: Value = serde_json::from_str(&text).unwrap();
    let (mut same, mut detours, mut other) = (0, 0, vec![]);
    for walk in walks(&movement) {
        let (start, end) = (walk[0], walk[walk.len() - 1]);
        let path = world.path(start, &[end]).expect("they walked it");
        if path == walk[1..] {
            same += 1;
        } else if path.len() < walk.len() - 1 {
            detours += 1;
        } else {
            other.push((start, end, walk.len(), path.len()));
        }
    }
    eprintln!("same {same} detours {detours} other {other:?}");
    assert!(other.is_empty(), "as short but other: {other:?}");
    assert!(same > 50, "only {same} walks were alike");
    check_is_walkable(&world, &movement);
}

fn check_is_walkable(world: &World, movement: &Value) {
    for walk in walks(movement) {
        for tile in walk {
            assert!(world.walkable(tile), "{tile} is a wall");
        }
    }
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
