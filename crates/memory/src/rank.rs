//! From facts and vectors to a ranking. Presets differ only in how they gather candidates.
//!
//! 1. Cosines of the query with every vector.
//! 2. Candidates: what the filter lets through, with raw recency, relevance and importance, in the
//!    order in which equal scores shall rank.
//! 3. Each part is scaled or not, weighted, and summed; the best few are kept.

use crate::best::best;
use crate::decay::Decay;
use crate::facts::{Admission, Facts, age_seconds};
use crate::memory::MemoryId;
use crate::query::{Query, Retrieved};
use crate::retrieval::Preset;
use crate::vectors::Vectors;

/// The highest importance: unscaled presets divide by it.
const MOST_IMPORTANT: f64 = 10.0;
/// Memories gathered at a time, so that their cosines are still at hand.
const BLOCK: usize = 2_048;

/// What `query` brings up out of memories with these facts and vectors, best first.
pub(crate) fn rank(facts: &[Facts], vectors: &Vectors, query: &Query<'_>) -> Vec<Retrieved> {
    let end = query.filter.up_to.map_or(facts.len(), |last| {
        facts.len().min(last.index().saturating_add(1))
    });
    if query.count == 0 || end == 0 {
        return Vec::new();
    }
    let source = Source {
        facts: &facts[..end],
        vectors,
        admission: Admission::new(&query.filter, query.now),
        query,
    };
    let candidates = match query.retrieval.preset {
        Preset::Paper => source.paper(),
        Preset::Reference => source.reference(),
        Preset::Langchain => source.langchain(),
        Preset::Plain => source.plain(),
    };
    let weighing = Weighing::new(query, &candidates);
    let scores = candidates
        .list
        .iter()
        .map(|candidate| weighing.apply(candidate).sum());
    let chosen = best(scores, query.count);
    chosen
        .into_iter()
        .map(|position| weighing.retrieved(&candidates.list[position]))
        .collect()
}

/// A memory that may be returned, with its raw parts.
struct Candidate {
    recency: f64,
    /// NaN for none.
    relevance: f64,
    /// Its position in the stream; fits, since [`MemoryId`] does.
    index: u32,
    importance: u8,
}

/// Candidates, and how far their raw parts range.
struct Candidates {
    list: Vec<Candidate>,
    ranges: Ranges,
}

impl Candidates {
    fn with_capacity(capacity: usize) -> Self {
        Self {
            list: Vec::with_capacity(capacity),
            ranges: Ranges::EMPTY,
        }
    }

    /// Ranges are taken in a loop of their own, whose numbers stay in registers.
    #[inline(always)]
    fn append(&mut self, more: impl Iterator<Item = Candidate>) {
        let old = self.list.len();
        for candidate in more {
            self.list.push(candidate);
        }
        let mut ranges = self.ranges;
        for candidate in &self.list[old..] {
            ranges.include([
                candidate.recency,
                candidate.relevance,
                f64::from(candidate.importance),
            ]);
        }
        self.ranges = ranges;
    }
}

/// The smallest and largest recency, relevance and importance. Lows lie beside lows, so that they
/// are compared in pairs.
#[derive(Clone, Copy)]
struct Ranges {
    lows: [f64; 3],
    highs: [f64; 3],
}

impl Ranges {
    const EMPTY: Self = Self {
        lows: [f64::INFINITY; 3],
        highs: [f64::NEG_INFINITY; 3],
    };

    /// NaN is neither lower nor higher: what has no relevance does not stretch its scale.
    #[inline]
    fn include(&mut self, values: [f64; 3]) {
        for (part, value) in values.into_iter().enumerate() {
            let (low, high) = (&mut self.lows[part], &mut self.highs[part]);
            *low = if value < *low { value } else { *low };
            *high = if value > *high { value } else { *high };
        }
    }

    /// For each part: from 0 at the lowest to its weight at the highest; half the weight if all are
    /// equal, or if there is none.
    fn scaled(&self, weights: [f64; 3]) -> [Line; 3] {
        std::array::from_fn(|part| {
            let (low, high, weight) = (self.lows[part], self.highs[part], weights[part]);
            if high > low {
                Line {
                    low,
                    slope: weight / (high - low),
                    base: 0.0,
                    missing: 0.0,
                }
            } else {
                Line {
                    low: 0.0,
                    slope: 0.0,
                    base: 0.5 * weight,
                    missing: 0.5 * weight,
                }
            }
        })
    }
}

/// Everything a preset gathers its candidates from.
struct Source<'a> {
    facts: &'a [Facts],
    vectors: &'a Vectors,
    admission: Admission,
    query: &'a Query<'a>,
}

