//! Who answers residents' questions, and what turns texts into vectors.

use std::sync::Arc;

use townsfolk_memory::{Embedder, StreamSettings};
use townsfolk_mind::Answerer;
use townsfolk_mind::model::{Calls, Crib, Ledger, ModelMind, PromptSet, RemoteEmbedder, Roles, Vectors};
use townsfolk_model::EmbeddingModel;

use crate::ledger::{Aside, Budget, Prices, Recorded, Stop};

/// Who answers residents' questions, and what turns texts into vectors.
///
/// An embedder alone is the routine mind with it.
#[derive(Clone)]
pub struct Minds {
    /// The embedder in the process: of the rules in any case, of memories unless
    /// [`remote`](Self::remote) is.
    pub embedder: Arc<dyn Embedder>,
    /// Language models; without them the routine mind answers.
    pub models: Option<ModelPlan>,
    /// The embedder of memories, where it is not [`embedder`](Self::embedder).
    pub remote: Option<RemoteVectors>,
    /// On what terms models and the embedder elsewhere are called.
    pub terms: Terms,
    /// How models and the embedder elsewhere are set up, as text for the run file; holds no key. Empty where the
    /// file is to say that there are none; none leaves in it what it says.
    pub config: Option<String>,
}

/// On what terms calls are made, to chat models and embedders alike.
#[derive(Clone, Default)]
pub struct Terms {
    /// What the models cost.
    pub prices: Prices,
    /// How much may be spent.
    pub budget: Budget,
    /// How people stop the run.
    pub stop: Stop,
    /// What was spent on questions that leave no trace; the budget holds for it by itself.
    pub aside: Aside,
    /// The run that all replies and vectors come from, in a replay.
    pub replay: Option<Recorded>,
}

/// Language models as the mind of a run.
#[derive(Clone)]
pub struct ModelPlan {
    /// The models by role, ready to be called.
    pub roles: Roles,
    /// How questions are put.
    pub prompts: Arc<PromptSet>,
    /// Whether independent questions of one resident go out together.
    pub calls: Calls,
    /// Who is told the routine mind's answers, for scripted models.
    pub crib: Option<Arc<dyn Crib>>,
}

/// What residents share, with its memory of calls and vectors.
pub(crate) struct Shared {
    /// The models, with the embedder where it is not in the process; none for the routine mind.
    pub(crate) mind: Option<ModelMind>,
    /// The embedder, where it is not in the process.
    pub(crate) embedder: Option<RemoteEmbedder>,
}

/// An embedder elsewhere.
#[derive(Clone)]
pub struct RemoteVectors {
    /// The embedder.
    pub model: Arc<dyn EmbeddingModel>,
    /// How many numbers its vectors have.
    pub dimensions: usize,
}

impl Minds {
    /// The routine mind.
    pub fn routine(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            models: None,
            remote: None,
            terms: Terms::default(),
            config: None,
        }
    }

    /// Who answers, as a run file names whom it began with: the model that thinks, or the routine mind.
    pub fn name(&self) -> &str {
        match &self.models {
            Some(plan) => plan.roles.thinking.model.name(),
            None => Answerer::Routine.name(),
        }
    }

    /// The embedder of memories: its name and the length of its vectors.
    pub fn vectors(&self) -> (&str, usize) {
        match &self.remote {
            Some(remote) => (remote.model.name(), remote.dimensions),
            None => (self.embedder.name(), self.embedder.dimensions()),
        }
    }

    /// How people stop calls that are on their way; none where none are made.
    pub(crate) fn stop(&self) -> Option<&Stop> {
        self.asks_elsewhere().then_some(&self.terms.stop)
    }

    /// What residents' streams are made for.
    pub(crate) fn stream(&self) -> StreamSettings {
        let (name, dimensions) = self.vectors();
        StreamSettings::new(name, dimensions)
    }

    /// Whether anything is asked outside the process, and so has to be written down.
    pub(crate) fn asks_elsewhere(&self) -> bool {
        self.models.is_some() || self.remote.is_some()
    }

    /// What residents share, with its memory of calls and vectors.
    pub(crate) fn with_ledger<L: Ledger + Vectors + 'static>(&self, ledger: &Arc<L>) -> Shared {
        let embedder = || {
            let remote = self.remote.as_ref()?;
            Some(RemoteEmbedder {
                model: remote.model.clone(),
                dimensions: remote.dimensions,
                vectors: ledger.clone(),
            })
        };
        let mind = |plan: &ModelPlan| ModelMind {
            models: plan.roles.clone(),
            prompts: plan.prompts.clone(),
            ledger: ledger.clone(),
            embedder: embedder(),
            calls: plan.calls,
            crib: plan.crib.clone(),
        };
        Shared {
            mind: self.models.as_ref().map(mind),
            embedder: embedder(),
        }
    }
}

impl<E: Embedder + 'static> From<Arc<E>> for Minds {
    fn from(embedder: Arc<E>) -> Self {
        Self::routine(embedder)
    }
}

impl From<Arc<dyn Embedder>> for Minds {
    fn from(embedder: Arc<dyn Embedder>) -> Self {
        Self::routine(embedder)
    }
}
