//! What both examples live with: the built-in embedder, and the model that was asked for.

use std::error::Error;
use std::sync::Arc;

use townsfolk_agent::{ManualClock, PromptSet, Roles, Surroundings};
use townsfolk_embed::BuiltIn;
use townsfolk_model::{Models, ModelsConfig};

/// The routine mind, or the model that `--model PROVIDER:NAME` names.
pub(crate) fn surroundings(clock: &ManualClock) -> Result<Surroundings, Box<dyn Error>> {
    let routine = Surroundings::new(Arc::new(BuiltIn::get()), clock.clone());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(routine),
        [flag, spec] if flag == "--model" => {
            let config = ModelsConfig::of_one(spec)?;
            let models = Models::open(&config, &|name| std::env::var(name).ok(), None)?;
            Ok(routine.with_models(Roles::from(&models), PromptSet::of("en")?))
        }
        _ => Err("usage: [--model PROVIDER:NAME], such as --model ollama:qwen3:4b".into()),
    }
}
