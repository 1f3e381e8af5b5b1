//! The run as a whole, and how it goes on.

use serde::{Deserialize, Serialize};
use townsfolk_store::Tick;
use utoipa::ToSchema;

/// What a run is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Run {
    /// The town's name.
    pub(crate) town: String,
    /// One paragraph about it.
    pub(crate) story: String,
    /// The language of its texts, such as `en`.
    pub(crate) language: String,
    /// The file's name, without its folder.
    pub(crate) file: String,
    /// The run's name for itself.
    pub(crate) run_id: String,
    /// What it was forked from.
    pub(crate) parent: Option<ParentRun>,
    /// Where all chance comes from; in decimal, since it may exceed what a script counts exactly.
    pub(crate) seed: String,
    /// What answered for the residents; several in the order of their first answers, with commas between.
    pub(crate) mind: String,
    /// Whether a language model is among them, and not rules alone.
    pub(crate) mind_is_model: bool,
    /// The version of the program that began it.
    pub(crate) townsfolk_version: String,
    /// Game time of tick 0, in seconds since 1970.
    pub(crate) start: i64,
    /// Game seconds per tick.
    pub(crate) seconds_per_tick: u32,
    /// Its last tick; null before the first.
    pub(crate) head: Option<Tick>,
    /// The tick before which it is meant to end.
    pub(crate) goal: Option<Tick>,
    /// How many people live there.
    pub(crate) residents: usize,
    /// How it goes on.
    pub(crate) mode: Mode,
}

/// The run another was forked from.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ParentRun {
    /// Its id.
    pub(crate) run_id: String,
    /// The last tick both share.
    pub(crate) tick: Tick,
}

/// How a run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Mode {
    /// What it is doing.
    pub state: RunMode,
    /// Whether it can be steered from here.
    pub controls: bool,
    /// Why it cannot.
    pub barred: Option<Barred>,
    /// Game seconds per real second; null for as fast as possible.
    pub speed: Option<f64>,
    /// It goes on until this would be the next tick.
    pub until: Option<u64>,
    /// Why it stopped, where it had to.
    pub failure: Option<String>,
}

/// Why a run cannot be steered from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Barred {
    /// It was asked that it is only shown.
    ReadOnly,
    /// Another process is writing it.
    WrittenElsewhere,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunMode {
    /// It is being computed here.
    Running,
    /// It waits to be resumed.
    Paused,
    /// It has reached its end.
    Ended,
    /// It is only shown; whatever is written to it comes from elsewhere.
    Replay,
}

/// What to do with the run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "command", deny_unknown_fields)]
pub enum Command {
    /// Stop after the tick at hand.
    Pause {},
    /// Go on.
    Resume {},
    /// Compute one tick and pause.
    Step {},
    /// Go on until this would be the next tick.
    RunUntil {
        /// The tick.
        tick: u64,
    },
    /// Go at this pace.
    Speed {
        /// Game seconds per real second, more than 0; null for as fast as possible.
        speed: Option<f64>,
    },
    /// Write a checkpoint now, so that nothing has to be computed again after a kill.
    Save {},
    /// Make a new run that shares this one's past up to a tick.
    Fork {
        /// The last tick both share.
        tick: Tick,
        /// The new file's name, in the folder of this one; must not exist.
        file: Option<String>,
    },
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Controlled {
    /// How the run goes on now.
    pub mode: Mode,
    /// Its last tick.
    pub head: Option<Tick>,
    /// The fork, where one was made.
    pub fork: Option<Fork>,
}

/// A fork that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fork {
    /// Its file's name.
    pub file: String,
    /// The last tick it shares.
    pub tick: Tick,
}
