//! A language model as the mind: prompts out, answers in, every call written down.
//!
//! [`Asker::ask`](crate::Asker::ask) renders a task's prompt, looks in the [`Ledger`] for a reply that
//! exists already, calls the model that plays the task's role, reads the reply leniently, checks it, asks
//! once more saying what was wrong, and otherwise lets the routine mind answer and says why.
//!
//! - [`ModelMind`]: what all residents of a run share: models, prompts, ledger.
//! - [`PromptSet`]: the prompt files of a language, with a user's own in their place.
//! - [`reader`]: from what a model wrote to a typed answer.
//! - [`Rehearsal`]: a model that says what the routine mind would, for estimates and benches.
//! - [`samples`]: one input of each task, to try prompts on.

mod ask;
mod blocks;
mod budget;
pub mod clock;
pub(crate) mod day;
pub(crate) mod doing;
mod embed;
pub(crate) mod first_person;
mod fit;
mod ledger;
pub(crate) mod length;
mod prompts;
pub mod reader;
pub(crate) mod reading;
mod rehearsal;
mod role;
pub mod samples;
pub(crate) mod utterance;
pub mod wire;

use std::sync::Arc;

pub(crate) use ask::{Asked, Asking, Outcome};
pub use ask::{call, too_long};
pub use budget::{Cut, Limits, TooLong};
pub use embed::RemoteEmbedder;
pub(crate) use embed::embed;
pub use fit::{Fit, Remembered, Said, Stretch, Who};
pub use ledger::{Answers, Call, CallKey, Found, Ledger, NO_QUESTION, Origin, Question, VectorCall, Vectors};
pub use prompts::{Fitted, Prompt, PromptError, PromptSet};
pub use rehearsal::Rehearsal;
pub use role::Roles;
use townsfolk_model::ChatRequest;

/// How calls go out. None of it changes what comes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// The independent questions of one resident together, as far as the models allow; and where ticks
    /// are run, those of residents whom nobody who is being waited for can affect ahead of their tick.
    #[default]
    Ahead,
    /// The independent questions of one resident together, and those of a tick when its time comes.
    Together,
    /// One after another, as the 2023 code does; for comparison.
    OneByOne,
}

/// A language model as the mind of a town's residents: what they all share.
pub struct ModelMind {
    /// Who answers what.
    pub models: Roles,
    /// How questions are put.
    pub prompts: Arc<PromptSet>,
    /// Where calls are looked up and written down.
    pub ledger: Arc<dyn Ledger>,
    /// Who turns texts into vectors, where it is not the embedder in the process.
    pub embedder: Option<RemoteEmbedder>,
    /// How calls go out.
    pub calls: Calls,
    /// Who is told the routine mind's answer before each call; none in a run that means it.
    pub crib: Option<Arc<dyn Crib>>,
}

/// Learns what the routine mind would answer before the model is asked, so that a scripted model can
/// say just that: for estimates of cost and for benches, where the words must make sense and be free.
pub trait Crib: Send + Sync {
    /// The `answer`, as JSON of the shape that `request` asks for.
    fn learn(&self, request: &ChatRequest, answer: String);
}
