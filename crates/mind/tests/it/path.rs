//! The path of a question: looked up, bought once, read, asked again, or answered by rule.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use serde_json::{Value, json};
use townsfolk_mind::model::samples::{self, Cast};
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question, Rehearsal};
use townsfolk_mind::tasks::{InnerThought, ObjectState, WakeUp, WakeUpAt};
use townsfolk_mind::{Answerer, Asker, Halted, TaskKind};
use townsfolk_model::{ChatReply, Fault, Speaker, Usage};
use townsfolk_time::Date;

use crate::common::{Asked, Kept, Scripted, asked, at, meanings, mind};

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

/// A ledger in which a call made ahead arrives as soon as anybody has looked, whichever way.
#[derive(Default)]
struct Arriving {
    has_arrived: AtomicBool,
}

impl Ledger for Arriving {
    fn find(&self, _: &Question<'_>) -> Result<Option<Found>, Halted> {
        let has_arrived = self.has_arrived.swap(true, Ordering::SeqCst);
        let reply = || Found {
            reply: Ok(ChatReply {
                text: r#"{"wake": "06:20"}"#.to_owned(),
                usage: Usage::default(),
                model: "one".to_owned(),
                cut_off: false,
            }),
            origin: Origin::Recorded,
        };
        Ok(has_arrived.then(reply))
    }

    fn on_its_way(&self, _: &CallKey) -> Option<BoxFuture<'_, ()>> {
        let has_arrived = self.has_arrived.swap(true, Ordering::SeqCst);
        (!has_arrived).then(|| ready(()).boxed())
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        unreachable!("{call:?}")
    }
}

#[test]
fn a_call_that_arrives_while_it_is_looked_for_is_not_made_again() {
    let cast = Cast::default();
    let model = Scripted::saying(&["Good morning to you!"]);
    let mind = mind(model.clone(), Arc::new(Arriving::default()));
    let meanings = meanings();
    let asker = Asker::with_model(at(5), &meanings, &mind);
    let task = WakeUp {
        who: &cast.who,
        date: DATE,
    };
    let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
    assert_eq!((answer, model.calls()), (WakeUpAt { minute: 380 }, 0));
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

/// Whether a value is what a schema of ours says.
fn fits(value: &Value, schema: &Value) -> bool {
    if let Some(parts) = schema["anyOf"].as_array() {
        return parts.iter().any(|part| fits(value, part));
    }
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_type = schema["type"] == name
        || schema["type"]
            .as_array()
            .is_some_and(|types| types.contains(&name.into()));
    let is_listed = schema["enum"]
        .as_array()
        .is_none_or(|values| values.contains(value));
    let holds = |least: &str, most: &str, size: u64| {
        schema[least].as_u64().is_none_or(|least| size >= least)
            && schema[most].as_u64().is_none_or(|most| size <= most)
    };
    let inside = match value {
        Value::Number(number) => holds("minimum", "maximum", number.as_u64().unwrap()),
        Value::Array(items) => {
            holds("minItems", "maxItems", items.len() as u64)
                && items.iter().all(|item| fits(item, &schema["items"]))
        }
        Value::Object(fields) => fields
            .iter()
            .all(|(name, field)| fits(field, &schema["properties"][name])),
        _ => true,
    };
    is_type && is_listed && inside
}

#[test]
fn a_schema_says_how_many_and_how_large() {
    struct Look(Vec<(TaskKind, Value)>);
    impl samples::Visit for Look {
        fn visit<T: townsfolk_mind::Task>(&mut self, task: &T) {
            let requests = asked(task, &["x"]).requests;
            self.0
                .push((T::KIND, requests[0].shape.as_ref().unwrap().schema.clone()));
        }
    }
    let seen = std::mem::take(&mut samples::each(&mut Look(Vec::new())).0);
    let schemas: Vec<String> = seen
        .iter()
        .map(|(kind, schema)| {
            format!(
                "{}\n{}\n",
                kind.name(),
                serde_json::to_string_pretty(schema).unwrap()
            )
        })
        .collect();
    insta::assert_snapshot!("schemas", schemas.join("\n"));
    // What a check refuses, a schema does not allow.
    let refused = |kind: TaskKind, value: Value| {
        let (_, schema) = seen.iter().find(|(of, _)| *of == kind).unwrap();
        assert!(!fits(&value, schema), "{}: {value} in {schema}", kind.name());
    };
    let (_, importance) = seen
        .iter()
        .find(|(kind, _)| *kind == TaskKind::Importance)
        .unwrap();
    let count = importance["properties"]["ratings"]["maxItems"].as_u64().unwrap() as usize;
    refused(TaskKind::Importance, json!({"ratings": vec![5; count + 1]}));
    refused(TaskKind::Importance, json!({"ratings": vec![5; count - 1]}));
    refused(TaskKind::Importance, json!({"ratings": vec![11; count]}));
    refused(TaskKind::Importance, json!({"ratings": vec![0; count]}));
    refused(TaskKind::ChoosePlace, json!({"place": 99}));
    refused(TaskKind::ChoosePlace, json!({"place": 0}));
    refused(TaskKind::Decompose, json!({"steps": []}));
    refused(
        TaskKind::Decompose,
        json!({"steps": [{"do": "rowing", "minutes": 0}]}),
    );
    refused(
        TaskKind::Decompose,
        json!({"steps": [{"do": "rowing", "minutes": 1_440}]}),
    );
    refused(
        TaskKind::Reaction,
        json!({"choice": "change_plan", "instead": "rowing", "minutes": 241}),
    );
    refused(
        TaskKind::Insights,
        json!({"insights": [{"because": [], "text": "Rowing is fun."}]}),
    );
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
            let wire = serde_json::to_value(task.write(&by_rule)).unwrap();
            let Asked {
                answer,
                record,
                requests,
            } = asked(task, &[&wire.to_string()]);
            assert_eq!(record.fallback, None, "{} from {wire}", T::KIND.name());
            assert_eq!(answer, by_rule, "{} from {wire}", T::KIND.name());
            let schema = &requests[0].shape.as_ref().unwrap().schema;
            assert!(fits(&wire, schema), "{}: {wire} in {schema}", T::KIND.name());
            self.0 += 1;
        }
    }
    assert_eq!(samples::each(&mut RoundTrip(0)).0, TaskKind::ALL.len());
}
