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

use dupfind::scan::observer::Silent;
use dupfind::scan::outcome::Pair;
use dupfind::scan::scan;
use dupfind::scan::sink::Best;

use support::labels::{Labelled, labelled, within};

#[expect(dead_code, reason = "the texts are for other benches")]
mod support;

fn main() {
    for folder in support::folders() {
        let (docs, labels) = labelled(&folder);
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
        let short = |name: &str| within(&docs, name);
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
