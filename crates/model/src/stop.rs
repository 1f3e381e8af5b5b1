//! Stopping while calls are on their way.

use std::sync::Arc;

use tokio::sync::watch;

/// How people stop what makes calls, shared between those who make them and whoever listens to people.
///
/// [`ask`](Stop::ask) lets no further call begin, nor one be tried again; those on their way may still
/// arrive. [`give_up`](Stop::give_up) no longer waits for them.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<Wish>>);

/// What people want, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    GoOn,
    BeginNothing,
    WaitForNothing,
}

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Wish::GoOn)))
    }
}

impl Stop {
    /// No further call is to begin.
    pub fn ask(&self) {
        self.wish(Wish::BeginNothing);
    }

    /// Whether [`ask`](Self::ask) was called.
    pub fn asked(&self) -> bool {
        *self.0.borrow() >= Wish::BeginNothing
    }

    /// Ends when [`ask`](Self::ask) is called. May be polled by any executor.
    pub async fn when_asked(&self) {
        self.when(Wish::BeginNothing).await;
    }

    /// Calls on their way are no longer waited for.
    pub fn give_up(&self) {
        self.wish(Wish::WaitForNothing);
    }

    /// Whether [`give_up`](Self::give_up) was called.
    pub fn has_given_up(&self) -> bool {
        *self.0.borrow() >= Wish::WaitForNothing
    }

    /// Ends when [`give_up`](Self::give_up) is called. May be polled by any executor.
    pub async fn when_given_up(&self) {
        self.when(Wish::WaitForNothing).await;
    }

    fn wish(&self, wish: Wish) {
        self.0.send_modify(|known| *known = wish.max(*known));
    }

    async fn when(&self, wish: Wish) {
        // An error would mean that the sender is gone, and this is it.
        let _ = self.0.subscribe().wait_for(|known| *known >= wish).await;
    }
}
