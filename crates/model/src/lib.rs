//! Chat and embedding models behind two small traits.
//!
//! A [`ChatModel`] takes a [`ChatRequest`] and gives a [`ChatReply`] or a [`ModelError`]; an
//! [`EmbeddingModel`] turns texts into vectors. Providers, retries, limits and prices stand behind
//! the traits: [`ModelsConfig`] says which model plays which [`Role`], [`Models::open`] opens them
//! and finds what is wrong before a call is made, [`Models::check`] makes one small call to each.
//! This crate knows no task, no resident and no memory, and writes nothing to disk.

mod adherence;
mod chat;
mod check;
mod config;
mod connection;
mod embedding;
mod error;
mod faults;
mod http;
mod models;
mod preset;
mod price;
mod provider;
#[cfg(feature = "scripted")]
#[doc(hidden)]
pub mod scripted;
mod secret;
mod site;
mod spec;
mod steady;
mod stop;
mod tokens;
mod wire;

pub use adherence::{Adherence, Decision, adherence};
pub use chat::{AnswerShape, ChatModel, ChatReply, ChatRequest, Speaker, Turn, Usage};
pub use check::{CheckLine, Shaped, Works};
pub use config::{ConfigError, ModelsConfig, PriceConfig, Role, RoleConfig};
pub use embedding::{Embedded, EmbeddingModel};
pub use error::{Fault, ModelError};
pub use models::{EmbeddingRole, Env, LocalModels, LocalOptions, Models, RoleModel, open_embedding};
pub use preset::{KeyNeed, Preset, Protocol, Structured, preset, presets};
pub use price::Price;
pub use spec::{ModelSpec, SpecError};
pub use stop::Stop;
pub use tokens::{estimate_prompt_tokens, estimate_tokens};
