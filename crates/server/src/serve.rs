//! The server: a port, a few threads of its own, and everything put together.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use axum::{Json, Router};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use townsfolk_engine::RunError;
use townsfolk_town::PictureTileset;

use crate::files::{OpenError, RunFile};
use crate::guard::{Guard, Token, guard};
use crate::minds::{Minds, Moments};
use crate::refusal::Refusal;
use crate::stage::Stage;
use crate::wire::map::TownMap;
use crate::wire::run::Barred;
use crate::{api, assets, live};

/// The port that is tried first.
pub const USUAL_PORT: u16 = 7_878;

/// How many ports after the usual one are tried when it is taken.
const MORE_PORTS: u16 = 20;

/// Threads that answer requests; reading the file has threads of its own.
const THREADS: usize = 2;

/// The longest body of a request, in bytes.
pub(crate) const LONGEST_BODY: usize = 64 << 10;

/// How long viewers may take to hear that the server ends.
const PATIENCE: Duration = Duration::from_millis(500);

/// How to make a fork: parent, child, and the last tick both share.
pub type Forks = Arc<dyn Fn(&Path, &Path, u32) -> Result<(), RunError> + Send + Sync>;

/// What the server can do only with the minds and embedders that its caller has.
#[derive(Clone)]
pub struct Means {
    /// How to make a fork.
    pub forks: Forks,
    /// How to have the town in memory as it was at a tick.
    pub moments: Moments,
}

/// Where to serve, and to whom.
#[derive(Clone, Default)]
pub struct ServeOptions {
    /// The address to listen at; this machine only if none.
    pub host: Option<String>,
    /// The port; the first free one from [`USUAL_PORT`] on if none.
    pub port: Option<u16>,
    /// The token that everybody must have; outside of this machine one is made if none is given.
    pub token: Option<String>,
}

/// Why a run is not served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The run cannot be shown.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The host is none of this machine's.
    #[error("--host {host}: {source}; give an address of this machine, such as 0.0.0.0 for all")]
    Host {
        /// As given.
        host: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The port is taken, or not allowed.
    #[error("port {port}: {source}; give another with --port, or 0 for any that is free")]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system gives no threads or no chance.
    #[error("the server cannot start: {0}; run with --no-serve to do without")]
    System(String),
}

/// How other machines find the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Others {
    /// By the link itself, if they are answered at all.
    SameLink,
    /// By this one: the server listens at every address of this machine, and this is the one that others see.
    Link(String),
    /// By an address of this machine that the system does not tell, in place of the link's host.
    Unknown,
}

/// A server at work. Dropping it ends it.
pub struct Server {
    link: String,
    others: Others,
    address: SocketAddr,
    ending: watch::Sender<bool>,
    stage: Arc<Stage>,
    runtime: Option<Runtime>,
}

/// What every endpoint works with.
#[derive(Clone)]
pub(crate) struct Served {
    pub(crate) file: Arc<RunFile>,
    pub(crate) stage: Arc<Stage>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) map: Arc<Map>,
    pub(crate) minds: Arc<Minds>,
    pub(crate) forks: Forks,
    pub(crate) ending: watch::Receiver<bool>,
}

/// The map, written once.
pub(crate) struct Map {
    pub(crate) json: Bytes,
    pub(crate) tag: String,
    pub(crate) images: Vec<Image>,
}

/// A picture of the map.
pub(crate) struct Image {
    pub(crate) kind: &'static str,
    pub(crate) tag: String,
    pub(crate) bytes: Bytes,
}

impl Served {
    /// Refuses when the run is only shown.
    pub(crate) fn controls(&self) -> Result<(), Refusal> {
        let (error, remedy) = match self.stage.mode().barred {
            None => return Ok(()),
            Some(Barred::ReadOnly) => (
                "this run is only shown",
                "serve it without --read-only to steer it",
            ),
            Some(Barred::WrittenElsewhere) => (
                "another process is writing this run",
                "steer it from the page of that process, or wait until it has ended",
            ),
        };
        Err(Refusal::not_now(error, remedy))
    }
}

