//! Reads the formats of the 2023 Generative Agents code, so that its towns can be run here.
//!
//! - [`read_base`]: a base or saved simulation (`storage/NAME`) or a finished compressed run
//!   (`compressed_storage/NAME`), with the map its `maze_name` asks for, as a
//!   [`Town`](townsfolk_town::Town) and an [`ImportReport`].
//! - [`read_history`], [`apply_history`]: history files (`agent_history_init_n25.csv`).
//!
//! # Failure
//! Whatever the bytes, there is a town or an [`ImportError`] that names file and place. A town is
//! refused where it could not be run; a detail that does not fit is left out and stands in the
//! report as a [`Note`].

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod assets;
mod base;
mod blocks;
mod dates;
mod error;
mod files;
mod history;
mod layer;
mod map;
mod meta;
mod names;
mod nodes;
mod positions;
mod report;
mod resident;
mod scratch;
mod spatial;
mod survey;

pub use base::{Import, read_base};
pub use error::{ImportError, ImportFault};
pub use history::{Whispers, apply_history, read_history};
pub use report::{ImportReport, Note};
