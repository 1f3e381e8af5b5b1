//! From columns and cosines to a ranking. Each preset differs only in how it gathers candidates.
//!
//! 1. Cosines of the query with every vector.
//! 2. Candidates: what the filter lets through, with its three raw parts, in the order in which
//!    equal scores shall rank.
//! 3. Each part is scaled or not, weighted, and summed; the best few are kept.

use crate::best::best;
use crate::columns::{Columns, age_seconds};
use crate::decay::Decay;
use crate::memory::MemoryId;
use crate::query::{Query, Retrieved};
use crate::retrieval::Preset;
use crate::vectors::Vectors;

/// The weights that the 2023 code applies on top of a resident's own (`retrieve.py`).
const REFERENCE_WEIGHTS: Parts = Parts {
    recency: 0.5,
    relevance: 3.0,
    importance: 2.0,
};

/// Three numbers about a candidate: raw, scaled, or weights.
#[derive(Clone, Copy)]
struct Parts {
    recency: f64,
    /// NaN for none.
    relevance: f64,
    importance: f64,
}

struct Candidate {
    index: usize,
    raw: Parts,
}

/// What `query` brings up, best first.
pub(crate) fn rank(columns: &Columns, vectors: &Vectors, query: &Query<'_>) -> Vec<Retrieved> {
    let end = columns.end(&query.filter);
    if query.count == 0 || end == 0 {
        return Vec::new();
    }
    let source = Source {
        columns,
        query,
        cosines: vectors.cosines(query.embedding, end),
    };
    let retrieval = query.retrieval;
    let own = Parts {
        recency: retrieval.recency,
        relevance: retrieval.relevance,
        importance: retrieval.importance,
    };
    let candidates = match retrieval.preset {
        Preset::Paper => source.paper(),
        Preset::Reference => source.reference(),
        Preset::Langchain => source.langchain(),
        Preset::Plain => source.plain(),
    };
    let weighing = match retrieval.preset {
        Preset::Paper => Weighing::scaled(&candidates, own),
        Preset::Reference => Weighing::scaled(&candidates, own.times(REFERENCE_WEIGHTS)),
        Preset::Langchain | Preset::Plain => Weighing::unscaled(own),
    };
    let scores = candidates
        .iter()
        .map(|candidate| weighing.apply(candidate.raw).sum());
    let chosen = best(scores, query.count);
    chosen
        .into_iter()
        .map(|position| weighing.retrieved(&candidates[position]))
        .collect()
}

/// Everything a preset gathers its candidates from.
struct Source<'a> {
    columns: &'a Columns,
    query: &'a Query<'a>,
    cosines: Vec<f64>,
}

impl Source<'_> {
    /// Recency since last access; newer first among equals.
    fn paper(&self) -> Vec<Candidate> {
        let decay = self.decay();
        let gather = |index: usize| Candidate {
            index,
            raw: Parts {
                recency: decay.after(age_seconds(
                    self.query.now,
                    self.columns.last_accessed[index],
                )),
                relevance: self.cosines[index],
                importance: f64::from(self.columns.importance[index]),
            },
        };
        let mut candidates = Vec::with_capacity(self.cosines.len());
        candidates.extend(self.admitted().rev().map(gather));
        candidates
    }

    /// Recency since creation; newer first among equals.
    fn plain(&self) -> Vec<Candidate> {
        let decay = self.decay();
        let gather = |index: usize| Candidate {
            index,
            raw: Parts {
                recency: decay.after(age_seconds(self.query.now, self.columns.created[index])),
                relevance: cosine_or_least(self.cosines[index]),
                importance: f64::from(self.columns.importance[index]) / 10.0,
            },
        };
        let mut candidates = Vec::with_capacity(self.cosines.len());
        candidates.extend(self.admitted().rev().map(gather));
        candidates
    }

    /// Recency by rank, least recently accessed first; of those accessed together, observations come
    /// before thoughts and newer before older. That is the order of equals too.
    fn reference(&self) -> Vec<Candidate> {
        let columns = self.columns;
        let mut order: Vec<usize> = self.admitted().rev().collect();
        order.sort_by_key(|&index| (columns.last_accessed[index], !columns.is_observation(index)));
        let gather = |(rank, index): (usize, usize)| Candidate {
            index,
            raw: Parts {
                recency: libm::pow(self.query.retrieval.decay, (rank + 1) as f64),
                relevance: self.cosines[index],
                importance: f64::from(columns.importance[index]),
            },
        };
        order.into_iter().enumerate().map(gather).collect()
    }

    /// The newest `count`, oldest first, with relevance if they are among the nearest; then the rest
    /// of the nearest, nearest first and older first among equals.
    fn langchain(&self) -> Vec<Candidate> {
        let admitted: Vec<usize> = self.admitted().collect();
        let cosines = admitted.iter().map(|index| self.cosines[*index]);
        let nearest = best(cosines, self.query.retrieval.nearest);
        let mut relevance = vec![0.0; admitted.len()];
        for &position in &nearest {
            let cosine = cosine_or_least(self.cosines[admitted[position]]);
            relevance[position] = 1.0 - (2.0 - 2.0 * cosine) * std::f64::consts::FRAC_1_SQRT_2;
        }
        let newest = admitted.len().saturating_sub(self.query.count);
        let decay = self.decay();
        let gather = |position: usize| Candidate {
            index: admitted[position],
            raw: Parts {
                recency: decay.after(age_seconds(
                    self.query.now,
                    self.columns.last_accessed[admitted[position]],
                )),
                relevance: relevance[position],
                importance: f64::from(self.columns.importance[admitted[position]]) / 10.0,
            },
        };
        let rest = nearest
            .iter()
            .copied()
            .filter(|position| *position < newest);
        (newest..admitted.len()).chain(rest).map(gather).collect()
    }

    /// What the filter lets through, older first.
    fn admitted(&self) -> impl DoubleEndedIterator<Item = usize> {
        let Query { filter, now, .. } = self.query;
        (0..self.cosines.len()).filter(move |&index| self.columns.admits(filter, *now, index))
    }

    fn decay(&self) -> Decay {
        Decay::new(
            self.query.retrieval.decay,
            self.columns.oldest_seconds(self.query.now),
        )
    }
}

