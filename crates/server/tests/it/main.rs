//! A real server over real runs, asked over real sockets.

mod common;
mod guard;
mod live;
mod reading;
mod schema;
mod steering;
