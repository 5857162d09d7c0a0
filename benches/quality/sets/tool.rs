//! Runs a tool on a folder of documents.
//!
//! A tool is a command that prints CSV with a heading: `a` and `b`, the documents of a pair, and perhaps `score` (or
//! `weighted`), the higher the more alike, and `relation`. Without relations all pairs are duplicates. `{docs}` in
//! the command stands for the folder of documents. `tools/` has such commands for libraries of Python.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use super::DUPLICATES;
use crate::support::labels::within;

/// A pair that a tool has reported.
pub(super) struct Reported {
    pub(super) score: f64,
    pub(super) relation: String,
}

impl Reported {
    pub(super) fn is_duplicate(&self) -> bool {
        DUPLICATES.contains(&&*self.relation)
    }
}

/// The pairs that a tool reports, by the ordered names of their documents.
pub(super) fn run(docs: &Path, tool: Option<&str>) -> HashMap<(String, String), Reported> {
    let own = concat!(
        env!("CARGO_BIN_EXE_dupfind"),
        " scan {docs} --format csv --hidden --no-ignore --no-config"
    );
    let mut words = tool.unwrap_or(own).split_whitespace();
    let mut command = Command::new(words.next().expect("a command"));
    command.args(words.map(|word| word.replace("{docs}", &docs.to_string_lossy())));
    let output = command.output().expect("a program that can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    let mut table = csv::Reader::from_reader(output.stdout.as_slice());
    let heading = table.headers().expect("a heading").clone();
    let column = |name: &str| heading.iter().position(|cell| cell == name);
    let [a, b] = ["a", "b"].map(|name| column(name).expect("columns a and b"));
    let (score, relation) = (column("score").or(column("weighted")), column("relation"));
    let pairs = table.records().map(|record| {
        let record = record.expect("a row as long as the heading");
        let name = |column: usize| within(docs, &record[column]).to_owned();
        let (x, y) = (name(a), name(b));
        let reported = Reported {
            score: score.map_or(1.0, |at| record[at].parse().expect("a number")),
            relation: relation.map_or(DUPLICATES[1], |at| &record[at]).to_owned(),
        };
        ((x.clone().min(y.clone()), x.max(y)), reported)
    });
    pairs.collect()
}
