//! A served run, and a client that says exactly what it is told to.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use townsfolk_embed::HashedWords;
use townsfolk_engine::{Minds, ModelPlan, Options, Progress, Run, RunError, Setting, at};
use townsfolk_memory::Embedder;
use townsfolk_mind::model::{Calls, PromptSet, Roles};
use townsfolk_model::scripted::Server as Scripted;
use townsfolk_model::{Models, ModelsConfig, Stop};
use townsfolk_server::{Conductor, Means, ServeOptions, Server, Stage, Watch};
use townsfolk_store::RunState;
use townsfolk_town::Town;

/// Ticks of an hour.
pub(crate) const HOUR: u64 = 360;

pub(crate) fn embedder() -> Arc<dyn Embedder> {
    Arc::new(HashedWords)
}

/// The example town of two who live side by side.
pub(crate) fn two_neighbours() -> Town {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two_neighbours");
    Town::read(&folder).expect("the example is a town")
}

/// Minds whose one model this server plays.
pub(crate) fn minds_of(model: &Scripted) -> Minds {
    let config = format!(
        "[thinking]\nmodel = \"server:played\"\nbase_url = \"{}\"\nwindow_tokens = 32000\n",
        model.base_url()
    );
    let config = ModelsConfig::read(&config, "models.toml").expect("the configuration is right");
    let models = Models::open(&config, &|_| None, None, &Stop::default()).expect("the models open");
    let plan = ModelPlan {
        roles: Roles::from(&models),
        prompts: Arc::new(PromptSet::of("en").expect("the prompts are right")),
        calls: Calls::Together,
        crib: None,
    };
    Minds {
        models: Some(plan),
        ..Minds::routine(embedder())
    }
}

pub(crate) fn begin(path: &Path, town: Town, minds: impl Into<Minds>) -> Run {
    let setting = Setting::new(town, 7, minds);
    Run::create(path, setting, Options::default(), "test").expect("a new run")
}

/// Runs a town and leaves its file.
pub(crate) fn record(path: &Path, town: Town, ticks: u64, state: RunState) {
    let mut run = begin(path, town, embedder());
    run.set_goal(ticks).expect("a goal");
    run.run_until(ticks, |_| ControlFlow::Continue(()))
        .expect("ticks");
    run.finish(state).expect("a whole file");
}

/// A run that is served, and conducted on a thread of its own.
pub(crate) struct Served {
    pub(crate) path: PathBuf,
    pub(crate) server: Option<Server>,
    pub(crate) stage: Arc<Stage>,
    stop: Arc<AtomicBool>,
    conductor: Option<JoinHandle<Result<Option<u64>, RunError>>>,
    _folder: TempDir,
}

/// Watches without saying anything, and stays until told to stop.
struct Quiet(Arc<AtomicBool>);

impl Watch for Quiet {
    fn progress(&mut self, _: &Progress<'_>) {}

    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn stay(&mut self, _: usize) -> bool {
        true
    }
}

impl Served {
    /// A finished run of two neighbours up to noon, shown from its file.
    pub(crate) fn finished() -> Self {
        Self::recorded(two_neighbours(), 6 * HOUR, ServeOptions::default())
    }

    /// A finished run, shown from its file.
    pub(crate) fn recorded(town: Town, ticks: u64, options: ServeOptions) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.run");
        record(&path, town, ticks, RunState::Finished);
        Self::shown(folder, path, options)
    }

    /// A run of this folder as it is, shown from its file.
    pub(crate) fn shown(folder: TempDir, path: PathBuf, options: ServeOptions) -> Self {
        let again = path.clone();
        let resume = move || Run::resume(&again, embedder(), Options::default());
        let (conductor, stage) = Conductor::of_file(&path, Box::new(resume)).expect("a run");
        Self::start(folder, path, conductor, stage, options, embedder().into())
    }

    /// A run that is being computed up to `until`.
    pub(crate) fn running(town: Town, until: u64) -> Self {
        Self::minded(town, until, embedder().into())
    }

    /// A run with these minds that is being computed up to `until`.
    pub(crate) fn minded(town: Town, until: u64, minds: Minds) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.run");
        let run = begin(&path, town, minds.clone());
        let (again, answering) = (path.clone(), minds.clone());
        let resume = move || Run::resume(&again, minds.clone(), Options::default());
        let (conductor, stage) = Conductor::of_run(run, until, Box::new(resume));
        let options = ServeOptions::default();
        Self::start(folder, path, conductor, stage, options, answering)
    }

    fn start(
        folder: TempDir,
        path: PathBuf,
        mut conductor: Conductor,
        stage: Arc<Stage>,
        options: ServeOptions,
        minds: Minds,
    ) -> Self {
        let means = Means {
            forks: Arc::new(|parent, child, tick| {
                let fork = Run::fork(parent, child, tick.into(), embedder(), Options::default())?;
                fork.finish(RunState::Paused)
            }),
            moments: Arc::new(move |run, tick| at(run, tick, minds.clone(), Options::default())),
        };
        let options = ServeOptions {
            port: Some(0),
            ..options
        };
        let server = Server::start(&options, &path, Arc::clone(&stage), means).expect("a server");
        let stop = Arc::new(AtomicBool::new(false));
        let mut watch = Quiet(Arc::clone(&stop));
        let conducting = std::thread::spawn(move || {
            conductor.conduct(&mut watch)?;
            Ok(conductor.run().map(|run| run.engine().tick()))
        });
        Self {
            path,
            server: Some(server),
            stage,
            stop,
            conductor: Some(conducting),
            _folder: folder,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.as_ref().expect("it serves").address()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        ask(self.address(), "GET", path, &[], "")
    }

    /// The JSON of an answer that must be there.
    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Reply {
        let json = [("content-type", "application/json")];
        ask(self.address(), "POST", path, &json, &body.to_string())
    }

    /// Waits until something holds, which it must do soon.
    pub(crate) fn wait_until(&self, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let patience = Instant::now() + Duration::from_secs(60);
        while !holds(self) {
            assert!(Instant::now() < patience, "waited too long until {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn head(&self) -> u64 {
        self.json("/api/run")["head"].as_u64().unwrap_or(0)
    }

    /// Ends conducting; the next tick of the run that was held.
    pub(crate) fn end(mut self) -> Option<u64> {
        self.stop.store(true, Ordering::Relaxed);
        let conducted = self.conductor.take().map(JoinHandle::join);
        conducted.and_then(|joined| joined.expect("no panic").expect("no failure"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// An HTTP answer as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Asks over a socket of its own, with these headers and no others than must be.
pub(crate) fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut socket = TcpStream::connect(address).expect("a connection");
    socket
        .set_read_timeout(Some(Duration::from_secs(60)))
        .expect("a timeout");
    let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "host") {
        request += &format!("host: {address}\r\n");
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("content-length: {}\r\n\r\n{body}", body.len());
    socket.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).expect("an answer");
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Reply {
        status: status.expect("a status"),
        head,
        body: answer.split_off(end + 4),
    }
}
