//! A scan with higher thresholds, without a new scan.

use std::sync::Arc;

use crate::finished_scan::Scanned;
use dupfind_engine::Options;
use dupfind_engine::pairing::closest::Closest;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::verdict::Counts;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::{Error, Result};
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;

impl Scanned {
    /// Returns the results that a scan with these options would have found. They may differ from those of this scan in thresholds that
    /// find fewer pairs, and in the relations that make clusters.
    ///
    /// # Errors
    ///
    /// [`Error::FindsMore`] if a threshold finds pairs that this scan did not look for.
    pub fn with_thresholds(&self, thresholds: &ScanOptions) -> Result<Self> {
        let old = &self.options.engine;
        // The others decide which documents there are, and what is known of them.
        let ScanOptions {
            engine,
            cluster_on,
            walk: _,
            read: _,
            index: _,
        } = thresholds;
        let &Options {
            min_jaccard,
            max_hamming,
            min_weighted,
            containment,
            shingle_size: _,
            shingle_unit: _,
            idf: _,
            simhash_width: _,
            detectors: _,
            require: _,
            super_shingles: _,
            i_match: _,
            threads: _,
            budget: _,
        } = engine;
        let options = Options {
            min_jaccard,
            max_hamming,
            min_weighted,
            containment,
            ..old.clone()
        };
        check(old, &options)?;
        let documents = &self.outcome.documents;
        let among = options.among(documents.len());
        let is_pair = |pair: &Pair| among.require.is_met(pair.found_by, among.running());
        let alone = Closest::default();
        let rejudged = self.pairs.iter();
        let rejudged = rejudged.map(|found| alone.judged(&among, documents, found));
        let mut pairs: Vec<Pair> = rejudged.filter(is_pair).collect();
        let closest = Closest::of_pairs(&among, documents.len(), &pairs);
        for pair in &mut pairs {
            *pair = closest.judged(&among, documents, pair);
        }
        // Other relations have another order.
        let pairs = in_pool(old.threads, move || Ok(TopPairs::of(pairs).into_pairs()))?;
        let mut counts = Counts::default();
        for pair in &pairs {
            counts.add(pair.relation, 1);
        }
        let edges = pairs.iter().filter(|pair| cluster_on.have(pair.relation));
        let clusters = self.joined.clusters(documents, edges)?;
        Ok(Self {
            outcome: Outcome {
                pair_counts: counts,
                clusters,
                ..self.outcome.clone()
            },
            options: ScanOptions {
                engine: options,
                cluster_on: *cluster_on,
                ..self.options.clone()
            },
            pairs,
            joined: Arc::clone(&self.joined),
            rows: self.rows.clone(),
        })
    }
}

/// Refuses thresholds that find more pairs than the old ones.
fn check(old: &Options, new: &Options) -> Result<()> {
    let finds_more = |name: &'static str, asked: String, least: String| {
        Err(Error::FindsMore { name, asked, least })
    };
    if old.min_jaccard.is_above(new.min_jaccard) {
        let (asked, least) = (new.min_jaccard, old.min_jaccard);
        return finds_more("min_jaccard", asked.to_string(), least.to_string());
    }
    if new.max_hamming > old.max_hamming {
        let (asked, least) = (new.max_hamming, old.max_hamming);
        return finds_more("max_hamming", asked.to_string(), least.to_string());
    }
    if let Some(new_least) = new.containment.map(|containment| containment.least) {
        let old_least = old.containment.map(|containment| containment.least);
        if old_least.is_none_or(|least| least.is_above(new_least)) {
            let least = old_least.map_or("off".into(), |least| least.to_string());
            return finds_more("min_containment", new_least.to_string(), least);
        }
    }
    if let Some(new_least) = new.weighted().map(|weighted| weighted.least) {
        let old_least = old.weighted().map(|weighted| weighted.least);
        if old_least.is_none_or(|least| least > new_least) {
            let (asked, least) = (new.min_weighted, old.min_weighted);
            return finds_more("min_weighted", asked.to_string(), least.to_string());
        }
    }
    Ok(())
}
