//! The ledger of a run that is being written.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use futures_util::future::{BoxFuture, FutureExt as _};
use townsfolk_memory::Embedding;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question, VectorCall, Vectors};
use townsfolk_mind::{Halted, ResidentId};
use townsfolk_model::{Fault, Usage};
use townsfolk_store::{CallId, CallRecord, Kept, Payer, RunWriter, StoreError, TextRow, TickRows, UsedCall};

use super::account::{Account, Sum};
use super::recorded::origin;
use super::spending::note_prices;
use super::{
    Budget, Mismatch, Prices, Recorded, Spending, Stop, TOWN, Waiting, call_row, key_row, text_row,
    vectors_row,
};
use crate::minds::Terms;

/// Writes every call into the run's file as soon as it exists, and looks there before one is made.
pub(crate) struct Recorder {
    writer: Arc<Mutex<RunWriter>>,
    prices: Prices,
    budget: Budget,
    stop: Stop,
    /// The run all replies come from, in a replay.
    replay: Option<Recorded>,
    /// What this file has paid for, from its beginning.
    account: Arc<Account>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Calls that need not be made.
    found: Spending,
    /// The calls that the tick at hand rests on so far.
    used: BTreeMap<(ResidentId, u32), Vec<UsedCall>>,
    /// Why thinking halted, where it was not a model's fault.
    trouble: Option<Trouble>,
    /// Calls made ahead of their tick, which it has not asked for yet.
    ahead: BTreeSet<CallKey>,
}

/// Why thinking halted, where it was not a model's fault.
pub(crate) enum Trouble {
    /// The budget does not hold the next call.
    Budget(String),
    /// People stopped it.
    Stopped,
    /// The run that is replayed has no such calls.
    Replay(Vec<Mismatch>),
    /// The file cannot be written or read.
    Store(StoreError),
}

impl Recorder {
    /// A recorder for a file, which may hold calls already. What its models cost is noted there, beside what
    /// those cost that it went on with before.
    pub(crate) fn new(writer: Arc<Mutex<RunWriter>>, terms: &Terms) -> Result<Self, StoreError> {
        let prices = note_prices(&mut lock(&writer), &terms.prices)?;
        let account = Arc::<Account>::default();
        for spent in lock(&writer).read().spent()? {
            let sums = [spent.tokens_in, spent.tokens_cached, spent.tokens_out];
            account.carry_over(&prices, &spent.model, sums);
        }
        Ok(Self {
            writer,
            prices,
            budget: terms.budget,
            stop: terms.stop.clone(),
            replay: terms.replay.clone(),
            account,
            state: Mutex::default(),
        })
    }

    /// What was spent since this recorder began.
    pub(crate) fn spending(&self) -> Spending {
        let Spending {
            from_cache, recorded, ..
        } = self.state().found;
        Spending {
            from_cache,
            recorded,
            ..self.account.spending()
        }
    }

    /// Whose calls are on their way.
    pub(crate) fn waiting(&self) -> Waiting {
        Waiting(self.account.clone())
    }

    /// Names in a tick's rows the calls it rests on, and begins the next tick.
    pub(crate) fn settle(&self, rows: &mut TickRows) {
        let mut used = std::mem::take(&mut self.state().used);
        for task in &mut rows.tasks {
            let resident = task
                .resident
                .map_or(Some(TOWN), |id| u16::try_from(id).ok().map(ResidentId));
            let calls = resident.and_then(|resident| used.remove(&(resident, task.seq)));
            if let Some(mut calls) = calls {
                calls.sort_by_key(|call| call.attempt);
                task.calls = calls;
            }
        }
    }

