//! The same town and seed give the same run: with any number of workers, resumed, forked.

mod common;

use std::ops::ControlFlow;
use std::sync::Arc;

use common::{digest, digest_of, row, setting};
use townsfolk_embed::HashedWords;
use townsfolk_engine::{Options, Run, RunError};
use townsfolk_memory::{Embedder, Embedding};
use townsfolk_store::{RunReader, RunState};

/// Half a day, at ten seconds a tick.
const HALF_DAY: u64 = 4_320;

fn embedder() -> Arc<dyn Embedder> {
    Arc::new(HashedWords)
}

#[test]
fn workers_do_not_change_a_run_and_the_seed_does() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |name: &str, seed, workers| digest_of(&folder.path().join(name), row(), seed, workers, HALF_DAY);
    let one = run("one.run", 7, 1);
    assert_eq!(one, run("again.run", 7, 1));
    assert_eq!(one, run("four.run", 7, 4));
    assert_ne!(one, run("other.run", 8, 1));
}

#[test]
fn a_run_left_after_any_tick_and_resumed_is_the_uninterrupted_run() {
    let folder = tempfile::tempdir().unwrap();
    let whole = digest_of(&folder.path().join("whole.run"), row(), 7, 1, HALF_DAY);
    let path = folder.path().join("left.run");
    let mut ticks = 0;
    let mut run = Run::create(&path, setting(row(), 7), Options::default(), "test").unwrap();
    for stop in [1, 137, 361, 1_000, 2_500, HALF_DAY] {
        let left = run.run_until(HALF_DAY, |progress| {
            ticks += 1;
            if progress.engine.tick() >= stop {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        left.unwrap();
        drop(run);
        run = Run::resume(&path, embedder(), Options { workers: 2 }).unwrap();
    }
    run.run_until(HALF_DAY, |_| ControlFlow::Continue(())).unwrap();
    run.finish(RunState::Finished).unwrap();
    assert!(ticks > 300, "the town did something in between");
    assert_eq!(digest(&path), whole);
}

#[test]
fn a_fork_shares_the_past_and_leaves_the_parent_alone() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let whole = digest_of(&parent, row(), 7, 1, HALF_DAY);
    let bytes = std::fs::read(&parent).unwrap();
    for tick in [0, 100, 359, 360, 361, 2_000, HALF_DAY - 1] {
        let child = folder.path().join(format!("child-{tick}.run"));
        let mut run = Run::fork(&parent, &child, tick, embedder(), Options::default()).unwrap();
        assert_eq!(run.engine().tick(), tick + 1);
        assert_eq!(
            run.file().digest().unwrap(),
            RunReader::open(&parent).unwrap().digest_at(tick as u32).unwrap(),
            "a fork at {tick} is the parent up to there"
        );
        run.run_until(HALF_DAY, |_| ControlFlow::Continue(())).unwrap();
        run.finish(RunState::Finished).unwrap();
        assert_eq!(
            digest(&child),
            whole,
            "left alone, a fork at {tick} goes the parent's way"
        );
    }
    assert_eq!(std::fs::read(&parent).unwrap(), bytes);
}

#[test]
fn vectors_of_another_embedder_are_refused() {
    struct Other;
    impl Embedder for Other {
        fn name(&self) -> &str {
            "other@1"
        }
        fn dimensions(&self) -> usize {
            HashedWords.dimensions()
        }
        fn embed(&self, text: &str) -> Embedding {
            HashedWords.embed(text)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    digest_of(&path, row(), 7, 1, 100);
    let error = Run::resume(&path, Arc::new(Other), Options::default())
        .err()
        .expect("refused");
    assert!(matches!(error, RunError::Embedder { .. }), "{error}");
    assert!(error.to_string().contains("other@1"), "{error}");
}
