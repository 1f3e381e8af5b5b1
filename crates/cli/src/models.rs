//! From flags, `models.toml` and what a run remembers to the minds of a run; and what models cost.
//!
//! Everything that can be wrong with a configuration is found here, before a run file is made or
//! touched. Keys are read from the environment and go nowhere else.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use townsfolk_embed::{BuiltIn, HashedWords};
use townsfolk_engine::ledger::{Aside, Budget, Prices, Recorded, Stop};
use townsfolk_engine::{Minds, ModelPlan, RemoteVectors, Terms};
use townsfolk_memory::{Embedder, Embedding};
use townsfolk_mind::model::{Calls, PromptSet, Roles};
use townsfolk_model::{ConfigError, EmbeddingModel, Models, ModelsConfig, Role, RoleConfig, Usage};
use townsfolk_store::{RunInfo, RunReader};
use townsfolk_town::Town;

use crate::args::ModelArgs;
use crate::commands::interrupt;
use crate::failure::Failure;
use crate::page::Look;
use crate::{output, words};

/// What is spoken of where nobody says which: the routine mind.
pub(crate) const ROUTINE: &str = "routine";
/// The names of the embedders in the program.
const BUILT_IN: &str = "builtin";
const WORDS: &str = "words";

/// What models are called that a run was set up with, where one of them is wrong.
const OF_THE_RUN: &str = "the run's models";

/// What minds are made from.
pub(crate) struct Wanted<'a> {
    /// The flags.
    pub(crate) flags: &'a ModelArgs,
    /// The language of the town.
    pub(crate) language: &'a str,
    /// What a run that goes on says about itself; none for a new one.
    pub(crate) stored: Option<&'a RunInfo>,
    /// What the minds are for.
    pub(crate) purpose: Purpose<'a>,
}

/// What minds are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose<'a> {
    /// To live: models are called.
    Live,
    /// To find out what living would take: nobody is called.
    Estimate,
    /// To compute a run again: every reply is in it, and nobody is called.
    Replay(&'a Path),
    /// To do something to a run without living on: nobody is called.
    Look,
}

