//! What a provider says when it does not answer, and which [`Fault`] that is.
//!
//! Providers agree neither on the shape of an error nor on its status: a wrong key comes as 400, an
//! empty account as 429, a rate limit as a body inside status 200. So the words decide first, then
//! the status.

use std::time::Duration;

use serde_json::Value;

use crate::Fault;

/// What an error body says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// Its codes and types, joined.
    pub(crate) code: String,
    /// Its message for people.
    pub(crate) message: String,
    /// The parameter it complains of.
    pub(crate) parameter: String,
}

impl Said {
    /// Just a text.
    pub(crate) fn text(text: &str) -> Said {
        Said {
            message: text.trim().to_owned(),
            ..Said::default()
        }
    }

    /// Reads the error out of a body, whichever of the known shapes it has:
    /// `{"error": {…}}` (OpenAI and most others, Anthropic), `{"error": "…"}` (Ollama), `[{"error":
    /// {…}}]` (Gemini), `{"error_code": 17, "error_msg": "…"}` (Baidu, inside status 200),
    /// `{"code": "…", "message": "…"}` (DashScope, vLLM), `{"detail": "…"}` (FastAPI servers).
    pub(crate) fn find(body: &Value) -> Option<Said> {
        let body = match body {
            Value::Array(items) => items.first()?,
            other => other,
        };
        let inner = match &body["error"] {
            Value::String(text) => {
                let code = word(&body["code"]);
                return Some(Said {
                    code,
                    ..Said::text(text)
                });
            }
            Value::Object(_) => &body["error"],
            _ if body["choices"].is_array() || body["content"].is_array() || body["data"].is_array() => {
                return None;
            }
            _ => body,
        };
        let first = |names: &[&str]| {
            let found = names
                .iter()
                .map(|name| word(&inner[*name]))
                .find(|w| !w.is_empty());
            found.unwrap_or_default()
        };
        let codes = [
            &inner["code"],
            &inner["type"],
            &inner["status"],
            &inner["error_code"],
        ];
        let codes: Vec<String> = codes.into_iter().map(word).filter(|w| !w.is_empty()).collect();
        let message = first(&["message", "error_msg", "msg", "detail"]);
        if message.is_empty() && !body["error"].is_object() {
            return None;
        }
        Some(Said {
            code: codes.join(" "),
            message,
            parameter: word(&inner["param"]),
        })
    }

    /// Code and message, for people.
    pub(crate) fn line(&self) -> String {
        match (self.message.is_empty(), self.code.is_empty()) {
            (true, true) => "no reason given".to_owned(),
            (true, false) => self.code.clone(),
            (false, true) => self.message.clone(),
            (false, false) => format!("{} ({})", self.message, self.code),
        }
    }

    /// Whether it complains of this parameter.
    pub(crate) fn names(&self, parameter: &str) -> bool {
        self.parameter.starts_with(parameter) || self.message.contains(parameter)
    }

    /// How long the message asks to wait: `try again in 1m2.5s`, `retry in 340ms`.
    pub(crate) fn wait(&self) -> Option<Duration> {
        let small = self.message.to_lowercase();
        let rest = ["try again in ", "retry in ", "retry after "]
            .iter()
            .find_map(|words| small.split_once(words).map(|(_, rest)| rest))?;
        let mut seconds = 0.0;
        let mut rest = rest;
        while let Some(end) = rest.find(|c: char| !c.is_ascii_digit() && c != '.') {
            let Ok(number) = rest[..end].trim_end_matches('.').parse::<f64>() else {
                break;
            };
            let unit = rest[end..].trim_start();
            let units = [("ms", 0.001), ("m", 60.0), ("s", 1.0), ("h", 3600.0)];
            let (name, factor) = units.iter().find(|(name, _)| unit.starts_with(name))?;
            seconds += number * factor;
            rest = &unit[name.len()..];
        }
        (seconds > 0.0)
            .then(|| Duration::try_from_secs_f64(seconds).ok())
            .flatten()
    }
}

/// A string or a number as text; nothing else.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Words that tell a fault whatever the status, in the order they are looked for: what is permanent
/// first. They are parts of the providers' own messages and codes, in small letters.
const SIGNS: &[(Fault, &[&str])] = &[
    (
        Fault::Key,
        &[
            "invalid_api_key",
            "invalid api key",
            "incorrect api key",
            "api key not valid",
            "api_key_invalid",
            "invalidapikey",
            "authentication_error",
            "authentication fails",
            "invalid authentication",
            "invalid_authentication",
            "invalid_iam_token",
            "access token invalid",
            "invalid x-api-key",
            "no auth credentials",
            "unauthorized",
        ],
    ),
    (
        Fault::Quota,
        &[
            "insufficient_quota",
            "insufficient balance",
            "insufficient_balance",
            "insufficient credits",
            "insufficient_user_quota",
            "credit balance is too low",
            "billing_error",
            "billing hard limit",
            "exceeded_current_quota",
            "exceeded your current quota",
            "arrearage",
            "overdue-payment",
            "overdue payment",
            "daily request limit",
            "payment required",
        ],
    ),
    (
        Fault::TooLong,
        &[
            "context_length_exceeded",
            "maximum context length",
            "context length",
            "context window",
            "context size",
            "exceed_context_size",
            "prompt is too long",
            "prompt too long",
            "input is too long",
            "input length",
            "too many tokens",
            "reduce the length",
            "request_too_large",
            "request too large",
        ],
    ),
    (
        Fault::NoSuchModel,
        &[
            "model_not_found",
            "model not found",
            "model_not_exist",
            "model not exist",
            "model_decommissioned",
            "has been decommissioned",
            "not a valid model",
            "invalid_model",
            "invalid model",
            "unknown model",
            "no such model",
            "unsupported_model",
            "no endpoints found for",
        ],
    ),
    (
        Fault::Declined,
        &[
            "content_filter",
            "content filter",
            "content_policy",
            "content management policy",
            "data_inspection_failed",
            "datainspectionfailed",
            "inappropriate content",
            "high risk",
            "safety system",
            "flagged",
            "sensitive content",
        ],
    ),
    (
        Fault::Busy,
        &[
            "rate_limit",
            "rate limit",
            "ratelimit",
            "too many requests",
            "overloaded",
            "qps",
            "resource_exhausted",
            "engine_overloaded",
            "throttl",
        ],
    ),
];

