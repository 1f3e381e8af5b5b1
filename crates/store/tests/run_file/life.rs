//! From creation to the end, and on again.

use std::fs;

use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

fn names_in(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_finished_run_is_one_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("made on demand/häuser 'n' #1?.run");
    let writer = sample::written(&path, 25);
    let while_running = writer.read().digest().unwrap();
    writer.finish(RunState::Finished).unwrap();

    assert_eq!(names_in(path.parent().unwrap()), ["häuser 'n' #1?.run"]);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.digest().unwrap(), while_running);
    let info = reader.info().unwrap();
    assert_eq!(info.state, RunState::Finished);
    assert_eq!(info.head, Some(25));
    assert_eq!(
        (info.town.as_str(), info.seed, info.start),
        ("Häuser am See", u64::MAX, 1_676_268_900)
    );
    assert_eq!(info.embedding_dimensions, 8);
    assert_eq!(info.parent, None);
}

#[test]
fn a_run_knows_itself_by_what_it_started_with() {
    let folder = tempdir().unwrap();
    let id_of = |name: &str, run: &NewRun| {
        let writer = RunWriter::create(folder.path().join(name), run).unwrap();
        writer.read().info().unwrap().run_id
    };
    let run = sample::new_run();
    let other = NewRun {
        seed: 7,
        ..run.clone()
    };
    assert_eq!(id_of("a.run", &run), id_of("b.run", &run));
    assert_ne!(id_of("c.run", &other), id_of("d.run", &run));
}

#[test]
fn going_on_after_a_pause_is_the_same_as_never_pausing() {
    let folder = tempdir().unwrap();
    let straight = sample::written(&folder.path().join("straight.run"), 60);
    let path = folder.path().join("paused.run");
    for last in [13, 20, 37, 60] {
        let mut writer = match last {
            13 => sample::written(&path, last),
            _ => RunWriter::open(&path).unwrap(),
        };
        assert_eq!(writer.read().info().unwrap().state, RunState::Running);
        sample::continue_to(&mut writer, last);
        writer.finish(RunState::Paused).unwrap();
    }
    let paused = RunReader::open(&path).unwrap();
    assert_eq!(paused.digest().unwrap(), straight.read().digest().unwrap());
}

#[test]
fn truncating_and_writing_again_changes_nothing() {
    let folder = tempdir().unwrap();
    let mut writer = sample::written(&folder.path().join("a.run"), 64);
    let whole = writer.read().digest().unwrap();
    let at_40 = writer.read().digest_at(40).unwrap();
    for back_to in [40, 63, 0, 17] {
        let before = writer.read().digest_at(back_to).unwrap();
        writer.truncate_after(back_to).unwrap();
        assert_eq!(writer.head(), Some(back_to));
        assert_eq!(writer.read().digest().unwrap(), before, "truncated to {back_to}");
        sample::continue_to(&mut writer, 64);
        assert_eq!(
            writer.read().digest().unwrap(),
            whole,
            "written again from {back_to}"
        );
    }
    assert_eq!(writer.read().digest_at(40).unwrap(), at_40);
    assert_eq!(
        writer.read().checkpoint_ticks().unwrap(),
        [0, 10, 20, 30, 40, 50, 60]
    );
    writer.read().check().unwrap();
}

