//! A TOML file read into a struct, with faults that name the line.

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use crate::error::nearest;
use crate::source::Source;
use crate::{TownError, TownFault};

/// A TOML file: its text, for lines, and what it says.
pub(crate) struct TomlFile<'a> {
    source: Source<'a>,
    name: &'a str,
    text: String,
}

impl<'a> TomlFile<'a> {
    pub(crate) fn open(source: Source<'a>, name: &'a str) -> Result<Self, TownError> {
        let text = source.text(name)?;
        Ok(Self { source, name, text })
    }

    /// The file's contents, and once more as plain tables. `shape` holds every key that may occur;
    /// only what it says of keys counts.
    pub(crate) fn parse<T: DeserializeOwned>(&self, shape: &Table) -> Result<(T, Table), TownError> {
        let refused = |error: toml::de::Error| {
            let line = error.span().map(|span| self.line(span.start));
            // Newlines would tear the message apart in a log.
            let message = error.message().trim().replace('\n', "; ");
            self.source.error(self.name, line, TownFault::Toml(message))
        };
        let tree = DeTable::parse(&self.text).map_err(refused)?;
        self.check_keys(tree.get_ref(), shape)?;
        let contents = toml::from_str(&self.text).map_err(refused)?;
        let table = toml::from_str(&self.text).map_err(refused)?;
        Ok((contents, table))
    }

    /// A fault at a byte of the file.
    pub(crate) fn error_at(&self, byte: usize, fault: impl Into<TownFault>) -> TownError {
        self.source.error(self.name, Some(self.line(byte)), fault)
    }

    /// A fault of the file as a whole.
    pub(crate) fn error(&self, fault: impl Into<TownFault>) -> TownError {
        self.source.error(self.name, None, fault)
    }

    fn check_keys(&self, tree: &DeTable<'_>, shape: &Table) -> Result<(), TownError> {
        for (key, value) in tree {
            let name: &str = key.get_ref();
            match (value.get_ref(), shape.get(name)) {
                (_, None) => {
                    let fault = TownFault::UnknownKey {
                        key: name.to_owned(),
                        nearest: nearest(name, shape.keys().map(String::as_str)),
                    };
                    return Err(self.error_at(key.span().start, fault));
                }
                (DeValue::Table(inner), Some(Value::Table(shape))) => self.check_keys(inner, shape)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn line(&self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|&b| b == b'\n').count()
    }
}

/// A shape for [`TomlFile::parse`]: these keys, and tables of settings under `settings`.
pub(crate) fn shape(keys: &[&str], settings: (&str, Table)) -> Table {
    let plain = keys.iter().map(|key| ((*key).to_owned(), Value::Boolean(true)));
    plain
        .chain([(settings.0.to_owned(), Value::Table(settings.1))])
        .collect()
}
