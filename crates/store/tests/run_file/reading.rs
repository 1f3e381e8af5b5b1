//! Reading at any tick, by many, from anywhere.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

#[test]
fn the_past_reads_as_it_was() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut writer = RunWriter::create(&path, &sample::new_run()).unwrap();
    let reader = RunReader::open(&path).unwrap();
    let look = |tick: Tick| {
        let plans: Vec<_> = (0..4)
            .flat_map(|resident| reader.plans(resident, tick).unwrap())
            .collect();
        let latest = reader.plan(2, &sample::date(tick / 50), tick).unwrap();
        let memories: Vec<_> = (0..4)
            .flat_map(|resident| {
                let filter = MemoryFilter {
                    until: Some(tick),
                    ..Default::default()
                };
                reader.memories(resident, &filter).unwrap()
            })
            .collect();
        let motion = (
            reader.identities(tick).unwrap(),
            reader.positions(tick).unwrap(),
            reader.actions(tick).unwrap(),
            reader.object_states(tick).unwrap(),
        );
        let talk = (
            reader.conversations(tick).unwrap(),
            reader.appointments(1, tick).unwrap(),
        );
        (motion, memories, plans, latest, talk)
    };
    let mut seen = BTreeMap::new();
    for tick in 0..=80 {
        writer.commit(&sample::tick_rows(tick)).unwrap();
        seen.insert(tick, look(tick));
    }
    for (tick, then) in seen {
        assert_eq!(look(tick), then, "tick {tick}");
    }
}

#[test]
fn the_latest_of_each_is_found() {
    let folder = tempdir().unwrap();
    let run = sample::written(&folder.path().join("a.run"), 64);
    let run = run.read();
    let came: Vec<_> = run
        .positions(64)
        .unwrap()
        .iter()
        .map(|at| (at.row.resident, at.tick))
        .collect();
    assert_eq!(came, [(0, 64), (1, 61), (2, 62), (3, 63)]);
    assert_eq!(run.positions(1).unwrap().len(), 2, "two have entered by tick 1");
    assert_eq!(run.object_states(64).unwrap()[0].row.state, "state 63");

    let plan = |tick| run.plan(0, &sample::date(1), tick).unwrap().unwrap();
    assert_eq!((plan(59).row.revision, plan(59).row.entries.len()), (0, 5));
    assert_eq!(plan(52).row.entries.len(), 4, "the task was added at tick 56");
    assert_eq!((plan(60).row.revision, plan(60).row.entries.len()), (1, 4));
    assert_eq!(run.plan(0, "1999-01-01", 64).unwrap(), None);

    let talks = run.conversations(59).unwrap();
    assert_eq!(talks.len(), 9);
    assert_eq!((talks[8].lines.len(), talks[8].ended.is_some()), (3, false));
    assert!(run.conversations(60).unwrap()[8].ended.is_some());

    let status = |tick| {
        run.appointments(1, tick)
            .unwrap()
            .last()
            .unwrap()
            .row
            .status
            .clone()
    };
    assert_eq!((status(54).as_str(), status(59).as_str()), ("heard", "accepted"));
    assert_eq!(run.appointments_between(50..=59).unwrap().len(), 2);
}

#[test]
fn memories_are_filtered_by_kind_text_and_age() {
    let folder = tempdir().unwrap();
    let writer = sample::written(&folder.path().join("a.run"), 99);
    let read = |filter: MemoryFilter| -> Vec<MemoryId> {
        writer
            .read()
            .memories(3, &filter)
            .unwrap()
            .iter()
            .map(|memory| memory.row.id)
            .collect()
    };
    assert_eq!(read(MemoryFilter::default()), (0..25).collect::<Vec<_>>());
    let reflections = MemoryFilter {
        kinds: vec![MemoryKind::Reflection],
        ..Default::default()
    };
    assert_eq!(read(reflections.clone()), [4, 8, 12, 16, 20, 24]);
    assert_eq!(
        read(MemoryFilter {
            newest: Some(2),
            ..reflections
        }),
        [20, 24]
    );
    let text = MemoryFilter {
        containing: Some("NUMBER 3".into()),
        ..Default::default()
    };
    assert_eq!(read(text), [3, 23]);
    let between = MemoryFilter {
        after: Some(11),
        until: Some(19),
        ..Default::default()
    };
    assert_eq!(read(between), [3, 4]);
    let memory = &writer.read().memories(3, &MemoryFilter::default()).unwrap()[8];
    assert_eq!(memory.row.evidence, [7, 5], "evidence keeps its order");
    assert_eq!(writer.read().resting_on(3, 7).unwrap(), [8]);
}

