//! Shared by the test files: invented residents' memories and short ways to write them.

use proptest::prelude::*;
use townsfolk_memory::*;
use townsfolk_time::GameTime;

/// Numbers per vector in these tests.
pub(crate) const DIMENSIONS: usize = 4;

/// An empty stream for [`DIMENSIONS`].
pub(crate) fn empty(format: VectorFormat) -> MemoryStream {
    MemoryStream::new(StreamSettings {
        format,
        ..StreamSettings::new("test", DIMENSIONS)
    })
}

/// A clock time on 13 February 2023.
pub(crate) fn at(clock: &str) -> GameTime {
    format!("2023-02-13 {clock}").parse().unwrap()
}

/// An observation of importance 5.
pub(crate) fn saw(created: GameTime, text: &str) -> NewMemory {
    NewMemory::observation(created, Triple::new("林 秋", "see", text), text, 5)
}

/// An embedding of [`DIMENSIONS`] numbers.
pub(crate) fn vector(numbers: [f32; DIMENSIONS]) -> Embedding {
    Embedding::from_f32(&numbers)
}

/// What was found, as positions in the stream.
pub(crate) fn positions(found: &[Retrieved]) -> Vec<usize> {
    found.iter().map(|one| one.id.index()).collect()
}

/// A memory to add and its vector. Small ranges, so that equal scores are common; vectors without a
/// direction among them.
pub(crate) fn any_new_memory() -> impl Strategy<Value = (NewMemory, Embedding)> {
    (
        prop::sample::select(MemoryKind::ALL.to_vec()),
        0i64..40,
        prop::option::of(0i64..60),
        prop::sample::select(vec![
            "Zoë O'Neill-Ångström is idle",
            "林 秋 waters the plum tree",
            "rain",
        ]),
        1u8..=10,
        any_embedding(),
    )
        .prop_map(|(kind, created, expires, text, importance, embedding)| {
            let hours = |hours: i64| GameTime::from_seconds(hours * 1_800);
            let memory = saw(hours(created), text);
            (
                NewMemory {
                    kind,
                    expires: expires.map(hours),
                    importance,
                    ..memory
                },
                embedding,
            )
        })
}

/// An embedding of small whole numbers, sometimes zero or not finite.
pub(crate) fn any_embedding() -> impl Strategy<Value = Embedding> {
    let number = || prop_oneof![9 => (-2i8..=2).prop_map(f32::from), 1 => Just(f32::NAN)];
    prop_oneof![
        4 => prop::array::uniform4((-2i8..=2).prop_map(f32::from)),
        1 => prop::array::uniform4(number()),
    ]
    .prop_map(vector)
}

/// A stream of up to `most` memories, some of them accessed.
pub(crate) fn any_stream(most: usize) -> impl Strategy<Value = MemoryStream> {
    let formats = prop::sample::select(vec![VectorFormat::Int8, VectorFormat::Float32]);
    let memories = prop::collection::vec((any_new_memory(), prop::option::of(0i64..50)), 0..most);
    (formats, memories).prop_map(|(format, memories)| {
        let mut stream = empty(format);
        let mut accesses = Vec::new();
        for ((memory, embedding), accessed) in memories {
            let created = memory.created;
            stream.add(memory, &embedding).unwrap();
            accesses.push(match accessed {
                Some(hours) => Access {
                    last_accessed: created + hours * 1_800,
                    access_count: 3,
                },
                None => Access {
                    last_accessed: created,
                    access_count: 0,
                },
            });
        }
        stream.set_accesses(&accesses).unwrap();
        stream
    })
}

/// Any preset with any sensible numbers.
pub(crate) fn any_retrieval() -> impl Strategy<Value = Retrieval> {
    let presets = prop::sample::select(vec![
        Preset::Paper,
        Preset::Reference,
        Preset::Langchain,
        Preset::Plain,
    ]);
    let decay = prop_oneof![Just(0.0), Just(1.0), 0.5f64..0.9999];
    (
        presets,
        decay,
        -1.0f64..3.0,
        -1.0f64..3.0,
        -1.0f64..3.0,
        0usize..12,
    )
        .prop_map(
            |(preset, decay, recency, relevance, importance, nearest)| Retrieval {
                preset,
                decay,
                recency,
                relevance,
                importance,
                nearest,
            },
        )
}

/// Any filter.
pub(crate) fn any_filter() -> impl Strategy<Value = Filter> {
    (
        prop::sample::subsequence(MemoryKind::ALL.to_vec(), 0..=4),
        any::<bool>(),
        any::<bool>(),
        prop::option::of(0u32..30),
        prop::option::of(0i64..40),
    )
        .prop_map(|(kinds, skip_expired, skip_idle, up_to, created_by)| Filter {
            kinds: kinds.into_iter().collect(),
            skip_expired,
            skip_idle,
            up_to: up_to.map(MemoryId::from_index),
            created_by: created_by.map(|hours| GameTime::from_seconds(hours * 1_800)),
        })
}
