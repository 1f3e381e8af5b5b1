//! What a day of the 2023 code's 25 residents takes, next to what that code takes.
//!
//! The routine mind lives the day, and its answers go through the real prompts as if a model had given
//! them: `cargo bench --package townsfolk-engine --bench cost`. Prints such a table as
//! `docs/cost.md` has, there with the base's history file too.

#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod shared;

use std::sync::Arc;

use townsfolk_embed::BuiltIn;
use townsfolk_engine::{Load, Minds, ModelPlan, Options, estimate};
use townsfolk_mind::model::{Calls, PromptSet, Rehearsal, Roles};
use townsfolk_model::{RoleModel, Structured};

const DAY: u64 = 8_640;

/// Of the 2023 code, for one resident of 25 and one day: its calls and tokens with a stub of a model
/// that answers at once (`docs/cost.md` says how that was measured).
const ORIGINAL_CALLS: f64 = 3_065.0;
const ORIGINAL_TOKENS: f64 = 1_063_000.0;

fn main() {
    let town = shared::town();
    let residents = town.residents.len() as f64;
    let rehearsal = Arc::new(Rehearsal::default());
    let role = |temperature| RoleModel {
        model: rehearsal.clone(),
        window_tokens: 32_000,
        max_output_tokens: 2_048,
        temperature,
        structured: Structured::Plain,
        price: None,
    };
    let plan = ModelPlan {
        roles: Roles {
            thinking: role(0.7),
            talking: role(0.9),
            rating: role(0.0),
        },
        prompts: Arc::new(PromptSet::of(&town.language).expect("the prompts are right")),
        calls: Calls::Together,
        crib: None,
    };
    let minds = Minds {
        models: Some(plan),
        ..Minds::routine(Arc::new(BuiltIn::get()))
    };
    let name = town.name.clone();
    let estimate = estimate(town, 0, &minds, DAY, Options { workers: 2 }).expect("prompts can be rendered");
    println!("{name}: {residents} residents, one day; for one resident:\n");
    println!("| task | calls | from cache | tokens sent | tokens received |");
    println!("|---|---:|---:|---:|---:|");
    let mut all = Load::default();
    let row = |name: &str, load: &Load| {
        let each = |count: u64| count as f64 / residents;
        println!(
            "| {name} | {:.1} | {:.1} | {:.0} | {:.0} |",
            each(load.calls),
            each(load.from_cache),
            each(load.tokens_in),
            each(load.tokens_out)
        );
    };
    for (kind, load) in &estimate.tasks {
        row(kind.name(), load);
        all.calls += load.calls;
        all.from_cache += load.from_cache;
        all.tokens_in += load.tokens_in;
        all.tokens_out += load.tokens_out;
    }
    row("in all", &all);
    let tokens = (all.tokens_in + all.tokens_out) as f64 / residents;
    println!(
        "\nThe 2023 code: {ORIGINAL_CALLS} calls and {ORIGINAL_TOKENS} tokens; this is {:.1} % of its calls and {:.1} % \
         of its tokens.",
        100.0 * all.calls as f64 / residents / ORIGINAL_CALLS,
        100.0 * tokens / ORIGINAL_TOKENS
    );
}
