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
const OF_PLAN: [&str; 3] = ["keep", "drop", "min_similarity"];

/// The options that have no parameter in Python.
const NOT_IN_PYTHON: &[&str] = &[
    "allow-empty",
    "baseline",
    "baseline-from",
    "changed-since",
    "code-files",
    "color",
    "encoding",
    "extension",
    "fail-on",
    "fail-on-empty",
    "fail-on-new",
    "files-from",
    "follow",
    "format",
    "html",
    "index",
    "lang",
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
    "preset",
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

/// Returns the name of a parameter, and its default.
fn parameter(part: &str) -> (&str, Option<&str>) {
    let (declared, default) = match part.rsplit_once('=') {
        Some((declared, default)) => (declared, Some(default.trim())),
        None => (part, None),
    };
    (declared.split(':').next().unwrap().trim(), default)
}

/// Returns the parameters at the start of a text, up to the bracket that ends them, each with its default.
fn parameters(rest: &str) -> Vec<(&str, Option<&str>)> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ',' if depth == 0 => {
                parts.push(&rest[from..at]);
                from = at + 1;
            }
            ')' if depth == 0 => {
                parts.push(&rest[from..at]);
                break;
            }
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    let parameters = parts.into_iter().map(parameter);
    let is_own = |name: &str| !["", "*", "self", "$self", "cls"].contains(&name);
    parameters.filter(|(name, _)| is_own(name)).collect()
}

#[test]
fn scan_has_the_options_of_the_program() {
    let schema: Value = serde_json::from_str(&read("schema/dupfind.toml.schema.json")).unwrap();
    let module = read("python/dupfind/_scan.py");
    let mut missing: Vec<String> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    missing.retain(|option| option != "ignore" && !NOT_IN_PYTHON.contains(&&**option));
    for (name, default) in parameters(module.split_once("\ndef scan(").unwrap().1) {
        if OF_PLAN.contains(&name) {
            continue;
        }
        let renamed = RENAMED.iter().find(|(python, _)| *python == name);
        let option = renamed.map_or_else(|| name.replace('_', "-"), |(_, option)| (*option).into());
        let at = missing.iter().position(|known| *known == option);
        missing.remove(
            at.unwrap_or_else(|| panic!("{name} is no option of scan without a parameter")),
        );
        let is_usual = |default: &&str| !["None", "()"].contains(default) && renamed.is_none();
        if let Some(default) = default.filter(is_usual) {
            let default = default.replace("True", "true").replace("False", "false");
            let default = default.replace('(', "[").replace(')', "]");
            let default: Value = serde_json::from_str(&default).unwrap();
            assert_eq!(schema["properties"][&option]["default"], default, "{name}");
        }
    }
    assert!(
        missing.is_empty(),
        "give them a parameter in Python, or list them here: {missing:?}"
    );
}

/// The functions with options: what leads to their parameters in the stubs, and where they are in the module.
const WITH_OPTIONS: [(&[&str], &str, &str); 9] = [
    (&["\ndef shingles("], "texts.rs", "fn shingles("),
    (&["\ndef features("], "texts.rs", "fn features("),
    (&["\ndef reuse("], "reuse.rs", "fn reuse("),
    (&["class Index:", "__new__("], "index.rs", "fn new("),
    (&["class Stream:", "__new__("], "stream.rs", "fn new("),
    (&["class TileEngine:", "__new__("], "tiles.rs", "fn new(py"),
    (
        &["class TileJob:", "finish("],
        "tiles.rs",
        "load: Py<PyAny>",
    ),
    (&["class Result:", "plan("], "result/mod.rs", "fn plan("),
    (
        &["class Result:", "rethreshold("],
        "result/mod.rs",
        "fn rethreshold(",
    ),
];

/// Returns the text behind these parts, each behind the one before.
#[track_caller]
fn behind<'t>(text: &'t str, parts: &[&str]) -> &'t str {
    parts.iter().fold(text, |text, part| {
        text.split_once(part)
            .unwrap_or_else(|| panic!("no {part}"))
            .1
    })
}

#[test]
fn the_stubs_have_the_signatures_of_the_module() {
    let stubs = read("python/dupfind/_dupfind.pyi");
    for (way, file, function) in WITH_OPTIONS {
        let stub = behind(&stubs, way);
        let module = read(&format!("python/src/{file}"));
        let (before, _) = module.split_once(function).unwrap();
        let (_, signature) = before.rsplit_once("text_signature = \"(").unwrap();
        // A line may go on below, and Python has two kinds of quotation marks.
        let signature = signature.replace("\\\n", "").replace('\'', "\"");
        assert_eq!(
            parameters(stub),
            parameters(&signature),
            "{file}: {function}"
        );
    }
}

/// The parameters of `scan` that say nothing of how texts are compared: rows and files, what stays, and how it runs.
const NOT_OF_COMPARING: [&str; 15] = [
    "x",
    "against",
    "text",
    "id",
    "keep",
    "drop",
    "min_similarity",
    "threads",
    "memory_limit",
    "temp_dir",
    "progress",
    "glob",
    "exclude",
    "hidden",
    "ignore_files",
];

/// Other functions that compare texts: the way to their parameters in the stubs, and the parameters of `scan` that they
/// lack. The executors of Spark find what `scan` does, an index finds pairs by two detectors, and a scan that is over
/// can only find fewer pairs.
const COMPARING: [(&[&str], &[&str]); 3] = [
    (&["class TileEngine:", "__new__("], &[]),
    (
        &["class Index:", "__new__("],
        &["detectors", "require", "cluster_on"],
    ),
    (
        &["class Result:", "rethreshold("],
        &["detectors", "require", "shingle_unit", "shingle_size"],
    ),
];

#[test]
fn every_option_of_comparing_is_where_texts_are_compared() {
    let scan = read("python/dupfind/_scan.py");
    let options: Vec<&str> = parameters(behind(&scan, &["\ndef scan("]))
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !NOT_OF_COMPARING.contains(name))
        .collect();
    let stubs = read("python/dupfind/_dupfind.pyi");
    for (way, lacks) in COMPARING {
        let has: Vec<&str> = parameters(behind(&stubs, way))
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        for option in &options {
            assert_ne!(
                has.contains(option),
                lacks.contains(option),
                "{way:?}: give it {option}, or list it here as what it lacks, and not both"
            );
        }
    }
    for page in ["docs/spark.md", "python/dupfind/spark/__init__.py"] {
        let text = read(page);
        for option in &options {
            assert!(text.contains(&format!("`{option}`")), "{page}: {option}");
        }
    }
}
