//! `townsfolk models check`: whether models work, before a run depends on them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use serde_json::{Value, json};
use townsfolk_mind::model::{PromptSet, Roles};
use townsfolk_model::{Adherence, ChatModel, CheckLine, ModelError, Models, Role, Shaped, Works, adherence};

use super::interrupt;
use crate::Done;
use crate::args::{ModelArgs, ModelsArgs, ModelsCheckArgs, ModelsWhat};
use crate::failure::Failure;
use crate::models::{Purpose, Wanted, warn_of_windows};
use crate::output;

/// The file that is read where none is named.
const USUAL_FILE: &str = "models.toml";

/// Tries models out.
pub(crate) fn models(args: &ModelsArgs) -> Done {
    match &args.what {
        ModelsWhat::Check(args) => check(args),
    }
}

fn check(args: &ModelsCheckArgs) -> Done {
    let usual = || Some(PathBuf::from(USUAL_FILE)).filter(|_| args.model.is_none());
    let flags = ModelArgs {
        model: args.model.clone(),
        models: args.models.clone().or_else(usual),
        ..ModelArgs::default()
    };
    let wanted = Wanted {
        flags: &flags,
        language: "en",
        stored: None,
        purpose: Purpose::Live,
    };
    let env = |name: &str| std::env::var(name).ok();
    // Whoever checks would rather know than wait.
    let config = wanted.config()?.with_retries(0);
    let local = townsfolk_local::models();
    let opened = Models::open(&config, &env, local, interrupt::stop());
    let models = opened.map_err(|error| wanted.wrong(error))?;
    let prompts = PromptSet::of(wanted.language).map_err(Failure::usage)?;
    warn_of_windows(&Roles::from(&models), &prompts)?;
    let lines = futures_executor::block_on(models.check());
    let failed = lines.iter().filter(|line| line.result.is_err()).count();
    let scenes = if args.adherence {
        scenes(&models, &lines)
    } else {
        Vec::new()
    };
    if args.json {
        let mut shown: Vec<Value> = lines.iter().map(as_json).collect();
        for scene in &scenes {
            let of_its_roles = lines
                .iter()
                .zip(&mut shown)
                .filter(|(line, _)| scene.roles.contains(&line.role));
            of_its_roles.for_each(|(_, value)| value["adherence"] = scene.as_json());
        }
        output::print_json(&shown)?;
    } else {
        let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        text.extend(scenes.iter().map(|scene| format!("{scene}\n")));
        output::print(&text)?;
    }
    if failed > 0 {
        return Err(Failure::Failed(anyhow!(
            "{failed} of {} roles do not work; see above for what to mend",
            lines.len()
        )));
    }
    match scenes.iter().filter(|scene| scene.result.is_err()).count() {
        0 => Ok(()),
        _ => Err(Failure::Failed(anyhow!(
            "the scene could not be played to its end; see above for what to mend"
        ))),
    }
}

/// A scene that was played with one model.
struct Scene {
    /// The roles it plays, of those that decide and speak.
    roles: Vec<&'static str>,
    result: Result<Adherence, ModelError>,
}

/// Plays the scene with whoever thinks and talks, each model once. One that did not answer the small
/// call is left in peace.
fn scenes(models: &Models, lines: &[CheckLine]) -> Vec<Scene> {
    let mut scenes: Vec<(&Arc<dyn ChatModel>, Scene)> = Vec::new();
    for role in [Role::Thinking, Role::Talking] {
        let works = lines
            .iter()
            .any(|line| line.role == role.name() && line.result.is_ok());
        let model = &models.role(role).model;
        if let Some((_, scene)) = scenes.iter_mut().find(|(played, _)| Arc::ptr_eq(played, model)) {
            scene.roles.push(role.name());
        } else if works {
            let scene = Scene {
                roles: vec![role.name()],
                result: futures_executor::block_on(adherence(model.as_ref())),
            };
            scenes.push((model, scene));
        }
    }
    scenes.into_iter().map(|(_, scene)| scene).collect()
}

impl Scene {
    fn as_json(&self) -> Value {
        match &self.result {
            Ok(adherence) => json!({
                "asked": adherence.answers.len(),
                "kept": adherence.kept(),
                "says": adherence.to_string(),
                "lines": adherence.answers.iter().map(|(_, line)| line).collect::<Vec<_>>(),
                "tokens_in": adherence.usage.input,
                "tokens_out": adherence.usage.output,
            }),
            Err(error) => json!({ "says": error.to_string() }),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let roles = self.roles.join(" and ");
        match &self.result {
            Ok(adherence) => write!(f, "{roles}: {adherence}"),
            Err(error) => write!(f, "{roles}: FAILED {error}"),
        }
    }
}

fn as_json(line: &CheckLine) -> Value {
    let mut value = json!({
        "role": line.role,
        "model": line.model,
        "works": line.result.is_ok(),
        "says": line.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
    });
    match &line.result {
        Ok(Works::Chat { latency, shaped, .. }) => {
            value["seconds"] = latency.as_secs_f64().into();
            value["keeps_to_schema"] = (*shaped == Shaped::Exactly).into();
        }
        Ok(Works::Embedding { latency, dimensions }) => {
            value["seconds"] = latency.as_secs_f64().into();
            value["dimensions"] = (*dimensions).into();
        }
        Ok(Works::BuiltIn) => {}
        Err(error) => {
            value["status"] = error.status.into();
            value["remedy"] = error.remedy.clone().into();
        }
    }
    value
}
