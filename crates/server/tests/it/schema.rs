//! What the description promises is what the server does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use townsfolk_server::ServeOptions;
use townsfolk_town::Town;

use crate::common::{HOUR, Reply, Served, ask, two_neighbours};

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
    let object = an_object(&served);
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

/// Whatever cannot be answered is refused with a status that is described, in the form that is described.
#[test]
fn every_documented_path_refuses_as_documented() {
    let served = Served::finished();
    let description = served.json("/api/openapi.json");
    let object = an_object(&served);
    let known = |path: &str| known(path, &object);
    let asked = |method: &str, asked: &str, body: &str, kind: Option<&str>| {
        let headers: Vec<_> = kind.map(|kind| ("content-type", kind)).into_iter().collect();
        ask(served.address(), &method.to_uppercase(), asked, &headers, body)
    };
    each_operation(&description, |path, method, operation| {
        let check = |reply: Reply, status: u16, what: &str| {
            refused(
                &description,
                operation,
                &reply,
                status,
                &format!("{method} {path}, {what}"),
            );
        };
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            let query = query(needed(path).iter().filter(|(needed, _)| *needed != name));
            if parameter["in"] == "path" {
                for value in ["x", "4000000000"] {
                    let path = known(&path.replace(&format!("{{{name}}}"), value));
                    let reply = asked(method, &format!("{path}?{query}"), "", None);
                    check(reply, 404, &format!("{name}={value}"));
                }
                continue;
            }
            for (value, status) in impossible(name, &parameter["schema"]) {
                let reply = asked(
                    method,
                    &format!("{}?{name}={value}{query}", known(path)),
                    "",
                    None,
                );
                check(reply, status, &format!("{name}={value}"));
            }
        }
        if operation["requestBody"].is_object() {
            let json = Some("application/json");
            let long = Value::from("x".repeat(66_000)).to_string();
            check(asked(method, path, "{", json), 400, "half a body");
            check(asked(method, path, &long, json), 413, "a long body");
            check(asked(method, path, "{}", Some("text/plain")), 415, "text");
            check(asked(method, path, "{}", json), 422, "an empty object");
        }
    });

    // A run in which nothing has happened yet.
    let unborn = Served::recorded(two_neighbours(), 0, ServeOptions::default());
    each_operation(&description, |path, method, operation| {
        if method == "get" && operation["responses"]["409"].is_object() {
            let query = query(needed(path).iter());
            let reply = unborn.get(&format!("{}?{query}", known(path)));
            refused(&description, operation, &reply, 409, path);
        }
    });

    // One that not everybody may see.
    let options = ServeOptions {
        token: Some("open sesame".to_owned()),
        ..ServeOptions::default()
    };
    let closed = Served::recorded(two_neighbours(), 1, options);
    each_operation(&description, |path, method, operation| {
        let body = json!({ "token": "sesame" });
        let reply = match method {
            "get" => closed.get(&known(path)),
            _ => closed.post(path, body),
        };
        refused(&description, operation, &reply, 401, path);
    });
}

fn each_operation(description: &Value, mut check: impl FnMut(&str, &str, &Value)) {
    for (path, methods) in description["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            check(path, method, operation);
        }
    }
}

/// Checks that a reply refuses with this status, as it is described.
fn refused(description: &Value, operation: &Value, reply: &Reply, status: u16, at: &str) {
    assert_eq!(reply.status, status, "{at}: {}", reply.text());
    let schema = &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{at}: {status} is not described");
    fits(description, schema, &reply.json(), at);
}

/// A path with ids that are there.
fn known(path: &str, object: &str) -> String {
    let path = path.replace("{place}", object);
    ["{id}", "{memory}", "{index}"]
        .iter()
        .fold(path, |path, name| path.replace(name, "0"))
}

/// The id of an object.
fn an_object(served: &Served) -> String {
    let map = served.json("/api/map");
    let places = map["places"].as_array().expect("places");
    let object = places.iter().find(|place| place["kind"] == "object");
    object.expect("an object")["id"].to_string()
}

/// What a query must have.
fn needed(path: &str) -> &'static [(&'static str, &'static str)] {
    match path {
        "/api/frames" => &[("from", "0")],
        "/api/residents/{id}/retrieval" => &[("query", "breakfast")],
        _ => &[],
    }
}

/// The rest of a query.
fn query<'a>(parameters: impl Iterator<Item = &'a (&'static str, &'static str)>) -> String {
    parameters
        .map(|(name, value)| format!("&{name}={value}"))
        .collect()
}

/// Values that a parameter of a query cannot have, and what comes of them.
fn impossible(name: &str, schema: &Value) -> Vec<(String, u16)> {
    let is = |kind: &str| {
        let kinds = schema["type"].as_array().into_iter().flatten();
        schema["type"] == kind || kinds.into_iter().any(|each| each == kind)
    };
    let mut values = Vec::new();
    if is("integer") {
        values.push(("x".to_owned(), 400));
    }
    for (bound, beyond) in [("minimum", -1), ("maximum", 1)] {
        // Ids and ticks begin at 0, which says nothing of what is there.
        if let Some(bound) = schema[bound].as_i64().filter(|bound| *bound != 0) {
            values.push(((bound + beyond).to_string(), 400));
        }
    }
    let value = match name {
        "tick" => ("4294967296", 416),
        "resident" | "who" => ("4000000000", 404),
        "date" => ("abc", 400),
        "cursor" => ("elsewhere", 400),
        "preset" => ("magic", 400),
        _ => return values,
    };
    values.push((value.0.to_owned(), value.1));
    values
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
