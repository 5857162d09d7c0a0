//! How rare the text of two documents is among others: for two documents that are looked at alone, what a
//! scan of a folder would say of them.

use std::collections::HashMap;

use crate::document::{Note, Skipped};
use crate::engine::detectors::Detector;
use crate::engine::observer::Observer;
use crate::error::Result;
use crate::join::index::distinct::{Distinct, SetKey, are_equal};
use crate::join::pairwise::sorted;
use crate::join::weighted::{Weighted, weight};
use crate::scan::ScanOptions;
use crate::scan::collection::Collection;
use crate::scan::{in_pool, read_documents};

/// How many sets are read at a time, if they are in a file.
const AT_A_TIME: usize = 1 << 10;

/// How many different documents have each shingle of two documents.
#[derive(Debug)]
pub struct Among<'s> {
    sets: [&'s [u64]; 2],
    frequencies: HashMap<u64, u32>,
}

/// What came of reading the others.
#[derive(Debug, Default)]
pub struct Reading {
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files, and with many records of a file alike.
    pub warnings: Vec<String>,
}

impl<'s> Among<'s> {
    /// Takes the shingle sets of two documents, of which nothing else is known.
    #[must_use]
    pub fn themselves(a: &'s [u64], b: &'s [u64]) -> Self {
        let mut among = Self {
            sets: [a, b],
            frequencies: HashMap::new(),
        };
        for &shingle in a.iter().chain(b) {
            among.frequencies.insert(shingle, 0);
        }
        among.count(a);
        if !are_equal(a, b) {
            among.count(b);
        }
        among
    }

    /// Takes what to read, an observer, and the shingle sets of two documents, which may be among what
    /// is read or not. Equal sets count once. Also returns what was not read and what to know of the rest.
    ///
    /// # Errors
    ///
    /// As [`crate::scan::scan`].
    pub fn documents(
        settings: &ScanOptions,
        observer: &dyn Observer,
        a: &'s [u64],
        b: &'s [u64],
    ) -> Result<(Self, Reading)> {
        let mut settings = settings.clone();
        settings.engine.detectors = Detector::Shingle.into();
        let mut among = Self::themselves(a, b);
        in_pool(&settings, || {
            let Collection {
                sets,
                skipped,
                notes,
                warnings,
                ..
            } = read_documents(&settings, observer, true)?;
            let distinct = Distinct::new(&sets.keys(), |x, y| sets.are_equal(x, y))?;
            let firsts: Vec<u32> = distinct.groups.firsts().collect();
            let keys = [a, b].map(SetKey::of);
            let all_keys = sets.keys();
            for firsts in firsts.chunks(AT_A_TIME) {
                let shingles = sets.load(firsts)?;
                let mut rest = shingles.as_slice();
                for &first in firsts {
                    let key = all_keys[first as usize];
                    let (set, others) = rest.split_at(key.size as usize);
                    rest = others;
                    // These two have been counted.
                    let is_counted =
                        |(own, own_key): (&[u64], SetKey)| own_key == key && are_equal(own, set);
                    if !is_counted((a, keys[0])) && !is_counted((b, keys[1])) {
                        among.count(set);
                    }
                }
            }
            let reading = Reading {
                skipped,
                notes,
                warnings,
            };
            Ok((among, reading))
        })
    }

    /// Counts the shingles of one more document.
    fn count(&mut self, set: &[u64]) {
        for shingle in set {
            if let Some(count) = self.frequencies.get_mut(shingle) {
                *count += 1;
            }
        }
    }

    /// The weighted measures of the two documents.
    #[must_use]
    pub fn measure(&self) -> Weighted {
        let [a, b] = self.sets;
        if are_equal(a, b) {
            return Weighted::EQUAL;
        }
        let sorted = sorted(b);
        let weigh = |shingle: &u64| u64::from(weight(self.frequencies[shingle]));
        let shared = a
            .iter()
            .filter(|shingle| sorted.binary_search(shingle).is_ok());
        let sum = |set: &[u64]| set.iter().map(weigh).sum();
        Weighted::new(shared.map(weigh).sum(), sum(a), sum(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::observer::Silent;
    use crate::engine::sink::Best;
    use crate::scan::{scan, shingle_sets};

    #[test]
    fn two_documents_alone_weigh_the_same_everywhere() {
        let half = Weighted {
            similarity: 3_333,
            containment: 5_000,
        };
        assert_eq!(Among::themselves(&[1, 2], &[2, 3]).measure(), half);
        assert_eq!(
            Among::themselves(&[1, 2], &[2, 1]).measure(),
            Weighted::EQUAL
        );
    }

    #[test]
    fn among_a_folder_two_documents_are_what_a_scan_says() {
        let mut settings = ScanOptions::for_paths(["fixtures/corpus/zh"]);
        let mut best = Best::all();
        let outcome = scan(&settings, &Silent, Some(&mut best)).unwrap();
        let sets = shingle_sets(&settings, &Silent).unwrap().sets;
        let slices = sets.slices().unwrap();
        let pairs = best.into_pairs();
        assert!(pairs.len() > 10 && outcome.documents.len() == slices.len());
        for (at, pair) in pairs.iter().enumerate().step_by(5) {
            let [a, b] = [pair.a, pair.b].map(|id| slices[id.index()]);
            // In a file as in memory.
            settings.engine.budget.limit = (at % 2 == 0).then_some(1);
            let (among, _) = Among::documents(&settings, &Silent, a, b).unwrap();
            assert_eq!(Some(among.measure()), pair.weighted);
        }
    }
}