impl Server {
    /// Serves a run from now on, on threads of its own.
    ///
    /// # Errors
    /// [`ServeError`]; nothing is then left running.
    pub fn start(
        options: &ServeOptions,
        path: &Path,
        stage: Arc<Stage>,
        means: Means,
    ) -> Result<Self, ServeError> {
        let file = Arc::new(RunFile::open(path)?);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("townsfolk-server")
            .enable_all()
            .build()
            .map_err(|error| ServeError::System(error.to_string()))?;
        let host = address(options.host.as_deref())?;
        let listener = runtime.block_on(listen(host, options.port))?;
        let address = listener.local_addr().map_err(|source| ServeError::Port {
            port: options.port.unwrap_or(USUAL_PORT),
            source,
        })?;
        let token = match options.token.as_deref().filter(|token| !token.trim().is_empty()) {
            Some(token) => Some(Token::chosen(token.to_owned())),
            None if host.is_loopback() => None,
            None => Some(Token::generated().map_err(|error| ServeError::System(error.to_string()))?),
        };
        let guard = Guard {
            host: shown(options.host.as_deref(), host),
            port: address.port(),
            token,
        };
        let secret = guard
            .token
            .as_ref()
            .map(|token| format!("#token={}", token.reveal()));
        let secret = secret.unwrap_or_default();
        let link_at = |host: &str| format!("http://{host}:{}/{secret}", guard.port);
        let link = link_at(&guard.host);
        let others = match seen_from_outside(address.ip()) {
            _ if !address.ip().is_unspecified() => Others::SameLink,
            Some(seen) => Others::Link(link_at(&in_link(seen))),
            None => Others::Unknown,
        };
        let (ending, ended) = watch::channel(false);
        let served = Served {
            map: Arc::new(Map::of(&file)),
            file: Arc::clone(&file),
            stage: Arc::clone(&stage),
            guard: Arc::new(guard),
            minds: Arc::new(Minds::new(means.moments)),
            forks: means.forks,
            ending: ended,
        };
        runtime.spawn(live::follow(file, Arc::clone(&stage)));
        let app = app(served);
        runtime.spawn(async move { axum::serve(listener, app).await });
        Ok(Self {
            link,
            others,
            address,
            ending,
            stage,
            runtime: Some(runtime),
        })
    }

    /// The link to open, with the token if there is one. To be shown once and written nowhere.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// How other machines find the page; with the token too.
    pub fn others(&self) -> &Others {
        &self.others
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Says goodbye to viewers and ends.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(runtime) = self.runtime.take() else {
            return;
        };
        // Nobody may be there to hear it.
        let _ = self.ending.send(true);
        let patience = Instant::now() + PATIENCE;
        while self.stage.viewers() > 0 && Instant::now() < patience {
            std::thread::sleep(PATIENCE / 100);
        }
        runtime.shutdown_background();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn app(served: Served) -> Router {
    let (api, description) = api::described();
    api.route("/api/openapi.json", get(move || async move { Json(description) }))
        .route("/api/live", get(live::live))
        .fallback(assets::asset)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(served.clone(), guard))
        .with_state(served)
}

async fn wrong_method() -> Refusal {
    Refusal::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "this cannot be done here",
        "see /api/openapi.json for what can",
    )
}

/// The address to listen at.
fn address(host: Option<&str>) -> Result<IpAddr, ServeError> {
    let Some(host) = host else {
        return Ok(Ipv4Addr::LOCALHOST.into());
    };
    let failed = |source| ServeError::Host {
        host: host.to_owned(),
        source,
    };
    let mut found = (host, 0).to_socket_addrs().map_err(failed)?;
    let none = || failed(std::io::Error::other("it has no address"));
    Ok(found.next().ok_or_else(none)?.ip())
}

/// The host as it stands in a link.
fn shown(asked: Option<&str>, address: IpAddr) -> String {
    match (asked, address) {
        (Some(name), _) if name.parse::<IpAddr>().is_err() => name.to_owned(),
        (_, address) if address.is_unspecified() => "localhost".to_owned(),
        (_, address) => in_link(address),
    }
}

/// An address as it stands in a link.
fn in_link(address: IpAddr) -> String {
    match address {
        IpAddr::V6(address) => format!("[{address}]"),
        IpAddr::V4(address) => address.to_string(),
    }
}

/// The address under which this machine would speak to others, by which they can reach what listens at all of its
/// addresses. Only the routing table is asked: a UDP socket that is connected sends nothing.
fn seen_from_outside(listening: IpAddr) -> Option<IpAddr> {
    // Addresses for documentation, which are nobody's.
    let somebody: IpAddr = match listening {
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 1).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
    };
    let socket = UdpSocket::bind((listening, 0)).ok()?;
    socket.connect((somebody, 9)).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then_some(own)
}

/// Takes the port asked for, or the first free one.
async fn listen(host: IpAddr, port: Option<u16>) -> Result<TcpListener, ServeError> {
    let ports = match port {
        Some(port) => port..=port,
        None => USUAL_PORT..=USUAL_PORT + MORE_PORTS,
    };
    let mut refused = std::io::Error::other("no port was tried");
    for port in ports.clone() {
        match TcpListener::bind((host, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(ServeError::Port {
        port: *ports.start(),
        source: refused,
    })
}

impl Map {
    fn of(file: &RunFile) -> Self {
        let map = TownMap::of(file.town());
        let image = |tileset: &PictureTileset| Image {
            kind: tileset.format.media_type(),
            tag: tag(&tileset.image),
            bytes: Bytes::from(tileset.image.clone()),
        };
        let tilesets = file.town().picture.iter().flat_map(|picture| &picture.tilesets);
        // Numbers and texts always have a JSON form.
        let json = Bytes::from(serde_json::to_vec(&map).unwrap_or_default());
        Self {
            tag: tag(&json),
            json,
            images: tilesets.map(image).collect(),
        }
    }
}

/// A tag for content that never changes while this server runs, and is the same for the same content:
/// 64 bits of FNV-1a, which tells versions apart and is no proof of anything.
fn tag(bytes: &[u8]) -> String {
    let start: u64 = 0xcbf2_9ce4_8422_2325;
    let hash = bytes.iter().fold(start, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("\"{hash:016x}\"")
}
