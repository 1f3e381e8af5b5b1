//! Words by their letters alone.

use townsfolk_memory::{Embedder, Embedding};

use crate::grams::{WORD_WEIGHT, add_run};
use crate::hash::hash_chars;
use crate::scan::{Word, scan};
use crate::sum::{DIMENSIONS, Sum};

/// A bag of hashed words: equal words are alike, all others are not. It needs no data, which suits
/// tests; as a measure, any embedder worth its size must do better.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedWords;

impl Embedder for HashedWords {
    fn name(&self) -> &str {
        "townsfolk-hashed-words-256@1"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, text: &str) -> Embedding {
        let mut sum = Sum::new();
        scan(text, |word| match word {
            Word::Latin(word) => {
                let letters: Vec<char> = word.chars().collect();
                sum.add_signs(hash_chars(&letters), WORD_WEIGHT);
            }
            Word::Other(run) => add_run(run, &mut sum),
        });
        sum.embedding()
    }
}
