//! What was asked and answered, what was put in from outside, what went wrong, and checkpoints.

use std::io::Read as _;
use std::ops::RangeInclusive;

use flate2::read::ZlibDecoder;
use rusqlite::{OptionalExtension as _, Row, params};

use super::{RunReader, at};
use crate::error::{Result, StoreError};
use crate::rows::{At, CallId, InputRow, NoticeRow, ResidentId, TaskRow, Tick, UsedCall};

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

/// Sums over the tasks of one resident, kind and mind.
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
}

impl TaskCount {
    /// How many of them were put to a model, of which fallbacks are a share: not those whose answer was known anyway, nor
    /// the routine mind's own.
    pub fn put_to_models(&self) -> u64 {
        match self.mind.as_str() {
            "known" => 0,
            "routine" => self.fallbacks,
            _ => self.tasks,
        }
    }
}

impl RunReader {
    /// Tasks by tick, resident and sequence.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn tasks(&self, filter: &TaskFilter) -> Result<Vec<At<TaskRow>>> {
        self.rows(
            "reading tasks",
            &tasks_sql(filter.resident.is_some()),
            params![
                filter.from.unwrap_or(0),
                filter.until.unwrap_or(Tick::MAX),
                filter.resident,
                filter.kind
            ],
            read_task,
        )
    }

    /// How often what was asked up to and including `tick`: by resident, kind and mind.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn task_counts(&self, tick: Tick) -> Result<Vec<TaskCount>> {
        self.rows(
            "counting tasks",
            "SELECT resident, kind, mind, count(*), count(fallback) FROM task WHERE tick <= ?1
             GROUP BY resident, kind, mind ORDER BY resident, kind, mind",
            [tick],
            |row| {
                Ok(TaskCount {
                    resident: row.get(0)?,
                    kind: row.get(1)?,
                    mind: row.get(2)?,
                    tasks: unsigned(row, 3)?,
                    fallbacks: unsigned(row, 4)?,
                })
            },
        )
    }

    /// Whoever answered up to and including `tick`, in the order of their first answers: the routine mind, and models
    /// by name. Answers in another's place, and those that were known anyway, do not count.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn answerers(&self, tick: Tick) -> Result<Vec<String>> {
        self.rows(
            "reading who answered",
            "SELECT mind FROM task WHERE tick <= ?1 AND fallback IS NULL AND mind <> 'known'
             GROUP BY mind ORDER BY min(tick), mind",
            [tick],
            |row| row.get(0),
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

/// Tasks of the ticks `?1` to `?2`, of the resident `?3` or of all, of the kind `?4` unless that is null. A condition that
/// may be absent uses no index, so there are two statements.
fn tasks_sql(of_one: bool) -> String {
    let resident = if of_one { "t.resident = ?3" } else { "?3 IS NULL" };
    format!(
        "SELECT t.tick, t.resident, t.seq, t.kind, t.input, ifnull(t.answer, 'null'), t.mind, t.fallback, t.cut,
                (SELECT group_concat(attempt || ' ' || call, ' ' ORDER BY attempt) FROM task_call u
                 WHERE u.tick = t.tick AND ifnull(u.resident, -1) = ifnull(t.resident, -1) AND u.seq = t.seq)
         FROM task t
         WHERE t.tick BETWEEN ?1 AND ?2 AND {resident} AND (?4 IS NULL OR t.kind = ?4)
         ORDER BY t.tick, ifnull(t.resident, -1), t.seq"
    )
}

/// Sums come as SQLite's signed integers.
pub(super) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

fn read_task(row: &Row<'_>) -> rusqlite::Result<At<TaskRow>> {
    let calls: Option<String> = row.get(9)?;
    let numbers: Vec<i64> = calls
        .iter()
        .flat_map(|calls| calls.split(' '))
        .filter_map(|number| number.parse().ok())
        .collect();
    let calls = numbers.chunks_exact(2).map(|pair| UsedCall {
        attempt: u8::try_from(pair[0]).unwrap_or(u8::MAX),
        call: CallId(pair[1]),
    });
    let task = TaskRow {
        resident: row.get(1)?,
        seq: row.get(2)?,
        kind: row.get(3)?,
        input: row.get(4)?,
        answer: row.get(5)?,
        mind: row.get(6)?,
        fallback: row.get(7)?,
        cut: row.get(8)?,
        calls: calls.collect(),
    };
    at(row, task)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::tasks_sql;
    use crate::schema::{MIGRATIONS, migrate};

    /// A resident's questions over a whole run are some of very many.
    #[test]
    fn tasks_are_looked_up_not_searched_for() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, MIGRATIONS).unwrap();
        let plan = |sql: &str| -> String {
            let mut query = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps = query
                .query_map([Some(0), Some(9), None, None::<i64>], |row| {
                    row.get::<_, String>(3)
                })
                .unwrap();
            steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
        };
        let of_one = plan(&tasks_sql(true));
        assert!(
            of_one.contains("SEARCH t USING INDEX task_of (resident=? AND tick>? AND tick<?)"),
            "{of_one}"
        );
        let of_all = plan(&tasks_sql(false));
        assert!(
            of_all.contains("SEARCH t USING INDEX task_key (tick>? AND tick<?)"),
            "{of_all}"
        );
    }
}
