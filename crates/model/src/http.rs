//! One request over HTTP: what goes out, and what came back, read up to a limit.
//!
//! Calls run on a small runtime of their own ([`runtime`]), so that the futures of this crate can
//! be awaited by any executor.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::faults::{Said, fault_of};
use crate::site::Site;
use crate::wire::NoReply;
use crate::{Fault, ModelError, Usage};

/// No answer of a model is as long as this; the vectors of a batch of texts come near.
const BODY_LIMIT_BYTES: usize = 16 << 20;

/// How long to wait for a connection. An answer may take much longer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The runtime that calls run on. It is made at the first use and lives as long as the process.
pub(crate) fn runtime() -> Result<&'static Runtime, String> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("townsfolk-models")
            .enable_all()
            .build()
            .map_err(|error| format!("no threads can be started for calls to models: {error}"))
    });
    made.as_ref().map_err(Clone::clone)
}

/// What came back.
pub(crate) struct Answer {
    status: u16,
    retry_after: Option<Duration>,
    is_stream: bool,
    text: String,
}

/// An error answer, and what it said: some of them can be mended by asking otherwise.
pub(crate) struct Refusal {
    pub(crate) error: ModelError,
    pub(crate) said: Said,
    /// What it took all the same.
    pub(crate) usage: Usage,
}

impl From<ModelError> for Box<Refusal> {
    fn from(error: ModelError) -> Box<Refusal> {
        Box::new(Refusal {
            error,
            said: Said::default(),
            usage: Usage::default(),
        })
    }
}

/// A client for one site.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: reqwest::Client,
    headers: HeaderMap,
    pub(crate) site: Site,
}

impl Http {
    /// A client that sends these headers with every request.
    pub(crate) fn new(site: Site, headers: HeaderMap) -> Result<Http, String> {
        let mut builder = reqwest::Client::builder();
        if is_this_machine(&site.base_url) {
            // A proxy for the world outside has no business with a server next door.
            builder = builder.no_proxy();
        }
        let client = builder
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirected request would carry its key to where nobody said it should go.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("townsfolk/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("no HTTP client: {}", chain(&error)))?;
        Ok(Http {
            client,
            headers,
            site,
        })
    }

    /// Sends a body and reads what comes back.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Answer, ModelError> {
        let url = format!("{}{path}", self.site.base_url);
        let request = self.client.post(url).headers(self.headers.clone()).json(body);
        let mut response = request.send().await.map_err(|error| self.broken(&error))?;
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers());
        let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let mut is_stream = kind.starts_with("text/event-stream");
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(&error))? {
            if bytes.len() + chunk.len() > BODY_LIMIT_BYTES {
                let detail = format!("the answer is longer than {} MiB", BODY_LIMIT_BYTES >> 20);
                return Err(self.site.error(Fault::Unreadable, Some(status), &detail));
            }
            bytes.extend_from_slice(&chunk);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        is_stream |= text.starts_with("data:") || text.starts_with("event:");
        Ok(Answer {
            status,
            retry_after,
            is_stream,
            text,
        })
    }

    /// Reads a reply out of an answer: as JSON by `read`, as a stream of events by `read_stream`.
    pub(crate) fn reply<T>(
        &self,
        answer: &Answer,
        read: impl FnOnce(&Value) -> Result<T, NoReply>,
        read_stream: impl FnOnce(&str) -> Result<T, NoReply>,
    ) -> Result<T, Box<Refusal>> {
        let body = serde_json::from_str::<Value>(&answer.text);
        if !(200..300).contains(&answer.status) {
            let said = body.ok().as_ref().and_then(Said::find);
            return Err(self.refusal(answer, said.unwrap_or_else(|| plain(&answer.text))));
        }
        let read = match body {
            Err(_) if answer.is_stream => read_stream(&answer.text),
            Ok(body) => match Said::find(&body) {
                Some(said) => return Err(self.refusal(answer, said)),
                None => read(&body),
            },
            Err(error) => {
                let said = plain(&answer.text);
                let fault = fault_of(answer.status, &said, None);
                let says_error = said.message.to_lowercase().starts_with("error");
                if says_error || fault != Fault::Server {
                    return Err(self.refusal(answer, said));
                }
                Err(NoReply::unreadable(format!(
                    "the answer is no JSON ({error}): {}",
                    said.message
                )))
            }
        };
        read.map_err(|no_reply| {
            Box::new(Refusal {
                error: self
                    .site
                    .error(no_reply.fault, Some(answer.status), &no_reply.detail),
                said: Said::default(),
                usage: no_reply.usage,
            })
        })
    }

    fn refusal(&self, answer: &Answer, said: Said) -> Box<Refusal> {
        let retry_after = answer.retry_after.or_else(|| said.wait());
        let fault = fault_of(answer.status, &said, retry_after);
        let mut error = self.site.error(fault, Some(answer.status), &said.line());
        error.retry_after = retry_after;
        Box::new(Refusal {
            error,
            said,
            usage: Usage::default(),
        })
    }

    fn broken(&self, error: &reqwest::Error) -> ModelError {
        let fault = if error.is_timeout() {
            Fault::Timeout
        } else if error.is_builder() {
            Fault::Request
        } else if error.is_connect() {
            Fault::Network
        } else {
            Fault::Broken
        };
        self.site
            .error(fault, error.status().map(|status| status.as_u16()), &chain(error))
    }
}

