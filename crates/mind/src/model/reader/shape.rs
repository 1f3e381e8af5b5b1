//! Makes a value of the shape that was asked for out of one that is near to it.
//!
//! Keys are compared without case and punctuation, then by what else models call them (`reading/`); an object may be
//! wrapped in another or in a list; a list may stand alone or as numbered keys; numbers and truths may be
//! written as texts. What a schema requires must be there.

use serde_json::{Map, Value};

use crate::model::clock::span_in;
use crate::model::length::minutes_in;
use crate::model::reading::Reading;

/// Longer words right behind a number are no unit, in letters: "120minutes".
const LONGEST_UNIT: usize = 7;
/// How often an object is looked for inside another.
const UNWRAPPINGS: usize = 4;

/// A value of the shape of `schema`, and how many of its fields were found; none where a required
/// field is missing.
pub(super) fn fitted(value: Value, schema: &Value) -> Option<(Value, usize)> {
    let mut value = value;
    for _ in 0..UNWRAPPINGS {
        let found = match &value {
            Value::Object(object) => object_of(object, schema),
            Value::Array(list) => list_as_object(list, schema),
            scalar => alone(scalar, schema),
        };
        if found.is_some() {
            return found;
        }
        // One more object or list around it.
        value = match value {
            Value::Object(object) if object.len() == 1 => object.into_iter().next()?.1,
            Value::Array(mut list) if list.len() == 1 => list.pop()?,
            _ => return None,
        };
    }
    None
}

/// The keys of a schema, for messages.
pub(super) fn keys(schema: &Value) -> String {
    let names: Vec<String> = properties(schema)
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    names.join(", ")
}

/// What is wanted where the first value stands that does not have its type, for messages.
pub(super) fn misfit(value: &Value, schema: &Value) -> Option<String> {
    misfit_at("the answer", value, schema)
}

fn misfit_at(place: &str, value: &Value, schema: &Value) -> Option<String> {
    if let Some(parts) = schema.get("anyOf").and_then(Value::as_array) {
        let kind = |part: &&Value| !is_type(part, "null") || value.is_null();
        return parts
            .iter()
            .find(kind)
            .and_then(|part| misfit_at(place, value, part));
    }
    if let Value::Object(object) = value {
        return properties(schema).find_map(|(name, field)| misfit_at(name, object.get(name)?, field));
    }
    if let Value::Array(list) = value {
        let items = schema.get("items")?;
        return list.iter().find_map(|item| misfit_at(place, item, items));
    }
    if !is_type(schema, "integer") {
        return None;
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
    let (least, most) = (bound("minimum"), bound("maximum"));
    let fits = |n: i64| least.is_none_or(|least| n >= least) && most.is_none_or(|most| n <= most);
    if value.as_i64().is_some_and(fits) {
        return None;
    }
    Some(format!(
        "\"{place}\" takes whole numbers, and {value} is none that can be"
    ))
}

/// The one field that must be there, if only one must: what is written alone means that.
pub(super) fn main_field(schema: &Value) -> Option<(&str, &Value)> {
    let mut required = properties(schema).filter(|(name, _)| is_required(schema, name));
    match (required.next(), required.next()) {
        (Some(only), None) => Some(only),
        (None, _) => {
            let mut all = properties(schema);
            all.next().filter(|_| all.next().is_none())
        }
        _ => None,
    }
}

/// Name and schema of each field.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.as_str(), schema))
}

/// Whether a key means a field: it is another name of it, or begins with a name long enough to be meant.
pub(super) fn means(key: &str, field: &str) -> bool {
    let key = plain(key);
    key == field || field.len() >= 4 && key.starts_with(field) || Reading::get().is_field(field, &key)
}

/// Whether a schema is for a value of this type.
pub(super) fn is_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|t| t == name),
        _ => false,
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|n| n == name))
}