#[test]
fn the_digest_sees_any_change_but_not_the_wall_clock() {
    let folder = tempdir().unwrap();
    type Change = fn(&mut TickRows);
    let standard: Change = |rows| {
        rows.notices = vec![NoticeRow {
            resident: None,
            kind: "a".into(),
            detail: "b".into(),
        }];
        rows.identities = vec![IdentityRow {
            resident: 0,
            identity: "{}".into(),
        }];
    };
    let digest_of = |name: &str, change: Change| {
        let mut writer = sample::written(&folder.path().join(name), 20);
        let mut rows = sample::tick_rows(21);
        standard(&mut rows);
        change(&mut rows);
        sample::commit(&mut writer, rows);
        writer.read().digest().unwrap()
    };
    let plain = digest_of("plain.run", |_| {});
    let slow = {
        let mut writer = sample::written(&folder.path().join("slow.run"), 20);
        let mut call = sample::call(21, sample::REPLY);
        call.milliseconds = Some(999_999);
        writer.record_call(&call).unwrap();
        let mut rows = sample::tick_rows(21);
        standard(&mut rows);
        sample::commit(&mut writer, rows);
        writer.read().digest().unwrap()
    };
    assert_eq!(plain, slow);
    let changes: [(&str, Change); 9] = [
        ("identity", |rows| rows.identities[0].identity = "{ }".into()),
        ("move", |rows| rows.moves[0].x += 1),
        ("action", |rows| rows.actions[0].emoji.push('!')),
        ("object_state", |rows| rows.object_states[0].by = Some(3)),
        ("memory", |rows| rows.memories[0].importance = 10),
        ("conversation", |rows| rows.conversations[0].b = 2),
        ("task", |rows| rows.tasks[0].answer = "[6]".to_owned()),
        ("notice", |rows| rows.notices.clear()),
        ("text", |rows| rows.memories[0].text = "new".to_owned()),
    ];
    let mut seen = vec![plain];
    for (table, change) in changes {
        let digest = digest_of(&format!("{table}.run"), change);
        assert!(!seen.contains(&digest), "a change of {table} went unseen");
        seen.push(digest);
    }
    let mut writer = sample::written(&folder.path().join("call.run"), 20);
    writer.record_call(&sample::call(21, "otherwise")).unwrap();
    let mut rows = sample::tick_rows(21);
    standard(&mut rows);
    sample::commit(&mut writer, rows);
    assert!(
        !seen.contains(&writer.read().digest().unwrap()),
        "another reply went unseen"
    );
}

#[test]
fn the_tick_at_which_two_runs_part_can_be_found() {
    let folder = tempdir().unwrap();
    let one = sample::written(&folder.path().join("one.run"), 30);
    let mut other = sample::written(&folder.path().join("other.run"), 18);
    let mut rows = sample::tick_rows(19);
    rows.actions[0].activity = "something else".to_owned();
    sample::commit(&mut other, rows);
    sample::continue_to(&mut other, 30);

    let same_at = |tick| one.read().digest_at(tick).unwrap() == other.read().digest_at(tick).unwrap();
    assert_eq!((0..=30).find(|tick| !same_at(*tick)), Some(19));
    let tables = one.read().table_digests(30).unwrap();
    let parted: Vec<&str> = tables
        .iter()
        .zip(other.read().table_digests(30).unwrap())
        .filter(|(ours, theirs)| **ours != *theirs)
        .map(|((table, _), _)| *table)
        .collect();
    assert_eq!(parted, ["action"]);
}

#[test]
fn quiet_ticks_move_the_head() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut writer = RunWriter::create(&path, &sample::new_run()).unwrap();
    assert_eq!(writer.head(), None);
    writer.commit(&sample::tick_rows(0)).unwrap();
    writer.commit(&TickRows::new(500)).unwrap();
    writer.checkpoint(2_500, b"all asleep").unwrap();
    drop(writer);
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.head().unwrap(), Some(2_500));
    assert_eq!(reader.positions(2_499).unwrap().len(), 1);
    let checkpoint = reader.last_checkpoint().unwrap().unwrap();
    assert_eq!(
        (checkpoint.tick, checkpoint.row.as_slice()),
        (2_500, b"all asleep".as_slice())
    );
}

