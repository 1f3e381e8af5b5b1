//! What goes in comes out, whatever it is.

use proptest::prelude::*;
use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

fn any_text() -> impl Strategy<Value = String> {
    // Any Unicode, NUL and line separators included.
    proptest::collection::vec(any::<char>(), 0..20).prop_map(|chars| chars.into_iter().collect())
}

prop_compose! {
    fn any_action()(
        texts in proptest::collection::vec(any_text(), 5),
        place in proptest::option::of(0_u32..4),
        status in proptest::sample::select(ActionStatus::ALL),
        ends in any::<Option<i64>>(),
        resident in 0_u32..4,
    ) -> ActionRow {
        let [activity, emoji, subject, predicate, object] = texts.try_into().unwrap();
        ActionRow { resident, activity, place, emoji, subject, predicate, object, status, ends }
    }
}

prop_compose! {
    fn any_memory()(
        texts in proptest::collection::vec(any_text(), 4),
        vector in proptest::collection::vec(any::<u8>(), 0..8),
        keywords in proptest::collection::vec(any_text(), 0..4),
        kind in proptest::sample::select(MemoryKind::ALL),
        numbers in (any::<i64>(), any::<Option<i64>>(), any::<u16>(), 1_u8..=10),
        hearsay in proptest::option::of((0_u32..4, any::<u32>())),
        references in (any::<Option<u32>>(), proptest::option::of(0_u32..4)),
    ) -> MemoryRow {
        let [text, subject, predicate, object] = texts.try_into().unwrap();
        let (created, expires, depth, importance) = numbers;
        let (conversation, place) = references;
        let hearsay = hearsay.map(|(teller, memory)| HearsayRow { teller, memory });
        MemoryRow {
            resident: 1, id: 0, created, kind, depth, text, vector, subject, predicate, object,
            importance, expires, keywords, evidence: vec![], hearsay, conversation, place,
        }
    }
}

prop_compose! {
    fn any_task()(
        texts in proptest::collection::vec(any_text(), 4),
        optional in proptest::collection::vec(proptest::option::of(any_text()), 2),
        resident in proptest::option::of(0_u32..4),
        seq in any::<u32>(),
    ) -> TaskRow {
        let [kind, input, mind, answer] = texts.try_into().unwrap();
        let [fallback, cut] = optional.try_into().unwrap();
        TaskRow { resident, seq, kind, input, answer, mind, fallback, cut, calls: Vec::new() }
    }
}

