//! Vectors from an embedder elsewhere: several texts in one call, each text once in a run.

use std::sync::Arc;
use std::time::Instant;

use townsfolk_memory::Embedding;
use townsfolk_model::{EmbeddingModel, Fault, Usage};

use super::ask::generous_tokens;
use super::ledger::{VectorCall, Vectors};
use crate::{Chance, Halted};

/// How many texts go into one call; providers allow from 10 (DashScope) to 2,048 (OpenAI).
const BATCH: usize = 10;

/// An embedder elsewhere, and where its vectors are kept.
#[derive(Clone)]
pub struct RemoteEmbedder {
    /// The embedder.
    pub model: Arc<dyn EmbeddingModel>,
    /// How many numbers its vectors have.
    pub dimensions: usize,
    /// Where vectors are looked up and kept.
    pub vectors: Arc<dyn Vectors>,
}

/// The vectors of `texts`, in order.
///
/// # Errors
/// There is no vector by rule that could stand beside a model's, so any fault halts.
pub(crate) async fn embed(
    embedder: &RemoteEmbedder,
    chance: Chance,
    texts: &[&str],
) -> Result<Vec<Embedding>, Halted> {
    let mut vectors: Vec<Option<Embedding>> = Vec::with_capacity(texts.len());
    for text in texts {
        let found = embedder.vectors.find_vector(text)?;
        // One of another length is of no use, and is made again.
        vectors.push(found.filter(|vector| vector.dimensions() == embedder.dimensions));
    }
    let mut missing: Vec<&str> = Vec::new();
    for (text, _) in texts.iter().zip(&vectors).filter(|(_, vector)| vector.is_none()) {
        if !missing.contains(text) {
            missing.push(text);
        }
    }
    for batch in missing.chunks(BATCH) {
        let made = buy(embedder, chance, batch).await?;
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

/// One call for vectors, written down before it is used.
async fn buy(embedder: &RemoteEmbedder, chance: Chance, texts: &[&str]) -> Result<Vec<Embedding>, Halted> {
    let call = VectorCall::new(chance.tick, chance.resident, embedder.model.name(), texts);
    let most = Usage {
        input: texts.iter().map(|text| generous_tokens(text)).sum(),
        ..Usage::default()
    };
    embedder.vectors.may_embed(&call, most).await?;
    let begun = Instant::now();
    let made = embedder.model.embed(&call.texts).await;
    if let Err(error) = &made
        && error.fault == Fault::Stopped
    {
        embedder.vectors.withdraw(&call);
        return Err(halted(error));
    }
    let ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
    let made = made.map_err(|error| error.to_string()).and_then(|made| {
        let lengths = made.vectors.iter().map(Vec::len);
        if let Some(length) = lengths.clone().find(|length| *length != embedder.dimensions) {
            return Err(format!(
                "{}: gave a vector of {length} numbers, and all others have {}; let the same model answer as before, or \
                 make all vectors anew with `townsfolk re-embed`",
                call.model, embedder.dimensions
            ));
        }
        match made.flaw(texts.len()) {
            Some(flaw) => Err(format!("{}: {flaw}; choose another embedder", call.model)),
            None => Ok(made),
        }
    });
    match made {
        Ok(made) => {
            let vectors: Vec<Embedding> = made.vectors.iter().map(|v| Embedding::from_f32(v)).collect();
            embedder
                .vectors
                .record_vectors(&call, Ok((&vectors, made.usage)), ms)?;
            Ok(vectors)
        }
        Err(error) => {
            embedder.vectors.record_vectors(&call, Err(error.clone()), ms)?;
            Err(halted(error))
        }
    }
}

fn halted(error: impl std::fmt::Display) -> Halted {
    Halted {
        reason: format!("embedding: {error}"),
    }
}
