//! Mean time of a path: 200 random pairs of tiles in the lived-in part of Smallville, as in the
//! measurement of the 2023 code (33 ms a path); on a made-up town of the same size without its data.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use townsfolk_world::{Tile, World, WorldBuilder};

const PAIRS: usize = 200;

/// A small linear congruential generator (constants of Knuth's MMIX), for pairs that never change.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// 140×100 tiles of rooms, 9×9 each, with a door in every wall.
fn made_up() -> (World, Tile) {
    let mut builder = WorldBuilder::new("rooms", 140, 100).unwrap();
    for y in 0..100u16 {
        for x in 0..140u16 {
            let is_wall = x % 10 == 0 && y % 10 != 4 || y % 10 == 0 && x % 10 != 7;
            if is_wall {
                builder.add_wall(Tile { x, y }).unwrap();
            }
        }
    }
    (builder.build().unwrap(), Tile { x: 1, y: 1 })
}

fn paths(criterion: &mut Criterion) {
    let (world, inside) = match common::smallville_walls() {
        Some(world) => (world, common::IN_TOWN),
        None => made_up(),
    };
    let all = world.place(world.root()).tiles.iter().copied();
    let free: Vec<Tile> = all
        .filter(|&tile| world.walkable(tile) && world.path(inside, &[tile]).is_some())
        .collect();
    let mut draws = Draws(1);
    let mut tile = || free[draws.below(free.len())];
    let pairs: Vec<(Tile, Tile)> = (0..PAIRS).map(|_| (tile(), tile())).collect();
    let steps: usize = pairs
        .iter()
        .map(|&(from, to)| world.path(from, &[to]).map_or(0, |path| path.len()))
        .sum();
    let mut group = criterion.benchmark_group(format!(
        "{PAIRS} paths over {} tiles, {} steps each",
        free.len(),
        steps / PAIRS
    ));
    group.throughput(criterion::Throughput::Elements(PAIRS as u64));
    group.bench_function("path", |bencher| {
        bencher.iter(|| {
            for &(from, to) in &pairs {
                black_box(world.path(black_box(from), &[to]));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, paths);
criterion_main!(benches);
