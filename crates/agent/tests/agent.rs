//! An agent without a town: it remembers, reflects once, talks with all that was said in mind, answers
//! from memory, and is the same after a restart.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use townsfolk_agent::{
    AgentError, Dialogue, Embedder, Embedding, Event, GameTime, GenerativeAgent, ManualClock, MemoryKind,
    Observation, Options, Persona, Settings, Surroundings,
};
use townsfolk_embed::BuiltIn;

fn clock() -> ManualClock {
    ManualClock::new("2024-06-03 08:00".parse::<GameTime>().unwrap())
}

fn surroundings(clock: &ManualClock) -> Surroundings {
    Surroundings::new(Arc::new(BuiltIn::get()), clock.clone())
}

fn persona(name: &str) -> Persona {
    Persona {
        age: Some(43),
        traits: "curious, direct".to_owned(),
        background: format!("{name} keeps the lighthouse."),
        ..Persona::new(name)
    }
}

fn threshold(reflection_threshold: u32) -> Options {
    Options {
        settings: Settings {
            reflection_threshold,
            ..Settings::paper()
        },
        ..Options::default()
    }
}

fn rated(text: &str, importance: u8) -> Observation {
    Observation {
        importance: Some(importance),
        ..text.into()
    }
}

/// Something that Tomas Varga does: seen often enough, it makes a habit.
fn tomas(text: &str, importance: u8) -> Observation {
    Observation {
        about: "Tomas Varga".to_owned(),
        ..rated(&format!("Tomas Varga {text}"), importance)
    }
}

const NEWS: [&str; 4] = [
    "Tomas Varga lent Ilse Brandt his boat for the summer",
    "Tomas Varga repaired the boat of Ilse Brandt",
    "The council wants to close the lighthouse in autumn",
    "Ilse Brandt wrote a letter to the council about the lighthouse",
];

#[test]
fn what_adds_up_is_concluded_once() {
    let clock = clock();
    let mut ilse = GenerativeAgent::new(persona("Ilse Brandt"), threshold(20), surroundings(&clock));
    let seen = ["mends a net", "paints his boat", "sells fish", "waters the roses"];
    let concluded: Vec<usize> = seen
        .map(|seen| ilse.add_memory(tomas(seen, 6)).unwrap().insights.len())
        .into();
    assert_eq!(concluded[..3], [0, 0, 0]);
    assert!(concluded[3] > 0, "four times is a habit");
    assert_eq!(ilse.importance_until_reflection(), 20);
}

#[test]
fn reflections_of_reflections_lie_deeper() {
    let clock = clock();
    let mut ilse = GenerativeAgent::new(persona("Ilse Brandt"), threshold(1_000), surroundings(&clock));
    let seen = ["mends a net", "paints his boat", "sells fish", "waters the roses"];
    ilse.add_memories(seen.map(|seen| tomas(seen, 6))).unwrap();
    let first = ilse.reflect().unwrap();
    assert!(!first.is_empty());
    clock.advance_minutes(60);
    ilse.add_memory(tomas("will come to the harvest supper", 8))
        .unwrap();
    ilse.reflect().unwrap();
    for memory in ilse.memory().iter().filter(|m| m.kind == MemoryKind::Reflection) {
        let deepest = memory
            .evidence
            .iter()
            .map(|e| ilse.memory().get(*e).unwrap().depth)
            .max();
        assert_eq!(memory.depth, deepest.unwrap() + 1);
    }
}

#[test]
fn a_restart_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [broken, whole] = ["broken.run", "whole.run"].map(|name| folder.path().join(name));
    let live = |path: &std::path::Path, restarts: bool| {
        let clock = clock();
        let mut ilse = Some(
            GenerativeAgent::create(path, persona("Ilse Brandt"), threshold(20), surroundings(&clock))
                .unwrap(),
        );
        let mut said = Vec::new();
        for news in NEWS {
            if restarts {
                drop(ilse.take());
                ilse = Some(GenerativeAgent::open(path, surroundings(&clock)).unwrap());
            }
            let ilse = ilse.as_mut().unwrap();
            clock.advance_minutes(25);
            ilse.add_memory(rated(news, 8)).unwrap();
            said.push(ilse.summarize_related_memories("Tomas Varga").unwrap());
            said.push(ilse.summary().unwrap());
            said.push(format!("{}", ilse.importance_until_reflection()));
            said.push(format!("{:?}", ilse.fetch_memories("the boat", 3).unwrap()));
        }
        said
    };
    let with_restarts = live(&broken, true);
    assert_eq!(with_restarts, live(&whole, false));
}

