//! The run file seen from outside: one module per behaviour.

mod disk_full;
mod documentation;
mod forks;
mod kills;
mod life;
mod old_runs;
mod reading;
mod refusals;
mod round_trip;
mod sample;
