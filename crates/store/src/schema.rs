//! The tables, and how a file comes by them.
//!
//! [`MIGRATIONS`] is append-only: format *n* is what its first *n* scripts make. A script that has
//! shipped is never edited. `PRAGMA user_version` holds the format, `PRAGMA application_id` the
//! mark that tells a run from other SQLite files. What each column means: `docs/run-file.md`.

use rusqlite::Connection;

/// `Town` in ASCII; `file(1)` and SQLite tools show it.
pub(crate) const APPLICATION_ID: i32 = 0x546F_776E;

/// The format this program writes, and the latest it reads.
pub const FORMAT: i32 = MIGRATIONS.len() as i32;

/// One script per format, in order.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
];

/// Brings an empty or older database up to the format that `migrations` ends with, in one
/// transaction.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let format: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for script in migrations.iter().skip(format as usize) {
        transaction.execute_batch(script)?;
    }
    transaction.pragma_update(None, "user_version", migrations.len() as i64)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()
}

/// How to forget everything after tick `?1` (-1 for all ticks), in an order that respects references. Absent on
/// purpose: `input`, `text` and `call`, which were not derived but given or bought; and
/// whoever came by an input, who will come again.
pub(crate) const FORGET_AFTER: &[&str] = &[
    "UPDATE resident SET \"left\" = NULL WHERE \"left\" > ?1",
    "DELETE FROM identity WHERE tick > ?1",
    "DELETE FROM move WHERE tick > ?1",
    "DELETE FROM action WHERE tick > ?1",
    "DELETE FROM object_state WHERE tick > ?1",
    "DELETE FROM evidence WHERE EXISTS (SELECT 1 FROM memory
       WHERE memory.resident = evidence.resident AND memory.id = evidence.memory AND memory.tick > ?1)",
    "DELETE FROM memory WHERE tick > ?1",
    "DELETE FROM plan_entry WHERE tick > ?1",
    "DELETE FROM plan WHERE tick > ?1",
    "DELETE FROM line WHERE tick > ?1",
    "DELETE FROM conversation WHERE tick > ?1",
    "UPDATE conversation SET ended = NULL, end_reason = NULL WHERE ended > ?1",
    "DELETE FROM appointment WHERE tick > ?1",
    "DELETE FROM task_call WHERE tick > ?1",
    "DELETE FROM task WHERE tick > ?1",
    "DELETE FROM notice WHERE tick > ?1",
    "DELETE FROM checkpoint WHERE tick > ?1",
    "UPDATE meta SET value = ?1 WHERE key = 'head_tick' AND CAST(value AS INTEGER) > ?1",
    "DELETE FROM meta WHERE key = 'head_tick' AND ?1 < 0",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_apply_one_after_the_other() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        let violations: i64 = connection
            .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(violations, 0);
        let later: Vec<&str> = MIGRATIONS
            .iter()
            .copied()
            .chain(["CREATE TABLE weather (tick INTEGER PRIMARY KEY) STRICT"])
            .collect();
        migrate(&mut connection, &later).unwrap();
        migrate(&mut connection, &later).unwrap();
        let format: i32 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(format, FORMAT + 1);
        connection.execute("INSERT INTO weather VALUES (3)", []).unwrap();
    }
}
