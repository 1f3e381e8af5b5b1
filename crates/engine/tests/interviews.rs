//! Questions from outside: answers with what they rest on, and no trace.

mod common;

use common::row;
use townsfolk_engine::{Ablation, Engine, InterviewError, InterviewOptions, Recollection, interview};
use townsfolk_memory::MemoryKind;
use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::apart::KNOWS;
use townsfolk_mind::tasks::Exchange;
use townsfolk_town::Town;

fn evening() -> Engine {
    let mut engine = common::engine(row(), 1);
    while engine.advance(5_000).unwrap().is_some() {}
    engine
}

#[test]
fn an_answer_comes_with_the_memories_it_used_and_leaves_nothing_behind() {
    let engine = evening();
    let before: Vec<_> = engine.residents()[0].stream.accesses().collect();
    let options = InterviewOptions::default();
    let ask = |question: &str| interview(&engine, ResidentId(0), &[], question, &options).unwrap();
    let told = ask("What is happening at Lamp Cafe on June 4th?");
    assert!(told.answer.contains("supper"), "{}", told.answer);
    assert!(told.memories.iter().any(|m| m.used && m.text.contains("supper")));
    for pair in told.memories.windows(2) {
        assert!(pair[0].total >= pair[1].total, "best first");
    }
    for memory in &told.memories {
        assert_eq!(
            memory.total,
            memory.recency + memory.relevance + memory.importance
        );
    }
    assert!(!told.asked.is_empty());
    let after: Vec<_> = engine.residents()[0].stream.accesses().collect();
    assert_eq!(before, after, "not even an access");
    assert_eq!(
        ask("What is happening at Lamp Cafe on June 4th?"),
        told,
        "asked again it is the same"
    );
}

#[test]
fn an_ablation_leaves_kinds_out_and_nothing_leaves_only_who_one_is() {
    let engine = evening();
    let ask = |ablation| {
        let options = InterviewOptions {
            ablation,
            ..InterviewOptions::default()
        };
        interview(
            &engine,
            ResidentId(0),
            &[],
            "What are your plans for today?",
            &options,
        )
        .unwrap()
    };
    let kinds = |ablation| {
        let mut kinds: Vec<MemoryKind> = ask(ablation).memories.iter().map(|m| m.kind).collect();
        kinds.sort_unstable_by_key(|kind| *kind as u8);
        kinds.dedup();
        kinds
    };
    assert!(kinds(Ablation::None).contains(&MemoryKind::Plan));
    assert!(!kinds(Ablation::NoReflections).contains(&MemoryKind::Reflection));
    let neither = kinds(Ablation::NoReflectionsOrPlans);
    assert!(!neither.contains(&MemoryKind::Plan) && !neither.contains(&MemoryKind::Reflection));
    assert!(neither.contains(&MemoryKind::Observation));
    assert!(kinds(Ablation::Nothing).is_empty());
    assert!(!ask(Ablation::Nothing).answer.is_empty());
}

/// Asks everybody about people who do not exist.
fn nobody_invents(engine: &Engine) {
    for who in 0..engine.people().len() as u16 {
        for question in [
            "Who is Odalys Fenwright?",
            "Do you know Bartholomew Quince?",
            "What did Odalys Fenwright tell you?",
        ] {
            let options = InterviewOptions::default();
            let told = interview(engine, ResidentId(who), &[], question, &options).unwrap();
            let used: Vec<&str> = told
                .memories
                .iter()
                .filter(|m| m.used)
                .map(|m| &*m.text)
                .collect();
            assert!(used.is_empty(), "{question} {} {used:?}", told.answer);
            for claim in ["told me", "friend", "talked with"] {
                assert!(!told.answer.contains(claim), "{question} {}", told.answer);
            }
        }
    }
}

#[test]
fn nobody_invents_somebody_who_does_not_exist() {
    nobody_invents(&evening());
    // Both towns: the one that comes with Townsfolk, and the Ville where its data is there.
    let mut quay = common::engine(Town::bundled("osier_quay").unwrap(), 2);
    while quay.advance(900).unwrap().is_some() {}
    nobody_invents(&quay);
    let Some(ville) = common::smallville("base_the_ville_isabella_maria_klaus") else {
        return;
    };
    let mut ville = common::engine(ville, 2);
    while ville.advance(3_600).unwrap().is_some() {}
    nobody_invents(&ville);
}

#[test]
fn whomever_an_answer_names_is_named_by_what_it_rests_on() {
    let mut quay = common::engine(Town::bundled("osier_quay").unwrap(), 2);
    while quay.advance(4_000).unwrap().is_some() {}
    let names: Vec<String> = quay.people().iter().map(|p| p.name().to_string()).collect();
    let mut known = 0;
    for who in (0..names.len()).step_by(4) {
        let identity = &quay.residents()[who].life.identity;
        let about = names.iter().map(|name| format!("Who is {name}?"));
        let others = [
            "Who will come to the lantern supper?",
            "When is the lantern supper?",
            "What have you heard lately?",
            "Whom do you live with?",
            "Whom did you tell about the election?",
            "What did you do this morning?",
        ];
        for question in about.chain(others.map(str::to_owned)) {
            let id = ResidentId(who as u16);
            let told = interview(&quay, id, &[], &question, &InterviewOptions::default()).unwrap();
            let rests_on = |name: &str| {
                let memory = told
                    .memories
                    .iter()
                    .any(|m| m.used && (m.text.contains(name) || m.told_by.as_deref() == Some(name)));
                memory || identity.background.contains(name) || identity.current.contains(name)
            };
            for name in names
                .iter()
                .filter(|name| **name != *identity.name && told.answer.contains(name.as_str()))
            {
                let unknown = told.answer.contains("never heard of");
                assert!(unknown || rests_on(name), "{question}\n{}", told.answer);
                known += usize::from(!unknown);
            }
        }
    }
    assert!(known > 50, "residents know each other: {known}");
}