    /// Why thinking halted, if it was not a model's fault; forgotten once told.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        let trouble = self.state().trouble.take()?;
        Some(match (trouble, &self.replay) {
            // By now everybody has asked what they ask at this tick.
            (Trouble::Replay(_), Some(replay)) => Trouble::Replay(replay.mismatches()),
            (trouble, _) => trouble,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn halt(&self, trouble: Trouble) -> Halted {
        let reason = match &trouble {
            Trouble::Budget(reason) => reason.clone(),
            Trouble::Stopped => "stopped".to_owned(),
            Trouble::Replay(_) => "the replayed run has no such call".to_owned(),
            Trouble::Store(error) => error.to_string(),
        };
        // The first trouble stays: the others follow from it, or are the same.
        self.state().trouble.get_or_insert(trouble);
        Halted { reason }
    }

    fn store<T>(&self, result: Result<T, StoreError>) -> Result<T, Halted> {
        result.map_err(|error| self.halt(Trouble::Store(error)))
    }

    /// A call that a question can rest on, without a new one.
    fn known(&self, question: &Question<'_>) -> Result<Option<CallRecord>, StoreError> {
        let mut writer = lock(&self.writer);
        let key = key_row(question.key);
        if let Some(replay) = &self.replay {
            let Some(mut found) = replay.look_up(question)? else {
                return Ok(None);
            };
            found.row.paid_by = Payer::AnotherRun;
            // One that served an earlier tick is here already.
            found.id = match writer.read().call(&found.row.key)? {
                Some(copied) => copied.id,
                None => writer.record_call(&found.row)?,
            };
            return Ok(Some(found));
        }
        // First: what was made ahead of its tick may turn out to be what an earlier tick asked too.
        if let Some(equal) = writer.read().equal_call(&key.hash, key.tick)? {
            return Ok(Some(equal));
        }
        // A failure is part of history once a tick rested on it; before that it is tried again, unless
        // it was made ahead for this very tick.
        let own = writer.read().call(&key)?;
        let ahead = self.state().ahead.contains(question.key);
        Ok(own.filter(|call| call.row.outcome.is_ok() || call.settled || ahead))
    }

    /// What a question of a tick to come will rest on, as far as it is known by now; nothing is noted.
    pub(crate) fn foreseen(&self, question: &Question<'_>) -> Result<Option<CallRecord>, StoreError> {
        let writer = lock(&self.writer);
        let key = key_row(question.key);
        if let Some(earlier) = writer.read().earlier_call(&key.hash, key.tick)? {
            return Ok(Some(earlier));
        }
        let own = writer.read().call(&key)?;
        let ahead = self.state().ahead.contains(question.key);
        Ok(own.filter(|call| call.row.outcome.is_ok() || call.settled || ahead))
    }

    /// The call on its way that `key` will rest on: its own, or an equal one of an earlier tick.
    pub(crate) fn expected(&self, key: &CallKey) -> Option<CallKey> {
        let mut on_their_way = self.account.on_their_way();
        let equal = |other: &CallKey| other.hash == key.hash && other.tick < key.tick;
        let found = on_their_way
            .iter()
            .position(equal)
            .or_else(|| on_their_way.iter().position(|other| other == key))?;
        Some(on_their_way.swap_remove(found))
    }

    /// Whether a call is on its way.
    pub(crate) fn is_on_its_way(&self, key: &CallKey) -> bool {
        self.account.is_on_its_way(key)
    }

    /// How many calls have arrived.
    pub(crate) fn arrived(&self) -> u64 {
        self.account.spending().calls
    }

    /// Lets `waker` know of the next call that arrives.
    pub(crate) fn tell(&self, waker: &Waker) {
        self.account.tell(waker);
    }

    /// Ends when a call may be made: when the budget has room for it. It counts as on its way from then on,
    /// until it is recorded or withdrawn.
    fn reserve<'a>(
        &'a self,
        key: &'a CallKey,
        model: &str,
        most: Usage,
    ) -> BoxFuture<'a, Result<(), Halted>> {
        let asked = Sum::of(&self.prices, model, most);
        let reserved = poll_fn(move |context| {
            if self.stop.asked() {
                return Poll::Ready(Err(Trouble::Stopped));
            }
            // The tick is given up: what would be bought for it after that could wait as well.
            if let Some(Trouble::Budget(lack)) = &self.state().trouble {
                return Poll::Ready(Err(Trouble::Budget(lack.clone())));
            }
            let reserved = self.account.poll_reserve(context, self.budget, key, asked);
            reserved.map_err(Trouble::Budget)
        });
        let reserved = reserved.map(|reserved| reserved.map_err(|trouble| self.halt(trouble)));
        reserved.boxed()
    }

    /// Whether a call may be made ahead of its tick; it counts as on its way from then on.
    pub(crate) fn reserve_ahead(&self, key: &CallKey, model: &str, most: Usage) -> bool {
        let asked = Sum::of(&self.prices, model, most);
        !self.stop.asked() && self.account.reserve_ahead(self.budget, key, asked)
    }

    /// Writes down a call made ahead of its tick, and what was at fault with it. A fault that stops everything
    /// is met again when the tick asks.
    pub(crate) fn record_ahead(&self, call: Call, fault: Option<Fault>) -> Result<(), StoreError> {
        if fault == Some(Fault::Stopped) {
            self.account.withdraw(&call.key);
            return Ok(());
        }
        let stops = fault.is_some_and(Fault::stops_everything);
        let ahead = (!stops).then(|| call.key.clone());
        self.write(call, ahead).map(drop)
    }

