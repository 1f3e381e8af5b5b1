//! What was spent, what calls on their way may take, and whether another still fits into the budget.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use townsfolk_mind::model::CallKey;
use townsfolk_model::Usage;

use super::recorder::lock;
use super::spending::{Budget, NanoUsd, Prices, Spending};

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
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    tokens: u64,
    usd: NanoUsd,
}

impl Account {
    /// Books what was paid before: tokens sent (cached ones included), of them cached, received.
    pub(crate) fn carry_over(&self, prices: &Prices, model: &str, sums: [u64; 3]) {
        let paid = &mut self.state().paid;
        paid.tokens += sums[0] + sums[2];
        paid.usd = paid.usd.plus(NanoUsd::of_sums(prices.get(model), sums));
    }

    /// Sets aside `tokens` for a call, until it is booked.
    ///
    /// # Errors
    /// Why the budget does not allow it.
    pub(crate) fn reserve(
        &self,
        budget: Budget,
        prices: &Prices,
        key: &CallKey,
        model: &str,
        tokens: u32,
    ) -> Result<(), String> {
        let usage = Usage {
            input: tokens,
            ..Usage::default()
        };
        let asked = Sum {
            tokens: tokens.into(),
            usd: NanoUsd::of(prices.get(model), usage),
        };
        let mut state = self.state();
        let mut after = state.paid;
        for sum in state.reserved.values().chain([&asked]) {
            after.tokens += sum.tokens;
            after.usd = after.usd.plus(sum.usd);
        }
        if let Some(reason) = over_budget(budget, state.paid, after) {
            return Err(reason);
        }
        state.reserved.insert(key.clone(), asked);
        Ok(())
    }

    /// Books a call that was made; without `usage` it failed.
    pub(crate) fn book(&self, prices: &Prices, key: &CallKey, model: &str, usage: Option<Usage>) {
        let failed = usage.is_none();
        let usage = usage.unwrap_or_default();
        let usd = NanoUsd::of(prices.get(model), usage);
        let mut state = self.state();
        state.reserved.remove(key);
        state.paid.tokens += u64::from(usage.input) + u64::from(usage.output);
        state.paid.usd = state.paid.usd.plus(usd);
        let spending = &mut state.spending;
        spending.calls += 1;
        spending.failed += u64::from(failed);
        spending.tokens_in += u64::from(usage.input);
        spending.tokens_out += u64::from(usage.output);
        spending.usd += usd.usd();
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
