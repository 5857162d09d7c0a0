//! Which weights make the best fingerprint: recall, and unrelated pairs, under many weightings.
//!
//! ```text
//! cargo bench --bench weights -- FOLDER...
//! ```
//!
//! A labelled folder is as for the bench `quality`; it may have a table `groups.tsv` whose first
//! columns are a document and its group, and a folder without labels gives unrelated pairs only. For
//! each distance there is one table in Markdown: a row for each weighting, with the share of labelled
//! pairs within that distance and the number of unrelated pairs there in 10 million, for each folder
//! and in all. Whether two near documents share a bit is a matter of luck, so all figures are means
//! over some hash functions, the library's own among them.

mod features;
mod folder;
mod measure;
mod tables;
mod weighting;

#[path = "../support/mod.rs"]
#[expect(dead_code, reason = "the texts without names are for other benches")]
mod support;

use crate::features::Kind;
use crate::folder::Folder;
use crate::measure::{Found, check, measure};
use crate::tables::{Column, print};
use crate::weighting::weightings;

fn main() {
    let weightings = weightings();
    let columns: Vec<Column> = support::folders()
        .iter()
        .map(|path| {
            let folder = Folder::read(path);
            println!(
                "{}: {} documents, {} pairs to find, {} of one template, {} unrelated",
                folder.name,
                folder.documents(),
                folder.positives.len(),
                folder.templates.len(),
                folder.unrelated()
            );
            let mut found = vec![Found::default(); weightings.len()];
            for kind in Kind::ALL {
                let features = folder.features(kind);
                if kind == Kind::Terms {
                    check(&features, &weightings[0]);
                }
                for (found, weighting) in found.iter_mut().zip(&weightings) {
                    if weighting.kind == kind {
                        *found = measure(&folder, &features, weighting);
                    }
                }
            }
            Column::new(&folder, found)
        })
        .collect();
    print(&weightings, &columns);
}
