//! What the description promises is what the server does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use townsfolk_server::ServeOptions;
use townsfolk_town::Town;

use crate::common::{HOUR, Served};

/// Every path that is described, asked over a real run: the status is one that is described, and the
/// answer has the form that is described.
#[test]
fn every_documented_path_answers_as_documented() {
    // A morning in the town that comes with Townsfolk: long enough for people to meet.
    let town = Town::bundled("osier_quay").expect("a town");
    let served = Served::recorded(town, 8 * HOUR, ServeOptions::default());
    let talks = served.json("/api/talks");
    let talk = talks["items"][0]["id"]
        .as_u64()
        .expect("they have talked")
        .to_string();
    let description = served.json("/api/openapi.json");
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() > 25, "only {} paths are described", paths.len());
    let object = served.json("/api/map")["places"]
        .as_array()
        .and_then(|places| places.iter().find(|place| place["kind"] == "object").cloned())
        .expect("an object")["id"]
        .to_string();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().expect("methods") {
            let id = if path.contains("talks") && !path.contains("residents") {
                &talk
            } else {
                "0"
            };
            let asked = path
                .replace("{place}", &object)
                .replace("{id}", id)
                .replace("{memory}", "0")
                .replace("{index}", "0");
            let reply = match method.as_str() {
                "get" => {
                    let query = match path.as_str() {
                        "/api/frames" => "?from=0&to=100",
                        "/api/residents/{id}/retrieval" => "?query=breakfast",
                        _ => "",
                    };
                    served.get(&format!("{asked}{query}"))
                }
                "post" => served.post(&asked, body_for(path)),
                other => panic!("{path}: {other} is not used here"),
            };
            let described = &operation["responses"][reply.status.to_string()];
            assert!(
                described.is_object(),
                "{method} {path}: {} is not described: {}",
                reply.status,
                reply.text()
            );
            assert!(reply.status < 300, "{method} {path}: {}", reply.text());
            let schema = &described["content"]["application/json"]["schema"];
            if schema.is_object() {
                fits(&description, schema, &reply.json(), &format!("{method} {path}"));
            }
        }
    }
}

fn body_for(path: &str) -> Value {
    match path {
        "/api/control" => json!({ "command": "speed", "speed": null }),
        "/api/inputs" => json!({ "input": "whisper", "resident": 0, "text": "Water the roses." }),
        "/api/interview" => json!({ "resident": 0, "question": "What do you like?" }),
        "/api/session" => json!({ "token": "none is needed" }),
        other => panic!("{other}: say here what to send"),
    }
}

/// The pages for people name the same paths.
#[test]
fn the_page_about_the_api_speaks_of_every_path() {
    let served = Served::finished();
    let described = served.json("/api/openapi.json");
    let described: BTreeSet<&str> = described["paths"]
        .as_object()
        .map(|paths| paths.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let page = include_str!("../../../../docs/api.md");
    let named: BTreeSet<&str> = page
        .split(['`', ' ', '?', '\n', '|'])
        .filter(|word| word.starts_with("/api/") && !word.ends_with('/'))
        .filter(|word| !["/api/live", "/api/openapi.json"].contains(word))
        .collect();
    assert_eq!(described, named);
}

/// Checks the part of JSON Schema that the description uses.
fn fits(description: &Value, schema: &Value, value: &Value, at: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = description.pointer(reference.trim_start_matches('#'));
        return fits(description, target.expect("a schema that is there"), value, at);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fits(description, part, value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices
            .iter()
            .filter(|choice| could_fit(description, choice, value));
        let choice = fitting.into_iter().next();
        return fits(
            description,
            choice.unwrap_or_else(|| panic!("{at}: {value} fits none of {schema}")),
            value,
            at,
        );
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: a type {other}"),
    };
    assert!(
        kinds.is_empty() || kinds.iter().any(is),
        "{at}: {value} is no {kinds:?}"
    );
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at}: {value} is none of {words:?}");
    }
    if let Some(minimum) = schema["minimum"].as_i64() {
        assert!(
            value.as_f64().is_none_or(|value| value >= minimum as f64),
            "{at}: {value}"
        );
    }
    for item in value.as_array().into_iter().flatten() {
        if schema["items"].is_object() {
            fits(description, &schema["items"], item, &format!("{at}[]"));
        }
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            assert!(object.contains_key(name), "{at}: {name} is missing in {value}");
        }
        for (name, inner) in object {
            let property = &schema["properties"][name];
            if property.is_object() {
                fits(description, property, inner, &format!("{at}.{name}"));
            }
        }
    }
}

/// Whether a value is of a choice's broad type.
fn could_fit(description: &Value, schema: &Value, value: &Value) -> bool {
    if schema["type"] == "null" {
        return value.is_null();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = description.pointer(reference.trim_start_matches('#'));
        return target.is_some_and(|target| could_fit(description, target, value));
    }
    !value.is_null()
}
