//! Who may ask: the checks that stand before every endpoint, and the headers that every answer has.
//!
//! - **Host**: a page of another site can make a browser resolve its own name to this machine (DNS
//!   rebinding). So only names that are ours are answered: loopback names, addresses written as
//!   numbers, and the name that `--host` gave.
//! - **Origin**: a request that a page made must come from our own page.
//! - **Token**: outside of loopback every request of the API carries a token, as a cookie or as
//!   `Authorization: Bearer`. Tokens are compared in constant time and never written anywhere.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;
use crate::serve::Served;

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 24;

/// The only path of the API that is answered without a token: it takes one.
const SESSION: &str = "/api/session";

/// Everything a page may do is said here; what is not said is forbidden.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// What is checked.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The host that was asked for, as it may stand in a link.
    pub(crate) host: String,
    /// The port, for the cookie's name: cookies do not tell ports apart.
    pub(crate) port: u16,
    /// What every request must carry.
    pub(crate) token: Option<Token>,
}

/// A secret that is neither shown nor written.
#[derive(Clone)]
pub(crate) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token somebody chose.
    pub(crate) fn chosen(text: String) -> Self {
        Self(text)
    }

    /// A token nobody can guess.
    pub(crate) fn generated() -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// For the one link that is printed.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it is this one, in a time that does not depend on where they differ.
    pub(crate) fn is(&self, offered: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), offered.as_bytes());
        let differing = ours
            .iter()
            .zip(theirs)
            .fold(0, |differing, (a, b)| differing | (a ^ b));
        ours.len() == theirs.len() && differing == 0
    }
}

impl Guard {
    /// The cookie that carries the token.
    pub(crate) fn cookie(&self) -> String {
        format!("townsfolk_{}", self.port)
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        let host =
            text(headers, &header::HOST).or_else(|| request.uri().authority().map(|host| host.as_str()));
        let host = host.filter(|host| self.is_ours(host)).ok_or_else(|| {
            let remedy = format!("open it as http://{}:{}/", self.host, self.port);
            Refusal::new(
                StatusCode::FORBIDDEN,
                "this server does not go by that name",
                remedy,
            )
        })?;
        if let Some(origin) = headers.get(header::ORIGIN) {
            let own = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            if own.is_none_or(|(_, from)| from != host) {
                return Err(foreign());
            }
        }
        let path = request.uri().path();
        let is_api = path.starts_with("/api");
        if is_api && text(headers, &HeaderName::from_static("sec-fetch-site")) == Some("cross-site") {
            return Err(foreign());
        }
        match &self.token {
            Some(token) if is_api && path != SESSION && !self.carries(headers, token) => {
                let remedy = "open the link that the terminal shows, which ends in the token";
                Err(Refusal::new(
                    StatusCode::UNAUTHORIZED,
                    "this needs the token",
                    remedy,
                ))
            }
            _ => Ok(()),
        }
    }

    /// Whether a `Host` header names this server.
    fn is_ours(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.rsplit_once(':').map_or(host, |(name, _)| name),
        };
        let loopback = name.eq_ignore_ascii_case("localhost");
        loopback || name.eq_ignore_ascii_case(&self.host) || name.parse::<IpAddr>().is_ok()
    }

    fn carries(&self, headers: &HeaderMap, token: &Token) -> bool {
        let bearer = text(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        if let Some(offered) = bearer {
            return token.is(offered);
        }
        let name = self.cookie();
        let cookies = text(headers, &header::COOKIE).unwrap_or_default().split(';');
        let mut pairs = cookies.filter_map(|cookie| cookie.trim().split_once('='));
        pairs.any(|(key, value)| key == name && token.is(value))
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn foreign() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "a page of another site asked for this",
        "use the page that this server serves",
    )
}

/// Checks a request and dresses the answer.
pub(crate) async fn guard(State(served): State<Served>, request: Request, next: Next) -> Response {
    let mut response = match served.guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
