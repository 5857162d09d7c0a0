//! One table of all labelled sets of a folder: the pairs that a tool reports of each, and the duplicates among them.
//!
//! See [`tool`] for what a tool is. Without one it is the program itself. With `--parts` a second table follows, by
//! label, language and similarity ([`parts`]). If a set has a table `groups.tsv`, of documents and the groups that they
//! truly belong to, all reported pairs and the clusters of duplicates are compared with these groups ([`groups`],
//! [`clusters`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::metrics::{Decision, average_precision, recall_at_precision, roc_area, share};
use crate::report::decimal;
use crate::support::labels::labelled_folder;
use crate::table::{Format, Table};
use parts::{Part, Parts};

mod clusters;
mod groups;
mod parts;
mod tool;

/// The relations of duplicates.
const DUPLICATES: [&str; 3] = ["exact", "near", "contains"];

/// The sets on which rules and cut-offs of 0.2 were chosen. All others confirm them.
const CHOSEN_ON: [&str; 7] = [
    "api-zh",
    "containment-zh",
    "docstrings-en",
    "licenses-en",
    "pages-ko",
    "pages-zh",
    "scripts-zh",
];

/// The results of a set.
struct Row {
    name: String,
    reported: Decision,
    duplicate: Decision,
    /// All reported pairs by group: the duplicates, and the duplicates and variants.
    by_group: Option<[Decision; 2]>,
    /// How many positive and negative pairs have each relation.
    relations: BTreeMap<String, (u32, u32)>,
    /// The labelled pairs by score.
    ranking: Vec<(f64, bool)>,
    /// The adjusted Rand index of the clusters, if it is known which documents belong together.
    rand_index: Option<f64>,
    parts: Parts,
}

/// The tables to be printed for some sets.
pub(crate) struct Sets {
    pub(crate) folders: Vec<PathBuf>,
    /// The command of another tool.
    pub(crate) tool: Option<String>,
    /// A file for all figures.
    pub(crate) json: Option<PathBuf>,
    /// Whether a table by label, language and similarity follows.
    pub(crate) has_parts: bool,
}

impl Sets {
    /// Prints the tables of all labelled sets among the folders and the folders in them, and writes them as JSON.
    pub(crate) fn print(&self, format: Format) {
        let tool = self.tool.as_deref();
        let rows: Vec<Row> = sets(&self.folders)
            .iter()
            .map(|set| row(set, tool))
            .collect();
        print!("{}", groups_table(&rows).print(format));
        print!("{}", table(&rows).print(format));
        if self.has_parts {
            print!("{}", parts_table(&rows).print(format));
        }
        if let Some(path) = &self.json {
            let rows: Vec<Value> = rows.iter().map(Row::json).collect();
            let text = json!({ "tool": tool.unwrap_or("dupfind"), "sets": rows });
            std::fs::write(path, format!("{text:#}\n")).expect("a file that can be written");
        }
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
    let found = tool::run(&docs, tool);
    let duplicates = found.iter().filter(|(_, pair)| pair.is_duplicate());
    let duplicates = duplicates.map(|((a, b), _)| (a.as_str(), b.as_str()));
    let mut row = Row {
        name: set.file_name().unwrap_or_default().to_string_lossy().into(),
        reported: Decision::default(),
        duplicate: Decision::default(),
        by_group: groups::by_group(&set.join("groups.tsv"), &found),
        relations: BTreeMap::new(),
        ranking: Vec::new(),
        rand_index: clusters::rand_index(&set.join("groups.tsv"), duplicates),
        parts: Parts::new(&docs),
    };
    for labelled in labels {
        let names = (labelled.a.clone(), labelled.b.clone());
        let pair = found.get(&names);
        let taken = [pair.is_some(), pair.is_some_and(|pair| pair.is_duplicate())];
        row.reported.add(taken[0], labelled.positive);
        row.duplicate.add(taken[1], labelled.positive);
        row.parts.add(&labelled, taken);
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

/// All reported pairs, by the groups of their documents.
fn groups_table(rows: &[Row]) -> Table {
    let measures = ["precision", "recall", "F1"];
    let of_either = measures.map(|measure| format!("{measure} with variants"));
    let heading = ["set", "reported pairs by group"].map(str::to_owned);
    let mut table = Table::new(
        heading
            .into_iter()
            .chain(measures.map(str::to_owned))
            .chain(of_either),
    );
    for row in rows {
        let Some(decisions) = row.by_group else {
            continue;
        };
        let mut cells = vec![row.name.clone(), role(row).into()];
        for found in decisions {
            cells.extend([found.precision(), found.recall(), found.f1()].map(decimal));
        }
        table.add(cells);
    }
    table
}

/// Returns what a set is for.
fn role(row: &Row) -> &'static str {
    if CHOSEN_ON.contains(&&*row.name) {
        "chosen on"
    } else {
        "confirmed on"
    }
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
        "R at .95",
        "R at .99",
        "ARI",
    ]);
    for row in rows {
        let count = row.reported;
        let mut cells = vec![
            row.name.clone(),
            role(row).into(),
            format!("{} / {}", count.positives(), count.negatives()),
            shares(row.reported),
            shares(row.duplicate),
        ];
        cells.extend(DUPLICATES.map(|relation| {
            let (positive, negative) = row.relations.get(relation).copied().unwrap_or_default();
            format!("{positive} / {negative}")
        }));
        let found = row.duplicate;
        let at = |least| recall_at_precision(&row.ranking, least);
        cells.extend([found.precision(), found.recall(), found.f1()].map(decimal));
        let ranked = [average_precision(&row.ranking), at(0.95), at(0.99)];
        cells.extend(ranked.map(decimal));
        cells.push(decimal(row.rand_index));
        table.add(cells);
    }
    table
}

