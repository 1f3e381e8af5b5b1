//! Calls to models: what was sent, what came back, which ticks rest on it, and what it took.

use rusqlite::{OptionalExtension as _, Params, Row, params};

use super::RunReader;
use super::ledger::unsigned;
use crate::error::Result;
use crate::rows::{CallId, CallKey, CallRow, Payer, ReplyRow, ResidentId, Tick};

/// A call as it is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRecord {
    /// Its number.
    pub id: CallId,
    /// What was asked and answered.
    pub row: CallRow,
    /// Whether a tick that was committed rested on it, then or later.
    pub settled: bool,
}

/// A call, and the attempt at a question that rests on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallUse {
    /// The tick of the question.
    pub tick: Tick,
    /// Whose question.
    pub resident: Option<ResidentId>,
    /// Which of the resident's questions of the tick.
    pub seq: u32,
    /// Which attempt.
    pub attempt: u8,
    /// The call: the attempt's own, or an equal one of an earlier tick whose reply served again.
    pub call: CallRecord,
}

impl CallUse {
    /// Whether the reply came from an equal call of an earlier tick.
    pub fn from_cache(&self) -> bool {
        self.call.row.key.tick != self.tick
    }
}

/// Which uses of calls to read; the default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Only those of this tick or later.
    pub from: Option<Tick>,
    /// Only those of this tick or earlier.
    pub until: Option<Tick>,
    /// Only this resident's.
    pub resident: Option<ResidentId>,
    /// Only for this kind of task.
    pub kind: Option<String>,
}

/// Sums over the uses of calls of one resident, kind of task, model and stretch of ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// For whom.
    pub resident: Option<ResidentId>,
    /// For which task.
    pub kind: String,
    /// Who was asked.
    pub model: String,
    /// Which stretch, from 0.
    pub stretch: u32,
    /// Calls that were made.
    pub calls: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// Attempts that an earlier call served again.
    pub from_cache: u64,
    /// Tokens sent, cached ones included.
    pub tokens_in: u64,
    /// Of them, tokens that providers had in their caches.
    pub tokens_cached: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Wall-clock milliseconds spent waiting.
    pub milliseconds: u64,
}

/// What was paid for by this run, to one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The model.
    pub model: String,
    /// Calls, whether a tick rests on them or not.
    pub calls: u64,
    /// Tokens sent, cached ones included.
    pub tokens_in: u64,
    /// Of them, tokens that the provider had in its cache.
    pub tokens_cached: u64,
    /// Tokens received.
    pub tokens_out: u64,
}

const CALL: &str = "c.id, c.tick, c.resident, c.seq, c.attempt, c.hash, c.kind, c.model, c.request, c.reply,
    c.answered_by, c.cut_off, c.error, c.tokens_in, c.tokens_cached, c.tokens_out, c.ms, c.settled,
    c.inherited";

/// Which call each attempt at a question rests on. A call that made vectors answers no question: it belongs to
/// the tick it was made for, once that is committed.
const USES: &str = "(SELECT tick, resident, seq, attempt, call FROM task_call
    UNION ALL SELECT tick, resident, seq, attempt, id FROM call WHERE kind = 'embedding'
       AND tick <= (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'head_tick'))";

