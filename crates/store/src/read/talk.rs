//! Conversations, and the appointments made in them.

use std::ops::RangeInclusive;

use rusqlite::{Row, params};

use super::{RunReader, at};
use crate::error::Result;
use crate::rows::{
    AppointmentRow, At, Conversation, ConversationEnd, ConversationRow, LineRow, ResidentId, Tick,
};

const APPOINTMENT: &str = "SELECT tick, resident, id, what, place, start, \"end\", host, status,
                                  reason, memory FROM appointment";

impl RunReader {
    /// Every conversation begun by `tick`, as it stood then, by id.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn conversations(&self, tick: Tick) -> Result<Vec<Conversation>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            let conversations = run.rows(
                "reading conversations",
                "SELECT tick, id, a, b, place, ended, end_reason FROM conversation
                 WHERE tick <= ?1 ORDER BY id",
                [tick],
                |row| read_conversation(row, tick),
            )?;
            run.with_lines(conversations, tick)
        })
    }

    /// A resident's appointments as they stood at `tick`, by id.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn appointments(&self, resident: ResidentId, tick: Tick) -> Result<Vec<At<AppointmentRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading appointments",
            &format!(
                "{APPOINTMENT} AS latest WHERE resident = ?1 AND tick =
                   (SELECT max(tick) FROM appointment AS other WHERE other.resident = ?1
                    AND other.id = latest.id AND other.tick <= ?2) ORDER BY id"
            ),
            params![resident, tick],
            read_appointment,
        )
    }

    /// Every appointment made or changed in `ticks`, by tick, resident and id.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn appointments_between(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<AppointmentRow>>> {
        self.rows(
            "reading appointments",
            &format!("{APPOINTMENT} WHERE tick BETWEEN ?1 AND ?2 ORDER BY tick, resident, id"),
            [ticks.start(), ticks.end()],
            read_appointment,
        )
    }
}

pub(super) fn read_conversation(row: &Row<'_>, until: Tick) -> rusqlite::Result<Conversation> {
    let id = row.get(1)?;
    let began = ConversationRow {
        id,
        a: row.get(2)?,
        b: row.get(3)?,
        place: row.get(4)?,
    };
    let ended = match row.get::<_, Option<Tick>>(5)? {
        Some(tick) if tick <= until => {
            let end = ConversationEnd {
                conversation: id,
                reason: row.get(6)?,
            };
            Some(At { tick, row: end })
        }
        _ => None,
    };
    Ok(Conversation {
        began: at(row, began)?,
        lines: Vec::new(),
        ended,
    })
}

pub(super) fn read_line(row: &Row<'_>) -> rusqlite::Result<At<LineRow>> {
    let line = LineRow {
        conversation: row.get(1)?,
        turn: row.get(2)?,
        speaker: row.get(3)?,
        text: row.get(4)?,
        tells: row.get(5)?,
        decision: row.get(6)?,
    };
    at(row, line)
}

fn read_appointment(row: &Row<'_>) -> rusqlite::Result<At<AppointmentRow>> {
    let appointment = AppointmentRow {
        resident: row.get(1)?,
        id: row.get(2)?,
        what: row.get(3)?,
        place: row.get(4)?,
        start: row.get(5)?,
        end: row.get(6)?,
        host: row.get(7)?,
        status: row.get(8)?,
        reason: row.get(9)?,
        memory: row.get(10)?,
    };
    at(row, appointment)
}
