//! Wrong configuration is found before the first call.

use std::path::Path;
use std::sync::Arc;

use crate::common::KEY;
use townsfolk_model::{
    ChatModel, ChatReply, ChatRequest, Fault, LocalModels, LocalOptions, ModelError, Models, ModelsConfig,
    Price, Role, Stop, Structured, presets,
};

fn open(text: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<Models, String> {
    let config = ModelsConfig::read(text, "models.toml").map_err(|error| error.to_string())?;
    Models::open(&config, env, None, &Stop::default()).map_err(|error| error.to_string())
}

fn error(text: &str) -> String {
    open(text, &crate::common::env).err().expect("is wrong")
}

const NO_ENV: &dyn Fn(&str) -> Option<String> = &|_| None;

#[test]
fn a_missing_key_names_the_role_and_the_variable() {
    let text = "[thinking]\nmodel = \"ollama:x\"\n[rating]\nmodel = \"gemini:x\"";
    assert_eq!(
        open(text, NO_ENV).err().as_deref(),
        Some(
            "rating: the key of Google Gemini is missing; \
             set the environment variable GEMINI_API_KEY or GOOGLE_API_KEY"
        )
    );
    let text = "[thinking]\nmodel = \"ollama:x\"\nkey_variable = \"MY_PROXY_KEY\"";
    assert!(
        open(text, NO_ENV)
            .err()
            .expect("is wrong")
            .contains("MY_PROXY_KEY")
    );
    assert!(
        open("[thinking]\nmodel = \"openai:x\"\nkey_variable = \"\"", NO_ENV).is_ok(),
        "no key at all"
    );
}

#[test]
fn a_malformed_key_is_refused_and_not_shown() {
    for value in [
        "\"quoted-0123456789\"",
        "two words-0123456789",
        "línea-0123456789",
        "a\nb-0123456789",
    ] {
        let wrong = open("[thinking]\nmodel = \"openai:x\"", &|_| Some(value.to_owned()))
            .err()
            .expect("is wrong");
        assert!(
            wrong.contains("OPENAI_API_KEY") && !wrong.contains("0123456789"),
            "{wrong}"
        );
    }
    assert!(
        open("[thinking]\nmodel = \"openai:x\"", &|_| Some(format!(" {KEY}\n"))).is_ok(),
        "spaces around"
    );
}

#[test]
fn secrets_in_the_file_are_refused_and_not_shown() {
    for line in [
        "key_variable = \"sk-abcdef-0123456789\"",
        "headers = { Authorization = \"Bearer 0123456789\" }",
        "headers = { X-Api-Key = \"0123456789\" }",
        "base_url = \"https://me:0123456789@example.com/v1\"",
        "base_url = \"https://example.com/v1?key=0123456789\"",
    ] {
        let wrong = error(&format!("[thinking]\nmodel = \"openai:x\"\n{line}"));
        assert!(
            wrong.starts_with("thinking.") && !wrong.contains("0123456789"),
            "{wrong}"
        );
    }
}

#[test]
fn addresses_headers_and_sizes_are_checked() {
    for (line, part) in [
        ("base_url = \"localhost:8080\"", "thinking.base_url: "),
        (
            "base_url = \"not an address\"",
            "thinking.base_url: is no address",
        ),
        (
            "base_url = \"file:///etc/passwd\"",
            "thinking.base_url: is no web address",
        ),
        (
            "headers = { \"Bad Name\" = \"x\" }",
            "thinking.headers.Bad Name: is no header",
        ),
        (
            "headers = { X-Name = \"línea\\n\" }",
            "thinking.headers.X-Name: is no header",
        ),
        ("headers = { X-Name = \"$NOT_SET\" }", "NOT_SET is not set"),
        (
            "window_tokens = 1000\nmax_output_tokens = 1000",
            "leave no room in a window of 1000",
        ),
        (
            "tokens_per_minute = 500\nmax_output_tokens = 800",
            "thinking.tokens_per_minute: 500 tokens a minute hold no call",
        ),
    ] {
        let wrong = error(&format!("[thinking]\nmodel = \"openai:x\"\n{line}"));
        assert!(wrong.contains(part), "{wrong}");
    }
    assert!(error("[thinking]\nmodel = \"server:x\"").contains("base_url: is missing"));
    assert!(error("[rating]\nmodel = \"ollama:x\"").contains("no model thinks"));
    for none in ["anthropic", "groq", "deepseek"] {
        let wrong = error(&format!(
            "[thinking]\nmodel = \"ollama:x\"\n[embedding]\nmodel = \"{none}:x\""
        ));
        assert!(wrong.contains("makes no embeddings"), "{wrong}");
    }
    assert!(error("[thinking]\nmodel = \"gguf:x.gguf\"").contains("opens no GGUF files"));
    let wrong = error("[thinking]\nmodel = \"ollama:x\"\n[embedding]\nmodel = \"gguf:x.gguf\"");
    assert!(wrong.contains("no local engine"), "{wrong}");
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let wrong = error("[thinking]\nmodel = \"gguf:x.gguf\"\nretries = 3");
    assert_eq!(
        wrong,
        "thinking.retries: means nothing for a GGUF file in this process; leave it out"
    );
    let wrong = error("[thinking]\nmodel = \"ollama:x\"\n[embedding]\nmodel = \"ollama:y\"\ntemperature = 0");
    assert_eq!(
        wrong,
        "embedding.temperature: means nothing for an embedding model; leave it out"
    );
}

#[test]
fn every_preset_opens_by_its_examples() {
    for (name, preset) in presets() {
        let base = if name == "server" {
            "base_url = \"http://127.0.0.1:1/v1\""
        } else {
            ""
        };
        for example in preset.example.iter().filter(|_| name != "gguf") {
            let text = format!("[thinking]\nmodel = \"{example}\"\n{base}");
            assert_eq!(open(&text, &crate::common::env).err(), None, "{name}");
        }
        for example in preset.example_embedding.iter().filter(|_| name != "gguf") {
            let text = format!("[thinking]\nmodel = \"ollama:x\"\n[embedding]\nmodel = \"{example}\"");
            assert_eq!(open(&text, &crate::common::env).err(), None, "{name}");
        }
    }
}

#[test]
fn a_role_left_out_is_played_by_thinking_with_its_own_temperature() {
    let text = "[thinking]\nmodel = \"ollama:big\"\nwindow_tokens = 16384\n\
                [rating]\nmodel = \"openai:small\"\nprice_usd_per_million = { input = 1, output = 2 }";
    let models = open(text, &crate::common::env).expect("opens");
    let [thinking, talking, rating] = Role::ALL.map(|role| models.role(role));
    assert!(
        Arc::ptr_eq(&thinking.model, &talking.model),
        "one model, one set of limits"
    );
    assert_eq!(
        (talking.model.name(), rating.model.name()),
        ("ollama:big", "openai:small")
    );
    assert_eq!((talking.window_tokens, talking.price), (16384, Some(Price::FREE)));
    assert!(talking.temperature > thinking.temperature && rating.temperature == 0.0);
    assert_eq!(
        rating.price.map(|price| price.cached_usd_per_million),
        Some(1.0),
        "cached costs as much if not said"
    );
    assert_eq!(
        (thinking.structured, rating.structured),
        (Structured::Schema, Structured::StrictSchema)
    );
    assert!(models.embedding().is_none(), "the built-in embedder");
}

#[test]
fn a_check_may_be_told_to_be_less_patient() {
    let text = "[thinking]\nmodel = \"ollama:x\"\nretries = 9\n[rating]\nmodel = \"gguf:x.gguf\"\n";
    let config = ModelsConfig::read(text, "t").expect("right").with_retries(1);
    let retries = |role: Role| config.role(role).and_then(|role| role.retries);
    assert_eq!((retries(Role::Thinking), retries(Role::Rating)), (Some(1), None));
}

/// An engine that opens one file.
struct OneFile;

struct Opened(String);

impl ChatModel for Opened {
    fn name(&self) -> &str {
        &self.0
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> futures_util::future::BoxFuture<'a, Result<ChatReply, ModelError>> {
        let reply = ChatReply {
            text: request.system.clone(),
            usage: Default::default(),
            model: self.0.clone(),
            cut_off: false,
        };
        Box::pin(std::future::ready(Ok(reply)))
    }
}

impl LocalModels for OneFile {
    fn open(&self, path: &Path, options: &LocalOptions) -> Result<Arc<dyn ChatModel>, ModelError> {
        if path == Path::new("models/ok.gguf") {
            return Ok(Arc::new(Opened(format!(
                "gguf:ok {} {}",
                options.window_tokens, options.concurrency
            ))));
        }
        Err(ModelError {
            model: format!("gguf:{}", path.display()),
            status: None,
            fault: Fault::NoSuchModel,
            detail: "there is no such file".to_owned(),
            remedy: "check the path".to_owned(),
            retry_after: None,
        })
    }
}

#[test]
fn a_gguf_file_is_opened_once_by_the_local_engine() {
    let text = "[thinking]\nmodel = \"gguf:models/ok.gguf\"\nwindow_tokens = 2048\n[talking]\n\
                model = \"gguf:models/ok.gguf\"\nwindow_tokens = 2048\ntemperature = 1.2";
    let config = ModelsConfig::read(text, "t").expect("right");
    let models = Models::open(&config, NO_ENV, Some(&OneFile), &Stop::default()).expect("opens");
    assert_eq!(models.role(Role::Thinking).model.name(), "gguf:ok 2048 4");
    assert!(Arc::ptr_eq(
        &models.role(Role::Thinking).model,
        &models.role(Role::Talking).model
    ));
    assert_eq!(models.role(Role::Talking).temperature, 1.2);
    let config = ModelsConfig::of_one("gguf:gone.gguf").expect("a specification");
    let wrong = Models::open(&config, NO_ENV, Some(&OneFile), &Stop::default())
        .err()
        .expect("is wrong")
        .to_string();
    assert_eq!(
        wrong,
        "thinking.model: gguf:gone.gguf: there is no such file; check the path"
    );
}

#[test]
fn the_example_in_the_manual_is_right() {
    let page = include_str!("../../../../docs/models.md");
    let example = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let env = |name: &str| {
        (name == "TEAM_TOKEN")
            .then(|| "t-0123".to_owned())
            .or_else(|| crate::common::env(name))
    };
    let models = open(example, &env).expect("the example opens");
    assert!(models.embedding().is_some());
    for (name, preset) in presets() {
        assert!(
            page.contains(&format!("| `{name}` |")),
            "docs/models.md says nothing of {name}"
        );
        for variable in &preset.key_variables {
            assert!(
                page.contains(variable),
                "docs/models.md says nothing of {variable}"
            );
        }
    }
}
