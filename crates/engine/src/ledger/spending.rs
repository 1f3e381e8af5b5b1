//! What calls took and cost, and how much they may.

use std::collections::BTreeMap;

use townsfolk_model::{ModelsConfig, Price, Usage};
use townsfolk_store::{RunInfo, RunWriter, StoreError};

/// How much a run may spend in all, counted over everything its file has paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// US dollars; models without a price count as free.
    pub usd: Option<f64>,
    /// Tokens, sent and received together.
    pub tokens: Option<u64>,
}

/// What models cost, by their names.
pub type Prices = BTreeMap<String, Price>;

/// What a run's models cost, whichever it went on with; of those that have been given several prices, the last.
pub fn prices_of(run: &RunInfo) -> Prices {
    let noted = run
        .prices
        .as_ref()
        .and_then(|text| serde_json::from_str(text).ok());
    // Runs of earlier versions name prices only where their models are set up.
    let set_up = || {
        let config = run.models.as_ref()?;
        ModelsConfig::read(config, "the run's models").ok()
    };
    noted.unwrap_or_else(|| set_up().map(|config| config.prices()).unwrap_or_default())
}

/// Notes in a run what its models cost from now on, beside what those cost that it went on with before; all of
/// these come back.
///
/// # Errors
/// If the file cannot be read or written.
pub fn note_prices(run: &mut RunWriter, prices: &Prices) -> Result<Prices, StoreError> {
    let info = run.read().info()?;
    let mut known = prices_of(&info);
    known.extend(prices.clone());
    // Names and numbers: there is nothing JSON could not hold.
    let text = serde_json::to_string(&known).expect("prices are valid JSON");
    if !known.is_empty() && info.prices.as_ref() != Some(&text) {
        run.set_prices(&text)?;
    }
    Ok(known)
}

/// What a run has spent on calls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spending {
    /// Calls that were made.
    pub calls: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// Calls that need not be made, since an equal one of an earlier tick was.
    pub from_cache: u64,
    /// Calls that need not be made again: of ticks computed again after a stop, or replayed.
    pub recorded: u64,
    /// Tokens sent, cached ones included.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// US dollars; none where no price is known.
    pub usd: Option<f64>,
}

impl Spending {
    /// Tokens sent and received.
    pub fn tokens(&self) -> u64 {
        self.tokens_in + self.tokens_out
    }
}

/// What sums of tokens cost, in US dollars: sent (cached ones included), of them cached, received. They
/// may be more than one call could take.
fn cost_usd(price: &Price, [input, cached, output]: [u64; 3]) -> f64 {
    let sum = input.saturating_sub(cached) as f64 * price.input_usd_per_million
        + cached.min(input) as f64 * price.cached_usd_per_million
        + output as f64 * price.output_usd_per_million;
    sum / 1e6
}

/// What sums of tokens of a model cost, in US dollars: sent (cached ones included), of them cached, received.
/// Nothing where its price is not known.
pub fn known_cost_usd(prices: &Prices, model: &str, sums: [u64; 3]) -> Option<f64> {
    prices.get(model).map(|price| cost_usd(price, sums))
}

/// Adds what is known: a sum without any known part is not known.
pub fn add_usd(sum: &mut Option<f64>, more: Option<f64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or_default() + more);
    }
}

/// US dollars as whole billionths, so that sums do not depend on the order of replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NanoUsd(u64);

impl NanoUsd {
    /// What tokens cost at a price.
    pub(super) fn of(price: Option<&Price>, usage: Usage) -> Self {
        Self((price.map_or(0.0, |price| price.cost_usd(usage)) * 1e9).round() as u64)
    }

    /// What sums of tokens cost at a price, as `cost_usd`.
    pub(super) fn of_sums(price: Option<&Price>, sums: [u64; 3]) -> Self {
        Self((price.map_or(0.0, |price| cost_usd(price, sums)) * 1e9).round() as u64)
    }

    pub(super) fn usd(self) -> f64 {
        self.0 as f64 / 1e9
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(super) fn times(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}
