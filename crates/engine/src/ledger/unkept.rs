//! A ledger that remembers no call.

use std::sync::Arc;

use townsfolk_memory::Embedding;
use townsfolk_mind::Halted;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Question, VectorCall, Vectors};
use townsfolk_model::Usage;

use super::account::Account;
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

    fn reserve(&self, key: &CallKey, model: &str, tokens: u32) -> Result<(), Halted> {
        self.account
            .0
            .reserve(self.budget, &self.prices, key, model, tokens)
            .map_err(|reason| Halted { reason })
    }
}

impl Ledger for Unkept {
    fn find(&self, _: &Question<'_>) -> Result<Option<Found>, Halted> {
        Ok(None)
    }

    fn may_spend(&self, question: &Question<'_>, tokens: u32) -> Result<(), Halted> {
        self.reserve(question.key, question.model, tokens)
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

    fn may_embed(&self, call: &VectorCall, tokens: u32) -> Result<(), Halted> {
        self.reserve(&call.key, &call.model, tokens)
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
