//! What somebody who watches asks for: what goes on at a tick, what happened between two, and how
//! much happened when.

use std::ops::RangeInclusive;

use rusqlite::{OptionalExtension as _, Row, params};

use super::RunReader;
use super::motion::read_object_state;
use super::talk::{read_conversation, read_line};
use crate::error::{Result, StoreError};
use crate::rows::{
    At, Conversation, ConversationEnd, ConversationId, ConversationRow, LineRow, MemoryId, MemoryKind,
    ObjectStateRow, PlaceId, ResidentId, Tick,
};

const CONVERSATION: &str = "SELECT tick, id, a, b, place, ended, end_reason FROM conversation";

/// A memory by where it stands, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryKey {
    /// Whose.
    pub resident: ResidentId,
    /// Position in the stream.
    pub id: MemoryId,
}

/// How often something happened in one stretch of ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Which stretch, counted from tick 0.
    pub bucket: Tick,
    /// How often.
    pub count: u32,
}

/// Two who talked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Who spoke to the other.
    pub a: ResidentId,
    /// Who was spoken to.
    pub b: ResidentId,
    /// How many lines were said.
    pub lines: u32,
}

/// What can be tallied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tallied {
    /// Conversations, by their beginning.
    Talks,
    /// Memories of a kind.
    Memories(MemoryKind),
    /// Notices.
    Notices,
}

