//! The tables that are printed, in Markdown.

use crate::folder::Folder;
use crate::measure::{DISTANCES, FUNCTIONS, Found};
use crate::weighting::Weighting;

/// The results of all weightings in one folder.
pub(crate) struct Column {
    name: String,
    positives: u64,
    templates: u64,
    unrelated: u64,
    /// For each weighting.
    found: Vec<Found>,
}

impl Column {
    /// Takes a folder and what each weighting found in it.
    pub(crate) fn new(folder: &Folder, found: Vec<Found>) -> Self {
        Self {
            name: folder.name.clone(),
            positives: folder.positives.len() as u64,
            templates: folder.templates.len() as u64,
            unrelated: folder.unrelated(),
            found,
        }
    }
}

/// Prints a table for each distance.
pub(crate) fn print(weightings: &[Weighting], columns: &[Column]) {
    for (at, k) in DISTANCES.iter().enumerate() {
        println!("\nDistance <= {k}: share found / unrelated pairs in 10 million\n");
        print!("| weighting |");
        columns
            .iter()
            .for_each(|column| print!(" {} |", column.name));
        println!(" mean share | one template | unrelated |");
        println!("|---|{}---:|---:|---:|", "---:|".repeat(columns.len()));
        for (row, weighting) in weightings.iter().enumerate() {
            print!("| {} |", weighting.name);
            for column in columns {
                let found = &column.found[row];
                let share = share(found.positives[at], column.positives);
                let unrelated = share_of_ten_million(found.unrelated[at], column.unrelated);
                print!(" {} / {unrelated} |", decimals(share));
            }
            let shares: Vec<f64> = columns
                .iter()
                .filter_map(|column| share(column.found[row].positives[at], column.positives))
                .collect();
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            let sum = |count: fn(&Column) -> u64| columns.iter().map(count).sum::<u64>();
            let found = |count: fn(&Found, usize) -> u64| {
                let counts = columns.iter().map(|column| count(&column.found[row], at));
                counts.sum::<u64>()
            };
            println!(
                " {} | {} | {} |",
                decimals((!shares.is_empty()).then_some(mean)),
                decimals(share(found(|f, at| f.templates[at]), sum(|c| c.templates))),
                share_of_ten_million(found(|f, at| f.unrelated[at]), sum(|c| c.unrelated)),
            );
        }
    }
}

/// The share of pairs found, the mean over all hash functions; none if there are none to find.
fn share(found: u64, pairs: u64) -> Option<f64> {
    (pairs > 0).then(|| found as f64 / (pairs * FUNCTIONS) as f64)
}

fn decimals(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{share:.3}"))
}

fn share_of_ten_million(found: u64, pairs: u64) -> String {
    share(found, pairs).map_or("-".into(), |share| {
        let count = share * 1e7;
        format!("{count:.*}", if count < 10.0 { 1 } else { 0 })
    })
}
