//! Choosing the next token from a model's logits.
//!
//! At temperature 0 the likeliest allowed token wins, the lowest number where several are equal.
//! Otherwise a token is drawn among those at least [`MIN_SHARE`] as likely as the likeliest. Draws
//! come from the call's seed and the token's place alone: the same logits give the same answer.

/// Tokens less likely than this share of the likeliest are never drawn: the long tail of a small
/// model is noise. The value is the usual one for this rule ("min-p", Nguyen et al. 2024).
const MIN_SHARE: f32 = 0.05;

/// How one answer draws its tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chooser {
    /// 0 for the likeliest.
    pub(crate) temperature: f32,
    /// Where the draws come from.
    pub(crate) seed: u64,
}

impl Chooser {
    /// The token at a place of the answer, among the allowed ones; nothing where no allowed token
    /// has a number for a logit.
    pub(crate) fn choose(
        &self,
        logits: &[f32],
        allowed: impl Fn(usize) -> bool,
        place: u32,
    ) -> Option<usize> {
        let mut best: Option<(usize, f32)> = None;
        for (token, &logit) in logits.iter().enumerate() {
            if logit > best.map_or(f32::NEG_INFINITY, |(_, logit)| logit) && allowed(token) {
                best = Some((token, logit));
            }
        }
        let (likeliest, top) = best?;
        if self.temperature <= 0.0 || self.temperature.is_nan() || !top.is_finite() {
            return Some(likeliest);
        }
        let least = top + libm::logf(MIN_SHARE);
        let mut total = 0.0;
        let mut weights = Vec::new();
        for (token, &logit) in logits.iter().enumerate() {
            if logit >= least && allowed(token) {
                total += libm::exp(f64::from((logit - top) / self.temperature));
                weights.push((token, total));
            }
        }
        let drawn = self.draw(place) * total;
        let chosen = weights.iter().find(|(_, up_to)| drawn < *up_to);
        Some(chosen.map_or(likeliest, |(token, _)| *token))
    }

    /// A number in [0, 1) for a place of the answer (SplitMix64; Steele, Lea and Flood 2014).
    fn draw(&self, place: u32) -> f64 {
        let mixed = mix(self.seed, u64::from(place));
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A seed for a call that names none: its tokens decide, so that the same question draws alike.
pub(crate) fn seed_of(tokens: impl IntoIterator<Item = u32>) -> u64 {
    tokens
        .into_iter()
        .fold(0, |seed, token| mix(seed, u64::from(token)))
}

fn mix(seed: u64, step: u64) -> u64 {
    let mut z = seed.wrapping_add(step.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ANY: fn(usize) -> bool = |_| true;

    #[test]
    fn without_temperature_the_likeliest_allowed_wins_and_the_first_of_equals() {
        let greedy = Chooser {
            temperature: 0.0,
            seed: 7,
        };
        let logits = [1.0, 3.0, 3.0, 2.0, f32::NAN];
        assert_eq!(greedy.choose(&logits, ANY, 0), Some(1));
        assert_eq!(greedy.choose(&logits, |token| token != 1, 0), Some(2));
        assert_eq!(greedy.choose(&logits, |token| token == 4, 0), None);
        assert_eq!(greedy.choose(&[], ANY, 0), None);
    }

    #[test]
    fn draws_follow_the_odds_and_leave_the_tail_alone() {
        // Odds 4 to 1 at temperature 1, and a third token at a hundredth of the first.
        let logits = [4_f32.ln(), 0.0, 0.04_f32.ln()];
        let mut counts = [0; 3];
        for seed in 0..4000 {
            let chooser = Chooser {
                temperature: 1.0,
                seed,
            };
            counts[chooser.choose(&logits, ANY, 3).unwrap()] += 1;
        }
        assert!((3100..3300).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[2], 0);
    }

    proptest! {
        #[test]
        fn the_choice_is_allowed_and_the_same_each_time(
            logits in prop::collection::vec(-50_f32..50.0, 1..60), seed: u64, place: u32, temperature in 0_f32..2.0
        ) {
            let chooser = Chooser { temperature, seed };
            let even = |token: usize| token.is_multiple_of(2);
            let chosen = chooser.choose(&logits, even, place);
            prop_assert!(chosen.is_some_and(even));
            prop_assert_eq!(chosen, chooser.choose(&logits, even, place));
        }
    }
}
