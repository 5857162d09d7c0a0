//! The 64-bit SimHash fingerprint (Charikar 2002; for near-duplicate pages Manku, Jain and
//! Das Sarma 2007).
//!
//! Every term votes on all 64 bits: the bits of its hash are for or against, and its weight
//! `(1 + ln tf) * idf` decides how strongly. A bit of the fingerprint is set if more than half of the
//! total weight is for it; an exact tie leaves it unset. All sums are integers, so neither the order
//! of the terms nor the machine can change a bit.
//!
//! `tf` enters through its logarithm: with raw counts one repeated token decides every bit. Share of
//! labelled pairs at distance <= 3, the mean over nine labelled folders; how many of 10 million
//! unrelated pairs are that near in these folders; and how many of the 780 pairs of 40 lists of 10 links, each list to
//! other pages of one site. The bench that measured them is in the history of the repository: `benches/weights`.
//!
//! | weight | share | unrelated | lists |
//! |---|---|---|---|
//! | `(1 + ln tf) * idf` | .485 | 0.1 | 7 |
//! | `min(tf, 10) * idf` | .546 | 0.0 | 780 |
//! | `tf * idf` | .603 | 39 | |
//!
//! Counting up to ten finds more pairs, but the shingles find all of these too. Its price does not show on labelled
//! pages: the words at the beginning of every line decide the fingerprint of a list.
//!
//! In a document of few terms one may still outweigh all the others together, and any two documents that have it would
//! get its hash for a fingerprint: 我的葡萄园 and 他在葡萄园. Such a document gets a hash of all its terms in their order
//! instead, so it matches only documents that read the same.

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::dictionary::{self, AT_A_TIME};
use crate::fingerprint::terms::{ONE, SCALE_BITS, ln};

/// Bits of a hash that are summed together: 16 tables of 16 sums fit the fastest cache and need 16
/// additions a term instead of 64.
const NIBBLE: usize = 4;
const TABLES: usize = 64 / NIBBLE;
const ENTRIES: usize = 1 << NIBBLE;

/// Term counts up to here have their `1 + ln tf` in a table.
const TABULATED: usize = 64;

/// Returns the fingerprint of a document, whose terms are given as (hash, number of occurrences).
pub fn simhash(terms: &[(u64, u32)]) -> u64 {
    let mut sums = [0_u64; TABLES * ENTRIES];
    let (mut total, mut heaviest) = (0, 0);
    let mut weights = [0; AT_A_TIME];
    for terms in terms.chunks(AT_A_TIME) {
        dictionary::weights(terms, &mut weights);
        for (&(mut hash, count), &weight) in terms.iter().zip(&weights) {
            // At most 2^32 terms of at most 2^18 (idf) * 2^21 (1 + ln tf) / 2^12 each: no overflow.
            let weight = damped(weight, count);
            total += weight;
            heaviest = heaviest.max(weight);
            for table in sums.chunks_exact_mut(ENTRIES) {
                table[(hash & 0xf) as usize] += weight;
                hash >>= NIBBLE;
            }
        }
    }
    // Terms of no weight at all decide as little as one alone.
    if heaviest >= total - heaviest {
        return hash_of_all(terms);
    }
    let mut fingerprint = 0;
    for bit in 0..64 {
        let table = &sums[bit / NIBBLE * ENTRIES..][..ENTRIES];
        let votes: u64 = (0..ENTRIES)
            .filter(|entry| entry >> (bit % NIBBLE) & 1 == 1)
            .map(|entry| table[entry])
            .sum();
        if votes > total - votes {
            fingerprint |= 1 << bit;
        }
    }
    fingerprint
}

/// Returns the TF-IDF weight `(1 + ln tf) * idf` of a term that occurs `count` times, in units of 1 / [`ONE`].
#[inline]
pub fn damped(idf: u32, count: u32) -> u64 {
    static DAMPED: [u64; TABULATED] = damped_counts();
    let damped = match DAMPED.get(count as usize) {
        Some(&damped) => damped,
        None => ONE + ln(u64::from(count)),
    };
    (u64::from(idf) * damped) >> SCALE_BITS
}