impl Wanted<'_> {
    /// Opens all that is needed; no call to a chat model is made.
    ///
    /// # Errors
    /// With the file, key and remedy where the configuration is wrong, a key is missing, or prompts
    /// cannot be read.
    pub(crate) fn minds(&self, stop: &Stop) -> Result<Minds, Failure> {
        let config = self.config()?;
        // Where nobody is called no key is needed; any word will do.
        let env = |name: &str| match self.purpose {
            Purpose::Live => std::env::var(name).ok(),
            Purpose::Estimate | Purpose::Replay(_) | Purpose::Look => Some("none".to_owned()),
        };
        let embedder = self.embedder();
        let remote = self.remote(&config, &env, stop, self.stored)?;
        let noted = match self.purpose {
            // A run that went on without its models is not to ask them again.
            Purpose::Live if self.stored.is_some() => true,
            Purpose::Live | Purpose::Estimate | Purpose::Replay(_) => {
                config.thinking.is_some() || config.embedding.is_some()
            }
            Purpose::Look => false,
        };
        let mut minds = Minds {
            terms: Terms {
                prices: prices(&config, remote.as_ref()),
                budget: Budget {
                    usd: self.flags.budget_usd,
                    tokens: self.flags.budget_tokens,
                },
                stop: stop.clone(),
                aside: Aside::default(),
                replay: match self.purpose {
                    Purpose::Replay(run) => Some(Recorded::open(run)?),
                    Purpose::Live | Purpose::Estimate | Purpose::Look => None,
                },
            },
            config: noted.then(|| config.to_toml()),
            remote,
            ..Minds::routine(embedder)
        };
        if config.thinking.is_none() {
            self.refuse_without_model(minds.remote.is_some())?;
            self.refuse_budget_without_price(&minds)?;
            return Ok(minds);
        }
        let local = townsfolk_local::models();
        let models = Models::open(&config, &env, local, stop).map_err(|error| self.wrong(error))?;
        let prompts = match &self.flags.prompts {
            Some(folder) => PromptSet::with_overrides(self.language, folder),
            None => PromptSet::of(self.language),
        };
        for role in Role::ALL {
            let role = models.role(role);
            if let Some(price) = role.price {
                minds.terms.prices.insert(role.model.name().to_owned(), price);
            }
        }
        let (roles, prompts) = (Roles::from(&models), prompts.map_err(Failure::usage)?);
        if matches!(self.purpose, Purpose::Live | Purpose::Estimate) {
            warn_of_windows(&roles, &prompts)?;
        }
        minds.models = Some(ModelPlan {
            roles,
            prompts: Arc::new(prompts),
            calls: match self.flags.lock_step {
                true => Calls::Together,
                false => Calls::Ahead,
            },
            crib: None,
        });
        self.refuse_budget_without_price(&minds)?;
        Ok(minds)
    }

    /// What the flags say, or else what the run was last set up with.
    pub(crate) fn config(&self) -> Result<ModelsConfig, Failure> {
        let flags = self.flags;
        let mut config = match (
            &flags.models,
            &flags.model,
            self.stored.and_then(|run| run.models.as_ref()),
        ) {
            (Some(file), _, _) => read(file)?,
            (None, Some(model), _) if model == ROUTINE => ModelsConfig::default(),
            (None, Some(model), _) => ModelsConfig::of_one(model)
                .with_context(|| format!("--model {model}"))
                .map_err(Failure::Usage)?,
            (None, None, Some(stored)) => ModelsConfig::read(stored, OF_THE_RUN).map_err(Failure::usage)?,
            (None, None, None) => ModelsConfig::default(),
        };
        match flags.embedder.as_deref() {
            Some(BUILT_IN | WORDS) => config.embedding = None,
            Some(spec) => {
                let spec = spec.parse().with_context(|| {
                    format!("--embedder {spec} (say {BUILT_IN}, {WORDS}, or a model such as ollama:nomic-embed-text)")
                });
                config.embedding = Some(RoleConfig::new(spec.map_err(Failure::Usage)?));
            }
            // The vectors that are there decide, unless somebody says otherwise.
            None => {
                if let Some(known) = self
                    .stored
                    .and_then(|run| run.models.as_ref())
                    .filter(|_| flags.models.is_none())
                    && let Ok(known) = ModelsConfig::read(known, OF_THE_RUN)
                {
                    config.embedding = known.embedding;
                }
            }
        }
        Ok(config)
    }

    /// What embeds, without any chat model: for vectors alone.
    ///
    /// # Errors
    /// As [`minds`](Self::minds).
    pub(crate) fn vectors(&self) -> Result<Minds, Failure> {
        let mut config = self.config()?;
        if let Some(file) = self.flags.models.as_deref() {
            if config.embedding.is_none() {
                return Err(Failure::Usage(anyhow!(
                    "{}: [embedding]: no embedder is named; add the table with a `model`, or use --embedder {BUILT_IN}",
                    words::path(file)
                )));
            }
            // Only vectors are made: who thinks is not said anew.
            let kept = Wanted {
                flags: &ModelArgs::default(),
                ..*self
            };
            config = ModelsConfig {
                embedding: config.embedding,
                ..kept.config()?
            };
        }
        // How long its vectors were says nothing of those that it makes now.
        let remote = self.remote(&config, &|name| std::env::var(name).ok(), interrupt::stop(), None)?;
        Ok(Minds {
            terms: Terms {
                prices: prices(&config, remote.as_ref()),
                ..Terms::default()
            },
            remote,
            config: self.stored.is_some().then(|| config.to_toml()),
            ..Minds::routine(self.embedder())
        })
    }

    /// The embedder in the program that is meant.
    fn embedder(&self) -> Arc<dyn Embedder> {
        let stored = || {
            let run = self.stored?;
            (run.embedder == HashedWords.name()).then_some(WORDS)
        };
        match self.flags.embedder.as_deref().or_else(stored) {
            Some(WORDS) => Arc::new(HashedWords),
            _ => Arc::new(BuiltIn::get()),
        }
    }

    /// The embedder elsewhere, if there is one: a tiny call tells how long its vectors are, unless it made those
    /// of the run `known`.
    fn remote(
        &self,
        config: &ModelsConfig,
        env: &dyn Fn(&str) -> Option<String>,
        stop: &Stop,
        known: Option<&RunInfo>,
    ) -> Result<Option<RemoteVectors>, Failure> {
        let local = townsfolk_local::models();
        let opened = townsfolk_model::open_embedding(config, env, local, stop);
        let Some(role) = opened.map_err(|error| self.wrong(error))? else {
            return Ok(None);
        };
        let model: Arc<dyn EmbeddingModel> = role.model;
        let dimensions = match known.filter(|run| run.embedder == model.name()) {
            Some(run) => run.embedding_dimensions as usize,
            // Nothing is made of it.
            None if self.purpose == Purpose::Estimate => 1,
            None => dimensions_of(&*model)?,
        };
        Ok(Some(RemoteVectors { model, dimensions }))
    }

    /// A configuration that cannot be opened, with the file it comes from.
    pub(crate) fn wrong(&self, error: ConfigError) -> Failure {
        let flags = self.flags;
        let by_flag = flags.model.is_some() || flags.embedder.is_some() && error.key.starts_with("embedding");
        let stored = self.stored.is_some_and(|run| run.models.is_some());
        match &flags.models {
            Some(file) => Failure::usage(error.in_file(words::path(file))),
            None if stored && !by_flag => Failure::usage(error.in_file(OF_THE_RUN)),
            None => Failure::usage(error),
        }
    }

    /// Flags that mean nothing to the routine mind; a budget does, where an embedder elsewhere is paid.
    fn refuse_without_model(&self, pays_for_vectors: bool) -> Result<(), Failure> {
        let flags = self.flags;
        let given = [
            (flags.prompts.is_some(), "--prompts"),
            (flags.budget_usd.is_some() && !pays_for_vectors, "--budget-usd"),
            (
                flags.budget_tokens.is_some() && !pays_for_vectors,
                "--budget-tokens",
            ),
            (flags.lock_step, "--lock-step"),
            (flags.max_fallback.is_some(), "--max-fallback"),
        ];
        match given.iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, flag)) => Err(Failure::Usage(anyhow!(
                "{flag} is about language models, but none is asked; name one with --model or --models"
            ))),
        }
    }

    /// A budget in dollars cannot hold back a model whose price nobody knows.
    fn refuse_budget_without_price(&self, minds: &Minds) -> Result<(), Failure> {
        if self.flags.budget_usd.is_none() {
            return Ok(());
        }
        let roles = minds.models.iter().map(|plan| &plan.roles);
        let chats = roles.flat_map(|roles| [&roles.thinking, &roles.talking, &roles.rating]);
        let embedders = minds.remote.iter().map(|remote| remote.model.name());
        let unpriced = chats
            .map(|role| role.model.name())
            .chain(embedders)
            .find(|name| !minds.terms.prices.contains_key(*name));
        match unpriced {
            None => Ok(()),
            Some(name) => Err(Failure::Usage(anyhow!(
                "--budget-usd: the price of {name} is not known; set `price_usd_per_million` in a models.toml \
                 (--models), or use --budget-tokens"
            ))),
        }
    }
}

