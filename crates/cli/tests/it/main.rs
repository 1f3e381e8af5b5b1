//! The program as people use it: commands typed, files on disk, signals sent.

mod accounts;
mod checking;
mod common;
mod determinism;
mod disks;
mod help;
mod holds;
#[cfg(feature = "local")]
mod in_process;
mod inspect;
mod interrupted;
mod models;
mod names;
mod newcomer;
mod providers;
mod smallville;
mod steered_models;
mod steering;
