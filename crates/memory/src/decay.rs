//! Recency as a function of age, quickly and the same on every CPU.
//!
//! `decay^(seconds / 3600)` is looked up in two tables and multiplied: one for the seconds within a
//! block of 1,024, one for the blocks. Each table grows from a single power by `libm`, by multiplying
//! alone; what is looked up is true to 11 places at least.

const BLOCK_BITS: u32 = 10;
const BLOCK_SECONDS: usize = 1 << BLOCK_BITS;
/// Blocks beyond this (about two years) are computed one by one instead of kept.
const MOST_BLOCKS: usize = 1 << 16;

/// What is left of recency after any whole number of seconds.
pub(crate) struct Decay {
    per_hour: f64,
    within_block: Vec<f64>,
    blocks: Vec<f64>,
}

impl Decay {
    /// Tables for `per_hour` left after an hour, for ages up to `oldest_seconds` (older ones are
    /// answered too, more slowly).
    pub(crate) fn new(per_hour: f64, oldest_seconds: i64) -> Self {
        let blocks = usize::try_from(oldest_seconds.max(0) >> BLOCK_BITS)
            .unwrap_or(usize::MAX)
            .saturating_add(1)
            .min(MOST_BLOCKS);
        Self {
            per_hour,
            within_block: powers(power(per_hour, 1), BLOCK_SECONDS),
            blocks: powers(power(per_hour, 1 << BLOCK_BITS), blocks),
        }
    }

    /// What is left after `seconds`: 1 for none or less, `per_hour` for 3,600.
    #[inline]
    pub(crate) fn after(&self, seconds: i64) -> f64 {
        let seconds = seconds.max(0);
        // Non-negative, so neither cast changes the value.
        match self.blocks.get((seconds >> BLOCK_BITS) as usize) {
            Some(block) => block * self.within_block[seconds as usize & (BLOCK_SECONDS - 1)],
            None => power(self.per_hour, seconds),
        }
    }
}

fn power(per_hour: f64, seconds: i64) -> f64 {
    libm::pow(per_hour, seconds as f64 / 3_600.0)
}

/// `base⁰, base¹, …`, `count` of them, each the product of two earlier ones: the filled part of the
/// table times the power that follows it, which is the square of the one before.
fn powers(base: f64, count: usize) -> Vec<f64> {
    let mut table = Vec::with_capacity(count);
    table.push(1.0);
    let mut next = base;
    while table.len() < count {
        let more = table.len().min(count - table.len());
        for i in 0..more {
            table.push(table[i] * next);
        }
        next *= next;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_never_fades_and_zero_fades_at_once() {
        let (never, at_once) = (Decay::new(1.0, 90_000), Decay::new(0.0, 90_000));
        for seconds in [1, 1_023, 1_024, 3_600, 90_000, 5_000_000_000] {
            assert_eq!(never.after(seconds), 1.0);
            assert_eq!(at_once.after(seconds), 0.0);
        }
        assert_eq!([never.after(0), at_once.after(0)], [1.0, 1.0]);
    }

    #[test]
    fn the_future_counts_as_now() {
        assert_eq!(Decay::new(0.9, 10).after(-5), 1.0);
        assert_eq!(Decay::new(0.9, -10).after(i64::MIN), 1.0);
    }

    proptest! {
        #[test]
        fn the_tables_hold_the_power(
            per_hour in 0.5f64..1.0,
            oldest in 0i64..10_000_000,
            seconds in 0i64..200_000_000,
        ) {
            let found = Decay::new(per_hour, oldest).after(seconds);
            let expected = libm::pow(per_hour, seconds as f64 / 3_600.0);
            prop_assert!((found - expected).abs() <= expected * 1e-11 + 1e-300, "{found} {expected}");
        }
    }
}
