//! A language model in the process, from a GGUF file, whose answers always fit their schema.
//!
//! With the feature `llama`, `LocalModel` opens a file with llama.cpp and is a
//! [`townsfolk_model::ChatModel`] like any provider: no server, no key, no network. Answers are
//! held to the request's schema token by token, and closed within it when they grow too long;
//! calls made at the same time are computed together; the stable beginning of a resident's prompts
//! is computed once. `LocalEmbedder` is an [`townsfolk_model::EmbeddingModel`] in the same way.
//!
//! Without the feature nothing of llama.cpp is built, [`models`] opens none, and [`GgufHeader`] still tells
//! what a file is. This crate knows no resident and no prompt, and writes nothing to disk. `docs/design/local.md`
//! has the reasons, the measurements and what a build needs.

mod gguf;
mod opener;
mod options;

#[cfg(feature = "llama")]
mod backend;
#[cfg(feature = "llama")]
mod chat;
#[cfg(feature = "llama")]
mod embed;
#[cfg(feature = "llama")]
mod grammar;
#[cfg(feature = "llama")]
mod prompt;
#[cfg(feature = "llama")]
mod sample;
#[cfg(feature = "llama")]
mod shelf;
#[cfg(feature = "llama")]
mod thread;
#[cfg(feature = "llama")]
mod worker;

#[cfg(feature = "llama")]
pub use chat::LocalModel;
#[cfg(feature = "llama")]
pub use embed::LocalEmbedder;
pub use gguf::{GgufError, GgufHeader, fingerprint};
pub use opener::models;
pub use options::LocalOptions;
