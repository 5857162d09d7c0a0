//! The output of the program fits the schemas in `schema/`: each key is in them, and each key that they require is
//! there.

use std::collections::BTreeSet;

use dupfind_read::Format;
use serde_json::Value;

use crate::env::{Env, Says, formats};

fn schema(name: &str) -> Value {
    let file = format!("{}/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Returns the faults of a value, by the words that these schemas use.
pub(crate) fn wrong(schema: &Value, value: &Value, at: &str) -> Option<String> {
    let alternatives = schema.get("oneOf").or(schema.get("anyOf"));
    if let Some(schemas) = alternatives.and_then(Value::as_array) {
        let mut faults = schemas.iter().map(|schema| wrong(schema, value, at));
        let all: Option<Vec<String>> = faults.by_ref().collect();
        return all.map(|faults| faults.join("; "));
    }
    let is_of = |name: &str| match name {
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{at}: the type {name}"),
    };
    let is_typed = match schema.get("type") {
        Some(Value::String(name)) => is_of(name),
        Some(Value::Array(names)) => names.iter().any(|name| is_of(name.as_str().unwrap())),
        _ => true,
    };
    let is_constant = schema.get("const").is_none_or(|known| known == value);
    let known = schema.get("enum").and_then(Value::as_array);
    if !is_typed || !is_constant || !known.is_none_or(|known| known.contains(value)) {
        return Some(format!("{at}: {value}"));
    }
    if let (Some(item), Some(list)) = (schema.get("items"), value.as_array()) {
        return list.iter().find_map(|value| wrong(item, value, at));
    }
    let (Some(keys), Some(object)) = (schema.get("properties"), value.as_object()) else {
        return None;
    };
    assert_eq!(schema["additionalProperties"], false, "{at}");
    let required = schema["required"].as_array().unwrap();
    let missing = required.iter().map(|key| key.as_str().unwrap());
    let mut missing = missing.filter(|key| !object.contains_key(*key));
    if let Some(key) = missing.next() {
        return Some(format!("{at}: no key {key}"));
    }
    object.iter().find_map(|(key, value)| match keys.get(key) {
        Some(schema) => wrong(schema, value, &format!("{at}.{key}")),
        None => Some(format!("{at}: an unknown key {key}")),
    })
}

#[track_caller]
fn fits(schema: &Value, text: &str) {
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(wrong(schema, &value, "$"), None, "{text}");
}

#[test]
fn reports_and_plans_are_as_their_schemas_say() {
    let (report, line, plan) = (schema("report"), schema("report-line"), schema("plan-line"));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/corpus");
    let env = Env::parks().file("empty.md", "");
    for options in [
        "",
        "--detectors simhash",
        "--detectors simhash,shingle,super-shingle,i-match",
        "--min-containment 0.5 --rewritten --ocr",
        "--detectors simhash --no-pairs",
        "--encoding utf-8 --web-part all",
    ] {
        // The pairs of a run have the same keys.
        let folder = if options.is_empty() { folder } else { "." };
        let run = |format| {
            let words = ["scan", folder, ".", "-q", "-f", format];
            env.run((words, options))
        };
        fits(&report, &run("json").stdout);
        for text in run("jsonl").stdout.lines() {
            fits(&line, text);
        }
    }
    let planned = env.run(["plan", folder, "-q", "--drop", "exact,near,contains"]);
    for text in planned.ok().lines() {
        fits(&plan, text);
    }
}

#[test]
fn the_guide_has_every_setting_of_a_report() {
    let guide = format!("{}/docs/reports.md", env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, table) = guide.split_once("| key of `settings` |").unwrap();
    let rows = table.lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.map(|row| row.split('|').nth(1).unwrap());
    let named = names.flat_map(|names| names.split('`').skip(1).step_by(2));
    let named: BTreeSet<&str> = named.collect();
    let report = schema("report");
    let settings = report["properties"]["settings"]["properties"]
        .as_object()
        .unwrap();
    assert_eq!(named, settings.keys().map(String::as_str).collect());
}

#[test]
fn the_guide_has_every_format() {
    let page = |name: &str| {
        let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let reports = page("reports.md");
    let rows = reports.lines().filter(|line| line.starts_with("| `"));
    let cells: String = rows.map(|row| row.split('|').nth(1).unwrap()).collect();
    for format in formats() {
        cells.says(format!("`{format}`"));
    }
    let input = page("input.md");
    let ends = Format::all().flat_map(|format| format.extensions().split_whitespace());
    for end in ends {
        input.says(format!(".{end}`"));
    }
}

#[test]
fn deviations_from_the_schema_are_found() {
    let plan = schema("plan-line");
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let whole = r#"{"type":"plan","schema_version":1,"keep":["longest"],"drop":["exact"],"min_similarity":0.5}"#;
    assert_eq!(wrong(&plan, &value(whole), "$"), None);
    for (from, to) in [
        ("1,", "2,"),
        (r#""keep":["longest"],"#, ""),
        (r#""min_similarity""#, r#""more":1,"min_similarity""#),
        (r#"["exact"]"#, r#"["related"]"#),
        ("0.5", r#""0.5""#),
    ] {
        assert!(
            wrong(&plan, &value(&whole.replacen(from, to, 1)), "$").is_some(),
            "{to}"
        );
    }
}
