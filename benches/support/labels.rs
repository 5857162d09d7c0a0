//! Labelled pairs of documents, for the benches that judge what is found.

use std::fs;
use std::path::{Path, PathBuf};

/// Two documents (paths within the folder of documents) and their label.
pub(crate) type Labelled = (String, String, String);

/// Takes a folder and returns where its documents are and its labelled pairs: those of the table
/// `labels.tsv`, whose first columns are two documents and a label; without it, those of the
/// fixtures, by the kind of their making.
pub(crate) fn labelled(folder: &Path) -> (PathBuf, Vec<Labelled>) {
    let table = folder.join("labels.tsv");
    if table.exists() {
        (folder.join("docs"), from_table(&table))
    } else {
        (folder.to_owned(), from_fixtures())
    }
}

/// A document's name within the folder of documents, given its name in a report.
pub(crate) fn within(docs: &Path, name: &str) -> String {
    let root = docs.to_string_lossy().trim_start_matches("./").to_owned();
    name.strip_prefix(&root)
        .unwrap_or(name)
        .trim_start_matches('/')
        .to_owned()
}

/// The rows of a table of tab-separated columns, without its heading.
pub(crate) fn rows(path: &Path) -> Vec<Vec<String>> {
    let table = fs::read_to_string(path).expect("a readable table");
    let rows = table.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect())
        .collect()
}

fn from_table(path: &Path) -> Vec<Labelled> {
    let within = |name: &str| name.strip_prefix("docs/").unwrap_or(name).to_owned();
    rows(path)
        .into_iter()
        .filter(|row| row.len() >= 3)
        .map(|row| (within(&row[0]), within(&row[1]), row[2].clone()))
        .collect()
}

fn from_fixtures() -> Vec<Labelled> {
    let text = fs::read_to_string("fixtures/expected.json").expect("the fixtures");
    let expected: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    let word = |pair: &serde_json::Value, key: &str| pair[key].as_str().expect(key).to_owned();
    ["pairs", "not_reported"]
        .iter()
        .flat_map(|list| expected[list].as_array().expect("a list"))
        .map(|pair| (word(pair, "a"), word(pair, "b"), word(pair, "kind")))
        .collect()
}
