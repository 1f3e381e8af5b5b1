//! What was spent, what calls on their way may take, and whether another still fits into the budget.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use townsfolk_mind::model::CallKey;
use townsfolk_model::Usage;

use super::recorder::lock;
use super::spending::{Budget, NanoUsd, Prices, Spending, add_usd};

/// A call is made ahead of its tick only where the budget still holds so many more, each as large: what ticks
/// on the way to that one are going to ask is bought first.
const LEFT_FOR_NOW: u64 = 64;

/// The account that calls are booked to.
#[derive(Debug, Default)]
pub(crate) struct Account {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Calls since it was opened.
    spending: Spending,
    /// What was paid in all, also before it was opened.
    paid: Sum,
    /// What calls on their way may take.
    reserved: BTreeMap<CallKey, Sum>,
    /// Who wants to know that a call has arrived.
    waiting: Vec<Waker>,
}

/// Tokens and what they cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    tokens: u64,
    usd: NanoUsd,
}

impl Sum {
    /// What a call takes at the price of its model.
    pub(super) fn of(prices: &Prices, model: &str, usage: Usage) -> Self {
        Self {
            tokens: u64::from(usage.input) + u64::from(usage.output),
            usd: NanoUsd::of(prices.get(model), usage),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd.plus(other.usd),
        }
    }

    fn times(self, count: u64) -> Self {
        Self {
            tokens: self.tokens.saturating_mul(count),
            usd: self.usd.times(count),
        }
    }
}

impl Account {
    /// Books what was paid before: tokens sent (cached ones included), of them cached, received.
    pub(crate) fn carry_over(&self, prices: &Prices, model: &str, sums: [u64; 3]) {
        let mut state = self.state();
        state.paid = state.paid.plus(Sum {
            tokens: sums[0] + sums[2],
            usd: NanoUsd::of_sums(prices.get(model), sums),
        });
    }

    /// Sets `asked` aside for a call, until it is booked or withdrawn. Where only those on their way leave no
    /// room for it, it waits for what they really take.
    ///
    /// # Errors
    /// What was spent and what the call may take, where the budget does not hold both.
    pub(super) fn poll_reserve(
        &self,
        context: &Context<'_>,
        budget: Budget,
        key: &CallKey,
        asked: Sum,
    ) -> Poll<Result<(), String>> {
        let mut state = self.state();
        match budget.lacks(state.spoken_for(), asked) {
            None => {
                state.reserved.insert(key.clone(), asked);
                Poll::Ready(Ok(()))
            }
            Some(lack) if state.reserved.is_empty() => Poll::Ready(Err(lack)),
            Some(_) => {
                state.tell(context.waker());
                Poll::Pending
            }
        }
    }

    /// Sets `asked` aside for a call ahead of its tick, if the budget has more than enough room for it.
    pub(super) fn reserve_ahead(&self, budget: Budget, key: &CallKey, asked: Sum) -> bool {
        let mut state = self.state();
        let has_room = budget
            .lacks(state.spoken_for(), asked.times(1 + LEFT_FOR_NOW))
            .is_none();
        if has_room {
            state.reserved.insert(key.clone(), asked);
        }
        has_room
    }

    /// Books a call that was made; without `usage` it failed.
    pub(crate) fn book(&self, prices: &Prices, key: &CallKey, model: &str, usage: Option<Usage>) {
        let failed = usage.is_none();
        let usage = usage.unwrap_or_default();
        let took = Sum::of(prices, model, usage);
        let mut state = self.state();
        state.paid = state.paid.plus(took);
        let spending = &mut state.spending;
        spending.calls += 1;
        spending.failed += u64::from(failed);
        spending.tokens_in += u64::from(usage.input);
        spending.tokens_out += u64::from(usage.output);
        add_usd(
            &mut spending.usd,
            prices.contains_key(model).then(|| took.usd.usd()),
        );
        arrived(state, key);
    }

    /// Gives back what was set aside for a call that was not made.
    pub(crate) fn withdraw(&self, key: &CallKey) {
        arrived(self.state(), key);
    }

    /// Lets `waker` know of the next call that arrives.
    pub(crate) fn tell(&self, waker: &Waker) {
        self.state().tell(waker);
    }

    /// What was booked since it was opened.
    pub(crate) fn spending(&self) -> Spending {
        self.state().spending
    }

    /// The calls on their way, by tick and resident.
    pub(crate) fn on_their_way(&self) -> Vec<CallKey> {
        self.state().reserved.keys().cloned().collect()
    }

    /// Whether a call is on its way.
    pub(crate) fn is_on_its_way(&self, key: &CallKey) -> bool {
        self.state().reserved.contains_key(key)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl State {
    /// What was paid, and what calls on their way may take.
    fn spoken_for(&self) -> Sum {
        self.reserved
            .values()
            .fold(self.paid, |sum, more| sum.plus(*more))
    }

    fn tell(&mut self, waker: &Waker) {
        if !self.waiting.iter().any(|known| known.will_wake(waker)) {
            self.waiting.push(waker.clone());
        }
    }
}

/// A call is no longer on its way; whoever waits for one looks again.
fn arrived(mut state: MutexGuard<'_, State>, key: &CallKey) {
    state.reserved.remove(key);
    let waiting = std::mem::take(&mut state.waiting);
    drop(state);
    waiting.into_iter().for_each(Waker::wake);
}

impl Budget {
    /// What is so where it does not hold the next call beside what is spent.
    fn lacks(self, spent: Sum, next: Sum) -> Option<String> {
        let after = spent.plus(next);
        if let Some(most) = self.tokens.filter(|most| after.tokens > *most) {
            return Some(format!(
                "the budget does not hold the next call: {} of {most} tokens are spent, and it may take up to {}",
                spent.tokens, next.tokens
            ));
        }
        let most = self.usd.filter(|most| after.usd.usd() > *most)?;
        Some(format!(
            "the budget does not hold the next call: ${:.4} of ${most} is spent, and it may cost up to ${:.4}",
            spent.usd.usd(),
            next.usd.usd()
        ))
    }
}
