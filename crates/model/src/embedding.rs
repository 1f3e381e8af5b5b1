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

/// Something that turns texts into vectors whose angles mean likeness.
pub trait EmbeddingModel: Send + Sync {
    /// Provider and model; never a key.
    fn name(&self) -> &str;

    /// Turns texts into vectors. The future may be polled by any executor.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Embedded, ModelError>>;
}