#[test]
fn costs_and_fallbacks_are_counted() {
    let folder = tempdir().unwrap();
    let mut writer = sample::written(&folder.path().join("a.run"), 99);
    writer.record_call(&sample::call(101, "early")).unwrap();
    let counts = writer.read().task_counts(99).unwrap();
    assert_eq!(counts.iter().map(|count| count.tasks).sum::<u64>(), 100);
    let calls = writer.read().call_counts(99, 50).unwrap();
    let tokens = |stretch| -> u64 {
        calls
            .iter()
            .filter(|count| count.stretch == stretch)
            .map(|count| count.tokens_in)
            .sum()
    };
    assert_eq!(
        (tokens(0), tokens(1), tokens(2)),
        (25 * 480, 25 * 480, 0),
        "only what a tick rests on"
    );
    let spent = Spent {
        model: "a model".to_owned(),
        calls: 51,
        tokens_in: 51 * 480,
        tokens_cached: 0,
        tokens_out: 51 * 3,
    };
    assert_eq!(
        writer.read().spent().unwrap(),
        [spent],
        "the early one was paid for all the same"
    );
    assert_eq!(counts.iter().map(|count| count.fallbacks).sum::<u64>(), 12);
    let filter = TaskFilter {
        from: Some(20),
        until: Some(40),
        resident: Some(1),
        kind: None,
    };
    let ticks: Vec<_> = writer
        .read()
        .tasks(&filter)
        .unwrap()
        .iter()
        .map(|task| task.tick)
        .collect();
    assert_eq!(ticks, [21, 25, 29, 33, 37]);
    let other = TaskFilter {
        kind: Some("no such".into()),
        ..TaskFilter::default()
    };
    assert!(writer.read().tasks(&other).unwrap().is_empty());
    assert_eq!(writer.read().notices(6..=20).unwrap().len(), 2);
}

#[test]
fn a_tick_past_the_end_is_a_clear_message() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let writer = sample::written(&path, 40);
    let message = writer.read().positions(41).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "{}: tick 41 is past the end; the run reaches tick 40",
            path.display()
        )
    );
    let empty = RunWriter::create(folder.path().join("b.run"), &sample::new_run()).unwrap();
    assert!(
        empty
            .read()
            .actions(0)
            .unwrap_err()
            .to_string()
            .ends_with("the run reaches none")
    );
}

#[test]
fn readers_come_and_go_while_the_run_goes_on() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut writer = sample::written(&path, 0);
    let done = AtomicBool::new(false);
    let looks = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let mut looks = 0;
                    let mut last = 0;
                    while !done.load(Ordering::Acquire) {
                        let reader = RunReader::open(&path).unwrap();
                        for _ in 0..5 {
                            let (head, memories) = reader
                                .snapshot(|run| {
                                    let all = MemoryFilter::default();
                                    let mut memories = 0;
                                    for resident in 0..4 {
                                        memories += run.memories(resident, &all)?.len();
                                    }
                                    Ok((run.head()?.unwrap(), memories))
                                })
                                .unwrap();
                            assert_eq!(memories as u32, head + 1, "half a tick was seen");
                            assert!(head >= last, "the run went backwards");
                            last = head;
                            looks += 1;
                        }
                    }
                    looks
                })
            })
            .collect();
        sample::continue_to(&mut writer, 600);
        done.store(true, Ordering::Release);
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .sum::<u32>()
    });
    assert!(looks > 0);
    assert_eq!(writer.head(), Some(600));
}

#[test]
fn one_reader_sees_a_run_through_pause_and_resumption() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let writer = sample::written(&path, 10);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.head().unwrap(), Some(10));
    writer.finish(RunState::Paused).unwrap();
    assert_eq!(reader.info().unwrap().state, RunState::Paused);
    let mut writer = RunWriter::open(&path).unwrap();
    sample::continue_to(&mut writer, 20);
    assert_eq!(reader.head().unwrap(), Some(20), "the reader is left behind");
    writer.finish(RunState::Finished).unwrap();
    assert_eq!(reader.info().unwrap().state, RunState::Finished);
    let copy = folder.path().join("copy.run");
    std::fs::copy(&path, &copy).unwrap();
    assert_eq!(
        RunReader::open(&copy).unwrap().digest().unwrap(),
        reader.digest().unwrap()
    );
}
