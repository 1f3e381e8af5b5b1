//! Ranking against the formulas written out once more, slowly: every candidate scored, then sorted.

use crate::common::*;
use proptest::prelude::*;
use townsfolk_memory::*;
use townsfolk_time::GameTime;

proptest! {
    #[test]
    fn the_top_is_the_head_of_a_full_sort(
        stream in any_stream(40),
        embedding in any_embedding(),
        retrieval in any_retrieval(),
        filter in any_filter(),
        hours in 0i64..60,
        count in 0usize..50,
    ) {
        let now = GameTime::from_seconds(hours * 1_800);
        let query = Query { embedding: &embedding, now, count, retrieval: &retrieval, filter };
        let found = stream.peek(&query);
        let all = slowly(&stream, &query);
        prop_assert_eq!(found.len(), count.min(all.len()));
        // Tables and powers may differ in the last places, and scaling a narrow column widens that;
        // within it, order is free.
        let widened = retrieval.recency.abs() * 1e-11 / spread_of_recency(&stream, &query);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12 * (1.0 + a.abs()) + widened;
        for (rank, one) in found.iter().enumerate() {
            let (_, score) = *all.iter().find(|(id, _)| *id == one.id).expect("a candidate");
            prop_assert!(close(one.score, score), "{:?}: {} is not {}", one.id, one.score, score);
            prop_assert!(close(one.score, all[rank].1), "rank {rank}: {} is not {}", one.score, all[rank].1);
            prop_assert_eq!(one.score, one.recency + one.relevance + one.importance);
        }
        for pair in found.windows(2) {
            let falls = pair[0].score > pair[1].score;
            let newer_first = pair[0].score == pair[1].score && pair[0].id > pair[1].id;
            let plain = matches!(retrieval.preset, Preset::Paper | Preset::Plain);
            prop_assert!(falls || newer_first || (!plain && pair[0].score == pair[1].score));
        }
    }

    #[test]
    fn peeking_leaves_no_trace_and_retrieving_marks_exactly_what_it_returns(
        mut stream in any_stream(30),
        embedding in any_embedding(),
        retrieval in any_retrieval(),
        count in 0usize..20,
    ) {
        let query = Query::new(&embedding, GameTime::from_seconds(90_000), count, &retrieval);
        let before: Vec<Access> = stream.accesses().collect();
        let peeked = stream.peek(&query);
        prop_assert_eq!(stream.accesses().collect::<Vec<_>>(), before.clone());
        prop_assert_eq!(stream.retrieve(&query), peeked.clone());
        for (memory, before) in stream.iter().zip(before) {
            let returned = peeked.iter().any(|one| one.id == memory.id);
            let expected = if returned {
                Access { last_accessed: query.now, access_count: before.access_count + 1 }
            } else {
                before
            };
            prop_assert_eq!(memory.access(), expected);
        }
    }
}

/// How far apart the recencies of all memories lie, at least a little.
fn spread_of_recency(stream: &MemoryStream, query: &Query<'_>) -> f64 {
    let hours = |memory: &Memory| query.now.hours_since(memory.last_accessed).max(0.0);
    let recency = stream
        .iter()
        .map(|memory| query.retrieval.decay.powf(hours(memory)));
    let (least, most) = recency.fold((1.0f64, 0.0f64), |(least, most), x| (least.min(x), most.max(x)));
    (most - least).max(1e-9)
}

