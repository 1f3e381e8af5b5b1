//! Prints what the routine mind makes of a town's residents: their whispers as thoughts, and talks
//! between pairs of them, one after another, so that news can travel.
//!
//! Reads the 25-person base of the 2023 release from the folder in `TOWNSFOLK_SHARED`:
//!
//! ```sh
//! TOWNSFOLK_SHARED=../shared cargo run -p townsfolk-mind --example chatter -- talks 40
//! TOWNSFOLK_SHARED=../shared cargo run -p townsfolk-mind --example chatter -- talks 3 "Isabella Rodriguez" "Maria Lopez"
//! TOWNSFOLK_SHARED=../shared cargo run -p townsfolk-mind --example chatter -- whispers
//! ```

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use townsfolk_memory::{Embedder, Embedding, MemoryId, MemoryKind};
use townsfolk_mind::routine::{Meanings, Rules};
use townsfolk_mind::tasks::{
    AfterTalk, Appointment, ConversationSummary, Importance, InnerThought, Line, NextLine, Recalled,
    Relationship, Topic,
};
use townsfolk_mind::{Chance, Entry, Identity, ResidentId, Task};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;

/// Words as directions: texts are alike where they share words.
struct WordBag;

impl Embedder for WordBag {
    fn name(&self) -> &str {
        "word-bag"
    }

    fn dimensions(&self) -> usize {
        256
    }

    fn embed(&self, text: &str) -> Embedding {
        let mut counts = [0.0f32; 256];
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 3) {
            let hash = word
                .to_lowercase()
                .bytes()
                .fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
            counts[(hash % 256) as usize] += 1.0;
        }
        Embedding::from_f32(&counts)
    }
}

