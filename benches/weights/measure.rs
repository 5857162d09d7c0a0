//! Fingerprints under a weighting, and what they find.

use dupfind_engine::fingerprint::simhash::{hash_of_all, simhash};
use dupfind_engine::fingerprint::terms::SCALE_BITS;
use dupfind_engine::fingerprint::terms::Terms;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::features::{Features, place};
use crate::folder::Folder;
use crate::weighting::Weighting;

/// The distances that are looked at.
pub(crate) const DISTANCES: [u32; 7] = [3, 4, 5, 6, 8, 10, 12];

/// How many hash functions the figures are means over.
pub(crate) const FUNCTIONS: u64 = 4;

/// The library's own hash function is the first.
const LIBRARY: u64 = 0;

/// A number for each of [`DISTANCES`].
type Counts = [u64; DISTANCES.len()];

/// The pairs that a weighting finds in a folder, with all hash functions together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Found {
    pub(crate) positives: Counts,
    pub(crate) templates: Counts,
    pub(crate) unrelated: Counts,
}

/// Takes a folder with its features and a weighting, and returns what the fingerprints find.
pub(crate) fn measure(folder: &Folder, features: &Features, weighting: &Weighting) -> Found {
    let mut found = Found::default();
    for function in LIBRARY..FUNCTIONS {
        let codes = fingerprints(features, weighting, function);
        for (pairs, counts) in [
            (&folder.positives, &mut found.positives),
            (&folder.templates, &mut found.templates),
        ] {
            for &(a, b) in pairs {
                count(distance(&codes, a, b), counts);
            }
        }
        add(&mut found.unrelated, unrelated(folder, &codes));
    }
    found
}

/// Checks the fingerprints of a weighting that is the library's against the library itself.
pub(crate) fn check(features: &Features, weighting: &Weighting) {
    let codes = fingerprints(features, weighting, LIBRARY);
    for (terms, &code) in features.documents.iter().zip(&codes) {
        let hashed: Terms = terms
            .iter()
            .map(|&(number, count)| (features.all[place(number)].hash, count))
            .collect();
        assert_eq!(simhash(&hashed), code, "not the library's fingerprint");
    }
}

/// The documents' fingerprints under a weighting, with one of the hash functions.
fn fingerprints(features: &Features, weighting: &Weighting, function: u64) -> Vec<u64> {
    let votes: Vec<(u64, u32)> = features
        .all
        .par_iter()
        .map(|feature| {
            let hash = match function {
                LIBRARY => feature.hash,
                seed => xxh3_64_with_seed(&feature.hash.to_le_bytes(), seed),
            };
            (hash, (weighting.idf)(feature))
        })
        .collect();
    let documents = features.documents.par_iter();
    documents
        .map(|terms| fingerprint(terms, &votes, weighting.tf))
        .collect()
}

/// The definition of the fingerprint, with any weights. As in the library, a document of which one term
/// weighs as much as all others has a hash of its terms; so has one that is left without a vote.
fn fingerprint(terms: &Terms, votes: &[(u64, u32)], tf: fn(u32) -> u64) -> u64 {
    let mut sums = [0_i64; 64];
    let (mut total, mut heaviest) = (0, 0);
    for &(number, count) in terms {
        let (hash, idf) = votes[place(number)];
        let weight = (u64::from(idf) * tf(count)) >> SCALE_BITS;
        let weight = i64::try_from(weight).expect("far below 2^63");
        total += weight;
        heaviest = weight.max(heaviest);
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 {
                weight
            } else {
                -weight
            };
        }
    }
    if heaviest >= total - heaviest {
        let hashed: Terms = terms
            .iter()
            .map(|&(number, count)| (votes[place(number)].0, count))
            .collect();
        return hash_of_all(&hashed);
    }
    let set = (0..64).filter(|&bit| sums[bit] > 0);
    set.map(|bit| 1_u64 << bit).sum()
}

fn distance(codes: &[u64], a: u32, b: u32) -> u32 {
    (codes[a as usize] ^ codes[b as usize]).count_ones()
}

/// Counts a pair at all distances that reach it.
fn count(distance: u32, counts: &mut Counts) {
    for (count, k) in counts.iter_mut().zip(DISTANCES) {
        *count += u64::from(distance <= k);
    }
}

fn add(all: &mut Counts, counts: Counts) {
    all.iter_mut()
        .zip(counts)
        .for_each(|(all, count)| *all += count);
}

/// Compares all with all and counts the unrelated pairs that are near.
fn unrelated(folder: &Folder, codes: &[u64]) -> Counts {
    let farthest = DISTANCES[DISTANCES.len() - 1];
    let n = u32::try_from(codes.len()).expect("positions are 32 bits wide");
    let of = |a: u32| {
        let mut counts = Counts::default();
        for b in 0..a {
            let distance = distance(codes, a, b);
            if distance <= farthest && !folder.related.contains(a, b) {
                count(distance, &mut counts);
            }
        }
        counts
    };
    let sum = |mut all: Counts, counts| {
        add(&mut all, counts);
        all
    };
    (1..n).into_par_iter().map(of).reduce(Counts::default, sum)
}
