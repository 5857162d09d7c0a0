//! How far the frequencies of an index have drifted since they were counted.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::Index;
use crate::frequencies::first_of_their_sets;
use crate::query::Wanted;
use crate::segment::write::{Source, each_shingle};
use dupfind_engine::error::Result;
use dupfind_engine::features::Features;
use dupfind_engine::join::weighted::{Weighted, weight};
use dupfind_engine::text::units::ShingleUnit;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::rules::rule_of_sets;
use dupfind_engine::verdict::{Relation, Titles};

/// How many documents are looked at.
const SAMPLE: usize = 100;

/// What would be different with frequencies that were counted today. It is estimated from the pairs of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Drift {
    /// How many documents came or went since the frequencies were counted.
    pub changes: u64,
    /// How many pairs the documents of the sample have; 0 if no document came or went.
    pub pairs: usize,
    /// How many of them would have another relation.
    pub changed: usize,
}

/// A pair of the sample.
struct SampledPair {
    pair: Pair,
    sizes: [u32; 2],
    titles: Titles,
    /// The numbers of both documents among those that are not gone.
    numbers: [u32; 2],
    /// What the shingles weigh that both have.
    shared: u64,
}

impl Index {
    /// Returns how far the frequencies have drifted.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn drift(&self) -> Result<Drift> {
        let mut drift = Drift {
            changes: self.manifest.changes,
            ..Drift::default()
        };
        if drift.changes == 0 || self.documents() == 0 {
            return Ok(drift);
        }
        let mut pairs = self.sampled_pairs()?;
        let weights = self.weigh_today(&mut pairs)?;
        for measured in &pairs {
            let Some(jaccard) = measured.pair.jaccard else {
                continue;
            };
            let [x, y] = measured.numbers.map(|number| weights[&number]);
            let weighted = if measured.sizes == [jaccard.overlap; 2] {
                Weighted::EQUAL
            } else {
                Weighted::new(measured.shared, x, y)
            };
            let is_exact = measured.pair.relation == Relation::Exact;
            let is_scanned = self.options.shingle_unit == ShingleUnit::Ocr;
            let rule = rule_of_sets(
                (jaccard, weighted),
                measured.sizes,
                measured.titles,
                is_scanned,
            );
            let today = rule.relation();
            drift.pairs += 1;
            drift.changed += usize::from(!is_exact && today != measured.pair.relation);
        }
        Ok(drift)
    }

    /// Returns the pairs of some documents of the index.
    fn sampled_pairs(&self) -> Result<Vec<SampledPair>> {
        // The numbers of the documents that are not gone, by place.
        let mut numbers: HashMap<(usize, u32), u32> = HashMap::new();
        let places =
            self.segments.iter().enumerate().flat_map(|(at, segment)| {
                segment.tombstones.left().map(move |number| (at, number))
            });
        numbers.extend(places.zip(0..));
        let step = numbers.len().div_ceil(SAMPLE);
        let mut pairs = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let all = segment.tombstones.left();
            let asked: Vec<u32> = all
                .filter(|&number| (numbers[&(at, number)] as usize).is_multiple_of(step))
                .collect();
            segment.each_set(&asked, |place, set| {
                let kept = segment.document(asked[place])?;
                let features = Features {
                    facts: kept.facts,
                    shingles: set.to_vec(),
                };
                for hit in self.hits(&kept.name, &features, Wanted::default())? {
                    pairs.push(SampledPair {
                        pair: hit.pair,
                        titles: Titles::of([features.facts.title, hit.document.title]),
                        sizes: [features.facts.shingles, hit.document.shingles],
                        numbers: [numbers[&(at, asked[place])], numbers[&hit.place]],
                        shared: 0,
                    });
                }
                Ok(())
            })?;
        }
        Ok(pairs)
    }

    /// Weighs the documents of some pairs, and what each pair shares, with the frequencies of today. Returns the weights
    /// of the documents by their numbers.
    fn weigh_today(&self, pairs: &mut [SampledPair]) -> Result<HashMap<u32, u64>> {
        let segments = self.segments.iter();
        let sources: Vec<Source<'_>> = segments.map(|segment| Source::Segment(segment)).collect();
        let is_first = first_of_their_sets(&sources)?;
        let mut weights: HashMap<u32, u64> = HashMap::new();
        let mut pairs_of: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, measured) in pairs.iter().enumerate() {
            for number in measured.numbers {
                weights.insert(number, 0);
            }
            pairs_of.entry(measured.numbers[0]).or_default().push(at);
        }
        let mut here: HashSet<u32> = HashSet::new();
        each_shingle(&sources, |_, documents| {
            let first = documents.iter().filter(|&&d| is_first[d as usize]);
            let frequency = u32::try_from(first.count()).unwrap_or(u32::MAX);
            let own = u64::from(weight(frequency));
            if own == 0 {
                return Ok(());
            }
            here.clear();
            for document in documents {
                if let Some(weight) = weights.get_mut(document) {
                    *weight += own;
                    here.insert(*document);
                }
            }
            for number in &here {
                for &at in pairs_of.get(number).into_iter().flatten() {
                    if here.contains(&pairs[at].numbers[1]) {
                        pairs[at].shared += own;
                    }
                }
            }
            Ok(())
        })?;
        Ok(weights)
    }
}
