//! The rules that decide the relation of two documents.
//!
//! The first rule that applies decides:
//!
//! 1. `exact`: the normalised texts are equal, but for white space.
//! 2. `short`: one of the documents has fewer than 10 shingles, too few to judge by.
//! 3. `contains`: the larger set has at least 3/2 times as many shingles as the smaller one, and has at least 0.8 of
//!    its shingles and 0.6 of its weight; and the weighted similarity is at least 0.15 of the Jaccard similarity.
//! 4. `near`: the Jaccard similarity is at least 0.96, or 0.9 if the two differ in at most 12 shingles (what two changed
//!    words make), or the weighted similarity is high enough. How high that is
//!    depends on the rest ([`near_from`]): 0.3 if a document has fewer than 30 shingles; 0.1 if both have at least 80,
//!    the larger one has at most 5/4 times as many as the smaller one, and the weighted similarity is at least 0.9 of
//!    the Jaccard similarity; 0.15 if it is at least 0.28 of it, and what they share is rare enough: a shingle that both
//!    have weighs on average at least a tenth of one that only one of them has, or they share at least 0.55 of the
//!    smaller one's weight.
//! 5. `template`: the weighted similarity is less than half of the Jaccard similarity. Then most of what they share
//!    is in many other documents too.
//! 6. `related`: all other pairs.
//!
//! The cut-offs were chosen on some labelled sets and confirmed on others (`cargo bench --bench quality -- --sets`).
//!
//! * How rare what they share is tells versions of a text from pages of a template. Of a rewritten text little is left,
//!   but that is as rare as the rest. Two pages of a template share much, and most of it is common: what each has for
//!   itself is ten times as rare. So a document that is nothing but boilerplate is not contained in each page that has
//!   the boilerplate.
//! * A rewritten text is about as long as before. Two texts of different lengths that share as little have a passage in
//!   common, and no more.
//! * By chance two short texts share more of their weight than two long ones.
//! * The cut-offs of the Jaccard similarity are for pages with many copies: what all of them share is common, and weighs little.
//!
//! Texts that were read from scans (`ShingleUnit::Ocr`) are `near` from a weighted similarity of 0.05 on, whatever their
//! Jaccard similarity is. Their wrong letters make shingles that no other document has.
//!
//! Without shingles only signatures are known. Then a pair is `exact`, `short` (fewer than 10 terms) or `near`. Terms
//! are counted and not tokens: a word that is repeated a thousand times says no more than once.

use crate::detect::{Detector, Detectors};
use crate::engine::document::Document;
use crate::engine::pair::Resemblance;
use crate::engine::pair::relation::Relation;
use crate::join::weighted::Weighted;
use crate::text::units::ShingleUnit;

/// The least weighted similarity of near-duplicates, in ten-thousandths as all cut-offs here.
pub const NEAR_WEIGHTED: u16 = 1_500;

/// The share of the Jaccard similarity that their weighted similarity is at least.
const NEAR_SHARE: u64 = 2_800;

/// How many times as much as a shingle that both have one that only one of them has weighs at most, on average.
const NEAR_OWN: u64 = 10;

/// The weighted containment from which on it may weigh more.
const NEAR_CONTAINED: u16 = 5_500;

/// The least weighted similarity of near-duplicates of which what is left is rare, as in rewritten texts.
pub const REWRITTEN_WEIGHTED: u16 = 1_000;

/// The least weighted similarity of near-duplicates that were read from scans.
pub const SCANNED_WEIGHTED: u16 = 500;

/// The share of the Jaccard similarity from which on what two documents share is rare.
const RARE_SHARE: u64 = 5_000;

/// The share of the Jaccard similarity from which on what is left of a rewritten text is rare.
const REWRITTEN_SHARE: u64 = 9_000;

/// The fewest shingles of a rewritten text.
const REWRITTEN: u32 = 80;

/// How many times as large as its original a rewritten text is at most.
const REWRITTEN_LARGER: u64 = 12_500;

/// The least weighted similarity of near-duplicates if one has fewer than [`BRIEF`] shingles.
const BRIEF_WEIGHTED: u16 = 3_000;

/// Documents with fewer shingles share much by chance.
const BRIEF: u32 = 30;

/// The Jaccard similarity from which two documents are near-duplicates, however common their text is.
pub const NEAR_JACCARD: u64 = 9_600;

/// The same of two documents that differ in at most [`FEW`] shingles.
const NEAR_JACCARD_OF_FEW: u64 = 9_000;

/// How many shingles two changed words make: three in each document for each word.
const FEW: u32 = 12;

/// The least containment of a document that is contained in another one.
pub const CONTAINED: u64 = 8_000;

/// The least weighted containment of such a document.
const CONTAINED_WEIGHTED: u16 = 6_000;

/// The share of the Jaccard similarity that the weighted similarity to such a document is at least.
const CONTAINED_SHARE: u64 = 1_500;