/// Letters and digits in lower case.
fn plain(key: &str) -> String {
    key.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn object_of(object: &Map<String, Value>, schema: &Value) -> Option<(Value, usize)> {
    let mut fitted = Map::new();
    let mut taken: Vec<&str> = Vec::new();
    // Own names before other names: "from" is not taken for "at" where "at" is there too.
    for exact in [true, false] {
        for (field, field_schema) in properties(schema) {
            if fitted.contains_key(field) {
                continue;
            }
            let key = object.keys().find(|key| {
                !taken.contains(&key.as_str())
                    && if exact {
                        plain(key) == *field
                    } else {
                        means(key, field)
                    }
            });
            if let Some(key) = key
                && let Some(value) = named_field_of(field, &object[key.as_str()], field_schema)
            {
                taken.push(key);
                fitted.insert(field.to_owned(), value);
            }
        }
    }
    // {"start": "5:30", "end": "6:30"} says "5:30-6:30".
    let mut left = object.iter().filter(|(key, _)| !taken.contains(&key.as_str()));
    let start = ["at", "from"]
        .into_iter()
        .find(|field| fitted.contains_key(*field));
    if let Some(Value::String(start)) = start.and_then(|field| fitted.get_mut(field))
        && let Some((_, Value::String(end))) = left.find(|(key, _)| means(key, "until"))
    {
        let range = format!("{start}-{end}");
        if span_in(&range).is_some_and(|(_, end)| end.is_some()) {
            *start = range;
        }
    }
    let score = fitted.len();
    if score > 0 && complete(&fitted, schema) {
        return Some((Value::Object(fitted), score));
    }
    // {"1": {...}, "2": {...}} and {"output": "..."} for an answer of one field.
    let (field, field_schema) = main_field(schema)?;
    let numbered = !object.is_empty() && object.keys().all(|key| key.chars().any(|c| c.is_ascii_digit()));
    let value = if numbered && is_type(field_schema, "array") {
        Value::Array(object.values().cloned().collect())
    } else if object.len() == 1 && !object.values().any(Value::is_object) {
        object.values().next()?.clone()
    } else if ["anyOf", "properties"]
        .iter()
        .any(|key| field_schema.get(*key).is_some())
    {
        // The fields of the one object, without it around them.
        Value::Object(object.clone())
    } else if is_type(field_schema, "array") && object.len() > 1 {
        // One item instead of a list of one.
        Value::Array(vec![Value::Object(object.clone())])
    } else {
        return None;
    };
    one_field(field, &value, field_schema)
}

fn list_as_object(list: &[Value], schema: &Value) -> Option<(Value, usize)> {
    let (field, field_schema) = main_field(schema)?;
    if is_type(field_schema, "array") {
        one_field(field, &Value::Array(list.to_vec()), field_schema)
    } else {
        None
    }
}

fn alone(scalar: &Value, schema: &Value) -> Option<(Value, usize)> {
    let (field, field_schema) = main_field(schema)?;
    one_field(field, scalar, field_schema)
}

fn one_field(field: &str, value: &Value, schema: &Value) -> Option<(Value, usize)> {
    let value = field_of(value, schema)?;
    if value.is_null() || value.as_array().is_some_and(Vec::is_empty) {
        return None;
    }
    Some((Value::Object(Map::from_iter([(field.to_owned(), value)])), 1))
}

fn complete(object: &Map<String, Value>, schema: &Value) -> bool {
    properties(schema).all(|(name, _)| !is_required(schema, name) || object.contains_key(name))
}

/// A value for the field of a name; none where it cannot be one. Minutes may be told in hours.
fn named_field_of(name: &str, value: &Value, schema: &Value) -> Option<Value> {
    let minutes = value.as_str().filter(|_| name == "minutes").and_then(minutes_in);
    match minutes {
        Some(minutes) => Some(minutes.into()),
        None => field_of(value, schema),
    }
}

/// A value for one field; none where it cannot be one.
fn field_of(value: &Value, schema: &Value) -> Option<Value> {
    if let Some(parts) = schema.get("anyOf").and_then(Value::as_array) {
        if value.is_null() {
            return Some(Value::Null);
        }
        return parts
            .iter()
            .find_map(|part| field_of(value, part).filter(|v| !v.is_null()));
    }
    if value.is_null() {
        return is_type(schema, "null").then_some(Value::Null);
    }
    if schema.get("enum").is_some() {
        return one_of(value, schema);
    }
    if is_type(schema, "array") {
        return list_of(value, schema.get("items").unwrap_or(&Value::Null));
    }
    if schema.get("properties").is_some() {
        return match value {
            Value::String(text) if Reading::get().is_nothing(text) => {
                is_type(schema, "null").then_some(Value::Null)
            }
            value => fitted(value.clone(), schema).map(|(value, _)| value),
        };
    }
    if is_type(schema, "boolean") {
        return truth(value).map(Value::Bool);
    }
    if is_type(schema, "integer") || is_type(schema, "number") {
        return Some(whole(value));
    }
    text_of(value).map(Value::String)
}

fn list_of(value: &Value, items: &Value) -> Option<Value> {
    let list: Vec<Value> = match value {
        Value::Array(list) => list.iter().filter_map(|v| item_of(v, items)).collect(),
        Value::Object(object)
            if items.get("properties").is_some() && !object.values().any(Value::is_object) =>
        {
            vec![field_of(value, items)?]
        }
        Value::Object(object) => object.values().filter_map(|v| item_of(v, items)).collect(),
        // "1, 3" for a list of numbers.
        Value::String(text) if is_type(items, "integer") => {
            let numbers = text.split(|c: char| !c.is_ascii_digit());
            numbers
                .filter_map(|n| n.parse::<u32>().ok())
                .map(Value::from)
                .collect()
        }
        Value::String(text) if Reading::get().is_nothing(text) => Vec::new(),
        single => vec![item_of(single, items)?],
    };
    // A list none of whose items can be read is not an empty list.
    if list.is_empty() && value.as_array().is_some_and(|written| !written.is_empty()) {
        return None;
    }
    Some(Value::Array(list))
}

fn item_of(value: &Value, items: &Value) -> Option<Value> {
    match value {
        Value::String(text) if items.get("properties").is_some() => {
            super::prose::item(text, items).and_then(|item| field_of(&item, items))
        }
        // A list of lists, or an object with one text, where texts are wanted.
        Value::Object(object) if is_type(items, "string") => {
            object.values().find_map(text_of).map(Value::String)
        }
        Value::Object(object) if is_type(items, "integer") => {
            object.values().map(whole).find(Value::is_number)
        }
        value => field_of(value, items),
    }
}

fn one_of(value: &Value, schema: &Value) -> Option<Value> {
    let wanted = plain(&text_of(value)?);
    let choices = schema.get("enum")?.as_array()?;
    let names = || choices.iter().filter_map(Value::as_str);
    let exact = names().find(|name| plain(name) == wanted || Reading::get().is_value(name, &wanted));
    let within = || {
        let mut named = names().filter(|name| {
            wanted.contains(&plain(name)) || !wanted.is_empty() && plain(name).starts_with(&wanted)
        });
        named.next().filter(|_| named.next().is_none())
    };
    exact.or_else(within).map(Value::from)
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Number(n) => n.as_f64().map(|n| n != 0.0),
        Value::String(text) => Reading::get().truth(&plain(text)),
        _ => None,
    }
}

