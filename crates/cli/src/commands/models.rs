//! `townsfolk models check`: whether models work, before a run depends on them.

use std::path::PathBuf;

use serde_json::json;
use townsfolk_model::{CheckLine, Models, Shaped, Works};

use crate::Done;
use crate::args::{ModelArgs, ModelsArgs, ModelsCheckArgs, ModelsWhat};
use crate::failure::Failure;
use crate::models::{Purpose, Wanted};
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
    let local = crate::local::models();
    let env = |name: &str| std::env::var(name).ok();
    let models = Models::open(&wanted.config()?, &env, local.as_deref()).map_err(Failure::usage)?;
    let lines = futures_executor::block_on(models.check());
    let failed = lines.iter().filter(|line| line.result.is_err()).count();
    if args.json {
        output::print_json(&lines.iter().map(as_json).collect::<Vec<_>>())?;
    } else {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        output::print(&text)?;
    }
    match failed {
        0 => Ok(()),
        _ => Err(Failure::Failed(anyhow::anyhow!(
            "{failed} of {} roles do not work; see above for what to mend",
            lines.len()
        ))),
    }
}

fn as_json(line: &CheckLine) -> serde_json::Value {
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
