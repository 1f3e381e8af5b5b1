//! The embedder inside the program: a text in, the direction of its meaning out, without a network,
//! a key or a file.
//!
//! [`BuiltIn`] knows English by meaning: its table holds one vector a word piece, distilled from
//! all-MiniLM-L6-v2, and a text is the sum of its pieces. What the table cannot read (other scripts,
//! names and words outside its vocabulary) enters the same sum by its characters, so that equal
//! words still find each other. [`HashedWords`] knows words by their letters only; it is the
//! baseline that the built-in has to beat, and a light stand-in for tests.
//!
//! ```
//! use townsfolk_embed::BuiltIn;
//! use townsfolk_memory::{Embedder, Embedding};
//!
//! fn likeness(a: &Embedding, b: &Embedding) -> i32 {
//!     a.codes().iter().zip(b.codes()).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
//! }
//! let embedder = BuiltIn::get();
//! let question = embedder.embed("Who makes music?");
//! let accordion = embedder.embed("Zoë O'Neill-Ångström practises the accordion");
//! let potatoes = embedder.embed("林 秋 is digging up potatoes");
//! assert!(likeness(&question, &accordion) > likeness(&question, &potatoes));
//! ```
//!
//! # Failure
//! There is none: every string has an embedding. A text without a single letter, digit or symbol has
//! no direction, all its codes are 0, and retrieval ranks it last.
//!
//! # The same answer everywhere
//! Everything up to the finished sum is integer arithmetic, in one thread, so a text has the same
//! embedding on every CPU. The name of an embedder carries a hash of its data and results; vectors
//! of different names must not be compared.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod built_in;
mod grams;
mod hash;
mod hashed_words;
mod scan;
mod sum;
mod table;

pub use built_in::BuiltIn;
pub use hashed_words::HashedWords;
