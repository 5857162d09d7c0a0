//! Whether the joins find exactly the pairs of the exhaustive join on real documents, and how much
//! sooner:
//!
//! ```text
//! cargo bench --bench exactness -- FOLDER...
//! ```

use std::time::Instant;

use dupfind::join::threshold::Threshold;
use dupfind::join::{exhaustive, hamming, jaccard};
use dupfind::scan::fingerprints;
use dupfind::scan::observer::Silent;

#[expect(dead_code, reason = "the texts are for other benches")]
mod support;

fn main() {
    for folder in support::folders() {
        let settings = support::settings(folder.clone());
        let collection = fingerprints(&settings, &Silent).expect("a readable folder");
        println!(
            "{}: {} documents",
            folder.display(),
            collection.documents.len()
        );
        let codes: Vec<u64> = collection
            .documents
            .iter()
            .map(|document| document.fingerprint.expect("all documents have one"))
            .collect();
        let sets = collection.sets.slices().expect("in memory");
        for t in ["0.2", "0.5", "0.8"] {
            let t: Threshold = t.parse().expect("a threshold");
            let name = format!("Jaccard >= {t}");
            compare(
                &name,
                || jaccard::self_join(&sets, t).expect("not too many shingles"),
                || exhaustive::jaccard(&sets, t),
            );
        }
        for k in [0, 3, 8] {
            compare(
                &format!("Hamming <= {k}"),
                || hamming::self_join(&codes, k),
                || exhaustive::hamming(&codes, k),
            );
        }
    }
}

/// Runs both, prints what they found and took, and insists that they agree.
fn compare<P: PartialEq>(name: &str, fast: impl Fn() -> Vec<P>, exhaustive: impl Fn() -> Vec<P>) {
    let start = Instant::now();
    let found = fast();
    let fast_time = start.elapsed();
    let start = Instant::now();
    let expected = exhaustive();
    let exhaustive_time = start.elapsed();
    let verdict = if found == expected {
        "equal"
    } else {
        "DIFFERENT"
    };
    println!(
        "  {name:<15} {:>8} pairs, {:>8} by the exhaustive join: {verdict}; {:>8.1} ms, {:>9.1} ms",
        found.len(),
        expected.len(),
        fast_time.as_secs_f64() * 1e3,
        exhaustive_time.as_secs_f64() * 1e3,
    );
    assert!(found == expected, "{name}: the join is not exact");
}
