//! An agent on disk: a run file of one resident.
//!
//! Each call that changes anything becomes one tick: first its rows, then a checkpoint with what rows
//! do not hold, namely access times and the agent's inner state. A file whose last tick has no
//! checkpoint was left by a kill in between; opening it forgets that tick, so a call is there whole or
//! not at all.
//!
//! A checkpoint holds what changed since the one before; when changes would outgrow the stream, the next
//! is *full* again. So writing costs as much as was touched, and opening reads little more than one
//! list.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use townsfolk_memory::{Access, Embedder, Hearsay, Memory, MemoryId, MemoryStream, StreamSettings};
use townsfolk_mind::TaskRecord;
use townsfolk_mind::model::Call;
use townsfolk_record as record;
use townsfolk_store::{
    self as store, CallId, MemoryFilter, NewRun, ResidentRow, RunReader, RunState, RunWriter, StoreError,
    Tick, TickRows, TownPart, UsedCall,
};
use townsfolk_time::GameTime;

use crate::calls::Use;
use crate::error::AgentError;

/// The part of the file that says what the agent is: its absence marks another kind of run.
const PART: &str = "agent";

/// The file of an agent, open for writing.
#[derive(Debug)]
pub(crate) struct File {
    writer: RunWriter,
    /// Game time of tick 0.
    start: i64,
    /// What the stream's accesses were when last written.
    accesses: Vec<Access>,
    /// How many accesses were written since the last full checkpoint.
    since_full: usize,
    /// The calls written since the file was opened, by hash.
    calls: BTreeMap<String, CallId>,
}

/// What was asked of the mind, and the calls to a model that it took.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) records: Vec<TaskRecord>,
    /// Calls to be written.
    pub(crate) calls: Vec<Call>,
    /// Which question rests on which call.
    pub(crate) uses: Vec<Use>,
}

/// What a file starts with.
pub(crate) struct Beginning<'a> {
    pub(crate) name: &'a str,
    pub(crate) identity: Value,
    /// Settings that reopening must know.
    pub(crate) agent: Value,
    pub(crate) embedder: &'a dyn Embedder,
    pub(crate) mind: &'a str,
    /// Hash of the prompts, where a model is asked.
    pub(crate) prompts: Option<String>,
    pub(crate) seed: u64,
    pub(crate) now: GameTime,
}

/// What a file held.
pub(crate) struct Opened {
    pub(crate) file: File,
    pub(crate) agent: Value,
    pub(crate) stream: MemoryStream,
    /// The agent's inner state when it was last written; null before the first call.
    pub(crate) state: Value,
}

/// What a checkpoint holds.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    /// Whether it speaks of all memories, and no earlier one need be read.
    full: bool,
    /// Memory, seconds of last access, how often.
    accesses: Vec<(u32, i64, u32)>,
    /// Memory, who told it, which of the teller's memories it was.
    told: Vec<(u32, String, u32)>,
    state: Value,
}

/// What checkpoints say of memories, put together.
#[derive(Default)]
struct Additions {
    accesses: BTreeMap<u32, Access>,
    told: BTreeMap<u32, Hearsay>,
    since_full: usize,
    state: Value,
}

impl File {
    pub(crate) fn create(path: &Path, beginning: &Beginning<'_>) -> Result<Self, AgentError> {
        let resident = ResidentRow {
            id: 0,
            name: beginning.name.to_owned(),
            identity: beginning.identity.to_string(),
            came: 0,
            role: None,
            left: None,
        };
        let writer = RunWriter::create(
            path,
            &NewRun {
                town: beginning.name.to_owned(),
                start: beginning.now.seconds(),
                seconds_per_tick: 1,
                seed: beginning.seed,
                mind: beginning.mind.to_owned(),
                models: None,
                prompts: beginning.prompts.clone(),
                embedder: beginning.embedder.name().to_owned(),
                embedding_dimensions: beginning.embedder.dimensions() as u32,
                townsfolk_version: env!("CARGO_PKG_VERSION").to_owned(),
                parts: vec![TownPart {
                    part: PART.to_owned(),
                    data: beginning.agent.to_string(),
                }],
                residents: vec![resident],
                places: Vec::new(),
            },
        )?;
        Ok(Self {
            writer,
            start: beginning.now.seconds(),
            accesses: Vec::new(),
            since_full: 0,
            calls: BTreeMap::new(),
        })
    }

