//! Kinds of fault that users of other implementations met, each with a small input.

use std::collections::BTreeMap;
use std::sync::Arc;

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_mind::model::samples::{self, Cast};
use townsfolk_mind::model::{Limits, PromptSet, RemoteEmbedder, VectorCall, Vectors};
use townsfolk_mind::tasks::{
    ActionDetails, Choice, ChoosePlace, DayPlan, Decompose, HourlySchedule, Interview, Line, NextLine,
    ObjectState, Recalled, ReviseIdentity, Steps, Stroke, WakeUp,
};
use townsfolk_mind::{Answerer, Asker, Entry, Halted, Identity, Task, TaskKind};
use townsfolk_model::{ChatRequest, Embedded, EmbeddingModel, Fault, ModelError, Speaker, Usage};
use townsfolk_time::{Date, GameTime};
use townsfolk_world::PlaceId;

use crate::common::{Asked, Kept, Scripted, ask, ask_within, asked, at, meanings, mind};

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
        until: None,
        activity: activity.to_owned(),
        cause: None,
    }
}

fn until(until: u16, stroke: Stroke) -> Stroke {
    Stroke {
        until: Some(until),
        ..stroke
    }
}

fn wake_up(who: &Identity) -> WakeUp<'_> {
    WakeUp { who, date: DATE }
}

fn day_plan(who: &Identity, wake: u16) -> DayPlan<'_> {
    DayPlan {
        who,
        date: DATE,
        wake,
        appointments: &[],
        recalled: &[],
        known_places: &[],
        places: &[],
    }
}

fn hours<'a>(plan: &'a DayPlan<'a>, strokes: &'a [Stroke]) -> HourlySchedule<'a> {
    HourlySchedule { plan, strokes }
}

fn steps_of<'a>(who: &'a Identity, entry: &'a Entry) -> Decompose<'a> {
    Decompose {
        who,
        date: DATE,
        entry,
        before: None,
        after: None,
        reuse: true,
    }
}

fn written(answer: &Steps) -> Vec<(&str, u16)> {
    answer
        .steps
        .iter()
        .map(|step| (step.activity.as_str(), step.minutes))
        .collect()
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
    let plan = day_plan(&who, 360);
    let task = hours(&plan, &strokes);
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
    let strokes = [stroke(360, "gets up"), stroke(540, "opens the shop")];
    let plan = day_plan(&who, 360);
    let task = hours(&plan, &strokes);
    let mind = mind(
        Scripted::new(|_, _| Err(Fault::NoSuchModel)),
        Arc::new(Kept::default()),
    );
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let halted = futures_executor::block_on(asker.ask(&task)).unwrap_err();
    for part in [
        "hourly_schedule: scripted:one: status 404",
        "model retired",
        "name another model",
    ] {
        assert!(halted.reason.contains(part), "{halted}");
    }
    assert!(asker.into_records().is_empty(), "nothing was decided");
}

/// 02: a limit met after the hour of getting up was bought; the same again costs no call for it.
#[test]
fn a_limit_between_two_questions_of_a_plan_buys_nothing_twice() {
    let who = riser_at_six("Tomas Varga");
    let strokes = [
        stroke(360, "gets up"),
        stroke(540, "opens the shop"),
        stroke(1_080, "cooks"),
    ];
    let ledger = Arc::new(Kept::default());
    let plan = |say: fn(usize, &ChatRequest) -> Result<String, Fault>| {
        let model = Scripted::new(say);
        let mind = mind(model.clone(), ledger.clone());
        let meanings = meanings();
        let asker = Asker::with_model(at(1), &meanings, &mind);
        let wake = futures_executor::block_on(asker.ask(&wake_up(&who)));
        let day = futures_executor::block_on(asker.ask(&hours(&day_plan(&who, 360), &strokes)));
        (wake, day, model.calls())
    };
    let (wake, day, calls) = plan(|turn, _| match turn {
        0 => Ok("06:10".to_owned()),
        _ => Err(Fault::Quota),
    });
    assert_eq!((wake.unwrap().minute, calls), (370, 2));
    assert!(day.unwrap_err().reason.contains("hourly_schedule"));
    // What failed is not kept, as by the run file.
    ledger.calls.lock().unwrap().retain(|call| call.reply.is_ok());
    let (wake, day, calls) = plan(|_, _| {
        let stretches = [
            ("00:00", "sleeping"),
            ("06:10", "getting up"),
            ("09:00", "working"),
            ("18:00", "cooking"),
        ];
        let lines = stretches.map(|(from, what)| format!("{from} - {what}"));
        Ok(lines.join("\n"))
    });
    assert_eq!(
        (wake.unwrap().minute, calls),
        (370, 1),
        "the hour is known already"
    );
    let minutes: u32 = day
        .unwrap()
        .entries()
        .iter()
        .map(|entry| u32::from(entry.minutes))
        .sum();
    assert_eq!(minutes, 1_440);
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
    let task = steps_of(&who, &entry);
    let list = " sorting seed packets (10 min, 50 left)\n2) watering trays (25 min, 25 left)\n3) resting\nLet me know if you need more!";
    let (answer, record) = ask(&task, &[list]);
    let steps = [
        ("sorting seed packets", 10),
        ("watering trays", 25),
        ("resting", 25),
    ];
    assert_eq!((written(&answer), record.fallback), (steps.to_vec(), None));
    let (answer, record) = ask(&task, &["asleep"]);
    assert_eq!((written(&answer), record.fallback), (vec![("asleep", 60)], None));
}

