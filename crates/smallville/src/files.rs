//! Reading files so that every failure names its file and place.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::{ImportError, ImportFault};

/// The text of a file, without a byte order mark. `needed` says what for, in case it is missing.
pub(crate) fn read_text(path: &Path, needed: &'static str) -> Result<String, ImportError> {
    let bytes = fs::read(path).map_err(|error| unreadable(path, error, needed))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        ImportError::new(path, ImportFault::NotUtf8 { line })
    })?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// A JSON file as a value of that type.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path, needed: &'static str) -> Result<T, ImportError> {
    let text = read_text(path, needed)?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let key = match error.path().to_string() {
            top if top == "." => String::new(),
            key => format!("{key}: "),
        };
        json_fault(path, &key, error.inner())
    })?;
    reader.end().map_err(|error| json_fault(path, "", &error))?;
    Ok(value)
}

fn json_fault(path: &Path, key: &str, error: &serde_json::Error) -> ImportError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = format!("{key}{}", message.strip_suffix(&place).unwrap_or(&message));
    ImportError::new(
        path,
        ImportFault::Json {
            line,
            column,
            message,
        },
    )
}

/// The names of the folders inside a folder, sorted; hidden ones and those whose names are not
/// Unicode are left out.
pub(crate) fn folders_in(path: &Path, needed: &'static str) -> Result<Vec<String>, ImportError> {
    let entries = fs::read_dir(path).map_err(|error| unreadable(path, error, needed))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(path, error, needed))?;
        if !entry.path().is_dir() {
            continue;
        }
        if let Ok(name) = entry.file_name().into_string() {
            names.push(name);
        }
    }
    names.retain(|name| !name.starts_with('.'));
    names.sort_unstable();
    Ok(names)
}

fn unreadable(path: &Path, error: std::io::Error, needed: &'static str) -> ImportError {
    let fault = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ImportFault::Missing { needed },
        _ => ImportFault::Read(error),
    };
    ImportError::new(path, fault)
}
