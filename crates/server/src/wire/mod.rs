//! What goes over the wire, apart from the rows of the run file and the types of the town, so that
//! neither can break a page by being renamed.

pub(crate) mod map;
pub(crate) mod moment;
pub(crate) mod page;
pub(crate) mod person;
pub(crate) mod run;
pub(crate) mod town;

/// JSON that the run file keeps as text; null where it is none.
pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or(serde_json::Value::Null)
}
