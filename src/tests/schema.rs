//! The JSON Schemas that are made from something else: that of a configuration from the options, and that of a line of
//! JSON Lines from that of a report.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use serde_json::{Map, Value, json};

use crate::args::group::Key;
use crate::config::keys;
use crate::tests::options::default;

/// Returns the schema, as JSON with a newline at its end. `root` is the definition of the program.
pub(super) fn schema(root: &Command) -> String {
    let properties: Map<String, Value> = keys::all()
        .into_iter()
        .map(|key| (key.name.clone(), property(&key, option(root, &key.name))))
        .collect();
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

/// Returns the option of a key, of the first command that has it.
fn option<'c>(root: &'c Command, name: &str) -> &'c Arg {
    let mut all = root.get_subcommands().flat_map(Command::get_arguments);
    let found = all.find(|arg| match arg.get_long() {
        Some(long) => long == name,
        None => arg.get_id() == name,
    });
    found.unwrap_or_else(|| panic!("no command has --{name}"))
}

/// Returns the schema of a key: its help, its values and its default.
fn property(key: &Key, option: &Arg) -> Value {
    let one = value(key, option);
    let mut schema = match key.is_list {
        true => json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] }),
        false => one,
    };
    let help = option.get_long_help().or(option.get_help());
    schema["description"] = help.map(StyledStr::to_string).into();
    let default = default(option);
    if key.is_flag {
        schema["default"] = false.into();
    } else if !default.is_empty() && !default.contains(' ') && !key.is_list {
        let number = serde_json::from_str(&default)
            .ok()
            .filter(|_| key.is_number);
        schema["default"] = number.unwrap_or_else(|| default.into());
    }
    schema
}

/// Returns the schema of one value of a key.
fn value(key: &Key, option: &Arg) -> Value {
    let values = option.get_possible_values();
    if key.is_flag {
        return json!({ "type": "boolean" });
    }
    if values.is_empty() {
        return match key.is_number {
            true => json!({ "type": ["number", "string"] }),
            false => json!({ "type": "string" }),
        };
    }
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    let known = json!({ "enum": names });
    // A string may hold a list, as on the command line, and a format its file.
    let more = match (key.name.as_str(), option.get_value_delimiter()) {
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
    let required = object["required"].as_array_mut().unwrap();
    required.push(key.into());
}
