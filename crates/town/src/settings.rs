//! Settings of a mind: the town's defaults, and what a resident departs from.

use serde::de::Error as _;
use toml::{Table, Value};
use townsfolk_mind::Settings;

/// Every key that settings may have.
pub(crate) fn shape() -> Table {
    // Settings are plain numbers and tables of them, which TOML can always write.
    Table::try_from(Settings::default()).unwrap_or_default()
}

/// The settings that result where `own` departs from `defaults`, key by key.
pub(crate) fn merged(defaults: &Table, own: &Table) -> Result<Settings, toml::de::Error> {
    let mut all = defaults.clone();
    overlay(&mut all, own);
    all.try_into()
        .map_err(|error: toml::de::Error| toml::de::Error::custom(error.message()))
}

fn overlay(below: &mut Table, above: &Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            _ => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}
