//! The viewer: pages, REST and WebSocket over a run, live or long after.
//!
//! - [`Server`] answers requests on threads of its own. Whatever it shows it reads from the run file,
//!   through connections that cannot change it and never make the run wait.
//! - [`Conductor`] holds the run and takes it on, on the caller's thread; requests give it orders
//!   through the [`Stage`].
//! - [`look`] finds out what the command line shows too: news, gatherings, changed plans.
//!
//! A request that cannot be carried out is answered with `{error, remedy}` and a status; a viewer that
//! falls behind is dropped; a run that halts shows why. `docs/api.md` describes the API for people,
//! `/api/openapi.json` for machines, `docs/design/viewer.md` why it is so.

mod api;
mod asked;
mod assets;
mod conductor;
mod files;
mod frames;
mod guard;
mod live;
#[cfg(test)]
mod live_tests;
pub mod look;
mod minds;
mod pace;
mod refusal;
mod serve;
mod stage;
mod wire;

pub use conductor::{Conductor, Resume, Watch};
pub use files::OpenError;
pub use minds::Moments;
pub use refusal::{Problem, Refusal};
pub use serve::{Forks, Means, Others, ServeError, ServeOptions, Server, USUAL_PORT};
pub use stage::Stage;
pub use wire::run::{Barred, Command, Controlled, Fork, Mode, RunMode};
