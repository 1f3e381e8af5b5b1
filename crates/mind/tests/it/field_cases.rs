//! Kinds of fault that users of other implementations met, each with a small input.

use std::collections::BTreeMap;
use std::sync::Arc;

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_mind::model::samples::Cast;
use townsfolk_mind::model::{Limits, PromptSet, RemoteEmbedder, VectorCall, Vectors};
use townsfolk_mind::tasks::{
    Choice, ChoosePlace, Decompose, HourlySchedule, NextLine, ObjectState, Recalled, ReviseIdentity, Stroke,
    WakeUp,
};
use townsfolk_mind::{Answerer, Asker, Entry, Halted, Identity, Task};
use townsfolk_model::{Embedded, EmbeddingModel, Fault, ModelError, Usage};
use townsfolk_time::{Date, GameTime};
use townsfolk_world::PlaceId;

use crate::common::{Kept, Scripted, ask, at, meanings, mind, mind_with_window};

const DATE: Date = Date::constant(2024, 6, 3);

fn somebody(name: &str) -> Identity {
    Identity {
        name: name.into(),
        first_name: name.split(' ').next().unwrap_or(name).into(),
        lifestyle: String::new(),
        daily_requirement: String::new(),
        ..Cast::default().who
    }
}

fn riser_at_six(name: &str) -> Identity {
    Identity {
        lifestyle: "goes to bed around 10pm, gets up around 6am".into(),
        ..somebody(name)
    }
}

fn hour(activity: &str) -> Entry {
    Entry {
        start: 600,
        minutes: 60,
        activity: activity.into(),
        asleep: false,
        cause: None,
        step: false,
    }
}

fn stroke(start: u16, activity: &str) -> Stroke {
    Stroke {
        start,
        activity: activity.to_owned(),
        cause: None,
    }
}