/// `1 + ln tf` for small counts, in units of 1/[`ONE`].
const fn damped_counts() -> [u64; TABULATED] {
    let mut table = [ONE; TABULATED];
    let mut count = 1;
    while count < TABULATED {
        table[count] = ONE + ln(count as u64);
        count += 1;
    }
    table
}

/// Returns a hash of all terms of a document, their numbers of occurrences and their order.
pub fn hash_of_all(terms: &[(u64, u32)]) -> u64 {
    let bytes: Vec<u8> = terms
        .iter()
        .flat_map(|&(term, count)| [term.to_le_bytes(), u64::from(count).to_le_bytes()])
        .flatten()
        .collect();
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    fn weight(&(hash, count): &(u64, u32)) -> u64 {
        let damped = ONE + if count > 1 { ln(u64::from(count)) } else { 0 };
        (u64::from(dictionary::weight(hash)) * damped) >> SCALE_BITS
    }

    /// The definition, bit by bit, in signed sums.
    fn by_definition(terms: &[(u64, u32)]) -> u64 {
        (0..64)
            .filter(|bit| {
                let sum: i128 = terms
                    .iter()
                    .map(|term| {
                        let weight = i128::from(weight(term));
                        if term.0 >> bit & 1 == 1 {
                            weight
                        } else {
                            -weight
                        }
                    })
                    .sum();
                sum > 0
            })
            .map(|bit| 1 << bit)
            .sum()
    }

    /// Whether one term weighs at least as much as all others.
    fn is_decided_by_one(terms: &[(u64, u32)]) -> bool {
        let total: u64 = terms.iter().map(weight).sum();
        terms.iter().any(|term| weight(term) * 2 >= total)
    }

    fn terms(words: &str) -> Vec<(u64, u32)> {
        words
            .split_whitespace()
            .map(|word| (xxh3_64(word.as_bytes()), 1))
            .collect()
    }

    #[test]
    fn no_term_decides_alone() {
        let fingerprint = |words: &str| simhash(&terms(words));
        let heavy = terms("葡萄园")[0].0;
        assert!(is_decided_by_one(&terms("我 的 葡萄园")));
        let alike = ["葡萄园", "我 葡萄园", "我 的 葡萄园", "他 在 葡萄园"];
        let distinct: HashSet<u64> = alike.into_iter().map(fingerprint).collect();
        assert_eq!(distinct.len(), alike.len());
        assert!(!distinct.contains(&heavy));
        // One more word of its own weight, and it is one among others.
        assert!(!is_decided_by_one(&terms("我 的 葡萄园 拖拉机")));
        assert_eq!(simhash(&[]), hash_of_all(&[]));
    }

    #[test]
    fn fingerprints_are_as_far_apart_as_documents_are() {
        let words: Vec<String> = (0..400).map(|word| format!("word{word}")).collect();
        let one = terms(&words.join(" "));
        // A fifth of the words are others: about 13 of 64 bits differ.
        let distances = (0..60).map(|from| {
            let mut other = one.clone();
            for at in 0..80 {
                other[(from * 5 + at) % 400].0 = xxh3_64(format!("{from} {at}").as_bytes());
            }
            f64::from((simhash(&one) ^ simhash(&other)).count_ones())
        });
        let mean = distances.sum::<f64>() / 60.0;
        assert!((10.0..16.0).contains(&mean), "{mean}");
    }

    #[test]
    fn a_tie_leaves_the_bit_unset() {
        let terms = [0b001, 0b011, 0b011, 0b101].map(|bits: u64| (bits << 60, 1));
        assert!(terms.iter().all(|&term| weight(&term) == weight(&terms[0])));
        assert_eq!(simhash(&terms), 1 << 60);
    }

    proptest! {
        #[test]
        fn equals_the_definition_in_any_order(
            terms in prop::collection::vec((any::<u64>(), 1_u32..200), 0..80),
            turn in 0_usize..80,
        ) {
            let mut turned = terms.clone();
            turned.rotate_left(turn.min(terms.len()));
            if is_decided_by_one(&terms) || terms.is_empty() {
                prop_assert_eq!(simhash(&terms), hash_of_all(&terms));
                prop_assert_eq!(simhash(&turned), hash_of_all(&turned));
                return Ok(());
            }
            prop_assert_eq!(simhash(&terms), by_definition(&terms));
            prop_assert_eq!(simhash(&turned), by_definition(&terms));
        }
    }
}
