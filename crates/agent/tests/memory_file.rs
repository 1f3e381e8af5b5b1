//! The memory alone: durable, all or nothing, and on nobody's clock but its own.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use townsfolk_agent::{
    AgentError, Clock, DurableMemory, Embedder, Embedding, GameTime, ManualClock, MemoryId, Observation,
    Retrieval, Rounds, WallClock,
};
use townsfolk_embed::HashedWords;
use townsfolk_memory::{Hearsay, MemoryError, MemoryKind, NewMemory, Triple};

fn morning() -> GameTime {
    "2024-06-03 08:00".parse().unwrap()
}

const FIVE: [&str; 5] = [
    "The ferry leaves at nine",
    "林 秋 keeps bees",
    "Zoë O'Neill-Ångström paints the sea",
    "The bridge is being repaired",
    "Tomas sorts seeds",
];

/// Five memories of importance 1, 3, 5, 7 and 9.
fn five_rated() -> impl Iterator<Item = Observation> {
    FIVE.iter()
        .zip([1, 3, 5, 7, 9])
        .map(|(text, importance)| Observation {
            importance: Some(importance),
            ..(*text).into()
        })
}

fn ratings(memory: &DurableMemory) -> Vec<u8> {
    memory.stream().iter().map(|memory| memory.importance).collect()
}

#[test]
fn five_memories_come_back_after_reopening_with_their_access_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("five.run");
    let clock = ManualClock::new(morning());
    let mut memory =
        DurableMemory::create(&path, Arc::new(HashedWords), clock.clone(), Retrieval::paper()).unwrap();
    memory.add(five_rated()).unwrap();
    clock.advance_minutes(30);
    memory.retrieve("bees", 2).unwrap();
    let accesses: Vec<_> = memory.stream().accesses().collect();
    assert_eq!(accesses.iter().filter(|a| a.access_count == 1).count(), 2);
    // Dropped without closing, as a kill would leave it.
    drop(memory);
    let mut memory =
        DurableMemory::open(&path, Arc::new(HashedWords), clock.clone(), Retrieval::paper()).unwrap();
    assert_eq!(memory.stream().accesses().collect::<Vec<_>>(), accesses);
    assert_eq!(ratings(&memory), [1, 3, 5, 7, 9]);
    assert_eq!(memory.retrieve("anything", 10).unwrap().len(), 5);
    memory.close().unwrap();
}

/// Where the other process is told which file to fill.
const FILLED: &str = "TOWNSFOLK_TEST_FILLED";

#[test]
#[ignore = "the other process of the test below"]
fn the_other_process() {
    let path = std::env::var_os(FILLED).expect("it is told which file");
    let clock = ManualClock::new(morning());
    let mut memory =
        DurableMemory::create(path, Arc::new(HashedWords), clock.clone(), Retrieval::paper()).unwrap();
    memory.add(five_rated()).unwrap();
    clock.advance_minutes(30);
    memory.retrieve("bees", 2).unwrap();
    // It ends without closing the file.
    std::process::exit(0);
}

#[test]
fn a_file_filled_by_another_process_is_as_good_as_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("filled.run");
    let other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_other_process", "--ignored"])
        .env(FILLED, &path)
        .output()
        .unwrap();
    assert!(other.status.success(), "{other:?}");
    let later = ManualClock::new(morning());
    later.advance_minutes(60);
    let mut memory =
        DurableMemory::open(&path, Arc::new(HashedWords), later, Retrieval::langchain()).unwrap();
    let accessed = memory
        .stream()
        .accesses()
        .filter(|access| access.access_count == 1);
    let times: Vec<_> = accessed.map(|access| access.last_accessed).collect();
    assert_eq!(times, ["2024-06-03 08:30".parse::<GameTime>().unwrap(); 2]);
    assert_eq!(ratings(&memory), [1, 3, 5, 7, 9]);
    assert_eq!(memory.retrieve("ferry", 10).unwrap().len(), 5);
}

