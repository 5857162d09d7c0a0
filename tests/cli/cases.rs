//! Pairs of documents and what they are to each other, as tables.

use std::fmt::Display;

use crate::env::{Env, table};

/// A document, another one, and the relation that is reported, if any is.
pub(crate) type Case = (&'static str, String, String, Option<&'static str>);

/// Makes one of the cases.
pub(crate) fn case(
    name: &'static str,
    a: impl Display,
    b: impl Display,
    relation: impl Into<Option<&'static str>>,
) -> Case {
    (name, a.to_string(), b.to_string(), relation.into())
}

/// Cases of a table: name, document, other document and relation, which is `-` if there is none.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    let rows = table(text).into_iter();
    let cases = rows.map(|[name, a, b, relation]| {
        case(name, a, b, Some(relation).filter(|&known| known != "-"))
    });
    cases.collect()
}

/// A folder with the documents of some cases.
pub(crate) fn folder(cases: &[Case]) -> Env {
    cases.iter().fold(Env::new(), |env, (name, a, b, _)| {
        env.file(format!("{name}/a"), a)
            .file(format!("{name}/b"), b)
    })
}

/// All cases in one folder: there is no pair but theirs, and texts that are short or unlike are not merged.
#[track_caller]
pub(crate) fn check(cases: &[Case]) {
    let report = folder(cases).json("");
    let pair = |(name, .., relation): &Case| {
        Some((format!("{name}/a"), format!("{name}/b"), (*relation)?))
    };
    let mut expected: Vec<_> = cases.iter().filter_map(pair).collect();
    expected.sort_unstable();
    let found = report.pairs.iter();
    let found = found.map(|pair| (pair.a.clone(), pair.b.clone(), pair.relation.as_str()));
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    let merged = expected.iter();
    let merged = merged.filter(|pair| ["exact", "near", "contains"].contains(&pair.2));
    assert_eq!(report.clusters.len(), merged.count());
}

/// A number that looks random, the same for the same two.
pub(crate) fn random(seed: u64, at: u64) -> u64 {
    let mixed = (seed << 32 | at)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

/// Rows of cells, each made from its number.
pub(crate) fn rows<C: Display>(
    rows: u64,
    columns: u64,
    between: &str,
    cell: impl Fn(u64) -> C,
) -> String {
    let row = |row| {
        let cells = (0..columns).map(|column| cell(row * columns + column).to_string());
        cells.collect::<Vec<_>>().join(between) + "\n"
    };
    (0..rows).map(row).collect()
}
