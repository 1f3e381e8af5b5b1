//! What a run would take, found without asking a model: a stretch of the story lived by the routine
//! mind, whose answers are sent through the real prompts as if a model had given them.
//!
//! So the number of calls, what the cache saves and the length of every prompt are those of the town at
//! hand; only that a model's answers are longer or shorter than the rules', and lead to another day,
//! cannot be known before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use futures_util::future::{BoxFuture, FutureExt, ready};
use townsfolk_memory::{Embedder, Embedding};
use townsfolk_mind::model::{Call, Found, Ledger, Origin, Question, Rehearsal, VectorCall, Vectors};
use townsfolk_mind::{Halted, TaskKind};
use townsfolk_model::{
    ChatModel, ChatReply, ChatRequest, Embedded, EmbeddingModel, ModelError, Usage, estimate_tokens,
};
use townsfolk_town::Town;

use crate::engine::{Engine, Options, Setting};
use crate::ledger::lock;
use crate::minds::{Minds, RemoteVectors, Terms};

/// What a stretch of a town's story would take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// By kind of task.
    pub tasks: BTreeMap<TaskKind, Load>,
    /// For vectors, where the embedder is elsewhere.
    pub embedding: Load,
}

/// What one kind of task would take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The model that would be asked.
    pub model: String,
    /// Calls that would be made.
    pub calls: u64,
    /// Questions that an equal call of an earlier tick answers.
    pub from_cache: u64,
    /// Tokens of prompts, estimated from their text.
    pub tokens_in: u64,
    /// Tokens of answers, estimated from the routine mind's.
    pub tokens_out: u64,
}

/// Estimates what a town would take up to (not including) tick `until`, with the models, prompts and embedder of
/// `minds`. Nothing is asked and nothing written. An embedder elsewhere is stood in for by the one in the
/// process, so what comes to mind is what that one finds.
///
/// # Errors
/// If a prompt cannot be rendered.
pub fn estimate(
    town: Town,
    seed: u64,
    minds: &Minds,
    until: u64,
    options: Options,
) -> Result<Estimate, Halted> {
    let rehearsal = Arc::new(Rehearsal::default());
    let mut plan = minds.models.clone();
    if let Some(plan) = &mut plan {
        for role in [
            &mut plan.roles.thinking,
            &mut plan.roles.talking,
            &mut plan.roles.rating,
        ] {
            role.model = Arc::new(StandIn {
                name: role.model.name().to_owned(),
                rehearsal: rehearsal.clone(),
            });
        }
        plan.crib = Some(rehearsal);
    }
    let stand_in = |remote: &RemoteVectors| RemoteVectors {
        model: Arc::new(EmbedderStandIn {
            name: remote.model.name().to_owned(),
            embedder: minds.embedder.clone(),
        }),
        dimensions: minds.embedder.dimensions(),
    };
    let minds = Minds {
        embedder: minds.embedder.clone(),
        models: plan,
        remote: minds.remote.as_ref().map(stand_in),
        terms: Terms::default(),
        config: None,
    };
    let counting = Arc::new(Counting::default());
    let shared = minds.with_ledger(&counting);
    let mut engine = Engine::new(Arc::new(Setting::new(town, seed, minds)), options);
    engine.remember_calls(shared);
    while engine.advance(until)?.is_some() {}
    let estimate = lock(&counting.0).estimate.clone();
    Ok(estimate)
}

/// A model that says what the routine mind would, under the name of the one it stands for.
struct StandIn {
    name: String,
    rehearsal: Arc<Rehearsal>,
}

impl ChatModel for StandIn {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        self.rehearsal.chat(request)
    }
}

/// An embedder that gives the vectors of the one in the process, under the name of the one it stands for.
struct EmbedderStandIn {
    name: String,
    embedder: Arc<dyn Embedder>,
}

impl EmbeddingModel for EmbedderStandIn {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Embedded, ModelError>> {
        let vector = |text: &String| {
            let embedding = self.embedder.embed(text);
            let mut vector: Vec<f32> = embedding.codes().iter().map(|code| f32::from(*code)).collect();
            // To the one it stands for, a text without words means something too.
            if let (Some(first), true) = (
                vector.first_mut(),
                embedding.codes().iter().all(|code| *code == 0),
            ) {
                *first = 1.0;
            }
            vector
        };
        let embedded = Embedded {
            vectors: texts.iter().map(vector).collect(),
            usage: Usage {
                input: texts.iter().map(|text| estimate_tokens(text)).sum(),
                ..Usage::default()
            },
        };
        ready(Ok(embedded)).boxed()
    }
}

/// A ledger that counts, and remembers replies as a run's cache does.
#[derive(Default)]
struct Counting(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    estimate: Estimate,
    /// Replies by hash, with the first tick that got them.
    known: BTreeMap<String, (u64, ChatReply)>,
    vectors: BTreeMap<String, Embedding>,
}

impl Ledger for Counting {
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted> {
        let mut counts = lock(&self.0);
        let Some((tick, reply)) = counts.known.get(&question.key.hash) else {
            return Ok(None);
        };
        if *tick >= question.key.tick {
            return Ok(None);
        }
        let reply = Ok(reply.clone());
        counts.estimate.tasks.entry(question.kind).or_default().from_cache += 1;
        Ok(Some(Found {
            reply,
            origin: Origin::Cache,
        }))
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        let mut counts = lock(&self.0);
        let load = counts.estimate.tasks.entry(call.kind).or_default();
        load.calls += 1;
        load.model = call.model;
        if let Ok(reply) = call.reply {
            load.tokens_in += u64::from(reply.usage.input);
            load.tokens_out += u64::from(reply.usage.output);
            counts
                .known
                .entry(call.key.hash)
                .or_insert((call.key.tick, reply));
        }
        Ok(())
    }
}

impl Vectors for Counting {
    fn find_vector(&self, text: &str) -> Result<Option<Embedding>, Halted> {
        Ok(lock(&self.0).vectors.get(text).cloned())
    }

    fn record_vectors(
        &self,
        call: &VectorCall,
        made: Result<(&[Embedding], Usage), String>,
        _: u32,
    ) -> Result<(), Halted> {
        let mut counts = lock(&self.0);
        let load = &mut counts.estimate.embedding;
        load.calls += 1;
        load.model.clone_from(&call.model);
        if let Ok((vectors, usage)) = made {
            load.tokens_in += u64::from(usage.input);
            counts
                .vectors
                .extend(call.texts.iter().cloned().zip(vectors.iter().cloned()));
        }
        Ok(())
    }
}
