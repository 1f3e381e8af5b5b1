//! How each endpoint may refuse, for the description: it follows from what an endpoint takes, so it stands here once
//! and not beside each of them.

use axum::http::StatusCode;
use utoipa::ToSchema as _;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder};

use crate::refusal::Problem;

/// Describes with each operation the statuses with which it may be refused.
pub(super) fn describe(description: &mut OpenApi) {
    for (path, item) in &mut description.paths.paths {
        for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
            for status in statuses(path, operation) {
                let problem = Ref::from_schema_name(Problem::name());
                let content = ContentBuilder::new().schema(Some(problem)).build();
                let response = ResponseBuilder::new()
                    .description(meaning(status))
                    .content("application/json", content);
                let responses = &mut operation.responses.responses;
                responses.insert(status.as_str().to_owned(), response.build().into());
            }
        }
    }
}

/// The statuses with which an operation may be refused.
fn statuses(path: &str, operation: &Operation) -> Vec<StatusCode> {
    let parameters = operation.parameters.iter().flatten();
    let parameters: Vec<_> = parameters
        .filter_map(|parameter| match parameter {
            RefOr::T(parameter) => Some((&parameter.parameter_in, parameter.name.as_str())),
            RefOr::Ref(_) => None,
        })
        .collect();
    let takes = |wanted: ParameterIn| parameters.iter().any(|(place, _)| **place == wanted);
    let named = |name: &str| parameters.contains(&(&ParameterIn::Query, name));
    let mut statuses = vec![
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    if takes(ParameterIn::Query) {
        statuses.extend([StatusCode::BAD_REQUEST, StatusCode::CONFLICT]);
    }
    if takes(ParameterIn::Path) || named("resident") {
        statuses.push(StatusCode::NOT_FOUND);
    }
    if named("tick") {
        statuses.push(StatusCode::RANGE_NOT_SATISFIABLE);
    }
    if operation.request_body.is_some() {
        statuses.extend([
            StatusCode::BAD_REQUEST,
            StatusCode::PAYLOAD_TOO_LARGE,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            StatusCode::UNPROCESSABLE_ENTITY,
        ]);
    }
    // What cannot be seen from outside.
    statuses.extend_from_slice(match path {
        "/api/frames" => &[StatusCode::RANGE_NOT_SATISFIABLE],
        "/api/residents/{id}/retrieval" => &[StatusCode::BAD_GATEWAY],
        "/api/inputs" => &[StatusCode::CONFLICT],
        "/api/control" => &[StatusCode::CONFLICT, StatusCode::RANGE_NOT_SATISFIABLE],
        "/api/interview" => &[
            StatusCode::NOT_FOUND,
            StatusCode::CONFLICT,
            StatusCode::RANGE_NOT_SATISFIABLE,
            StatusCode::BAD_GATEWAY,
        ],
        _ => &[],
    });
    statuses
}

/// What a status means here.
fn meaning(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "The request cannot be read",
        StatusCode::UNAUTHORIZED => "The token is missing, or is another",
        StatusCode::FORBIDDEN => "Asked for under a foreign name, or by another site's page",
        StatusCode::NOT_FOUND => "There is no such thing",
        StatusCode::CONFLICT => {
            "Not now: nothing has happened yet, or the run cannot be steered as it stands"
        }
        StatusCode::PAYLOAD_TOO_LARGE => "The body is too long",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The body does not say that it is JSON",
        StatusCode::RANGE_NOT_SATISFIABLE => "The run does not have that tick",
        StatusCode::UNPROCESSABLE_ENTITY => {
            "The body is JSON of another form, or the town refuses what it says"
        }
        StatusCode::BAD_GATEWAY => "A model or embedder elsewhere failed",
        StatusCode::SERVICE_UNAVAILABLE => "The server is closing",
        _ => "The run cannot be read",
    }
}
