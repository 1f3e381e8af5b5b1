//! Time: who thinks when, what comes of it, and writing it down once.
//!
//! An [`Engine`] holds a town in motion. [`Engine::advance`] takes it through the next tick at which
//! anybody has something to think about, in three phases:
//!
//! 1. **Observe.** Each resident who is due, or near whom something changed, sees the world as it was
//!    committed at the end of the tick before.
//! 2. **Think.** From its own state and what it saw it produces intents. This touches nothing shared,
//!    may wait on models, and may happen in any order on any number of workers.
//! 3. **Settle.** Intents are merged in resident order by written rules and committed together.
//!
//! Ticks at which nobody is due are skipped, so a night costs next to nothing. A [`Run`] joins an
//! engine to its run file: it commits each tick, writes checkpoints, resumes and forks.
//!
//! People steer from outside with [`Input`]s, which are recorded before they act. [`at`] is a town as it
//! was at any tick of its run, and [`interview`] asks somebody in it.
//!
//! The engine has no clock of its own and draws no chance: both are addressed by seed and tick.

mod ahead;
mod at;
mod engine;
mod estimate;
mod input;
mod interview;
pub mod ledger;
mod minds;
mod observe;
mod people;
mod rows;
mod run;
mod settle;
mod snapshot;
mod steer;

pub use at::at;
pub use engine::{Engine, Options, Pulse, Setting};
pub use estimate::{Estimate, Load, estimate};
pub use input::{Input, InputError, Written};
pub use interview::{Ablation, InterviewError, InterviewOptions, InterviewOutcome, Recollection, interview};
pub use minds::{Minds, ModelPlan, RemoteVectors, Terms};
pub use people::Person;
pub use run::{File, Progress, Run, RunError};
pub use snapshot::SnapshotError;
/// Who, by position in [`Engine::people`].
pub use townsfolk_mind::ResidentId;
/// A question and its answer, for a longer [`interview`].
pub use townsfolk_mind::tasks::Exchange;
