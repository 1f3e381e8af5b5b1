//! Running ahead: while a tick waits for replies, those that later ticks will ask for are fetched.
//!
//! Nothing of the run is decided here. A [`Scout`] lets residents whom nobody who is being waited for can
//! affect live on in a copy of the town, and what they are going to ask is asked and written into
//! the run file, under the tick and question it is for. When that tick comes, the engine finds the reply
//! there as if the run had been taken up again. The committed run is the same with and without.
//!
//! - `Reach`: how soon one person can affect another.
//! - `Scout`: the copy.
//! - `Foresight`: the ledger that the copy thinks with.
//! - [`Ahead`]: when the copy is made, goes on and is dropped, and the calls on their way.
//!
//! The copy is dropped, and made anew, when people steer from outside, and when a tick went
//! otherwise than the copy had it. While a visitor walks or talks there is none.

mod foresight;
mod reach;
mod scout;

use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_util::StreamExt as _;
use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::FuturesUnordered;
use townsfolk_mind::model::call;
use townsfolk_model::Fault;

use self::foresight::{Foresight, ToMake};
use self::scout::{Most, Scout};
use crate::engine::{Engine, State, Thought};
use crate::ledger::Recorder;
use crate::minds::{Minds, Shared};

/// How far ahead of the town anybody may be, in game seconds: what steering from outside may make useless is
/// ten minutes of game time, and most of what can be gained is gained by then (`docs/design/tick.md`).
const AHEAD_SECONDS: i64 = 600;
/// Calls on their way at most: what a kill may lose, since they are paid for.
const MOST_CALLS: usize = 64;
/// How often somebody thinks ahead before those of the tick at hand get their turn.
const THOUGHTS_AT_ONCE: usize = 256;

/// What runs ahead of a town.
pub(crate) struct Ahead {
    recorder: Arc<Recorder>,
    foresight: Arc<Foresight>,
    scout: Option<Box<Scout>>,
    /// Calls on their way. Never locked: the mutex lets an engine be looked at by several threads.
    calls: Mutex<FuturesUnordered<BoxFuture<'static, ()>>>,
    /// The tick at hand, and before which nobody runs ahead.
    stretch: (u64, u64),
}

impl Ahead {
    pub(crate) fn new(recorder: Arc<Recorder>) -> Self {
        Self {
            foresight: Arc::new(Foresight::new(recorder.clone())),
            recorder,
            scout: None,
            calls: Mutex::default(),
            stretch: (0, 0),
        }
    }

    /// Models that look ahead.
    pub(crate) fn mind(&self, minds: &Minds) -> Shared {
        minds.with_ledger(&self.foresight)
    }

    /// What was foreseen holds no longer.
    pub(crate) fn forget(&mut self) {
        self.scout = None;
    }

    /// Begins a tick; `town` makes a copy of the engine, before anybody thinks.
    pub(crate) fn begin(
        &mut self,
        tick: u64,
        until: u64,
        seconds_per_tick: i64,
        town: impl FnOnce() -> Engine,
    ) {
        let ticks = (AHEAD_SECONDS / seconds_per_tick).max(1) as u64;
        self.stretch = (tick, until.min(tick + ticks));
        self.foresight.begin(tick);
        if self.scout.is_none() {
            self.scout = Some(Box::new(Scout::new(town(), ticks)));
        }
    }

    /// Compares what a tick came to with what was foreseen.
    pub(crate) fn compare(&mut self, tick: u64, thoughts: &[Thought]) {
        let right = |scout: &mut Box<Scout>| scout.was_right(tick, thoughts);
        if !self.scout.as_mut().is_none_or(right) {
            self.forget();
        }
    }

    /// Takes what has arrived and asks for more; never at its end.
    pub(crate) fn poll(&mut self, minds: &Minds, context: &mut Context<'_>) -> Poll<()> {
        self.recorder.tell(context.waker());
        loop {
            let calls = self.calls();
            while let Poll::Ready(Some(())) = calls.poll_next_unpin(context) {}
            let room = MOST_CALLS.saturating_sub(calls.len());
            let Some(scout) = self.scout.as_mut().filter(|_| room > 0) else {
                return Poll::Pending;
            };
            let most = Most {
                thoughts: THOUGHTS_AT_ONCE,
                calls: room,
            };
            let gone = scout.go_on(self.stretch, most, &self.recorder, &self.foresight);
            if gone.lost {
                self.forget();
            }
            let begun = self.make_calls(minds, gone.calls);
            if gone.unfinished {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if !begun {
                return Poll::Pending;
            }
        }
    }

    /// Ends when every call on its way has arrived; no more are made.
    pub(crate) async fn arrive(&mut self) {
        self.forget();
        while self.calls().next().await.is_some() {}
    }

    fn calls(&mut self) -> &mut FuturesUnordered<BoxFuture<'static, ()>> {
        self.calls.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes calls; whether any was begun.
    fn make_calls(&mut self, minds: &Minds, calls: Vec<ToMake>) -> bool {
        let Some(plan) = &minds.models else { return false };
        let mut begun = false;
        for to_make in calls {
            let ToMake {
                key,
                kind,
                request,
                written,
            } = to_make;
            let model = plan.roles.role(kind.role()).model.clone();
            let (recorder, foresight) = (self.recorder.clone(), self.foresight.clone());
            let made = async move {
                let (made, fault) = call(&*model, key.clone(), kind, &request, written).await;
                let stops = fault.is_some_and(Fault::stops_everything);
                if recorder.record_ahead(made, fault).is_err() || stops {
                    foresight.refuse(key);
                }
            };
            self.calls().push(made.boxed());
            begun = true;
        }
        begun
    }
}

/// Whether people act through a visitor's body at the moment: what it does next is theirs to say.
pub(crate) fn is_steered(state: &State, is_visitor: impl Fn(townsfolk_mind::ResidentId) -> bool) -> bool {
    let in_talk = |talk: &townsfolk_mind::cognition::Talk| talk.between.into_iter().any(&is_visitor);
    !state.walks.is_empty() || !state.speeches.is_empty() || state.talks.iter().any(in_talk)
}
