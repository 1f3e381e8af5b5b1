//! Memories, questions and calls as rows of a run file, and back.
//!
//! A town and an agent without one write the same things down. Who is meant (a resident's number, a
//! teller's) is theirs to say: whatever a row names others by is left empty here.

use townsfolk_memory::{Hearsay, Memory, MemoryId, MemoryKind, Triple};
use townsfolk_mind::TaskRecord;
use townsfolk_mind::model::Call;
use townsfolk_model::{ChatReply, Usage};
use townsfolk_store as store;
use townsfolk_time::GameTime;

/// A memory's number as the file has it.
pub fn memory_id(id: MemoryId) -> store::MemoryId {
    id.index() as store::MemoryId
}

/// One memory of a resident; without hearsay, conversation and place.
pub fn memory(resident: store::ResidentId, memory: &Memory, vector: Vec<u8>) -> store::MemoryRow {
    store::MemoryRow {
        resident,
        id: memory_id(memory.id),
        created: memory.created.seconds(),
        kind: match memory.kind {
            MemoryKind::Observation => store::MemoryKind::Observation,
            MemoryKind::Reflection => store::MemoryKind::Reflection,
            MemoryKind::Plan => store::MemoryKind::Plan,
            MemoryKind::Conversation => store::MemoryKind::Conversation,
        },
        depth: memory.depth,
        text: memory.text.to_string(),
        vector,
        subject: memory.triple.subject.to_string(),
        predicate: memory.triple.predicate.to_string(),
        object: memory.triple.object.to_string(),
        importance: memory.importance,
        expires: memory.expires.map(GameTime::seconds),
        keywords: memory.keywords.iter().map(ToString::to_string).collect(),
        evidence: memory.evidence.iter().copied().map(memory_id).collect(),
        hearsay: None,
        conversation: None,
        place: None,
    }
}

/// A stored memory as a stream takes it back, with its vector; never accessed since it was made.
pub fn recalled(row: store::MemoryRow, hearsay: Option<Hearsay>) -> (Memory, Vec<u8>) {
    let created = GameTime::from_seconds(row.created);
    let memory = Memory {
        id: MemoryId::from_index(row.id),
        kind: match row.kind {
            store::MemoryKind::Observation => MemoryKind::Observation,
            store::MemoryKind::Reflection => MemoryKind::Reflection,
            store::MemoryKind::Plan => MemoryKind::Plan,
            store::MemoryKind::Conversation => MemoryKind::Conversation,
        },
        created,
        expires: row.expires.map(GameTime::from_seconds),
        triple: Triple::new(row.subject, row.predicate, row.object),
        text: row.text.into(),
        importance: row.importance,
        keywords: row.keywords.into_iter().map(Into::into).collect(),
        evidence: row.evidence.into_iter().map(MemoryId::from_index).collect(),
        hearsay,
        depth: row.depth,
        last_accessed: created,
        access_count: 0,
    };
    (memory, row.vector)
}

/// A question that was asked, and its answer; without the calls it rests on. `resident` is none where
/// the town asked.
pub fn task(resident: Option<store::ResidentId>, record: TaskRecord) -> store::TaskRow {
    let mind = record.mind_name().to_owned();
    let cut = (!record.cut.is_nothing()).then(|| serde_json::to_string(&record.cut).unwrap_or_default());
    store::TaskRow {
        resident,
        seq: record.seq,
        kind: record.kind.name().to_owned(),
        input: record.input,
        answer: record.answer,
        mind,
        fallback: record.fallback,
        cut,
        calls: Vec::new(),
    }
}

/// A call that this run paid for.
pub fn call(key: store::CallKey, call: Call) -> store::CallRow {
    store::CallRow {
        key,
        kind: call.kind.name().to_owned(),
        model: call.model,
        request: call.request,
        outcome: call.reply.map(|reply| store::ReplyRow {
            text: reply.text,
            answered_by: Some(reply.model),
            cut_off: reply.cut_off,
            tokens_in: reply.usage.input,
            tokens_cached: reply.usage.cached,
            tokens_out: reply.usage.output,
        }),
        milliseconds: Some(call.ms),
        paid_by: store::Payer::ThisRun,
    }
}

/// What a call brought.
///
/// # Errors
/// What went wrong, where it failed.
pub fn reply(row: &store::CallRow) -> Result<ChatReply, String> {
    let reply = row.outcome.as_ref().map_err(String::clone)?;
    Ok(ChatReply {
        text: reply.text.clone(),
        usage: Usage {
            input: reply.tokens_in,
            cached: reply.tokens_cached,
            output: reply.tokens_out,
        },
        model: reply.answered_by.clone().unwrap_or_else(|| row.model.clone()),
        cut_off: reply.cut_off,
    })
}
