//! Files of inputs: what is done from outside, and when, for experiments that run by themselves.
//!
//! TOML, or JSON lines (`.jsonl`), one input an entry: `at`, `input` and what that input needs. The format
//! is that of the run file's own inputs, described in `docs/steering.md`.

use std::path::Path;

use anyhow::anyhow;
use serde_json::{Map, Value};
use townsfolk_engine::Written;
use townsfolk_town::Town;

use crate::failure::Failure;
use crate::when::{Clock, When};
use crate::words;

/// An input of a file.
pub(crate) struct Scheduled {
    /// Where it stands, as errors say it: the file, and the line or number.
    pub(crate) place: String,
    /// When it acts.
    pub(crate) tick: u64,
    /// What is done.
    pub(crate) input: Written,
}

/// Reads what is to be done at which tick, in order of ticks; those of one tick as they are written.
///
/// # Errors
/// The first fault, with the file and the number of the entry.
pub(crate) fn read(file: &Path, town: &Town, clock: Clock) -> Result<Vec<Scheduled>, Failure> {
    let shown = words::path(file);
    let text = std::fs::read_to_string(file).map_err(|e| Failure::Usage(anyhow!("{shown}: {e}")))?;
    let lines = file.extension().is_some_and(|ending| ending == "jsonl");
    let entries = if lines { json_lines(&text) } else { tables(&text) };
    let entries = entries.map_err(|fault| Failure::Usage(anyhow!("{shown}: {fault}")))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let scheduled = |(place, entry)| {
        let place = format!("{shown}: {place}");
        match one(entry, folder, town, clock) {
            Ok((tick, input)) => Ok(Scheduled { place, tick, input }),
            Err(fault) => Err(Failure::Usage(anyhow!("{place}: {fault}"))),
        }
    };
    let mut inputs: Vec<Scheduled> = entries.into_iter().map(scheduled).collect::<Result<_, _>>()?;
    inputs.sort_by_key(|scheduled| scheduled.tick);
    Ok(inputs)
}

/// An input as it was written, and where it stands.
type Entry = (String, Map<String, Value>);

fn json_lines(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let place = format!("line {number}");
            let entry = serde_json::from_str(line).map_err(|error| {
                let (fault, column) = (error.to_string(), error.column());
                // The line within this line.
                let fault = fault.trim_end_matches(&format!(" at line 1 column {column}"));
                format!("{place}, column {column}: {fault}")
            })?;
            Ok((place, entry))
        })
        .collect()
}

fn tables(text: &str) -> Result<Vec<Entry>, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    if let Some(other) = table.keys().find(|key| *key != "inputs") {
        return Err(format!("unknown key `{other}`; inputs are written as [[inputs]]"));
    }
    let inputs = table.get("inputs").and_then(toml::Value::as_array);
    let inputs = inputs.ok_or("holds no [[inputs]]")?;
    inputs
        .iter()
        .zip(1..)
        .map(|(entry, number)| match serde_json::to_value(entry) {
            Ok(Value::Object(entry)) => Ok((format!("input {number}"), entry)),
            _ => Err("an input is a table with `at` and `input`".to_owned()),
        })
        .collect()
}

fn one(
    mut entry: Map<String, Value>,
    folder: &Path,
    town: &Town,
    clock: Clock,
) -> Result<(u64, Written), String> {
    let at = entry.remove("at").ok_or("`at` is missing; say when it happens")?;
    let at = match at {
        Value::String(at) => at,
        other => other.to_string(),
    };
    let when: When = at.parse().map_err(|e: crate::when::BadWhen| e.to_string())?;
    let tick = clock.tick(when, Clock::LAST).map_err(|e| e.to_string())?;
    if entry.get("input").and_then(Value::as_str) == Some("join")
        && let Some(Value::String(file)) = entry.get("file")
    {
        let newcomer = town
            .read_newcomer(&folder.join(file))
            .map_err(|e| e.to_string())?;
        let newcomer = Box::new(newcomer);
        return Ok((tick.into(), Written::Join { newcomer }));
    }
    let written = serde_json::from_value(Value::Object(entry)).map_err(|e| e.to_string())?;
    Ok((tick.into(), written))
}