/// How many times as large the other document is at least.
const CONTAINED_LARGER: u64 = 15_000;

/// The fewest shingles, or terms, of a document that can be judged.
pub const JUDGEABLE: u32 = 10;

impl Relation {
    /// Returns the relation of two documents, from the detectors that run and what a unit is. `measures` are those of
    /// their shingle sets; `None` if the shingle detector is off, or neither document has shingles.
    pub(crate) fn of(
        (running, unit): (Detectors, ShingleUnit),
        a: &Document,
        b: &Document,
        measures: Option<(Resemblance, Weighted)>,
    ) -> Self {
        if a.text_hash == b.text_hash {
            return Self::Exact;
        }
        match measures.filter(|_| running.have(Detector::Shingle)) {
            Some((jaccard, weighted)) => {
                let relation = Self::of_sets(jaccard, weighted, a.shingles, b.shingles);
                let smaller = a.shingles.min(b.shingles);
                if unit == ShingleUnit::Ocr && is_scanned(relation, weighted, smaller) {
                    Self::Near
                } else {
                    relation
                }
            }
            None => Self::of_sizes(a.size(running), b.size(running)),
        }
    }

    /// Returns the relation of two documents with different texts, from the measures and sizes of their shingle sets.
    #[must_use]
    pub fn of_sets(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> Self {
        if a.min(b) < JUDGEABLE {
            Self::Short
        } else if may_contain(jaccard, weighted, a, b) && jaccard.contained_steps(a, b) >= CONTAINED
        {
            Self::Contains
        } else if is_near(jaccard, weighted, a, b) || jaccard.steps() >= near_jaccard(jaccard) {
            Self::Near
        } else if has_share(jaccard, weighted, RARE_SHARE) {
            Self::Related
        } else {
            Self::Template
        }
    }

    /// Returns the relation of two documents with different texts that were found by their signatures, from their
    /// numbers of terms or shingles.
    #[must_use]
    pub fn of_sizes(a: u32, b: u32) -> Self {
        if a.min(b) < JUDGEABLE {
            Self::Short
        } else {
            Self::Near
        }
    }
}

/// Returns whether the larger of two sets contains the smaller one if it has [`CONTAINED`] of it. `a` and `b` are the
/// sizes of the sets.
#[must_use]
pub fn may_contain(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> bool {
    times_as_large(a, b) >= CONTAINED_LARGER
        && weighted.containment >= CONTAINED_WEIGHTED
        && has_share(jaccard, weighted, CONTAINED_SHARE)
}

/// Returns the weighted similarity from which on two documents are near-duplicates; `None` if none is enough, as what
/// they share is common. `a` and `b` are the sizes of the sets.
#[must_use]
pub fn near_from(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> Option<u16> {
    if a.min(b) < BRIEF {
        Some(BRIEF_WEIGHTED)
    } else if weighted.similarity < NEAR_WEIGHTED && may_be_rewritten(jaccard, weighted, a, b) {
        Some(REWRITTEN_WEIGHTED)
    } else {
        let is_rare =
            has_share(jaccard, weighted, NEAR_SHARE) && shares_rare_text(jaccard, weighted);
        is_rare.then_some(NEAR_WEIGHTED)
    }
}

/// Returns whether what two documents share is rare enough for two versions of one text, or most of the smaller one.
fn shares_rare_text(jaccard: Resemblance, weighted: Weighted) -> bool {
    let similarity = u64::from(weighted.similarity);
    // The weight that both have to that which only one has, and the same of the numbers of shingles.
    let weights = (similarity, Resemblance::STEPS - similarity);
    let shingles = (jaccard.steps(), Resemblance::STEPS - jaccard.steps());
    weighted.containment >= NEAR_CONTAINED
        || NEAR_OWN * weights.0 * shingles.1 >= shingles.0 * weights.1
}

/// Returns the Jaccard similarity from which on two documents are near-duplicates, however common their text is.
#[must_use]
pub fn near_jaccard(jaccard: Resemblance) -> u64 {
    if jaccard.union.get() - jaccard.overlap <= FEW {
        NEAR_JACCARD_OF_FEW
    } else {
        NEAR_JACCARD
    }
}

/// Returns whether one of two documents can be the other one in other words.
fn may_be_rewritten(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> bool {
    a.min(b) >= REWRITTEN
        && times_as_large(a, b) <= REWRITTEN_LARGER
        && has_share(jaccard, weighted, REWRITTEN_SHARE)
}

/// Returns whether two documents are near-duplicates by their weighted similarity.
pub(crate) fn is_near(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> bool {
    near_from(jaccard, weighted, a, b).is_some_and(|least| weighted.similarity >= least)
}

/// Returns whether two documents that other rules do not call near-duplicates are so if they were read from scans.
fn is_scanned(relation: Relation, weighted: Weighted, smaller: u32) -> bool {
    matches!(relation, Relation::Related | Relation::Template)
        && smaller >= REWRITTEN
        && weighted.similarity >= SCANNED_WEIGHTED
}

/// Returns how many times as large as the smaller set the larger one is, in ten-thousandths and rounded down.
fn times_as_large(a: u32, b: u32) -> u64 {
    u64::from(a.max(b)) * Resemblance::STEPS / u64::from(a.min(b).max(1))
}

/// Returns whether the weighted similarity is at least a share of the Jaccard similarity.
fn has_share(jaccard: Resemblance, weighted: Weighted, share: u64) -> bool {
    u64::from(weighted.similarity) * Resemblance::STEPS >= share * jaccard.steps()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(overlap: u32, (a, b): (u32, u32), weighted: (u16, u16)) -> Relation {
        let jaccard = Resemblance::new(overlap, a + b - overlap).unwrap();
        let weighted = Weighted {
            similarity: weighted.0,
            containment: weighted.1,
        };
        assert_eq!(
            Relation::of_sets(jaccard, weighted, a, b),
            Relation::of_sets(jaccard, weighted, b, a)
        );
        Relation::of_sets(jaccard, weighted, a, b)
    }

    #[test]
    fn table_of_rules() {
        use Relation::{Contains, Near, Related, Short, Template};
        for (overlap, sizes, weighted, expected) in [
            (9, (9, 9), (10_000, 10_000), Short),
            (9, (9, 900), (100, 10_000), Short),
            (10, (10, 10), (10_000, 10_000), Near),
            (100, (100, 100), (5, 5), Near),
            (96, (100, 96), (5, 5), Near),
            (191, (200, 191), (5, 5), Near),
            (287, (300, 300), (5, 5), Template),
            (114, (120, 120), (5, 5), Near),
            (117, (123, 124), (5, 5), Template),
            (89, (99, 89), (5, 5), Template),
            // Most of what they share is common.
            (80, (100, 100), (1_867, 3_000), Near),
            (80, (100, 100), (1_866, 3_000), Template),
            // What they share is a tenth as rare as the rest at a Jaccard similarity of 0.8 and a weighted one of 2/7.
            (80, (90, 90), (2_858, 5_499), Near),
            (80, (90, 90), (2_856, 5_499), Template),
            (80, (90, 90), (2_240, 5_499), Template),
            (80, (90, 90), (2_240, 5_500), Near),
            (80, (90, 90), (2_239, 5_500), Template),
            (40, (100, 100), (1_500, 3_000), Near),
            (40, (100, 100), (1_250, 3_000), Related),
            (40, (100, 100), (1_249, 3_000), Template),
            (40, (100, 79), (1_499, 3_000), Related),
            (40, (100, 79), (1_500, 3_000), Near),
            // Rewritten texts.
            (20, (100, 100), (1_000, 3_000), Near),
            (20, (100, 100), (999, 3_000), Related),
            (28, (100, 100), (1_465, 3_000), Near),
            (28, (100, 100), (1_464, 3_000), Related),
            (20, (80, 100), (1_125, 3_000), Near),
            (20, (80, 101), (1_125, 3_000), Related),
            (20, (79, 98), (1_125, 3_000), Related),
            // Brief texts.
            (12, (29, 29), (2_999, 5_000), Related),
            (12, (29, 29), (3_000, 5_000), Near),
            (12, (30, 30), (2_999, 5_000), Near),
            (80, (100, 150), (4_700, 6_000), Contains),
            (80, (100, 149), (4_700, 6_000), Near),
            (79, (100, 150), (4_700, 6_000), Near),
            (80, (100, 150), (4_700, 5_999), Near),
            (100, (100, 10_000), (50, 6_000), Contains),
            // All of it is shared, and it is boilerplate.
            (100, (100, 10_000), (15, 10_000), Contains),
            (100, (100, 10_000), (14, 10_000), Template),
            (100, (100, 10_000), (50, 4_000), Related),
            (100, (100, 10_000), (49, 4_000), Template),
        ] {
            assert_eq!(
                relation(overlap, sizes, weighted),
                expected,
                "{overlap} {sizes:?} {weighted:?}"
            );
        }
    }

    #[test]
    fn scanned_texts_are_near_from_a_lower_similarity() {
        let weighted = |similarity| Weighted {
            similarity,
            containment: 1_000,
        };
        for (relation, similarity, smaller, expected) in [
            (Relation::Template, 500, 80, true),
            (Relation::Related, 500, 80, true),
            (Relation::Template, 499, 80, false),
            (Relation::Template, 500, 79, false),
            (Relation::Contains, 500, 80, false),
        ] {
            assert_eq!(
                is_scanned(relation, weighted(similarity), smaller),
                expected
            );
        }
    }
}
