//! A logical clock for models, so that a day of calls that take 200 ms each need not be waited for.
//!
//! Whoever waits is woken in the order of the clock, which moves on only when everybody waits: exactly
//! what a real clock would show if thinking took no time. That everybody waits is seen by polls: all who
//! wait were polled twice since anything happened, so every other future had its turn between. This needs
//! one executor on one thread.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use townsfolk_mind::model::Rehearsal;
use townsfolk_model::{ChatModel, ChatReply, ChatRequest, ModelError};

/// A clock that moves on when everybody waits for it.
#[derive(Default)]
pub(crate) struct Clock(Mutex<State>);

#[derive(Default)]
struct State {
    now_ms: u64,
    next: u64,
    /// When each one's waiting ends, and its polls since anything happened.
    waiting: BTreeMap<u64, (u64, u8)>,
}

impl Clock {
    /// Milliseconds since it began.
    pub(crate) fn now_ms(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).now_ms
    }

    /// Waits.
    pub(crate) async fn wait(&self, ms: u64) {
        let id = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.next += 1;
            let (id, end) = (state.next, state.now_ms + ms);
            state.waiting.insert(id, (end, 0));
            state.something_happened();
            id
        };
        Wait { clock: self, id }.await;
    }
}

impl State {
    fn something_happened(&mut self) {
        for (_, polls) in self.waiting.values_mut() {
            *polls = 0;
        }
    }
}

struct Wait<'c> {
    clock: &'c Clock,
    id: u64,
}

impl Future for Wait<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.clock.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = state.now_ms;
        let Some((end, polls)) = state.waiting.get_mut(&self.id) else {
            return Poll::Ready(());
        };
        if *end <= now {
            state.waiting.remove(&self.id);
            state.something_happened();
            return Poll::Ready(());
        }
        *polls = polls.saturating_add(1);
        if state.waiting.values().all(|(_, polls)| *polls >= 2) {
            state.now_ms = state.waiting.values().map(|(end, _)| *end).min().unwrap_or(now);
            state.something_happened();
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// How long a call takes.
pub(crate) type Latency = fn(&ChatRequest, &str) -> u64;

/// A model that says what the routine mind would, after a while on the clock.
pub(crate) struct Slow {
    pub(crate) rehearsal: Arc<Rehearsal>,
    pub(crate) clock: Arc<Clock>,
    /// Milliseconds that a request and its answer take.
    pub(crate) latency: Latency,
    /// All waits, one after another, in milliseconds.
    pub(crate) all_ms: Arc<AtomicU64>,
}

impl ChatModel for Slow {
    fn name(&self) -> &str {
        Rehearsal::NAME
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        Box::pin(async move {
            let reply = self.rehearsal.chat(request).await?;
            let ms = (self.latency)(request, &reply.text);
            self.all_ms.fetch_add(ms, Ordering::Relaxed);
            self.clock.wait(ms).await;
            Ok(reply)
        })
    }
}
