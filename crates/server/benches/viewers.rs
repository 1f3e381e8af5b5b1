//! What a thousand viewers cost the run they watch: `cargo bench --package townsfolk-server --bench viewers`.
//!
//! A day of the bundled town is computed as fast as possible, by turns alone and watched over a thousand
//! WebSockets from a process of its own (at the lowest priority, since viewers have machines of their own).
//! Of ten viewers seven read everything, two read one message in half a second, and one reads nothing.
//! Prints the processor time of the thread that computes, which is what viewers could cost the run itself, and
//! the time on the clock, into which goes whatever else the machine does.

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use tokio_tungstenite::tungstenite::Message;
use townsfolk_embed::BuiltIn;
use townsfolk_engine::{Options, Progress, Run, Setting, at};
use townsfolk_server::{Conductor, Means, ServeOptions, Server, Watch};
use townsfolk_town::Town;

const VIEWERS: usize = 1_000;
const DAY: u64 = 8_640;
const ROUNDS: usize = 3;

fn main() {
    // More sockets than a process may usually have open.
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, most).expect("as many files as are allowed");
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, verb, address] = &arguments[..]
        && verb == "watch"
    {
        return watch(address);
    }
    let (mut alone, mut watched) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        for (viewers, times) in [(0, &mut alone), (VIEWERS, &mut watched)] {
            let (thread, clock, told) = day(viewers);
            println!(
                "round {round}, {viewers} viewers: {thread:.2} s of the run's thread, {clock:.2} s by the clock{told}"
            );
            times.push((thread, clock));
        }
    }
    let middle = |times: &[(f64, f64)], which: fn(&(f64, f64)) -> f64| {
        let mut times: Vec<f64> = times.iter().map(which).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let ratio = |which| middle(&watched, which) / middle(&alone, which);
    println!(
        "watched to alone: {:.2} of the run's thread, {:.2} by the clock",
        ratio(|t| t.0),
        ratio(|t| t.1)
    );
}

/// A day of the bundled town: seconds of the thread that computes it, and by the clock, and what viewers saw.
fn day(viewers: usize) -> (f64, f64, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run");
    let town = Town::bundled("osier_quay").expect("a town");
    let embedder = || Arc::new(BuiltIn::get());
    let setting = Setting::new(town, 0, embedder());
    let run = Run::create(&path, setting, Options::default(), "bench").expect("a run");
    let again = path.clone();
    let resume = move || Run::resume(&again, embedder(), Options::default());
    let (mut conductor, stage) = Conductor::of_run(run, DAY, Box::new(resume));
    let means = Means {
        forks: Arc::new(|_, _, _| Ok(())),
        moments: Arc::new(move |run, tick| at(run, tick, embedder(), Options::default())),
    };
    let options = ServeOptions {
        port: Some(0),
        ..ServeOptions::default()
    };
    let server = Server::start(&options, &path, Arc::clone(&stage), means).expect("a server");
    let mut audience = (viewers > 0).then(|| Audience::come(&server.address().to_string()));
    let (thread, clock) = (thread_seconds(), Instant::now());
    conductor.conduct(&mut Alone).expect("a day");
    let (thread, clock) = (thread_seconds() - thread, clock.elapsed().as_secs_f64());
    let told = audience.as_mut().map(Audience::leave).unwrap_or_default();
    (thread, clock, told)
}

fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

struct Alone;

impl Watch for Alone {
    fn progress(&mut self, _: &Progress<'_>) {}

    fn stop(&self) -> bool {
        false
    }

    fn stay(&mut self, _: usize) -> bool {
        false
    }
}

/// The process that watches.
struct Audience(Child);

impl Audience {
    /// Starts it and waits until everybody is there.
    fn come(address: &str) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .args(["watch", address])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a second process");
        let mut line = String::new();
        let output = child.stdout.as_mut().expect("its output");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("a word that all are there");
        Self(child)
    }

    /// Ends it; what it saw.
    fn leave(&mut self) -> String {
        drop(self.0.stdin.take());
        let mut line = String::new();
        let output = self.0.stdout.as_mut().expect("its output");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("what was seen");
        let _ = self.0.wait();
        format!("; {}", line.trim())
    }
}

/// Watches over very many sockets until nothing more comes in.
fn watch(address: &str) {
    rustix::process::nice(19).expect("a lower priority");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let [messages, bytes, dropped] = [const { AtomicU64::new(0) }; 3].map(Arc::new);
    runtime.block_on(async {
        for number in 0..VIEWERS {
            let url = format!("ws://{address}/api/live");
            let mut socket = tokio_tungstenite::connect_async(url)
                .await
                .expect("a connection")
                .0;
            let (messages, bytes, dropped) =
                (Arc::clone(&messages), Arc::clone(&bytes), Arc::clone(&dropped));
            tokio::spawn(async move {
                if number % 10 == 9 {
                    return std::future::pending().await;
                }
                while let Some(Ok(heard)) = socket.next().await {
                    match heard {
                        Message::Close(Some(frame)) if u16::from(frame.code) == 4001 => {
                            dropped.fetch_add(1, Ordering::Relaxed);
                        }
                        heard => {
                            messages.fetch_add(1, Ordering::Relaxed);
                            bytes.fetch_add(heard.len() as u64, Ordering::Relaxed);
                        }
                    }
                    if number % 10 > 6 {
                        tokio::time::sleep(Duration::from_millis(500)).await;
                    }
                }
            });
        }
        say("all are there");
        let (ended, end) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            // Ends when the other process closes it.
            let _ = std::io::stdin().lock().read_line(&mut String::new());
            let _ = ended.send(());
        });
        let _ = end.await;
    });
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    say(&format!(
        "{} messages and {} MB were read, {} viewers were dropped",
        count(&messages),
        count(&bytes) >> 20,
        count(&dropped)
    ));
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