/// 06: one corrective call, not calls for ever; then a day out of the outline, with the ends that it says and
/// the night that it says.
#[test]
fn a_reply_that_never_fits_costs_two_calls_and_the_outline_stands() {
    let who = riser_at_six("林 秋");
    let chinese = [
        stroke(300, "起床"),
        until(390, stroke(330, "晨跑")),
        stroke(1_260, "睡觉"),
    ];
    let english = [
        stroke(300, "getting up"),
        until(390, stroke(330, "running along the quay")),
        stroke(1_260, "going to bed"),
    ];
    for (reply, wanted) in [
        ("5 点起床\n5:30-6:30 晨跑\n晚上 9 点睡觉", &chinese),
        ("5 点起床 / 5:30-6:30 晨跑 / 晚上 9 点睡觉", &chinese),
        (
            "5:00 am: gets up; 5:30 am to 6:30 am: runs along the quay; 9 pm: goes to bed",
            &english,
        ),
        (
            r#"[{"start": "05:00", "do": "gets up"}, {"start": "05:30", "end": "06:30", "do": "runs along the quay"}, {"start": "21:00", "do": "goes to bed"}]"#,
            &english,
        ),
    ] {
        let outline = day_plan(&who, 300);
        let (outline, record) = ask(&outline, &[reply]);
        assert_eq!(record.fallback, None, "{reply}");
        assert_eq!(outline.strokes, wanted, "{reply}");
        let table = "| 心情 | 天气 |\n|---|---|\n| 好 | 晴 |";
        let asked = asked(&hours(&day_plan(&who, 300), &outline.strokes), &[table]);
        assert_eq!(asked.requests.len(), 2);
        let correction = &asked.requests[1].turns[2].text;
        assert!(correction.contains("\"day\""), "{correction}");
        let blocks = &asked.answer.blocks;
        let at = |minute: u16| blocks.iter().rfind(|block| block.start <= minute).unwrap();
        let run = &wanted[1].activity;
        assert_eq!((at(330).start, &at(330).activity), (330, run), "{blocks:#?}");
        assert_eq!(at(390).start, 390, "the run ends when it is said to: {blocks:#?}");
        let others = blocks.iter().filter(|block| (390..1_260).contains(&block.start));
        assert!(
            others
                .clone()
                .all(|block| !block.asleep && block.activity != *run)
        );
        assert!(others.count() > 3, "the day goes on as usual: {blocks:#?}");
        assert!(at(1_260).asleep && at(1_260).start == 1_260, "{blocks:#?}");
        assert!(at(299).asleep && !at(300).asleep, "{blocks:#?}");
        let reason = asked.record.fallback.unwrap();
        assert_eq!(reason.matches("心情").count(), 1, "{reason}");
    }
}

/// 06: sleep by day is a nap, in any language.
#[test]
fn a_nap_in_an_outline_is_slept() {
    let who = riser_at_six("林 秋");
    for nap in ["午睡", "昼寝", "taking a nap"] {
        let strokes = [
            stroke(360, "gets up"),
            stroke(540, "mends nets"),
            until(840, stroke(780, nap)),
            stroke(960, "sells fish"),
            stroke(1_320, "goes to bed"),
        ];
        let plan = day_plan(&who, 360);
        let (answer, _) = ask(&hours(&plan, &strokes), &["no", "no"]);
        let naps: Vec<(u16, bool)> = answer
            .blocks
            .iter()
            .filter(|block| (541..960).contains(&block.start))
            .map(|block| (block.start, block.asleep))
            .collect();
        assert_eq!(naps[..2], [(780, true), (840, false)], "{:#?}", answer.blocks);
    }
}

