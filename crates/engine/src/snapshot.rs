//! An engine's whole state besides the contents of memories, as a checkpoint keeps it.
//!
//! It is JSON, so that any tool can look inside and a field that a later version adds can have a
//! default.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::{Access, Memory, MemoryError, MemoryStream};
use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::{Life, Resident};
use townsfolk_time::GameTime;

use crate::engine::{Engine, Options, Setting, State};
use crate::people::{self, Person};

#[derive(Serialize, Deserialize)]
struct Snapshot {
    state: State,
    residents: Vec<Inner>,
}

#[derive(Serialize, Deserialize)]
struct Inner {
    life: Life,
    /// How many memories there are.
    memories: usize,
    /// Those that were ever retrieved: index, when last (seconds), how often.
    accesses: Vec<(usize, i64, u32)>,
}

/// Why a checkpoint cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It is not a checkpoint this version can read.
    #[error("the checkpoint cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It speaks of other residents or memories than the run file holds.
    #[error("the checkpoint does not fit its run file: {0}")]
    Mismatch(String),
    /// The memories themselves don't fit.
    #[error("memories of {who}: {error}")]
    Memories {
        /// Whose.
        who: String,
        /// What is wrong with them.
        error: MemoryError,
    },
}

impl Engine {
    /// The state as JSON bytes.
    pub(crate) fn snapshot(&self) -> Result<Vec<u8>, SnapshotError> {
        let inner = |resident: &Resident| {
            let accesses = resident.stream.accesses();
            let used = accesses.enumerate().filter(|(_, a)| a.access_count > 0);
            Inner {
                life: resident.life.clone(),
                memories: resident.stream.len(),
                accesses: used
                    .map(|(i, a)| (i, a.last_accessed.seconds(), a.access_count))
                    .collect(),
            }
        };
        let residents = self.residents.iter().map(inner).collect();
        Ok(serde_json::to_vec(&Snapshot {
            state: self.state.clone(),
            residents,
        })?)
    }

    /// An engine that goes on from `snapshot`; `memories_of` gives each person's stored ones, in order,
    /// with their vectors, up to the checkpoint's tick.
    pub(crate) fn restore<E: From<SnapshotError>>(
        setting: Arc<Setting>,
        options: Options,
        snapshot: &[u8],
        mut memories_of: impl FnMut(ResidentId, &[Person]) -> Result<Vec<(Memory, Vec<u8>)>, E>,
    ) -> Result<Self, E> {
        let Snapshot {
            state,
            residents: inner,
        } = serde_json::from_slice(snapshot).map_err(SnapshotError::from)?;
        let people = people::all(&setting.town, &state.arrived);
        if inner.len() != people.len() || state.bodies.len() != people.len() {
            let (found, expected) = (inner.len(), people.len());
            let text = format!("{found} residents instead of {expected}");
            return Err(SnapshotError::Mismatch(text).into());
        }
        let stream = setting.minds.stream();
        let mut residents = Vec::with_capacity(inner.len());
        for ((inner, person), id) in inner.into_iter().zip(&people).zip(0..) {
            let who = person.name();
            let memories = memories_of(ResidentId(id), &people)?;
            if memories.len() != inner.memories {
                let (found, expected) = (memories.len(), inner.memories);
                let text = format!("{who} has {found} memories instead of {expected}");
                return Err(SnapshotError::Mismatch(text).into());
            }
            let wrong = |error| SnapshotError::Memories {
                who: who.to_string(),
                error,
            };
            let mut stream = MemoryStream::rebuild(stream.clone(), memories).map_err(wrong)?;
            let mut accesses: Vec<Access> = stream.accesses().collect();
            for (index, last, access_count) in inner.accesses {
                let access = Access {
                    last_accessed: GameTime::from_seconds(last),
                    access_count,
                };
                match accesses.get_mut(index) {
                    Some(slot) => *slot = access,
                    None => {
                        return Err(SnapshotError::Mismatch(format!("{who} has no memory {index}")).into());
                    }
                }
            }
            stream.set_accesses(&accesses).map_err(wrong)?;
            let settings = person.newcomer.settings.clone();
            residents.push(Resident {
                id: ResidentId(id),
                settings,
                stream,
                life: inner.life,
            });
        }
        Ok(Self::assemble(setting, options, residents, state))
    }
}
