//! What the detectors of signatures have in common. A signature is a few numbers of a document.

use std::fmt::Debug;

use rayon::prelude::*;

use crate::detect::Detector;
use crate::fingerprint::idf::Idf;
use crate::join::groups::{Groups, NONE};

/// A detector that keeps a few numbers of each document, and compares them.
pub trait SignatureDetector: Debug + Send + Sync {
    /// Returns which detector it is.
    fn detector(&self) -> Detector;

    /// Returns how many numbers it keeps of each document.
    fn width(&self) -> usize;

    /// Returns a signer, which makes the numbers of one document after the other.
    fn signer(&self) -> Signer;

    /// Returns the measure of two signatures: their distance, or how many numbers are equal.
    fn measure(&self, a: &[u64], b: &[u64]) -> u8;

    /// Returns the groups of documents with equal signatures, and all pairs of groups that this detector finds.
    /// `signatures` are those of all documents, one after the other.
    fn similar(&self, signatures: &[u64]) -> SimilarSignatures;
}

/// Appends the signature of a shingle set to a list.
pub(crate) type ShingleSigner = Box<dyn FnMut(&[u64], &mut Vec<u64>) + Send>;

/// Appends the signature of weighted terms to a list.
pub(crate) type TermSigner = Box<dyn Fn(TermCounts<'_>, &Idf, &mut Vec<u64>) + Send>;

/// Makes signatures, and appends them to a list.
pub enum Signer {
    /// Makes signatures of shingle sets.
    OfShingles(ShingleSigner),
    /// Makes signatures of terms and their weights.
    OfTerms(TermSigner),
}

impl Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::OfShingles(_) => "OfShingles",
            Self::OfTerms(_) => "OfTerms",
        })
    }
}

/// The terms of a document.
#[derive(Debug, Clone, Copy)]
pub struct TermCounts<'t> {
    /// The hash of each distinct term and how often it occurs.
    pub(crate) terms: &'t [(u64, u32)],
    /// How many tokens the document has.
    pub(crate) tokens: u32,
}

/// Documents with equal signatures, and which of these are similar.
#[derive(Debug)]
pub struct SimilarSignatures {
    /// The groups of documents with equal signatures.
    pub(crate) groups: Groups,
    /// The pairs of groups, each as (larger, smaller), in no order.
    pub(crate) pairs: Vec<(u32, u32)>,
}

impl SimilarSignatures {
    /// Returns the pairs `(later, earlier)` of other groups of the documents, ordered, that have documents with equal
    /// or similar signatures. `group_of` has the other group of each document, or [`NONE`].
    pub(crate) fn of_groups(&self, group_of: &[u32]) -> Vec<(u32, u32)> {
        similar_groups(&self.groups, &self.pairs, group_of)
    }
}

/// Returns the pairs of [`SimilarSignatures::of_groups`]. `similar` are pairs of signatures.
fn similar_groups(
    signatures: &Groups,
    similar: &[(u32, u32)],
    group_of: &[u32],
) -> Vec<(u32, u32)> {
    // The groups of the documents that have each signature.
    let groups: Vec<Vec<u32>> = (0..signatures.count())
        .map(|signature| {
            let members = signatures.members(signature).iter();
            let mut groups: Vec<u32> = members
                .map(|&document| group_of[document as usize])
                .filter(|&group| group != NONE)
                .collect();
            groups.sort_unstable();
            groups.dedup();
            groups
        })
        .collect();
    let mut pairs = Vec::new();
    for same in &groups {
        for (at, &y) in same.iter().enumerate() {
            pairs.extend(same[at + 1..].iter().map(|&x| (x, y)));
        }
    }
    for &(signature, other) in similar {
        for &x in &groups[signature as usize] {
            let others = groups[other as usize].iter().filter(|&&y| y != x);
            pairs.extend(others.map(|&y| (x.max(y), x.min(y))));
        }
    }
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::join::hamming::Collapsed;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_comparing_all(
            documents in prop::collection::vec((0_u64..300, 0_u32..9), 0..60), distance in 0_u32..4,
        ) {
            let codes: Vec<u64> = documents.iter().map(|&(code, _)| code).collect();
            let group = |&(_, group): &(u64, u32)| if group == 8 { NONE } else { group };
            let group_of: Vec<u32> = documents.iter().map(group).collect();
            let mut expected = BTreeSet::new();
            for (a, x) in codes.iter().zip(&group_of) {
                for (b, y) in codes.iter().zip(&group_of) {
                    if (a ^ b).count_ones() <= distance && y < x && *x != NONE {
                        expected.insert((*x, *y));
                    }
                }
            }
            let expected: Vec<(u32, u32)> = expected.into_iter().collect();
            let collapsed = Collapsed::new(&codes);
            let near = collapsed.near(distance);
            prop_assert_eq!(similar_groups(&collapsed.groups, &near, &group_of), expected);
        }
    }
}
