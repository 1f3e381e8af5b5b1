//! Memories, what they rest on, and what rests on them.

use rusqlite::{OptionalExtension as _, Row, params, types::Type};

use super::{RunReader, at};
use crate::error::Result;
use crate::rows::{At, HearsayRow, MemoryId, MemoryKind, MemoryRow, ResidentId, Tick};

/// All of a memory, from `memory m` and `text t`.
const MEMORY: &str = "SELECT m.tick, m.resident, m.id, m.created, m.kind, m.depth, t.text, t.vector,
    m.subject, m.predicate, m.object, m.importance, m.expires, m.keywords,
    (SELECT json_group_array(evidence ORDER BY position) FROM evidence e
     WHERE e.resident = m.resident AND e.memory = m.id),
    m.teller, m.told_memory, m.conversation, m.place
    FROM memory m CROSS JOIN text t ON t.id = m.text";

/// Which of a resident's memories to read; the default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFilter {
    /// Only those made after this tick.
    pub after: Option<Tick>,
    /// Only those made at this tick or before.
    pub until: Option<Tick>,
    /// Only these kinds; empty for every kind.
    pub kinds: Vec<MemoryKind>,
    /// Only those whose text contains this, in any case.
    pub containing: Option<String>,
    /// Only those of at least this importance.
    pub min_importance: Option<u8>,
    /// Only those that speak of this person, or were told by them.
    pub involving: Option<Person>,
    /// Only those made before this one.
    pub before: Option<MemoryId>,
    /// Only so many, the newest.
    pub newest: Option<usize>,
}

/// Somebody whom memories speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Their id, by which tellers are known.
    pub id: ResidentId,
    /// Their full name, by which triples and keywords know them.
    pub name: String,
}

impl MemoryFilter {
    fn passes(&self, kind: MemoryKind, text: &str) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self
                .containing
                .as_ref()
                .is_none_or(|part| text.to_lowercase().contains(&part.to_lowercase()))
    }

    fn involves(&self, memory: &MemoryRow) -> bool {
        self.involving.as_ref().is_none_or(|person| {
            let told = memory.hearsay.is_some_and(|hearsay| hearsay.teller == person.id);
            let named = |text: &String| *text == person.name;
            let lower = person.name.to_lowercase();
            let keyword = |word: &String| word.to_lowercase() == lower;
            let spoken_of = || memory.text.to_lowercase().contains(&lower);
            told || named(&memory.subject)
                || named(&memory.object)
                || memory.keywords.iter().any(keyword)
                || spoken_of()
        })
    }
}

impl RunReader {
    /// Memories of a resident, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn memories(&self, resident: ResidentId, filter: &MemoryFilter) -> Result<Vec<At<MemoryRow>>> {
        let mut memories = self
            .newest_first(resident, filter)
            .map_err(|error| self.explain("reading memories", error))?;
        memories.reverse();
        Ok(memories)
    }

    /// One memory of a resident.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn memory(&self, resident: ResidentId, id: MemoryId) -> Result<Option<At<MemoryRow>>> {
        self.db
            .prepare_cached(&format!("{MEMORY} WHERE m.resident = ?1 AND m.id = ?2"))
            .and_then(|mut query| query.query_row([resident, id], read_memory).optional())
            .map_err(|error| self.explain("reading a memory", error))
    }

    /// The memories of the same resident that rest on this one, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn resting_on(&self, resident: ResidentId, memory: MemoryId) -> Result<Vec<MemoryId>> {
        self.rows(
            "reading evidence",
            "SELECT DISTINCT memory FROM evidence
             WHERE resident = ?1 AND memory > ?2 AND evidence = ?2 ORDER BY memory",
            [resident, memory],
            |row| row.get(0),
        )
    }

    /// The vector of a text that was embedded before.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn vector(&self, text: &str) -> Result<Option<Vec<u8>>> {
        self.db
            .prepare_cached("SELECT vector FROM text WHERE text = ?1")
            .and_then(|mut find| find.query_row([text], |row| row.get(0)).optional())
            .map_err(|error| self.explain("looking for a vector", error))
    }

    fn newest_first(
        &self,
        resident: ResidentId,
        filter: &MemoryFilter,
    ) -> rusqlite::Result<Vec<At<MemoryRow>>> {
        let mut query = self.db.prepare_cached(&format!(
            "{MEMORY}
             WHERE m.resident = ?1 AND m.tick > ?2 AND m.tick <= ?3 AND m.id < ?4
               AND m.importance >= ?5
             ORDER BY m.id DESC"
        ))?;
        let after = filter.after.map_or(-1, i64::from);
        let mut found = query.query(params![
            resident,
            after,
            filter.until.unwrap_or(Tick::MAX),
            filter.before.unwrap_or(MemoryId::MAX),
            filter.min_importance.unwrap_or(0),
        ])?;
        let mut memories = Vec::new();
        while filter.newest.is_none_or(|newest| memories.len() < newest) {
            let Some(row) = found.next()? else { break };
            if !filter.passes(row.get(4)?, row.get_ref(6)?.as_str()?) {
                continue;
            }
            let memory = read_memory(row)?;
            if filter.involves(&memory.row) {
                memories.push(memory);
            }
        }
        Ok(memories)
    }
}

fn read_memory(row: &Row<'_>) -> rusqlite::Result<At<MemoryRow>> {
    let teller: Option<ResidentId> = row.get(15)?;
    let told_memory: Option<MemoryId> = row.get(16)?;
    let memory = MemoryRow {
        resident: row.get(1)?,
        id: row.get(2)?,
        created: row.get(3)?,
        kind: row.get(4)?,
        depth: row.get(5)?,
        text: row.get(6)?,
        vector: row.get(7)?,
        subject: row.get(8)?,
        predicate: row.get(9)?,
        object: row.get(10)?,
        importance: row.get(11)?,
        expires: row.get(12)?,
        keywords: json(row, 13)?,
        evidence: json(row, 14)?,
        hearsay: teller
            .zip(told_memory)
            .map(|(teller, memory)| HearsayRow { teller, memory }),
        conversation: row.get(17)?,
        place: row.get(18)?,
    };
    at(row, memory)
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}