/// 06: a table that does hold the schedule is one.
#[test]
fn a_schedule_in_a_table_is_a_schedule() {
    let who = somebody("林 秋");
    let strokes = [stroke(300, "起床"), stroke(330, "晨跑"), stroke(1_260, "睡觉")];
    let plan = day_plan(&who, 300);
    let task = hours(&plan, &strokes);
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
    let plan = day_plan(&who, 360);
    let task = hours(&plan, &strokes);
    let asked = asked(&task, &[r#"[{"activity":"sleep","hour":"06:00 AM"}]"#]);
    assert_eq!(asked.requests.len(), 2);
    assert!(asked.requests[0].shape.is_some(), "the schema goes along");
    assert!(asked.answer.blocks.iter().any(|b| !b.asleep && b.start == 540));
    let reason = asked.record.fallback.unwrap();
    assert!(reason.contains("start the day at 00:00"), "{reason}");
}

/// 08: unquoted names are read; a kind of step outside of the list changes nothing in silence.
#[test]
fn nearly_json_is_read_and_what_is_missing_is_said() {
    let who = somebody("Tomas Varga");
    let entry = hour("gardening");
    let task = steps_of(&who, &entry);
    let (_, record) = ask(&task, &["{steps: [{type: 'work-ish', minutes: 30,}]}"]);
    assert_eq!(record.mind, Answerer::Routine, "a step that does nothing is none");
    let (answer, record) = ask(
        &task,
        &["{steps: [{type: 'work-ish', do: 'weeding', minutes: 30,}, {do: 'raking', minutes: 30}]}"],
    );
    assert_eq!((answer.steps.len(), record.fallback), (2, None));
}

/// 10: a call that came to nothing leaves nothing behind that would spoil the next.
#[test]
fn a_turn_that_broke_off_leaves_no_trace_in_later_ones() {
    let who = riser_at_six("Wren Okafor");
    let model = Scripted::new(|turn, _| match turn {
        0 => Err(Fault::Timeout),
        _ => Ok("6:15".to_owned()),
    });
    let mind = mind(model.clone(), Arc::new(Kept::default()));
    let meanings = meanings();
    for step in 1..=4 {
        let asker = Asker::with_model(at(step), &meanings, &mind);
        let task = WakeUp {
            who: &who,
            date: Date::constant(2024, 6, step as i8),
        };
        let answer = futures_executor::block_on(asker.ask(&task)).unwrap();
        let record = asker.into_records().pop().unwrap();
        assert_eq!(record.fallback.is_some(), step == 1, "{:?}", record.fallback);
        assert!(step == 1 || answer.minute == 375);
    }
    let requests = model.asked.lock().unwrap();
    assert_eq!(requests.len(), 4);
    for request in &*requests {
        assert_eq!(request.turns.len(), 1, "each question stands alone: {request:?}");
        assert_eq!(request.turns[0].speaker, Speaker::User);
    }
}

/// 12: nothing in any field of one resident's action stops nobody, itself included.
#[test]
fn an_action_of_nothing_is_an_action_by_rule() {
    let cast = Cast::default();
    let nulls = r#"{"emoji": null, "state": null, "thing": null, "verb": null}"#;
    let whole = r#"{"emoji": "🔨", "state": "in use", "thing": "an oar", "verb": "mends"}"#;
    let of = |reply| {
        let task = ActionDetails {
            who: &cast.who,
            activity: "mending an oar",
            asleep: false,
            object: Some("workbench"),
        };
        ask(&task, &[reply])
    };
    for (agent, reply) in [(1, whole), (2, nulls), (3, whole)] {
        let (details, record) = of(reply);
        assert_eq!(record.fallback.is_some(), agent == 2, "{:?}", record.fallback);
        assert!(!details.emoji.is_empty() && !details.predicate.is_empty());
        assert!(!record.answer.contains("null"), "{}", record.answer);
    }
}

/// 13: reasoning is no answer.
#[test]
fn reasoning_before_around_and_without_an_answer() {
    let who = Identity {
        lifestyle: "works late, gets up around 8am".into(),
        ..somebody("Ngaio Reyes")
    };
    let task = wake_up(&who);
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
    let task = wake_up(&who);
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
    let task = wake_up(&unstated);
    assert_eq!(ask(&task, &["12:30"]).0.minute, 750);
}

/// 28: the persona stands once, nothing raw beside it, and prompts don't grow of themselves.
#[test]
fn a_long_persona_stands_once_and_prompts_stay_as_long_as_they_are() {
    let mut cast = Cast::default();
    let persona: Vec<String> = (0..500).map(|i| format!("word{i}")).collect();
    cast.who.background = persona.join(" ");
    let prompts = PromptSet::of("en").unwrap();
    struct Dump<'a> {
        prompts: &'a PromptSet,
        sizes: Vec<usize>,
    }
    impl samples::Visit for Dump<'_> {
        fn visit<T: Task>(&mut self, task: &T) {
            let (prompt, _) = self.prompts.prompt(task, Limits::NONE).unwrap();
            let whole = format!("{}\n{}", prompt.system, prompt.user);
            let times = whole.matches("word0 word1 ").count();
            assert!(times <= 1, "{}: {times} times", T::KIND.name());
            let is_example = |line: &str| {
                ["For example", "Or:", "- agreed"]
                    .iter()
                    .any(|start| line.starts_with(start))
            };
            for line in whole.lines().filter(|line| !is_example(line)) {
                let raw = ["{", "}", "MemoryId", "usage", "finish_reason", "role:"];
                assert!(
                    !raw.iter().any(|raw| line.contains(raw)),
                    "{}: {line}",
                    T::KIND.name()
                );
            }
            self.sizes.push(whole.len());
        }
    }
    let mut dumps = Vec::new();
    for _step in 0..5 {
        let mut dump = Dump {
            prompts: &prompts,
            sizes: Vec::new(),
        };
        samples::each_about(&cast, &mut dump);
        dumps.push(dump.sizes);
    }
    assert!(dumps.iter().all(|sizes| *sizes == dumps[0]), "{dumps:?}");
    // Day after day, too.
    let sizes: Vec<usize> = (3..8)
        .map(|day| {
            let date = Date::constant(2024, 6, day);
            let task = WakeUp { who: &cast.who, date };
            let (prompt, _) = prompts.prompt(&task, Limits::NONE).unwrap();
            prompt.system.len() + prompt.user.len()
        })
        .collect();
    let spread = sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
    assert!(spread < 8, "{sizes:?}");
}