/// 01: text of an error is no plan, even where it comes as if it were an answer.
#[test]
fn an_error_never_becomes_a_plan() {
    let who = riser_at_six("Tomas Varga");
    let strokes = [
        stroke(360, "gets up"),
        stroke(540, "opens the shop"),
        stroke(1_080, "cooks"),
    ];
    let task = HourlySchedule {
        who: &who,
        date: DATE,
        wake: 360,
        strokes: &strokes,
    };
    let text = "ERROR: prompt is longer than the context window";
    let as_plan = format!(r#"{{"day": [{{"asleep": false, "do": "{text}", "from": "00:00"}}]}}"#);
    for reply in [text, &as_plan] {
        let (answer, record) = ask(&task, &[reply]);
        assert_eq!(record.mind, Answerer::Routine);
        let written = format!("{answer:?}{}", record.answer);
        assert!(
            !written.contains("ERROR") && !written.contains("context window"),
            "{written}"
        );
        assert!(record.fallback.unwrap().contains("text of an error"));
    }
}

/// 01: a retired model halts the run at the question that met it.
#[test]
fn a_retired_model_is_named_with_its_question() {
    let who = riser_at_six("Tomas Varga");
    let task = WakeUp {
        who: &who,
        date: DATE,
    };
    let mind = mind(
        Scripted::new(|_, _| Err(Fault::NoSuchModel)),
        Arc::new(Kept::default()),
    );
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let halted = futures_executor::block_on(asker.ask(&task)).unwrap_err();
    assert!(
        halted.reason.starts_with("wake_up: scripted:one: status 404"),
        "{halted}"
    );
}

/// 03: prose where JSON was wanted.
#[test]
fn prose_instead_of_json_is_read_or_replaced() {
    let task = ObjectState {
        object: "kettle",
        words: "the kettle is being descaled",
    };
    for reply in [
        "the kettle is being descaled",
        "```json\n{\"output\": \"being descaled\"}\n```",
        "{'output': 'being descaled'}",
        "{\"output\": \"being descaled\"",
        "Sure! {\"output\":\"being descaled\"} Hope it helps",
    ] {
        let (answer, record) = ask(&task, &[reply]);
        assert_eq!(answer.text, "being descaled", "{reply}");
        assert_eq!(record.fallback, None, "{reply}");
    }
    let (answer, record) = ask(&task, &[""]);
    assert_eq!(
        (answer.text.as_str(), record.mind),
        ("being descaled", Answerer::Routine)
    );
    assert!(record.fallback.unwrap().contains("empty"));
}

/// 05: a list that goes on with the prompt's own, with chatter and a step without minutes.
#[test]
fn a_list_of_steps_in_another_shape_adds_up() {
    let who = somebody("Tomas Varga");
    let entry = hour("gardening");
    let task = Decompose {
        who: &who,
        date: DATE,
        entry: &entry,
        before: None,
        after: None,
        reuse: true,
    };
    let list = " sorting seed packets (10 min, 50 left)\n2) watering trays (25 min, 25 left)\n3) resting\nLet me know if you need more!";
    let (answer, record) = ask(&task, &[list]);
    let steps: Vec<(&str, u16)> = answer
        .steps
        .iter()
        .map(|s| (s.activity.as_str(), s.minutes))
        .collect();
    assert_eq!(
        steps,
        [
            ("sorting seed packets", 10),
            ("watering trays", 25),
            ("resting", 25)
        ]
    );
    assert_eq!(record.fallback, None);
    let (answer, _) = ask(&task, &["asleep"]);
    let steps: Vec<(&str, u16)> = answer
        .steps
        .iter()
        .map(|s| (s.activity.as_str(), s.minutes))
        .collect();
    assert_eq!(steps, [("asleep", 60)]);
}

/// 06: one corrective call, not calls for ever; then a day out of the outline.
#[test]
fn a_reply_that_never_fits_costs_two_calls_and_the_outline_stands() {
    let who = somebody("林 秋");
    let strokes = [stroke(300, "起床"), stroke(330, "晨跑"), stroke(1_260, "睡觉")];
    let task = HourlySchedule {
        who: &who,
        date: DATE,
        wake: 300,
        strokes: &strokes,
    };
    let table = "| 心情 | 天气 |\n|---|---|\n| 好 | 晴 |";
    let model = Scripted::saying(&[table]);
    let mind = mind(model.clone(), Arc::new(Kept::default()));
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
    assert_eq!(model.calls(), 2);
    let asked = model.asked.lock().unwrap();
    assert!(
        asked[1].turns[2].text.contains("\"day\""),
        "{}",
        asked[1].turns[2].text
    );
    assert!(
        answer
            .blocks
            .iter()
            .any(|b| b.activity.contains("晨跑") && b.start == 330)
    );
    let reason = asker.into_records().pop().unwrap().fallback.unwrap();
    assert_eq!(reason.matches("心情").count(), 1, "{reason}");
}

/// 06: a table that does hold the schedule is one.
#[test]
fn a_schedule_in_a_table_is_a_schedule() {
    let who = somebody("林 秋");
    let strokes = [stroke(300, "起床"), stroke(330, "晨跑"), stroke(1_260, "睡觉")];
    let task = HourlySchedule {
        who: &who,
        date: DATE,
        wake: 300,
        strokes: &strokes,
    };
    let table = "好的，这是日程：\n\n| 时间 | 活动 | 睡觉 |\n|---|---|---|\n| 00:00 | 睡觉 | 是 |\n| 05:00 | 起床 | 否 |\n| 05:30 | 晨跑 | 否 |\n| 07:00 | 在店里工作 | 否 |\n| 21:00 | 睡觉 | 是 |";
    let (answer, record) = ask(&task, &[table]);
    assert_eq!(record.fallback, None);
    let starts: Vec<u16> = answer.blocks.iter().map(|b| b.start).collect();
    assert_eq!(starts, [0, 300, 330, 420, 1_260]);
    assert!(answer.blocks[2].activity == "晨跑" && !answer.blocks[2].asleep);
}

/// 07: the right JSON with another key covers next to nothing of a day.
#[test]
fn one_entry_is_no_schedule() {
    let who = riser_at_six("Tomas Varga");
    let strokes = [
        stroke(360, "gets up"),
        stroke(540, "opens the shop"),
        stroke(1_320, "goes to bed"),
    ];
    let task = HourlySchedule {
        who: &who,
        date: DATE,
        wake: 360,
        strokes: &strokes,
    };
    let model = Scripted::saying(&[r#"[{"activity":"sleep","hour":"06:00 AM"}]"#]);
    let mind = mind(model.clone(), Arc::new(Kept::default()));
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
    assert_eq!(model.calls(), 2);
    assert!(
        model.asked.lock().unwrap()[0].shape.is_some(),
        "the schema goes along"
    );
    assert!(answer.blocks.iter().any(|b| !b.asleep && b.start == 540));
    assert!(asker.into_records().pop().unwrap().fallback.is_some());
}

/// 08: unquoted names are read; a kind of step outside of the list changes nothing in silence.
#[test]
fn nearly_json_is_read_and_what_is_missing_is_said() {
    let who = somebody("Tomas Varga");
    let entry = hour("gardening");
    let task = Decompose {
        who: &who,
        date: DATE,
        entry: &entry,
        before: None,
        after: None,
        reuse: true,
    };
    let (_, record) = ask(&task, &["{steps: [{type: 'work-ish', minutes: 30,}]}"]);
    assert_eq!(record.mind, Answerer::Routine, "a step that does nothing is none");
    let (answer, record) = ask(
        &task,
        &["{steps: [{type: 'work-ish', do: 'weeding', minutes: 30,}, {do: 'raking', minutes: 30}]}"],
    );
    assert_eq!((answer.steps.len(), record.fallback), (2, None));
}

/// 13: reasoning is no answer.
#[test]
fn reasoning_before_around_and_without_an_answer() {
    let who = Identity {
        lifestyle: "works late, gets up around 8am".into(),
        ..somebody("Ngaio Reyes")
    };
    let task = WakeUp {
        who: &who,
        date: DATE,
    };
    let (answer, record) = ask(&task, &["<think>maybe 7? she works late</think>8"]);
    assert_eq!((answer.minute, record.calls), (480, 1));
    let (answer, record) = ask(&task, &["maybe 7? she works late</think>8"]);
    assert_eq!((answer.minute, record.calls), (480, 1));
    let (answer, record) = ask(&task, &["<think>maybe 7? she works late", "8:15"]);
    assert_eq!((answer.minute, record.calls, record.fallback), (495, 2, None));
    let (_, record) = ask(&task, &["<think>maybe 7? she works late"]);
    assert!(!record.answer.contains("maybe") && record.fallback.unwrap().contains("only reasoning"));
}

/// 15: when somebody gets up, in the shapes that small models write.
#[test]
fn hours_of_getting_up_in_many_shapes() {
    let who = riser_at_six("Wren Okafor");
    let task = WakeUp {
        who: &who,
        date: DATE,
    };
    for (reply, minute) in [
        ("6", 360),
        ("06:00", 360),
        ("6 am", 360),
        ("6:30 AM", 390),
        ("around six in the morning", 360),
        ("0600 hours", 360),
        ("Wren gets up at 6am because she opens at 8am", 360),
        (r#"{"wake": 6}"#, 360),
        (r#"{"wake_up_hour": "6:30 am"}"#, 390),
        // Out of character: the stated hour.
        ("18:00", 360),
        ("noon-ish", 360),
    ] {
        let (answer, record) = ask(&task, &[reply]);
        assert_eq!((answer.minute, record.fallback), (minute, None), "{reply}");
    }
    let (answer, record) = ask(&task, &["25"]);
    assert!(record.fallback.is_some() && (340..=380).contains(&answer.minute));
    // Where no hour is stated, nobody is out of character.
    let unstated = somebody("Wren Okafor");
    let task = WakeUp {
        who: &unstated,
        date: DATE,
    };
    assert_eq!(ask(&task, &["12:30"]).0.minute, 750);
}

/// 28: the persona stands once, and prompts don't grow of themselves.
#[test]
fn a_long_persona_stands_once_and_prompts_stay_as_long_as_they_are() {
    let mut who = somebody("Ilse Brandt");
    who.background = "Ilse Brandt repairs clocks and sings in the choir. ".repeat(60);
    let prompts = PromptSet::of("en").unwrap();
    let mut sizes = Vec::new();
    for day in 3..8 {
        let date = Date::constant(2024, 6, day);
        let task = WakeUp { who: &who, date };
        let (prompt, _) = prompts.prompt(&task, Limits::NONE).unwrap();
        let whole = format!("{}{}", prompt.system, prompt.user);
        assert_eq!(whole.matches("repairs clocks").count(), 60);
        sizes.push(whole.len());
    }
    let spread = sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
    assert!(spread < 8, "{sizes:?}");
}

/// 29: age and opinions stand in the prompt after any number of memories.
#[test]
fn identity_is_pinned_after_two_hundred_memories() {
    let mut who = somebody("Ilse Brandt");
    who.age = Some(43);
    who.current = "Ilse Brandt holds that the levy must be 13 %.".into();
    let recalled = memories(200);
    let task = ReviseIdentity {
        who: &who,
        date: DATE,
        recalled: &recalled,
    };
    let prompts = PromptSet::of("en").unwrap();
    let fitted = prompts.fitted(&task, 1_200).unwrap().unwrap();
    assert!(fitted.prompt.system.contains("Age: 43"));
    assert!(fitted.prompt.system.contains("levy must be 13 %"));
    assert!(fitted.cut.memories > 0 && fitted.cut.texts == 0);
}

/// 35: the decision stands apart from its wording.
#[test]
fn a_refusal_is_a_decision_apart_from_its_words() {
    let who = Identity {
        traits: "gruff, never lends tools".into(),
        ..somebody("Bram Holt")
    };
    let cast = Cast::default();
    let lines = [townsfolk_mind::tasks::Line {
        speaker: cast.other.clone(),
        text: "Could you lend me your saw?".into(),
        tells: Vec::new(),
        decision: None,
    }];
    let task = next_line(&who, &cast, &lines);
    let reply = r#"{"answers": "no", "occasion": null, "on": "lending the saw", "say": "Bram: \"I'm so sorry, dear, but no.\"", "stops": false, "tells": [9], "why": "never lends tools"}"#;
    let (said, record) = ask(&task, &[reply]);
    assert_eq!(record.fallback, None);
    assert_eq!(said.text, "I'm so sorry, dear, but no.");
    let decision = said.decision.unwrap();
    assert!(!decision.accept);
    assert_eq!(
        (decision.on.as_str(), decision.reason.as_str()),
        ("lending the saw", "never lends tools")
    );
    assert_eq!(said.tells, Vec::<usize>::new(), "there is no ninth memory");
}

/// Names that are present: nobody speaks for somebody else.
#[test]
fn nobody_speaks_for_somebody_else() {
    let cast = Cast::default();
    let who = somebody("Zoë O'Neill-Ångström");
    let task = next_line(&who, &cast, &[]);
    let (said, _) = ask(
        &task,
        &["Zoë O'Neill-Ångström: Good morning!\nTomas Varga: Morning.\nZoë: Bye!"],
    );
    assert_eq!(said.text, "Good morning!");
    let (said, record) = ask(
        &task,
        &[
            "Tomas Varga: I would love a saw.",
            r#"{"say": "Lovely morning, isn't it?"}"#,
        ],
    );
    assert_eq!(
        (said.text.as_str(), record.calls),
        ("Lovely morning, isn't it?", 2)
    );
    let (_, record) = ask(&task, &["As an AI, I can't have this conversation."]);
    assert!(record.fallback.unwrap().contains("refusal"));
}

/// 36: a room that there is not.
#[test]
fn an_unknown_room_is_the_nearest_known_one_or_none() {
    let who = somebody("Mara Ilves");
    let choice = |index, arena: &str, object: &str, here| Choice {
        place: PlaceId::from_index(index),
        sector: "houseboat".into(),
        arena: arena.into(),
        object: Some(object.into()),
        state: None,
        own_room: arena == "cabin",
        home: true,
        here,
        near: true,
    };
    let choices = [
        choice(4, "cabin", "bed", true),
        choice(5, "galley", "stove", false),
        choice(6, "galley", "table", false),
    ];
    let task = ChoosePlace {
        who: &who,
        activity: "cooking dinner",
        within: "dinner",
        asleep: false,
        choices: &choices,
    };
    let chosen = |reply: &str| {
        let (answer, record) = ask(&task, &[reply]);
        (answer.place.index(), record.fallback.is_none())
    };
    assert_eq!(chosen(r#"{"place": 2}"#), (5, true));
    assert_eq!(chosen("The galley"), (5, true));
    assert_eq!(chosen(r#"{"place": "houseboat:galley:table"}"#), (6, true));
    assert_eq!(chosen("table in the galley"), (6, true));
    for unknown in ["moon base", r#"{"place": 77}"#, r#"{"place": "kitchen"}"#] {
        let (place, by_model) = chosen(unknown);
        assert!(!by_model && (4..=6).contains(&place), "{unknown}");
    }
}

/// 53: a window of 2,048 tokens, 300 memories and a biography of 900 words.
#[test]
fn nothing_is_sent_that_is_longer_than_the_window() {
    let mut who = somebody("Mara Ilves");
    who.background = "She has lived on the lake for a long time now and knows everyone. ".repeat(70);
    let recalled = memories(300);
    let task = ReviseIdentity {
        who: &who,
        date: DATE,
        recalled: &recalled,
    };
    let model = Scripted::saying(&[r#"{"text": "Mara Ilves thinks of the lake."}"#]);
    let mind = mind_with_window(model.clone(), Arc::new(Kept::default()), 2_048);
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    futures_executor::block_on(asker.ask(&task)).unwrap();
    let record = asker.into_records().pop().unwrap();
    assert_eq!(record.fallback, None);
    assert!(
        record.cut.memories >= 290 && record.cut.texts >= 1,
        "{:?}",
        record.cut
    );
    assert_eq!(
        record.cut.to_string(),
        format!(
            "{} memories left out, {} texts shortened",
            record.cut.memories, record.cut.texts
        )
    );
    let asked = model.asked.lock().unwrap();
    let tokens = townsfolk_model::estimate_prompt_tokens(&asked[0]) + asked[0].max_tokens;
    assert!(tokens <= 2_048, "{tokens}");
    assert!(
        asked[0].turns[0].text.contains("memory number 0 "),
        "the best one stays"
    );
}

/// 53: where nothing fits, nothing is sent, and the record says why.
#[test]
fn a_window_too_small_for_anything_is_said() {
    let who = somebody("Mara Ilves");
    let task = WakeUp {
        who: &who,
        date: DATE,
    };
    let model = Scripted::saying(&["6"]);
    let mind = mind_with_window(model.clone(), Arc::new(Kept::default()), 128);
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    futures_executor::block_on(asker.ask(&task)).unwrap();
    assert_eq!(model.calls(), 0);
    let reason = asker.into_records().pop().unwrap().fallback.unwrap();
    assert!(reason.contains("larger window"), "{reason}");
}

/// Vectors from elsewhere are bought once, several in one call.
#[test]
fn vectors_are_bought_once() {
    #[derive(Default)]
    struct Shelf(std::sync::Mutex<BTreeMap<String, townsfolk_memory::Embedding>>);
    impl Vectors for Shelf {
        fn find_vector(&self, text: &str) -> Result<Option<townsfolk_memory::Embedding>, Halted> {
            Ok(self.0.lock().unwrap().get(text).cloned())
        }
        fn may_embed(&self, _: &VectorCall, _: u32) -> Result<(), Halted> {
            Ok(())
        }
        fn record_vectors(
            &self,
            call: &VectorCall,
            made: Result<(&[townsfolk_memory::Embedding], Usage), String>,
            _: u32,
        ) -> Result<(), Halted> {
            let (vectors, _) = made.unwrap();
            let own = call.texts.iter().cloned().zip(vectors.iter().cloned());
            self.0.lock().unwrap().extend(own);
            Ok(())
        }
    }
    struct Lengths(std::sync::Mutex<Vec<usize>>);
    impl EmbeddingModel for Lengths {
        fn name(&self) -> &str {
            "lengths"
        }
        fn embed<'a>(
            &'a self,
            texts: &'a [String],
        ) -> futures_util::future::BoxFuture<'a, Result<Embedded, ModelError>> {
            self.0.lock().unwrap().push(texts.len());
            let vectors = texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect();
            let usage = Usage::default();
            Box::pin(async move { Ok(Embedded { vectors, usage }) })
        }
    }
    let model = Arc::new(Lengths(std::sync::Mutex::default()));
    let mut mind = mind(Scripted::saying(&[""]), Arc::new(Kept::default()));
    mind.embedder = Some(RemoteEmbedder {
        model: model.clone(),
        vectors: Arc::new(Shelf::default()),
    });
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let texts = ["a", "bb", "a", "cccc"];
    let vectors = futures_executor::block_on(asker.embed_all(&texts)).unwrap();
    assert_eq!(vectors.len(), 4);
    assert_eq!(vectors[0].codes(), vectors[2].codes());
    let again = futures_executor::block_on(asker.embed("bb")).unwrap();
    assert_eq!(again.codes(), vectors[1].codes());
    assert_eq!(
        *model.0.lock().unwrap(),
        [3],
        "one call for three different texts"
    );
}

fn memories(count: u32) -> Vec<Recalled> {
    let memory = |i| Recalled {
        id: MemoryId::from_index(i),
        kind: MemoryKind::Observation,
        text: format!("memory number {i} about the weather on the lake and who rowed where").into(),
        subject: "lake".into(),
        importance: 3,
        created: GameTime::at(DATE, 0),
        told_by: None,
    };
    (0..count).map(memory).collect()
}

fn next_line<'a>(
    who: &'a Identity,
    cast: &'a Cast,
    lines: &'a [townsfolk_mind::tasks::Line],
) -> NextLine<'a> {
    NextLine {
        who,
        listener: &cast.other,
        now: GameTime::at(DATE, 600),
        place: "jetty",
        doing: "mending an oar",
        listener_doing: "",
        relationship: "",
        topics: &[],
        lines,
        lines_left: 4,
        plan: &[],
        appointments: &[],
        answered: &[],
    }
}

/// Every task's schema can be demanded strictly: all fields required, no other allowed.
#[test]
fn schemas_are_strict() {
    struct Strict;
    impl townsfolk_mind::model::samples::Visit for Strict {
        fn visit<T: Task>(&mut self, task: &T) {
            let model = Scripted::saying(&["x"]);
            let mind = mind(model.clone(), Arc::new(Kept::default()));
            let meanings = meanings();
            let asker = Asker::with_model(at(1), &meanings, &mind);
            futures_executor::block_on(asker.ask(task)).unwrap();
            let asked = model.asked.lock().unwrap();
            let shape = asked[0].shape.as_ref().unwrap();
            assert_eq!(shape.name, T::KIND.name());
            check(&shape.schema, T::KIND.name());
        }
    }
    fn check(schema: &serde_json::Value, task: &str) {
        let Some(object) = schema.as_object() else { return };
        assert!(
            !object.contains_key("$ref") && !object.contains_key("$defs"),
            "{task}: {schema}"
        );
        if let Some(properties) = object.get("properties").and_then(|p| p.as_object()) {
            let required: Vec<&str> = object["required"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|n| n.as_str())
                .collect();
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            assert_eq!(required, names, "{task}");
            assert_eq!(object["additionalProperties"], false, "{task}");
            properties.values().for_each(|p| check(p, task));
        }
        if let Some(items) = object.get("items") {
            check(items, task);
        }
        for part in ["anyOf", "oneOf"]
            .iter()
            .filter_map(|key| object.get(*key)?.as_array())
            .flatten()
        {
            check(part, task);
        }
    }
    townsfolk_mind::model::samples::each(&mut Strict);
}
