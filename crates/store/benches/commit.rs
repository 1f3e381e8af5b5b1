//! What the run file costs: ten thousand small ticks, and reading a big run back.

use std::cell::LazyCell;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use townsfolk_store::*;

const RESIDENTS: u32 = 25;

fn new_run() -> NewRun {
    NewRun {
        town: "bench".into(),
        start: 0,
        seconds_per_tick: 10,
        seed: 1,
        mind: "routine".into(),
        models: None,
        prompts: None,
        embedder: "none".into(),
        embedding_dimensions: 256,
        townsfolk_version: "0".into(),
        parts: vec![],
        residents: (0..RESIDENTS)
            .map(|id| ResidentRow {
                id,
                name: format!("resident {id}"),
                identity: "{}".into(),
                came: 0,
                role: None,
                left: None,
            })
            .collect(),
        places: vec![PlaceRow {
            id: 0,
            parent: None,
            kind: PlaceKind::World,
            name: "bench".into(),
            address: "bench".into(),
        }],
    }
}

/// Ten rows: six steps, two actions, two memories (one of them with a text seen before).
fn ten_rows(tick: Tick) -> TickRows {
    let mut rows = TickRows::new(tick);
    rows.moves = (0..6)
        .map(|n| MoveRow {
            resident: (tick * 6 + n) % RESIDENTS,
            x: tick as u16 % 140,
            y: n as u16,
        })
        .collect();
    rows.actions = (0..2)
        .map(|n| ActionRow {
            resident: (tick * 2 + n) % RESIDENTS,
            activity: "sorting the seed packets by month".into(),
            place: Some(0),
            emoji: "🌱".into(),
            subject: "resident".into(),
            predicate: "is".into(),
            object: "sorting".into(),
            status: ActionStatus::Doing,
            ends: Some(i64::from(tick)),
        })
        .collect();
    rows.memories = (0..2)
        .map(|n| {
            let count = tick * 2 + n;
            let seen = if n == 0 { count } else { count % 100 };
            MemoryRow {
                resident: count % RESIDENTS,
                id: count / RESIDENTS,
                created: i64::from(tick) * 10,
                kind: MemoryKind::Observation,
                depth: 0,
                text: format!("resident {} is sorting seed packets for month {seen}", n),
                vector: vec![seen as u8; 256],
                subject: "resident".into(),
                predicate: "is".into(),
                object: "sorting".into(),
                importance: 3,
                expires: None,
                keywords: vec!["resident".into(), "sorting".into()],
                evidence: vec![],
                hearsay: None,
                conversation: None,
                place: Some(0),
            }
        })
        .collect();
    rows
}

fn write(path: &Path, ticks: Tick) -> RunWriter {
    let mut writer = RunWriter::create(path, &new_run()).expect("a fresh file");
    for tick in 0..ticks {
        writer.commit(&ten_rows(tick)).expect("room on the disk");
    }
    writer
}

fn commits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("run file");
    group.sample_size(10);
    group.bench_function("10,000 commits of 10 rows", |bench| {
        bench.iter_with_large_drop(|| {
            let folder = tempfile::tempdir().expect("a folder");
            (write(&folder.path().join("a.run"), 10_000), folder)
        });
    });
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run");
    // Written only when one of these is chosen.
    let reader = LazyCell::new(|| {
        write(&path, 50_000)
            .finish(RunState::Finished)
            .expect("room on the disk");
        RunReader::open(&path).expect("a run")
    });
    let mut group = criterion.benchmark_group("50,000 ticks, 100,000 memories");
    group.sample_size(10);
    group.bench_function("positions at a tick", |bench| {
        bench.iter(|| black_box(reader.positions(black_box(25_000)).expect("a tick")));
    });
    group.bench_function("moves of 100 ticks", |bench| {
        bench.iter(|| black_box(reader.moves(black_box(25_000..=25_099)).expect("ticks")));
    });
    group.bench_function("4,000 memories of one resident", |bench| {
        bench.iter(|| {
            reader
                .memories(black_box(3), &MemoryFilter::default())
                .expect("memories")
        });
    });
    group.bench_function("open", |bench| {
        bench.iter(|| RunReader::open(reader.path()).expect("a run"));
    });
    group.bench_function("check", |bench| bench.iter(|| reader.check().expect("whole")));
    group.bench_function("digest", |bench| bench.iter(|| reader.digest().expect("whole")));
    group.finish();
}

criterion_group!(benches, commits, reading);
criterion_main!(benches);
