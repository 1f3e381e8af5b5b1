//! What a stream is made for: one embedder, one vector format, and what counts as idle.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::embedding::Embedder;
use crate::error::MemoryError;
use crate::vectors::VectorFormat;

/// Settings of a stream, stored beside its memories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamSettings {
    /// The [`Embedder::name`] of all its vectors.
    pub embedder: String,
    /// How many numbers each vector has, at most [`scan::MAX_DIMENSIONS`](crate::scan::MAX_DIMENSIONS).
    pub dimensions: usize,
    /// How vectors are kept.
    pub format: VectorFormat,
    /// A memory whose text contains one of these, case and all, is idle. It is kept and can be
    /// retrieved; a [`Filter`](crate::Filter) may skip it. `["idle"]` in the 2023 code (`retrieve.py`).
    pub idle_words: Vec<Arc<str>>,
}

impl StreamSettings {
    /// 8-bit vectors of `dimensions` numbers by `embedder`; idle is what contains `idle`.
    pub fn new(embedder: impl Into<String>, dimensions: usize) -> Self {
        Self {
            embedder: embedder.into(),
            dimensions,
            format: VectorFormat::Int8,
            idle_words: vec!["idle".into()],
        }
    }

    /// The settings for vectors of `embedder`.
    pub fn for_embedder(embedder: &dyn Embedder) -> Self {
        Self::new(embedder.name(), embedder.dimensions())
    }

    /// Refuses an embedder whose vectors must not be compared with those kept under these settings:
    /// another model, even with as many dimensions, or the same name with others.
    pub fn check_embedder(&self, embedder: &dyn Embedder) -> Result<(), MemoryError> {
        if self.embedder == embedder.name() && self.dimensions == embedder.dimensions() {
            return Ok(());
        }
        Err(MemoryError::Embedder {
            stored: self.embedder.clone(),
            stored_dimensions: self.dimensions,
            offered: embedder.name().to_owned(),
            offered_dimensions: embedder.dimensions(),
        })
    }

    /// Bytes that the stored vector of one memory takes.
    pub fn vector_bytes(&self) -> usize {
        self.dimensions * self.format.bytes_per_number()
    }

    pub(crate) fn is_idle(&self, text: &str) -> bool {
        self.idle_words.iter().any(|word| text.contains(&**word))
    }
}
