//! A run's content in 32 bytes, so that two runs can be compared.
//!
//! The digest covers what happened: every content table in a fixed order, every row in key order.
//! It leaves out what may differ between two runs of the same history: wall-clock times, the
//! program's version, lineage (a fork that does the same has the same digest), checkpoints,
//! row numbers SQLite chose, and replies bought that no tick rests on.

use std::fmt;

use rusqlite::types::ValueRef;

use crate::error::Result;
use crate::read::RunReader;
use crate::rows::Tick;

/// A BLAKE3 hash; written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Bytes gathered before they are hashed; the hash is many times faster on long input.
const HASHED_AT_ONCE: usize = 1 << 16;

/// For each table, its content up to tick `?1` in canonical order.
const CONTENT: &[(&str, &str)] = &[
    (
        "meta",
        "SELECT key, value FROM meta WHERE ?1 >= -1 AND key IN ('town', 'start',
           'seconds_per_tick', 'seed', 'mind', 'embedder', 'embedding_dimensions') ORDER BY key",
    ),
    ("town", "SELECT part, data FROM town WHERE ?1 >= -1 ORDER BY part"),
    (
        "resident",
        "SELECT id, name, identity, came, role, iif(\"left\" <= ?1, \"left\", NULL) FROM resident
         WHERE came <= max(?1, 0) ORDER BY id",
    ),
    (
        "place",
        "SELECT id, parent, kind, name, address FROM place WHERE ?1 >= -1 ORDER BY id",
    ),
    (
        "identity",
        "SELECT resident, tick, identity FROM identity WHERE tick <= ?1 ORDER BY resident, tick",
    ),
    (
        "move",
        "SELECT resident, tick, x, y FROM move WHERE tick <= ?1 ORDER BY resident, tick",
    ),
    (
        "action",
        "SELECT resident, tick, activity, place, emoji, subject, predicate, object, status, ends
         FROM action WHERE tick <= ?1 ORDER BY resident, tick",
    ),
    (
        "object_state",
        "SELECT place, tick, state, by FROM object_state WHERE tick <= ?1 ORDER BY place, tick",
    ),
    (
        "memory",
        "SELECT m.resident, m.id, m.tick, m.created, m.kind, m.depth, t.text, t.vector, m.subject,
                m.predicate, m.object, m.importance, m.expires, m.keywords, m.teller,
                m.told_memory, m.conversation, m.place
         FROM memory m CROSS JOIN text t ON t.id = m.text
         WHERE m.tick <= ?1 ORDER BY m.resident, m.id",
    ),
    (
        "evidence",
        "SELECT e.resident, e.memory, e.position, e.evidence
         FROM memory m CROSS JOIN evidence e ON e.resident = m.resident AND e.memory = m.id
         WHERE m.tick <= ?1 ORDER BY m.resident, m.id, e.position",
    ),
    (
        "plan",
        "SELECT resident, date, revision, tick, cause_memory, strokes FROM plan
         WHERE tick <= ?1 ORDER BY resident, date, revision",
    ),
    (
        "plan_entry",
        "SELECT p.resident, p.date, p.revision, e.level, e.start, e.minutes, e.tick, e.activity,
                e.place, e.cause_memory
         FROM plan p CROSS JOIN plan_entry e ON e.plan = p.id
         WHERE e.tick <= ?1 ORDER BY p.resident, p.date, p.revision, e.level, e.start",
    ),
    (
        "conversation",
        "SELECT id, tick, a, b, place, iif(ended <= ?1, ended, NULL),
                iif(ended <= ?1, end_reason, NULL)
         FROM conversation WHERE tick <= ?1 ORDER BY id",
    ),
    (
        "line",
        "SELECT conversation, turn, tick, speaker, text, tells, decision FROM line
         WHERE tick <= ?1 ORDER BY conversation, turn",
    ),
    (
        "appointment",
        "SELECT resident, id, tick, what, place, start, \"end\", host, status, reason, memory
         FROM appointment WHERE tick <= ?1 ORDER BY resident, id, tick",
    ),
    (
        "task",
        "SELECT tick, resident, seq, kind, input, answer, mind, fallback, cut
         FROM task WHERE tick <= ?1 ORDER BY tick, ifnull(resident, -1), seq",
    ),
    (
        "call",
        "SELECT u.tick, u.resident, u.seq, u.attempt, c.tick, c.kind, c.model, c.request, c.reply,
                c.answered_by, c.cut_off, c.error, c.tokens_in, c.tokens_cached, c.tokens_out
         FROM task_call u CROSS JOIN call c ON c.id = u.call
         WHERE u.tick <= ?1 ORDER BY u.tick, ifnull(u.resident, -1), u.seq, u.attempt",
    ),
    (
        "input",
        "SELECT tick, kind, json FROM input WHERE tick <= ?1 ORDER BY tick, seq",
    ),
    (
        "notice",
        "SELECT tick, resident, kind, detail FROM notice WHERE tick <= ?1 ORDER BY tick, seq",
    ),
];

impl RunReader {
    /// The digest of the whole run.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn digest(&self) -> Result<Digest> {
        self.snapshot(|run| run.digest_up_to(run.head()?))
    }

    /// The digest of the run as it was at `tick`. Two runs part at the first tick for which this
    /// differs.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn digest_at(&self, tick: Tick) -> Result<Digest> {
        self.snapshot(|run| {
            run.reached(tick)?;
            run.digest_up_to(Some(tick))
        })
    }

    /// A digest for each content table at `tick`, to see where two runs differ.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn table_digests(&self, tick: Tick) -> Result<Vec<(&'static str, Digest)>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            run.tables_up_to(i64::from(tick))
        })
    }

    fn digest_up_to(&self, tick: Option<Tick>) -> Result<Digest> {
        let tick = tick.map_or(-1, i64::from);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&tick.to_le_bytes());
        for (table, digest) in self.tables_up_to(tick)? {
            hasher.update(table.as_bytes());
            hasher.update(&digest.0);
        }
        Ok(Digest(*hasher.finalize().as_bytes()))
    }

    fn tables_up_to(&self, tick: i64) -> Result<Vec<(&'static str, Digest)>> {
        CONTENT
            .iter()
            .map(|(table, sql)| {
                hash_table(self.connection(), sql, tick)
                    .map(|digest| (*table, digest))
                    .map_err(|error| self.explain("computing the digest", error))
            })
            .collect()
    }
}

fn hash_table(db: &rusqlite::Connection, sql: &str, tick: i64) -> rusqlite::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    let mut pending = Vec::with_capacity(2 * HASHED_AT_ONCE);
    let mut query = db.prepare_cached(sql)?;
    let columns = query.column_count();
    let mut rows = query.query([tick])?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            encode(&mut pending, row.get_ref(column)?);
        }
        if pending.len() >= HASHED_AT_ONCE {
            hasher.update(&pending);
            pending.clear();
        }
    }
    hasher.update(&pending);
    Ok(Digest(*hasher.finalize().as_bytes()))
}

/// Each value with its type and length, so that no two lists of values look alike.
fn encode(bytes: &mut Vec<u8>, value: ValueRef<'_>) {
    let mut put = |kind: u8, content: &[u8]| {
        bytes.push(kind);
        bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
        bytes.extend_from_slice(content);
    };
    match value {
        ValueRef::Null => put(b'0', &[]),
        ValueRef::Integer(number) => put(b'i', &number.to_le_bytes()),
        ValueRef::Real(number) => put(b'r', &number.to_bits().to_le_bytes()),
        ValueRef::Text(text) => put(b't', text),
        ValueRef::Blob(blob) => put(b'b', blob),
    }
}