#[test]
fn many_retrievals_keep_the_last_accesses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.run");
    let clock = ManualClock::new(morning());
    let embedder = Arc::new(HashedWords);
    let mut memory =
        DurableMemory::create(&path, embedder.clone(), clock.clone(), Retrieval::paper()).unwrap();
    memory.add(FIVE).unwrap();
    // More than enough for checkpoints to become full in between.
    for round in 0..300 {
        clock.advance_seconds(7);
        memory.retrieve(FIVE[round % 5], 5).unwrap();
    }
    let accesses: Vec<_> = memory.stream().accesses().collect();
    assert!(accesses.iter().all(|access| access.access_count == 300));
    drop(memory);
    let memory = DurableMemory::open(&path, embedder, clock, Retrieval::paper()).unwrap();
    assert_eq!(memory.stream().accesses().collect::<Vec<_>>(), accesses);
}

#[test]
fn what_is_added_together_is_added_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.run");
    let clock = ManualClock::new(morning());
    let mut memory =
        DurableMemory::create(&path, Arc::new(HashedWords), clock.clone(), Retrieval::paper()).unwrap();
    let five = |third: u8| {
        FIVE.iter().enumerate().map(move |(at, text)| Observation {
            importance: Some(if at == 2 { third } else { 3 }),
            ..(*text).into()
        })
    };
    let refused = memory.add(five(11)).unwrap_err();
    assert!(matches!(
        refused,
        AgentError::Memory(MemoryError::Importance { found: 11, .. })
    ));
    assert_eq!(memory.stream().len(), 0);
    let ids = memory.add(five(7)).unwrap();
    let contiguous: Vec<_> = (0..5).map(MemoryId::from_index).collect();
    assert_eq!(ids, contiguous);
    drop(memory);
    let memory = DurableMemory::open(&path, Arc::new(HashedWords), clock, Retrieval::paper()).unwrap();
    let texts: Vec<_> = memory.stream().iter().map(|m| m.text.to_string()).collect();
    assert_eq!(texts, FIVE, "five, no ghosts, no duplicates");
}

/// An embedder that gives vectors of the wrong length while it is broken.
#[derive(Default)]
struct Moody {
    broken: AtomicBool,
}

impl Embedder for Moody {
    fn name(&self) -> &str {
        HashedWords.name()
    }

    fn dimensions(&self) -> usize {
        HashedWords.dimensions()
    }

    fn embed(&self, text: &str) -> Embedding {
        if self.broken.load(Ordering::Relaxed) && text.contains("sea") {
            return Embedding::from_codes(&[1, 2, 3]);
        }
        HashedWords.embed(text)
    }
}

#[test]
fn an_embedder_that_fails_on_the_third_of_five_leaves_no_ghost() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(morning());
    let embedder = Arc::new(Moody::default());
    let path = folder.path().join("moody.run");
    let mut memory = DurableMemory::create(&path, embedder.clone(), clock, Retrieval::paper()).unwrap();
    embedder.broken.store(true, Ordering::Relaxed);
    assert!(memory.add(FIVE).is_err());
    assert_eq!(memory.stream().len(), 0);
    embedder.broken.store(false, Ordering::Relaxed);
    assert_eq!(memory.add(FIVE).unwrap().len(), 5);
    assert_eq!(
        memory.retrieve("the sea", 1).unwrap()[0].id,
        MemoryId::from_index(2)
    );
}

#[test]
fn another_embedder_and_another_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.run");
    let clock = ManualClock::new(morning());
    let memory =
        DurableMemory::create(&path, Arc::new(HashedWords), clock.clone(), Retrieval::paper()).unwrap();
    drop(memory);
    let other = townsfolk_embed::BuiltIn::get();
    let refused = DurableMemory::open(&path, Arc::new(other), clock.clone(), Retrieval::paper());
    assert!(matches!(
        refused.err(),
        Some(AgentError::Memory(MemoryError::Embedder { .. }))
    ));
    let taken = DurableMemory::create(&path, Arc::new(HashedWords), clock, Retrieval::paper());
    assert!(taken.err().unwrap().to_string().contains("mine.run"));
}

