//! History files: what residents are told before the story starts.
//!
//! Two columns, `Name,Whisper`; several whispers in one column are parted by `;`. The header may be
//! missing and its case does not matter. Whispers with commas ought to be quoted; where they are
//! not, the columns after the name are taken as one text (the 2023 code drops all but the first).

use std::path::Path;

use townsfolk_town::Town;

use crate::blocks::csv_fault;
use crate::files::read_text;
use crate::names::{self, Found};
use crate::{ImportError, ImportFault};

/// What one line of a history file tells to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whispers {
    /// The line in the file, from 1.
    pub line: u64,
    /// The resident's name.
    pub name: String,
    /// The whispers in their order; none is empty.
    pub texts: Vec<String>,
}

/// Reads a history file. Lines without a name and without whispers are nothing.
///
/// # Errors
/// When the file cannot be read, is not CSV, has a line of one column, whispers without a name, or a
/// quote that is not closed on its line.
pub fn read_history(file: &Path) -> Result<Vec<Whispers>, ImportError> {
    let text = read_text(file, "it was named as the history of the town")?;
    if let Some(line) = open_quote(&text) {
        return Err(ImportError::new(file, ImportFault::OpenQuote { line }));
    }
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true);
    let mut history = Vec::new();
    for (index, record) in reader.from_reader(text.as_bytes()).records().enumerate() {
        let record = record.map_err(|error| csv_fault(file, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let columns: Vec<&str> = record.iter().collect();
        if columns.iter().all(|column| column.trim().is_empty()) || (index == 0 && is_header(&columns)) {
            continue;
        }
        let fail = |fault| Err(ImportError::new(file, fault));
        let [name, whispers @ ..] = columns.as_slice() else {
            continue;
        };
        if whispers.is_empty() {
            return fail(ImportFault::HistoryColumns {
                line,
                found: columns.len(),
            });
        }
        let name = name.trim().to_owned();
        if name.is_empty() {
            return fail(ImportFault::NoName { line });
        }
        let whispers = whispers.join(",");
        let texts = whispers.trim_end_matches([',', ' ']).split(';').map(str::trim);
        let texts = texts.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        history.push(Whispers { line, name, texts });
    }
    Ok(history)
}

/// Adds a history file's whispers to the residents' histories: all of them, or none.
///
/// # Errors
/// Those of [`read_history`], and a name that no resident has. The town is then unchanged.
pub fn apply_history(town: &mut Town, file: &Path) -> Result<(), ImportError> {
    let mut told: Vec<(usize, Vec<String>)> = Vec::new();
    for Whispers { line, name, texts } in read_history(file)? {
        let residents = town.residents.iter().map(|resident| &*resident.identity.name);
        let numbered = residents.clone().enumerate().map(|(index, name)| (name, index));
        match names::find(&name, numbered).map(Found::item) {
            Some(index) => told.push((index, texts)),
            None => {
                let nearest = names::nearest(&name, residents);
                let fault = ImportFault::UnknownResident { line, name, nearest };
                return Err(ImportError::new(file, fault));
            }
        }
    }
    for (index, texts) in told {
        town.residents[index].history.extend(texts);
    }
    Ok(())
}

/// The first line with a quoted column that does not end on it. No whisper has more than one line, and a
/// forgotten quote would make the rows after it part of the whisper.
fn open_quote(text: &str) -> Option<u64> {
    let mut numbered = (1..).zip(text.split('\n'));
    numbered
        .find(|(_, line)| line.split('\r').any(|line| !is_closed(line)))
        .map(|(number, _)| number)
}

/// Whether every column that begins with a quote has another at its end.
fn is_closed(line: &str) -> bool {
    let mut rest = line;
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            // Two quotes within are one of the text.
            let mut after = quoted;
            rest = loop {
                let Some((_, behind)) = after.split_once('"') else {
                    return false;
                };
                match behind.strip_prefix('"') {
                    Some(behind) => after = behind,
                    None => break behind,
                }
            };
        }
        match rest.split_once(',') {
            Some((_, next)) => rest = next,
            None => return true,
        }
    }
}

/// `Name,Whisper`, also `name, whispers`.
fn is_header(columns: &[&str]) -> bool {
    match columns {
        [name, whisper, rest @ ..] => {
            name.trim().eq_ignore_ascii_case("name")
                && whisper.trim().to_ascii_lowercase().starts_with("whisper")
                && rest.iter().all(|column| column.trim().is_empty())
        }
        _ => false,
    }
}