/// Where nothing is scaled, having no direction counts as pointing the opposite way.
fn cosine_or_least(cosine: f64) -> f64 {
    if cosine.is_nan() { -1.0 } else { cosine }
}

/// How raw parts become parts of a score.
struct Weighing {
    recency: Scale,
    relevance: Scale,
    importance: Scale,
    weights: Parts,
}

impl Weighing {
    fn unscaled(weights: Parts) -> Self {
        Self {
            recency: Scale::AsIs,
            relevance: Scale::AsIs,
            importance: Scale::AsIs,
            weights,
        }
    }

    /// Min–max over `candidates`, each part for itself.
    fn scaled(candidates: &[Candidate], weights: Parts) -> Self {
        let mut low = Parts::all(f64::INFINITY);
        let mut high = Parts::all(f64::NEG_INFINITY);
        for Candidate { raw, .. } in candidates {
            // NaN is neither lower nor higher: what has no relevance does not stretch its scale.
            low = low.zip(*raw, |low, x| if x < low { x } else { low });
            high = high.zip(*raw, |high, x| if x > high { x } else { high });
        }
        Self {
            recency: Scale::min_max(low.recency, high.recency),
            relevance: Scale::min_max(low.relevance, high.relevance),
            importance: Scale::min_max(low.importance, high.importance),
            weights,
        }
    }

    #[inline]
    fn apply(&self, raw: Parts) -> Parts {
        Parts {
            recency: self.recency.apply(raw.recency),
            relevance: self.relevance.apply(raw.relevance),
            importance: self.importance.apply(raw.importance),
        }
        .times(self.weights)
    }

    fn retrieved(&self, candidate: &Candidate) -> Retrieved {
        let parts = self.apply(candidate.raw);
        Retrieved {
            // Positions of a stream fit 32 bits: `add` refuses more.
            id: MemoryId::from_index(candidate.index as u32),
            score: parts.sum(),
            recency: parts.recency,
            relevance: parts.relevance,
            importance: parts.importance,
        }
    }
}

/// How one part is brought to its final size.
enum Scale {
    AsIs,
    /// Every candidate has the same value, or none has any.
    Constant,
    MinMax {
        low: f64,
        span: f64,
    },
}

impl Scale {
    fn min_max(low: f64, high: f64) -> Self {
        if high > low {
            Self::MinMax {
                low,
                span: high - low,
            }
        } else {
            Self::Constant
        }
    }

    #[inline]
    fn apply(&self, value: f64) -> f64 {
        match self {
            Self::AsIs => value,
            Self::Constant => 0.5,
            Self::MinMax { .. } if value.is_nan() => 0.0,
            Self::MinMax { low, span } => (value - low) / span,
        }
    }
}

impl Parts {
    const fn all(value: f64) -> Self {
        Self {
            recency: value,
            relevance: value,
            importance: value,
        }
    }

    #[inline]
    fn zip(self, other: Self, with: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            recency: with(self.recency, other.recency),
            relevance: with(self.relevance, other.relevance),
            importance: with(self.importance, other.importance),
        }
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline]
    fn sum(self) -> f64 {
        self.recency + self.relevance + self.importance
    }
}