prop_compose! {
    fn any_call()(
        texts in proptest::collection::vec(any_text(), 4),
        reply in proptest::result::maybe_ok(any_text(), any_text()),
        answered_by in proptest::option::of(any_text()),
        cut_off in any::<bool>(),
        numbers in (any::<u32>(), any::<u32>(), any::<u32>(), any::<u8>(), any::<Option<u32>>()),
        payer in proptest::sample::select(&[Payer::ThisRun, Payer::AnotherRun][..]),
    ) -> CallRow {
        let [hash, kind, model, request] = texts.try_into().unwrap();
        let (tokens_in, tokens_cached, tokens_out, attempt, milliseconds) = numbers;
        CallRow {
            key: CallKey { tick: 0, resident: None, seq: 0, attempt, hash },
            kind, model, request,
            outcome: reply.map(|text| ReplyRow {
                text, answered_by, cut_off, tokens_in, tokens_cached, tokens_out,
            }),
            milliseconds,
            paid_by: payer,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_come_back_as_they_went_in(
        tick in 0..=Tick::MAX,
        action in any_action(),
        task in any_task(),
        call in any_call(),
        memory in any_memory(),
        evidence in proptest::collection::vec(0_u32..1, 0..5),
        words in proptest::collection::vec(any_text(), 8),
        state in proptest::collection::vec(any::<u8>(), 0..2_000),
        minutes in (0_u16..1_440, 1_u16..=1_440),
    ) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.run");
        let mut writer = RunWriter::create(&path, &sample::new_run()).unwrap();
        let mut rows = TickRows::new(tick);
        rows.moves = vec![MoveRow { resident: 3, x: u16::MAX, y: minutes.0 }];
        rows.identities = vec![IdentityRow { resident: 1, identity: words[7].clone() }];
        rows.object_states = vec![ObjectStateRow { place: 3, state: words[0].clone(), by: action.place }];
        let second = MemoryRow { id: 1, evidence, ..memory.clone() };
        rows.memories = vec![memory, second];
        rows.plans = vec![PlanRow {
            resident: 2,
            date: words[1].clone(),
            revision: tick,
            cause_memory: action.place,
            strokes: words[2].clone(),
            entries: vec![PlanEntryRow {
                level: PlanLevel::Task,
                start: minutes.0,
                minutes: minutes.1,
                activity: words[3].clone(),
                place: action.place,
                cause_memory: None,
            }],
        }];
        rows.conversations = vec![ConversationRow { id: tick, a: 0, b: 3, place: action.place }];
        rows.lines = vec![LineRow {
            conversation: tick,
            turn: 0,
            speaker: 3,
            text: words[4].clone(),
            tells: words[5].clone(),
            decision: words[6].clone(),
        }];
        rows.conversation_ends = vec![ConversationEnd {
            conversation: tick,
            reason: words[7].clone(),
        }];
        rows.appointments = vec![AppointmentRow {
            resident: 0,
            id: tick,
            what: words[1].clone(),
            place: action.place,
            start: i64::MIN,
            end: i64::MAX,
            host: 3,
            status: words[2].clone(),
            reason: words[3].clone(),
            memory: Some(tick),
        }];
        rows.notices = vec![NoticeRow { resident: task.resident, kind: words[4].clone(), detail: words[5].clone() }];
        rows.actions = vec![action];
        let mut call = call;
        (call.key.tick, call.key.resident, call.key.seq) = (tick, task.resident, task.seq);
        let id = writer.record_call(&call).unwrap();
        let used = UsedCall { attempt: call.key.attempt, call: id };
        rows.tasks = vec![TaskRow { calls: vec![used], ..task }];
        writer.commit(&rows).unwrap();
        writer.checkpoint(tick, &state).unwrap();
        writer.finish(RunState::Paused).unwrap();

        let run = RunReader::open(&path).unwrap();
        let mut back = TickRows::new(tick);
        back.moves = untimed(tick, run.moves(tick..=tick).unwrap());
        back.actions = untimed(tick, run.actions_between(0..=tick).unwrap());
        back.identities = run.identities(tick).unwrap().drain(1..=1).collect();
        back.object_states = untimed(tick, run.object_states_between(tick..=tick).unwrap());
        back.memories = untimed(tick, run.memories(1, &MemoryFilter::default()).unwrap());
        back.plans = untimed(tick, run.plans(2, tick).unwrap());
        for talk in run.conversations(tick).unwrap() {
            back.conversations.extend(untimed(tick, vec![talk.began]));
            back.lines.extend(untimed(tick, talk.lines));
            back.conversation_ends.extend(untimed(tick, talk.ended.into_iter().collect()));
        }
        back.appointments = untimed(tick, run.appointments(0, tick).unwrap());
        back.tasks = untimed(tick, run.tasks(&TaskFilter::default()).unwrap());
        prop_assert_eq!(run.call(&call.key).unwrap().unwrap().row, call.clone());
        prop_assert_eq!(run.used_call(&call.key).unwrap().unwrap().row, call);
        back.notices = untimed(tick, run.notices(0..=tick).unwrap());
        prop_assert_eq!(back, rows);
        prop_assert_eq!(run.last_checkpoint().unwrap().unwrap(), At { tick, row: state });
    }
}

fn untimed<R>(tick: Tick, rows: Vec<At<R>>) -> Vec<R> {
    assert!(rows.iter().all(|at| at.tick == tick));
    rows.into_iter().map(|at| at.row).collect()
}

#[test]
fn the_town_comes_back_as_it_went_in() {
    let folder = tempdir().unwrap();
    let run = sample::new_run();
    let writer = RunWriter::create(folder.path().join("a.run"), &run).unwrap();
    assert_eq!(writer.read().town().unwrap(), run.parts);
    assert_eq!(writer.read().residents().unwrap(), run.residents);
    assert_eq!(writer.read().places().unwrap(), run.places);
}