#[test]
fn a_talk_is_read_whole_by_both_and_remembered_by_both() {
    let clock = clock();
    let [mut ngaio, mut tomas] = ["Ngaio Rewi", "Tomas Varga"]
        .map(|name| GenerativeAgent::new(persona(name), Options::default(), surroundings(&clock)));
    let supper = "Ngaio Rewi is planning a lantern supper at the boathouse on June 5th, 2024 from 6pm to 9pm";
    ngaio.add_memory(rated(supper, 8)).unwrap();
    tomas
        .add_memory(rated("The ferry leaves every forty minutes", 7))
        .unwrap();

    let before = tomas
        .interview("What do you know about the lantern supper?", &[])
        .unwrap();
    assert!(!before.text.contains("boathouse"), "{}", before.text);

    let mut talk = Dialogue::new("Ngaio Rewi", "Tomas Varga");
    while !talk.is_over() {
        let speaker = if talk.lines().len().is_multiple_of(2) {
            &mut ngaio
        } else {
            &mut tomas
        };
        let reply = speaker.generate_dialogue_response(&mut talk).unwrap();
        assert_eq!(reply.ends, talk.is_over());
        clock.advance_seconds(20);
    }
    let lines: Vec<&str> = talk.lines().iter().map(|line| &*line.text).collect();
    assert!(
        lines.len() >= 2 && lines.len() < 16,
        "it ends by itself: {lines:#?}"
    );
    for (at, line) in lines.iter().enumerate() {
        assert!(
            !lines[..at].contains(line),
            "nobody repeats themselves: {lines:#?}"
        );
    }
    let over = ngaio.generate_dialogue_response(&mut talk).unwrap_err();
    assert!(matches!(over, AgentError::TalkIsOver { .. }));

    ngaio.remember_dialogue(&talk).unwrap();
    let kept = tomas.remember_dialogue(&talk).unwrap();
    let conversation = tomas.memory().get(kept[0]).unwrap();
    assert_eq!(conversation.kind, MemoryKind::Conversation);
    let after = tomas
        .interview("What do you know about the lantern supper?", &[])
        .unwrap();
    assert!(after.text.contains("boathouse"), "{}", after.text);
    assert!(!after.used.is_empty(), "and says from which memory");
}

#[test]
fn an_outsider_can_talk_with_an_agent() {
    let clock = clock();
    let mut ilse = GenerativeAgent::new(persona("Ilse Brandt"), Options::default(), surroundings(&clock));
    let mut talk = Dialogue::new("a reporter", "Ilse Brandt");
    talk.say("a reporter", "Good morning! Do you keep the lighthouse?")
        .unwrap();
    assert!(matches!(
        talk.say("a reporter", "Hello?"),
        Err(AgentError::NotInTurn { .. })
    ));
    assert!(matches!(
        talk.say("somebody else", "Hello?"),
        Err(AgentError::NotInTalk { .. })
    ));
    let reply = ilse.generate_dialogue_response(&mut talk).unwrap();
    assert!(!reply.text.trim().is_empty());
    talk.end();
    ilse.remember_dialogue(&talk).unwrap();
    assert!(
        ilse.memory()
            .iter()
            .any(|memory| memory.text.contains("a reporter"))
    );
}

#[test]
fn an_interview_leaves_no_trace() {
    let clock = clock();
    let mut ilse = GenerativeAgent::new(persona("Ilse Brandt"), Options::default(), surroundings(&clock));
    ilse.add_memories(NEWS).unwrap();
    clock.advance_minutes(10);
    let accesses: Vec<_> = ilse.memory().accesses().collect();
    let answer = ilse.interview("Who is Tomas Varga?", &[]).unwrap();
    assert!(answer.text.contains("boat"), "{}", answer.text);
    for used in &answer.used {
        assert_eq!(
            used.score,
            used.recency_part + used.relevance_part + used.importance_part
        );
    }
    let nobody = ilse.interview("Who is Kane Martinez?", &[]).unwrap();
    assert!(nobody.used.is_empty(), "nothing is known of him: {}", nobody.text);
    assert_eq!(ilse.memory().len(), 4);
    assert_eq!(ilse.memory().accesses().collect::<Vec<_>>(), accesses);
    assert!(matches!(
        ilse.interview(" ", &[]),
        Err(AgentError::Wordless { .. })
    ));
}

