//! The ledger of a run that is being written.

use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use futures_util::future::BoxFuture;
use townsfolk_memory::Embedding;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question, Vectors};
use townsfolk_mind::{Halted, ResidentId};
use townsfolk_model::Usage;
use townsfolk_store::{CallId, CallRecord, Kept, Payer, RunWriter, StoreError, TextRow, TickRows, UsedCall};

use super::recorded::origin;
use super::spending::NanoUsd;
use super::{Budget, Mismatch, Prices, Recorded, Spending, Stop, TOWN, call_row, key_row, reply_of};
use crate::minds::ModelPlan;

/// Writes every call into the run's file as soon as it exists, and looks there before one is made.
pub(crate) struct Recorder {
    writer: Arc<Mutex<RunWriter>>,
    prices: Prices,
    budget: Budget,
    stop: Stop,
    /// The run all replies come from, in a replay.
    replay: Option<Recorded>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counts: Spending,
    /// What this file has paid for, from its beginning.
    paid: Sum,
    /// What calls on their way may take.
    reserved: BTreeMap<CallKey, Sum>,
    /// The calls that the tick at hand rests on so far.
    used: BTreeMap<(ResidentId, u32), Vec<UsedCall>>,
    /// Why thinking halted, where it was not a model's fault.
    trouble: Option<Trouble>,
    /// Calls made ahead of their tick, which it has not asked for yet.
    ahead: BTreeSet<CallKey>,
    /// Who wants to know that a call has arrived.
    waiting: Vec<Waker>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    tokens: u64,
    usd: NanoUsd,
}

/// Why thinking halted, where it was not a model's fault.
pub(crate) enum Trouble {
    /// The budget is used up.
    Budget(String),
    /// People stopped it.
    Stopped,
    /// The run that is replayed has no such calls.
    Replay(Vec<Mismatch>),
    /// The file cannot be written or read.
    Store(StoreError),
}

impl Recorder {
    /// A recorder for a file, which may hold calls already.
    pub(crate) fn new(writer: Arc<Mutex<RunWriter>>, plan: Option<&ModelPlan>) -> Result<Self, StoreError> {
        let prices = plan.map(|plan| plan.prices.clone()).unwrap_or_default();
        let mut paid = Sum::default();
        for spent in lock(&writer).read().spent()? {
            let sums = [spent.tokens_in, spent.tokens_cached, spent.tokens_out];
            paid.tokens += spent.tokens_in + spent.tokens_out;
            paid.usd = paid.usd.plus(NanoUsd::of_sums(prices.get(&spent.model), sums));
        }
        Ok(Self {
            writer,
            prices,
            budget: plan.map(|plan| plan.budget).unwrap_or_default(),
            stop: plan.map(|plan| plan.stop.clone()).unwrap_or_default(),
            replay: plan.and_then(|plan| plan.replay.clone()),
            state: Mutex::new(State {
                paid,
                ..State::default()
            }),
        })
    }

    /// What was spent since this recorder began.
    pub(crate) fn spending(&self) -> Spending {
        self.state().counts
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
        let state = self.state();
        let on_its_way = || state.reserved.keys();
        let equal = on_its_way().find(|other| other.hash == key.hash && other.tick < key.tick);
        equal
            .or_else(|| on_its_way().find(|other| *other == key))
            .cloned()
    }

    /// Whether a call is on its way.
    pub(crate) fn is_on_its_way(&self, key: &CallKey) -> bool {
        self.state().reserved.contains_key(key)
    }

    /// How many calls have arrived.
    pub(crate) fn arrived(&self) -> u64 {
        self.state().counts.calls
    }

    /// Lets `waker` know of the next call that arrives.
    pub(crate) fn tell(&self, waker: &Waker) {
        let mut state = self.state();
        if !state.waiting.iter().any(|known| known.will_wake(waker)) {
            state.waiting.push(waker.clone());
        }
    }

