//! Stopping a run whose calls are on their way.

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// How people stop a run, shared between the run and whoever listens to them.
///
/// [`ask`](Stop::ask) lets no further call begin; those on their way may still arrive and are
/// recorded. [`give_up`](Stop::give_up) no longer waits for them. A tick that misses a reply is not
/// committed; resumed, the run asks only for what is missing.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    asked: AtomicBool,
    given_up: AtomicBool,
    waiting: Mutex<Vec<Waker>>,
}

impl Stop {
    /// No further call is to begin.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::Release);
    }

    /// Whether [`ask`](Self::ask) was called.
    pub fn asked(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }

    /// Calls on their way are no longer waited for.
    pub fn give_up(&self) {
        self.ask();
        self.0.given_up.store(true, Ordering::Release);
        let mut waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for waker in waiting.drain(..) {
            waker.wake();
        }
    }

    /// Whether [`give_up`](Self::give_up) was called.
    pub(crate) fn has_given_up(&self) -> bool {
        self.0.given_up.load(Ordering::Acquire)
    }

    /// Ends when [`give_up`](Self::give_up) is called.
    pub(crate) async fn given_up(&self) {
        poll_fn(|context| {
            let inner = &*self.0;
            let mut waiting = inner.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            // Under the lock, so that a waker is either seen by `give_up` or sees that it was called.
            if inner.given_up.load(Ordering::Acquire) {
                return Poll::Ready(());
            }
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}