#[test]
fn what_is_seen_is_remembered_and_reacted_to() {
    let clock = clock();
    let mut ilse = GenerativeAgent::new(persona("Ilse Brandt"), Options::default(), surroundings(&clock));
    let event = Event::Thing {
        name: "stove".to_owned(),
        state: "burning".to_owned(),
    };
    let response = ilse.generate_reaction(&event, "painting").unwrap();
    assert_eq!(
        &*ilse.memory().get(response.memory).unwrap().text,
        "stove is burning"
    );
    let person = Event::Person {
        name: "Tomas Varga".to_owned(),
        doing: "mending a net".to_owned(),
    };
    let response = ilse.generate_reaction(&person, "painting").unwrap();
    let seen = ilse.memory().get(response.memory).unwrap();
    assert_eq!(&*seen.text, "Tomas Varga is mending a net");
}

/// The built-in embedder, which for a while gives vectors of another length.
#[derive(Default)]
struct Moody {
    broken: AtomicBool,
}

impl Embedder for Moody {
    fn name(&self) -> &str {
        BuiltIn::get().name()
    }

    fn dimensions(&self) -> usize {
        BuiltIn::get().dimensions()
    }

    fn embed(&self, text: &str) -> Embedding {
        if self.broken.load(Ordering::Relaxed) {
            return Embedding::from_codes(&[1, 2, 3]);
        }
        BuiltIn::get().embed(text)
    }
}

#[test]
fn what_fails_has_not_happened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moody.run");
    let clock = clock();
    let embedder = Arc::new(Moody::default());
    let surroundings = Surroundings::new(embedder.clone(), clock.clone());
    let mut ilse =
        GenerativeAgent::create(&path, persona("Ilse Brandt"), threshold(15), surroundings).unwrap();
    embedder.broken.store(true, Ordering::Relaxed);
    assert!(matches!(ilse.add_memories(NEWS), Err(AgentError::Mind(_))));
    assert_eq!((ilse.memory().len(), ilse.importance_until_reflection()), (0, 15));
    embedder.broken.store(false, Ordering::Relaxed);
    ilse.add_memory(rated(NEWS[0], 8)).unwrap();
    assert_eq!(ilse.importance_until_reflection(), 7);
    drop(ilse);
    let again = GenerativeAgent::open(&path, Surroundings::new(embedder, clock)).unwrap();
    assert_eq!(
        (again.memory().len(), again.importance_until_reflection()),
        (1, 7)
    );
}

#[test]
fn an_agents_file_is_a_run_in_which_everything_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ilse.run");
    let clock = clock();
    let mut ilse =
        GenerativeAgent::create(&path, persona("Ilse Brandt"), threshold(15), surroundings(&clock)).unwrap();
    for news in NEWS {
        ilse.add_memory(rated(news, 8)).unwrap();
        clock.advance_minutes(5);
    }
    ilse.close().unwrap();
    let run = townsfolk_store::RunReader::open(&path).unwrap();
    run.check().unwrap();
    let report = townsfolk_audit::audit(&run).unwrap();
    assert!(report.holds(), "{report:#?}");
}

#[test]
fn what_is_no_agents_file_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let town = folder.path().join("town.run");
    let stored = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/tests/runs/format-3.run");
    std::fs::copy(stored, &town).unwrap();
    let noise = folder.path().join("noise.run");
    std::fs::write(&noise, "no database").unwrap();
    for path in [town, noise] {
        let before = std::fs::read(&path).unwrap();
        let refused = GenerativeAgent::open(&path, surroundings(&clock()))
            .err()
            .unwrap();
        let of_a_town = matches!(&refused, AgentError::NotAnAgent { detail, .. } if detail.contains("town"));
        assert_eq!(of_a_town, path.ends_with("town.run"), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}
