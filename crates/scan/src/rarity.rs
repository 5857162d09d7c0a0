//! Counts how many documents of a folder have the shingles of two documents. So two documents that are compared alone
//! get the verdict that a scan of the folder would give.

use crate::ScanOptions;
use crate::corpus::{Corpus, read_corpus};
use dupfind_engine::detect::Detector;
use dupfind_engine::document::{Note, Skipped};
use dupfind_engine::error::Result;
use dupfind_engine::join::inverted::distinct::{Distinct, SetKey, are_equal};
use dupfind_engine::pairing::observer::Observer;
use dupfind_engine::pairing::threads::in_pool;
use dupfind_engine::verdict::two_documents::ShingleFrequencies;

/// How many sets are read at a time.
const AT_A_TIME: usize = 1 << 10;

/// The part of a report about reading the folder.
#[derive(Debug, Default)]
pub struct Reading {
    /// How many documents were read.
    pub documents: usize,
    /// What was not read, by name.
    pub skipped: Vec<Skipped>,
    /// What to know about single documents, by name.
    pub notes: Vec<Note>,
    /// What was wrong with ignore files, and with many records of one file.
    pub warnings: Vec<String>,
}

/// Reads a folder and returns how many of its documents have each shingle of two sets. Documents with equal sets count
/// once. The two sets count as documents of the folder, whether they are or not.
///
/// # Errors
///
/// As [`crate::scan`].
pub fn shingle_frequencies<'s>(
    options: &ScanOptions,
    observer: &dyn Observer,
    a: &'s [u64],
    b: &'s [u64],
) -> Result<(ShingleFrequencies<'s>, Reading)> {
    let mut options = options.clone();
    options.engine.detectors = Detector::Shingle.into();
    let mut frequencies = ShingleFrequencies::of_two(a, b);
    in_pool(&options.engine, || {
        let Corpus {
            collection,
            skipped,
            notes,
            warnings,
            ..
        } = read_corpus(&options, observer, true)?;
        let sets = &collection.sets;
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
                // The two sets have been counted before.
                let is_counted =
                    |(own, own_key): (&[u64], SetKey)| own_key == key && are_equal(own, set);
                if !is_counted((a, keys[0])) && !is_counted((b, keys[1])) {
                    frequencies.add(set);
                }
            }
        }
        let reading = Reading {
            documents: collection.documents.len(),
            skipped,
            notes,
            warnings,
        };
        Ok((frequencies, reading))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scan, shingle_sets};
    use dupfind_engine::join::weighted::Weighted;
    use dupfind_engine::pairing::observer::Silent;
    use dupfind_engine::pairing::sink::TopPairs;

    #[test]
    fn two_documents_alone_weigh_the_same_everywhere() {
        let half = Weighted {
            similarity: 3_333,
            containment: 5_000,
        };
        assert_eq!(
            ShingleFrequencies::of_two(&[1, 2], &[2, 3]).weighted(),
            half
        );
        assert_eq!(
            ShingleFrequencies::of_two(&[1, 2], &[2, 1]).weighted(),
            Weighted::EQUAL
        );
    }

    #[test]
    fn among_a_folder_two_documents_are_what_a_scan_says() {
        let mut options = ScanOptions::for_paths(["../../fixtures/corpus/zh"]);
        let mut best = TopPairs::all();
        let outcome = scan(&options, &Silent, Some(&mut best)).unwrap();
        let sets = shingle_sets(&options, &Silent).unwrap().collection.sets;
        let slices = sets.slices().unwrap();
        let pairs = best.into_pairs();
        assert!(pairs.len() > 10 && outcome.documents.len() == slices.len());
        for (at, pair) in pairs.iter().enumerate().step_by(5) {
            let [a, b] = [pair.a, pair.b].map(|id| slices[id.index()]);
            // In a file as in memory.
            options.engine.budget.limit = (at % 2 == 0).then_some(1);
            let (frequencies, _) = shingle_frequencies(&options, &Silent, a, b).unwrap();
            assert_eq!(Some(frequencies.weighted()), pair.weighted);
        }
    }
}
