//! The best few of many, in order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The positions of the `count` highest of `scores`, highest first; of equals the earlier position
/// comes first. What is not a number ranks last.
///
/// Keeps `count` positions in a heap whose top is the worst kept, so all but a few scores cost one
/// comparison.
pub(crate) fn best(scores: impl ExactSizeIterator<Item = f64>, count: usize) -> Vec<usize> {
    let count = count.min(scores.len());
    let mut kept = BinaryHeap::with_capacity(count);
    // Once the heap is full: no score up to this can enter it. What is not a number compares false
    // and is looked at more closely.
    let mut bar = f64::NAN;
    for (position, score) in scores.enumerate() {
        if score <= bar {
            continue;
        }
        // Adding 0 turns −0 into 0, so that the two are equals.
        let score = if score.is_nan() {
            f64::NEG_INFINITY
        } else {
            score + 0.0
        };
        let ranked = Ranked { score, position };
        if kept.len() < count {
            kept.push(ranked);
        } else if let Some(mut worst) = kept.peek_mut()
            && ranked < *worst
        {
            *worst = ranked;
        }
        if kept.len() == count {
            bar = kept.peek().map_or(f64::NAN, |worst| worst.score);
        }
    }
    kept.into_sorted_vec()
        .into_iter()
        .map(|ranked| ranked.position)
        .collect()
}

/// Ordered from best to worst.
struct Ranked {
    score: f64,
    position: usize,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(self.position.cmp(&other.position))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_earlier_of_equals_comes_first_and_no_number_comes_last() {
        let scores = [2.0, f64::NAN, 3.0, 2.0, -0.0, 0.0, 3.0];
        assert_eq!(best(scores.into_iter(), 3), [2, 6, 0]);
        assert_eq!(best(scores.into_iter(), 9), [2, 6, 0, 3, 4, 5, 1]);
        assert_eq!(best(scores.into_iter(), 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn equals_a_stable_sort(scores in prop::collection::vec(-4i8..4, 0..40), count in 0usize..50) {
            let mut expected: Vec<usize> = (0..scores.len()).collect();
            expected.sort_by_key(|i| std::cmp::Reverse(scores[*i]));
            expected.truncate(count);
            prop_assert_eq!(best(scores.iter().copied().map(f64::from), count), expected);
        }
    }
}
