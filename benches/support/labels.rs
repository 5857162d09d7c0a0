//! Labelled pairs of documents, for the benches that judge results.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Two documents, by their names within the folder, and their label.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Labelled {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) label: String,
    /// Whether the pair should be reported.
    pub(crate) positive: bool,
    /// The Jaccard similarity in ten-thousandths, if the table has it.
    pub(crate) similarity: Option<u32>,
}

/// The beginning of labels of pairs that should not be reported.
const NEGATIVE: [&str; 3] = ["different", "non-", "translation"];

/// The fixtures have names of their own for them.
const NEGATIVE_FIXTURES: [&str; 2] = ["unrelated", "template"];

/// Takes a folder and returns where its documents are and its labelled pairs: those of the table
/// `labels.tsv`, or without it those of the fixtures.
pub(crate) fn labelled_folder(folder: &Path) -> (PathBuf, Vec<Labelled>) {
    let table = folder.join("labels.tsv");
    if table.exists() {
        (folder.join("docs"), of_table(&table))
    } else {
        (folder.to_owned(), of_fixtures())
    }
}

/// A document's name within the folder of documents, given its name in a report.
pub(crate) fn within<'n>(docs: &Path, name: &'n str) -> &'n str {
    let root = docs.to_string_lossy();
    let root = root.trim_start_matches("./").trim_end_matches('/');
    match name.strip_prefix(root) {
        Some(rest) => rest.trim_start_matches('/'),
        None => name,
    }
}

/// The rows of a table of tab-separated columns, without its heading.
pub(crate) fn rows(path: &Path) -> Vec<Vec<String>> {
    let table = fs::read_to_string(path).expect("a readable table");
    let rows = table.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect())
        .collect()
}

/// Reads a table. Rows that say the same as an earlier one count once.
fn of_table(path: &Path) -> Vec<Labelled> {
    let within = |name: &str| name.strip_prefix("docs/").unwrap_or(name).to_owned();
    let rows = rows(path).into_iter().filter(|row| row.len() >= 3);
    let labelled = rows.map(|row| {
        let negative = NEGATIVE.iter().any(|start| row[2].starts_with(start));
        let mut pair = labelled([within(&row[0]), within(&row[1])], &row[2], !negative);
        let similarity = row.get(3).and_then(|cell| cell.parse::<f64>().ok());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 1"
        )]
        let steps = similarity.map(|share| (share.clamp(0.0, 1.0) * 10_000.0) as u32);
        pair.similarity = steps;
        pair
    });
    let distinct: BTreeSet<Labelled> = labelled.collect();
    distinct.into_iter().collect()
}

/// Reads the pairs of the fixtures, by the kind of their making.
fn of_fixtures() -> Vec<Labelled> {
    let text = fs::read_to_string("fixtures/expected.json").expect("the fixtures");
    let expected: Value = serde_json::from_str(&text).expect("valid JSON");
    let word = |pair: &Value, key: &str| pair[key].as_str().expect(key).to_owned();
    ["pairs", "not_reported"]
        .iter()
        .flat_map(|list| expected[list].as_array().expect("a list"))
        .map(|pair| {
            let kind = word(pair, "kind");
            let positive = !NEGATIVE_FIXTURES.contains(&kind.as_str());
            labelled([word(pair, "a"), word(pair, "b")], &kind, positive)
        })
        .collect()
}

fn labelled(mut names: [String; 2], label: &str, positive: bool) -> Labelled {
    names.sort();
    let [a, b] = names;
    let label = label.to_owned();
    Labelled {
        a,
        b,
        label,
        positive,
        similarity: None,
    }
}
