//! Forks share a past and leave it untouched.

use std::fs;

use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

#[test]
fn a_fork_that_does_the_same_is_the_same() {
    let folder = tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let writer = sample::written(&parent, 80);
    let (at_47, at_80) = (
        writer.read().digest_at(47).unwrap(),
        writer.read().digest().unwrap(),
    );
    let parent_id = writer.read().info().unwrap().run_id;
    writer.finish(RunState::Finished).unwrap();
    let bytes = fs::read(&parent).unwrap();

    let path = folder.path().join("forks/child 子.run");
    let mut child = fork(&parent, &path, 47).unwrap();
    assert_eq!(child.head(), Some(40), "the last checkpoint before the fork");
    assert_eq!(
        child.read().last_checkpoint().unwrap().unwrap().row,
        sample::state(40)
    );
    sample::continue_to(&mut child, 47);
    assert_eq!(child.read().digest().unwrap(), at_47);
    sample::continue_to(&mut child, 80);
    assert_eq!(child.read().digest().unwrap(), at_80);
    let info = child.read().info().unwrap();
    assert_eq!(
        info.parent,
        Some(Parent {
            run_id: parent_id.clone(),
            tick: 47
        })
    );
    assert_ne!(info.run_id, parent_id);
    child.finish(RunState::Finished).unwrap();

    assert_eq!(fs::read(&parent).unwrap(), bytes, "the parent was changed");
    assert_eq!(fs::read_dir(folder.path().join("forks")).unwrap().count(), 1);

    let grandchild = fork(&path, folder.path().join("grandchild.run"), 60).unwrap();
    assert_eq!(
        grandchild.read().info().unwrap().parent.unwrap().run_id,
        info.run_id
    );
}

#[test]
fn a_running_parent_runs_on() {
    let folder = tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let mut writer = sample::written(&parent, 55);
    let mut child = fork(&parent, folder.path().join("child.run"), 55).unwrap();
    let mut rows = sample::tick_rows(51);
    rows.actions[0].activity = "a different life".to_owned();
    sample::commit(&mut child, rows);
    sample::continue_to(&mut writer, 70);

    let straight = sample::written(&folder.path().join("straight.run"), 70);
    assert_eq!(writer.read().digest().unwrap(), straight.read().digest().unwrap());
    assert_eq!(
        child.read().digest_at(50).unwrap(),
        writer.read().digest_at(50).unwrap()
    );
    assert_ne!(
        child.read().digest_at(51).unwrap(),
        writer.read().digest_at(51).unwrap()
    );
}

#[test]
fn inputs_up_to_the_fork_come_along_and_later_ones_stay() {
    let folder = tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let mut writer = sample::written(&parent, 20);
    let input = |tick| At {
        tick,
        row: InputRow {
            kind: "whisper".into(),
            json: format!("{tick}"),
        },
    };
    writer
        .record(&Kept {
            inputs: vec![input(24), input(26), input(28)],
            ..Kept::default()
        })
        .unwrap();
    sample::continue_to(&mut writer, 30);
    let child = fork(&parent, folder.path().join("child.run"), 26).unwrap();
    assert_eq!(
        child.read().inputs(0..=Tick::MAX).unwrap(),
        [input(24), input(26)]
    );
    for tick in [21, 23, 25, 27, 29] {
        let bought = child
            .read()
            .call(&sample::call(tick, sample::REPLY).key)
            .unwrap()
            .unwrap();
        assert_eq!(bought.row.paid_by, Payer::AnotherRun);
    }
    assert_eq!(
        child.read().spent().unwrap(),
        [],
        "a fork has paid for nothing yet"
    );
    assert_eq!(writer.read().spent().unwrap()[0].calls, 15);
}

#[test]
fn a_fork_that_cannot_be_made_leaves_nothing() {
    let folder = tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let writer = sample::written(&parent, 30);
    let child = folder.path().join("child.run");
    let refused = |tick| {
        let message = fork(&parent, &child, tick).unwrap_err().to_string();
        assert!(!child.exists());
        message.replace(&parent.display().to_string(), "parent.run")
    };
    assert_eq!(
        refused(31),
        "parent.run: tick 31 is past the end; the run reaches tick 30"
    );
    drop(writer);
    let early = folder.path().join("early.run");
    let mut writer = RunWriter::create(&early, &sample::new_run()).unwrap();
    writer.commit(&sample::tick_rows(0)).unwrap();
    assert_eq!(
        fork(&early, &child, 0).unwrap_err().to_string(),
        format!(
            "{}: has no checkpoint at or before tick 0; start the run anew",
            early.display()
        )
    );
    drop(writer);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert!(matches!(
        fork(&parent, &parent, 30),
        Err(StoreError::Exists { .. })
    ));
}

#[test]
fn vectors_come_along_and_the_calls_that_made_them_only_up_to_the_fork() {
    let folder = tempdir().unwrap();
    let parent = folder.path().join("parent.run");
    let mut writer = sample::written(&parent, 20);
    let bought = |tick: Tick| {
        let mut call = sample::call(tick, "1 of 8 numbers");
        call.kind = EMBEDDING.to_owned();
        call.key.seq = u32::MAX;
        call
    };
    let vector = |text: &str| TextRow {
        text: text.to_owned(),
        vector: vec![7; 8],
    };
    writer.record_vectors(&bought(21), &[vector("a kite")]).unwrap();
    // Asked twice at the same time, it is paid for twice.
    writer.record_vectors(&bought(21), &[vector("a kite")]).unwrap();
    sample::continue_to(&mut writer, 40);
    writer.record_vectors(&bought(41), &[vector("a jar")]).unwrap();
    sample::continue_to(&mut writer, 80);
    let embedding = |run: &RunReader, tick: Tick| {
        let counts = run.call_counts(tick, Tick::MAX).unwrap();
        let of = counts.iter().filter(|count| count.kind == EMBEDDING);
        of.map(|count| count.calls).sum::<u64>()
    };
    assert_eq!(
        (
            embedding(writer.read(), 20),
            embedding(writer.read(), 40),
            embedding(writer.read(), 80)
        ),
        (0, 2, 3)
    );

    let mut child = fork(&parent, folder.path().join("child.run"), 40).unwrap();
    sample::continue_to(&mut child, 80);
    assert_eq!(embedding(child.read(), 80), 2);
    assert_eq!(child.read().vector("a jar").unwrap(), Some(vec![7; 8]));
    assert_eq!(child.read().digest().unwrap(), writer.read().digest().unwrap());
}
