//! `townsfolk re-embed`: a copy of a run with vectors of another embedder.

use std::time::Instant;

use townsfolk_engine::ledger::{note_prices, re_embedding_row};
use townsfolk_memory::Embedding;
use townsfolk_store::{NewVectors, RunReader, RunState, re_embed as copy};

use super::run;
use crate::Done;
use crate::args::{ModelArgs, ReEmbedArgs};
use crate::failure::Failure;
use crate::models::{self, Purpose, Wanted};
use crate::{output, words};

/// Copies a run, its texts embedded anew.
pub(crate) fn re_embed(args: &ReEmbedArgs) -> Done {
    let reader = RunReader::open(&args.run)?;
    let info = reader.info()?;
    let flags = ModelArgs {
        embedder: args.embedder.clone(),
        models: args.models.clone(),
        ..ModelArgs::default()
    };
    let wanted = Wanted {
        flags: &flags,
        language: &models::town_of(&reader)?.language,
        stored: Some(&info),
        purpose: Purpose::Live,
    };
    let minds = wanted.vectors()?;
    let (embedder, dimensions) = minds.vectors();
    let vectors = NewVectors {
        embedder: embedder.to_owned(),
        dimensions: u32::try_from(dimensions).unwrap_or(u32::MAX),
    };
    if args.out.symlink_metadata().is_ok() {
        return Err(run::taken(&args.out));
    }
    let mut count = 0;
    let mut bought = Vec::new();
    let mut writer = copy(&args.run, &args.out, &vectors, |texts| -> Result<_, Failure> {
        count += texts.len();
        let begun = Instant::now();
        let (vectors, usage) = models::embed(&minds, texts)?;
        if let Some(usage) = usage {
            let ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
            bought.push(re_embedding_row(0, embedder, texts, (&vectors, usage), ms));
        }
        let bytes = |vector: &Embedding| vector.codes().iter().map(|code| code.cast_unsigned()).collect();
        Ok(vectors.iter().map(bytes).collect())
    })?;
    // They were paid for, and belong to the first tick that is computed with them.
    let next = writer.head().map_or(0, |head| head.saturating_add(1));
    for mut call in bought {
        call.key.tick = next;
        writer.record_vectors(&call, &[])?;
    }
    note_prices(&mut writer, &minds.terms.prices)?;
    if let Some(config) = &minds.config {
        let config = Some(config.as_str()).filter(|text| !text.is_empty());
        writer.set_models(config, info.prompts.as_deref())?;
    }
    writer.finish(RunState::Paused)?;
    let (old, new) = (words::path(&args.run), words::path(&args.out));
    let texts = words::count(count, "text", "texts");
    output::print(&format!(
        "{new} is {old} with {texts} embedded by {embedder}\nTo go on with it: townsfolk resume {new} --days 1\n"
    ))
}
