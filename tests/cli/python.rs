//! The functions of the Python package have the options of `dupfind scan`.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The parameters in Python that have another name than the option.
const RENAMED: [(&str, &str); 5] = [
    ("x", "paths"),
    ("text", "text-field"),
    ("id", "id-field"),
    ("ignore_files", "no-ignore"),
    ("progress", "no-progress"),
];

/// The parameters in Python that are no options of `dupfind scan`: those of `dupfind plan`.
const OF_PLAN: [&str; 3] = ["keep", "drop", "min_drop"];

/// The options that have no parameter in Python.
const NOT_IN_PYTHON: [&str; 46] = [
    "across",
    "against",
    "allow-empty",
    "baseline",
    "baseline-from",
    "changed-since",
    "color",
    "encoding",
    "extension",
    "fail-on",
    "fail-on-empty",
    "fail-on-new",
    "files-from",
    "follow",
    "format",
    "frozen",
    "html",
    "i-match-idf",
    "i-match-lexicons",
    "index",
    "lang",
    "link",
    "markdown-code",
    "max-depth",
    "max-filesize",
    "max-pairs",
    "min-super-shingles",
    "no-pairs",
    "null",
    "ocr",
    "output",
    "pre",
    "pre-glob",
    "pre-timeout",
    "quiet",
    "record-format",
    "show",
    "simhash-bits",
    "sort",
    "stats",
    "super-shingle-hashes",
    "super-shingle-run",
    "top",
    "type",
    "verbose",
    "within",
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

/// Returns the parameters of `scan` in the stubs, each with its default.
fn parameters(stubs: &str) -> Vec<(&str, Option<&str>)> {
    let lines = between(stubs, "\ndef scan(\n", "\n) -> ").lines();
    let parameters = lines.filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
    let parameters = parameters.map(|(name, rest)| (name, rest.split_once(" = ")));
    let parameters = parameters.map(|(name, rest)| (name, rest.map(|(_, default)| default)));
    parameters.collect()
}

#[test]
fn scan_has_the_options_of_the_program() {
    let schema: Value = serde_json::from_str(&read("schema/dupfind.toml.schema.json")).unwrap();
    let stubs = read("python/dupfind/_dupfind.pyi");
    let mut missing: Vec<String> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    missing.retain(|option| option != "ignore" && !NOT_IN_PYTHON.contains(&&**option));
    for (name, default) in parameters(&stubs) {
        if OF_PLAN.contains(&name) {
            continue;
        }
        let renamed = RENAMED.iter().find(|(python, _)| *python == name);
        let option = renamed.map_or_else(|| name.replace('_', "-"), |(_, option)| (*option).into());
        let at = missing.iter().position(|known| *known == option);
        missing.remove(
            at.unwrap_or_else(|| panic!("{name} is no option of scan without a parameter")),
        );
        let default = default.filter(|&default| default != "None" && renamed.is_none());
        if let Some(default) = default {
            let default = default.replace("True", "true").replace("False", "false");
            let default: Value = serde_json::from_str(&default).unwrap();
            assert_eq!(schema["properties"][&option]["default"], default, "{name}");
        }
    }
    assert!(
        missing.is_empty(),
        "give them a parameter in Python, or list them here: {missing:?}"
    );
}

#[test]
fn the_stubs_have_the_signature_of_the_module() {
    let module = read("python/src/scan.rs");
    let signature = between(&module, "#[pyo3(signature = (", "text_signature");
    let stubs = read("python/dupfind/_dupfind.pyi");
    let mut rest = signature;
    for (name, _) in parameters(&stubs) {
        let position = rest.match_indices(name).find(|(at, _)| {
            rest[..*at].ends_with([' ', '\n']) && rest[at + name.len()..].starts_with([',', ' '])
        });
        let (at, _) = position.unwrap_or_else(|| panic!("{name} is missing, or in another place"));
        rest = &rest[at + name.len()..];
    }
    let count = signature.matches(" = ").count();
    assert_eq!(count, parameters(&stubs).len() - 1, "{signature}");
}
