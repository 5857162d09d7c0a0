//! A scan with higher thresholds, without a new scan.

#[cfg(test)]
mod laws;

use crate::{Scan, ScanOptions};
use dupfind_engine::pairing::closest::Closest;
use dupfind_engine::verdict::versions::Versions;
use dupfind_engine::{Counts, Pair, Relations, Result, TopPairs, in_pool};

impl Scan {
    /// Returns the results that a scan with these options would have found. They may differ from those of this scan in thresholds that
    /// find fewer pairs.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::Option`] if a threshold finds pairs that this scan did not look for.
    pub fn with_thresholds(&self, thresholds: &ScanOptions) -> Result<Self> {
        let old = &self.options.engine;
        // The others decide about the documents and their features.
        let ScanOptions {
            engine,
            walk: _,
            read: _,
            index: _,
        } = thresholds;
        let options = old.with_thresholds(engine)?;
        let documents = &self.documents;
        let among = options.among(documents.len());
        let is_pair = |pair: &Pair| !pair.found_by.is_empty();
        let alone = Closest::default();
        let versions = Versions::of_documents(documents);
        let rejudged = self.pairs.iter();
        let rejudged = rejudged.map(|found| alone.judged(&among, documents, &versions, found));
        let mut pairs: Vec<Pair> = rejudged.filter(is_pair).collect();
        let closest = Closest::of_pairs(&among, documents.len(), &pairs);
        for pair in &mut pairs {
            *pair = closest.judged(&among, documents, &versions, pair);
        }
        // Other relations have another order.
        let pairs = in_pool(old.threads, move || Ok(TopPairs::of(pairs).into_pairs()))?;
        let mut counts = Counts::default();
        for pair in &pairs {
            counts.add(pair.relation(), 1);
        }
        let edges = pairs
            .iter()
            .filter(|pair| Relations::DUPLICATES.have(pair.relation()));
        let clusters = self.clusters_of(edges)?;
        Ok(Self {
            pair_counts: counts,
            clusters,
            options: ScanOptions {
                engine: options,
                ..self.options.clone()
            },
            pairs,
            ..self.clone()
        })
    }
}
