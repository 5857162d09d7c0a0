//! One table of all labelled sets of a folder: what a tool reports of each, and what it calls a duplicate.
//!
//! A tool is a command that prints CSV with a heading: `a` and `b`, the documents of a pair, and perhaps `score` (or
//! `weighted`), the higher the more alike, and `relation`. Without relations all pairs are duplicates. `{docs}` in
//! the command stands for the folder of documents. Without a tool it is the program itself.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::metrics::{Decision, average_precision, recall_at_precision, roc_area, share};
use crate::report::decimal;
use crate::support::labels::{labelled_folder, within};
use crate::table::{Format, Table};

/// The sets on which rules and cut-offs of 0.2 were chosen. All others confirm them.
const CHOSEN_ON: [&str; 6] = [
    "api-zh",
    "containment-zh",
    "licenses-en",
    "pages-ko",
    "pages-zh",
    "scripts-zh",
];

/// The relations of duplicates.
const DUPLICATES: [&str; 3] = ["exact", "near", "contains"];

/// A pair that a tool has reported.
struct Reported {
    score: f64,
    relation: String,
}

/// What a set comes to.
struct Row {
    name: String,
    reported: Decision,
    duplicate: Decision,
    /// How many positive and negative pairs have each relation.
    relations: HashMap<String, (u32, u32)>,
    /// The labelled pairs by score.
    ranking: Vec<(f64, bool)>,
}

/// Prints the table of all labelled sets among some folders and the folders in them, and writes it as JSON.
pub(crate) fn print(folders: &[PathBuf], tool: Option<&str>, json: Option<&Path>, format: Format) {
    let rows: Vec<Row> = sets(folders).iter().map(|set| row(set, tool)).collect();
    print!("{}", table(&rows).print(format));
    if let Some(path) = json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        let text = json!({ "tool": tool.unwrap_or("dupfind"), "sets": rows });
        std::fs::write(path, format!("{text:#}\n")).expect("a file that can be written");
    }
}

/// The labelled sets, by name.
fn sets(folders: &[PathBuf]) -> Vec<PathBuf> {
    let is_set = |folder: &PathBuf| folder.join("labels.tsv").exists();
    let mut sets = Vec::new();
    for folder in folders {
        if is_set(folder) {
            sets.push(folder.clone());
            continue;
        }
        let entries = std::fs::read_dir(folder).expect("a readable folder");
        let folders = entries.map(|entry| entry.expect("a readable folder").path());
        sets.extend(folders.filter(is_set));
    }
    sets.sort();
    sets
}

fn row(set: &Path, tool: Option<&str>) -> Row {
    let (docs, labels) = labelled_folder(set);
    let found = run(&docs, tool);
    let mut row = Row {
        name: set.file_name().unwrap_or_default().to_string_lossy().into(),
        reported: Decision::default(),
        duplicate: Decision::default(),
        relations: HashMap::new(),
        ranking: Vec::new(),
    };
    for labelled in labels {
        let pair = found.get(&(labelled.a, labelled.b));
        let is_duplicate = pair.is_some_and(|pair| DUPLICATES.contains(&&*pair.relation));
        row.reported.add(pair.is_some(), labelled.positive);
        row.duplicate.add(is_duplicate, labelled.positive);
        let score = pair.map_or(0.0, |pair| pair.score);
        row.ranking.push((score, labelled.positive));
        if let Some(pair) = pair {
            let counts = row.relations.entry(pair.relation.clone()).or_default();
            counts.0 += u32::from(labelled.positive);
            counts.1 += u32::from(!labelled.positive);
        }
    }
    row
}

/// The pairs that a tool reports, by the ordered names of their documents.
fn run(docs: &Path, tool: Option<&str>) -> HashMap<(String, String), Reported> {
    let own = concat!(
        env!("CARGO_BIN_EXE_dupfind"),
        " scan {docs} --format csv --hidden --no-ignore --no-config"
    );
    let mut words = tool.unwrap_or(own).split_whitespace();
    let mut command = Command::new(words.next().expect("a command"));
    command.args(words.map(|word| word.replace("{docs}", &docs.to_string_lossy())));
    let output = command.output().expect("a program that can be run");
    assert!(output.status.success(), "{command:?} failed");
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

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new([
        "set",
        "",
        "pairs",
        "reported",
        "duplicate",
        "exact",
        "near",
        "contains",
        "precision",
        "recall",
        "F1",
        "AP",
    ]);
    for row in rows {
        let role = if CHOSEN_ON.contains(&&*row.name) {
            "chosen on"
        } else {
            "confirmed on"
        };
        let count = row.reported;
        let mut cells = vec![
            row.name.clone(),
            role.into(),
            format!("{} / {}", count.positives(), count.negatives()),
            shares(row.reported),
            shares(row.duplicate),
        ];
        cells.extend(DUPLICATES.map(|relation| {
            let (positive, negative) = row.relations.get(relation).copied().unwrap_or_default();
            format!("{positive} / {negative}")
        }));
        let found = row.duplicate;
        let ranked = average_precision(&row.ranking);
        cells.extend([found.precision(), found.recall(), found.f1(), ranked].map(decimal));
        table.add(cells);
    }
    table
}

/// The shares of the positive and of the negative pairs that were taken.
fn shares(decision: Decision) -> String {
    let wrong = share(decision.false_positives, decision.negatives());
    format!("{} / {}", decimal(decision.recall()), decimal(wrong))
}

impl Row {
    fn json(&self) -> Value {
        let of = |decision: Decision| {
            json!({
                "positive": decision.true_positives,
                "negative": decision.false_positives,
                "precision": decision.precision(),
                "recall": decision.recall(),
                "f1": decision.f1(),
            })
        };
        json!({
            "set": self.name,
            "chosen_on": CHOSEN_ON.contains(&&*self.name),
            "positive": self.reported.positives(),
            "negative": self.reported.negatives(),
            "reported": of(self.reported),
            "duplicate": of(self.duplicate),
            "relations": self.relations,
            "average_precision": average_precision(&self.ranking),
            "roc_area": roc_area(&self.ranking),
            "recall_at_precision_95": recall_at_precision(&self.ranking, 0.95),
            "recall_at_precision_99": recall_at_precision(&self.ranking, 0.99),
        })
    }
}
