//! Prints how the embedders of this crate do on its own sets of sentences:
//! `cargo run -p townsfolk-embed --example quality`.

use std::io::{self, Write};

use townsfolk_embed::{BuiltIn, HashedWords};
use townsfolk_memory::Embedder;

mod measure;

use measure::{CHINESE, JAPANESE, quality, separation};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for embedder in [BuiltIn::get() as &dyn Embedder, &HashedWords] {
        let q = quality(embedder);
        writeln!(out, "{}", embedder.name())?;
        writeln!(out, "  English pairs      Spearman {:.3}", q.spearman)?;
        writeln!(
            out,
            "  English questions  hit@1 {:.2}  hit@3 {:.2}  hit@5 {:.2}  MRR {:.3}",
            q.hit_at_1, q.hit_at_3, q.hit_at_5, q.reciprocal_rank
        )?;
        for (language, triples) in [("Chinese", CHINESE), ("Japanese", JAPANESE)] {
            let s = separation(embedder, triples);
            writeln!(
                out,
                "  {language:<8} triples   related {:.3}  unrelated {:.3}  wrong {} {}",
                s.related,
                s.unrelated,
                s.wrong.len(),
                s.wrong.join(" ")
            )?;
        }
    }
    Ok(())
}
