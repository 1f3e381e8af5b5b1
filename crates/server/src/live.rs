//! Following a run live: one task reads what is new in the file and tells all viewers; one task per
//! viewer passes it on.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Sent, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval_at, sleep, timeout};
use townsfolk_store::Tick;

use crate::asked::Asked;
use crate::files::RunFile;
use crate::frames;
use crate::serve::Served;
use crate::stage::{Message, Stage, Told};

/// How often the file is looked at while somebody watches, and while nobody does.
const WATCHED: Duration = Duration::from_millis(50);
const UNWATCHED: Duration = Duration::from_millis(500);

/// Looks at the file for each look at who waits for a model: four a second while somebody watches.
const LOOKS: u32 = 5;

/// What is read at once for viewers at most; more is a jump. A night is some three thousand ticks.
const MOST_TICKS: Tick = 20_000;
/// Frames in a message at most; more is a jump.
const MOST_FRAMES: usize = 600;

/// How long a viewer may take to accept a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a viewer is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Close codes.
const GOING_AWAY: u16 = 1001;
const TOO_SLOW: u16 = 4001;

/// Tells viewers what is new in the file, for ever.
pub(crate) async fn follow(file: Arc<RunFile>, stage: Arc<Stage>) {
    let mut waited: Vec<u32> = Vec::new();
    for look in (0..LOOKS).cycle() {
        if look == 0 {
            // Who waits at two looks in a row waits long enough to be seen.
            let waiting = stage.waiting();
            let still = waiting.iter().filter(|id| waited.contains(id));
            stage.tell_waiting(still.copied().collect());
            waited = waiting;
        }
        let watched = stage.viewers() > 0;
        let told = stage.told();
        let read = file
            .read(move |run| {
                let head = run.head()?;
                Ok((head, news(run, told, head, watched)?))
            })
            .await;
        match read {
            Ok((head, message)) if head != told => stage.tell(head, message),
            // A file that cannot be read now may be readable later.
            _ => {}
        }
        sleep(if watched { WATCHED } else { UNWATCHED }).await;
    }
}

/// The message that tells of what came after `told`.
fn news(
    run: &townsfolk_store::RunReader,
    told: Option<Tick>,
    head: Option<Tick>,
    watched: bool,
) -> Result<Option<Utf8Bytes>, townsfolk_store::StoreError> {
    let jump = Message::Jump { head };
    Ok(match (told, head) {
        _ if !watched || told == head => None,
        (Some(from), Some(to)) if from < to && to - from <= MOST_TICKS => {
            let frames = frames::between(run, from + 1..=to)?;
            let message = Message::Frames {
                from,
                to,
                frames: &frames,
            };
            Some(if frames.len() > MOST_FRAMES {
                jump.text()
            } else {
                message.text()
            })
        }
        _ => Some(jump.text()),
    })
}

/// Where a viewer stands.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Since {
    /// The last tick it has.
    from: Option<Tick>,
}

/// `GET /api/live`: a viewer comes.
pub(crate) async fn live(
    State(served): State<Served>,
    Asked(since): Asked<Since>,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Viewers have nothing to say.
    upgrade
        .max_message_size(1 << 12)
        .on_upgrade(move |socket| watch(served, since.from, socket))
}

/// Everything one viewer gets, until it leaves, falls behind, or the server ends.
async fn watch(served: Served, from: Option<Tick>, mut socket: WebSocket) {
    // Held until the very end, so that whoever ends the server knows when everybody has been told.
    let (mut messages, told) = served.stage.join();
    let code = tell_all(&served, from, told, &mut messages, &mut socket).await;
    if let Err(code) = code {
        let reason = match code {
            TOO_SLOW => "too slow; connect again with the last tick you have",
            _ => "the server ends",
        };
        let close = Sent::Close(Some(CloseFrame {
            code,
            reason: reason.into(),
        }));
        // It may be gone already.
        let _ = timeout(Duration::from_secs(1), socket.send(close)).await;
    }
}

/// `Ok` when the viewer left by itself, else why it is dropped.
async fn tell_all(
    served: &Served,
    from: Option<Tick>,
    told: Told,
    messages: &mut Receiver<Utf8Bytes>,
    socket: &mut WebSocket,
) -> Result<(), u16> {
    let head = told.head;
    let hello = Message::Hello {
        head,
        mode: &served.stage.mode(),
        waiting: &told.waiting,
    };
    send(socket, hello.text()).await?;
    if let (Some(from), Some(to)) = (from, head)
        && from != to
    {
        send(socket, missed(served, from, to).await).await?;
    }
    let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    let mut ending = served.ending.clone();
    loop {
        tokio::select! {
            message = messages.recv() => match message {
                Ok(message) => send(socket, message).await?,
                Err(RecvError::Lagged(_)) => return Err(TOO_SLOW),
                Err(RecvError::Closed) => return Err(GOING_AWAY),
            },
            heard = socket.recv() => match heard {
                None | Some(Err(_)) | Some(Ok(Sent::Close(_))) => return Ok(()),
                Some(Ok(_)) => {}
            },
            _ = heartbeat.tick() => send_raw(socket, Sent::Ping(Default::default())).await?,
            _ = ending.changed() => return Err(GOING_AWAY),
        }
    }
}

/// What a viewer missed that was away for a while.
async fn missed(served: &Served, from: Tick, to: Tick) -> Utf8Bytes {
    let jump = move || Message::Jump { head: Some(to) }.text();
    if from > to || to - from > frames::MOST_TICKS {
        return jump();
    }
    let read = served.file.read(move |run| {
        let frames = frames::between(run, from + 1..=to)?;
        let message = Message::Frames {
            from,
            to,
            frames: &frames,
        };
        Ok(message.text())
    });
    read.await.unwrap_or_else(|_| jump())
}

async fn send(socket: &mut WebSocket, text: Utf8Bytes) -> Result<(), u16> {
    send_raw(socket, Sent::Text(text)).await
}

async fn send_raw(socket: &mut WebSocket, message: Sent) -> Result<(), u16> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(GOING_AWAY),
        Err(_) => Err(TOO_SLOW),
    }
}