/// Reads a `models.toml`.
fn read(file: &Path) -> Result<ModelsConfig, Failure> {
    let name = words::path(file);
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("{name}: cannot be read"))
        .map_err(Failure::Usage)?;
    let config = ModelsConfig::read(&text, &name).map_err(Failure::usage)?;
    // A file that was named is meant; memories alone may be embedded elsewhere under the routine mind.
    let thinks = config.thinking.is_some();
    if !thinks && (config.embedding.is_none() || config.talking.is_some() || config.rating.is_some()) {
        return Err(Failure::Usage(anyhow!(
            "{name}: [thinking]: no model thinks; name one there, such as model = \"ollama:qwen3:4b\", or leave \
             --models for the routine mind"
        )));
    }
    Ok(config)
}

/// What the models of a configuration cost; also under the name that the embedder goes by once it is open.
fn prices(config: &ModelsConfig, remote: Option<&RemoteVectors>) -> Prices {
    let mut prices = config.prices();
    if let (Some(role), Some(remote)) = (&config.embedding, remote)
        && let Some(price) = prices.get(&role.model.to_string()).copied()
    {
        prices.insert(remote.model.name().to_owned(), price);
    }
    prices
}

/// Says which questions no model will be asked, because its window has no room for the shortest prompt.
///
/// # Errors
/// If a prompt cannot be filled in.
pub(crate) fn warn_of_windows(roles: &Roles, prompts: &PromptSet) -> Result<(), Failure> {
    let too_long = townsfolk_mind::model::too_long(roles, prompts).map_err(Failure::usage)?;
    for role in Role::ALL {
        let unasked = too_long.keys().filter(|kind| kind.role() == role);
        let unasked: Vec<String> = unasked.map(|kind| kind.name().to_owned()).collect();
        if unasked.is_empty() {
            continue;
        }
        let model = roles.role(role);
        let mut page = output::aside();
        let begins = page.look(Look::Warning, "warning:");
        page.paragraph(
            0,
            &format!(
                "{begins} [{}]: the window of {}, {} tokens, has no room for {} beside the answer, however short the \
                 prompt: the routine mind will answer instead. Set `window_tokens` to what the model really has \
                 (`max_output_tokens` to less), or choose a model with a larger window.",
                role.name(),
                model.model.name(),
                words::grouped(model.window_tokens.into()),
                words::list(&unasked)
            ),
        );
        output::remark(page.text());
    }
    Ok(())
}

