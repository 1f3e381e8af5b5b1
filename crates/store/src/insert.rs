//! Puts rows into their tables; every function runs inside its caller's transaction.

use rusqlite::{Connection, OptionalExtension as _, Params, params};

use crate::rows::*;

/// What could not be inserted, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The table.
    pub(crate) table: &'static str,
    /// The reason.
    pub(crate) cause: Cause,
}

/// Why a row was refused.
#[derive(Debug)]
pub(crate) enum Cause {
    /// SQLite said so.
    Sqlite(rusqlite::Error),
    /// It contradicts what is there.
    Contradiction(String),
}

type Inserted<T = ()> = Result<T, Fault>;

fn contradiction<T>(table: &'static str, detail: String) -> Inserted<T> {
    Err(Fault {
        table,
        cause: Cause::Contradiction(detail),
    })
}

/// Names the table in which SQLite failed.
pub(crate) fn fault(table: &'static str) -> impl FnOnce(rusqlite::Error) -> Fault {
    move |error| Fault {
        table,
        cause: Cause::Sqlite(error),
    }
}

/// Executes one statement on `table` and says how many rows it touched.
fn put(db: &Connection, table: &'static str, sql: &str, values: impl Params) -> Inserted<usize> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(values))
        .map_err(fault(table))
}

/// Looks for at most one row of `table` and gives its first column.
fn find(db: &Connection, table: &'static str, sql: &str, values: impl Params) -> Inserted<Option<i64>> {
    db.prepare_cached(sql)
        .and_then(|mut query| query.query_row(values, |row| row.get(0)).optional())
        .map_err(fault(table))
}

/// The rows a run starts with.
pub(crate) fn new_run(db: &Connection, run: &NewRun) -> Inserted {
    for row in &run.parts {
        put(
            db,
            "town",
            "INSERT INTO town VALUES (?1, ?2)",
            params![row.part, row.data],
        )?;
    }
    for row in &run.residents {
        resident(db, row)?;
    }
    for row in &run.places {
        put(
            db,
            "place",
            "INSERT INTO place VALUES (?1, ?2, ?3, ?4, ?5)",
            params![row.id, row.parent, row.kind, row.name, row.address],
        )?;
    }
    Ok(())
}

/// Somebody in town. Whoever came by an input that is executed again is there already.
fn resident(db: &Connection, row: &ResidentRow) -> Inserted {
    put(
        db,
        "resident",
        "INSERT INTO resident (id, name, identity, came, role) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET name = ?2, identity = ?3, came = ?4, role = ?5",
        params![row.id, row.name, row.identity, row.came, row.role],
    )?;
    Ok(())
}

/// All rows of one tick.
pub(crate) fn tick_rows(db: &Connection, rows: &TickRows) -> Inserted {
    let tick = rows.tick;
    for row in &rows.arrivals {
        resident(db, row)?;
    }
    for who in &rows.departures {
        put(
            db,
            "resident",
            "UPDATE resident SET \"left\" = ?2 WHERE id = ?1",
            params![who, tick],
        )?;
    }
    for row in &rows.identities {
        put(
            db,
            "identity",
            "INSERT INTO identity VALUES (?1, ?2, ?3)",
            params![row.resident, tick, row.identity],
        )?;
    }
    for row in &rows.moves {
        put(
            db,
            "move",
            "INSERT INTO move VALUES (?1, ?2, ?3, ?4)",
            params![row.resident, tick, row.x, row.y],
        )?;
    }
    for row in &rows.actions {
        action(db, tick, row)?;
    }
    for row in &rows.object_states {
        put(
            db,
            "object_state",
            "INSERT INTO object_state VALUES (?1, ?2, ?3, ?4)",
            params![row.place, tick, row.state, row.by],
        )?;
    }
    for row in &rows.memories {
        memory(db, tick, row)?;
    }
    for row in &rows.plans {
        plan(db, tick, row)?;
    }
    for row in &rows.plan_entries {
        added_entry(db, tick, row)?;
    }
    for row in &rows.conversations {
        put(
            db,
            "conversation",
            "INSERT INTO conversation (id, tick, a, b, place) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![row.id, tick, row.a, row.b, row.place],
        )?;
    }
    for row in &rows.lines {
        line(db, tick, row)?;
    }
    for row in &rows.conversation_ends {
        conversation_end(db, tick, row)?;
    }
    for row in &rows.appointments {
        appointment(db, tick, row)?;
    }
    for row in &rows.tasks {
        task(db, tick, row)?;
    }
    for row in &rows.notices {
        put(
            db,
            "notice",
            "INSERT INTO notice (tick, resident, kind, detail) VALUES (?1, ?2, ?3, ?4)",
            params![tick, row.resident, row.kind, row.detail],
        )?;
    }
    Ok(())
}