#[test]
fn evidence_may_be_added_with_what_rests_on_it_and_hearsay_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evidence.run");
    let clock = ManualClock::new(morning());
    let embedder = Arc::new(HashedWords);
    let mut memory =
        DurableMemory::create(&path, embedder.clone(), clock.clone(), Retrieval::paper()).unwrap();
    let mut told = NewMemory::observation(
        morning(),
        Triple::new("the ferry", "leave", "nine"),
        "The ferry leaves at nine",
        6,
    );
    told.hearsay = Some(Hearsay {
        teller: "林 秋".into(),
        memory: MemoryId::from_index(12),
    });
    let mut conclusion = NewMemory::observation(
        morning(),
        Triple::new("I", "must", "hurry"),
        "I must hurry in the mornings",
        4,
    );
    conclusion.kind = MemoryKind::Reflection;
    conclusion.evidence = vec![MemoryId::from_index(0)];
    memory.add_new(vec![told.clone(), conclusion]).unwrap();
    drop(memory);
    let memory = DurableMemory::open(&path, embedder, clock, Retrieval::paper()).unwrap();
    let [first, second] = [0, 1].map(|id| memory.stream().get(MemoryId::from_index(id)).unwrap());
    assert_eq!(first.hearsay, told.hearsay);
    assert_eq!(
        (second.depth, &second.evidence[..]),
        (1, &[MemoryId::from_index(0)][..])
    );
}

/// Which of three memories, made one turn after another, comes first after `turns` more; and its recency.
fn newest_after(clock: impl Clock + Clone + 'static, next: impl Fn(), retrieval: Retrieval) -> (usize, f64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turns.run");
    let mut memory = DurableMemory::create(&path, Arc::new(HashedWords), clock, retrieval).unwrap();
    for _ in 0..3 {
        memory.add(["The gong sounds"]).unwrap();
        next();
    }
    let first = memory.retrieve("The gong sounds", 1).unwrap().remove(0);
    (first.id.index(), first.recency_part)
}

#[test]
fn recency_goes_by_the_clock_of_the_game() {
    let plain = |decay| Retrieval {
        decay,
        ..Retrieval::langchain()
    };
    for (seconds_per_turn, hours) in [(3_600, 1.0), (86_400, 24.0)] {
        let clock = Rounds::new(morning(), seconds_per_turn);
        let turn = clock.clone();
        let (newest, recency) = newest_after(clock, move || turn.next(), plain(0.99));
        assert_eq!(newest, 2, "what was accessed last comes first");
        assert!((recency - 0.99f64.powf(hours)).abs() < 1e-9, "{recency}");
    }
    // A decay of 1 fades nothing, one of 0 everything but the present.
    let clock = Rounds::new(morning(), 3_600);
    let turn = clock.clone();
    assert_eq!(newest_after(clock, move || turn.next(), plain(1.0)).1, 1.0);
    let clock = Rounds::new(morning(), 3_600);
    let turn = clock.clone();
    assert_eq!(newest_after(clock, move || turn.next(), plain(0.0)).1, 0.0);
    // A clock that stands still, as in a paused game, ages nothing, however long it takes.
    let paused = ManualClock::new(morning());
    assert_eq!(newest_after(paused, || (), plain(0.99)).1, 1.0);
    let (newest, recency) = newest_after(WallClock, || (), plain(0.99));
    assert_eq!(newest, 2);
    assert!(recency > 0.999, "three calls take no hour: {recency}");
}

#[test]
fn relevance_is_likeness_and_not_distance() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("likeness.run");
    let clock = ManualClock::new(morning());
    let mut memory =
        DurableMemory::create(&path, Arc::new(HashedWords), clock, Retrieval::langchain()).unwrap();
    memory.add(FIVE).unwrap();
    let found = memory.retrieve(FIVE[3], 5).unwrap();
    assert_eq!(&*found[0].text, FIVE[3]);
    assert!(
        (found[0].relevance_part - 1.0).abs() < 1e-6,
        "the same words are as like as can be"
    );
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
}
