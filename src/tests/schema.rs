//! The JSON Schemas that are made from something else: that of a configuration from the options, and that of a line of
//! JSON Lines from that of a report.

use clap::Command;
use clap::builder::StyledStr;
use serde_json::{Map, Value, json};

use crate::config::keys::{Holds, Key, keys, scan_of};

/// Returns the schema, as JSON with a newline at its end. `root` is the definition of the program.
pub(super) fn schema(root: &Command) -> String {
    let mut properties: Map<String, Value> = keys(scan_of(root))
        .map(|key| (key.name().to_owned(), property(key)))
        .collect();
    properties.insert("ignore".into(), rules());
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dupfind.toml",
        "description": "Options of dupfind, by the long names that they have on the command line.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    format!("{schema:#}\n")
}

/// Returns the schema of a key: its help, its values and its default.
fn property(key: Key<'_>) -> Value {
    let one = value(key);
    let mut list = json!({ "type": "array", "items": one });
    if !key.0.get_default_values().is_empty() {
        list["minItems"] = 1.into();
    }
    let mut schema = match key.is_list() {
        true => json!({ "anyOf": [one, list] }),
        false => one,
    };
    let help = key.0.get_long_help().or(key.0.get_help());
    schema["description"] = help.map(StyledStr::to_string).into();
    if let Some(default) = default(key) {
        schema["default"] = default;
    }
    schema
}

/// Returns the schema of one value of a key.
fn value(key: Key<'_>) -> Value {
    let values = key.0.get_possible_values();
    if key.is_flag() {
        return json!({ "type": "boolean" });
    }
    if values.is_empty() {
        return match key.holds() {
            Holds::Number | Holds::Text => json!({ "type": ["number", "string"] }),
            _ => json!({ "type": "string" }),
        };
    }
    let names = values.iter().map(|value| value.get_name());
    // A number may be written as one, too.
    let numbers = names.clone().filter_map(|name| name.parse::<u64>().ok());
    let all: Vec<Value> = names
        .map(Value::from)
        .chain(numbers.map(Value::from))
        .collect();
    let known = json!({ "enum": all });
    // A string may hold a list, as on the command line, and a format its file.
    let more = match (key.holds(), key.0.get_value_delimiter()) {
        (Holds::Format, _) => "=.",
        (_, Some(_)) => ".,.",
        (_, None) => return known,
    };
    json!({ "anyOf": [known, { "type": "string", "pattern": more }] })
}

/// Returns the default of a key, if it has one.
fn default(key: Key<'_>) -> Option<Value> {
    if key.is_flag() {
        return Some(false.into());
    }
    let values = key.0.get_default_values();
    let text = values.first()?.to_string_lossy();
    Some(match (key.holds(), key.is_list()) {
        (_, true) => text.split(',').collect(),
        (Holds::Number, _) => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
        _ => text.into(),
    })
}

/// Returns the schema of the tables `[[ignore]]`.
fn rules() -> Value {
    json!({
        "description": "Pairs that are left out. The tables come after all keys.",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "documents": {
                    "description": "Names, folders and globs of documents. Pairs of them are left out.",
                    "type": "array",
                    "items": { "type": "string" },
                    "minItems": 1,
                },
                "reason": { "description": "Why they may be alike.", "type": "string" },
            },
            "required": ["documents", "reason"],
            "additionalProperties": false,
        },
    })
}

/// Returns the schema of a line of JSON Lines: of each part of a report, with its type.
pub(super) fn of_lines() -> String {
    let report = include_str!("../../schema/report.schema.json");
    let report: Value = serde_json::from_str(report).unwrap();
    let parts = &report["properties"];
    let item = |list: &str| parts[list]["items"].clone();
    let mut summary = parts["summary"].clone();
    for key in ["schema_version", "tool", "settings"] {
        add(&mut summary, key, parts[key].clone());
    }
    let lines = [
        ("pair", item("pairs")),
        ("cluster", item("clusters")),
        ("skipped", item("skipped")),
        ("note", item("notes")),
        ("summary", summary),
    ];
    let lines = lines.map(|(name, mut line)| {
        add(&mut line, "type", json!({ "const": name }));
        line
    });
    let schema = json!({
        "$schema": report["$schema"],
        "title": "A line of dupfind scan --format jsonl",
        "oneOf": lines,
    });
    format!("{schema:#}\n")
}

/// Adds a key that is always there to the schema of an object.
fn add(object: &mut Value, key: &str, schema: Value) {
    object["properties"][key] = schema;
    let required = object["required"].as_array_mut().unwrap();
    required.push(key.into());
}
