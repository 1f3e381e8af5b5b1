//! The path of a question: looked up, bought once, read, asked again, or answered by rule.

use std::sync::Arc;

use townsfolk_mind::model::Rehearsal;
use townsfolk_mind::model::samples::{self, Cast};
use townsfolk_mind::tasks::{InnerThought, ObjectState, WakeUp, WakeUpAt};
use townsfolk_mind::{Answerer, Asker, TaskKind};
use townsfolk_model::{Fault, Speaker};
use townsfolk_time::Date;

use crate::common::{Kept, Scripted, at, meanings, mind};

const DATE: Date = Date::constant(2024, 6, 3);

#[test]
fn an_answer_is_used_and_its_call_written_down() {
    let cast = Cast::default();
    let ledger = Arc::new(Kept::default());
    let mind = mind(Scripted::saying(&[r#"{"wake": "06:20"}"#]), ledger.clone());
    let meanings = meanings();
    let asker = Asker::with_model(at(5), &meanings, &mind);
    let task = WakeUp {
        who: &cast.who,
        date: DATE,
    };
    let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
    assert_eq!(answer, WakeUpAt { minute: 380 });
    let record = asker.into_records().pop().unwrap();
    assert_eq!(
        (record.mind, record.calls, record.fallback),
        (Answerer::Model, 1, None)
    );
    assert_eq!(record.model.as_deref(), Some("scripted:one"));
    let calls = ledger.calls.lock().unwrap();
    assert_eq!(
        (calls[0].kind, calls[0].key.tick, calls[0].key.seq),
        (TaskKind::WakeUp, 5, 0)
    );
    assert!(calls[0].request.contains("Mara Ilves"));
}

#[test]
fn what_was_wrong_is_said_once_and_then_the_rules_answer() {
    let cast = Cast::default();
    let model = Scripted::saying(&["Good morning to you!", "And to you!"]);
    let mind = mind(model.clone(), Arc::new(Kept::default()));
    let meanings = meanings();
    let asker = Asker::with_model(at(5), &meanings, &mind);
    let task = WakeUp {
        who: &cast.who,
        date: DATE,
    };
    let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
    assert!(
        (340..=380).contains(&answer.minute),
        "a riser at six: {}",
        answer.minute
    );
    let record = asker.into_records().pop().unwrap();
    assert_eq!((record.mind, record.calls), (Answerer::Routine, 2));
    let reason = record.fallback.unwrap();
    assert!(reason.contains("And to you!"), "{reason}");
    let asked = model.asked.lock().unwrap();
    assert_eq!(asked.len(), 2);
    let turns: Vec<Speaker> = asked[1].turns.iter().map(|turn| turn.speaker).collect();
    assert_eq!(turns, [Speaker::User, Speaker::Model, Speaker::User]);
    assert_eq!(asked[1].turns[1].text, "Good morning to you!");
    assert!(
        asked[1].turns[2].text.contains("HH:MM"),
        "{}",
        asked[1].turns[2].text
    );
    assert_eq!(asked[0].system, asked[1].system);
}

#[test]
fn a_passing_fault_is_answered_by_rule_and_a_lasting_one_halts() {
    let cast = Cast::default();
    let task = WakeUp {
        who: &cast.who,
        date: DATE,
    };
    let meanings = meanings();
    let ledger = Arc::new(Kept::default());
    let slow = mind(Scripted::new(|_, _| Err(Fault::Timeout)), ledger.clone());
    let asker = Asker::with_model(at(5), &meanings, &slow);
    futures_executor::block_on(asker.ask(&task)).unwrap();
    let record = asker.into_records().pop().unwrap();
    assert!(record.fallback.unwrap().contains("model retired"));
    assert!(ledger.calls.lock().unwrap()[0].reply.is_err());

    let gone = mind(
        Scripted::new(|_, _| Err(Fault::NoSuchModel)),
        Arc::new(Kept::default()),
    );
    let asker = Asker::with_model(at(5), &meanings, &gone);
    let halted = futures_executor::block_on(asker.ask(&task)).unwrap_err();
    for part in ["wake_up", "scripted:one", "404", "name another model"] {
        assert!(halted.reason.contains(part), "{halted}");
    }
    assert!(asker.into_records().is_empty());
}

#[test]
fn a_call_that_was_made_is_not_made_again() {
    let cast = Cast::default();
    let model = Scripted::saying(&[r#"{"text": "Mara Ilves wants rolls."}"#]);
    let mind = mind(model.clone(), Arc::new(Kept::default()));
    let meanings = meanings();
    let task = InnerThought {
        who: &cast.who,
        whisper: "You want rolls.",
    };
    for tick in [5, 5, 9] {
        let asker = Asker::with_model(at(tick), &meanings, &mind);
        let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
        assert_eq!(answer.text, "Mara Ilves wants rolls.");
    }
    assert_eq!(
        model.calls(),
        1,
        "the same tick is recorded, the later one cached"
    );
}

#[test]
fn records_stand_in_the_order_in_which_questions_were_put() {
    let model = Scripted::new(|_, request| {
        let words = request.turns[0]
            .text
            .split("says about the ")
            .nth(1)
            .unwrap_or_default();
        Ok(format!(
            r#"{{"text": "marked {}"}}"#,
            words.split(':').next().unwrap_or_default()
        ))
    });
    let mind = mind(model, Arc::new(Kept::default()));
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let ask = |object: &'static str| ObjectState {
        object,
        words: "broken",
    };
    let (first, last) = (ask("first"), ask("last"));
    let branches = futures_executor::block_on(async {
        asker.ask(&first).await.unwrap();
        let branches = asker.branches(2).unwrap();
        let (a, b, c, d) = (ask("a"), ask("b"), ask("c"), ask("d"));
        // The second branch is through before the first one begins its second question.
        branches[1].ask(&c).await.unwrap();
        branches[0].ask(&a).await.unwrap();
        branches[1].ask(&d).await.unwrap();
        branches[0].ask(&b).await.unwrap();
        asker.ask(&last).await.unwrap();
        branches.len()
    });
    assert_eq!(branches, 2);
    let order: Vec<String> = asker
        .into_records()
        .iter()
        .map(|record| record.answer.replace(r#"{"text":""#, "").replace("\"}", ""))
        .collect();
    assert_eq!(
        order,
        ["first", "a", "b", "c", "d", "last"].map(|object| format!("marked {object}"))
    );
}

#[test]
fn a_rehearsal_makes_every_prompt_and_says_what_the_rules_would() {
    struct Rehearse(usize);
    impl samples::Visit for Rehearse {
        fn visit<T: townsfolk_mind::Task>(&mut self, task: &T) {
            let rehearsal = Arc::new(Rehearsal::default());
            let ledger = Arc::new(Kept::default());
            let mut mind = mind(rehearsal.clone(), ledger.clone());
            mind.crib = Some(rehearsal);
            let meanings = meanings();
            let asker = Asker::with_model(at(3), &meanings, &mind);
            let answer = futures_executor::block_on(asker.ask(task)).unwrap();
            let by_rule = Asker::routine(at(3), &meanings);
            assert_eq!(answer, futures_executor::block_on(by_rule.ask(task)).unwrap());
            let calls = ledger.calls.lock().unwrap();
            let usage = calls[0].reply.as_ref().unwrap().usage;
            assert!(usage.input > 100 && usage.output > 0, "{usage:?}");
            self.0 += 1;
        }
    }
    assert_eq!(samples::each(&mut Rehearse(0)).0, TaskKind::ALL.len());
}

/// What the routine mind says, written as a model would, is read back as it was.
#[test]
fn answers_survive_the_way_through_a_models_words() {
    struct RoundTrip(usize);
    impl samples::Visit for RoundTrip {
        fn visit<T: townsfolk_mind::Task>(&mut self, task: &T) {
            let meanings = meanings();
            let asker = Asker::routine(at(3), &meanings);
            let by_rule = futures_executor::block_on(asker.ask(task)).unwrap();
            let wire = serde_json::to_string(&task.write(&by_rule)).unwrap();
            let (answer, record) = crate::common::ask(task, &[&wire]);
            assert_eq!(record.fallback, None, "{} from {wire}", T::KIND.name());
            assert_eq!(answer, by_rule, "{} from {wire}", T::KIND.name());
            self.0 += 1;
        }
    }
    assert_eq!(samples::each(&mut RoundTrip(0)).0, TaskKind::ALL.len());
}
