//! Reads labels: which pairs belong together.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Two documents, by their names within the folder, and their label.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Labelled {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) label: String,
    /// Whether the pair should be reported.
    pub(crate) positive: bool,
}

/// What labels of pairs that should not be reported begin with.
const NEGATIVE: [&str; 3] = ["different", "non-", "translation"];

/// The fixtures have names of their own for them.
const NEGATIVE_FIXTURES: [&str; 2] = ["unrelated", "template"];

/// Reads a table. Rows that say the same as an earlier one count once.
pub(crate) fn of_table(path: &Path) -> Vec<Labelled> {
    let table = fs::read_to_string(path).expect("a folder with docs/ and labels.tsv");
    let within = |name: &str| name.strip_prefix("docs/").unwrap_or(name).to_owned();
    let rows = table.lines().skip(1).filter_map(|row| {
        let mut columns = row.split('\t');
        let names = [within(columns.next()?), within(columns.next()?)];
        let label = columns.next()?;
        let negative = NEGATIVE.iter().any(|start| label.starts_with(start));
        Some(labelled(names, label, !negative))
    });
    let distinct: BTreeSet<Labelled> = rows.collect();
    distinct.into_iter().collect()
}

/// Reads the pairs of the fixtures, by the kind of their making.
pub(crate) fn of_fixtures() -> Vec<Labelled> {
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
    }
}
