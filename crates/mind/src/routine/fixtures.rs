//! What tests of the rules share: invented people, an embedder that counts words, and the
//! residents of the 2023 town where that data is at hand.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use townsfolk_memory::{Embedder, Embedding, MemoryId, MemoryKind};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;

use super::{Meanings, Rules};
use crate::tasks::Recalled;
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

/// A resident of the 2023 town's 25-person base, with the places it knows and what was whispered
/// to it.
pub(crate) struct Townsperson {
    /// Who.
    pub(crate) who: Identity,
    /// Sector, arena and object of every known object; arenas without objects have none.
    pub(crate) places: Vec<(String, String, Option<String>)>,
    /// Sector and arena of the home.
    pub(crate) home: (String, String),
    /// Whispers, put in the third person.
    pub(crate) whispers: Vec<String>,
}

impl Townsperson {
    /// What was whispered, as memories.
    pub(crate) fn recalled(&self) -> Vec<Recalled> {
        let memory = |(i, text): (usize, &String)| Recalled {
            id: MemoryId::from_index(i as u32),
            kind: MemoryKind::Reflection,
            text: text.as_str().into(),
            subject: self.who.name.clone(),
            importance: 5,
            created: GameTime::from_seconds(1_676_246_400),
            told_by: None,
            known: false,
        };
        self.whispers.iter().enumerate().map(memory).collect()
    }

    /// The sectors it knows.
    pub(crate) fn sectors(&self) -> Vec<Arc<str>> {
        let mut sectors: Vec<Arc<str>> = Vec::new();
        for (sector, ..) in &self.places {
            if !sectors.iter().any(|s| **s == **sector) {
                sectors.push(sector.as_str().into());
            }
        }
        sectors
    }
}

/// The 25 residents in the order of their folders' names; none, with a word on stderr, where the
/// data is missing.
pub(crate) fn townspeople(test: &str) -> Option<Vec<Townsperson>> {
    let shared = shared(test)?.join("smallville");
    let folder = shared.join("storage/base_the_ville_n25/personas");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let whispers =
        std::fs::read_to_string(shared.join("assets/the_ville/agent_history_init_n25.csv")).unwrap();
    Some(names.iter().map(|path| townsperson(path, &whispers)).collect())
}

fn townsperson(path: &std::path::Path, whispers: &str) -> Townsperson {
    let json = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(path.join("bootstrap_memory").join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let scratch = json("scratch.json");
    let text = |key: &str| scratch[key].as_str().unwrap().to_owned();
    let who = Identity {
        age: scratch["age"].as_u64().map(|age| age as u16),
        traits: text("innate"),
        background: text("learned"),
        current: text("currently"),
        lifestyle: text("lifestyle"),
        daily_requirement: text("daily_plan_req"),
        ..somebody(&text("name"))
    };
    let mut places = Vec::new();
    let tree = json("spatial_memory.json");
    for (sector, arenas) in tree
        .as_object()
        .unwrap()
        .values()
        .flat_map(|world| world.as_object().unwrap())
    {
        for (arena, objects) in arenas.as_object().unwrap() {
            let objects: Vec<_> = objects
                .as_array()
                .unwrap()
                .iter()
                .map(|o| o.as_str().unwrap().to_owned())
                .collect();
            if objects.is_empty() {
                places.push((sector.clone(), arena.clone(), None));
            }
            places.extend(
                objects
                    .into_iter()
                    .map(|o| (sector.clone(), arena.clone(), Some(o))),
            );
        }
    }
    let home = text("living_area");
    let mut home = home.splitn(3, ':').skip(1).map(str::to_owned);
    let home = (home.next().unwrap(), home.next().unwrap());
    let line = whispers
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{},", who.name)))
        .unwrap_or("");
    let third = |whisper: &str| {
        let whisper = whisper.trim();
        match whisper
            .strip_prefix("You ")
            .or_else(|| whisper.strip_prefix("you "))
        {
            Some(rest) => format!("{} {rest}", who.name),
            None => whisper.replace(" you ", &format!(" {} ", who.name)),
        }
    };
    let whispers = line
        .trim_matches('"')
        .split(';')
        .filter(|w| !w.trim().is_empty())
        .map(third)
        .collect();
    Townsperson {
        who,
        places,
        home,
        whispers,
    }
}
