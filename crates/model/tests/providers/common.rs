//! What the tests of this crate share.

use std::time::{Duration, Instant};

use futures_executor::block_on;
use serde_json::json;
use townsfolk_model::scripted::Server;
use townsfolk_model::{
    AnswerShape, ChatReply, ChatRequest, Fault, ModelError, Models, ModelsConfig, Role, Speaker, Stop, Turn,
};

/// The key every test sends; no provider's, and not to be seen anywhere.
pub(crate) const KEY: &str = "tf-test-key-0123456789";

/// Keys of all providers that want one.
pub(crate) fn env(name: &str) -> Option<String> {
    name.ends_with("_API_KEY").then(|| KEY.to_owned())
}

/// Models of a server: `spec` thinks, with more settings as TOML.
pub(crate) fn models(server: &Server, spec: &str, settings: &str) -> Models {
    stoppable(server, spec, settings, &Stop::default())
}

/// The same, until people stop them.
pub(crate) fn stoppable(server: &Server, spec: &str, settings: &str, stop: &Stop) -> Models {
    let text = format!(
        "[thinking]\nmodel = \"{spec}\"\nbase_url = \"{}\"\nretry_wait_seconds = 0.01\n{settings}",
        server.base_url()
    );
    let config = ModelsConfig::read(&text, "test.toml").expect("a right configuration");
    Models::open(&config, &env, None, stop).expect("the models open")
}

/// A question, with or without a shape.
pub(crate) fn ask(text: &str, shape: Option<AnswerShape>) -> ChatRequest {
    ChatRequest {
        system: "You are Zoë O'Neill-Ångström, and answer in JSON.".to_owned(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: text.to_owned(),
        }],
        shape,
        max_tokens: 64,
        temperature: 0.7,
        seed: Some(7),
    }
}

/// The shape of an answer with one number.
pub(crate) fn shape() -> AnswerShape {
    AnswerShape {
        name: "hour".to_owned(),
        schema: json!({"type": "object", "properties": {"hour": {"type": "integer"}}}),
    }
}

/// Asks the thinking model, as the engine does: on a foreign executor.
pub(crate) fn chat(models: &Models, request: &ChatRequest) -> Result<ChatReply, ModelError> {
    block_on(models.role(Role::Thinking).model.chat(request))
}

/// Asks and expects a fault.
pub(crate) fn fault(models: &Models) -> ModelError {
    chat(models, &ask("When do you wake?", Some(shape()))).expect_err("a fault")
}

/// What it returns, and how long it took.
pub(crate) fn timed<T>(what: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let result = what();
    (result, began.elapsed())
}

/// Fails unless the error has this fault, names its model and hides the key.
pub(crate) fn expect(error: &ModelError, fault: Fault) {
    let text = format!("{error} {error:?}");
    assert_eq!(error.fault, fault, "{text}");
    assert!(text.contains(&error.model) && !error.remedy.is_empty(), "{text}");
    assert!(!text.contains(KEY), "the key is seen: {text}");
}