    /// A call that was to be made was not, since people stopped the run.
    fn withdraw(&self, key: &CallKey) {
        self.account.withdraw(key);
        self.halt(Trouble::Stopped);
    }

    /// Writes a call down and books what it took.
    fn write(&self, call: Call, ahead: Option<CallKey>) -> Result<CallId, StoreError> {
        let usage = call.reply.as_ref().map(|reply| reply.usage).ok();
        let (key, model) = (call.key.clone(), call.model.clone());
        let recorded = lock(&self.writer).record_call(&call_row(call));
        // Before it counts as arrived, so that nobody takes a failure for one of their own.
        self.state().ahead.extend(ahead.filter(|_| recorded.is_ok()));
        self.account.book(&self.prices, &key, &model, usage);
        recorded
    }

    fn use_call(&self, key: &CallKey, call: CallId) {
        let mut state = self.state();
        let calls = state.used.entry((key.resident, key.seq)).or_default();
        calls.push(UsedCall {
            attempt: key.attempt,
            call,
        });
    }
}

impl Ledger for Recorder {
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted> {
        let Some(call) = self.store(self.known(question))? else {
            return match self.replay {
                Some(_) => Err(self.halt(Trouble::Replay(Vec::new()))),
                None => Ok(None),
            };
        };
        self.use_call(question.key, call.id);
        let origin = origin(&call, question);
        let mut state = self.state();
        let ahead = state.ahead.remove(question.key);
        match origin {
            // It was counted when it was made.
            Origin::Recorded if ahead => {}
            Origin::Recorded => state.found.recorded += 1,
            Origin::Cache => state.found.from_cache += 1,
        }
        drop(state);
        Ok(Some(Found {
            reply: townsfolk_record::reply(&call.row),
            origin,
        }))
    }

    fn on_its_way(&self, key: &CallKey) -> Option<BoxFuture<'_, ()>> {
        if !self.is_on_its_way(key) {
            return None;
        }
        let key = key.clone();
        Some(Box::pin(poll_fn(move |context| {
            // First, so that an arrival between the two is not missed.
            self.tell(context.waker());
            match self.is_on_its_way(&key) {
                true => Poll::Pending,
                false => Poll::Ready(()),
            }
        })))
    }

    fn may_spend<'a>(&'a self, question: &'a Question<'_>, most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        self.reserve(question.key, question.model, most)
    }

    fn withdraw(&self, key: &CallKey) {
        self.withdraw(key);
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        let key = call.key.clone();
        let recorded = self.write(call, None);
        let id = self.store(recorded)?;
        self.use_call(&key, id);
        Ok(())
    }
}

impl Vectors for Recorder {
    fn find_vector(&self, text: &str) -> Result<Option<Embedding>, Halted> {
        let own = self.store(lock(&self.writer).read().vector(text))?;
        let found = match (own, &self.replay) {
            (Some(own), _) => Some(own),
            (None, None) => None,
            (None, Some(replay)) => {
                let found = self.store(replay.vector(text))?;
                let Some(vector) = found else {
                    let reason =
                        format!("the replayed run has no vector of \"{text}\", which was not embedded then");
                    return Err(Halted { reason });
                };
                let kept = Kept {
                    texts: vec![TextRow {
                        text: text.to_owned(),
                        vector: vector.clone(),
                    }],
                    ..Kept::default()
                };
                let kept = lock(&self.writer).record(&kept);
                self.store(kept)?;
                Some(vector)
            }
        };
        Ok(found.map(|bytes| super::embedding(&bytes)))
    }

    fn may_embed<'a>(&'a self, call: &'a VectorCall, most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        self.reserve(&call.key, &call.model, most)
    }

    fn withdraw(&self, call: &VectorCall) {
        self.withdraw(&call.key);
    }

    fn record_vectors(
        &self,
        call: &VectorCall,
        made: Result<(&[Embedding], Usage), String>,
        ms: u32,
    ) -> Result<(), Halted> {
        let usage = made.as_ref().map(|(_, usage)| *usage).ok();
        let vectors = made.as_ref().map_or(&[][..], |(vectors, _)| *vectors);
        let texts: Vec<TextRow> = call.texts.iter().zip(vectors).map(text_row).collect();
        let row = vectors_row(call, made, ms);
        let recorded = lock(&self.writer).record_vectors(&row, &texts);
        self.account.book(&self.prices, &call.key, &call.model, usage);
        self.store(recorded)
    }
}

/// A poisoned lock is passed on: what it guards is whole after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
