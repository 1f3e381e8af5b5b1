//! The crate as its users see it, one file per subject.

mod common;
mod goldens;
mod ranking;
mod recall;
mod stream;