/// Vectors, and the call that made them: as one more attempt where the tick has an equal one.
pub(crate) fn vectors(db: &Connection, row: &CallRow, texts: &[TextRow]) -> Inserted {
    let key = &row.key;
    let before = find(
        db,
        "call",
        "SELECT count(*) FROM call WHERE tick = ?1 AND ifnull(resident, -1) = ifnull(?2, -1) AND seq = ?3
           AND hash = ?4",
        params![key.tick, key.resident, key.seq, key.hash],
    )?;
    let mut row = row.clone();
    row.key.attempt = before
        .and_then(|before| u8::try_from(before).ok())
        .unwrap_or(u8::MAX);
    call(db, &row)?;
    for text in texts {
        text_id(db, &text.text, &text.vector)?;
    }
    Ok(())
}

/// Rows recorded ahead of their tick.
pub(crate) fn kept(db: &Connection, kept: &Kept) -> Inserted {
    for row in &kept.texts {
        text_id(db, &row.text, &row.vector)?;
    }
    for At { tick, row } in &kept.inputs {
        put(
            db,
            "input",
            "INSERT INTO input (tick, kind, json) VALUES (?1, ?2, ?3)",
            params![tick, row.kind, row.json],
        )?;
    }
    Ok(())
}

fn action(db: &Connection, tick: Tick, row: &ActionRow) -> Inserted {
    put(
        db,
        "action",
        "INSERT INTO action VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            row.resident,
            tick,
            row.activity,
            row.place,
            row.emoji,
            row.subject,
            row.predicate,
            row.object,
            row.status,
            row.ends
        ],
    )?;
    Ok(())
}

/// The id of a text, which is put in if it is new.
fn text_id(db: &Connection, text: &str, vector: &[u8]) -> Inserted<i64> {
    if let Some(id) = find(
        db,
        "text",
        "SELECT id FROM text WHERE text = ?1 AND vector = ?2",
        params![text, vector],
    )? {
        return Ok(id);
    }
    if find(db, "text", "SELECT id FROM text WHERE text = ?1", [text])?.is_some() {
        return contradiction(
            "text",
            format!("\"{text}\" has another vector already; a run keeps to one embedder"),
        );
    }
    put(
        db,
        "text",
        "INSERT INTO text (text, vector) VALUES (?1, ?2)",
        params![text, vector],
    )?;
    Ok(db.last_insert_rowid())
}

fn memory(db: &Connection, tick: Tick, row: &MemoryRow) -> Inserted {
    let last = find(
        db,
        "memory",
        "SELECT id FROM memory WHERE resident = ?1 ORDER BY id DESC LIMIT 1",
        [row.resident],
    )?;
    let next = last.map_or(0, |id| id + 1);
    if i64::from(row.id) != next {
        return contradiction(
            "memory",
            format!(
                "resident {}: memory {} where {next} is next",
                row.resident, row.id
            ),
        );
    }
    let text = text_id(db, &row.text, &row.vector)?;
    put(
        db,
        "memory",
        "INSERT INTO memory VALUES
         (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        params![
            row.resident,
            row.id,
            tick,
            row.created,
            row.kind,
            row.depth,
            text,
            row.subject,
            row.predicate,
            row.object,
            row.importance,
            row.expires,
            serde_json::Value::from(row.keywords.as_slice()).to_string(),
            row.hearsay.map(|hearsay| hearsay.teller),
            row.hearsay.map(|hearsay| hearsay.memory),
            row.conversation,
            row.place
        ],
    )?;
    for (position, evidence) in row.evidence.iter().enumerate() {
        put(
            db,
            "evidence",
            "INSERT INTO evidence VALUES (?1, ?2, ?3, ?4)",
            params![row.resident, row.id, position as i64, evidence],
        )?;
    }
    Ok(())
}

fn plan(db: &Connection, tick: Tick, row: &PlanRow) -> Inserted {
    put(
        db,
        "plan",
        "INSERT INTO plan (resident, date, revision, tick, cause_memory, strokes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            row.resident,
            row.date,
            row.revision,
            tick,
            row.cause_memory,
            row.strokes
        ],
    )?;
    let plan = db.last_insert_rowid();
    row.entries
        .iter()
        .try_for_each(|entry| plan_entry(db, tick, plan, entry))
}

fn added_entry(db: &Connection, tick: Tick, row: &AddedPlanEntry) -> Inserted {
    let plan = find(
        db,
        "plan_entry",
        "SELECT id FROM plan WHERE resident = ?1 AND date = ?2 AND revision = ?3",
        params![row.resident, row.date, row.revision],
    )?;
    match plan {
        Some(plan) => plan_entry(db, tick, plan, &row.entry),
        None => contradiction(
            "plan_entry",
            format!(
                "resident {} has no plan for {} in revision {}",
                row.resident, row.date, row.revision
            ),
        ),
    }
}