/// Which fault it is.
pub(crate) fn fault_of(status: u16, said: &Said, retry_after: Option<Duration>) -> Fault {
    let words = format!("{} {}", said.code, said.message).to_lowercase();
    let mut fault = SIGNS
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| words.contains(sign)));
    // Gemini says "exceeded your current quota" of a limit by the minute too, and how long to wait.
    let passing = status == 429 && retry_after.is_some() && !words.contains("insufficient");
    if passing {
        fault = None;
    }
    if let Some((fault, _)) = fault {
        return *fault;
    }
    let of_model = words.contains("model")
        && ["not found", "not exist", "not_found"]
            .iter()
            .any(|s| words.contains(s));
    match status {
        400..=499 if of_model => Fault::NoSuchModel,
        401 | 403 => Fault::Key,
        402 => Fault::Quota,
        408 | 504 => Fault::Timeout,
        413 => Fault::TooLong,
        425 | 429 | 529 => Fault::Busy,
        300..=499 => Fault::Request,
        _ => Fault::Server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn providers_say_the_same_thing_in_many_ways() {
        let said = |status, body: Value| {
            let said = Said::find(&body).unwrap_or_else(|| panic!("{body} says something"));
            fault_of(status, &said, said.wait())
        };
        let cases = [
            (
                401,
                json!({"error": {"message": "Incorrect API key provided: sk-a***z"}}),
                Fault::Key,
            ),
            (
                400,
                json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}]),
                Fault::Key,
            ),
            (
                200,
                json!({"error_code": 110, "error_msg": "Access token invalid or no longer valid"}),
                Fault::Key,
            ),
            (
                200,
                json!({"error_code": 17, "error_msg": "Open api daily request limit reached"}),
                Fault::Quota,
            ),
            (
                200,
                json!({"error_code": 18, "error_msg": "Open api qps request limit reached"}),
                Fault::Busy,
            ),
            (
                429,
                json!({"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}),
                Fault::Quota,
            ),
            (
                429,
                json!([{"error": {"status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota. Please retry in 34.07s."}}]),
                Fault::Busy,
            ),
            (
                402,
                json!({"error": {"message": "Insufficient Balance"}}),
                Fault::Quota,
            ),
            (
                400,
                json!({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}),
                Fault::Quota,
            ),
            (
                400,
                json!({"code": "Arrearage", "message": "Access denied, account overdue"}),
                Fault::Quota,
            ),
            (
                404,
                json!({"error": "model 'qwen9' not found, try pulling it first"}),
                Fault::NoSuchModel,
            ),
            (
                400,
                json!({"error": {"message": "Model Not Exist"}}),
                Fault::NoSuchModel,
            ),
            (
                404,
                json!({"type": "error", "error": {"type": "not_found_error", "message": "model: claude-0"}}),
                Fault::NoSuchModel,
            ),
            (
                404,
                json!({"object": "error", "message": "The model `x` does not exist.", "code": 404}),
                Fault::NoSuchModel,
            ),
            (
                400,
                json!({"error": {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}}),
                Fault::TooLong,
            ),
            (
                400,
                json!({"error": {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}}),
                Fault::Declined,
            ),
            (
                529,
                json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
                Fault::Busy,
            ),
            (500, json!({"error": {"message": "boom"}}), Fault::Server),
            (422, json!({"detail": "field required"}), Fault::Request),
        ];
        for (status, body, fault) in cases {
            assert_eq!(said(status, body.clone()), fault, "{status} {body}");
        }
    }

    #[test]
    fn a_reply_is_no_error() {
        assert_eq!(Said::find(&json!({"choices": [], "error": null})), None);
        assert_eq!(
            Said::find(&json!({"content": [{"type": "text"}], "type": "message"})),
            None
        );
        assert_eq!(Said::find(&json!({"hello": 1})), None);
        assert_eq!(Said::find(&json!("ERROR")), None);
    }

    #[test]
    fn waits_are_read_out_of_messages() {
        let wait = |text: &str| Said::text(text).wait().map(|wait| wait.as_millis());
        assert_eq!(wait("Please try again in 1m2.5s."), Some(62_500));
        assert_eq!(wait("Please try again in 340ms. Visit"), Some(340));
        assert_eq!(wait("Please retry in 34.07s."), Some(34_070));
        assert_eq!(wait("try again in a while"), None);
        assert_eq!(wait("try again in 99999999999999999999999999999s"), None);
    }
}
