//! How far answers by frozen frequencies are from those by frequencies of today, as an index grows:
//!
//! ```text
//! cargo bench --bench frozen -- FOLDER...
//! ```
//!
//! The frequencies are counted in a tenth of the documents. Then the index grows by one tenth at a time.

use dupfind_engine::Options;
use dupfind_index::Index;

#[expect(dead_code, reason = "the labels are for other benches")]
mod support;

fn main() {
    for folder in support::folders() {
        let texts = support::texts(&support::settings(folder.clone()));
        println!("{}: {} documents", folder.display(), texts.len());
        println!(
            "| documents | times as many as counted | pairs of a sample | with another relation |"
        );
        println!("|---:|---:|---:|---:|");
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("frozen.dupidx");
        let mut index = Index::create(path, &Options::default()).expect("an index");
        let part = texts.len().div_ceil(10).max(1);
        for (number, some) in texts.chunks(part).enumerate() {
            let names = (number * part..).map(|at| at.to_string());
            index.update(names.zip(some)).expect("an update");
            let drift = index.drift().expect("a whole index");
            println!(
                "| {} | {} | {} | {} |",
                index.documents(),
                number + 1,
                drift.pairs,
                drift.changed
            );
        }
    }
}
