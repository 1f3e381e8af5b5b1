//! The program as people use it: commands typed, files on disk, signals sent.

mod common;
mod determinism;
mod disks;
mod help;
mod inspect;
mod interrupted;
mod names;
mod newcomer;
mod smallville;
mod steering;
