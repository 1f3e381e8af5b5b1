//! Chance that is addressed, not streamed.
//!
//! A draw is a pure function of seed, resident, tick and purpose. Nothing is consumed by drawing,
//! so running ahead, resuming, forking or asking in another order never shifts later draws.

use crate::ResidentId;

/// The address of a set of draws: one resident at one tick of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The run's seed.
    pub seed: u64,
    /// Whose chance it is.
    pub resident: ResidentId,
    /// When, in ticks since the start of the run.
    pub tick: u64,
}

impl Chance {
    /// A number in [0, 1) for this `purpose`; the same purpose always gives the same number.
    pub fn draw(&self, purpose: &str) -> f64 {
        // 53 bits fill the mantissa of a double exactly.
        (self.bits(purpose) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from 0 up to, not including, `below`; 0 where `below` is 0.
    pub fn below(&self, purpose: &str, below: usize) -> usize {
        ((self.draw(purpose) * below as f64) as usize).min(below.saturating_sub(1))
    }

    /// Whether something with this `probability` (0 to 1) happens.
    pub fn happens(&self, purpose: &str, probability: f64) -> bool {
        self.draw(purpose) < probability
    }

    /// One of `items`; none where there are none.
    pub fn pick<'a, T>(&self, purpose: &str, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(purpose, items.len()))
    }

    fn bits(&self, purpose: &str) -> u64 {
        let mut state = mix(self.seed ^ mix(self.tick ^ mix(u64::from(self.resident.0))));
        for byte in purpose.bytes() {
            // FNV-1a step, then mixed once more below.
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        mix(state)
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u64, resident: u16) -> Chance {
        Chance {
            seed: 7,
            resident: ResidentId(resident),
            tick,
        }
    }

    #[test]
    fn an_address_always_gives_the_same_draw() {
        assert_eq!(at(3, 1).draw("talk"), at(3, 1).draw("talk"));
        assert_ne!(at(3, 1).draw("talk"), at(4, 1).draw("talk"));
        assert_ne!(at(3, 1).draw("talk"), at(3, 2).draw("talk"));
        assert_ne!(at(3, 1).draw("talk"), at(3, 1).draw("walk"));
    }

    #[test]
    fn draws_are_spread_evenly() {
        let mut tenths = [0u32; 10];
        for tick in 0..10_000 {
            tenths[at(tick, 5).below("x", 10)] += 1;
        }
        assert!(tenths.iter().all(|n| (850..1150).contains(n)), "{tenths:?}");
    }

    #[test]
    fn nothing_to_pick_from_is_no_panic() {
        assert_eq!(at(0, 0).pick::<u8>("x", &[]), None);
        assert_eq!(at(0, 0).below("x", 0), 0);
    }
}
