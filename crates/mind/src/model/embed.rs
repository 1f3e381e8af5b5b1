//! Vectors from an embedder elsewhere: several texts in one call, each text once in a run.

use std::sync::Arc;

use townsfolk_memory::Embedding;
use townsfolk_model::EmbeddingModel;

use super::ledger::Vectors;
use crate::Halted;

/// How many texts go into one call; providers allow from 10 (DashScope) to 2,048 (OpenAI).
const BATCH: usize = 10;

/// An embedder elsewhere, and where its vectors are kept.
#[derive(Clone)]
pub struct RemoteEmbedder {
    /// The embedder.
    pub model: Arc<dyn EmbeddingModel>,
    /// Where vectors are looked up and kept.
    pub vectors: Arc<dyn Vectors>,
}

/// The vectors of `texts`, in order.
///
/// # Errors
/// There is no vector by rule that could stand beside a model's, so any fault halts.
pub(crate) async fn embed(embedder: &RemoteEmbedder, texts: &[&str]) -> Result<Vec<Embedding>, Halted> {
    let mut vectors: Vec<Option<Embedding>> = Vec::with_capacity(texts.len());
    for text in texts {
        vectors.push(embedder.vectors.find_vector(text)?);
    }
    let mut missing: Vec<&str> = Vec::new();
    for (text, _) in texts.iter().zip(&vectors).filter(|(_, vector)| vector.is_none()) {
        if !missing.contains(text) {
            missing.push(text);
        }
    }
    for batch in missing.chunks(BATCH) {
        let owned: Vec<String> = batch.iter().map(|text| (*text).to_owned()).collect();
        let made = embedder.model.embed(&owned).await.map_err(|e| Halted {
            reason: format!("embedding: {e}"),
        })?;
        if made.vectors.len() != batch.len() {
            let reason = format!(
                "{}: gave {} vectors for {} texts; choose another embedder",
                embedder.model.name(),
                made.vectors.len(),
                batch.len()
            );
            return Err(Halted { reason });
        }
        let made: Vec<Embedding> = made.vectors.iter().map(|v| Embedding::from_f32(v)).collect();
        let pairs: Vec<(&str, &Embedding)> = batch.iter().copied().zip(&made).collect();
        embedder.vectors.keep_vectors(&pairs)?;
        for (text, slot) in texts.iter().zip(&mut vectors) {
            if let Some(at) = batch.iter().position(|t| t == text) {
                *slot = Some(made[at].clone());
            }
        }
    }
    let lost = || Halted {
        reason: "a vector was lost on the way".to_owned(),
    };
    vectors.into_iter().map(|v| v.ok_or_else(lost)).collect()
}