/// 29: age and opinions stand in every prompt of a decision, also after any number of memories.
#[test]
fn identity_is_pinned_after_two_hundred_memories() {
    let mut cast = Cast {
        who: somebody("Ilse Brandt"),
        ..Cast::default()
    };
    cast.who.age = Some(43);
    cast.who.current = "Ilse Brandt holds that the levy must be 13 %.".into();
    let recalled = memories(200);
    let interview = Interview {
        who: &cast.who,
        now: GameTime::at(DATE, 600),
        summary: "",
        history: &[],
        question: "How old are you, and how high should the levy be?",
        recalled: &recalled,
        present: townsfolk_mind::tasks::Present::default(),
    };
    let reply = r#"{"answer": "I am 43, and the levy must be 13 %.", "used": []}"#;
    let asked = ask_within(&interview, &[reply], 2_400);
    assert_eq!(asked.answer.answer, "I am 43, and the levy must be 13 %.");
    assert!(
        asked.record.cut.memories > 0 && asked.record.cut.texts == 0,
        "{:?}",
        asked.record.cut
    );
    let system = &asked.requests[0].system;
    assert!(
        system.contains("Age: 43") && system.contains("levy must be 13 %"),
        "{system}"
    );

    struct Pinned(PromptSet);
    impl samples::Visit for Pinned {
        fn visit<T: Task>(&mut self, task: &T) {
            // What concerns nobody in person, what goes by what lasts of a person, and what is said of a text.
            let others = [
                TaskKind::ActionDetails,
                TaskKind::ObjectState,
                TaskKind::Decompose,
                TaskKind::ChoosePlace,
                TaskKind::Importance,
                TaskKind::InnerThought,
                TaskKind::Commitment,
            ];
            let (prompt, _) = self.0.prompt(task, Limits::NONE).unwrap();
            if !others.contains(&T::KIND) {
                let pinned = prompt.system.contains("Age: 43") && prompt.system.contains("13 %");
                assert!(pinned, "{}: {}", T::KIND.name(), prompt.system);
            }
        }
    }
    samples::each_about(&cast, &mut Pinned(PromptSet::of("en").unwrap()));
}