fn parts_table(rows: &[Row]) -> Table {
    let mut table = Table::new(["set", "by", "pairs", "reported", "duplicate"]);
    for row in rows {
        for ((by, name), part) in row.parts.iter() {
            let [reported, duplicate] = part.taken.map(shares);
            let count = format!("{} / {}", part.positives(), part.negatives());
            let by = format!("{by}: {name}");
            table.add(vec![row.name.clone(), by, count, reported, duplicate]);
        }
    }
    table
}

/// The shares of the positive and of the negative pairs that were taken.
fn shares(decision: Decision) -> String {
    let wrong = share(decision.false_positives, decision.negatives());
    format!("{} / {}", decimal(decision.recall()), decimal(wrong))
}

fn decision(decision: Decision) -> Value {
    json!({
        "positive": decision.true_positives,
        "negative": decision.false_positives,
        "precision": decision.precision(),
        "recall": decision.recall(),
        "f1": decision.f1(),
    })
}

impl Part {
    fn json(&self, by: &str, name: &str) -> Value {
        let [reported, duplicate] = self.taken.map(decision);
        json!({
            "by": by,
            "name": name,
            "positive": self.positives(),
            "negative": self.negatives(),
            "reported": reported,
            "duplicate": duplicate,
        })
    }
}

impl Row {
    fn json(&self) -> Value {
        let parts = self.parts.iter();
        let parts: Vec<Value> = parts
            .map(|((by, name), part)| part.json(by, name))
            .collect();
        json!({
            "set": self.name,
            "chosen_on": CHOSEN_ON.contains(&&*self.name),
            "positive": self.reported.positives(),
            "negative": self.reported.negatives(),
            "reported": decision(self.reported),
            "duplicate": decision(self.duplicate),
            "by_group": self.by_group.map(|decisions| decisions.map(decision)),
            "relations": self.relations,
            "average_precision": average_precision(&self.ranking),
            "roc_area": roc_area(&self.ranking),
            "recall_at_precision_95": recall_at_precision(&self.ranking, 0.95),
            "recall_at_precision_99": recall_at_precision(&self.ranking, 0.99),
            "adjusted_rand_index": self.rand_index,
            "parts": parts,
        })
    }
}
