//! The connection of a role: its address, key, headers and limits, out of what was configured, the
//! preset and the environment.
//!
//! Everything that can be wrong with them is an error that names the key of `models.toml` or the
//! environment variable, and never shows a value that may be a secret.

use std::num::NonZeroU32;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::Protocol;
use crate::config::{ConfigError, RoleConfig};
use crate::http::{Http, sensitive};
use crate::models::Env;
use crate::preset::{KeyNeed, defaults};
use crate::secret::Secrets;
use crate::site::Site;
use crate::steady::Limits;

/// What keeps its calls steady.
pub(crate) fn limits(said: &RoleConfig) -> Limits {
    let (preset, defaults) = (said.model.preset(), defaults());
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let timeout = said
        .timeout_seconds
        .or(preset.timeout_seconds)
        .unwrap_or(defaults.timeout_seconds);
    Limits {
        timeout: seconds(timeout),
        concurrency: said
            .concurrency
            .or(preset.concurrency)
            .unwrap_or(defaults.concurrency),
        requests_per_minute: said.requests_per_minute.and_then(NonZeroU32::new),
        tokens_per_minute: said.tokens_per_minute.and_then(NonZeroU32::new),
        retries: said.retries.or(preset.retries).unwrap_or(defaults.retries),
        first_wait: seconds(said.retry_wait_seconds.unwrap_or(defaults.retry_wait_seconds)),
        longest_wait: seconds(defaults.longest_retry_wait_seconds),
        longest_retry_after: seconds(defaults.longest_retry_after_seconds),
        failures_until_down: defaults.failures_until_down,
    }
}

/// The client of a role: its address, its key and its headers.
pub(crate) fn http(said: &RoleConfig, key: &str, env: Env<'_>) -> Result<Http, ConfigError> {
    let preset = said.model.preset();
    let base_url = base_url(said, key)?;
    let (key_variable, secret) = find_key(said, key, env)?;
    let mut headers = HeaderMap::new();
    let mut secrets: Vec<String> = secret.iter().cloned().collect();
    if let Some(secret) = &secret {
        let (name, value) = match preset.protocol {
            Protocol::Anthropic => ("x-api-key", sensitive(secret)),
            _ => ("authorization", sensitive(&format!("Bearer {secret}"))),
        };
        // `find_key` lets nothing through that a header cannot hold.
        headers.insert(
            HeaderName::from_static(name),
            value.expect("a checked key fits a header"),
        );
    }
    for (name, value) in &preset.headers {
        insert_header(&mut headers, name, value, key)?;
    }
    for (name, value) in &said.headers {
        let path = format!("{key}.headers.{name}");
        match value.strip_prefix('$') {
            Some(variable) => {
                let Some(found) = env(variable).map(|value| value.trim().to_owned()) else {
                    let problem = format!("the environment variable {variable} is not set");
                    return Err(ConfigError::of(path, problem, format!("set {variable}")));
                };
                insert_header(&mut headers, name, &found, key)?;
                headers
                    .iter_mut()
                    .for_each(|(_, value)| value.set_sensitive(true));
                secrets.push(found);
            }
            None if looks_secret(name) => {
                let remedy = "put it into an environment variable and write its name with a `$` before it";
                return Err(ConfigError::of(
                    path,
                    "a secret does not belong in a file",
                    remedy,
                ));
            }
            None => insert_header(&mut headers, name, value, key)?,
        }
    }
    let site = Site {
        name: said.model.to_string(),
        model: said.model.name().to_owned(),
        title: preset.title.clone(),
        base_url,
        key_variable,
        start_hint: preset.start_hint.clone(),
        model_hint: preset.model_hint.clone(),
        secrets: Secrets::new(secrets),
    };
    Http::new(site, headers)
        .map_err(|problem| ConfigError::of(key, problem, "check the system's certificates"))
}

fn insert_header(headers: &mut HeaderMap, name: &str, value: &str, key: &str) -> Result<(), ConfigError> {
    let pair = HeaderName::from_bytes(name.as_bytes())
        .ok()
        .zip(HeaderValue::from_str(value).ok());
    let Some((header, mut value)) = pair else {
        let remedy = "names and values are printable ASCII, without line breaks";
        return Err(ConfigError::of(
            format!("{key}.headers.{name}"),
            "is no header",
            remedy,
        ));
    };
    value.set_sensitive(looks_secret(name));
    headers.insert(header, value);
    Ok(())
}

/// Whether a header of that name is likely to hold a secret.
fn looks_secret(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    ["authorization", "key", "token", "secret", "cookie", "password"]
        .iter()
        .any(|word| small.contains(word))
}

fn base_url(said: &RoleConfig, key: &str) -> Result<String, ConfigError> {
    let preset = said.model.preset();
    let path = format!("{key}.base_url");
    let Some(text) = said.base_url.as_ref().or(preset.base_url.as_ref()) else {
        let remedy = "say where its API begins, such as `base_url = \"http://127.0.0.1:8080/v1\"`";
        return Err(ConfigError::of(path, "is missing", remedy));
    };
    let Ok(url) = reqwest::Url::parse(text.trim()) else {
        return Err(ConfigError::of(
            path,
            "is no address",
            "write it like `https://api.example.com/v1`",
        ));
    };
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(ConfigError::of(
            path,
            "is no web address",
            "it begins with `https://` or `http://`",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let remedy = "put the key into an environment variable and name it as `key_variable`";
        return Err(ConfigError::of(path, "holds a user name or a password", remedy));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(ConfigError::of(
            path,
            "has something after its path",
            "end it before `?` and `#`",
        ));
    }
    let mut text = url.as_str().trim_end_matches('/');
    // People copy the whole address out of examples.
    for ending in ["/chat/completions", "/embeddings", "/messages"] {
        text = text.strip_suffix(ending).unwrap_or(text);
    }
    Ok(text.to_owned())
}

/// The variable a key comes from, and the key.
fn find_key(
    said: &RoleConfig,
    key: &str,
    env: Env<'_>,
) -> Result<(Option<String>, Option<String>), ConfigError> {
    let preset = said.model.preset();
    let named = said.key_variable.as_deref().map(str::trim);
    if named == Some("") {
        return Ok((None, None));
    }
    let variables: Vec<&str> = match named {
        Some(variable) => vec![variable],
        None => preset.key_variables.iter().map(String::as_str).collect(),
    };
    if let Some(variable) = named
        && !variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        // Somebody wrote the key itself; it must not be repeated.
        let remedy =
            "write the name of the environment variable that holds the key, such as `OPENAI_API_KEY`";
        return Err(ConfigError::of(
            format!("{key}.key_variable"),
            "is no name of a variable",
            remedy,
        ));
    }
    let found = variables.iter().find_map(|variable| {
        let value = env(variable)?.trim().to_owned();
        (!value.is_empty()).then_some((*variable, value))
    });
    if let Some((variable, value)) = found {
        if value.chars().any(|c| !c.is_ascii_graphic()) || value.starts_with(['"', '\'']) {
            let problem = format!("the environment variable {variable} holds no key");
            let remedy = "a key is one word without quotes, spaces or line breaks";
            return Err(ConfigError::of(key, problem, remedy));
        }
        return Ok((Some(variable.to_owned()), Some(value)));
    }
    if named.is_some() || preset.key == KeyNeed::Required {
        let problem = format!("the key of {} is missing", preset.title);
        let remedy = format!("set the environment variable {}", variables.join(" or "));
        return Err(ConfigError::of(key, problem, remedy));
    }
    Ok((variables.first().map(|variable| (*variable).to_owned()), None))
}
