//! Who residents are, where they are, what they do, and how objects stand.

use std::ops::RangeInclusive;

use rusqlite::Row;

use super::{RunReader, at};
use crate::error::Result;
use crate::rows::{ActionRow, At, IdentityRow, MoveRow, ObjectStateRow, ResidentId, Tick};

// Each query walks the few residents (or places) and seeks within each one's rows, which the
// primary keys are ordered for; CROSS JOIN keeps SQLite from turning that around.

impl RunReader {
    /// Everybody's identity at `tick`, by resident: as last revised, or as the run began.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn identities(&self, tick: Tick) -> Result<Vec<IdentityRow>> {
        self.reached(tick)?;
        self.rows(
            "reading identities",
            "SELECT r.id, ifnull((SELECT i.identity FROM identity i WHERE i.resident = r.id
               AND i.tick <= ?1 ORDER BY i.tick DESC LIMIT 1), r.identity)
             FROM resident r ORDER BY r.id",
            [tick],
            |row| {
                Ok(IdentityRow {
                    resident: row.get(0)?,
                    identity: row.get(1)?,
                })
            },
        )
    }

    /// Where everybody is at `tick`, by resident, with the tick each one came there.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn positions(&self, tick: Tick) -> Result<Vec<At<MoveRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading positions",
            "SELECT m.tick, m.resident, m.x, m.y FROM resident r CROSS JOIN move m
             ON m.resident = r.id
               AND m.tick = (SELECT max(tick) FROM move WHERE resident = r.id AND tick <= ?1)
             ORDER BY r.id",
            [tick],
            read_move,
        )
    }

    /// Every change of tile in `ticks`, by tick and resident.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn moves(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<MoveRow>>> {
        self.rows(
            "reading moves",
            "SELECT m.tick, m.resident, m.x, m.y FROM resident r CROSS JOIN move m
             ON m.resident = r.id AND m.tick BETWEEN ?1 AND ?2
             ORDER BY m.tick, m.resident",
            [ticks.start(), ticks.end()],
            read_move,
        )
    }

    /// Every change of tile of one resident up to `tick`.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn moves_of(&self, resident: ResidentId, tick: Tick) -> Result<Vec<At<MoveRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading moves",
            "SELECT tick, resident, x, y FROM move WHERE resident = ?1 AND tick <= ?2 ORDER BY tick",
            [resident, tick],
            read_move,
        )
    }

    /// What everybody is doing at `tick`, by resident, with the tick it began.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn actions(&self, tick: Tick) -> Result<Vec<At<ActionRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading actions",
            "SELECT a.tick, a.resident, a.activity, a.place, a.emoji, a.subject, a.predicate,
                    a.object, a.status, a.ends
             FROM resident r CROSS JOIN action a
             ON a.resident = r.id
               AND a.tick = (SELECT max(tick) FROM action WHERE resident = r.id AND tick <= ?1)
             ORDER BY r.id",
            [tick],
            read_action,
        )
    }

    /// Every action begun in `ticks`, by tick and resident.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn actions_between(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<ActionRow>>> {
        self.rows(
            "reading actions",
            "SELECT a.tick, a.resident, a.activity, a.place, a.emoji, a.subject, a.predicate,
                    a.object, a.status, a.ends
             FROM resident r CROSS JOIN action a
             ON a.resident = r.id AND a.tick BETWEEN ?1 AND ?2
             ORDER BY a.tick, a.resident",
            [ticks.start(), ticks.end()],
            read_action,
        )
    }

    /// The state of every object that ever left its default state, at `tick`, by place.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`](crate::StoreError::PastEnd).
    pub fn object_states(&self, tick: Tick) -> Result<Vec<At<ObjectStateRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading object states",
            "SELECT o.tick, o.place, o.state, o.by FROM place p CROSS JOIN object_state o
             ON o.place = p.id
               AND o.tick = (SELECT max(tick) FROM object_state WHERE place = p.id AND tick <= ?1)
             ORDER BY p.id",
            [tick],
            read_object_state,
        )
    }

    /// Every change of an object's state in `ticks`, by tick and place.
    ///
    /// # Errors
    /// [`StoreError::Torn`](crate::StoreError::Torn).
    pub fn object_states_between(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<ObjectStateRow>>> {
        self.rows(
            "reading object states",
            "SELECT o.tick, o.place, o.state, o.by FROM place p CROSS JOIN object_state o
             ON o.place = p.id AND o.tick BETWEEN ?1 AND ?2
             ORDER BY o.tick, o.place",
            [ticks.start(), ticks.end()],
            read_object_state,
        )
    }
}

fn read_move(row: &Row<'_>) -> rusqlite::Result<At<MoveRow>> {
    at(
        row,
        MoveRow {
            resident: row.get(1)?,
            x: row.get(2)?,
            y: row.get(3)?,
        },
    )
}

fn read_action(row: &Row<'_>) -> rusqlite::Result<At<ActionRow>> {
    let action = ActionRow {
        resident: row.get(1)?,
        activity: row.get(2)?,
        place: row.get(3)?,
        emoji: row.get(4)?,
        subject: row.get(5)?,
        predicate: row.get(6)?,
        object: row.get(7)?,
        status: row.get(8)?,
        ends: row.get(9)?,
    };
    at(row, action)
}

pub(super) fn read_object_state(row: &Row<'_>) -> rusqlite::Result<At<ObjectStateRow>> {
    at(
        row,
        ObjectStateRow {
            place: row.get(1)?,
            state: row.get(2)?,
            by: row.get(3)?,
        },
    )
}
