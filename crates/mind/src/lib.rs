//! Minds of Townsfolk: what is asked of a resident, who answers, and the loop that asks.
//!
//! A [`Task`] is one question with a typed input and a typed answer. The [`routine`] mind answers
//! all of them by rules. The modules under `cognition` perceive, retrieve, plan, react, converse,
//! reflect and act for one resident: they read what lies within sight or within the resident, ask
//! tasks, change only that resident, and return intents for the engine to settle.
//!
//! This crate knows no disk, no clock of its own and no other resident's mind.

mod asker;
mod chance;
pub mod cognition;
mod identity;
pub mod model;
mod period;
mod phrases;
pub mod routine;
mod schedule;
mod settings;
mod task;
pub mod tasks;

pub use asker::{Answerer, Asker, Halted, TaskRecord};
pub use chance::Chance;
pub use identity::{Identity, ResidentId};
pub use phrases::Phrases;
pub use schedule::{Entry, Schedule, ScheduleError};
pub use settings::{ReflectionRecords, Settings};
pub use task::{Task, TaskKind};
