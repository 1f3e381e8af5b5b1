//! The presets `reference` and `langchain` against what the original programs returned, over the
//! memories that three residents of the 2023 demo had after two days.
//!
//! Vectors are the SHA-256 of the text, so they have no meaning and every order is as good a test as
//! any other. They need [`VectorFormat::Float32`]: their numbers are odd multiples of 1/255, which 8
//! bits with a sign cannot hold, and with 8-bit codes near neighbours change places.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use townsfolk_memory::*;
use townsfolk_time::GameTime;

type Outcome = Result<(), Box<dyn Error>>;

#[test]
fn reference_returns_what_the_2023_code_returned() -> Outcome {
    let Some(shared) = shared() else {
        return Ok(());
    };
    for golden in read(&shared.join("goldens/retrieval-reference.json"))?
        .as_array()
        .ok_or("no list")?
    {
        let resident = text(golden, "persona");
        let stream = stream_of(&shared, resident, usize::MAX)?;
        let scratch = read(&memory_folder(&shared, resident).join("../scratch.json"))?;
        let retrieval = Retrieval {
            decay: number(&scratch, "recency_decay"),
            recency: number(&scratch, "recency_w"),
            relevance: number(&scratch, "relevance_w"),
            importance: number(&scratch, "importance_w"),
            ..Retrieval::reference()
        };
        let asked = embed(text(golden, "focal_point"));
        let now = stream
            .iter()
            .map(|memory| memory.created)
            .max()
            .ok_or("no memories")?;
        let count = number(golden, "n") as usize;
        let query = Query::new(&asked, now, count, &retrieval).with_filter(Filter::reference());
        assert_eq!(names(&stream.peek(&query)), expected(golden), "{golden}");
    }
    Ok(())
}

#[test]
fn langchain_returns_what_langchain_returned() -> Outcome {
    let Some(shared) = shared() else {
        return Ok(());
    };
    let stream = stream_of(&shared, "Klaus Mueller", 200)?;
    for golden in read(&shared.join("goldens/retrieval-langchain.json"))?
        .as_array()
        .ok_or("no list")?
    {
        let counts_importance = golden["other_score_keys"]
            .as_array()
            .is_some_and(|keys| !keys.is_empty());
        let langchain = Retrieval::langchain();
        let retrieval = Retrieval {
            decay: 1.0 - number(golden, "decay_rate"),
            importance: if counts_importance {
                langchain.importance
            } else {
                0.0
            },
            ..langchain
        };
        let asked = embed(text(golden, "query"));
        let now: GameTime = "2023-02-14T06:30:30".parse()?;
        let count = number(golden, "k") as usize;
        let filter = Filter {
            skip_expired: false,
            ..Filter::default()
        };
        let query = Query::new(&asked, now, count, &retrieval).with_filter(filter);
        assert_eq!(names(&stream.peek(&query)), expected(golden), "{golden}");
    }
    Ok(())
}

/// The resident's first `count` memories, by `node_count`, as one stream.
fn stream_of(shared: &Path, resident: &str, count: usize) -> Result<MemoryStream, Box<dyn Error>> {
    let nodes = read(&memory_folder(shared, resident).join("nodes.json"))?;
    let mut nodes: Vec<&Value> = nodes.as_object().ok_or("no nodes")?.values().collect();
    nodes.sort_by_key(|node| node["node_count"].as_u64());
    let format = VectorFormat::Float32;
    let mut stream = MemoryStream::new(StreamSettings {
        format,
        ..StreamSettings::new("sha-256", 32)
    });
    for node in nodes.into_iter().take(count) {
        let kind = match text(node, "type") {
            "event" => MemoryKind::Observation,
            "chat" => MemoryKind::Conversation,
            _ => MemoryKind::Reflection,
        };
        let triple = Triple::new(
            text(node, "subject"),
            text(node, "predicate"),
            text(node, "object"),
        );
        let key = text(node, "embedding_key");
        let created = text(node, "created").parse()?;
        let importance = number(node, "poignancy") as u8;
        let memory = NewMemory {
            kind,
            ..NewMemory::observation(created, triple, key, importance)
        };
        let id = stream.add(memory, &embed(key))?;
        assert_eq!(
            node["node_count"].as_u64(),
            Some(id.index() as u64 + 1),
            "nodes are numbered from 1"
        );
    }
    Ok(stream)
}

/// 32 numbers from the SHA-256 of the text.
fn embed(text: &str) -> Embedding {
    let numbers = Sha256::digest(text)
        .into_iter()
        .map(|byte| (f32::from(byte) - 127.5) / 127.5);
    Embedding::from_f32(&numbers.collect::<Vec<_>>())
}

fn memory_folder(shared: &Path, resident: &str) -> PathBuf {
    shared
        .join("smallville/compressed_storage/July1_the_ville_isabella_maria_klaus-step-3-20/personas")
        .join(resident)
        .join("bootstrap_memory/associative_memory")
}

fn names(found: &[Retrieved]) -> Vec<String> {
    found
        .iter()
        .map(|one| format!("node_{}", one.id.index() + 1))
        .collect()
}

fn expected(golden: &Value) -> Vec<String> {
    serde_json::from_value(golden["node_ids"].clone()).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("no text {key:?} in {value}"))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key]
        .as_f64()
        .unwrap_or_else(|| panic!("no number {key:?} in {value}"))
}

fn read(path: &Path) -> Result<Value, Box<dyn Error>> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// The folder of optional data, or a word on stderr that the test is skipped.
fn shared() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TOWNSFOLK_SHARED").map_or_else(default, PathBuf::from);
    if folder.join("goldens").is_dir() {
        return Some(folder);
    }
    eprintln!(
        "skipped: no goldens under {} (set TOWNSFOLK_SHARED)",
        folder.display()
    );
    None
}