/// A whole number where the value says one: "7", "7/10", "#3", "3. the desk", "25 min", "番号は3です", 7.0. Other
/// texts stay as they are; whoever takes names of things reads those. Fractions stay too: 2.7 is no place and no
/// rating.
fn whole(value: &Value) -> Value {
    match value {
        Value::Number(n) => match n.as_f64() {
            Some(f) if n.as_i64().is_none() && f.abs() < 1e9 && f.fract() == 0.0 => Value::from(f as i64),
            _ => value.clone(),
        },
        Value::String(text) => {
            let digits = text.trim().trim_start_matches(['#', '(', '[', '~', '≈', ' ']);
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            // "25min" and "2nd" are numbers, "7boat" is none.
            let glued = digits[end..].find(|c: char| !c.is_ascii_alphabetic());
            let glued = glued.unwrap_or(digits.len() - end);
            let fraction = digits[end..].strip_prefix('.').unwrap_or_default();
            let is_fraction = fraction.starts_with(|c: char| c.is_ascii_digit());
            match digits[..end].parse::<u32>() {
                Ok(number) if glued <= LONGEST_UNIT && !is_fraction => Value::from(number),
                _ => match Reading::get().chosen_number(text) {
                    Some(number) => Value::from(number),
                    None => value.clone(),
                },
            }
        }
        Value::Array(list) => match list.as_slice() {
            [only] => whole(only),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Bool(b) => Some(b.to_string()),
        Value::Array(list) => {
            let texts: Option<Vec<String>> = list
                .iter()
                .map(|v| text_of(v).filter(|_| !v.is_array()))
                .collect();
            texts.filter(|t| !t.is_empty()).map(|t| t.join(" "))
        }
        _ => None,
    }
}
