//! What comes to mind when: the behaviours that people notice.

use crate::common::*;
use townsfolk_memory::*;

const EAST: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
const NORTH: [f32; 4] = [0.0, 1.0, 0.0, 0.0];

/// Three memories alike but for the hour, 08:00, 09:00 and 10:00.
fn three_hours() -> MemoryStream {
    let mut stream = empty(VectorFormat::Int8);
    for clock in ["08:00", "09:00", "10:00"] {
        stream
            .add(saw(at(clock), "the ferry leaves"), &vector(EAST))
            .unwrap();
    }
    stream
}

#[test]
fn the_freshest_of_equals_comes_to_mind_except_as_the_2023_code_has_it() {
    let stream = three_hours();
    let east = vector(EAST);
    for (retrieval, expected) in [
        (Retrieval::paper(), [2, 1, 0]),
        (Retrieval::langchain(), [2, 1, 0]),
        (Retrieval::plain(), [2, 1, 0]),
        (Retrieval::reference(), [0, 1, 2]),
    ] {
        let found = stream.peek(&Query::new(&east, at("10:05"), 3, &retrieval));
        assert_eq!(positions(&found), expected, "{retrieval:?}");
    }
}

#[test]
fn recency_fades_by_the_game_hour_since_last_access() {
    let mut stream = three_hours();
    let east = vector(EAST);
    let retrieval = Retrieval {
        relevance: 0.0,
        importance: 0.0,
        ..Retrieval::plain()
    };
    let found = stream.peek(&Query::new(&east, at("12:00"), 1, &retrieval));
    assert!((found[0].score - 0.99f64.powi(2)).abs() < 1e-15);

    // To be remembered refreshes: the oldest, found alone, is the freshest afterwards.
    let first_only = Filter {
        up_to: Some(MemoryId::from_index(0)),
        ..Filter::default()
    };
    let paper = Retrieval::paper();
    stream.retrieve(&Query::new(&east, at("11:00"), 1, &paper).with_filter(first_only));
    let found = stream.peek(&Query::new(&east, at("12:00"), 3, &paper));
    assert_eq!(positions(&found), [0, 2, 1]);
    let first = stream.get(MemoryId::from_index(0)).unwrap();
    assert_eq!((first.last_accessed, first.access_count), (at("11:00"), 1));
}

#[test]
fn the_clock_of_the_caller_is_the_only_clock() {
    let stream = three_hours();
    let east = vector(EAST);
    let plain = Retrieval::plain();
    let recency_after_turns = |seconds_per_turn: i64, turns: i64| {
        let now = at("10:00") + turns * seconds_per_turn;
        stream.peek(&Query::new(&east, now, 1, &plain))[0].recency
    };
    let (hour, day) = (3_600, 86_400);
    assert!((recency_after_turns(hour, 3) - 0.99f64.powi(3)).abs() < 1e-12);
    assert!((recency_after_turns(day, 3) - 0.99f64.powi(72)).abs() < 1e-12);
    // However often a paused run is asked, nothing has aged.
    assert_eq!(recency_after_turns(0, 1), 1.0);
    assert_eq!(recency_after_turns(0, 1_000), 1.0);
}

#[test]
fn decay_of_one_never_fades_and_decay_of_zero_fades_at_once() {
    let stream = three_hours();
    let east = vector(EAST);
    let recencies = |preset: Retrieval, decay| {
        let retrieval = Retrieval { decay, ..preset };
        let found = stream.peek(&Query::new(&east, at("10:00"), 3, &retrieval));
        found
            .iter()
            .map(|one| (one.id.index(), one.recency))
            .collect::<Vec<_>>()
    };
    assert_eq!(recencies(Retrieval::plain(), 1.0), [(2, 1.0), (1, 1.0), (0, 1.0)]);
    assert_eq!(recencies(Retrieval::plain(), 0.0), [(2, 1.0), (1, 0.0), (0, 0.0)]);
    assert_eq!(recencies(Retrieval::paper(), 1.0), [(2, 0.5), (1, 0.5), (0, 0.5)]);
    assert_eq!(recencies(Retrieval::paper(), 0.0), [(2, 1.0), (1, 0.0), (0, 0.0)]);
}

#[test]
fn a_vector_without_direction_is_the_least_relevant_and_harms_no_other() {
    let embeddings = [
        EAST,
        [0.0; 4],
        NORTH,
        [f32::NAN, 1.0, 0.0, 0.0],
        [f32::INFINITY; 4],
        [-1.0, 0.1, 0.0, 0.0],
    ];
    for format in [VectorFormat::Int8, VectorFormat::Float32] {
        let mut stream = empty(format);
        for embedding in embeddings {
            stream.add(saw(at("08:00"), "…"), &vector(embedding)).unwrap();
        }
        for preset in [Preset::Paper, Preset::Reference, Preset::Langchain, Preset::Plain] {
            let retrieval = Retrieval {
                recency: 0.0,
                importance: 0.0,
                ..preset.into()
            };
            let east = vector(EAST);
            let found = stream.peek(&Query::new(&east, at("09:00"), 6, &retrieval));
            let (directed, without): (Vec<&Retrieved>, Vec<&Retrieved>) =
                found.iter().partition(|one| [0, 2, 5].contains(&one.id.index()));
            let least = directed
                .iter()
                .map(|one| one.relevance)
                .fold(f64::INFINITY, f64::min);
            assert!(
                without.iter().all(|one| one.relevance <= least),
                "{format:?} {preset:?} {found:?}"
            );
            assert_eq!(found[0].id.index(), 0);
            let nothing = vector([0.0; 4]);
            let found = stream.peek(&Query::new(&nothing, at("09:00"), 6, &retrieval));
            assert!(found.iter().all(|one| one.relevance == found[0].relevance));
        }
    }
}