impl RunReader {
    /// This very call, if it was made.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn call(&self, key: &CallKey) -> Result<Option<CallRecord>> {
        self.maybe_call(
            &format!(
                "SELECT {CALL} FROM call c WHERE c.tick = ?1 AND ifnull(c.resident, -1) = ifnull(?2, -1)
                   AND c.seq = ?3 AND c.attempt = ?4 AND c.hash = ?5"
            ),
            params![key.tick, key.resident, key.seq, key.attempt, key.hash],
        )
    }

    /// The first call with a reply that asked the same and on which a tick before `tick` rests.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn equal_call(&self, hash: &str, tick: Tick) -> Result<Option<CallRecord>> {
        self.maybe_call(
            &format!(
                "SELECT {CALL} FROM call c WHERE c.hash = ?1 AND c.hash <> '' AND c.reply IS NOT NULL
                   AND EXISTS (SELECT 1 FROM task_call u WHERE u.call = c.id AND u.tick < ?2)
                 ORDER BY c.tick, ifnull(c.resident, -1), c.seq, c.attempt LIMIT 1"
            ),
            params![hash, tick],
        )
    }

    /// The first call with a reply that asked the same for a tick before `tick`, whether anything rests on
    /// it yet or not.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn earlier_call(&self, hash: &str, tick: Tick) -> Result<Option<CallRecord>> {
        self.maybe_call(
            &format!(
                "SELECT {CALL} FROM call c WHERE c.hash = ?1 AND c.hash <> '' AND c.reply IS NOT NULL
                   AND c.tick < ?2
                 ORDER BY c.tick, ifnull(c.resident, -1), c.seq, c.attempt LIMIT 1"
            ),
            params![hash, tick],
        )
    }

    /// The call that an attempt at a question of a committed tick rests on; the key's hash does not
    /// matter.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn used_call(&self, key: &CallKey) -> Result<Option<CallRecord>> {
        self.maybe_call(
            &format!(
                "SELECT {CALL} FROM task_call u JOIN call c ON c.id = u.call
                 WHERE u.tick = ?1 AND ifnull(u.resident, -1) = ifnull(?2, -1) AND u.seq = ?3
                   AND u.attempt = ?4"
            ),
            params![key.tick, key.resident, key.seq, key.attempt],
        )
    }

    /// Uses of calls by tick, resident, question and attempt, handed over one by one: a long run
    /// holds more text than fits into memory.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn), and what `each` gives back.
    pub fn calls<E: From<crate::StoreError>>(
        &self,
        filter: &CallFilter,
        mut each: impl FnMut(CallUse) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| E::from(self.explain("reading calls", error));
        let mut query = self
            .db
            .prepare_cached(&format!(
                "SELECT {CALL}, u.tick, u.resident, u.seq, u.attempt
                 FROM {USES} u JOIN call c ON c.id = u.call
                 WHERE u.tick BETWEEN ?1 AND ?2 AND (?3 IS NULL OR u.resident = ?3)
                   AND (?4 IS NULL OR c.kind = ?4)
                 ORDER BY u.tick, ifnull(u.resident, -1), u.seq, u.attempt, c.id"
            ))
            .map_err(failed)?;
        let mut rows = query
            .query(params![
                filter.from.unwrap_or(0),
                filter.until.unwrap_or(Tick::MAX),
                filter.resident,
                filter.kind
            ])
            .map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(read_use(row).map_err(failed)?)?;
        }
        Ok(())
    }

    /// Calls that this run has paid for and that no tick rests on: for ticks it has not come to, or asked ahead for a tick
    /// that came otherwise; by tick, resident, question and attempt.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn unused_calls(&self) -> Result<Vec<CallRecord>> {
        self.rows(
            "reading calls",
            &format!(
                "SELECT {CALL} FROM call c WHERE c.inherited = 0
                   AND NOT EXISTS (SELECT 1 FROM task_call u WHERE u.call = c.id)
                 ORDER BY c.tick, ifnull(c.resident, -1), c.seq, c.attempt, c.id"
            ),
            [],
            read_call,
        )
    }

    /// What calls took up to and including `tick`: by resident, kind of task, model, and stretches
    /// of so many ticks.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn call_counts(&self, tick: Tick, ticks_per_stretch: u32) -> Result<Vec<CallCount>> {
        self.rows(
            "counting calls",
            &format!(
                "SELECT u.resident, c.kind, c.model, u.tick / ?2 AS stretch,
                    sum(u.tick = c.tick), sum(u.tick = c.tick AND c.error IS NOT NULL),
                    sum(u.tick <> c.tick), sum(iif(u.tick = c.tick, c.tokens_in, 0)),
                    sum(iif(u.tick = c.tick, c.tokens_cached, 0)),
                    sum(iif(u.tick = c.tick, c.tokens_out, 0)),
                    sum(iif(u.tick = c.tick, ifnull(c.ms, 0), 0))
             FROM {USES} u JOIN call c ON c.id = u.call WHERE u.tick <= ?1
             GROUP BY u.resident, c.kind, c.model, stretch
             ORDER BY u.resident, c.kind, c.model, stretch"
            ),
            params![tick, ticks_per_stretch.max(1)],
            |row| {
                Ok(CallCount {
                    resident: row.get(0)?,
                    kind: row.get(1)?,
                    model: row.get(2)?,
                    stretch: row.get(3)?,
                    calls: unsigned(row, 4)?,
                    failed: unsigned(row, 5)?,
                    from_cache: unsigned(row, 6)?,
                    tokens_in: unsigned(row, 7)?,
                    tokens_cached: unsigned(row, 8)?,
                    tokens_out: unsigned(row, 9)?,
                    milliseconds: unsigned(row, 10)?,
                })
            },
        )
    }

    /// What this run has paid for, by model, whether any tick rests on it or not. What it was given
    /// by the run it was forked from, or replays, is not in it.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn spent(&self) -> Result<Vec<Spent>> {
        self.rows(
            "adding up calls",
            "SELECT model, count(*), sum(tokens_in), sum(tokens_cached), sum(tokens_out) FROM call
             WHERE inherited = 0 GROUP BY model ORDER BY model",
            [],
            |row| {
                Ok(Spent {
                    model: row.get(0)?,
                    calls: unsigned(row, 1)?,
                    tokens_in: unsigned(row, 2)?,
                    tokens_cached: unsigned(row, 3)?,
                    tokens_out: unsigned(row, 4)?,
                })
            },
        )
    }

    fn maybe_call(&self, sql: &str, values: impl Params) -> Result<Option<CallRecord>> {
        self.db
            .prepare_cached(sql)
            .and_then(|mut query| query.query_row(values, read_call).optional())
            .map_err(|error| self.explain("looking for a call", error))
    }
}

fn read_call(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    let reply: Option<String> = row.get(9)?;
    let outcome = match reply {
        Some(text) => Ok(ReplyRow {
            text,
            answered_by: row.get(10)?,
            cut_off: row.get(11)?,
            tokens_in: row.get(13)?,
            tokens_cached: row.get(14)?,
            tokens_out: row.get(15)?,
        }),
        None => Err(row.get(12)?),
    };
    Ok(CallRecord {
        id: CallId(row.get(0)?),
        row: CallRow {
            key: CallKey {
                tick: row.get(1)?,
                resident: row.get(2)?,
                seq: row.get(3)?,
                attempt: row.get(4)?,
                hash: row.get(5)?,
            },
            kind: row.get(6)?,
            model: row.get(7)?,
            request: row.get(8)?,
            outcome,
            milliseconds: row.get(16)?,
            paid_by: if row.get(18)? {
                Payer::AnotherRun
            } else {
                Payer::ThisRun
            },
        },
        settled: row.get(17)?,
    })
}

fn read_use(row: &Row<'_>) -> rusqlite::Result<CallUse> {
    Ok(CallUse {
        tick: row.get(19)?,
        resident: row.get(20)?,
        seq: row.get(21)?,
        attempt: row.get(22)?,
        call: read_call(row)?,
    })
}
