//! Models that turn texts into vectors.

use futures_util::future::BoxFuture;

use crate::{ModelError, Usage};

/// Vectors for some texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// One vector for each text, in order, all of the same length.
    pub vectors: Vec<Vec<f32>>,
    /// What it took.
    pub usage: Usage,
}

impl Embedded {
    /// What is wrong with vectors for so many texts, if they can mean nothing.
    pub fn flaw(&self, texts: usize) -> Option<String> {
        let vectors = &self.vectors;
        if vectors.len() != texts {
            return Some(format!("gave {} vectors for {texts} texts", vectors.len()));
        }
        let length = vectors.first().map_or(0, Vec::len);
        if let Some(other) = vectors.iter().find(|vector| vector.len() != length) {
            let other = other.len();
            return Some(format!("gave vectors of {length} and of {other} numbers"));
        }
        let is_broken = |vector: &Vec<f32>| vector.iter().any(|number| !number.is_finite());
        if vectors.iter().any(is_broken) {
            return Some("gave a vector with a number in it that is none".to_owned());
        }
        // Its angle to any other is no likeness.
        let is_empty = |vector: &Vec<f32>| vector.iter().all(|number| *number == 0.0);
        let empty = vectors.iter().any(is_empty);
        empty.then(|| "gave a vector of nothing but zeros, which means nothing".to_owned())
    }
}

/// Something that turns texts into vectors whose angles mean likeness.
pub trait EmbeddingModel: Send + Sync {
    /// Provider and model; never a key.
    fn name(&self) -> &str;

    /// Turns texts into vectors. The future may be polled by any executor.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Embedded, ModelError>>;
}
