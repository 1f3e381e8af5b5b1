//! JSON schemas as strict structured output wants them.

use serde_json::{Map, Value, json};

/// The schema with every object closed and all of its properties required, and without keywords that
/// strict mode refuses: descriptions of origin, formats of numbers, anything beside a reference, and
/// `oneOf`, for which `anyOf` has to do. A property that may be left out has to allow
/// null in its type, as generated schemas of optional fields do.
pub(crate) fn strict(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            if let Some(reference) = object.get("$ref") {
                return json!({"$ref": reference});
            }
            let mut strict_object = Map::new();
            for (key, value) in object {
                match key.as_str() {
                    "$schema" | "title" | "default" | "examples" | "format" | "uniqueItems" => {}
                    "oneOf" => {
                        strict_object.insert("anyOf".to_owned(), strict(value));
                    }
                    // Names of properties and definitions are no keywords.
                    "properties" | "$defs" | "definitions" => {
                        let inner = value.as_object().map(|inner| {
                            inner
                                .iter()
                                .map(|(name, schema)| (name.clone(), strict(schema)))
                                .collect()
                        });
                        strict_object.insert(key.clone(), Value::Object(inner.unwrap_or_default()));
                    }
                    _ => {
                        strict_object.insert(key.clone(), strict(value));
                    }
                }
            }
            if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                let names: Vec<&String> = properties.keys().collect();
                strict_object.insert("required".to_owned(), json!(names));
                strict_object.insert("additionalProperties".to_owned(), json!(false));
            }
            Value::Object(strict_object)
        }
        Value::Array(items) => Value::Array(items.iter().map(strict).collect()),
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
}
