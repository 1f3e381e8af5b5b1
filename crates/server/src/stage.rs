//! Where the run and those who watch it meet: the mode it is in, the orders given to it, and the
//! messages that every viewer gets.
//!
//! The run's side never waits for a viewer's. Messages are serialised once and shared; each viewer
//! has a bounded queue, and one who falls behind it is dropped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::{broadcast, oneshot};
use townsfolk_engine::Input;
use townsfolk_engine::ledger::Waiting;
use townsfolk_store::Tick;

use crate::refusal::Refusal;
use crate::wire::moment::Frame;
use crate::wire::run::{Barred, Command, Mode, RunMode};

/// Messages that wait for a viewer before it counts as too slow: some seconds at full speed.
const QUEUE: usize = 256;

/// What is asked of whoever holds the run.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) what: What,
    pub(crate) reply: oneshot::Sender<Result<Option<Acting>, Refusal>>,
}

/// The kinds of order.
#[derive(Debug)]
pub(crate) enum What {
    Command(Command),
    Input(Box<Input>),
}

/// When an input acts, and whom it brought to town.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acting {
    pub(crate) tick: u64,
    pub(crate) resident: Option<u32>,
}

/// A message to viewers.
#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
pub(crate) enum Message<'a> {
    /// The first.
    Hello {
        head: Option<Tick>,
        mode: &'a Mode,
        waiting: &'a [u32],
    },
    /// What changed.
    Frames {
        from: Tick,
        to: Tick,
        frames: &'a [Frame],
    },
    /// More changed than is worth sending.
    Jump { head: Option<Tick> },
    /// The run goes on otherwise.
    Mode { head: Option<Tick>, mode: &'a Mode },
    /// Others wait for a model.
    Waiting { residents: &'a [u32] },
}

impl Message<'_> {
    /// As it is sent. What it is made of always has a JSON form.
    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

/// The meeting place.
#[derive(Debug)]
pub struct Stage {
    mode: Mutex<Mode>,
    /// Whether nobody may steer it, whatever whoever conducts it would do.
    read_only: AtomicBool,
    orders: Mutex<Sender<Order>>,
    viewers: broadcast::Sender<Utf8Bytes>,
    /// The calls of the run that is held.
    waiting: Mutex<Waiting>,
    /// Held while a message about ticks or waiting is sent and while a viewer joins, so that none
    /// falls between.
    told: Mutex<Told>,
}

/// What viewers were told last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// The last tick.
    pub(crate) head: Option<Tick>,
    /// Who waits for a model.
    pub(crate) waiting: Vec<u32>,
}

impl Stage {
    pub(crate) fn new(mode: Mode, orders: Sender<Order>) -> Self {
        Self {
            mode: Mutex::new(mode),
            read_only: AtomicBool::new(false),
            orders: Mutex::new(orders),
            viewers: broadcast::channel(QUEUE).0,
            waiting: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// How the run goes on.
    pub fn mode(&self) -> Mode {
        lock(&self.mode).clone()
    }

    /// How many watch live.
    pub fn viewers(&self) -> usize {
        self.viewers.receiver_count()
    }

    /// Shows the run and lets nobody steer it.
    pub fn show_only(&self) {
        self.read_only.store(true, Ordering::Relaxed);
        self.set_mode(self.mode());
    }

    /// Changes the mode, and tells everybody if it is another.
    pub(crate) fn set_mode(&self, mode: Mode) {
        let mode = match self.read_only.load(Ordering::Relaxed) {
            false => mode,
            true => Mode {
                state: RunMode::Replay,
                controls: false,
                barred: Some(Barred::ReadOnly),
                ..mode
            },
        };
        let mut current = lock(&self.mode);
        if *current == mode {
            return;
        }
        current.clone_from(&mode);
        drop(current);
        let told = lock(&self.told);
        let message = Message::Mode {
            head: told.head,
            mode: &mode,
        };
        // Nobody may be watching.
        let _ = self.viewers.send(message.text());
    }

    /// Gives an order and waits for what comes of it.
    pub(crate) async fn order(&self, what: What) -> Result<Option<Acting>, Refusal> {
        let (reply, answer) = oneshot::channel();
        let gone = || {
            let remedy = "serve it with `townsfolk serve` to steer it";
            Refusal::not_now("nobody conducts this run any more", remedy)
        };
        let sent = lock(&self.orders).send(Order { what, reply });
        sent.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Joins the viewers: the messages from now on, and what those before told.
    pub(crate) fn join(&self) -> (broadcast::Receiver<Utf8Bytes>, Told) {
        let told = lock(&self.told);
        (self.viewers.subscribe(), told.clone())
    }

    /// The last tick that viewers know of.
    pub(crate) fn told(&self) -> Option<Tick> {
        lock(&self.told).head
    }

    /// Shows whose calls are on their way from now on: those of a run that is held, or none.
    pub(crate) fn show_waiting(&self, waiting: Waiting) {
        *lock(&self.waiting) = waiting;
    }

    /// The residents of whom a call to a model is on its way, by id.
    pub(crate) fn waiting(&self) -> Vec<u32> {
        let residents = lock(&self.waiting).residents();
        residents.into_iter().map(|id| id.0.into()).collect()
    }

    /// Tells viewers who waits for a model, if it is not who did before.
    pub(crate) fn tell_waiting(&self, residents: Vec<u32>) {
        let mut told = lock(&self.told);
        if told.waiting == residents {
            return;
        }
        let message = Message::Waiting {
            residents: &residents,
        };
        // Nobody may be watching.
        let _ = self.viewers.send(message.text());
        told.waiting = residents;
    }

    /// Tells viewers of ticks up to `head`; without a message if there was nobody to tell when it
    /// was made.
    pub(crate) fn tell(&self, head: Option<Tick>, message: Option<Utf8Bytes>) {
        let mut told = lock(&self.told);
        told.head = head;
        let late = self.viewers() > 0 && message.is_none();
        let message = message.or_else(|| late.then(|| Message::Jump { head }.text()));
        if let Some(message) = message {
            let _ = self.viewers.send(message);
        }
    }
}

/// A panic elsewhere leaves these as good as before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
