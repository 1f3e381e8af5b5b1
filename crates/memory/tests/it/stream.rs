//! What the stream promises to whoever keeps it: whole additions, look-ups in any script, a faithful
//! way to storage and back.

use crate::common::*;
use proptest::prelude::*;
use townsfolk_memory::*;

#[test]
fn a_failed_addition_leaves_no_ghost() {
    let mut stream = empty(VectorFormat::Int8);
    let texts = ["dawn", "bread", "a letter", "rain", "lamps"];
    let good = vector([1.0, 0.0, 0.0, 0.0]);
    let broken = Embedding::from_f32(&[1.0, 0.0]);

    let add = |stream: &mut MemoryStream, broken_at: Option<usize>| {
        texts
            .iter()
            .enumerate()
            .skip(stream.len())
            .try_for_each(|(i, text)| {
                let memory = NewMemory {
                    keywords: vec!["day".into()],
                    ..saw(at("08:00"), text)
                };
                let embedding = if broken_at == Some(i) { &broken } else { &good };
                stream.add(memory, embedding).map(drop)
            })
    };
    let refusal = add(&mut stream, Some(2)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "memory #2: its embedding has 2 dimensions, but this stream keeps 4 (embedder \"test\"); \
         embed with that one, or embed the whole stream anew"
    );
    assert_eq!(stream.len(), 2);

    add(&mut stream, None).unwrap();
    let kept: Vec<_> = stream
        .iter()
        .map(|memory| (memory.id.index(), &*memory.text))
        .collect();
    assert_eq!(kept, texts.into_iter().enumerate().collect::<Vec<_>>());
    let newest_first: Vec<_> = stream.with_keyword("day").map(MemoryId::index).collect();
    assert_eq!(newest_first, [4, 3, 2, 1, 0]);
    let found = stream.peek(&Query::new(&good, at("09:00"), 9, &Retrieval::paper()));
    assert_eq!(positions(&found), [4, 3, 2, 1, 0]);
}

#[test]
fn what_makes_no_sense_is_refused_and_named() {
    let mut stream = empty(VectorFormat::Int8);
    let embedding = vector([1.0, 0.0, 0.0, 0.0]);
    let mut refusal = |memory| stream.add(memory, &embedding).unwrap_err().to_string();

    let itself = NewMemory {
        evidence: vec![MemoryId::from_index(0)],
        ..saw(at("08:00"), "rain")
    };
    assert_eq!(
        refusal(itself),
        "memory #0: its evidence #0 is not an earlier memory of this stream"
    );
    for importance in [0, 11] {
        let memory = NewMemory {
            importance,
            ..saw(at("08:00"), "rain")
        };
        assert_eq!(
            refusal(memory),
            format!("memory #0: importance {importance} is outside 1 to 10")
        );
    }
    assert!(stream.is_empty());
}

#[test]
fn depth_counts_conclusions_drawn_from_conclusions() {
    let mut stream = empty(VectorFormat::Int8);
    let mut add = |kind, evidence: &[u32]| {
        let evidence = evidence.iter().copied().map(MemoryId::from_index).collect();
        let memory = NewMemory {
            kind,
            evidence,
            ..saw(at("08:00"), "…")
        };
        let id = stream.add(memory, &vector([1.0; 4])).unwrap();
        stream.get(id).unwrap().depth
    };
    assert_eq!(add(MemoryKind::Observation, &[]), 0);
    assert_eq!(add(MemoryKind::Reflection, &[0]), 1);
    assert_eq!(add(MemoryKind::Plan, &[1]), 0);
    assert_eq!(add(MemoryKind::Reflection, &[0, 1, 2]), 2);
    assert_eq!(add(MemoryKind::Reflection, &[]), 1);
}

#[test]
fn look_ups_ignore_case_in_any_script_and_give_the_newest_first() {
    let mut stream = empty(VectorFormat::Int8);
    let people = [
        ("Zoë O'Neill-Ångström", "林 秋"),
        ("林 秋", "林 秋"),
        ("ΝΊΚΗ", "zoë o'neill-ångström"),
    ];
    for (subject, object) in people {
        let triple = Triple::new(subject, "greet", object);
        let keywords = vec!["Straßenfest".into(), object.into(), object.to_uppercase().into()];
        let memory = NewMemory {
            keywords,
            triple,
            ..saw(at("08:00"), "a greeting")
        };
        stream.add(memory, &vector([1.0; 4])).unwrap();
    }
    let about = |name: &str| stream.about(name).map(MemoryId::index).collect::<Vec<_>>();
    assert_eq!(about("ZOË O'NEILL-ÅNGSTRÖM"), [2, 0]);
    assert_eq!(about("林 秋"), [1, 0]);
    assert_eq!(about("νίκη"), [2]);
    assert_eq!(about("Zoë"), [0; 0]);
    let keyword = |word: &str| stream.with_keyword(word).map(MemoryId::index).collect::<Vec<_>>();
    assert_eq!(keyword("straßenfest"), [2, 1, 0]);
    assert_eq!(keyword("林 秋"), [1, 0]);
}