    /// Counts a call as spent until it is recorded.
    ///
    /// # Errors
    /// If the budget does not allow it or the run is being stopped.
    pub(crate) fn reserve(&self, question: &Question<'_>, tokens: u32) -> Result<(), Trouble> {
        if self.stop.asked() {
            return Err(Trouble::Stopped);
        }
        let usage = Usage {
            input: tokens,
            ..Usage::default()
        };
        let asked = Sum {
            tokens: tokens.into(),
            usd: NanoUsd::of(self.prices.get(question.model), usage),
        };
        let mut state = self.state();
        let mut after = state.paid;
        for sum in state.reserved.values().chain([&asked]) {
            after.tokens += sum.tokens;
            after.usd = after.usd.plus(sum.usd);
        }
        match over_budget(self.budget, state.paid, after) {
            Some(reason) => Err(Trouble::Budget(reason)),
            None => {
                state.reserved.insert(question.key.clone(), asked);
                Ok(())
            }
        }
    }

    /// Writes down a call made ahead of its tick. A fault that `stops` everything is met again when the
    /// tick asks.
    pub(crate) fn record_ahead(&self, call: Call, stops: bool) -> Result<(), StoreError> {
        let ahead = (!stops).then(|| call.key.clone());
        self.write(call, ahead).map(drop)
    }

    /// Writes a call down, counts what it took, and lets those know who wait for it.
    fn write(&self, call: Call, ahead: Option<CallKey>) -> Result<CallId, StoreError> {
        let key = call.key.clone();
        let usage = call.reply.as_ref().map_or(Usage::default(), |reply| reply.usage);
        let cost = Sum {
            tokens: u64::from(usage.input) + u64::from(usage.output),
            usd: NanoUsd::of(self.prices.get(&call.model), usage),
        };
        let failed = call.reply.is_err();
        let recorded = lock(&self.writer).record_call(&call_row(call));
        let mut state = self.state();
        state.reserved.remove(&key);
        state.ahead.extend(ahead.filter(|_| recorded.is_ok()));
        state.paid.tokens += cost.tokens;
        state.paid.usd = state.paid.usd.plus(cost.usd);
        let counts = &mut state.counts;
        counts.calls += 1;
        counts.failed += u64::from(failed);
        counts.tokens_in += u64::from(usage.input);
        counts.tokens_out += u64::from(usage.output);
        counts.usd += cost.usd.usd();
        for waker in state.waiting.drain(..) {
            waker.wake();
        }
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
            Origin::Recorded => state.counts.recorded += 1,
            Origin::Cache => state.counts.from_cache += 1,
        }
        drop(state);
        Ok(Some(Found {
            reply: reply_of(&call.row),
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

    fn may_spend(&self, question: &Question<'_>, tokens: u32) -> Result<(), Halted> {
        self.reserve(question, tokens)
            .map_err(|trouble| self.halt(trouble))
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
        let bytes = self.store(lock(&self.writer).read().vector(text))?;
        Ok(bytes.map(|bytes| super::embedding(&bytes)))
    }

    fn keep_vectors(&self, vectors: &[(&str, &Embedding)]) -> Result<(), Halted> {
        let text = |(text, vector): &(&str, &Embedding)| TextRow {
            text: (*text).to_owned(),
            vector: vector.codes().iter().map(|code| code.cast_unsigned()).collect(),
        };
        let kept = Kept {
            texts: vectors.iter().map(text).collect(),
            ..Kept::default()
        };
        let recorded = lock(&self.writer).record(&kept);
        self.store(recorded)
    }
}

/// Why a budget does not allow what would be spent, if it does not.
fn over_budget(budget: Budget, paid: Sum, after: Sum) -> Option<String> {
    if let Some(most) = budget.tokens.filter(|most| after.tokens > *most) {
        let (paid, next) = (paid.tokens, after.tokens - paid.tokens);
        return Some(format!(
            "the budget of {most} tokens is used up: {paid} are spent, and what comes next may take {next}"
        ));
    }
    if let Some(most) = budget.usd.filter(|most| after.usd.usd() > *most) {
        let (paid, next) = (paid.usd.usd(), after.usd.minus(paid.usd).usd());
        return Some(format!(
            "the budget of ${most} is used up: ${paid:.4} is spent, and what comes next may cost ${next:.4}"
        ));
    }
    None
}

/// A poisoned lock is passed on: what it guards is whole after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
