//! A viewer that falls behind, over a real socket.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio_tungstenite::tungstenite::Message as Heard;
use townsfolk_embed::HashedWords;
use townsfolk_engine::{Options, Run, Setting, at};
use townsfolk_store::RunState;
use townsfolk_town::Town;

use crate::{Conductor, Means, ServeOptions, Server};

/// Far more is told than the viewer's queue and both ends of its socket hold, while it reads nothing:
/// telling never waits, and the viewer is dropped.
#[test]
fn a_viewer_that_does_not_read_is_dropped_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two_neighbours");
    let setting = Setting::new(Town::read(&example).expect("a town"), 0, Arc::new(HashedWords));
    let mut run = Run::create(&path, setting, Options::default(), "test").expect("a run");
    run.run_until(10, |_| std::ops::ControlFlow::Continue(()))
        .expect("ticks");
    run.finish(RunState::Finished).expect("a file");
    let embedder = || Arc::new(HashedWords);
    let (again, options) = (path.clone(), Options::default());
    let resume = move || Run::resume(&again, embedder(), options);
    let (_conductor, stage) = Conductor::of_file(&path, Box::new(resume)).expect("a run");
    let means = Means {
        forks: Arc::new(|_, _, _| Ok(())),
        moments: Arc::new(move |run, tick| at(run, tick, embedder(), Options::default())),
    };
    let options = ServeOptions {
        port: Some(0),
        ..ServeOptions::default()
    };
    let server = Server::start(&options, &path, Arc::clone(&stage), means).expect("a server");

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let url = format!("ws://{}/api/live", server.address());
    let mut slow = runtime
        .block_on(tokio_tungstenite::connect_async(url))
        .expect("a connection")
        .0;
    let joined = Instant::now();
    while stage.viewers() == 0 {
        assert!(joined.elapsed() < Duration::from_secs(30), "it never joined");
        std::thread::sleep(Duration::from_millis(10));
    }

    let message: axum::extract::ws::Utf8Bytes = "x".repeat(100_000).into();
    // Nobody reads while these hundred megabytes are told: waiting for the viewer would be waiting for ever.
    for _ in 0..1_000 {
        stage.tell(Some(9), Some(message.clone()));
    }

    let code = runtime.block_on(async {
        loop {
            match slow.next().await {
                Some(Ok(Heard::Close(frame))) => break frame.map(|frame| u16::from(frame.code)),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break None,
            }
        }
    });
    assert_eq!(code, Some(4001));
}
