//! A ledger that remembers no call.

use std::future::poll_fn;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use townsfolk_memory::Embedding;
use townsfolk_mind::Halted;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Question, VectorCall, Vectors};
use townsfolk_model::Usage;

use super::account::{Account, Sum};
use super::{Budget, Prices, Spending};
use crate::minds::Terms;

/// The ledger of questions that leave no trace: interviews, looks into a mind. Calls are not kept; what they
/// take is counted, over all questions under the same [`Terms`], and may not exceed the budget.
#[derive(Clone, Default)]
pub struct Unkept {
    prices: Prices,
    budget: Budget,
    account: Aside,
}

/// What was spent on questions that leave no trace, shared by all that is asked under the same terms.
#[derive(Clone, Default)]
pub struct Aside(Arc<Account>);

impl Aside {
    /// What was spent so far.
    pub fn spending(&self) -> Spending {
        self.0.spending()
    }
}

impl Unkept {
    /// A ledger for calls on these terms.
    pub(crate) fn new(terms: &Terms) -> Self {
        Self {
            prices: terms.prices.clone(),
            budget: terms.budget,
            account: terms.aside.clone(),
        }
    }

    fn reserve<'a>(
        &'a self,
        key: &'a CallKey,
        model: &str,
        most: Usage,
    ) -> BoxFuture<'a, Result<(), Halted>> {
        let asked = Sum::of(&self.prices, model, most);
        let account = &self.account.0;
        Box::pin(poll_fn(move |context| {
            let reserved = account.poll_reserve(context, self.budget, key, asked);
            reserved.map_err(|reason| Halted { reason })
        }))
    }
}

impl Ledger for Unkept {
    fn find(&self, _: &Question<'_>) -> Result<Option<Found>, Halted> {
        Ok(None)
    }

    fn may_spend<'a>(&'a self, question: &'a Question<'_>, most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        self.reserve(question.key, question.model, most)
    }

    fn withdraw(&self, key: &CallKey) {
        self.account.0.withdraw(key);
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        let usage = call.reply.as_ref().map(|reply| reply.usage).ok();
        self.account.0.book(&self.prices, &call.key, &call.model, usage);
        Ok(())
    }
}

impl Vectors for Unkept {
    fn find_vector(&self, _: &str) -> Result<Option<Embedding>, Halted> {
        Ok(None)
    }

    fn may_embed<'a>(&'a self, call: &'a VectorCall, most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        self.reserve(&call.key, &call.model, most)
    }

    fn withdraw(&self, call: &VectorCall) {
        self.account.0.withdraw(&call.key);
    }

    fn record_vectors(
        &self,
        call: &VectorCall,
        made: Result<(&[Embedding], Usage), String>,
        _: u32,
    ) -> Result<(), Halted> {
        let usage = made.map(|(_, usage)| usage).ok();
        self.account.0.book(&self.prices, &call.key, &call.model, usage);
        Ok(())
    }
}
