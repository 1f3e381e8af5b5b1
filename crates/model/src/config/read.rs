//! Reading `models.toml`, with errors that name the place.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigError, ModelsConfig, PriceConfig, RoleConfig};
use crate::ModelSpec;
use crate::spec::nearest;

const ROLES: [&str; 4] = ["thinking", "talking", "rating", "embedding"];

const KEYS: [&str; 15] = [
    "model",
    "base_url",
    "key_variable",
    "headers",
    "window_tokens",
    "max_output_tokens",
    "temperature",
    "structured",
    "timeout_seconds",
    "concurrency",
    "requests_per_minute",
    "tokens_per_minute",
    "retries",
    "retry_wait_seconds",
    "price_usd_per_million",
];

const PRICE_KEYS: [&str; 3] = ["input", "cached", "output"];

type Table<'i> = DeTable<'i>;

/// A value with its key path.
struct Found<'a, 'i> {
    reader: &'a Reader<'a>,
    path: String,
    value: &'a Spanned<DeValue<'i>>,
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

pub(super) fn read(text: &str, file: &str) -> Result<ModelsConfig, ConfigError> {
    let reader = Reader { text, file };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.error(at, "", error.message(), "the file has to be valid TOML")
    })?;
    let table = table.get_ref();
    reader.check_keys(table, "", &ROLES)?;
    Ok(ModelsConfig {
        thinking: reader.role(table, "thinking")?,
        talking: reader.role(table, "talking")?,
        rating: reader.role(table, "rating")?,
        embedding: reader.role(table, "embedding")?,
    })
}

impl Reader<'_> {
    fn error(&self, at: usize, key: &str, problem: &str, remedy: &str) -> ConfigError {
        let before = self.text.get(..at).unwrap_or(self.text);
        ConfigError {
            file: Some(self.file.to_owned()),
            line: Some(before.matches('\n').count() + 1),
            key: key.to_owned(),
            problem: problem.to_owned(),
            remedy: remedy.to_owned(),
        }
    }

    /// Refuses keys that are not known, the first in the file first.
    fn check_keys(&self, table: &Table<'_>, path: &str, known: &[&str]) -> Result<(), ConfigError> {
        let strange = table
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(strange) = strange.min_by_key(|key| key.span().start) else {
            return Ok(());
        };
        let name = strange.get_ref();
        let remedy = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if ["key", "api_key", "apikey", "token"].contains(&name.to_lowercase().as_str()) => {
                "a key does not belong in a file: name the environment variable that holds it as `key_variable`"
                    .to_owned()
            }
            None => format!("there are {}", known.join(", ")),
        };
        Err(self.error(
            strange.span().start,
            &join(path, name),
            "there is no such key",
            &remedy,
        ))
    }

    fn role(&self, table: &Table<'_>, name: &str) -> Result<Option<RoleConfig>, ConfigError> {
        let Some(role) = self.get(table, "", name) else {
            return Ok(None);
        };
        let table = role.table("write `[thinking]` and below it `model = \"ollama:qwen3:4b\"`")?;
        self.check_keys(table, name, &KEYS)?;
        let Some(model) = self.get(table, name, "model") else {
            return Err(role.error("names no model", "add for example `model = \"ollama:qwen3:4b\"`"));
        };
        let spec: ModelSpec = model
            .text()?
            .parse()
            .map_err(|error| model.error(&format!("{error}"), ""))?;
        let get = |key: &str| self.get(table, name, key);
        let whole = |key: &str, least: u32| get(key).map(|found| found.whole(least)).transpose();
        let number =
            |key: &str, least: f64, most: f64| get(key).map(|found| found.number(least, most)).transpose();
        let text = |key: &str| get(key).map(|found| found.text().map(str::to_owned)).transpose();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a temperature lies between 0 and 2"
        )]
        let temperature = number("temperature", 0.0, 2.0)?.map(|number| number as f32);
        Ok(Some(RoleConfig {
            base_url: text("base_url")?,
            key_variable: text("key_variable")?,
            headers: get("headers")
                .map(|found| self.headers(&found))
                .transpose()?
                .unwrap_or_default(),
            window_tokens: whole("window_tokens", 256)?,
            max_output_tokens: whole("max_output_tokens", 1)?,
            temperature,
            structured: get("structured").map(|found| found.one_of()).transpose()?,
            timeout_seconds: number("timeout_seconds", 0.001, 86_400.0)?,
            concurrency: whole("concurrency", 1)?,
            requests_per_minute: whole("requests_per_minute", 1)?,
            tokens_per_minute: whole("tokens_per_minute", 1)?,
            retries: whole("retries", 0)?,
            retry_wait_seconds: number("retry_wait_seconds", 0.0, 3600.0)?,
            price: get("price_usd_per_million")
                .map(|found| self.price(&found, name != "embedding"))
                .transpose()?,
            ..RoleConfig::new(spec)
        }))
    }

    fn headers(&self, found: &Found<'_, '_>) -> Result<BTreeMap<String, String>, ConfigError> {
        let table = found.table("write `headers = { Name = \"value\" }`")?;
        let mut headers = BTreeMap::new();
        for (name, value) in table {
            let found = Found {
                reader: self,
                path: join(&found.path, name.get_ref()),
                value,
            };
            headers.insert(name.get_ref().to_string(), found.text()?.to_owned());
        }
        Ok(headers)
    }

    /// A price; a model that `answers` has one for answers too.
    fn price(&self, found: &Found<'_, '_>, answers: bool) -> Result<PriceConfig, ConfigError> {
        let example = match answers {
            true => "write `{ input = 0.4, output = 1.6 }`",
            false => "write `{ input = 0.02 }`",
        };
        let table = found.table(example)?;
        self.check_keys(table, &found.path, &PRICE_KEYS)?;
        let get = |key: &str| {
            let found = self.get(table, &found.path, key);
            found.map(|found| found.number(0.0, 1e6)).transpose()
        };
        let Some(input) = get("input")? else {
            return Err(found.error("has no `input`", example));
        };
        let output = match get("output")? {
            Some(output) => output,
            None if answers => return Err(found.error("has no `output`: answers are not free", example)),
            None => 0.0,
        };
        Ok(PriceConfig {
            input,
            cached: get("cached")?,
            output,
        })
    }

    fn get<'a, 'i>(&'a self, table: &'a Table<'i>, path: &str, key: &str) -> Option<Found<'a, 'i>> {
        let (_, value) = table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Found {
            reader: self,
            path: join(path, key),
            value,
        })
    }
}

