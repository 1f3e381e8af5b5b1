//! How well an embedder does on the crate's own sets, `tests/data/*.tsv`. The sets were written
//! before any embedder was tried on them, and nothing was tuned on them.

use townsfolk_memory::{Embedder, Embedding};

/// Figures of one embedder on pairs of sentences and on questions.
#[derive(Debug)]
pub(crate) struct Quality {
    /// Spearman's rank correlation of cosines with grades given by hand, −1 to 1.
    pub(crate) spearman: f64,
    /// Share of questions with an answer among the first one, three and five memories, 0 to 1.
    pub(crate) hit_at_1: f64,
    pub(crate) hit_at_3: f64,
    pub(crate) hit_at_5: f64,
    /// Mean of 1 / (place of the first answer), 0 to 1.
    pub(crate) reciprocal_rank: f64,
}

/// Grades the embedder on `pairs.tsv`, `memories.tsv` and `questions.tsv`.
pub(crate) fn quality(embedder: &dyn Embedder) -> Quality {
    let pairs = rows(include_str!("../../tests/data/pairs.tsv"));
    let grades: Vec<f64> = pairs.iter().map(|row| row[0].parse().unwrap()).collect();
    let cosines: Vec<f64> = pairs
        .iter()
        .map(|row| cosine(&embedder.embed(row[1]), &embedder.embed(row[2])))
        .collect();
    let places = places_of_first_answer(embedder);
    let share =
        |among: usize| places.iter().filter(|place| **place <= among).count() as f64 / places.len() as f64;
    Quality {
        spearman: correlation(&ranks(&grades), &ranks(&cosines)),
        hit_at_1: share(1),
        hit_at_3: share(3),
        hit_at_5: share(5),
        reciprocal_rank: mean(places.iter().map(|place| 1.0 / *place as f64)),
    }
}

/// For each question the place, from 1, of the first memory that answers it.
fn places_of_first_answer(embedder: &dyn Embedder) -> Vec<usize> {
    let memories: Vec<(&str, Embedding)> = rows(include_str!("../../tests/data/memories.tsv"))
        .iter()
        .map(|row| (row[0], embedder.embed(row[1])))
        .collect();
    let place = |row: &Vec<&str>| {
        let question = embedder.embed(row[0]);
        let mut ranked: Vec<_> = memories
            .iter()
            .map(|(name, memory)| (cosine(&question, memory), *name))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let answers: Vec<&str> = row[1].split(',').collect();
        let first = ranked.iter().position(|(_, name)| answers.contains(name));
        1 + first.unwrap_or_else(|| panic!("no memory is named as an answer to {:?}", row[0]))
    };
    rows(include_str!("../../tests/data/questions.tsv"))
        .iter()
        .map(place)
        .collect()
}

/// How an embedder does on triples of a sentence, a related and an unrelated one.
#[derive(Debug)]
pub(crate) struct Separation {
    /// Mean cosines with the related and the unrelated sentence.
    pub(crate) related: f64,
    pub(crate) unrelated: f64,
    /// The sentences whose unrelated companion is nearer.
    pub(crate) wrong: Vec<&'static str>,
}

/// Chinese triples.
pub(crate) const CHINESE: &str = include_str!("../../tests/data/chinese.tsv");
/// Japanese triples.
pub(crate) const JAPANESE: &str = include_str!("../../tests/data/japanese.tsv");

/// Compares the related with the unrelated sentences of a set.
pub(crate) fn separation(embedder: &dyn Embedder, triples: &'static str) -> Separation {
    let rows = rows(triples);
    let with = |other: usize| -> Vec<f64> {
        let cosine = |row: &Vec<&str>| cosine(&embedder.embed(row[0]), &embedder.embed(row[other]));
        rows.iter().map(cosine).collect()
    };
    let (related, unrelated) = (with(1), with(2));
    let wrong: Vec<&str> = (0..rows.len())
        .filter(|i| related[*i] <= unrelated[*i])
        .map(|i| rows[i][0])
        .collect();
    Separation {
        related: mean(related.iter().copied()),
        unrelated: mean(unrelated.iter().copied()),
        wrong,
    }
}

/// Cosine of two embeddings' codes; 0 if one has no direction.
pub(crate) fn cosine(a: &Embedding, b: &Embedding) -> f64 {
    let dot = |a: &Embedding, b: &Embedding| -> f64 {
        let products = a.codes().iter().zip(b.codes());
        f64::from(products.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>())
    };
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

fn rows(tsv: &str) -> Vec<Vec<&str>> {
    let lines = tsv.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect()).collect()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// Ranks in ascending order; equal values share the middle of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let centre = |values: &[f64]| {
        let middle = mean(values.iter().copied());
        values.iter().map(|value| value - middle).collect::<Vec<_>>()
    };
    let (a, b) = (centre(a), centre(b));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}