struct Resident {
    id: ResidentId,
    identity: Identity,
    memories: Vec<Recalled>,
    told: BTreeSet<(Arc<str>, MemoryId)>,
    appointments: Vec<Appointment>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_else(|| "talks".to_owned());
    let count: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(30);
    let pair: Vec<String> = arguments.collect();
    let shared =
        std::env::var_os("TOWNSFOLK_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let meanings = Meanings::new(Arc::new(WordBag));
    let start: GameTime = "2023-02-13 08:00".parse()?;
    let mut residents = load(&shared.join("smallville"), &meanings, start)?;
    if mode == "whispers" {
        for resident in &residents {
            for memory in &resident.memories {
                println!("{:2} {}", memory.importance, memory.text);
            }
        }
        return Ok(());
    }
    for n in 0..count {
        let chance = Chance {
            seed: 7,
            resident: ResidentId(0),
            tick: n,
        };
        let named = |name: &String| residents.iter().position(|r| *r.identity.name == **name);
        let (a, b) = match (pair.first().and_then(named), pair.get(1).and_then(named)) {
            (Some(a), Some(b)) => (a, b),
            _ => {
                let a = chance.below("first", residents.len());
                let b = (a + 1 + chance.below("second", residents.len() - 1)) % residents.len();
                (a, b)
            }
        };
        talk(&mut residents, a, b, start + n as i64 * 600, n, &meanings);
    }
    for cue in ["party", "mayor"] {
        let knowing: Vec<&str> = residents
            .iter()
            .filter(|r| r.memories.iter().any(|m| m.text.contains(cue)))
            .map(|r| &*r.identity.name)
            .collect();
        println!("know of the {cue}: {} {knowing:?}", knowing.len());
    }
    for resident in residents.iter().filter(|r| !r.appointments.is_empty()) {
        println!(
            "{}: {}",
            resident.identity.name, resident.appointments[0].occasion.what
        );
    }
    Ok(())
}

fn talk(residents: &mut [Resident], a: usize, b: usize, now: GameTime, tick: u64, meanings: &Meanings) {
    let names = [
        residents[a].identity.name.clone(),
        residents[b].identity.name.clone(),
    ];
    println!("\n--- {now} {} and {}", names[0], names[1]);
    let mut lines: Vec<Line> = Vec::new();
    let cap = 16;
    while lines.len() < cap {
        let (me, other) = if lines.len().is_multiple_of(2) {
            (a, b)
        } else {
            (b, a)
        };
        let speaker = &residents[me];
        let rules = Rules::new(
            Chance {
                seed: 7,
                resident: speaker.id,
                tick,
            },
            meanings,
        );
        let listener = residents[other].identity.name.clone();
        let about: Vec<Recalled> = speaker
            .memories
            .iter()
            .filter(|m| m.text.contains(&*listener))
            .cloned()
            .collect();
        let relationship = Relationship {
            who: &speaker.identity,
            other: &listener,
            recalled: &about,
            talks: 0,
        }
        .by_rule(&rules);
        let mut topics: Vec<Topic> = speaker
            .memories
            .iter()
            .map(|m| Topic {
                shared: speaker.told.contains(&(listener.clone(), m.id))
                    || m.told_by.as_ref() == Some(&listener),
                recalled: m.clone(),
            })
            .collect();
        topics.sort_by_key(|t| {
            (
                !t.recalled.text.contains(&*listener),
                u8::MAX - t.recalled.importance,
            )
        });
        topics.truncate(30);
        let entry = |start, minutes, activity: &str| Entry {
            start,
            minutes,
            activity: activity.into(),
            asleep: false,
            cause: None,
            step: false,
        };
        let plan = [
            entry(12 * 60, 60, "having lunch at Hobbs Cafe"),
            entry(13 * 60, 300, "working on the usual things"),
            entry(18 * 60, 120, "eating dinner"),
        ];
        let task = NextLine {
            who: &speaker.identity,
            listener: &listener,
            now,
            place: "Hobbs Cafe",
            doing: "drinking coffee",
            listener_doing: "eating a sandwich",
            relationship: &relationship.text,
            topics: &topics,
            lines: &lines,
            lines_left: ((cap - lines.len()) / 2).max(1) as u16,
            plan: &plan,
            appointments: &speaker.appointments,
            answered: &[],
            called_off: &[],
        };
        let said = task.by_rule(&rules);
        task.check(&said).unwrap_or_else(|e| panic!("{e}"));
        let tells: Vec<(MemoryId, Arc<str>)> = said
            .tells
            .iter()
            .map(|t| (topics[*t].recalled.id, topics[*t].recalled.text.clone()))
            .collect();
        println!("{}: {}", speaker.identity.first_name, said.text);
        if let Some(decision) = &said.decision {
            println!(
                "    [{}: {} because {}]",
                decision.on, decision.accept, decision.reason
            );
        }
        let ends = said.ends;
        for (id, text) in &tells {
            residents[me].told.insert((listener.clone(), *id));
            let importance = rate(&residents[other].identity, text, &rules);
            let memories = &mut residents[other].memories;
            memories.push(Recalled {
                id: MemoryId::from_index(memories.len() as u32),
                kind: MemoryKind::Observation,
                text: text.clone(),
                subject: names[0].clone(),
                importance,
                created: now,
                told_by: Some(residents[me].identity.name.clone()),
                known: false,
            });
        }
        lines.push(Line {
            speaker: residents[me].identity.name.clone(),
            text: said.text.into(),
            tells,
            decision: said.decision,
        });
        if ends {
            break;
        }
    }
    for (me, other) in [(a, 1), (b, 0)] {
        let who = &residents[me].identity.clone();
        let rules = Rules::new(
            Chance {
                seed: 7,
                resident: residents[me].id,
                tick,
            },
            meanings,
        );
        let summary = ConversationSummary {
            who,
            other: &names[other],
            lines: &lines,
        }
        .by_rule(&rules);
        if me == a {
            println!("    = {}", summary.text);
        }
        let memories = &mut residents[me].memories;
        memories.push(Recalled {
            id: MemoryId::from_index(memories.len() as u32),
            kind: MemoryKind::Conversation,
            importance: 4,
            text: summary.text.into(),
            subject: who.name.clone(),
            created: now,
            told_by: None,
            known: false,
        });
        let notes = AfterTalk {
            who,
            other: &names[other],
            now,
            lines: &lines,
        }
        .by_rule(&rules);
        for note in notes.planning.iter().chain(&notes.memo) {
            println!("    {}: {note}", who.first_name);
        }
        let agreed = notes.agreed.into_iter().map(|occasion| Appointment {
            occasion,
            place: None,
            memory: None,
        });
        let fresh: Vec<Appointment> = agreed
            .filter(|a| {
                !residents[me]
                    .appointments
                    .iter()
                    .any(|b| b.occasion.date == a.occasion.date)
            })
            .collect();
        residents[me].appointments.extend(fresh);
    }
}

fn rate(who: &Identity, text: &Arc<str>, rules: &Rules<'_>) -> u8 {
    let items = [text.clone()];
    Importance { who, items: &items }.by_rule(rules).scores[0]
}

fn load(
    folder: &Path,
    meanings: &Meanings,
    now: GameTime,
) -> Result<Vec<Resident>, Box<dyn std::error::Error>> {
    let mut residents = Vec::new();
    let mut history = csv::Reader::from_path(folder.join("assets/the_ville/agent_history_init_n25.csv"))?;
    for (i, row) in history.records().enumerate() {
        let row = row?;
        let name = row[0].trim();
        let scratch = folder
            .join("storage/base_the_ville_n25/personas")
            .join(name)
            .join("bootstrap_memory/scratch.json");
        let scratch: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(scratch)?)?;
        let text = |key: &str| scratch[key].as_str().unwrap_or_default().to_owned();
        let identity = Identity {
            name: name.into(),
            first_name: text("first_name").into(),
            age: scratch["age"].as_u64().map(|a| a as u16),
            traits: text("innate"),
            background: text("learned"),
            current: text("currently"),
            lifestyle: text("lifestyle"),
            daily_requirement: text("daily_plan_req"),
            home: PlaceId::from_index(0),
        };
        let id = ResidentId(i as u16);
        let rules = Rules::new(
            Chance {
                seed: 7,
                resident: id,
                tick: 0,
            },
            meanings,
        );
        let mut memories = Vec::new();
        for whisper in row[1].split(';').map(str::trim).filter(|w| !w.is_empty()) {
            let text: Arc<str> = InnerThought {
                who: &identity,
                whisper,
            }
            .by_rule(&rules)
            .text
            .into();
            memories.push(Recalled {
                id: MemoryId::from_index(memories.len() as u32),
                kind: MemoryKind::Reflection,
                importance: rate(&identity, &text, &rules),
                text,
                subject: identity.name.clone(),
                created: now,
                told_by: None,
                known: false,
            });
        }
        residents.push(Resident {
            id,
            identity,
            memories,
            told: BTreeSet::new(),
            appointments: Vec::new(),
        });
    }
    Ok(residents)
}
