//! What tests of the rules share: invented people, an embedder that counts words, and the
//! residents of the 2023 town where that data is at hand.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use townsfolk_memory::{Embedder, Embedding};
use townsfolk_world::PlaceId;

use super::{Meanings, Rules};
use crate::{Chance, Identity, ResidentId};

/// A resident of whom nothing but the name is known.
pub(crate) fn somebody(name: &str) -> Identity {
    Identity {
        name: name.into(),
        first_name: name.split(' ').next().unwrap_or(name).into(),
        age: None,
        traits: String::new(),
        background: String::new(),
        current: String::new(),
        lifestyle: String::new(),
        daily_requirement: String::new(),
        home: PlaceId::from_index(1),
    }
}

/// Rules for one resident at one tick of run 7.
pub(crate) fn rules(resident: u16, tick: u64) -> Rules<'static> {
    static MEANINGS: OnceLock<Meanings> = OnceLock::new();
    let meanings = MEANINGS.get_or_init(|| Meanings::new(Arc::new(WordCounts)));
    Rules::new(
        Chance {
            seed: 7,
            resident: ResidentId(resident),
            tick,
        },
        meanings,
    )
}

/// Texts are alike when they share words.
struct WordCounts;

impl Embedder for WordCounts {
    fn name(&self) -> &str {
        "word counts"
    }

    fn dimensions(&self) -> usize {
        64
    }

    fn embed(&self, text: &str) -> Embedding {
        let mut counts = [0f32; 64];
        for word in text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
        {
            let hash = word
                .bytes()
                .fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
            counts[hash as usize % 64] += 1.0;
        }
        Embedding::from_f32(&counts)
    }
}

/// The folder of optional data, or none with a word on stderr.
pub(crate) fn shared(test: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder =
        std::env::var_os("TOWNSFOLK_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    if folder
        .join("smallville/storage/base_the_ville_n25/personas")
        .is_dir()
    {
        Some(folder)
    } else {
        eprintln!("skipped: {test} needs the 2023 town in {}", folder.display());
        None
    }
}