    pub(crate) fn open(path: &Path, embedder: &dyn Embedder) -> Result<Opened, AgentError> {
        // What is no agent's file is not touched.
        let agent = agent_part(&RunReader::open(path)?)?;
        let mut writer = RunWriter::open(path)?;
        let info = writer.read().info()?;
        let settings = StreamSettings::new(info.embedder, info.embedding_dimensions as usize);
        settings.check_embedder(embedder)?;
        let last = writer.read().last_checkpoint()?;
        writer.truncate_after(last.as_ref().map(|checkpoint| checkpoint.tick))?;
        let (stream, additions) = read(writer.read(), settings)?;
        let file = Self {
            writer,
            start: info.start,
            accesses: stream.accesses().collect(),
            since_full: additions.since_full,
            calls: BTreeMap::new(),
        };
        Ok(Opened {
            file,
            agent,
            stream,
            state: additions.state,
        })
    }

    /// The stream as it was last written.
    pub(crate) fn reload(&self, settings: &StreamSettings) -> Result<MemoryStream, AgentError> {
        Ok(read(self.writer.read(), settings.clone())?.0)
    }

    /// Writes one call: the memories from `first_new` on, accesses, questions and state.
    ///
    /// # Errors
    /// Then the file is as it was before.
    pub(crate) fn save(
        &mut self,
        now: GameTime,
        stream: &MemoryStream,
        asked: Asked,
        state: Value,
    ) -> Result<(), AgentError> {
        let before = self.writer.head();
        // Ticks are seconds where calls are further apart than that.
        let by_clock = u32::try_from(now.seconds().saturating_sub(self.start)).unwrap_or(0);
        let tick = match before {
            Some(head) => by_clock.max(head.saturating_add(1)),
            None => by_clock,
        };
        let mut rows = TickRows::new(tick);
        let added = stream.iter().skip(self.accesses.len());
        rows.memories = added
            .map(|memory| record::memory(0, memory, stream.vector(memory.id).unwrap_or_default()))
            .collect();
        for call in asked.calls {
            let hash = call.key.hash.clone();
            let key = store::CallKey {
                tick,
                resident: Some(0),
                seq: call.key.seq,
                attempt: call.key.attempt,
                hash: call.key.hash.clone(),
            };
            let id = self.writer.record_call(&record::call(key, call))?;
            self.calls.insert(hash, id);
        }
        for used in &asked.uses {
            // A reply of an earlier life serves again.
            if !self.calls.contains_key(&used.hash)
                && let Some(call) = self.writer.read().equal_call(&used.hash, Tick::MAX)?
            {
                self.calls.insert(used.hash.clone(), call.id);
            }
        }
        let rests_on = |seq: u32| {
            let uses = asked.uses.iter().filter(move |used| used.seq == seq);
            let calls = uses.filter_map(|used| {
                Some(UsedCall {
                    attempt: used.attempt,
                    call: *self.calls.get(&used.hash)?,
                })
            });
            calls.collect()
        };
        let records = asked.records.into_iter();
        rows.tasks = records
            .map(|asked| {
                let calls = rests_on(asked.seq);
                store::TaskRow {
                    calls,
                    ..record::task(Some(0), asked)
                }
            })
            .collect();
        self.writer.commit(&rows)?;
        let checkpoint = self.checkpoint(stream, state);
        let bytes = serde_json::to_vec(&checkpoint).unwrap_or_default();
        if let Err(error) = self.writer.checkpoint(tick, &bytes) {
            self.writer.truncate_after(before)?;
            return Err(error.into());
        }
        self.since_full = if checkpoint.full {
            0
        } else {
            self.since_full + checkpoint.accesses.len()
        };
        self.accesses = stream.accesses().collect();
        Ok(())
    }

    /// Ends writing and leaves one whole file.
    pub(crate) fn finish(self) -> Result<(), AgentError> {
        Ok(self.writer.finish(RunState::Paused)?)
    }