#[test]
fn what_was_given_or_bought_outlives_truncation() {
    let folder = tempdir().unwrap();
    let mut writer = sample::written(&folder.path().join("a.run"), 10);
    let kept = Kept {
        inputs: vec![At {
            tick: 12,
            row: InputRow {
                kind: "whisper".into(),
                json: "{\"to\":\"林 秋\"}".into(),
            },
        }],
        texts: vec![TextRow {
            text: "a dear vector".into(),
            vector: vec![1, 2, 3],
        }],
    };
    let before = writer.read().digest().unwrap();
    writer.record(&kept).unwrap();
    let [dear, dearer] = [(11, "dear reply"), (13, "dearer reply")].map(|(tick, reply)| {
        let call = sample::call(tick, reply);
        writer.record_call(&call).unwrap();
        call
    });
    assert_eq!(
        writer.read().digest().unwrap(),
        before,
        "what is ahead is not yet history"
    );
    let found = |writer: &RunWriter, call: &CallRow| writer.read().call(&call.key).unwrap();
    let ahead = found(&writer, &dear).unwrap();
    assert_eq!((&ahead.row, ahead.settled), (&dear, false));
    assert_eq!(found(&writer, &dearer).unwrap().row, dearer);

    let past = At {
        tick: 10,
        row: kept.inputs[0].row.clone(),
    };
    let refused = writer.record(&Kept {
        inputs: vec![past],
        ..Kept::default()
    });
    assert!(matches!(
        refused,
        Err(StoreError::OutOfOrder {
            tick: 10,
            head: 10,
            ..
        })
    ));

    sample::commit(&mut writer, sample::tick_rows(11));
    let settled = found(&writer, &dear).unwrap();
    assert_eq!(
        (&settled.row, settled.settled),
        (&dear, true),
        "the reply that was there first stays, and a tick rests on it"
    );
    writer.truncate_after(5).unwrap();
    for tick in [7, 9] {
        let bought = sample::call(tick, sample::REPLY);
        assert_eq!(found(&writer, &bought).unwrap().row, bought);
    }
    assert_eq!(found(&writer, &dear).unwrap(), settled);
    assert!(
        writer.read().used_call(&dear.key).unwrap().is_none(),
        "nothing rests on it now"
    );
    assert_eq!(writer.read().inputs(0..=Tick::MAX).unwrap(), kept.inputs);
    assert_eq!(
        writer.read().vector("a dear vector").unwrap(),
        Some(vec![1, 2, 3])
    );
    assert_eq!(writer.read().vector("never seen").unwrap(), None);
}

#[test]
fn a_refused_tick_leaves_the_file_and_the_writer_as_they_were() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.run");
    let mut writer = sample::written(&path, 9);
    let before = writer.read().digest().unwrap();
    let refused = |writer: &mut RunWriter, rows: &TickRows| {
        let message = writer.commit(rows).unwrap_err().to_string();
        assert_eq!(writer.read().digest().unwrap(), before);
        message.replace(&path.display().to_string(), "a.run")
    };

    let mut gap = sample::tick_rows(10);
    gap.memories[0].id += 1;
    assert_eq!(
        refused(&mut writer, &gap),
        "a.run: tick 10, table memory: resident 2: memory 3 where 2 is next"
    );
    let mut nobody = sample::tick_rows(10);
    nobody.moves[0].resident = 44;
    assert_eq!(
        refused(&mut writer, &nobody),
        "a.run: tick 10, table move: FOREIGN KEY constraint failed"
    );
    let mut future = sample::tick_rows(10);
    future.memories[0].evidence = vec![2];
    assert!(refused(&mut writer, &future).contains("table evidence: CHECK constraint failed"));
    let mut unplanned = sample::tick_rows(10);
    unplanned.plan_entries = sample::tick_rows(5).plan_entries;
    unplanned.plan_entries[0].revision = 3;
    assert_eq!(
        refused(&mut writer, &unplanned),
        "a.run: tick 10, table plan_entry: resident 1 has no plan for 2023-01-01 in revision 3"
    );
    let mut mixed = sample::tick_rows(10);
    mixed.memories[0].text = "memory number 0".to_owned();
    assert_eq!(
        refused(&mut writer, &mixed),
        "a.run: tick 10, table text: \"memory number 0\" has another vector already; \
         a run keeps to one embedder"
    );
    let mut ended = sample::tick_rows(10);
    ended.conversation_ends = vec![ConversationEnd {
        conversation: 0,
        reason: String::new(),
    }];
    assert_eq!(
        refused(&mut writer, &ended),
        "a.run: tick 10, table conversation: conversation 0 never began or has ended already"
    );
    assert_eq!(
        refused(&mut writer, &sample::tick_rows(9)),
        "a.run: tick 9 cannot be written after tick 9; ticks only go forward \
         (truncate first to write them anew)"
    );
    writer.commit(&sample::tick_rows(10)).unwrap();
}
