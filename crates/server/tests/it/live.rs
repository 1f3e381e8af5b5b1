//! Watching live.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use townsfolk_model::scripted::{Play, Request, Server as Scripted};

use crate::common::{HOUR, Served, minds_of, two_neighbours};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn watch(address: SocketAddr, query: &str) -> Socket {
    let url = format!("ws://{address}/api/live{query}");
    connect_async(url).await.expect("a live connection").0
}

/// The next message with content; the code when the server closes.
async fn next(socket: &mut Socket) -> Result<Value, u16> {
    loop {
        let heard = tokio::time::timeout(Duration::from_secs(60), socket.next()).await;
        match heard.expect("a message in time") {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).expect("JSON")),
            Some(Ok(Message::Close(frame))) => return Err(frame.map_or(0, |frame| frame.code.into())),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(0),
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// Follows until the run has ended; the tick up to which everything was told, and how many frames.
async fn follow(address: SocketAddr) -> (u64, usize) {
    let mut socket = watch(address, "").await;
    let hello = next(&mut socket).await.expect("a hello");
    assert_eq!(hello["type"], "hello");
    let (mut known, mut frames) = (hello["head"].as_u64(), 0);
    let mut ended = hello["mode"]["state"] == "ended";
    while !ended || known != Some(4 * HOUR - 1) {
        let message = next(&mut socket).await.expect("a message");
        match message["type"].as_str() {
            Some("frames") => {
                let from = message["from"].as_u64();
                assert!(from <= known, "nothing falls between: {from:?} after {known:?}");
                known = message["to"].as_u64();
                frames += message["frames"].as_array().map_or(0, Vec::len);
            }
            Some("jump") => known = message["head"].as_u64(),
            Some("mode") => ended = message["mode"]["state"] == "ended",
            other => panic!("{other:?}: {message}"),
        }
    }
    (known.unwrap_or(0), frames)
}

/// Field cases 42 and 43: any number may watch from any moment on, and the run comes out the same.
#[test]
fn two_hundred_watch_and_the_run_is_the_same() {
    let served = Served::running(two_neighbours(), 4 * HOUR);
    let address = served.address();
    let ends = runtime().block_on(async {
        let viewers: Vec<_> = (0..200).map(|_| tokio::spawn(follow(address))).collect();
        let mut ends = Vec::new();
        for viewer in viewers {
            ends.push(viewer.await.expect("a viewer that saw the end").0);
        }
        ends
    });
    assert_eq!(ends, [4 * HOUR - 1; 200]);
    let digest = |path: &std::path::Path| {
        let run = townsfolk_store::RunReader::open(path).expect("a run");
        run.digest().expect("a digest")
    };
    let watched = digest(&served.path);
    let alone = served.path.with_file_name("alone.run");
    crate::common::record(
        &alone,
        two_neighbours(),
        4 * HOUR,
        townsfolk_store::RunState::Finished,
    );
    assert_eq!(watched, digest(&alone));
}

/// Somebody who was away gets what they missed, or is told that it is too much.
#[test]
fn whoever_comes_back_gets_what_was_missed() {
    let served = Served::finished();
    served.wait_until("viewers could know", |served| {
        served.stage.viewers() == 0 && served.head() > 0
    });
    let (address, head) = (served.address(), served.head());
    std::thread::sleep(Duration::from_millis(700));
    runtime().block_on(async {
        let mut socket = watch(address, &format!("?from={}", head - 100)).await;
        assert_eq!(next(&mut socket).await.expect("a hello")["head"], head);
        let missed = next(&mut socket).await.expect("what was missed");
        assert_eq!(missed["type"], "frames");
        assert_eq!(
            (missed["from"].as_u64(), missed["to"].as_u64()),
            (Some(head - 100), Some(head))
        );
        let expected = served.json(&format!("/api/frames?from={}&to={head}", head - 100));
        assert_eq!(
            missed["frames"], expected["frames"],
            "live and replay tell the same story"
        );
        let mut socket = watch(address, "?from=0").await;
        next(&mut socket).await.expect("a hello");
        let missed = next(&mut socket).await.expect("a message");
        assert!(missed["type"] == "jump" || head <= 2_160, "{missed}");
    });
}

/// Field case 40: viewers are told who waits for a model, and when nobody does any more.
#[test]
fn viewers_know_who_waits_for_a_model() {
    let quick = Arc::new(AtomicBool::new(false));
    let hurry = Arc::clone(&quick);
    let model = Scripted::start(move |_: &Request| match hurry.load(Ordering::Relaxed) {
        true => Play::reply("{}"),
        false => Play::After(Duration::from_secs(2), Box::new(Play::reply("{}"))),
    });
    let served = Served::minded(two_neighbours(), HOUR, minds_of(&model));
    let address = served.address();
    runtime().block_on(async {
        let mut socket = watch(address, "").await;
        let hello = next(&mut socket).await.expect("a hello");
        let mut waiting = hello["waiting"].clone();
        while waiting == json!([]) {
            let message = next(&mut socket).await.expect("a message");
            if message["type"] == "waiting" {
                waiting = message["residents"].clone();
            }
        }
        assert!(
            [json!([0]), json!([1]), json!([0, 1])].contains(&waiting),
            "{waiting}"
        );
        quick.store(true, Ordering::Relaxed);
        while waiting != json!([]) {
            let message = next(&mut socket).await.expect("a message");
            if message["type"] == "waiting" {
                waiting = message["residents"].clone();
            }
        }
    });
}

/// When the server ends, viewers are told so.
#[test]
fn viewers_are_told_that_the_server_ends() {
    let mut served = Served::finished();
    let address = served.address();
    let runtime = runtime();
    let mut socket = runtime.block_on(async {
        let mut socket = watch(address, "").await;
        next(&mut socket).await.expect("a hello");
        socket
    });
    served.server.take().expect("it serves").stop();
    let code = runtime.block_on(async {
        loop {
            if let Err(code) = next(&mut socket).await {
                break code;
            }
        }
    });
    assert_eq!(code, 1001);
}
