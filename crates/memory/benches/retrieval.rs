//! What retrieval costs above the bare scan of all vectors, and what an insert costs.
//!
//! `cargo bench -p townsfolk-memory`. At the end the ratio is printed, taken from the fastest of
//! many alternating runs, so that a busy machine disturbs it little.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use townsfolk_memory::scan::dot_products;
use townsfolk_memory::*;
use townsfolk_time::GameTime;

const DIMENSIONS: usize = 256;
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// About what a resident of a busy town remembers a day is 2,000: one each 43 seconds.
const SECONDS_BETWEEN: i64 = 43;

fn retrieval(c: &mut Criterion) {
    for size in SIZES {
        let town = Town::new(size);
        let mut group = c.benchmark_group(format!("{size} memories"));
        group.bench_function("bare scan", |b| b.iter(|| town.scan()));
        for (name, preset) in [
            ("paper", Retrieval::paper()),
            ("plain", Retrieval::plain()),
            ("langchain", Retrieval::langchain()),
            ("reference", Retrieval::reference()),
        ] {
            group.bench_function(format!("{name} top 30"), |b| b.iter(|| town.top_30(&preset)));
        }
        group.finish();
    }
}

fn insert(c: &mut Criterion) {
    const COUNT: usize = 10_000;
    let town = Town::new(COUNT);
    let embeddings: Vec<_> = town
        .rows
        .chunks_exact(DIMENSIONS)
        .map(Embedding::from_codes)
        .collect();
    let mut group = c.benchmark_group("insert");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("10,000 into an empty stream", |b| {
        let memories = || (0..COUNT).map(memory).collect::<Vec<_>>();
        b.iter_batched(
            memories,
            |memories| filled(memories, &embeddings),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn filled(memories: Vec<NewMemory>, embeddings: &[Embedding]) -> MemoryStream {
    let mut stream = MemoryStream::new(StreamSettings::new("bench", DIMENSIONS));
    for (memory, embedding) in memories.into_iter().zip(embeddings) {
        stream.add(memory, embedding).expect("the settings fit");
    }
    stream
}

fn ratio(_: &mut Criterion) {
    for size in SIZES {
        let town = Town::new(size);
        let (paper, langchain) = (Retrieval::paper(), Retrieval::langchain());
        let rounds = 60_000_000 / size;
        let (mut scans, mut retrievals, mut as_langchain) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            scans.push(timed(|| town.scan()));
            retrievals.push(timed(|| town.top_30(&paper)));
            as_langchain.push(timed(|| town.top_30(&langchain)));
        }
        let (scan, retrieval) = (fastest(scans), fastest(retrievals));
        let ratio = retrieval.as_secs_f64() / scan.as_secs_f64();
        eprintln!("{size:>7} memories: bare scan {scan:?}, paper top 30 {retrieval:?}, ratio {ratio:.2}");
        let as_langchain = fastest(as_langchain);
        eprintln!("{size:>7} memories: langchain top 30 {as_langchain:?} (for benches/langchain)");
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// The rest measures what else the machine was doing.
fn fastest(times: Vec<Duration>) -> Duration {
    times.into_iter().min().unwrap_or_default()
}

/// A stream, and its vectors once more in a plain block for the bare scan.
struct Town {
    stream: MemoryStream,
    rows: Vec<i8>,
    query: Embedding,
    now: GameTime,
}

impl Town {
    fn new(size: usize) -> Self {
        let mut stream = MemoryStream::new(StreamSettings::new("bench", DIMENSIONS));
        let mut rows = Vec::with_capacity(size * DIMENSIONS);
        for i in 0..size {
            let embedding = Embedding::from_codes(&codes(i as u64));
            rows.extend_from_slice(embedding.codes());
            stream.add(memory(i), &embedding).expect("the settings fit");
        }
        let now = GameTime::from_seconds(size as i64 * SECONDS_BETWEEN);
        // Some memories were retrieved before, so that ages are not simply in order.
        for i in 0..100 {
            let asked = Embedding::from_codes(&codes(u64::MAX - i));
            let then = now + (i as i64 - 100) * 60;
            stream.retrieve(&Query::new(&asked, then, 30, &Retrieval::paper()));
        }
        Self {
            stream,
            rows,
            query: Embedding::from_codes(&codes(7_777_777)),
            now,
        }
    }

    fn scan(&self) -> Vec<i32> {
        dot_products(self.query.codes(), black_box(&self.rows))
    }

    fn top_30(&self, retrieval: &Retrieval) -> Vec<Retrieved> {
        self.stream
            .peek(&Query::new(&self.query, self.now, 30, black_box(retrieval)))
    }
}

fn memory(i: usize) -> NewMemory {
    let created = GameTime::from_seconds(i as i64 * SECONDS_BETWEEN);
    let subject = format!("Resident {}", i % 25);
    let triple = Triple::new(subject.as_str(), "walk to", "Hobbs Cafe");
    let importance = (mix(i as u64) % 10 + 1) as u8;
    let text = format!("{subject} walks to Hobbs Cafe, time {i}");
    let keywords = vec![subject.into(), "Hobbs Cafe".into()];
    NewMemory {
        keywords,
        ..NewMemory::observation(created, triple, text, importance)
    }
}

/// One of 60 directions and some noise.
fn codes(seed: u64) -> Vec<i8> {
    let code = |i: u64| {
        let shared = (mix(seed % 60 * 1_000 + i) % 128) as i16;
        let own = (mix(mix(seed) ^ i) % 64) as i16;
        (shared + own - 95) as i8
    };
    (0..DIMENSIONS as u64).map(code).collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014).
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

criterion_group!(benches, retrieval, insert, ratio);
criterion_main!(benches);
