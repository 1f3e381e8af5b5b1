//! What both examples live with: the built-in embedder, and the model that was asked for.

use std::error::Error;
use std::sync::Arc;

use townsfolk_agent::{ManualClock, PromptSet, Roles, Surroundings};
use townsfolk_embed::BuiltIn;
use townsfolk_model::{Models, ModelsConfig, Stop};

/// The routine mind, or the model that `--model PROVIDER:NAME` or a `--models FILE` names.
pub(crate) fn surroundings(clock: &ManualClock) -> Result<Surroundings, Box<dyn Error>> {
    let routine = Surroundings::new(Arc::new(BuiltIn::get()), clock.clone());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let config = match arguments.as_slice() {
        [] => return Ok(routine),
        [flag, spec] if flag == "--model" => ModelsConfig::of_one(spec)?,
        [flag, file] if flag == "--models" => ModelsConfig::read(&std::fs::read_to_string(file)?, file)?,
        _ => {
            return Err(
                "usage: [--model PROVIDER:NAME | --models FILE], such as --model ollama:qwen3:4b".into(),
            );
        }
    };
    let models = Models::open(
        &config,
        &|name| std::env::var(name).ok(),
        townsfolk_local::models(),
        &Stop::default(),
    )?;
    Ok(routine.with_models(Roles::from(&models), PromptSet::of("en")?))
}
