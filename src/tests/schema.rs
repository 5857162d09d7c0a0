//! The JSON Schemas that are made from something else: that of a configuration from the options, and that of a line of
//! JSON Lines from that of a report.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction};
use serde_json::{Map, Value, json};

use crate::config::file::{key_of, keys};
use crate::tests::options::default;

/// Returns the schema, as JSON with a newline at its end.
pub(super) fn schema() -> String {
    let keys = keys();
    let options = keys.get_arguments();
    let properties = options.map(|option| (key_of(option), property(option)));
    let properties: Map<String, Value> = properties.collect();
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
fn property(option: &Arg) -> Value {
    let (is_list, is_number) = kind_of(option);
    let one = value(option, is_number);
    let mut schema = match is_list {
        true => json!({ "anyOf": [one, { "type": "array", "items": one }] }),
        false => one,
    };
    let help = option.get_long_help().or(option.get_help());
    schema["description"] = help.map(StyledStr::to_string).into();
    let default = default(option);
    if !option.get_action().takes_values() {
        schema["default"] = false.into();
    } else if !default.is_empty() && !default.contains(' ') && !is_list {
        let number = serde_json::from_str(&default).ok().filter(|_| is_number);
        schema["default"] = number.unwrap_or_else(|| default.into());
    }
    schema
}

/// Returns whether an option may have several values, and whether these are numbers.
fn kind_of(option: &Arg) -> (bool, bool) {
    let names = option.get_value_names().unwrap_or_default();
    let is_number = names
        .iter()
        .any(|name| ["N", "T", "C", "K", "SIZE"].contains(&name.as_str()));
    (matches!(option.get_action(), ArgAction::Append), is_number)
}

/// Returns the schema of one value of a key.
fn value(option: &Arg, is_number: bool) -> Value {
    let values = option.get_possible_values();
    if !option.get_action().takes_values() {
        return json!({ "type": "boolean" });
    }
    if values.is_empty() {
        return match is_number {
            true => json!({ "type": ["number", "string"] }),
            false => json!({ "type": "string" }),
        };
    }
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    let known = json!({ "enum": names });
    // A string may hold a list, as on the command line, and a format its file.
    let more = match (option.get_id().as_str(), option.get_value_delimiter()) {
        ("format", _) => "=.",
        (_, Some(_)) => ".,.",
        (_, None) => return known,
    };
    json!({ "anyOf": [known, { "type": "string", "pattern": more }] })
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
    object["required"].as_array_mut().unwrap().push(key.into());
}
