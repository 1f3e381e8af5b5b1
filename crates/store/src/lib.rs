//! The run file: everything that happened in one simulation, in one SQLite file.
//!
//! - [`RunWriter`] creates or resumes a run and adds it tick by tick, each tick whole or not at all.
//! - [`RunReader`] reads any tick of it, while it is written or after, and never changes it.
//! - [`fork`] makes a new run that shares its past with another.
//! - [`Digest`] tells whether two runs are the same history.
//!
//! What is stored are plain [rows](TickRows); this crate knows no type of the town's other crates,
//! no clock and no chance. A killed process loses at most the tick in flight, and nothing that was
//! paid for. What can go wrong, and what to do then, is in [`StoreError`]. The tables are described
//! in `docs/run-file.md`.

mod digest;
mod error;
mod fork;
mod insert;
mod lock;
mod meta;
mod re_embed;
mod read;
mod rows;
mod schema;
mod sql;
mod write;

pub use digest::Digest;
pub use error::{Result, StoreError};
pub use fork::fork;
pub use meta::{Parent, RunInfo};
pub use re_embed::{NewVectors, re_embed};
pub use read::{
    CallCount, CallFilter, CallRecord, CallUse, Meeting, MemoryFilter, MemoryKey, Person, RunReader, Spent,
    Tallied, Tally, TaskCount, TaskFilter,
};
pub use rows::*;
pub use schema::FORMAT;
pub use write::RunWriter;