/// Every candidate with its score, best first.
fn slowly(stream: &MemoryStream, query: &Query<'_>) -> Vec<(MemoryId, f64)> {
    let Query {
        filter,
        retrieval,
        now,
        ..
    } = query;
    let memories: Vec<&Memory> = stream
        .iter()
        .filter(|memory| filter.kinds.contains(memory.kind))
        .filter(|memory| !(filter.skip_expired && memory.is_expired(*now)))
        .filter(|memory| !(filter.skip_idle && memory.text.contains("idle")))
        .filter(|memory| filter.up_to.is_none_or(|last| memory.id <= last))
        .filter(|memory| filter.created_by.is_none_or(|moment| memory.created <= moment))
        .collect();
    let cosine = |memory: &Memory| cosine(&stored(stream, memory.id), &asked(stream, query.embedding));
    let faded = |since: GameTime| retrieval.decay.powf(now.hours_since(since).max(0.0));
    let importance = |memory: &&Memory| f64::from(memory.importance);

    let mut candidates = memories.clone();
    let [recency, relevance, importance]: [Vec<f64>; 3] = match retrieval.preset {
        Preset::Paper => [
            scaled(candidates.iter().map(|memory| Some(faded(memory.last_accessed)))),
            scaled(candidates.iter().map(|memory| cosine(memory))),
            scaled(candidates.iter().map(|memory| Some(importance(memory)))),
        ],
        Preset::Reference => {
            candidates.sort_by_key(|memory| {
                (
                    memory.last_accessed,
                    memory.kind != MemoryKind::Observation,
                    std::cmp::Reverse(memory.id),
                )
            });
            let ranks = (1..=candidates.len()).map(|rank| Some(retrieval.decay.powf(rank as f64)));
            let hidden =
                |weight: f64, column: Vec<f64>| column.into_iter().map(move |x| x * weight).collect();
            [
                hidden(0.5, scaled(ranks)),
                hidden(3.0, scaled(candidates.iter().map(|memory| cosine(memory)))),
                hidden(
                    2.0,
                    scaled(candidates.iter().map(|memory| Some(importance(memory)))),
                ),
            ]
        }
        Preset::Langchain => {
            let mut nearest = memories.clone();
            nearest.sort_by(|a, b| {
                let nearness = |memory| cosine(memory).unwrap_or(f64::NEG_INFINITY);
                nearness(b).total_cmp(&nearness(a))
            });
            nearest.truncate(retrieval.nearest);
            let near = |memory: &Memory| nearest.iter().any(|other| other.id == memory.id);
            let oldest_of_newest = memories.len().saturating_sub(query.count);
            let newest: Vec<MemoryId> = memories[oldest_of_newest..]
                .iter()
                .map(|memory| memory.id)
                .collect();
            candidates.retain(|memory| near(memory) || newest.contains(&memory.id));
            let similarity = |memory: &&Memory| {
                let squared_distance = 2.0 - 2.0 * cosine(memory).unwrap_or(-1.0);
                if near(memory) {
                    1.0 - squared_distance / 2f64.sqrt()
                } else {
                    0.0
                }
            };
            [
                candidates
                    .iter()
                    .map(|memory| faded(memory.last_accessed))
                    .collect(),
                candidates.iter().map(similarity).collect(),
                candidates
                    .iter()
                    .map(|memory| importance(memory) / 10.0)
                    .collect(),
            ]
        }
        Preset::Plain => [
            candidates.iter().map(|memory| faded(memory.created)).collect(),
            candidates
                .iter()
                .map(|memory| cosine(memory).unwrap_or(-1.0))
                .collect(),
            candidates
                .iter()
                .map(|memory| importance(memory) / 10.0)
                .collect(),
        ],
    };
    let score = |i: usize| {
        retrieval.recency * recency[i]
            + retrieval.relevance * relevance[i]
            + retrieval.importance * importance[i]
    };
    let mut scored: Vec<_> = candidates
        .iter()
        .enumerate()
        .map(|(i, memory)| (memory.id, score(i)))
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored
}

/// Min–max to 0–1; a column without differences is 0.5, what is missing is 0.
fn scaled(column: impl Iterator<Item = Option<f64>>) -> Vec<f64> {
    let column: Vec<_> = column.collect();
    let low = column.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let high = column.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let scale = |value: f64| (value - low) / (high - low);
    let constant = high <= low || high == f64::NEG_INFINITY;
    column
        .iter()
        .map(|value| if constant { 0.5 } else { value.map_or(0.0, scale) })
        .collect()
}

fn cosine(a: &[f64], b: &[f64]) -> Option<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let directed = dot(a, a) > 0.0 && dot(b, b) > 0.0;
    // In this order of operations, so that vectors of one direction are as equal here as there; and
    // plus 0, so that there is no −0.
    directed.then(|| dot(a, b) * ((1.0 / dot(a, a).sqrt()) * (1.0 / dot(b, b).sqrt())) + 0.0)
}

/// The stored vector, read from its bytes.
fn stored(stream: &MemoryStream, id: MemoryId) -> Vec<f64> {
    let bytes = stream.vector(id).unwrap();
    match stream.settings().format {
        VectorFormat::Int8 => bytes.iter().map(|byte| f64::from(byte.cast_signed())).collect(),
        VectorFormat::Float32 => bytes
            .as_chunks()
            .0
            .iter()
            .map(|number| f64::from(f32::from_le_bytes(*number)))
            .collect(),
    }
}

fn asked(stream: &MemoryStream, embedding: &Embedding) -> Vec<f64> {
    match stream.settings().format {
        VectorFormat::Int8 => embedding.codes().iter().copied().map(f64::from).collect(),
        VectorFormat::Float32 => embedding.floats().map(f64::from).collect(),
    }
}