fn plan_entry(db: &Connection, tick: Tick, plan: i64, entry: &PlanEntryRow) -> Inserted {
    put(
        db,
        "plan_entry",
        "INSERT INTO plan_entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            plan,
            entry.level,
            entry.start,
            entry.minutes,
            tick,
            entry.activity,
            entry.place,
            entry.cause_memory
        ],
    )?;
    Ok(())
}

fn line(db: &Connection, tick: Tick, row: &LineRow) -> Inserted {
    put(
        db,
        "line",
        "INSERT INTO line VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            row.conversation,
            row.turn,
            tick,
            row.speaker,
            row.text,
            row.tells,
            row.decision
        ],
    )?;
    Ok(())
}

fn conversation_end(db: &Connection, tick: Tick, row: &ConversationEnd) -> Inserted {
    let ended = put(
        db,
        "conversation",
        "UPDATE conversation SET ended = ?2, end_reason = ?3
         WHERE id = ?1 AND ended IS NULL",
        params![row.conversation, tick, row.reason],
    )?;
    if ended == 0 {
        return contradiction(
            "conversation",
            format!(
                "conversation {} never began or has ended already",
                row.conversation
            ),
        );
    }
    Ok(())
}

fn appointment(db: &Connection, tick: Tick, row: &AppointmentRow) -> Inserted {
    put(
        db,
        "appointment",
        "INSERT INTO appointment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            row.resident,
            row.id,
            tick,
            row.what,
            row.place,
            row.start,
            row.end,
            row.host,
            row.status,
            row.reason,
            row.memory
        ],
    )?;
    Ok(())
}

fn task(db: &Connection, tick: Tick, row: &TaskRow) -> Inserted {
    put(
        db,
        "task",
        "INSERT INTO task (tick, resident, seq, kind, input, answer, mind, fallback, cut)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            tick,
            row.resident,
            row.seq,
            row.kind,
            row.input,
            row.answer,
            row.mind,
            row.fallback,
            row.cut
        ],
    )?;
    for used in &row.calls {
        put(
            db,
            "task_call",
            "INSERT INTO task_call VALUES (?1, ?2, ?3, ?4, ?5)",
            params![tick, row.resident, row.seq, used.attempt, used.call.0],
        )?;
        put(
            db,
            "call",
            "UPDATE call SET settled = 1 WHERE id = ?1 AND settled = 0",
            [used.call.0],
        )?;
    }
    Ok(())
}

/// A call; one that is there already keeps its reply, while a failure gives way to what came later.
pub(crate) fn call(db: &Connection, row: &CallRow) -> Inserted<CallId> {
    let key = &row.key;
    let (reply, error) = match &row.outcome {
        Ok(reply) => (Some(reply), None),
        Err(error) => (None, Some(error)),
    };
    let tokens = |count: fn(&ReplyRow) -> u32| reply.map_or(0, count);
    let known = find(
        db,
        "call",
        "SELECT id FROM call WHERE tick = ?1 AND ifnull(resident, -1) = ifnull(?2, -1) AND seq = ?3
           AND attempt = ?4 AND hash = ?5",
        params![key.tick, key.resident, key.seq, key.attempt, key.hash],
    )?;
    if let Some(id) = known {
        put(
            db,
            "call",
            "UPDATE call SET reply = ?2, answered_by = ?3, cut_off = ?4, error = ?5, tokens_in = ?6,
               tokens_cached = ?7, tokens_out = ?8, ms = ?9 WHERE id = ?1 AND reply IS NULL",
            params![
                id,
                reply.map(|reply| &reply.text),
                reply.and_then(|reply| reply.answered_by.as_ref()),
                reply.is_some_and(|reply| reply.cut_off),
                error,
                tokens(|reply| reply.tokens_in),
                tokens(|reply| reply.tokens_cached),
                tokens(|reply| reply.tokens_out),
                row.milliseconds,
            ],
        )?;
        return Ok(CallId(id));
    }
    put(
        db,
        "call",
        "INSERT INTO call (tick, resident, seq, attempt, kind, model, hash, request, reply, answered_by,
           cut_off, error, tokens_in, tokens_cached, tokens_out, ms, settled, inherited)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, 0, ?17)",
        params![
            key.tick,
            key.resident,
            key.seq,
            key.attempt,
            row.kind,
            row.model,
            key.hash,
            row.request,
            reply.map(|reply| &reply.text),
            reply.and_then(|reply| reply.answered_by.as_ref()),
            reply.is_some_and(|reply| reply.cut_off),
            error,
            tokens(|reply| reply.tokens_in),
            tokens(|reply| reply.tokens_cached),
            tokens(|reply| reply.tokens_out),
            row.milliseconds,
            row.paid_by == Payer::AnotherRun,
        ],
    )?;
    Ok(CallId(db.last_insert_rowid()))
}
