//! From a plan in text to a Tiled map, its tileset and a picture.
//!
//! - [`plan`]: reads the plan into a grid of kinds and a list of places; fails with a sentence.
//! - [`kinds`]: every kind of ground, wall and thing; a kind is a row of the tileset.
//! - [`pixels`], [`paint`]: a small canvas, and how each kind looks.
//! - [`tmj`], [`picture`]: what is written.

pub(crate) mod kinds;
mod paint;
pub(crate) mod picture;
mod pixels;
pub(crate) mod plan;
pub(crate) mod tmj;