#[test]
fn a_query_of_other_dimensions_asks_about_nothing() {
    let stream = three_hours();
    let short = Embedding::from_f32(&[1.0, 0.0]);
    let found = stream.peek(&Query::new(&short, at("10:05"), 3, &Retrieval::paper()));
    assert_eq!(positions(&found), [2, 1, 0]);
    assert!(found.iter().all(|one| one.relevance == 0.5));
}

#[test]
fn an_empty_stream_an_empty_wish_and_a_closed_filter_give_nothing() {
    let east = vector(EAST);
    let nobody = Filter {
        kinds: Kinds::NONE,
        ..Filter::default()
    };
    for preset in [Preset::Paper, Preset::Reference, Preset::Langchain, Preset::Plain] {
        let retrieval = Retrieval::from(preset);
        let query = Query::new(&east, at("10:05"), 3, &retrieval);
        assert_eq!(empty(VectorFormat::Int8).peek(&query), []);
        assert_eq!(
            three_hours().peek(&Query {
                count: 0,
                ..query.clone()
            }),
            []
        );
        assert_eq!(three_hours().peek(&query.with_filter(nobody)), []);
    }
}

#[test]
fn an_interview_about_the_past_sees_only_the_past() {
    let stream = three_hours();
    let (east, paper) = (vector(EAST), Retrieval::paper());
    let then = Filter {
        created_by: Some(at("09:00")),
        ..Filter::default()
    };
    let found = stream.peek(&Query::new(&east, at("09:00"), 9, &paper).with_filter(then));
    assert_eq!(positions(&found), [1, 0]);
}

#[test]
fn expired_and_idle_memories_are_kept_but_may_be_skipped() {
    let mut stream = empty(VectorFormat::Int8);
    let east = vector(EAST);
    let until_noon = NewMemory {
        expires: Some(at("12:00")),
        ..saw(at("08:00"), "the bakery is open")
    };
    stream.add(until_noon, &east).unwrap();
    stream.add(saw(at("08:00"), "the oven is idle"), &east).unwrap();
    let paper = Retrieval::paper();
    let found = |clock, filter| {
        let mut found = positions(&stream.peek(&Query::new(&east, at(clock), 9, &paper).with_filter(filter)));
        found.sort();
        found
    };
    assert_eq!(found("11:59", Filter::default()), [0, 1]);
    assert_eq!(found("12:00", Filter::default()), [1]);
    assert_eq!(
        found(
            "12:00",
            Filter {
                skip_expired: false,
                ..Filter::default()
            }
        ),
        [0, 1]
    );
    assert_eq!(
        found(
            "11:59",
            Filter {
                skip_idle: true,
                ..Filter::default()
            }
        ),
        [0]
    );
    assert_eq!(found("12:00", Filter::reference()), [0]);
}

#[test]
fn settings_that_make_no_sense_still_give_an_answer() {
    let stream = three_hours();
    let east = vector(EAST);
    for preset in [Preset::Paper, Preset::Reference, Preset::Langchain, Preset::Plain] {
        for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -7.0] {
            let weights = Retrieval {
                recency: nonsense,
                relevance: nonsense,
                ..preset.into()
            };
            let retrieval = Retrieval {
                decay: nonsense,
                ..weights
            };
            assert!(retrieval.check().is_err());
            let found = stream.peek(&Query::new(&east, at("10:05"), 3, &retrieval));
            assert_eq!(found.len(), 3);
        }
    }
}

#[test]
fn storing_a_reflection_does_not_start_another() {
    let mut stream = empty(VectorFormat::Int8);
    let mut trigger = ReflectionTrigger::new(10);
    let mut reflections = 0;
    let mut add = |kind, trigger: &mut ReflectionTrigger| {
        let memory = NewMemory {
            kind,
            importance: 9,
            ..saw(at("08:00"), "a quarrel at the quay")
        };
        let id = stream.add(memory, &vector(EAST)).unwrap();
        trigger.observe(stream.get(id).unwrap());
    };
    for _ in 0..2 {
        add(MemoryKind::Observation, &mut trigger);
        while trigger.due() {
            reflections += 1;
            for _ in 0..5 {
                add(MemoryKind::Reflection, &mut trigger);
            }
            trigger.reset();
            add(MemoryKind::Plan, &mut trigger);
        }
    }
    assert_eq!(reflections, 1);
    assert_eq!((trigger.remaining(), trigger.observed()), (10, 0));

    let mut at_every_turn = ReflectionTrigger::new(0);
    assert!(!at_every_turn.due(), "nothing happened yet");
    add(MemoryKind::Conversation, &mut at_every_turn);
    assert!(at_every_turn.due());
}