/// 35: asked five times, the decision stands apart from its wording each time.
#[test]
fn a_refusal_is_a_decision_apart_from_its_words() {
    let who = Identity {
        traits: "gruff, never lends tools".into(),
        ..somebody("Bram Holt")
    };
    let cast = Cast::default();
    let mut lines: Vec<Line> = Vec::new();
    for time in 1..=5 {
        lines.push(Line {
            speaker: cast.other.clone(),
            text: format!("For the {time}th time: could you lend me your saw?").into(),
            tells: Vec::new(),
            decision: None,
        });
        let task = next_line(&who, &cast, &lines);
        let reply = r#"{"answers": "no", "occasion": null, "on": "lending the saw", "say": "Bram: \"I'm so sorry, dear, but no.\"", "stops": false, "tells": [9], "why": "never lends tools"}"#;
        let asked = asked(&task, &[reply]);
        assert_eq!(asked.record.fallback, None);
        let sent = &asked.requests[0];
        assert!(sent.system.contains("never lends tools"));
        assert!(sent.turns[0].text.contains(&format!("For the {time}th time")));
        let said = asked.answer;
        assert_eq!(said.text, "I'm so sorry, dear, but no.");
        let decision = said.decision.clone().unwrap();
        assert!(!decision.accept, "kind words lend no saw");
        assert_eq!(
            (decision.on.as_str(), decision.reason.as_str()),
            ("lending the saw", "never lends tools")
        );
        assert_eq!(said.tells, Vec::<usize>::new(), "there is no ninth memory");
        lines.push(Line {
            speaker: who.name.clone(),
            text: said.text.into(),
            tells: Vec::new(),
            decision: said.decision,
        });
    }
    let refused = lines.iter().filter_map(|line| line.decision.as_ref());
    assert_eq!(refused.filter(|decision| !decision.accept).count(), 5);
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
    // By rule, one cooks at the stove.
    for unknown in [
        "kitchen",
        "moon base",
        r#"{"place": 77}"#,
        r#"{"place": "kitchen"}"#,
    ] {
        assert_eq!(chosen(unknown), (5, false), "{unknown}");
    }
    let (answer, record) = ask(&task, &["kitchen", "moon base"]);
    let reason = record.fallback.unwrap();
    assert_eq!((answer.place.index(), record.calls), (5, 2));
    assert!(
        reason.contains("kitchen") && reason.contains("moon base"),
        "{reason}"
    );
}

/// 53: a window of 2,048 tokens, 300 memories and a biography of 900 words.
#[test]
fn nothing_is_sent_that_is_longer_than_the_window() {
    let mut who = somebody("Mara Ilves");
    who.background = "She knows the lake, everyone and every boat here. ".repeat(100);
    assert_eq!(who.background.split_whitespace().count(), 900);
    let recalled = memories(300);
    let task = ReviseIdentity {
        who: &who,
        date: DATE,
        recalled: &recalled,
    };
    let reply = r#"{"text": "Mara Ilves thinks of the lake."}"#;
    let Asked { record, requests, .. } = ask_within(&task, &[reply], 2_048);
    assert_eq!(record.fallback, None);
    let cut = &record.cut;
    assert!(cut.memories >= 290 && cut.texts >= 1, "{cut:?}");
    assert_eq!(
        cut.to_string(),
        format!(
            "{} memories left out, {} texts shortened",
            cut.memories, cut.texts
        )
    );
    let tokens = townsfolk_model::estimate_prompt_tokens(&requests[0]) + requests[0].max_tokens;
    assert!(tokens <= 2_048, "{tokens}");
    let shown = &requests[0].turns[0].text;
    assert!(shown.contains("memory number 0 "), "the best one stays");
    assert!(!shown.contains("memory number 299 "), "the worst goes first");
}

/// 53: where nothing fits, nothing is sent, and the record says why.
#[test]
fn a_window_too_small_for_anything_is_said() {
    let who = somebody("Mara Ilves");
    let task = wake_up(&who);
    let Asked { record, requests, .. } = ask_within(&task, &["6"], 128);
    assert_eq!(requests.len(), 0);
    let reason = record.fallback.unwrap();
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
        dimensions: 2,
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
        known: false,
    };
    (0..count).map(memory).collect()
}

fn next_line<'a>(who: &'a Identity, cast: &'a Cast, lines: &'a [Line]) -> NextLine<'a> {
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
        called_off: &[],
    }
}

/// Every task's schema can be demanded strictly: all fields required, no other allowed.
#[test]
fn schemas_are_strict() {
    struct Strict;
    impl samples::Visit for Strict {
        fn visit<T: Task>(&mut self, task: &T) {
            let requests = asked(task, &["x"]).requests;
            let shape = requests[0].shape.as_ref().unwrap();
            assert_eq!(shape.name, T::KIND.name());
            check(&shape.schema, T::KIND.name());
        }
    }
    fn check(schema: &serde_json::Value, task: &str) {
        let Some(object) = schema.as_object() else { return };
        assert!(
            !["$ref", "$defs", "oneOf"]
                .iter()
                .any(|key| object.contains_key(*key)),
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
        for part in object
            .get("anyOf")
            .and_then(|parts| parts.as_array())
            .into_iter()
            .flatten()
        {
            check(part, task);
        }
    }
    samples::each(&mut Strict);
}
