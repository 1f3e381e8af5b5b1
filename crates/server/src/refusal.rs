//! What the API answers when it cannot do what was asked: `{error, remedy}` and a status that fits.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use townsfolk_engine::RunError;
use townsfolk_store::{StoreError, Tick};
use utoipa::ToSchema;

/// Why a request was not carried out, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong.
    pub error: String,
    /// What to do about it.
    pub remedy: String,
    /// The run's last tick, where a tick past it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<Tick>,
}

/// A problem with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: StatusCode,
    /// What is said.
    pub problem: Problem,
}

impl Refusal {
    /// A refusal in plain words.
    pub fn new(status: StatusCode, error: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            status,
            problem: Problem {
                error: error.into(),
                remedy: remedy.into(),
                head: None,
            },
        }
    }

    /// There is no such thing.
    pub(crate) fn missing(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, what, remedy)
    }

    /// The request itself is wrong.
    pub(crate) fn malformed(error: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error, remedy)
    }

    /// Not while the run is in this mode.
    pub(crate) fn not_now(error: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error, remedy)
    }

    /// A tick outside of the run.
    pub(crate) fn out_of_range(tick: i64, head: Tick) -> Self {
        let error = format!("tick {tick} is not in the run, which reaches from tick 0 to tick {head}");
        let mut refusal = Self::new(
            StatusCode::RANGE_NOT_SATISFIABLE,
            error,
            format!("ask for a tick from 0 to {head}"),
        );
        refusal.problem.head = Some(head);
        refusal
    }

    /// A failure on our side, in the words "what; what to do" that all errors of Townsfolk have.
    pub(crate) fn failed(status: StatusCode, error: impl std::fmt::Display) -> Self {
        let said = error.to_string();
        match said.rsplit_once("; ") {
            Some((error, remedy)) => Self::new(status, error, remedy),
            None if status.is_server_error() => {
                Self::new(status, said, "try again; if it stays so, look at the terminal")
            }
            None => Self::new(status, said, "change the request and try again"),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::PastEnd {
                tick,
                head: Some(head),
                ..
            } => Self::out_of_range(tick.into(), head),
            StoreError::PastEnd { head: None, .. } => nothing_yet(),
            StoreError::InUse { .. } | StoreError::Exists { .. } => Self::failed(StatusCode::CONFLICT, error),
            other => Self::failed(StatusCode::INTERNAL_SERVER_ERROR, other),
        }
    }
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::TooLong | RunError::Input(_) => Self::failed(StatusCode::UNPROCESSABLE_ENTITY, error),
            RunError::Past { .. } => Self::failed(StatusCode::CONFLICT, error),
            other => Self::failed(StatusCode::INTERNAL_SERVER_ERROR, other),
        }
    }
}

/// The run has no tick yet.
pub(crate) fn nothing_yet() -> Refusal {
    Refusal::not_now(
        "nothing has happened in this run yet",
        "wait for its first tick, or start it",
    )
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}
