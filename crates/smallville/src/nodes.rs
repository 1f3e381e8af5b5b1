//! `nodes.json`: the memory stream of a resident, as memories from before the story starts.
//!
//! An *event* becomes an observation and a *chat* a conversation. A *thought* becomes a plan if it
//! is a day's plan or what a talk left to be planned, both of which the 2023 code words in one fixed
//! way, and a reflection otherwise.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use townsfolk_memory::{MemoryId, MemoryKind, NewMemory, Triple};
use townsfolk_time::GameTime;

use crate::dates::{SHORT_EXAMPLE, short};
use crate::files::read_json;
use crate::{ImportError, ImportFault, Note};

/// What the 2023 code stores as a thought when its model gave no usable insight.
const FAIL_SAFE: &str = "this is blank";

#[derive(Deserialize)]
struct Node {
    node_count: u64,
    r#type: String,
    created: String,
    expiration: Option<String>,
    subject: Option<String>,
    predicate: Option<String>,
    object: Option<String>,
    description: Option<String>,
    poignancy: i64,
    #[serde(default)]
    keywords: Vec<String>,
    /// Keys of nodes; for chats pairs of speaker and line.
    #[serde(default)]
    filling: Value,
}

/// The memories of a resident, oldest first.
pub(crate) fn read_nodes(
    path: &Path,
    resident: &str,
    notes: &mut Vec<Note>,
) -> Result<Vec<NewMemory>, ImportError> {
    let nodes: BTreeMap<String, Node> = read_json(path, "it holds the resident's memories ({} for none)")?;
    let mut nodes: Vec<(String, Node)> = nodes.into_iter().collect();
    nodes.sort_by_key(|(_, node)| node.node_count);
    if let Some([(first, node), (second, _)]) = nodes
        .array_windows()
        .find(|[(_, a), (_, b)]| a.node_count == b.node_count)
    {
        let fault = format!("its node_count is {}, like that of {first}", node.node_count);
        let node = second.clone();
        return Err(ImportError::new(path, ImportFault::Node { node, fault }));
    }
    let mut reading = Reading::default();
    for (key, node) in &nodes {
        let added = reading.add(resident, key, node);
        added.map_err(|fault| ImportError::new(path, fault))?;
    }
    reading.note(resident, notes);
    Ok(reading.memories)
}

/// Memories read so far, and the keys of what did not fit.
#[derive(Default)]
struct Reading {
    memories: Vec<NewMemory>,
    ids: BTreeMap<String, MemoryId>,
    not_memories: Vec<String>,
    importance_moved: Vec<String>,
    evidence_lost: Vec<String>,
    conversations: usize,
    lines: usize,
}

impl Reading {
    fn add(&mut self, resident: &str, key: &str, node: &Node) -> Result<(), ImportFault> {
        let fail = |fault| ImportFault::Node {
            node: key.to_owned(),
            fault,
        };
        let time = |name: &str, text: &str| -> Result<GameTime, ImportFault> {
            short(text)
                .ok_or_else(|| fail(format!("{name} is \"{text}\"; write it like \"{SHORT_EXAMPLE}\"")))
        };
        let created = time("created", &node.created)?;
        let expires = node.expiration.as_deref();
        let expires = expires.map(|text| time("expiration", text)).transpose()?;
        let kind = match node.r#type.as_str() {
            "event" => MemoryKind::Observation,
            "chat" => MemoryKind::Conversation,
            "thought" if is_plan(resident, node) => MemoryKind::Plan,
            "thought" => MemoryKind::Reflection,
            other => {
                return Err(fail(format!(
                    "its type is \"{other}\"; it may be event, thought or chat"
                )));
            }
        };
        let text = node.description.as_deref().unwrap_or_default().trim();
        if text.is_empty() || (kind == MemoryKind::Reflection && text == FAIL_SAFE) {
            self.not_memories.push(key.to_owned());
            return Ok(());
        }
        let importance = node.poignancy.clamp(1, 10);
        if importance != node.poignancy {
            self.importance_moved.push(key.to_owned());
        }
        let evidence = match kind {
            MemoryKind::Conversation => {
                self.conversations += 1;
                self.lines += node.filling.as_array().map_or(0, Vec::len);
                Vec::new()
            }
            _ => self.evidence(key, &node.filling),
        };
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        self.ids
            .insert(key.to_owned(), MemoryId::from_index(self.memories.len() as u32));
        self.memories.push(NewMemory {
            kind,
            created,
            expires,
            triple: Triple::new(part(&node.subject), part(&node.predicate), part(&node.object)),
            text: text.into(),
            // Clamped above.
            importance: importance as u8,
            keywords: node.keywords.iter().map(|word| word.as_str().into()).collect(),
            evidence,
            hearsay: None,
        });
        Ok(())
    }

    /// The earlier memories that a filling names, each once: a list of keys, or a single one.
    fn evidence(&mut self, key: &str, filling: &Value) -> Vec<MemoryId> {
        let mut evidence = Vec::new();
        let mut is_lost = false;
        let keys = match filling {
            Value::Null => &[],
            Value::Array(keys) => keys.as_slice(),
            single => std::slice::from_ref(single),
        };
        for key in keys {
            // What has no id yet comes later in the stream, or not at all.
            match key.as_str().and_then(|key| self.ids.get(key)) {
                Some(id) if evidence.contains(id) => {}
                Some(id) => evidence.push(*id),
                None => is_lost = true,
            }
        }
        if is_lost {
            self.evidence_lost.push(key.to_owned());
        }
        evidence
    }

    fn note(&mut self, resident: &str, notes: &mut Vec<Note>) {
        let resident = || resident.to_owned();
        if !self.not_memories.is_empty() {
            let nodes = std::mem::take(&mut self.not_memories);
            notes.push(Note::NotMemories {
                resident: resident(),
                nodes,
            });
        }
        if !self.importance_moved.is_empty() {
            let nodes = std::mem::take(&mut self.importance_moved);
            notes.push(Note::ImportanceMoved {
                resident: resident(),
                nodes,
            });
        }
        if !self.evidence_lost.is_empty() {
            let nodes = std::mem::take(&mut self.evidence_lost);
            notes.push(Note::EvidenceLost {
                resident: resident(),
                nodes,
            });
        }
        if self.lines > 0 {
            let (conversations, lines) = (self.conversations, self.lines);
            notes.push(Note::LinesLeftOut {
                resident: resident(),
                conversations,
                lines,
            });
        }
    }
}

/// A day's plan is a thought `This is NAME's plan for Monday February 13: …` about
/// (NAME, plan, Monday February 13); what a talk left to be planned is `For NAME's planning: …`.
fn is_plan(resident: &str, node: &Node) -> bool {
    let text = node.description.as_deref().unwrap_or_default();
    let day = node.object.as_deref().unwrap_or_default();
    let is_of_day = node.predicate.as_deref() == Some("plan")
        && !day.is_empty()
        && text.starts_with(&format!("This is {resident}'s plan for {day}"));
    is_of_day || text.starts_with(&format!("For {resident}'s planning:"))
}
