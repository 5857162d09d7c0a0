//! I-Match (Chowdhury, Frieder, Grossman and McCabe 2002): one hash of the telling terms of a document.
//!
//! Terms that many documents have do not identify this one, and terms that hardly any has are slips of the
//! pen, numbers and names that the next version writes differently. The terms between two bounds of IDF are
//! hashed together, whatever their order and however often they occur: two documents with the same hash have
//! the same ones.
//!
//! One changed term changes the hash. So a document has several hashes (Kołcz, Chowdhury and Alspector 2004): each but
//! the first leaves out a third of all terms there are, another third each time, and two documents match if one of
//! their hashes does. A term by which they differ is left out with probability 1/3, so with ten such lexicons 98 % of
//! documents that differ in one term match, 69 % of those that differ in two and 31 % of those that differ in three.
//!
//! Many documents share a hash of few terms by chance. So a document with fewer than [`LEAST_TERMS`] telling terms gets
//! a hash of all its terms and their numbers instead, and matches only documents that read the same.

use std::ops::RangeInclusive;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::fingerprint::dictionary::weight;
use crate::fingerprint::simhash::hash_of_all;
use crate::fingerprint::terms::SCALE_BITS;

/// The fewest terms that are hashed by themselves.
pub const LEAST_TERMS: u32 = 5;

/// Every third term is left out of a lexicon.
const LEFT_OUT: u64 = u64::MAX / 3;

/// The IDF of the commonest and the rarest terms that count. Of the ranges that were tried with the dictionary's weights, this
/// one finds most of the labelled pairs of five sets, and few other pairs (recall .380 of Chinese page revisions, 6..13: .353,
/// all terms: .296; 9..12: .388, with a precision of .947 instead of .968 on API pages). A term that is not in the dictionary,
/// such as every English one, has the median weight, which is below 13: a lower end of the range would leave it out.
pub const IDF: RangeInclusive<u32> = 8..=13;

/// How many lexicons there are besides the one of all terms.
pub const LEXICONS: u8 = 10;

/// How many hashes a document has.
pub const WIDTH: usize = 1 + LEXICONS as usize;

/// Appends the [`WIDTH`] hashes of a document, whose terms are given as (hash, number of occurrences).
pub fn hash_into(terms: &[(u64, u32)], hashes: &mut Vec<u64>) {
    hash_weighted(terms, weight, hashes);
}

fn hash_weighted(terms: &[(u64, u32)], weight: impl Fn(u64) -> u32, hashes: &mut Vec<u64>) {
    let counts = IDF.start() << SCALE_BITS..=IDF.end() << SCALE_BITS;
    let telling: Vec<u64> = terms
        .iter()
        .map(|&(term, _)| term)
        .filter(|&term| counts.contains(&weight(term)))
        .collect();
    for lexicon in 0..WIDTH as u64 {
        let has = |term: u64| lexicon == 0 || mixed(term, lexicon) > LEFT_OUT;
        // A sum does not depend on the order of the terms, and needs no sorting.
        let (mut sum, mut count) = (0_u64, 0_u32);
        for &term in telling.iter().filter(|&&term| has(term)) {
            sum = sum.wrapping_add(mixed(term, 0));
            count += 1;
        }
        hashes.push(if count < LEAST_TERMS {
            hash_of_all(terms)
        } else {
            xxh3_64_with_seed(&sum.to_le_bytes(), u64::from(count))
        });
    }
}

/// Another hash of a term for each number.
fn mixed(term: u64, number: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&term.to_le_bytes());
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the hashes of terms with these weights.
    fn hashes(terms: &[(u64, u32)], weight: impl Fn(u64) -> u32) -> Vec<u64> {
        let mut hashes = Vec::new();
        hash_weighted(terms, |term| weight(term) << SCALE_BITS, &mut hashes);
        hashes
    }

    /// The weight of terms that count.
    fn even(_: u64) -> u32 {
        10
    }

    /// Terms from a number on, once each.
    fn terms(from: u64, count: u64) -> Vec<(u64, u32)> {
        (from..from + count)
            .map(|term| (xxh3_64(&term.to_le_bytes()), 1))
            .collect()
    }

    #[test]
    fn only_terms_between_the_bounds_count() {
        let telling = terms(0, 30);
        let (common, slips) = (terms(100, 20), terms(200, 20));
        let have = |terms: &[(u64, u32)], term| terms.iter().any(|(other, _)| *other == term);
        let weight = |term| match () {
            () if have(&common, term) => 1,
            () if have(&slips, term) => 15,
            () => 9,
        };
        let all = [telling.clone(), common.clone(), slips.clone()].concat();
        assert_eq!(hashes(&all, weight), hashes(&telling, weight));
        let other = terms(1, 30);
        assert_ne!(hashes(&other, weight)[0], hashes(&telling, weight)[0]);
        // None of their terms counts: only the same terms match.
        let [x, y] = [&common[..], &common[1..]].map(|terms| hashes(terms, weight));
        assert!(x.iter().zip(&y).all(|(x, y)| x != y));
        assert_eq!(x, hashes(&common, weight));
    }

    #[test]
    fn lexicons_survive_small_changes_as_often_as_computed() {
        for (changed, expected) in [(1, 0.983), (2, 0.692), (3, 0.314)] {
            let rounds = 2_000;
            let survived = (0..rounds).filter(|round| {
                let from = round * 1_000;
                let x = hashes(&terms(from, 60), even);
                let y = hashes(&terms(from + changed, 60 - changed), even);
                x.iter().zip(&y).any(|(x, y)| x == y)
            });
            let survived = survived.count();
            let share = survived as f64 / rounds as f64;
            assert!((share - expected).abs() < 0.035, "{changed}: {share}");
        }
    }

    proptest! {
        #[test]
        fn neither_order_nor_numbers_count(
            // Of so many terms no lexicon leaves fewer than five, of which the numbers would count.
            words in prop::collection::btree_map(any::<u64>(), 1_u32..9, 60..80),
            turn in 0_usize..80,
        ) {
            let terms: Vec<(u64, u32)> = words.into_iter().collect();
            let mut turned: Vec<(u64, u32)> = terms.iter().map(|&(term, _)| (term, 1)).collect();
            turned.rotate_left(turn.min(terms.len()));
            prop_assert_eq!(hashes(&terms, even), hashes(&turned, even));
        }
    }
}
