//! Chat and embedding models behind two small traits.
//!
//! A [`ChatModel`] takes a [`ChatRequest`] and gives a [`ChatReply`] or a [`ModelError`]; an
//! [`EmbeddingModel`] turns texts into vectors. Providers, retries, limits and prices stand behind
//! the traits. This crate knows no task, no resident and no memory, and writes nothing to disk.

mod chat;
mod embedding;
mod error;
#[cfg(feature = "scripted")]
#[doc(hidden)]
pub mod scripted;

pub use chat::{AnswerShape, ChatModel, ChatReply, ChatRequest, Speaker, Turn, Usage};
pub use embedding::{Embedded, EmbeddingModel};
pub use error::{Fault, ModelError};