impl<'a, 'i> Found<'a, 'i> {
    fn error(&self, problem: &str, remedy: &str) -> ConfigError {
        self.reader
            .error(self.value.span().start, &self.path, problem, remedy)
    }

    fn wrong_type(&self, wanted: &str) -> ConfigError {
        let is = self.value.get_ref().type_str();
        self.error(
            &format!("is a value of type {is}"),
            &format!("it has to be {wanted}"),
        )
    }

    fn table(&self, example: &str) -> Result<&'a Table<'i>, ConfigError> {
        self.value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.error("is no table", example))
    }

    fn text(&self) -> Result<&'a str, ConfigError> {
        self.value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.wrong_type("a text in quotes"))
    }

    fn whole(&self, least: u32) -> Result<u32, ConfigError> {
        let range = format!("a whole number from {least} to {}", u32::MAX);
        let Some(integer) = self.value.get_ref().as_integer() else {
            return Err(self.wrong_type(&range));
        };
        let number = u32::from_str_radix(integer.as_str(), integer.radix()).ok();
        number
            .filter(|number| *number >= least)
            .ok_or_else(|| self.error(&format!("cannot be {integer}"), &format!("it has to be {range}")))
    }

    fn number(&self, least: f64, most: f64) -> Result<f64, ConfigError> {
        let range = format!("a number from {least} to {most}");
        let value = self.value.get_ref();
        let text = match (value.as_float(), value.as_integer()) {
            (Some(float), _) => float.as_str(),
            (_, Some(integer)) if integer.radix() == 10 => integer.as_str(),
            _ => return Err(self.wrong_type(&range)),
        };
        let number: Option<f64> = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.error(&format!("cannot be {text}"), &format!("it has to be {range}")))
    }

    /// One of the names of an enumeration.
    fn one_of<T: Deserialize<'a>>(&self) -> Result<T, ConfigError> {
        let text = self.text()?;
        let deserializer: StrDeserializer<'_, ValueError> = text.into_deserializer();
        T::deserialize(deserializer).map_err(|error| self.error(&error.to_string(), ""))
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Structured;

    fn error(text: &str) -> String {
        read(text, "models.toml").expect_err("is wrong").to_string()
    }

    #[test]
    fn what_was_read_can_be_written_and_read_again() {
        let text = r#"
            [thinking]
            model = "openai:gpt-4.1-mini"
            key_variable = "MY_KEY"
            headers = { X-Team = "Zoë", X-Secret = "$TEAM_SECRET" }
            window_tokens = 0x4000
            max_output_tokens = 1_000
            temperature = 1
            structured = "json"
            timeout_seconds = 2.5
            concurrency = 3
            requests_per_minute = 60
            tokens_per_minute = 100000
            retries = 0
            retry_wait_seconds = 0.25
            price_usd_per_million = { input = 0.4, cached = 0.1, output = 1.6 }
            [embedding]
            model = "ollama:nomic-embed-text"
            base_url = "http://10.0.0.2:11434/v1"
            price_usd_per_million = { input = 0.02 }
        "#;
        let config = read(text, "models.toml").expect("is right");
        let thinking = config.thinking.as_ref().expect("is there");
        assert_eq!(
            (thinking.window_tokens, thinking.max_output_tokens),
            (Some(0x4000), Some(1000))
        );
        assert_eq!(
            (thinking.temperature, thinking.structured),
            (Some(1.0), Some(Structured::Json))
        );
        assert_eq!(read(&config.to_toml(), "again"), Ok(config));
    }

    #[test]
    fn errors_name_file_line_key_and_remedy() {
        for (text, expected) in [
            (
                "[thinking]\nmodel = \"ollama:q\"\ntemprature = 1",
                "models.toml:3: thinking.temprature: there is no such key; did you mean `temperature`?",
            ),
            (
                "[thinkin]\nmodel = \"ollama:q\"",
                "models.toml:1: thinkin: there is no such key; did you mean `thinking`?",
            ),
            (
                "[rating]\nmodel = \"olama:q\"",
                "models.toml:2: rating.model: there is no provider `olama`; did you mean `ollama`?",
            ),
            (
                "[thinking]\n",
                "models.toml:1: thinking: names no model; add for example `model = \"ollama:qwen3:4b\"`",
            ),
            (
                "[thinking]\nmodel = \"ollama:q\"\n\nwindow_tokens = \"8k\"",
                "models.toml:4: thinking.window_tokens: is a value of type string; \
                 it has to be a whole number from 256 to 4294967295",
            ),
            (
                "[thinking]\nmodel = \"ollama:q\"\nconcurrency = -1",
                "models.toml:3: thinking.concurrency: cannot be -1; it has to be a whole number from 1 to 4294967295",
            ),
            (
                "[thinking]\nmodel = \"ollama:q\"\ntemperature = nan",
                "models.toml:3: thinking.temperature: cannot be nan; it has to be a number from 0 to 2",
            ),
        ] {
            assert_eq!(error(text), expected);
        }
    }

    #[test]
    fn a_key_in_the_file_is_refused_and_not_repeated() {
        let error = error("[thinking]\nmodel = \"openai:x\"\napi_key = \"sk-verysecret0123\"");
        assert!(
            error.contains("`key_variable`") && !error.contains("verysecret"),
            "{error}"
        );
    }

    #[test]
    fn broken_toml_and_odd_values_are_errors_with_a_line() {
        assert!(error("[thinking").starts_with("models.toml:1: "));
        assert!(error("a = 1\n[thinking]\nmodel").starts_with("models.toml:3: "));
        assert!(error("thinking = 3").contains("is no table"));
        let structured = error("[thinking]\nmodel = \"ollama:q\"\nstructured = \"xml\"");
        assert!(structured.contains("`strict_schema`"), "{structured}");
        let price = error("[thinking]\nmodel = \"ollama:q\"\nprice_usd_per_million = { input = 1 }");
        assert!(
            price.contains("has no `output`") && price.contains("output = 1.6"),
            "{price}"
        );
        let price = error("[thinking]\nmodel = \"ollama:q\"\nprice_usd_per_million = { inputs = 1 }");
        assert!(
            price.contains("thinking.price_usd_per_million.inputs") && price.contains("`input`"),
            "{price}"
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_reading_panic(text in "(\\[?(thinking|rating)\\]?\n|model = \"ollama:é\"\n|headers\\.x = |[\\PC\n]){0,8}") {
            let _ = read(&text, "models.toml");
        }
    }
}
