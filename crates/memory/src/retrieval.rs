//! How recency, relevance and importance are weighed: four [`Preset`]s, and the numbers one may turn.
//!
//! | preset | recency | relevance | importance | scaled |
//! |---|---|---|---|---|
//! | `paper` | decay^hours since last access | cosine | 1–10 | each to \[0, 1\] over the candidates |
//! | `reference` | decay^rank, *least* recently accessed first | cosine | 1–10 | likewise |
//! | `langchain` | decay^hours since last access | 1 − d/√2, d = squared distance of unit vectors | importance / 10 | no |
//! | `plain` | decay^hours since creation | cosine | importance / 10 | no |
//!
//! Each part is then multiplied by its weight and the three are summed. Hours are game hours and may
//! be fractions. A decay of 1 means that nothing fades: recency is 1 for all (and, scaled, 0.5 for
//! all). A decay of 0 means that only what was touched at this very second has recency 1, and
//! everything else 0. A memory from the future of the query counts as touched just now.

use serde::{Deserialize, Serialize};

/// Which formula the score follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Park et al. 2023, section 4.1.
    #[default]
    Paper,
    /// The 2023 code, `retrieve.py`, with its inverted recency and its hidden weights
    /// (0.5 recency, 3 relevance, 2 importance) on top of one's own. For reproduction only.
    Reference,
    /// LangChain's `TimeWeightedVectorStoreRetriever`: only the nearest and the newest are
    /// candidates, and the newest that are not among the nearest have relevance 0.
    Langchain,
    /// The textbook sum.
    Plain,
}

/// A preset and its numbers, as written in a town's settings.
///
/// In text everything may be left out: the preset then is `paper`, and the numbers are the preset's.
/// ```toml
/// preset = "paper"
/// decay = 0.99
/// importance = 2
/// ```
/// Reading refuses unknown keys and numbers that make no sense. Setting the fields in code is free;
/// [`check`](Self::check) says whether they make sense. If they do not, nothing panics: a score that
/// is not a number ranks last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Retrieval {
    /// The formula.
    pub preset: Preset,
    /// Weight of recency.
    pub recency: f64,
    /// Weight of relevance.
    pub relevance: f64,
    /// Weight of importance.
    pub importance: f64,
    /// What is left of recency after an hour (in `reference`: after a rank), 0 to 1.
    pub decay: f64,
    /// `langchain` only: how many of the nearest memories are candidates.
    pub nearest: usize,
}

impl Default for Retrieval {
    /// [`Retrieval::paper`].
    fn default() -> Self {
        Self::paper()
    }
}

impl Retrieval {
    /// Park et al. 2023: weights 1, 1, 1 and decay 0.995 an hour.
    pub fn paper() -> Self {
        Self {
            preset: Preset::Paper,
            recency: 1.0,
            relevance: 1.0,
            importance: 1.0,
            decay: 0.995,
            nearest: 100,
        }
    }

    /// The 2023 code with the values its town of 25 ships: weights 1, 1, 1 and decay 0.995 a rank.
    /// Use it with [`Filter::reference`](crate::Filter::reference).
    pub fn reference() -> Self {
        Self {
            preset: Preset::Reference,
            ..Self::paper()
        }
    }

    /// LangChain's defaults: decay rate 0.01 an hour, the 100 nearest, importance weight 0.15
    /// (`GenerativeAgentMemory`).
    pub fn langchain() -> Self {
        Self {
            preset: Preset::Langchain,
            decay: 0.99,
            importance: 0.15,
            ..Self::paper()
        }
    }

    /// Cosine + 0.99^hours + importance / 10.
    pub fn plain() -> Self {
        Self {
            preset: Preset::Plain,
            decay: 0.99,
            ..Self::paper()
        }
    }

    /// Whether the numbers make sense: weights finite, decay within 0 to 1.
    pub fn check(&self) -> Result<(), BadRetrieval> {
        if !(0.0..=1.0).contains(&self.decay) {
            return Err(BadRetrieval::Decay(self.decay));
        }
        let weights = [
            ("recency", self.recency),
            ("relevance", self.relevance),
            ("importance", self.importance),
        ];
        match weights.into_iter().find(|(_, weight)| !weight.is_finite()) {
            Some((key, found)) => Err(BadRetrieval::Weight { key, found }),
            None => Ok(()),
        }
    }
}

impl From<Preset> for Retrieval {
    fn from(preset: Preset) -> Self {
        match preset {
            Preset::Paper => Self::paper(),
            Preset::Reference => Self::reference(),
            Preset::Langchain => Self::langchain(),
            Preset::Plain => Self::plain(),
        }
    }
}

/// Numbers that cannot weigh anything.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadRetrieval {
    /// Decay outside 0 to 1.
    #[error("decay is {0}; it is what is left after an hour, from 0 to 1")]
    Decay(f64),
    /// A weight that is not finite.
    #[error("{key} is {found}; a weight must be a finite number")]
    Weight {
        /// The key as written.
        key: &'static str,
        /// Its value.
        found: f64,
    },
}

/// [`Retrieval`] as people write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    preset: Preset,
    recency: Option<f64>,
    relevance: Option<f64>,
    importance: Option<f64>,
    decay: Option<f64>,
    nearest: Option<usize>,
}

impl TryFrom<Written> for Retrieval {
    type Error = BadRetrieval;

    fn try_from(written: Written) -> Result<Self, BadRetrieval> {
        let preset = Self::from(written.preset);
        let read = Self {
            preset: preset.preset,
            recency: written.recency.unwrap_or(preset.recency),
            relevance: written.relevance.unwrap_or(preset.relevance),
            importance: written.importance.unwrap_or(preset.importance),
            decay: written.decay.unwrap_or(preset.decay),
            nearest: written.nearest.unwrap_or(preset.nearest),
        };
        read.check()?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_comes_from_the_preset() {
        let read: Retrieval = toml::from_str("preset = \"plain\"\nimportance = 2").unwrap();
        assert_eq!(
            read,
            Retrieval {
                importance: 2.0,
                ..Retrieval::plain()
            }
        );
        assert_eq!(toml::from_str::<Retrieval>("").unwrap(), Retrieval::paper());
    }

    #[test]
    fn what_was_written_reads_back() {
        for preset in [Preset::Paper, Preset::Reference, Preset::Langchain, Preset::Plain] {
            let text = toml::to_string(&Retrieval::from(preset)).unwrap();
            assert_eq!(
                toml::from_str::<Retrieval>(&text).unwrap(),
                Retrieval::from(preset)
            );
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let refusal = |text| toml::from_str::<Retrieval>(text).unwrap_err().to_string();
        assert!(refusal("decay = 1.01").contains("decay is 1.01"));
        assert!(refusal("decay = nan").contains("decay is NaN"));
        assert!(refusal("relevance = inf").contains("relevance is inf"));
        assert!(refusal("recencey = 1").contains("recencey"));
        assert!(refusal("preset = \"papers\"").contains("papers"));
    }
}
