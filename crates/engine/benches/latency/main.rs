//! How long a day takes with a model that needs 200 ms for each call, by how calls go out.
//!
//! `cargo bench --package townsfolk-engine --bench latency`. The day is lived on a logical clock (see
//! [`clock`]): every prompt is really made, every answer really read and written down, and only the
//! waiting is not waited for; thinking takes no time on it. Then one hour is waited for, over HTTP, with a
//! server on this machine that takes 200 ms. Serving is unlimited in both.

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod clock;
#[path = "../../tests/common/models.rs"]
mod models;
#[path = "../shared/mod.rs"]
mod shared;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clock::{Clock, Latency, Slow};
use townsfolk_embed::BuiltIn;
use townsfolk_engine::{Minds, Options, Run, Setting};
use townsfolk_mind::model::{Calls, Rehearsal, Roles};
use townsfolk_model::scripted::{Play, Server};
use townsfolk_model::{ChatRequest, RoleModel, Structured};
use townsfolk_store::RunState;

/// What a call takes.
const CALL_MS: u64 = 200;
/// The hour that is waited for: lunch.
const BUSY_HOUR: u64 = 12;
/// One thread, as [`clock`] needs it.
const ONE: Options = Options { workers: 1 };

fn main() {
    let folder = tempfile::tempdir().expect("a folder for run files");
    let path = |name: &str| folder.path().join(name);
    println!(
        "{}: a call takes {CALL_MS} ms, thinking none\n",
        shared::town().name
    );
    println!("| how calls go out | calls | from cache | minutes for the day |");
    println!("|---|---:|---:|---:|");

    let together = on_the_clock(&path("together.run"), Calls::Together, |_, _| CALL_MS);
    row(
        "lock-step, independent calls together",
        &together,
        together.day_ms,
    );
    let ahead = on_the_clock(&path("ahead.run"), Calls::Ahead, |_, _| CALL_MS);
    row(
        "lock-step, independent calls together, running ahead",
        &ahead,
        ahead.day_ms,
    );
    let apart = on_the_clock(&path("apart.run"), Calls::OneByOne, |_, _| CALL_MS);
    row("lock-step, a resident's calls one by one", &apart, apart.day_ms);
    row("serial", &apart, apart.calls * CALL_MS);
    let singly = on_the_clock(&path("singly.run"), Calls::OneByOne, as_2023);
    row(
        "lock-step, asked as the 2023 code asks (modelled)",
        &singly,
        singly.day_ms,
    );
    row(
        "serial, asked as the 2023 code asks (modelled)",
        &singly,
        singly.waits_ms(),
    );

    let ratio = |a: u64, b: u64| a as f64 / b as f64;
    println!(
        "\nRunning ahead, a day is {:.2} times shorter than together, {:.2} times shorter than one by one; {} calls more \
         are bought than the day rests on.",
        ratio(together.day_ms, ahead.day_ms),
        ratio(apart.day_ms, ahead.day_ms),
        ahead.calls - together.calls,
    );
    println!(
        "Together, a day is {:.2} times shorter than one by one, {:.2} times shorter than lock-step asked as the 2023 \
         code asks, and {:.1} times shorter than serial.\n",
        ratio(apart.day_ms, together.day_ms),
        ratio(singly.day_ms, together.day_ms),
        ratio(apart.calls * CALL_MS, together.day_ms)
    );
    assert_eq!(
        apart.calls, together.calls,
        "the story is the same however calls go out"
    );
    assert_eq!(ahead.digest, together.digest, "running ahead changes nothing");

    for (name, calls, expected) in [
        ("one by one", Calls::OneByOne, apart.hour_ms),
        ("together", Calls::Together, together.hour_ms),
        ("running ahead", Calls::Ahead, ahead.hour_ms),
    ] {
        let took = in_real_time(&path(&format!("real {name}.run")), calls);
        println!(
            "Lunch hour over HTTP, {name}: {:.1} s by the wall, {:.1} s by the logical clock",
            took.as_secs_f64(),
            expected as f64 / 1_000.0
        );
    }
}

/// What a day took.
struct Day {
    calls: u64,
    from_cache: u64,
    day_ms: u64,
    hour_ms: u64,
    digest: String,
    /// All waits, one after another.
    all_ms: Arc<AtomicU64>,
}

impl Day {
    fn waits_ms(&self) -> u64 {
        self.all_ms.load(Ordering::Relaxed)
    }
}

fn row(how: &str, day: &Day, ms: u64) {
    println!(
        "| {how} | {} | {} | {:.1} |",
        day.calls,
        day.from_cache,
        ms as f64 / 60_000.0
    );
}