impl RunReader {
    /// The conversations going on at `tick`, with the lines said by then, by id.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn open_conversations(&self, tick: Tick) -> Result<Vec<Conversation>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            let found = run.rows(
                "reading conversations",
                &format!("{CONVERSATION} WHERE tick <= ?1 AND (ended IS NULL OR ended > ?1) ORDER BY id"),
                [tick],
                |row| read_conversation(row, tick),
            )?;
            run.with_lines(found, tick)
        })
    }

    /// One conversation as it stood at `tick`; `None` where there is none of that id by then.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn conversation(&self, id: ConversationId, tick: Tick) -> Result<Option<Conversation>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            let found = run.rows(
                "reading a conversation",
                &format!("{CONVERSATION} WHERE id = ?1 AND tick <= ?2"),
                [id, tick],
                |row| read_conversation(row, tick),
            )?;
            Ok(run.with_lines(found, tick)?.pop())
        })
    }

    /// Conversations begun by `tick` as they stood then, newest first: those
    /// with an id before `before`, of `resident` where one is given, `limit` of them at most.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn conversations_before(
        &self,
        tick: Tick,
        before: Option<ConversationId>,
        resident: Option<ResidentId>,
        limit: u32,
    ) -> Result<Vec<Conversation>> {
        self.snapshot(|run| {
            run.reached(tick)?;
            let found = run.rows(
                "reading conversations",
                &format!(
                    "{CONVERSATION} WHERE tick <= ?1 AND (?2 IS NULL OR id < ?2)
                       AND (?3 IS NULL OR a = ?3 OR b = ?3) ORDER BY id DESC LIMIT ?4"
                ),
                params![tick, before, resident, limit],
                |row| read_conversation(row, tick),
            )?;
            run.with_lines(found, tick)
        })
    }

    /// Conversations begun by `tick` in which anything was said by then, by tick and id, with how many
    /// lines there were.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn meetings(&self, tick: Tick) -> Result<Vec<At<Meeting>>> {
        self.reached(tick)?;
        self.rows(
            "reading conversations",
            "SELECT c.tick, c.a, c.b, count(*) FROM conversation c
             CROSS JOIN line l ON l.conversation = c.id
             WHERE c.tick <= ?1 AND l.tick <= ?1 GROUP BY c.id ORDER BY c.tick, c.id",
            [tick],
            |row| {
                Ok(At {
                    tick: row.get(0)?,
                    row: Meeting {
                        a: row.get(1)?,
                        b: row.get(2)?,
                        lines: row.get(3)?,
                    },
                })
            },
        )
    }

    /// The states an object has been in up to `tick`, newest first: those it came into before
    /// `before`, `limit` of them at most.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn object_history(
        &self,
        place: PlaceId,
        tick: Tick,
        before: Option<Tick>,
        limit: u32,
    ) -> Result<Vec<At<ObjectStateRow>>> {
        self.reached(tick)?;
        self.rows(
            "reading object states",
            "SELECT tick, place, state, by FROM object_state
             WHERE place = ?1 AND tick <= ?2 AND tick < ?3 ORDER BY tick DESC LIMIT ?4",
            params![place, tick, before.unwrap_or(Tick::MAX), limit],
            read_object_state,
        )
    }

    /// Every conversation begun in `ticks`, by id.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn conversations_begun(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<ConversationRow>>> {
        self.rows(
            "reading conversations",
            &format!("{CONVERSATION} WHERE tick BETWEEN ?1 AND ?2 ORDER BY tick, id"),
            [ticks.start(), ticks.end()],
            |row| Ok(read_conversation(row, Tick::MAX)?.began),
        )
    }

    /// Every conversation that ended in `ticks`, by tick and id.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn conversations_ended(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<ConversationEnd>>> {
        self.rows(
            "reading conversations",
            "SELECT ended, id, end_reason FROM conversation WHERE ended BETWEEN ?1 AND ?2
             ORDER BY ended, id",
            [ticks.start(), ticks.end()],
            |row| {
                Ok(At {
                    tick: row.get(0)?,
                    row: ConversationEnd {
                        conversation: row.get(1)?,
                        reason: row.get(2)?,
                    },
                })
            },
        )
    }

    /// Every line said in `ticks`, by tick, conversation and turn.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn lines_between(&self, ticks: RangeInclusive<Tick>) -> Result<Vec<At<LineRow>>> {
        self.rows(
            "reading lines",
            "SELECT l.tick, l.conversation, l.turn, l.speaker, l.text, l.tells, l.decision
             FROM conversation c CROSS JOIN line l ON l.conversation = c.id
             WHERE c.tick <= ?2 AND (c.ended IS NULL OR c.ended >= ?1) AND l.tick BETWEEN ?1 AND ?2
             ORDER BY l.tick, l.conversation, l.turn",
            [ticks.start(), ticks.end()],
            read_line,
        )
    }

    /// The memories of a kind made in `ticks`, by tick, resident and id.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn memories_made(&self, kind: MemoryKind, ticks: RangeInclusive<Tick>) -> Result<Vec<At<MemoryKey>>> {
        let mut made = Vec::new();
        for resident in self.residents()? {
            let first = self.first_memory_after(resident.id, ticks.start().checked_sub(1))?;
            made.extend(self.rows(
                "reading memories",
                "SELECT tick, id FROM memory WHERE resident = ?1 AND id >= ?2 AND tick <= ?3
                   AND kind = ?4 ORDER BY id",
                params![resident.id, first, ticks.end(), kind],
                |row| {
                    Ok(At {
                        tick: row.get(0)?,
                        row: MemoryKey {
                            resident: resident.id,
                            id: row.get(1)?,
                        },
                    })
                },
            )?);
        }
        made.sort_by_key(|at| (at.tick, at.row.resident, at.row.id));
        Ok(made)
    }

    /// The id of a resident's first memory made after `tick` (of the first of all for `None`), or
    /// how many there are. Ids and ticks rise together, so it is found by halving.
    fn first_memory_after(&self, resident: ResidentId, tick: Option<Tick>) -> Result<MemoryId> {
        let Some(tick) = tick else { return Ok(0) };
        let mut low: MemoryId = 0;
        let mut high: MemoryId = self.one(
            "counting memories",
            "SELECT ifnull(max(id) + 1, 0) FROM memory WHERE resident = ?1",
            [resident],
            |row| row.get(0),
        )?;
        while low < high {
            let middle = low + (high - low) / 2;
            let made: Option<Tick> = self
                .connection()
                .prepare_cached("SELECT tick FROM memory WHERE resident = ?1 AND id = ?2")
                .and_then(|mut find| find.query_row([resident, middle], |row| row.get(0)).optional())
                .map_err(|error| self.explain("looking for a memory", error))?;
            match made {
                Some(made) if made <= tick => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// How many memories of each kind a resident has at `tick`.
    ///
    /// # Errors
    /// [`StoreError::PastEnd`].
    pub fn memory_counts(&self, resident: ResidentId, tick: Tick) -> Result<Vec<(MemoryKind, u32)>> {
        self.reached(tick)?;
        self.rows(
            "counting memories",
            "SELECT kind, count(*) FROM memory WHERE resident = ?1 AND tick <= ?2 GROUP BY kind",
            [resident, tick],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// How often something happened up to the head, in stretches of `bucket_ticks`; empty ones are
    /// left out.
    ///
    /// # Errors
    /// [`StoreError::Torn`].
    pub fn tally(&self, what: Tallied, bucket_ticks: Tick) -> Result<Vec<Tally>> {
        let bucket_ticks = bucket_ticks.max(1);
        let read = |row: &Row<'_>| {
            Ok(Tally {
                bucket: row.get(0)?,
                count: row.get(1)?,
            })
        };
        let doing = "counting what happened";
        match what {
            Tallied::Talks => self.rows(
                doing,
                "SELECT tick / ?1 AS bucket, count(*) FROM conversation GROUP BY bucket ORDER BY bucket",
                [bucket_ticks],
                read,
            ),
            Tallied::Notices => self.rows(
                doing,
                "SELECT tick / ?1 AS bucket, count(*) FROM notice GROUP BY bucket ORDER BY bucket",
                [bucket_ticks],
                read,
            ),
            Tallied::Memories(kind) => self.rows(
                doing,
                "SELECT tick / ?1 AS bucket, count(*) FROM memory WHERE kind = ?2
                 GROUP BY bucket ORDER BY bucket",
                params![bucket_ticks, kind],
                read,
            ),
        }
    }

    /// Adds the lines said by `tick`.
    pub(super) fn with_lines(
        &self,
        mut conversations: Vec<Conversation>,
        tick: Tick,
    ) -> Result<Vec<Conversation>> {
        for conversation in &mut conversations {
            conversation.lines = self.lines_of(conversation.began.row.id, tick)?;
        }
        Ok(conversations)
    }

    fn lines_of(&self, conversation: ConversationId, tick: Tick) -> Result<Vec<At<LineRow>>, StoreError> {
        self.rows(
            "reading lines",
            "SELECT tick, conversation, turn, speaker, text, tells, decision FROM line
             WHERE conversation = ?1 AND tick <= ?2 ORDER BY turn",
            params![conversation, tick],
            read_line,
        )
    }
}
