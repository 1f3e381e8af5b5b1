//! The routine mind: answers every task by rules, without a language model.
//!
//! It is the default, the fallback when a model fails, and the load for benchmarks. It invents
//! nothing: what its residents plan comes out of their own texts and the places they know, what
//! they say comes out of what they remember. Words and phrasings are data (`words/en.toml`).

pub(crate) mod activities;
pub(crate) mod atlas;
pub(crate) mod attitudes;
pub(crate) mod concerns;
pub(crate) mod days;
pub(crate) mod details;
#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod hearing;
pub(crate) mod importance;
pub(crate) mod insights;
pub(crate) mod interview;
pub(crate) mod invitations;
pub(crate) mod lifestyle;
pub(crate) mod names;
pub(crate) mod news;
pub(crate) mod notices;
pub(crate) mod phrases;
pub(crate) mod places;
pub(crate) mod prose;
pub(crate) mod pursuits;
pub(crate) mod reactions;
pub(crate) mod revise;
mod rules;
pub(crate) mod speech;
pub(crate) mod steps;
pub(crate) mod summaries;
pub(crate) mod talk;
pub(crate) mod text;
pub(crate) mod when;
pub(crate) mod words;

pub use rules::{Meanings, Rules};
pub use when::retold;
