//! What the rules may draw on besides a task's input.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use townsfolk_memory::{Embedder, Embedding};

use super::names::Name;
use crate::Chance;

/// What the rules may draw on besides a task's input: addressed chance and the meaning of words.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Draws for this resident and tick.
    pub chance: Chance,
    meanings: &'a Meanings,
}

impl<'a> Rules<'a> {
    /// Rules for one resident at one tick.
    pub fn new(chance: Chance, meanings: &'a Meanings) -> Self {
        Self { chance, meanings }
    }

    /// What a place's name says.
    pub(crate) fn name(&self, name: &str) -> Arc<Name> {
        self.meanings.name(name)
    }

    /// How alike two texts are in meaning, as the embedder sees it: about -1 to 1.
    pub fn likeness(&self, a: &str, b: &str) -> f64 {
        cosine(&self.meanings.of(a), &self.meanings.of(b))
    }
}

/// The cosine of two embeddings from their 8-bit codes; 0 where one has no direction.
fn cosine(a: &Embedding, b: &Embedding) -> f64 {
    let dot =
        |a: &[i8], b: &[i8]| -> i64 { a.iter().zip(b).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum() };
    let lengths = dot(a.codes(), a.codes()) * dot(b.codes(), b.codes());
    // A square root is exact everywhere; nothing here depends on the CPU.
    if lengths == 0 {
        0.0
    } else {
        dot(a.codes(), b.codes()) as f64 / (lengths as f64).sqrt()
    }
}

/// Embeddings of short texts that rules compare again and again, such as names of places.
///
/// The cache only saves work: what it returns never depends on what was asked before.
pub struct Meanings {
    embedder: Arc<dyn Embedder>,
    known: Mutex<HashMap<String, Arc<Embedding>>>,
    names: Mutex<HashMap<String, Arc<Name>>>,
}

impl Meanings {
    /// Meanings as `embedder` sees them.
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            known: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// The embedder itself.
    pub fn embedder(&self) -> &dyn Embedder {
        &*self.embedder
    }

    fn name(&self, name: &str) -> Arc<Name> {
        let mut names = self.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = names.get(name) {
            return known.clone();
        }
        let new = Arc::new(Name::new(name));
        names.insert(name.to_owned(), new.clone());
        new
    }

    fn of(&self, text: &str) -> Arc<Embedding> {
        let mut known = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(embedding) = known.get(text) {
            return embedding.clone();
        }
        let embedding = Arc::new(self.embedder.embed(text));
        known.insert(text.to_owned(), embedding.clone());
        embedding
    }
}
