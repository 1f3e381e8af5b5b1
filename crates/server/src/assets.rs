//! The page: the built files of `web/`, compiled in, so that a binary is all one needs.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Built;

/// The page itself.
const INDEX: &str = "index.html";

/// Answers everything outside of the API.
pub(crate) async fn asset(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { INDEX } else { path };
    match Built::get(path) {
        Some(file) if !path.starts_with("api/") => reply(path, &file, &headers),
        _ => nothing(path).into_response(),
    }
}

fn nothing(path: &str) -> Refusal {
    if path == INDEX {
        return Refusal::missing(
            "this program was built without its page",
            "build web/ (npm ci && npm run build) and build again; the API is at /api/openapi.json",
        );
    }
    Refusal::missing(
        format!("there is nothing at /{path}"),
        "the page is at /, the API at /api/openapi.json",
    )
}

fn reply(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    if unchanged(headers, &tag) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, kind(path).to_owned()),
        // Names stay the same from build to build: whoever has a file asks whether it is still the one.
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    (headers, file.data.clone().into_owned()).into_response()
}

/// Whether the browser has it already.
pub(crate) fn unchanged(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag))
}

/// The media type of a file by its ending. Nothing is ever guessed from content.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}
