//! The providers, tried against a server that plays them and everything they do wrong.

mod check;
mod common;
mod faults;
mod open;
mod steady;
mod wire;