/// Whether an address is on this machine.
fn is_this_machine(base_url: &str) -> bool {
    let host = reqwest::Url::parse(base_url).ok();
    let host = host.and_then(|url| {
        url.host_str()
            .map(|host| host.trim_matches(['[', ']']).to_owned())
    });
    host.is_some_and(|host| {
        host == "localhost"
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    })
}

/// What a body without JSON says: its text, or the title of the page it is.
fn plain(text: &str) -> Said {
    let small = text.to_ascii_lowercase();
    if !small.trim_start().starts_with('<') {
        return Said::text(text);
    }
    // Small letters of ASCII are as long as large ones, so places in one are places in the other.
    let title = small.find("<title>").map(|at| at + "<title>".len());
    let title = title.and_then(|at| Some(text[at..at + small[at..].find("</title>")?].trim()));
    Said::text(&format!(
        "a web page came back: {}",
        title.unwrap_or("without a title")
    ))
}

/// An error and what caused it, without the address: it may hold what is nobody's business.
fn chain(error: &reqwest::Error) -> String {
    let mut line = match error {
        error if error.is_connect() => "no connection".to_owned(),
        error if error.is_timeout() => "no answer in time".to_owned(),
        error if error.is_body() || error.is_decode() => "the answer broke off".to_owned(),
        error if error.is_builder() => "the request cannot be built".to_owned(),
        _ => "the connection broke".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    let mut last = String::new();
    while let Some(error) = cause {
        last = error.to_string();
        cause = error.source();
    }
    if !last.is_empty() {
        line = format!("{line} ({last})");
    }
    line
}

/// How long an answer asks to wait: seconds, milliseconds, or until a date, taken from the date of
/// the answer itself.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    };
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let value = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = jiff::fmt::rfc2822::parse(value).ok()?;
    let sent = jiff::fmt::rfc2822::parse(text("date")?).ok()?;
    let seconds = until.timestamp().as_second() - sent.timestamp().as_second();
    u64::try_from(seconds).ok().map(Duration::from_secs)
}

/// A header value that prints as nothing.
pub(crate) fn sensitive(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&'static str, &str)]) -> Option<Duration> {
        let headers = pairs.iter().filter_map(|(name, value)| {
            Some((
                reqwest::header::HeaderName::from_static(name),
                HeaderValue::from_str(value).ok()?,
            ))
        });
        retry_after(&headers.collect())
    }

    #[test]
    fn a_wait_is_asked_for_in_seconds_milliseconds_or_as_a_date() {
        assert_eq!(asked(&[("retry-after", "2")]), Some(Duration::from_secs(2)));
        assert_eq!(
            asked(&[("retry-after", "0.25")]),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            asked(&[("retry-after-ms", "80"), ("retry-after", "1")]),
            Some(Duration::from_millis(80))
        );
        let dates = [
            ("retry-after", "Wed, 21 Oct 2026 07:28:30 GMT"),
            ("date", "Wed, 21 Oct 2026 07:28:00 GMT"),
        ];
        assert_eq!(asked(&dates), Some(Duration::from_secs(30)));
        assert_eq!(asked(&dates[..1]), None);
        assert_eq!(asked(&[("retry-after", "-4")]), None);
        assert_eq!(asked(&[("retry-after", "soon")]), None);
    }

    #[test]
    fn this_machine_is_told_from_others() {
        for (url, here) in [
            ("http://127.0.0.1:11434/v1", true),
            ("http://localhost/v1", true),
            ("http://[::1]:8080/v1", true),
            ("http://10.0.0.5/v1", false),
            ("https://localhost.example.com", false),
        ] {
            assert_eq!(is_this_machine(url), here, "{url}");
        }
    }

    #[test]
    fn a_web_page_is_named_by_its_title() {
        assert_eq!(
            plain("<html><TITLE> 502 Bad Gateway </title>").message,
            "a web page came back: 502 Bad Gateway"
        );
        assert_eq!(
            plain("<p>ß<title>").message,
            "a web page came back: without a title"
        );
    }
}
