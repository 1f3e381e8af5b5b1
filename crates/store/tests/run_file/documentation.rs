//! `docs/run-file.md` describes the tables that are there, all of them, and its queries run.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use tempfile::tempdir;
use townsfolk_store::*;

use crate::sample;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/run-file.md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The columns under each heading of the form ``### `table` ``, from the first cell of each row.
fn documented(page: &str) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = None;
    for line in page.lines() {
        if line.starts_with('#') {
            current = line.strip_prefix("### `").and_then(|name| name.strip_suffix('`'));
            if let Some(table) = current {
                tables.insert(table.to_owned(), Vec::new());
            }
        } else if let (Some(table), Some(cells)) = (current, line.strip_prefix("| `")) {
            let names = cells.split(" |").next().unwrap();
            let columns = tables.get_mut(table).unwrap();
            columns.extend(names.split(", ").map(|name| name.trim_matches('`').to_owned()));
        }
    }
    tables
}

fn run_with_everything(folder: &Path) -> std::path::PathBuf {
    let parent = folder.join("parent.run");
    sample::written(&parent, 60).finish(RunState::Finished).unwrap();
    let path = folder.join("a.run");
    let mut writer = fork(&parent, &path, 60).unwrap();
    sample::continue_to(&mut writer, 80);
    writer.set_goal(100).unwrap();
    writer.set_models(Some("{}"), Some("0a1b")).unwrap();
    writer.set_prices("{}").unwrap();
    writer.finish(RunState::Finished).unwrap();
    path
}

#[test]
fn the_page_names_the_tables_and_columns_that_exist() {
    let folder = tempdir().unwrap();
    let db = Connection::open(run_with_everything(folder.path())).unwrap();
    let mut query = db
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table' ORDER BY t.name, c.cid",
        )
        .unwrap();
    let mut actual: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    for row in rows {
        let (table, column): (String, String) = row.unwrap();
        actual.entry(table).or_default().push(column);
    }
    let mut documented = documented(&page());
    let mut documented_keys = documented
        .remove("meta keys")
        .expect("a section on the keys of meta");
    assert_eq!(documented, actual);

    let keys: rusqlite::Result<Vec<String>> = db
        .prepare("SELECT key FROM meta ORDER BY key")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect();
    documented_keys.sort();
    assert_eq!(documented_keys, keys.unwrap());
}

#[test]
fn the_queries_on_the_page_run_and_find_something() {
    let folder = tempdir().unwrap();
    let db = Connection::open(run_with_everything(folder.path())).unwrap();
    let page = page();
    let queries: Vec<&str> = page
        .split("```sql\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(queries.len() >= 6, "only {} queries on the page", queries.len());
    for sql in queries {
        let mut query = db
            .prepare(sql)
            .unwrap_or_else(|error| panic!("{error} in\n{sql}"));
        let mut rows = query.query([]).unwrap();
        assert!(rows.next().unwrap().is_some(), "finds nothing:\n{sql}");
    }
}

#[test]
fn the_page_names_the_numbers_that_mark_a_run() {
    let folder = tempdir().unwrap();
    let db = Connection::open(run_with_everything(folder.path())).unwrap();
    let read = |name: &str| -> i64 { db.pragma_query_value(None, name, |row| row.get(0)).unwrap() };
    let page = page();
    assert!(page.contains(&format!("`application_id` is {} ", read("application_id"))));
    assert!(page.contains(&format!(
        "`user_version` is the format, now {}",
        read("user_version")
    )));
}
