//! Which share of labelled pairs a scan reports:
//!
//! ```text
//! cargo bench --bench quality -- FOLDER...
//! ```
//!
//! A labelled folder has its documents in `docs/` and a table `labels.tsv` with a heading, whose
//! first columns are two documents (paths within `docs/`) and a label. Without a folder, the pairs
//! of the fixtures are used, by the kind of their making.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use dupfind::scan::observer::Silent;
use dupfind::scan::outcome::Pair;
use dupfind::scan::scan;
use dupfind::scan::sink::Best;

mod plant;
#[expect(dead_code, reason = "the texts are for other benches")]
#[path = "../support/mod.rs"]
mod support;

/// Two documents and their label.
type Labelled = (String, String, String);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = words.iter().position(|word| word == "--plant") {
        let number = |option: &str| {
            let at = words.iter().position(|word| word == option)?;
            Some(words.get(at + 1)?.parse().expect(option))
        };
        let pages = number("--pages").map_or(plant::PAGES, |pages: u64| {
            pages.try_into().expect("--pages")
        });
        plant::plant(
            Path::new(&words[at + 1]),
            Path::new(&words[at + 2]),
            number("--seed").unwrap_or(1),
            pages,
        );
        return;
    }
    for folder in support::folders() {
        let (docs, labels) = if folder.join("labels.tsv").exists() {
            (folder.join("docs"), from_table(&folder.join("labels.tsv")))
        } else {
            (folder.clone(), from_fixtures())
        };
        let mut best = Best::all();
        let outcome = scan(&support::settings(docs.clone()), &Silent, Some(&mut best))
            .expect("a readable folder");
        let pairs = best.into_pairs();
        println!(
            "{}: {} documents, {} pairs reported",
            folder.display(),
            outcome.documents.len(),
            pairs.len()
        );
        let root = docs.to_string_lossy().trim_start_matches("./").to_owned();
        let short = |name: &'_ str| -> String {
            name.strip_prefix(&root)
                .unwrap_or(name)
                .trim_start_matches('/')
                .to_owned()
        };
        let reported: HashMap<(String, String), &Pair> = pairs
            .iter()
            .map(|pair| {
                (
                    (short(outcome.name(pair.a)), short(outcome.name(pair.b))),
                    pair,
                )
            })
            .collect();
        print_shares(labels, &reported);
    }
}

fn print_shares(labels: Vec<Labelled>, reported: &HashMap<(String, String), &Pair>) {
    /// Pairs of a label: all, reported, found by SimHash, found by shingles.
    type Counts = [u32; 4];
    let mut by_label: BTreeMap<String, Counts> = BTreeMap::new();
    for (a, b, label) in labels {
        let names = if a <= b { (a, b) } else { (b, a) };
        let pair = reported.get(&names);
        let counts = by_label.entry(label).or_default();
        counts[0] += 1;
        counts[1] += u32::from(pair.is_some());
        counts[2] += u32::from(pair.is_some_and(|pair| pair.by_simhash));
        counts[3] += u32::from(pair.is_some_and(|pair| pair.by_shingle));
    }
    println!(
        "  {:<42} {:>6} {:>9} {:>8} {:>8}",
        "label", "pairs", "reported", "simhash", "shingle"
    );
    for (label, [all, reported, simhash, shingle]) in by_label {
        let share = |count| f64::from(count) / f64::from(all);
        println!(
            "  {label:<42} {all:>6} {:>9.3} {:>8.3} {:>8.3}",
            share(reported),
            share(simhash),
            share(shingle)
        );
    }
}

fn from_table(path: &Path) -> Vec<Labelled> {
    let table = fs::read_to_string(path).expect("a readable table");
    let rows = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect::<Vec<_>>());
    let within = |name: &str| name.strip_prefix("docs/").unwrap_or(name).to_owned();
    rows.filter(|row| row.len() >= 3)
        .map(|row| (within(row[0]), within(row[1]), row[2].to_owned()))
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
