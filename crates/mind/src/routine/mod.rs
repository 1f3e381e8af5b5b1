//! The routine mind: answers every task by rules, without a language model.
//!
//! It is the default, the fallback when a model fails, and the load for benchmarks. It invents
//! nothing: what its residents plan comes out of their own texts and the places they know, what
//! they say comes out of what they remember. Words and phrasings are data (`words/en.toml`).

mod phrases;
mod prose;
mod rules;
pub(crate) mod speech;

pub use rules::{Meanings, Rules};