/// Milliseconds that the 2023 code would take for what one of ours asks: it rates one thing per call, asks for
/// sector, arena and object apart, for emoji, triple, object state and its triple apart, for every waking
/// hour of the schedule, for a triple of each insight, and for the relationship before every line
/// (`perceive.py`, `plan.py`, `reflect.py`, `converse.py`).
fn as_2023(request: &ChatRequest, answer: &str) -> u64 {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap_or_default();
    let count = |key: &str| answer[key].as_array().map_or(1, |list| list.len().max(1) as u64);
    let kind = request.shape.as_ref().map_or("", |shape| shape.name.as_str());
    let calls = match kind {
        "importance" => count("ratings"),
        "choose_place" => 3,
        "action_details" if answer["state"].as_str().is_some_and(|state| !state.is_empty()) => 4,
        "action_details" => 2,
        "hourly_schedule" => 17,
        "insights" => 1 + count("insights"),
        "next_line" | "after_talk" => 2,
        _ => 1,
    };
    calls * CALL_MS
}

/// Ticks to the busy hour, and in an hour and a day.
fn ticks() -> (u64, u64, u64) {
    let town = shared::town();
    let per_tick = u64::from(town.seconds_per_tick);
    let hour = 3_600 / per_tick;
    let begun = u64::from(town.start.minute_of_day()) / 60;
    ((BUSY_HOUR + 24 - begun) % 24 * hour, hour, 24 * hour)
}

/// A day on the logical clock.
fn on_the_clock(path: &Path, calls: Calls, latency: Latency) -> Day {
    let clock = Arc::new(Clock::default());
    let rehearsal = Arc::new(Rehearsal::default());
    let all_ms = Arc::new(AtomicU64::new(0));
    let model = Arc::new(Slow {
        rehearsal: rehearsal.clone(),
        clock: clock.clone(),
        latency,
        all_ms: all_ms.clone(),
    });
    let mut minds = models::minds("http://127.0.0.1:9/v1", Some(rehearsal));
    minds.embedder = Arc::new(BuiltIn::get());
    let plan = models::plan(&mut minds);
    plan.calls = calls;
    plan.roles = Roles::all(RoleModel {
        model,
        window_tokens: 32_000,
        max_output_tokens: 2_048,
        temperature: 0.7,
        structured: Structured::Plain,
        price: None,
    });
    let (noon, hour, day) = ticks();
    let mut run = create(path, minds);
    let mut spent = Default::default();
    let mut hour_ms = [0, 0];
    run.run_until(day, |progress| {
        spent = progress.spending;
        for (at, ms) in [noon, noon + hour].into_iter().zip(&mut hour_ms) {
            // What was computed before the engine stands there.
            if progress.engine.tick() <= at {
                *ms = clock.now_ms();
            }
        }
        ControlFlow::Continue(())
    })
    .expect("nothing goes wrong");
    let digest = run.file().digest().expect("it can be read").to_string();
    run.finish(RunState::Finished).expect("the file closes");
    Day {
        digest,
        calls: spent.calls,
        from_cache: spent.from_cache,
        day_ms: clock.now_ms(),
        hour_ms: hour_ms[1] - hour_ms[0],
        all_ms,
    }
}

/// What the busy hour takes when it is waited for.
fn in_real_time(path: &Path, calls: Calls) -> Duration {
    let rehearsal = Arc::new(Rehearsal::default());
    let delay_ms = Arc::new(AtomicU64::new(0));
    let (known, delay) = (rehearsal.clone(), delay_ms.clone());
    let server = Server::start(move |request| {
        let answer = known.answer(&request.system(), &request.prompt());
        let reply = Play::Reply(answer.unwrap_or_default());
        Play::After(
            Duration::from_millis(delay.load(Ordering::Relaxed)),
            Box::new(reply),
        )
    });
    let mut minds = models::minds(&server.base_url(), Some(rehearsal));
    minds.embedder = Arc::new(BuiltIn::get());
    models::plan(&mut minds).calls = calls;
    let (noon, hour, _) = ticks();
    let mut run = create(path, minds);
    let mut until = |tick| {
        run.run_until(tick, |_| ControlFlow::Continue(()))
            .expect("nothing goes wrong");
    };
    until(noon);
    delay_ms.store(CALL_MS, Ordering::Relaxed);
    let begun = Instant::now();
    until(noon + hour);
    begun.elapsed()
}

fn create(path: &Path, minds: Minds) -> Run {
    Run::create(path, Setting::new(shared::town(), 0, minds), ONE, "bench").expect("a new file")
}
