//! JSON schemas as servers want them.

use serde_json::{Map, Value, json};

/// What strict mode refuses: descriptions of origin, formats of numbers, anything that is no shape.
const NOT_STRICT: [&str; 6] = ["$schema", "title", "default", "examples", "format", "uniqueItems"];

/// How many and how large: what some servers cannot hold an answer to.
const BOUNDS: [&str; 4] = ["minItems", "maxItems", "minimum", "maximum"];

/// The schema with every object closed and all of its properties required, and without keywords that
/// strict mode refuses, anything beside a reference, and `oneOf`, for which `anyOf` has to do. A property that may
/// be left out has to allow null in its type, as generated schemas of optional fields do.
pub(super) fn strict(schema: &Value) -> Value {
    changed(schema, &|object| {
        if let Some(reference) = object.get("$ref").cloned() {
            *object = Map::from_iter([("$ref".to_owned(), reference)]);
            return;
        }
        object.retain(|key, _| !NOT_STRICT.contains(&key.as_str()));
        if let Some(parts) = object.remove("oneOf") {
            object.insert("anyOf".to_owned(), parts);
        }
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            let names: Vec<&String> = properties.keys().collect();
            let names = json!(names);
            object.insert("required".to_owned(), names);
            object.insert("additionalProperties".to_owned(), json!(false));
        }
    })
}

/// The schema without saying how many and how large.
pub(super) fn unbounded(schema: &Value) -> Value {
    changed(schema, &|object| {
        object.retain(|key, _| !BOUNDS.contains(&key.as_str()));
    })
}

/// The schema with each object in it changed, the inner ones first. Names of properties and definitions are no
/// keywords.
fn changed(schema: &Value, change: &dyn Fn(&mut Map<String, Value>)) -> Value {
    match schema {
        Value::Object(object) => {
            let part = |(key, value): (&String, &Value)| {
                let value = match (key.as_str(), value) {
                    ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                        let named = named.iter();
                        Value::Object(
                            named
                                .map(|(name, inner)| (name.clone(), changed(inner, change)))
                                .collect(),
                        )
                    }
                    _ => changed(value, change),
                };
                (key.clone(), value)
            };
            let mut object = object.iter().map(part).collect();
            change(&mut object);
            Value::Object(object)
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| changed(item, change)).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_closed_at_every_depth_and_property_names_are_left_alone() {
        let schema = json!({
            "$schema": "x", "title": "Plan", "type": "object",
            "properties": {
                "title": {"type": "string", "default": ""},
                "strokes": {"type": "array", "items": {"$ref": "#/$defs/Stroke", "description": "one"}},
            },
            "$defs": {
                "Stroke": {"type": "object", "properties": {"end": {"type": ["string", "null"]}}},
                "Mood": {"oneOf": [{"const": "glad"}, {"type": "integer", "format": "uint8", "minimum": 0}]},
            },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "strokes": {"type": "array", "items": {"$ref": "#/$defs/Stroke"}},
            },
            "required": ["strokes", "title"],
            "additionalProperties": false,
            "$defs": {
                "Stroke": {
                    "type": "object", "properties": {"end": {"type": ["string", "null"]}},
                    "required": ["end"], "additionalProperties": false,
                },
                "Mood": {"anyOf": [{"const": "glad"}, {"type": "integer", "minimum": 0}]},
            },
        });
        let mut strict = strict(&schema);
        // In what order maps are walked depends on a feature of the library.
        if let Some(required) = strict["required"].as_array_mut() {
            required.sort_by_key(|name| name.to_string());
        }
        assert_eq!(strict, expected);
    }

    #[test]
    fn bounds_can_be_left_out_and_properties_of_their_names_stay() {
        let schema = json!({"type": "object", "properties": {
            "minimum": {"type": "integer", "minimum": 1, "maximum": 9},
            "ratings": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer", "maximum": 10}},
        }});
        let expected = json!({"type": "object", "properties": {
            "minimum": {"type": "integer"},
            "ratings": {"type": "array", "items": {"type": "integer"}},
        }});
        assert_eq!(unbounded(&schema), expected);
    }
}
