//! How a command fails: with one message, and with an exit code that scripts can rely on.

use std::process::ExitCode;

use townsfolk_engine::RunError;
use townsfolk_store::StoreError;

use crate::output;

/// Exit code of a run that was stopped by Ctrl-C, as shells have it: 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A run failed, or a file could not be read or written (1).
    Failed(anyhow::Error),
    /// The command line, a town or a name was wrong, and nothing was done (2).
    Usage(anyhow::Error),
    /// A model cannot be used, or the budget does not hold the next call; the run is saved and can go on (3).
    Paused(anyhow::Error),
    /// The run is done, but the routine mind answered for a model too often (4).
    TooManyFallbacks(anyhow::Error),
    /// Stopped by Ctrl-C; the run is saved (130). What there is to say has been said.
    Interrupted,
}

impl Failure {
    /// Bad input.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self::Usage(error.into())
    }

    /// The same, of a place in a file.
    pub(crate) fn at(self, place: String) -> Self {
        match self {
            Self::Failed(error) => Self::Failed(error.context(place)),
            Self::Usage(error) => Self::Usage(error.context(place)),
            Self::Paused(error) => Self::Paused(error.context(place)),
            Self::TooManyFallbacks(error) => Self::TooManyFallbacks(error.context(place)),
            Self::Interrupted => Self::Interrupted,
        }
    }

    /// Says it once, and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (error, code) = match self {
            Self::Failed(error) => (error, 1),
            Self::Usage(error) => (error, 2),
            Self::Paused(error) => (error, 3),
            Self::TooManyFallbacks(error) => (error, 4),
            Self::Interrupted => return ExitCode::from(INTERRUPTED),
        };
        output::error(&chain(&error));
        ExitCode::from(code)
    }

    /// The message without colour, for `--json`.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Failed(error)
            | Self::Usage(error)
            | Self::Paused(error)
            | Self::TooManyFallbacks(error) => chain(error),
            Self::Interrupted => "interrupted".to_owned(),
        }
    }
}

/// An error and its causes in one line, each said once.
fn chain(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if said.contains(&cause) {
            continue;
        }
        if !said.is_empty() {
            said.push_str(": ");
        }
        said.push_str(&cause);
    }
    said
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing { .. }
            | StoreError::Exists { .. }
            | StoreError::NotSqlite { .. }
            | StoreError::Foreign { .. }
            | StoreError::PastEnd { .. } => Self::Usage(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::TooLong | RunError::Embedder { .. } | RunError::Input(_) | RunError::Past { .. } => {
                Self::Usage(error.into())
            }
            RunError::Halted(_) | RunError::Budget(_) => Self::Paused(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(error.into())
    }
}