#[test]
fn the_latest_of_a_kind_come_newest_first() {
    let mut stream = empty(VectorFormat::Int8);
    use MemoryKind::{Conversation, Observation, Plan};
    for kind in [Plan, Observation, Plan, Observation, Plan] {
        stream
            .add(
                NewMemory {
                    kind,
                    ..saw(at("08:00"), "…")
                },
                &vector([1.0; 4]),
            )
            .unwrap();
    }
    let latest = |kind, count| {
        stream
            .latest(kind, count)
            .map(|memory| memory.id.index())
            .collect::<Vec<_>>()
    };
    assert_eq!(latest(Plan, 2), [4, 2]);
    assert_eq!(latest(Plan, 9), [4, 2, 0]);
    assert_eq!(latest(Conversation, 9), [0; 0]);
}

#[test]
fn another_embedder_is_refused_even_with_the_same_dimensions() {
    struct Other(&'static str, usize);
    impl Embedder for Other {
        fn name(&self) -> &str {
            self.0
        }
        fn dimensions(&self) -> usize {
            self.1
        }
        fn embed(&self, text: &str) -> Embedding {
            Embedding::from_codes(&vec![text.len() as i8; self.1])
        }
    }
    let settings = StreamSettings::for_embedder(&Other("words:1f0c", 768));
    assert_eq!(settings.check_embedder(&Other("words:1f0c", 768)), Ok(()));
    for other in [Other("words:1f0c", 1_536), Other("letters:99ab", 768)] {
        let refusal = settings.check_embedder(&other).unwrap_err().to_string();
        assert!(
            refusal.contains("words:1f0c") && refusal.contains("embed the whole stream anew"),
            "{refusal}"
        );
    }
}

#[test]
fn a_damaged_store_is_refused_and_the_place_named() {
    let mut stream = empty(VectorFormat::Float32);
    for text in ["dawn", "bread"] {
        stream
            .add(saw(at("08:00"), text), &vector([1.0, 2.0, 3.0, 4.0]))
            .unwrap();
    }
    let stored = export(&stream);
    let refusal = |damage: fn(&mut Vec<(Memory, Vec<u8>)>)| {
        let mut stored = stored.clone();
        damage(&mut stored);
        MemoryStream::rebuild(stream.settings().clone(), stored)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(|stored| drop(stored.remove(0))),
        "stored memories: expected memory #0 next, found #1; read them in id order"
    );
    assert_eq!(
        refusal(|stored| stored[1].1.truncate(7)),
        "memory #1: its stored vector has 7 bytes instead of 16"
    );
    assert_eq!(
        refusal(|stored| stored[1].0.depth = 3),
        "memory #1: stored depth 3, but its kind and evidence give 0"
    );
    assert_eq!(
        refusal(|stored| stored[0].0.evidence = vec![MemoryId::from_index(1)]),
        "memory #0: its evidence #1 is not an earlier memory of this stream"
    );
    assert_eq!(
        refusal(|stored| stored[1].0.importance = 0),
        "memory #1: importance 0 is outside 1 to 10"
    );
}

proptest! {
    #[test]
    fn a_refused_memory_changes_nothing(
        mut stream in any_stream(12),
        (memory, embedding) in any_new_memory(),
        fault in 0..4,
    ) {
        let before = format!("{stream:?}");
        let missing = MemoryId::from_index(stream.len() as u32);
        let outcome = match fault {
            0 => stream.add(memory, &Embedding::from_f32(&[1.0])),
            1 => stream.add(NewMemory { importance: 0, ..memory }, &embedding),
            2 => stream.add(NewMemory { evidence: vec![missing], ..memory }, &embedding),
            _ => {
                let one_too_many = vec![Access { last_accessed: at("08:00"), access_count: 1 }; stream.len() + 1];
                stream.set_accesses(&one_too_many).map(|()| missing)
            }
        };
        prop_assert!(outcome.is_err());
        prop_assert_eq!(format!("{stream:?}"), before);
    }

    #[test]
    fn a_stream_comes_back_from_storage_as_it_was(
        stream in any_stream(25),
        embedding in any_embedding(),
        retrieval in any_retrieval(),
    ) {
        let text = serde_json::to_string(&export(&stream)).unwrap();
        let stored: Vec<(Memory, Vec<u8>)> = serde_json::from_str(&text).unwrap();
        let mut rebuilt = MemoryStream::rebuild(stream.settings().clone(), stored).unwrap();
        prop_assert_eq!(format!("{rebuilt:?}"), format!("{stream:?}"));

        let query = Query::new(&embedding, at("08:00"), 10, &retrieval);
        let mut stream = stream;
        prop_assert_eq!(rebuilt.retrieve(&query), stream.retrieve(&query));
    }

    #[test]
    fn a_checkpoint_brings_access_back(stream in any_stream(25), embedding in any_embedding()) {
        let mut later = stream.clone();
        later.retrieve(&Query::new(&embedding, at("08:00"), 10, &Retrieval::paper()));
        let checkpoint: Vec<Access> = later.accesses().collect();
        let mut restored = stream;
        restored.set_accesses(&checkpoint).unwrap();
        prop_assert_eq!(format!("{restored:?}"), format!("{later:?}"));
    }
}

fn export(stream: &MemoryStream) -> Vec<(Memory, Vec<u8>)> {
    stream
        .iter()
        .map(|memory| (memory.clone(), stream.vector(memory.id).unwrap()))
        .collect()
}