/// How long an embedder's vectors are.
fn dimensions_of(model: &dyn EmbeddingModel) -> Result<usize, Failure> {
    let texts = ["a town".to_owned()];
    let embedded = futures_executor::block_on(model.embed(&texts)).map_err(Failure::usage)?;
    Ok(embedded.vectors.first().map_or(0, Vec::len))
}

/// Minds for doing something to a run without living on in it: no key is needed, and nobody is called.
///
/// # Errors
/// If the run cannot be read, or was set up in a way this program does not know.
pub(crate) fn for_a_look(path: &Path) -> Result<Minds, Failure> {
    of_run(path, &ModelArgs::default(), Purpose::Look)
}

/// Who answers in a run that goes on: what the flags say, or else what it was last set up with.
///
/// # Errors
/// As [`Wanted::minds`].
pub(crate) fn of_run(path: &Path, flags: &ModelArgs, purpose: Purpose<'_>) -> Result<Minds, Failure> {
    let reader = RunReader::open(path)?;
    let info = reader.info()?;
    let wanted = Wanted {
        flags,
        language: &town_of(&reader)?.language,
        stored: Some(&info),
        purpose,
    };
    wanted.minds(interrupt::stop())
}

/// The town a run was started with.
///
/// # Errors
/// If it is missing, or written by another version.
pub(crate) fn town_of(reader: &RunReader) -> Result<Town, Failure> {
    let name = words::path(reader.path());
    let parts = reader.town()?;
    let part = parts.iter().find(|part| part.part == "town");
    let part =
        part.ok_or_else(|| Failure::Failed(anyhow!("{name}: holds no town; was it written by Townsfolk?")))?;
    serde_json::from_str(&part.data).map_err(|error| {
        Failure::Failed(anyhow!(
            "{name}: the town in it cannot be read ({error}); use the version of townsfolk that wrote it"
        ))
    })
}

/// Texts as vectors; and, where an embedder elsewhere made them, what it took.
///
/// # Errors
/// If an embedder elsewhere does not answer.
pub(crate) fn embed(minds: &Minds, texts: &[String]) -> Result<(Vec<Embedding>, Option<Usage>), Failure> {
    let Some(remote) = &minds.remote else {
        let vectors = texts.iter().map(|text| minds.embedder.embed(text));
        return Ok((vectors.collect(), None));
    };
    let made = futures_executor::block_on(remote.model.embed(texts))
        .map_err(|error| Failure::Failed(error.into()))?;
    let vectors = made.vectors.iter().map(|vector| Embedding::from_f32(vector));
    Ok((vectors.collect(), Some(made.usage)))
}
