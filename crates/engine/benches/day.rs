//! A whole day of 25 residents on the routine mind, without and with a run file.
//!
//! Runs the 2023 code's 25-resident base where its files are, else the bundled town, on one core:
//! `cargo bench --package townsfolk-engine --bench day`.

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod shared;

use std::sync::Arc;
use std::time::Instant;

use townsfolk_embed::BuiltIn;
use townsfolk_engine::{Engine, Options, Run, Setting};
use townsfolk_memory::Embedder;

const DAY: u64 = 8_640;

fn main() {
    let town = shared::town();
    let residents = town.residents.len() as u64;
    println!(
        "{}: {residents} residents, ticks of {} s",
        town.name, town.seconds_per_tick
    );
    let embedder: Arc<dyn Embedder> = Arc::new(BuiltIn::get());

    let mut rates = Vec::new();
    for _ in 0..3 {
        let setting = Arc::new(Setting::new(town.clone(), 0, embedder.clone()));
        let mut engine = Engine::new(setting, Options::default());
        let mut hours = Vec::new();
        let begun = Instant::now();
        let mut rows = 0;
        for hour in 1..=24 {
            let from = Instant::now();
            while let Some(tick) = engine
                .advance(DAY * hour / 24)
                .expect("the routine mind never halts")
            {
                rows += tick.memories.len() + tick.moves.len() + tick.actions.len();
            }
            hours.push(from.elapsed().as_millis());
        }
        let seconds = begun.elapsed().as_secs_f64();
        let rate = (residents * DAY) as f64 / seconds;
        println!(
            "one day, no file: {seconds:.2} s, {rate:.0} resident-ticks/s, {rows} rows; by hour (ms) {hours:?}"
        );
        rates.push(rate);
    }
    for workers in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder for the run file");
        let path = folder.path().join("bench.run");
        let setting = Setting::new(town.clone(), 0, embedder.clone());
        let begun = Instant::now();
        let mut run = Run::create(&path, setting, Options { workers }, "bench").expect("a new file");
        run.run_until(2 * DAY, |_| std::ops::ControlFlow::Continue(()))
            .expect("the routine mind never halts");
        run.finish(townsfolk_store::RunState::Finished)
            .expect("the file can be closed");
        let seconds = begun.elapsed().as_secs_f64();
        let size = std::fs::metadata(&path).map_or(0, |file| file.len() / 1_000_000);
        println!("two days into a run file, {workers} worker(s): {seconds:.2} s, {size} MB");
    }
    rates.sort_by(f64::total_cmp);
    println!("median: {:.0} resident-ticks per second", rates[1]);
}
