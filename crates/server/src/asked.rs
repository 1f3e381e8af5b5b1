//! Taking requests apart, with our own words where they are malformed.

use std::fmt::Display;
use std::ops::RangeInclusive;

use axum::extract::{FromRequest, FromRequestParts, Json, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;
use crate::serve::LONGEST_BODY;

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let query = Query::<T>::try_from_uri(&parts.uri);
        query.map(|Query(asked)| Self(asked)).map_err(|error| {
            Refusal::malformed(
                format!("the query cannot be read: {}", error.body_text()),
                "see /api/openapi.json for what it may hold",
            )
        })
    }
}

/// A number of the query that must lie in a range, where it is given.
pub(crate) fn within<T: Copy + Display + PartialOrd>(
    name: &str,
    asked: Option<T>,
    range: RangeInclusive<T>,
) -> Result<Option<T>, Refusal> {
    match asked {
        Some(number) if !range.contains(&number) => Err(Refusal::malformed(
            format!("{number} cannot be the {name}"),
            format!(
                "give a number from {} to {} as `{name}`",
                range.start(),
                range.end()
            ),
        )),
        asked => Ok(asked),
    }
}

/// What stands in the path.
pub(crate) struct Named<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(named)| Self(named)).map_err(|_| {
            Refusal::missing(
                format!("there is nothing at {}", parts.uri.path()),
                "ids in the path are numbers",
            )
        })
    }
}

/// The body, as JSON. It must say that it is JSON, which no form of another site can.
pub(crate) struct Given<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Given<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let body = Json::<T>::from_request(request, state).await;
        body.map(|Json(given)| Self(given)).map_err(|error| {
            let remedy = match error.status() {
                StatusCode::PAYLOAD_TOO_LARGE => format!("send {LONGEST_BODY} bytes at most"),
                _ => "send JSON as /api/openapi.json says, with content-type application/json".to_owned(),
            };
            let mut refusal = Refusal::malformed(error.body_text(), remedy);
            refusal.status = error.status();
            refusal
        })
    }
}