    fn checkpoint(&self, stream: &MemoryStream, state: Value) -> Checkpoint {
        // A new memory that was not accessed yet is as its row says.
        let changed = |(memory, known): (&Memory, Option<&Access>)| {
            let now = memory.access();
            let before = known.copied().unwrap_or(Access {
                last_accessed: memory.created,
                access_count: 0,
            });
            (now != before).then_some((
                memory.id.index() as u32,
                now.last_accessed.seconds(),
                now.access_count,
            ))
        };
        let known = self.accesses.iter().map(Some).chain(std::iter::repeat(None));
        let changes: Vec<_> = stream.iter().zip(known).filter_map(changed).collect();
        let full = self.since_full + changes.len() > stream.len().max(1_000);
        let accesses = if full {
            let all = stream.iter().zip(0..);
            all.map(|(m, id)| (id, m.last_accessed.seconds(), m.access_count))
                .collect()
        } else {
            changes
        };
        let written = if full { 0 } else { self.accesses.len() };
        let told = stream.iter().skip(written).filter_map(|memory| {
            let hearsay = memory.hearsay.as_ref()?;
            let [id, source] = [memory.id, hearsay.memory].map(|id| id.index() as u32);
            Some((id, hearsay.teller.to_string(), source))
        });
        Checkpoint {
            full,
            accesses,
            told: told.collect(),
            state,
        }
    }
}

fn agent_part(reader: &RunReader) -> Result<Value, AgentError> {
    let file = || reader.path().display().to_string();
    let parts = reader.town()?;
    let part = parts.iter().find(|part| part.part == PART);
    let part = part.ok_or_else(|| AgentError::NotAnAgent {
        file: file(),
        detail: "the run of a town".to_owned(),
    })?;
    serde_json::from_str(&part.data).map_err(|error| AgentError::NotAnAgent {
        file: file(),
        detail: format!("its settings cannot be read ({error})"),
    })
}

/// The stream in a file, and the rest of what checkpoints say.
fn read(reader: &RunReader, settings: StreamSettings) -> Result<(MemoryStream, Additions), AgentError> {
    let additions = additions(reader)?;
    let rows = reader.memories(0, &MemoryFilter::default())?;
    let memories = rows.into_iter().map(|at| {
        let hearsay = additions.told.get(&at.row.id).cloned();
        record::recalled(at.row, hearsay)
    });
    let mut stream = MemoryStream::rebuild(settings, memories)?;
    let accesses = stream.iter().zip(0..).map(|(memory, id)| {
        let found: Option<&Access> = additions.accesses.get(&id);
        found.copied().unwrap_or(memory.access())
    });
    let accesses: Vec<Access> = accesses.collect();
    stream.set_accesses(&accesses)?;
    Ok((stream, additions))
}

/// Checkpoints from the last back to the last full one; what later ones say counts.
fn additions(reader: &RunReader) -> Result<Additions, AgentError> {
    let mut additions = Additions::default();
    let mut until = Some(Tick::MAX);
    let mut newest = true;
    while let Some(tick) = until
        && let Some(found) = reader.checkpoint_before(tick)?
    {
        let checkpoint: Checkpoint =
            serde_json::from_slice(&found.row).map_err(|error| StoreError::Torn {
                path: reader.path().to_owned(),
                detail: format!("checkpoint of tick {}: {error}", found.tick),
            })?;
        if !checkpoint.full {
            additions.since_full += checkpoint.accesses.len();
        }
        for (id, seconds, access_count) in checkpoint.accesses {
            additions.accesses.entry(id).or_insert(Access {
                last_accessed: GameTime::from_seconds(seconds),
                access_count,
            });
        }
        for (id, teller, memory) in checkpoint.told {
            additions.told.entry(id).or_insert(Hearsay {
                teller: teller.into(),
                memory: MemoryId::from_index(memory),
            });
        }
        if std::mem::take(&mut newest) {
            additions.state = checkpoint.state;
        }
        until = found.tick.checked_sub(1).filter(|_| !checkpoint.full);
    }
    Ok(additions)
}
