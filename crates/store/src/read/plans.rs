//! Plans of days, in all their revisions.

use rusqlite::{OptionalExtension as _, Row, params};

use super::{RunReader, at};
use crate::error::Result;
use crate::rows::{At, PlanEntryRow, PlanRow, ResidentId, Tick};

const COLUMNS: &str = "SELECT tick, resident, date, revision, cause_memory, strokes, id FROM plan";

impl RunReader {
    /// A resident's plan for `date` (`YYYY-MM-DD`) as it was at `tick`: the latest revision, with
    /// the entries it had by then.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn plan(&self, resident: ResidentId, date: &str, tick: Tick) -> Result<Option<At<PlanRow>>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            let found = run
                .db
                .prepare_cached(&format!(
                    "{COLUMNS} WHERE resident = ?1 AND date = ?2 AND tick <= ?3
                     ORDER BY revision DESC LIMIT 1"
                ))
                .and_then(|mut query| {
                    query
                        .query_row(params![resident, date, tick], read_plan)
                        .optional()
                })
                .map_err(|error| run.explain("reading a plan", error))?;
            found
                .map(|(id, plan)| run.with_entries(id, plan, tick))
                .transpose()
        })
    }

    /// Every plan of a resident up to `tick`, by date and revision.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn plans(&self, resident: ResidentId, tick: Tick) -> Result<Vec<At<PlanRow>>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            run.rows(
                "reading plans",
                &format!("{COLUMNS} WHERE resident = ?1 AND tick <= ?2 ORDER BY date, revision"),
                params![resident, tick],
                read_plan,
            )?
            .into_iter()
            .map(|(id, plan)| run.with_entries(id, plan, tick))
            .collect()
        })
    }

    fn with_entries(&self, id: i64, mut plan: At<PlanRow>, tick: Tick) -> Result<At<PlanRow>> {
        plan.row.entries = self.rows(
            "reading plan entries",
            "SELECT level, start, minutes, activity, place, cause_memory FROM plan_entry
             WHERE plan = ?1 AND tick <= ?2 ORDER BY level, start",
            params![id, tick],
            |row| {
                Ok(PlanEntryRow {
                    level: row.get(0)?,
                    start: row.get(1)?,
                    minutes: row.get(2)?,
                    activity: row.get(3)?,
                    place: row.get(4)?,
                    cause_memory: row.get(5)?,
                })
            },
        )?;
        Ok(plan)
    }
}

fn read_plan(row: &Row<'_>) -> rusqlite::Result<(i64, At<PlanRow>)> {
    let plan = PlanRow {
        resident: row.get(1)?,
        date: row.get(2)?,
        revision: row.get(3)?,
        cause_memory: row.get(4)?,
        strokes: row.get(5)?,
        entries: Vec::new(),
    };
    Ok((row.get(6)?, at(row, plan)?))
}