#[test]
fn a_question_must_say_something_and_somebody_must_be_asked() {
    let engine = evening();
    let history = [Exchange {
        question: "Hello?".to_owned(),
        answer: "Hello.".to_owned(),
    }];
    let options = InterviewOptions::default();
    let empty = interview(&engine, ResidentId(0), &history, " ", &options).unwrap_err();
    assert_eq!(empty, InterviewError::Empty);
    let nobody = interview(&engine, ResidentId(77), &history, "Hello?", &options).unwrap_err();
    assert_eq!(nobody, InterviewError::NoResident(77));
}

#[test]
fn the_present_and_the_plan_of_today_are_told_as_they_stand() {
    let engine = evening();
    let options = InterviewOptions::default();
    let ask = |question: &str| interview(&engine, ResidentId(0), &[], question, &options).unwrap();
    let life = &engine.residents()[0].life;
    let day = life.day.as_ref().unwrap();
    let plans = ask("What are your plans for today?");
    assert!(
        plans.memories.iter().all(|m| !m.used),
        "no memory of a plan: {}",
        plans.answer
    );
    let awake: Vec<_> = day.hours.entries().iter().filter(|e| !e.asleep).collect();
    let first = townsfolk_time::clock(awake[0].start);
    assert!(plans.answer.contains(&first), "{first}: {}", plans.answer);
    for entry in awake {
        let at = townsfolk_time::clock(entry.start);
        let told = ask(&format!("What are you doing at {at} today?")).answer;
        assert!(told.contains(&format!("at {at}")), "{at}: {told}");
    }
    for (question, says) in [
        ("Where are you?", "I am at "),
        ("Where do you live?", "I live at "),
        ("What are you doing right now?", "I am "),
        ("What day is it?", "It is "),
    ] {
        let told = ask(question).answer;
        assert!(told.starts_with(says), "{question}: {told}");
    }
}

#[test]
fn without_memory_a_resident_is_who_it_was_when_the_story_began() {
    let options = InterviewOptions {
        ablation: Ablation::Nothing,
        ..InterviewOptions::default()
    };
    let told = |engine: &Engine| {
        let ask = |who: usize, question| {
            interview(engine, ResidentId(who as u16), &[], question, &options)
                .unwrap()
                .answer
        };
        let questions = ["What is your occupation?", "What have you been thinking about?"];
        let everybody = 0..engine.people().len();
        everybody
            .flat_map(|who| questions.map(|question| ask(who, question)))
            .collect::<Vec<_>>()
    };
    let mut engine = common::engine(row(), 1);
    while engine.advance(1).unwrap().is_some() {}
    let before = told(&engine);
    while engine.advance(12_000).unwrap().is_some() {}
    let revised = engine.residents().iter().zip(engine.people());
    let mut revised = revised.filter(|(r, p)| r.life.identity.current != p.newcomer.identity.current);
    assert!(revised.next().is_some(), "a night has revised somebody");
    assert_eq!(told(&engine), before);
}

#[test]
fn a_question_about_a_stretch_of_time_is_answered_from_it() {
    let mut engine = common::engine(row(), 1);
    while engine.advance(12_000).unwrap().is_some() {}
    let options = InterviewOptions::default();
    let ask = |question: &str| interview(&engine, ResidentId(0), &[], question, &options).unwrap();
    let start: townsfolk_time::GameTime = "2024-06-03 06:00".parse().unwrap();
    for question in [
        "What happened yesterday?",
        "What did you do on Monday?",
        "昨天发生了什么？",
        "昨日、何がありましたか？",
    ] {
        let told = ask(question);
        assert_eq!(told.now.date(), start.date().tomorrow().unwrap());
        let used: Vec<_> = told.memories.iter().filter(|m| m.used).collect();
        assert!(used.len() > 2, "{question}: {}", told.answer);
        assert!(
            used.iter().all(|m| m.created.date() == start.date()),
            "{question}: {used:?}"
        );
        // What it knew as the story began did not happen then.
        let stream = &engine.residents()[0].stream;
        let known = |m: &&&Recollection| *stream.get(m.id).unwrap().triple.predicate == *KNOWS;
        assert_eq!(used.iter().find(known), None, "{question}");
    }
    let before = ask("What did you do two days ago?");
    assert!(before.memories.iter().all(|m| !m.used));
    assert_eq!(before.answer, "I can't call to mind anything from then.");
}

#[test]
fn whoever_lives_without_memory_answers_without_it() {
    let mut town = row();
    for resident in &mut town.residents {
        resident.settings.memory = false;
    }
    let mut engine = common::engine(town, 1);
    while engine.advance(5_000).unwrap().is_some() {}
    let ask = |as_lived| {
        let options = InterviewOptions {
            as_lived,
            ..InterviewOptions::default()
        };
        let question = "What is happening at Lamp Cafe on June 4th?";
        interview(&engine, ResidentId(0), &[], question, &options).unwrap()
    };
    let lived = ask(true);
    assert!(
        lived.without_memory && lived.memories.is_empty(),
        "{}",
        lived.answer
    );
    let file = ask(false);
    assert!(!file.without_memory && !file.memories.is_empty());
}
