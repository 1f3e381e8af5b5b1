//! What calls cost.

use serde::{Deserialize, Serialize};

use crate::Usage;

/// What a model costs, in US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Tokens of the prompt that were not in the provider's cache.
    pub input_usd_per_million: f64,
    /// Tokens of the prompt that were.
    pub cached_usd_per_million: f64,
    /// Tokens of the answer, hidden reasoning included.
    pub output_usd_per_million: f64,
}

impl Price {
    /// Nothing: a model on one's own machine.
    pub const FREE: Price = Price {
        input_usd_per_million: 0.0,
        cached_usd_per_million: 0.0,
        output_usd_per_million: 0.0,
    };

    /// What a call cost, in US dollars. What some providers take for *writing* to their cache is
    /// not in it.
    pub fn cost_usd(&self, usage: Usage) -> f64 {
        let fresh = f64::from(usage.input.saturating_sub(usage.cached));
        let sum = fresh * self.input_usd_per_million
            + f64::from(usage.cached.min(usage.input)) * self.cached_usd_per_million
            + f64::from(usage.output) * self.output_usd_per_million;
        sum / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_cost_less_and_are_not_counted_twice() {
        let price = Price {
            input_usd_per_million: 2.0,
            cached_usd_per_million: 0.5,
            output_usd_per_million: 8.0,
        };
        let usage = Usage {
            input: 1_000_000,
            cached: 400_000,
            output: 100_000,
        };
        assert!((price.cost_usd(usage) - (1.2 + 0.2 + 0.8)).abs() < 1e-12);
        assert_eq!(Price::FREE.cost_usd(usage), 0.0);
    }
}
