//! What was asked and answered, what was put in from outside, what went wrong, and checkpoints.

use std::io::Read as _;
use std::ops::RangeInclusive;

use flate2::read::ZlibDecoder;
use rusqlite::{OptionalExtension as _, Row, params};

use super::{RunReader, at};
use crate::error::{Result, StoreError};
use crate::rows::{At, InputRow, NoticeRow, ResidentId, TaskRow, Tick};

/// Which tasks to read; the default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Only those of this tick or later.
    pub from: Option<Tick>,
    /// Only those of this tick or earlier.
    pub until: Option<Tick>,
    /// Only this resident's.
    pub resident: Option<ResidentId>,
    /// Only this kind.
    pub kind: Option<String>,
}

/// A task as it is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// The tick that asked.
    pub tick: Tick,
    /// Question and answer.
    pub row: TaskRow,
    /// Whether the tick was committed with this answer. A reply that is not settled was bought for
    /// a tick that is still to be executed (again).
    pub settled: bool,
}

/// Sums over the settled tasks of one resident, kind and mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskCount {
    /// For whom.
    pub resident: Option<ResidentId>,
    /// Which task.
    pub kind: String,
    /// Who answered.
    pub mind: String,
    /// How many.
    pub tasks: u64,
    /// How many of them ended in a fallback.
    pub fallbacks: u64,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Wall-clock milliseconds spent.
    pub milliseconds: u64,
}

/// Sums over tasks; conditions may follow.
const COUNTS: &str = "SELECT resident, kind, mind, count(*), count(fallback), sum(tokens_in),
    sum(tokens_out), ifnull(sum(ms), 0) FROM task WHERE settled = 1";
const COUNTED_BY: &str = "GROUP BY resident, kind, mind ORDER BY resident, kind, mind";

impl RunReader {
    /// Tasks by tick, resident and sequence.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn tasks(&self, filter: &TaskFilter) -> Result<Vec<TaskRecord>> {
        self.rows(
            "reading tasks",
            "SELECT tick, resident, seq, kind, input, answer, mind, prompt, reply, tokens_in,
                    tokens_out, ms, fallback, settled FROM task
             WHERE tick BETWEEN ?1 AND ?2 AND (?3 IS NULL OR resident = ?3)
               AND (?4 IS NULL OR kind = ?4)
             ORDER BY tick, ifnull(resident, -1), seq",
            params![
                filter.from.unwrap_or(0),
                filter.until.unwrap_or(Tick::MAX),
                filter.resident,
                filter.kind
            ],
            read_task,
        )
    }

    /// Replies that were paid for and whose ticks are still to be executed, by tick, resident and
    /// sequence: what to use instead of asking again, where the prompt is the same.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn bought(&self) -> Result<Vec<At<TaskRow>>> {
        self.rows(
            "reading bought replies",
            "SELECT tick, resident, seq, kind, input, answer, mind, prompt, reply, tokens_in,
                    tokens_out, ms, fallback, settled FROM task
             WHERE settled = 0 AND reply IS NOT NULL
             ORDER BY tick, ifnull(resident, -1), seq",
            [],
            |row| {
                read_task(row).map(|task| At {
                    tick: task.tick,
                    row: task.row,
                })
            },
        )
    }

    /// How often what was asked, and what it cost: by resident, kind and mind.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn task_counts(&self) -> Result<Vec<TaskCount>> {
        self.rows(
            "counting tasks",
            &format!("{COUNTS} {COUNTED_BY}"),
            [],
            read_count,
        )
    }

    /// The same for what was asked up to `tick`.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn task_counts_until(&self, tick: Tick) -> Result<Vec<TaskCount>> {
        self.reached(tick)?;
        self.rows(
            "counting tasks",
            &format!("{COUNTS} AND tick <= ?1 {COUNTED_BY}"),
            [tick],
            read_count,
        )
    }

    /// Steering recorded for `ticks`, in the order it acts. May reach past the head.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn inputs(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<InputRow>>> {
        self.rows(
            "reading inputs",
            "SELECT tick, kind, json FROM input WHERE tick BETWEEN ?1 AND ?2 ORDER BY tick, seq",
            [ticks.start(), ticks.end()],
            |row| {
                at(
                    row,
                    InputRow {
                        kind: row.get(1)?,
                        json: row.get(2)?,
                    },
                )
            },
        )
    }

    /// Notices of `ticks`, in the order they were given.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn notices(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<NoticeRow>>> {
        self.rows(
            "reading notices",
            "SELECT tick, resident, kind, detail FROM notice WHERE tick BETWEEN ?1 AND ?2
             ORDER BY tick, seq",
            [ticks.start(), ticks.end()],
            |row| {
                at(
                    row,
                    NoticeRow {
                        resident: row.get(1)?,
                        kind: row.get(2)?,
                        detail: row.get(3)?,
                    },
                )
            },
        )
    }

    /// The ticks that have a checkpoint, in order.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn checkpoint_ticks(&self) -> Result<Vec<Tick>> {
        self.rows(
            "reading checkpoints",
            "SELECT tick FROM checkpoint ORDER BY tick",
            [],
            |row| row.get(0),
        )
    }

    /// The last checkpoint.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn last_checkpoint(&self) -> Result<Option<At<Vec<u8>>>> {
        self.checkpoint_before(Tick::MAX)
    }

    /// The last checkpoint at `tick` or before it: the engine's state at the end of that tick.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn checkpoint_before(&self, tick: Tick) -> Result<Option<At<Vec<u8>>>> {
        let found: Option<At<Vec<u8>>> = self
            .db
            .prepare_cached("SELECT tick, state FROM checkpoint WHERE tick <= ?1 ORDER BY tick DESC LIMIT 1")
            .and_then(|mut query| query.query_row([tick], |row| at(row, row.get(1)?)).optional())
            .map_err(|error| self.explain("reading a checkpoint", error))?;
        found.map(|compressed| self.inflate(compressed)).transpose()
    }

    fn inflate(&self, compressed: At<Vec<u8>>) -> Result<At<Vec<u8>>> {
        let mut state = Vec::new();
        ZlibDecoder::new(compressed.row.as_slice())
            .read_to_end(&mut state)
            .map_err(|error| StoreError::Torn {
                path: self.path.clone(),
                detail: format!("checkpoint of tick {}: {error}", compressed.tick),
            })?;
        Ok(At {
            tick: compressed.tick,
            row: state,
        })
    }
}

fn read_count(row: &Row<'_>) -> rusqlite::Result<TaskCount> {
    Ok(TaskCount {
        resident: row.get(0)?,
        kind: row.get(1)?,
        mind: row.get(2)?,
        tasks: unsigned(row, 3)?,
        fallbacks: unsigned(row, 4)?,
        tokens_in: unsigned(row, 5)?,
        tokens_out: unsigned(row, 6)?,
        milliseconds: unsigned(row, 7)?,
    })
}

/// Sums come as SQLite's signed integers.
fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

fn read_task(row: &Row<'_>) -> rusqlite::Result<TaskRecord> {
    Ok(TaskRecord {
        tick: row.get(0)?,
        row: TaskRow {
            resident: row.get(1)?,
            seq: row.get(2)?,
            kind: row.get(3)?,
            input: row.get(4)?,
            answer: row.get(5)?,
            mind: row.get(6)?,
            prompt: row.get(7)?,
            reply: row.get(8)?,
            tokens_in: row.get(9)?,
            tokens_out: row.get(10)?,
            milliseconds: row.get(11)?,
            fallback: row.get(12)?,
        },
        settled: row.get(13)?,
    })
}
