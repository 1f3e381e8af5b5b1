//! A generative agent without a town: a durable memory that reflects, speaks and is questioned.
//!
//! - [`GenerativeAgent`] is somebody who remembers, reflects, reacts, talks and answers, wherever they
//!   live: in a game, behind a chat window, in a test. Its methods have the names and meanings of
//!   LangChain's `GenerativeAgent` and `GenerativeAgentMemory` where those make sense. Each comes twice:
//!   `add_memory` waits, `add_memory_async` is awaited.
//! - [`DurableMemory`] is its memory alone: what LangChain calls a time-weighted retriever.
//! - [`Clock`] says what time it is. Nothing else does: a paused game ages no memory.
//! - [`Embedder`], [`Retrieval`] and [`Settings`] say what texts mean and how memories are weighed.
//!
//! On disk an agent is a run file, the format of whole towns: a town of one resident and no places. So
//! `townsfolk inspect FILE memories` and `townsfolk check FILE` work on it.
//!
//! # Failure
//! Whatever fails has not happened: what was to be remembered is not, in memory and on disk alike, and
//! the same call may be made again. A process that is killed loses at most the call in progress.
//! [`AgentError`] says what to do.
//!
//! `docs/library.md` shows how to use it.

mod agent;
mod calls;
mod clock;
mod dialogue;
mod durable;
mod error;
mod file;
mod persona;
mod remembered;

pub use agent::{Added, Event, GenerativeAgent, Options, Response, Surroundings};
pub use clock::{Clock, ManualClock, Rounds, WallClock};
pub use dialogue::{Dialogue, Reaction, Reply};
pub use durable::DurableMemory;
pub use error::AgentError;
pub use persona::Persona;
pub use remembered::{Answer, Observation, Remembered};

pub use townsfolk_memory::{
    Embedder, Embedding, Filter, Kinds, MemoryId, MemoryKind, NewMemory, Preset, Retrieval, Triple,
};
pub use townsfolk_mind::model::{PromptSet, Roles};
pub use townsfolk_mind::tasks::Exchange;
pub use townsfolk_mind::{ReflectionRecords, Settings};
pub use townsfolk_time::GameTime;

/// The page on using the library: its code runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
