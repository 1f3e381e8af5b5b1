//! Sentences a second of the built-in embedder, one at a time on one thread, and its loading.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use townsfolk_embed::{BuiltIn, HashedWords};
use townsfolk_memory::Embedder;

const ENGLISH: &str = include_str!("../tests/data/memories.tsv");
const CHINESE: &str = include_str!("../tests/data/chinese.tsv");

fn sentences(tsv: &str) -> Vec<&str> {
    let lines = tsv.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.rsplit('\t').next().unwrap_or(line))
        .collect()
}

fn embed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("embed");
    for (embedder, kind) in [
        (BuiltIn::get() as &dyn Embedder, "built-in"),
        (&HashedWords, "hashed words"),
    ] {
        for (language, tsv) in [("English", ENGLISH), ("Chinese", CHINESE)] {
            let texts = sentences(tsv);
            group.throughput(Throughput::Elements(texts.len() as u64));
            group.bench_function(format!("{kind}, {language}"), |bencher| {
                bencher.iter(|| {
                    for text in &texts {
                        black_box(embedder.embed(black_box(text)));
                    }
                });
            });
        }
    }
}

criterion_group!(benches, embed);
criterion_main!(benches);