impl Source<'_> {
    /// Recency since last access; newer first among equals.
    fn paper(&self) -> Candidates {
        let (decay, now) = (self.decay(), self.query.now);
        self.newest_first(
            |facts| decay.after(age_seconds(now, facts.last_accessed)),
            |cosine| cosine,
        )
    }

    /// Recency since creation; newer first among equals.
    fn plain(&self) -> Candidates {
        let (decay, now) = (self.decay(), self.query.now);
        self.newest_first(
            |facts| decay.after(age_seconds(now, facts.created)),
            cosine_or_least,
        )
    }

    /// Everything admitted. Newer memories tend to score higher, so this order also spares the best
    /// few most of their changes.
    #[inline(always)]
    fn newest_first(&self, recency: impl Fn(&Facts) -> f64, relevance: impl Fn(f64) -> f64) -> Candidates {
        let mut candidates = Candidates::with_capacity(self.facts.len());
        for start in (0..self.facts.len()).step_by(BLOCK).rev() {
            let block = start..self.facts.len().min(start + BLOCK);
            let cosines = self.vectors.cosines(self.query.embedding, block.clone());
            let rows = self.facts[block].iter().zip(cosines).enumerate().rev();
            let admitted = rows.filter(|(_, (facts, _))| self.admission.admits(facts));
            candidates.append(admitted.map(|(offset, (facts, cosine))| Candidate {
                recency: recency(facts),
                relevance: relevance(cosine),
                index: (start + offset) as u32,
                importance: facts.importance,
            }));
        }
        candidates
    }

    /// Recency by rank, least recently accessed first; of those accessed together, observations come
    /// before thoughts and newer before older. That is the order of equals too.
    fn reference(&self) -> Candidates {
        let mut order = self.newest_first(|_| 0.0, |cosine| cosine).list;
        order.sort_by_key(|candidate| {
            let facts = &self.facts[candidate.index as usize];
            (facts.last_accessed, !facts.is_observation())
        });
        let mut candidates = Candidates::with_capacity(order.len());
        candidates.append(order.into_iter().enumerate().map(|(rank, candidate)| {
            let recency = libm::pow(self.query.retrieval.decay, (rank + 1) as f64);
            Candidate { recency, ..candidate }
        }));
        candidates
    }

    /// The newest `count`, oldest first, with relevance if they are among the nearest; then the rest
    /// of the nearest, nearest first and older first among equals.
    fn langchain(&self) -> Candidates {
        let admitted: Vec<usize> = (0..self.facts.len())
            .filter(|&index| self.admission.admits(&self.facts[index]))
            .collect();
        let cosines = self.vectors.cosines(self.query.embedding, 0..self.facts.len());
        let nearness = admitted.iter().map(|&index| cosines[index]);
        let nearest = best(nearness, self.query.retrieval.nearest);
        let mut relevance = vec![0.0; admitted.len()];
        for &position in &nearest {
            let cosine = cosine_or_least(cosines[admitted[position]]);
            relevance[position] = 1.0 - (2.0 - 2.0 * cosine) * std::f64::consts::FRAC_1_SQRT_2;
        }
        let decay = self.decay();
        let mut candidates = Candidates::with_capacity(admitted.len());
        let newest = admitted.len().saturating_sub(self.query.count);
        let rest = nearest.iter().copied().filter(|&position| position < newest);
        candidates.append((newest..admitted.len()).chain(rest).map(|position| {
            let facts = &self.facts[admitted[position]];
            Candidate {
                recency: decay.after(age_seconds(self.query.now, facts.last_accessed)),
                relevance: relevance[position],
                index: admitted[position] as u32,
                importance: facts.importance,
            }
        }));
        candidates
    }

    fn decay(&self) -> Decay {
        // The first memory is seldom much younger than any other; if it is, only speed suffers.
        let first = self.facts.first().map_or(self.query.now, |facts| facts.created);
        Decay::new(self.query.retrieval.decay, age_seconds(self.query.now, first))
    }
}

/// Where nothing is scaled, having no direction counts as pointing the opposite way.
fn cosine_or_least(cosine: f64) -> f64 {
    if cosine.is_nan() { -1.0 } else { cosine }
}

/// The three parts of a score, scaled and weighted.
struct Parts {
    recency: f64,
    relevance: f64,
    importance: f64,
}

impl Parts {
    #[inline]
    fn sum(&self) -> f64 {
        self.recency + self.relevance + self.importance
    }
}

/// How the raw parts of a candidate become parts of its score.
struct Weighing {
    recency: Line,
    relevance: Line,
    importance: Line,
}

impl Weighing {
    fn new(query: &Query<'_>, candidates: &Candidates) -> Self {
        let own = query.retrieval;
        let scaled = |weights| candidates.ranges.scaled(weights);
        let [recency, relevance, importance] = match own.preset {
            Preset::Paper => scaled([own.recency, own.relevance, own.importance]),
            // The 2023 code's hidden weights, on top of the resident's own (`retrieve.py`).
            Preset::Reference => scaled([0.5 * own.recency, 3.0 * own.relevance, 2.0 * own.importance]),
            Preset::Langchain | Preset::Plain => {
                [own.recency, own.relevance, own.importance / MOST_IMPORTANT].map(Line::unscaled)
            }
        };
        Self {
            recency,
            relevance,
            importance,
        }
    }

    #[inline]
    fn apply(&self, candidate: &Candidate) -> Parts {
        Parts {
            recency: self.recency.at(candidate.recency),
            relevance: if candidate.relevance.is_nan() {
                self.relevance.missing
            } else {
                self.relevance.at(candidate.relevance)
            },
            importance: self.importance.at(f64::from(candidate.importance)),
        }
    }

    fn retrieved(&self, candidate: &Candidate) -> Retrieved {
        let parts = self.apply(candidate);
        Retrieved {
            id: MemoryId::from_index(candidate.index),
            score: parts.sum(),
            recency: parts.recency,
            relevance: parts.relevance,
            importance: parts.importance,
        }
    }
}

/// What a raw part becomes: `(value − low) × slope + base`, or `missing` where there is no value.
struct Line {
    low: f64,
    slope: f64,
    base: f64,
    missing: f64,
}

impl Line {
    fn unscaled(weight: f64) -> Self {
        Self {
            low: 0.0,
            slope: weight,
            base: 0.0,
            missing: 0.0,
        }
    }

    #[inline]
    fn at(&self, value: f64) -> f64 {
        (value - self.low) * self.slope + self.base
    }
}
