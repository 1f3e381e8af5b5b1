//! The memory stream of one resident, and the retrieval that decides what comes to its mind.
//!
//! A [`MemoryStream`] keeps what one resident saw, said, planned and concluded, each record with an
//! [`Embedding`]. A [`Query`] asks which records matter now; the answer weighs *recency*,
//! *relevance* and *importance* by a [`Retrieval`] preset (Park et al. 2023 by default).
//! A [`ReflectionTrigger`] says when enough has happened to think it over.
//!
//! The crate knows embeddings and game time. It sees no model, no disk, no map and no clock:
//! whoever owns the stream says what time it is, so a paused run does not age its memories.
//!
//! ```
//! use townsfolk_memory::*;
//! use townsfolk_time::GameTime;
//!
//! let mut stream = MemoryStream::new(StreamSettings::new("three numbers", 3));
//! let noon = GameTime::from_seconds(43_200);
//! for (text, vector) in [("The kettle boils", [1.0, 0.0, 0.1]), ("林 秋 waves", [0.0, 1.0, 0.0])] {
//!     let memory = NewMemory::observation(noon, Triple::new("kettle", "be", "hot"), text, 3);
//!     stream.add(memory, &Embedding::from_f32(&vector))?;
//! }
//! let about_tea = Embedding::from_f32(&[0.9, 0.1, 0.0]);
//! let found = stream.retrieve(&Query::new(&about_tea, noon + 600, 1, &Retrieval::paper()));
//! assert_eq!(&*stream.get(found[0].id).unwrap().text, "The kettle boils");
//! # Ok::<(), MemoryError>(())
//! ```
//!
//! # Failure
//! Whatever is added is added whole or not at all, and a refusal is a [`MemoryError`] that says what
//! to mend. Retrieval cannot fail: an empty stream gives an empty list, and a vector without a
//! direction (all zero, or not finite) is simply the least relevant.
//!
//! # The same answer everywhere
//! With [`VectorFormat::Int8`] relevance comes from integer dot products, exact on every CPU; decay
//! comes from `libm` and plain products. Equal scores are ordered by memory id, newer first (the presets
//! `reference` and `langchain` order them as their originals do).

#![warn(missing_docs)]
#![deny(unsafe_code)]

mod best;
mod decay;
mod embedding;
mod error;
mod facts;
mod index;
mod memory;
mod query;
mod rank;
mod retrieval;
pub mod scan;
mod settings;
mod stream;
mod trigger;
mod vectors;

pub use embedding::{Embedder, Embedding};
pub use error::MemoryError;
pub use memory::{Access, Hearsay, Memory, MemoryId, MemoryKind, NewMemory, Triple};
pub use query::{Filter, Kinds, Query, Retrieved};
pub use retrieval::{BadRetrieval, Preset, Retrieval};
pub use settings::StreamSettings;
pub use stream::MemoryStream;
pub use trigger::ReflectionTrigger;
pub use vectors::VectorFormat;
