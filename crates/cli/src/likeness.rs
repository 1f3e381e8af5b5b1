//! How alike two texts are in meaning, as the built-in embedder sees it.

use townsfolk_embed::BuiltIn;
use townsfolk_memory::{Embedder as _, Embedding};

/// The likeness of two texts: the cosine of their embeddings, 0 where one says nothing.
pub(crate) fn likeness() -> impl Fn(&str, &str) -> f64 {
    let embedder = BuiltIn::get();
    move |a, b| cosine(&embedder.embed(a), &embedder.embed(b))
}

fn cosine(a: &Embedding, b: &Embedding) -> f64 {
    let dot =
        |a: &[i8], b: &[i8]| -> i64 { a.iter().zip(b).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum() };
    let lengths = dot(a.codes(), a.codes()) * dot(b.codes(), b.codes());
    if lengths == 0 {
        return 0.0;
    }
    dot(a.codes(), b.codes()) as f64 / (lengths as f64).sqrt()
}
