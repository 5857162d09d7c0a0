//! The limits of the relations, and the rules that use them. The limits have no other place: docs/relations.md is checked
//! against them by a test.
//!
//! The first rule that applies decides:
//!
//! 1. `exact`: the normalised texts are equal, but for white space.
//! 2. `short`: one of the documents has fewer than [`JUDGEABLE`] shingles, too few to judge by.
//! 3. `contains`: the larger set has at least [`CONTAINED_LARGER`] times as many shingles as the smaller one, and has at
//!    least [`CONTAINED`] of its shingles and [`CONTAINED_WEIGHTED`] of its weight; and the weighted similarity is at
//!    least [`CONTAINED_SHARE`] of the Jaccard similarity.
//! 4. `near`: the Jaccard similarity is at least [`NEAR_JACCARD`], or [`NEAR_JACCARD_OF_FEW`] if the two differ in at most
//!    [`FEW`] shingles, or the weighted similarity is high enough ([`near_from`]): [`BRIEF_WEIGHTED`] if a document has
//!    fewer than [`BRIEF`] shingles; [`REWRITTEN_WEIGHTED`] if both have at least [`REWRITTEN`], the larger one has at most
//!    [`REWRITTEN_LARGER`] times as many as the smaller one, and the weighted similarity is at least [`REWRITTEN_SHARE`] of
//!    the Jaccard similarity; [`NEAR_WEIGHTED`] if it is at least [`NEAR_SHARE`] of it, and what they share is rare
//!    enough: a shingle that only one of them has weighs on average at most [`NEAR_OWN`] times as much as a shingle that
//!    both have, or they share at least [`NEAR_CONTAINED`] of the smaller one's weight.
//! 5. `template`: the weighted similarity is less than [`RARE_SHARE`] of the Jaccard similarity. Then most of what they
//!    share is in many other documents too.
//! 6. `related`: all other pairs.
//!
//! Some of these pairs are `variant`: the same page for another subject.
//!
//! * `near` and `contains`, if each of the two documents is [`CLOSER`] times as similar to another one, and no other
//!   duplicates connect the two ([`PairMeasures::closest`]).
//! * `near`, if the titles differ, and the weighted similarity is less than [`SUBJECT_SHARE`] of the Jaccard similarity.
//! * `template`, if the Jaccard similarity is at least [`VARIANT_JACCARD`].
//!
//! The limits were chosen on some labelled sets and confirmed on others (`cargo bench --bench quality -- --sets`).
//!
//! * How rare what they share is tells versions of a text from pages of a template. Of a rewritten text little is left,
//!   but that is as rare as the rest. Two pages of a template share much, and most of it is common: what each has for
//!   itself is far rarer. So a document that is nothing but boilerplate is not contained in each page that has
//!   the boilerplate.
//! * A rewritten text is about as long as before. Two texts of different lengths that share as little have a passage in
//!   common, and no more.
//! * By chance two short texts share more of their weight than two long ones.
//! * Two versions of a page are more like each other than like the pages for other subjects. So a pair of such pages has
//!   better ones beside it. Two revisions of one page have too, but these connect them.
//! * A page keeps its title in its next version. Pages for other subjects have other titles, and share common text.
//! * The limits of the Jaccard similarity are for pages with many copies: what all of them share is common, and weighs
//!   little.
//!
//! Texts that were read from scans (`ShingleUnit::Ocr`) are `near` from a weighted similarity of [`SCANNED_WEIGHTED`] on,
//! whatever their Jaccard similarity is. Their wrong letters make shingles that no other document has,
//! and other titles of the same page. So none of them is `variant`.
//!
//! Without shingle sets only signatures are known. Then a pair is `exact`, `short` (fewer than [`JUDGEABLE`] shingles, or
//! terms if no detector looks at shingles) or `near`. Terms are counted and not tokens: a word that is repeated a thousand
//! times has no more meaning than once.

use crate::join::weighted::Weighted;
use crate::verdict::pair::Resemblance;
use crate::verdict::{PairMeasures, Relation, SameText, SetMeasures, Titles};

/// The least weighted similarity of near-duplicates, in ten-thousandths as all similarities and shares here.
pub const NEAR_WEIGHTED: u16 = 1_500;

/// The share of the Jaccard similarity that their weighted similarity is at least.
pub const NEAR_SHARE: u64 = 2_800;

/// How many times as much as a shingle that both have weighs, on average, a shingle that only one of them has at most.
pub const NEAR_OWN: u64 = 10;

/// The weighted containment from which on it may weigh more.
pub const NEAR_CONTAINED: u16 = 5_500;

/// The least weighted similarity of near-duplicates whose remaining shared text is rare, as in rewritten texts.
pub const REWRITTEN_WEIGHTED: u16 = 1_000;

/// The least weighted similarity of near-duplicates that were read from scans.
pub const SCANNED_WEIGHTED: u16 = 500;

/// The share of the Jaccard similarity from which on the text that two documents share is rare.
pub const RARE_SHARE: u64 = 5_000;

/// The share of the Jaccard similarity from which on the remaining shared text of a rewritten text is rare.
pub const REWRITTEN_SHARE: u64 = 9_000;

/// The fewest shingles of a rewritten text.
pub const REWRITTEN: u32 = 80;

/// How many times as large as its original a rewritten text is at most.
pub const REWRITTEN_LARGER: u64 = 12_500;

/// The least weighted similarity of near-duplicates if one has fewer than [`BRIEF`] shingles.
pub const BRIEF_WEIGHTED: u16 = 3_000;

/// Documents with fewer shingles share much by chance.
pub const BRIEF: u32 = 30;

/// The Jaccard similarity from which two documents are near-duplicates, however common their text is.
pub const NEAR_JACCARD: u64 = 9_600;

/// The same of two documents that differ in at most [`FEW`] shingles.
pub const NEAR_JACCARD_OF_FEW: u64 = 9_000;

/// How many shingles two changed words make: three in each document for each word.
pub const FEW: u32 = 12;

/// The least containment of a document that is contained in another one.
pub const CONTAINED: u64 = 8_000;

/// The least weighted containment of such a document.
pub const CONTAINED_WEIGHTED: u16 = 6_000;

/// The share of the Jaccard similarity that the weighted similarity to such a document is at least.
pub const CONTAINED_SHARE: u64 = 1_500;

/// How many times as large the other document is at least.
pub const CONTAINED_LARGER: u64 = 15_000;

/// How many times as similar each of two documents is to another one if they are no duplicates.
pub const CLOSER: u64 = 13_000;

/// The share of the Jaccard similarity that the weighted similarity of near-duplicates with different titles is at least.
pub const SUBJECT_SHARE: u64 = 7_500;

/// The Jaccard similarity from which on two pages of one template are variants.
pub const VARIANT_JACCARD: u64 = 6_000;

/// The fewest shingles, or terms, of a document that can be judged.
pub const JUDGEABLE: u32 = 10;

/// A rule that decided a relation. Limits are in ten-thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The texts are the same.
    SameText,
    /// The texts are the same once Traditional characters are folded.
    SameTextFolded,
    /// A document has fewer than [`JUDGEABLE`] shingles.
    TooFewShingles,
    /// A document has fewer than [`JUDGEABLE`] terms, and no detector looks at shingles.
    TooFewTerms,
    /// The larger document contains the smaller one.
    Contains,
    /// The weighted similarity is high enough.
    NearWeighted {
        /// The least weighted similarity of near-duplicates like these.
        least: u64,
    },
    /// The Jaccard similarity is high enough.
    NearJaccard {
        /// The least Jaccard similarity of near-duplicates like these.
        least: u64,
    },
    /// The texts were read from scans, and their weighted similarity is at least [`SCANNED_WEIGHTED`].
    NearScanned,
    /// Without shingle sets, the signatures alone make near-duplicates.
    BySignatures,
    /// Each of the documents is [`CLOSER`] times as similar to another one.
    VariantCloser,
    /// The titles of the documents differ, and so does rare text.
    VariantTitles,
    /// The documents share common text, and it is most of what they have.
    VariantTemplate,
    /// The documents share little text, and it is rare.
    Related {
        /// The least weighted similarity of near-duplicates like these; 0 if none is enough.
        least: u64,
    },
    /// The documents share no shingle: only their signatures are similar.
    RelatedBySignatures,
    /// What the documents share is common.
    Template,
}

impl Rule {
    /// Returns the relation that the rule gives.
    #[must_use]
    pub fn relation(self) -> Relation {
        match self {
            Self::SameText | Self::SameTextFolded => Relation::Exact,
            Self::TooFewShingles | Self::TooFewTerms => Relation::Short,
            Self::Contains => Relation::Contains,
            Self::NearWeighted { .. }
            | Self::NearJaccard { .. }
            | Self::NearScanned
            | Self::BySignatures => Relation::Near,
            Self::VariantCloser | Self::VariantTitles | Self::VariantTemplate => Relation::Variant,
            Self::Related { .. } | Self::RelatedBySignatures => Relation::Related,
            Self::Template => Relation::Template,
        }
    }
}

/// Returns the first rule that applies to two documents. `is_scanned` means that their texts were read from scans.
pub(super) fn rule(measures: &PairMeasures, is_scanned: bool) -> Rule {
    match (measures.same_text, measures.sets) {
        (SameText::Yes, _) => Rule::SameText,
        (SameText::Folded, _) => Rule::SameTextFolded,
        (SameText::No, Some(sets)) => {
            let rule = rule_of_sets(sets, measures.shingles, measures.titles, is_scanned);
            match (rule.relation(), measures.closest) {
                (Relation::Near | Relation::Contains, Some(closest))
                    if !is_scanned && is_less_alike(sets.1.similarity, closest) =>
                {
                    Rule::VariantCloser
                }
                _ => rule,
            }
        }
        (SameText::No, None) => rule_of_signatures(measures),
    }
}

/// Returns whether two documents of a weighted similarity are no duplicates, as each of them is much more like another one.
/// `closest` is [`PairMeasures::closest`].
#[must_use]
pub fn is_less_alike(similarity: u16, closest: u16) -> bool {
    u64::from(closest) * Resemblance::STEPS >= CLOSER * u64::from(similarity)
}

/// Returns the first rule that applies to two documents with different texts, from the measures and sizes of their shingle
/// sets and from their titles.
#[must_use]
pub fn rule_of_sets(sets: SetMeasures, sizes: [u32; 2], titles: Titles, is_scanned: bool) -> Rule {
    let (jaccard, weighted) = sets;
    let rule = rule_without_titles(sets, sizes, is_scanned);
    match rule.relation() {
        _ if is_scanned => rule,
        Relation::Near
            if titles == Titles::Differ && !has_share(jaccard, weighted, SUBJECT_SHARE) =>
        {
            Rule::VariantTitles
        }
        Relation::Template if jaccard.steps() >= VARIANT_JACCARD => Rule::VariantTemplate,
        _ => rule,
    }
}

/// Returns the first rule that applies to two documents, without the rules of variants.
fn rule_without_titles(
    (jaccard, weighted): SetMeasures,
    [a, b]: [u32; 2],
    is_scanned: bool,
) -> Rule {
    let smaller = a.min(b);
    if smaller < JUDGEABLE {
        return Rule::TooFewShingles;
    }
    if may_contain(jaccard, weighted, a, b) && jaccard.contained_steps(a, b) >= CONTAINED {
        return Rule::Contains;
    }
    let least = near_from(jaccard, weighted, a, b).map(u64::from);
    if let Some(least) = least
        && u64::from(weighted.similarity) >= least
    {
        return Rule::NearWeighted { least };
    }
    if jaccard.steps() >= near_jaccard(jaccard) {
        let least = near_jaccard(jaccard);
        return Rule::NearJaccard { least };
    }
    if is_scanned && smaller >= REWRITTEN && weighted.similarity >= SCANNED_WEIGHTED {
        return Rule::NearScanned;
    }
    if jaccard.overlap == 0 {
        Rule::RelatedBySignatures
    } else if has_share(jaccard, weighted, RARE_SHARE) {
        let least = least.unwrap_or_default();
        Rule::Related { least }
    } else {
        Rule::Template
    }
}

/// Returns the rule for two documents with different texts of which only the signatures are known. Shingles are counted
/// only if a detector looks at them.
fn rule_of_signatures(measures: &PairMeasures) -> Rule {
    let fewest = |counts: [u32; 2]| counts[0].min(counts[1]);
    match fewest(measures.shingles) {
        0 if fewest(measures.terms) < JUDGEABLE => Rule::TooFewTerms,
        1..JUDGEABLE => Rule::TooFewShingles,
        _ => Rule::BySignatures,
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
    use crate::verdict::SignatureMeasures;

    fn relation(overlap: u32, (a, b): (u32, u32), weighted: (u16, u16)) -> Relation {
        let jaccard = Resemblance::new(overlap, a + b - overlap).unwrap();
        let weighted = Weighted {
            similarity: weighted.0,
            containment: weighted.1,
        };
        let rule = rule_without_titles((jaccard, weighted), [a, b], false);
        assert_eq!(
            rule,
            rule_without_titles((jaccard, weighted), [b, a], false)
        );
        rule.relation()
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
        let rule = |overlap, similarity, size, is_scanned| {
            let jaccard = Resemblance::new(overlap, 2 * size - overlap).unwrap();
            let weighted = Weighted {
                similarity,
                containment: 1_000,
            };
            rule_without_titles((jaccard, weighted), [size; 2], is_scanned)
        };
        for (overlap, similarity, size, expected) in [
            (10, 500, 80, Rule::NearScanned),
            (60, 500, 80, Rule::NearScanned),
            (0, 500, 80, Rule::NearScanned),
            (10, 499, 80, Rule::Related { least: 1_500 }),
            (10, 500, 79, Rule::Related { least: 1_500 }),
            (60, 499, 80, Rule::Template),
        ] {
            assert_eq!(rule(overlap, similarity, size, true), expected);
            assert_ne!(rule(overlap, similarity, size, false), Rule::NearScanned);
        }
        let least = NEAR_WEIGHTED.into();
        assert_eq!(rule(60, 7_000, 80, true), Rule::NearWeighted { least });
    }

    #[test]
    fn rules_name_their_limits() {
        let rule = |overlap, sizes: [u32; 2], similarity| {
            let jaccard = Resemblance::new(overlap, sizes[0] + sizes[1] - overlap).unwrap();
            let weighted = Weighted {
                similarity,
                containment: 5_500,
            };
            rule_without_titles((jaccard, weighted), sizes, false)
        };
        for (overlap, sizes, similarity, expected) in [
            (12, [29, 29], 3_000, Rule::NearWeighted { least: 3_000 }),
            (12, [29, 29], 2_999, Rule::Related { least: 3_000 }),
            (20, [100, 100], 1_000, Rule::NearWeighted { least: 1_000 }),
            (15, [100, 100], 800, Rule::Related { least: 1_000 }),
            (40, [100, 100], 1_500, Rule::NearWeighted { least: 1_500 }),
            (98, [100, 98], 5, Rule::NearJaccard { least: 9_000 }),
            (990, [1_000, 1_000], 5, Rule::NearJaccard { least: 9_600 }),
            (0, [100, 100], 0, Rule::RelatedBySignatures),
        ] {
            assert_eq!(
                rule(overlap, sizes, similarity),
                expected,
                "{overlap} {sizes:?}"
            );
        }
    }

    #[test]
    fn pages_for_other_subjects_are_variants() {
        use Titles::{Differ, Equal, Missing};
        // The shared shingles of two sets of 100, the weighted similarity, the titles, and the closest of both.
        for (overlap, similarity, titles, closest, expected) in [
            (60, 3_214, Differ, None, Relation::Near),
            (60, 3_213, Differ, None, Relation::Variant),
            (60, 1_500, Equal, None, Relation::Near),
            (60, 1_500, Missing, None, Relation::Near),
            (60, 5_000, Equal, Some(6_499), Relation::Near),
            (60, 5_000, Equal, Some(6_500), Relation::Variant),
            // Common text is a variant if it is most of what they have.
            (75, 10, Equal, None, Relation::Variant),
            (74, 10, Equal, None, Relation::Template),
            (40, 1_300, Differ, Some(10_000), Relation::Related),
        ] {
            let measures = PairMeasures {
                same_text: SameText::No,
                shingles: [100, 100],
                terms: [0, 0],
                sets: Some((
                    Resemblance::new(overlap, 200 - overlap).unwrap(),
                    Weighted {
                        similarity,
                        containment: 5_500,
                    },
                )),
                signatures: SignatureMeasures::default(),
                titles,
                closest,
            };
            let found = rule(&measures, false).relation();
            assert_eq!(found, expected, "{overlap} {similarity} {titles:?}");
            let scanned = rule(&measures, true).relation();
            assert_ne!(scanned, Relation::Variant);
        }
    }

    #[test]
    fn a_page_within_a_page_keeps_its_title() {
        let measures = |titles, closest| PairMeasures {
            same_text: SameText::No,
            shingles: [100, 150],
            terms: [0, 0],
            sets: Some((
                Resemblance::new(80, 170).unwrap(),
                Weighted {
                    similarity: 2_000,
                    containment: 6_000,
                },
            )),
            signatures: SignatureMeasures::default(),
            titles,
            closest,
        };
        let relation = |titles, closest| rule(&measures(titles, closest), false).relation();
        assert_eq!(relation(Titles::Differ, None), Relation::Contains);
        assert_eq!(relation(Titles::Equal, Some(2_600)), Relation::Variant);
    }

    #[test]
    fn signatures_are_judged_by_shingles_or_else_by_terms() {
        let rule = |shingles, terms| {
            let measures = PairMeasures {
                same_text: SameText::No,
                shingles,
                terms,
                sets: None,
                signatures: SignatureMeasures::default(),
                titles: Titles::Missing,
                closest: None,
            };
            rule(&measures, false)
        };
        assert_eq!(rule([10, 10], [0, 0]), Rule::BySignatures);
        assert_eq!(rule([10, 9], [99, 99]), Rule::TooFewShingles);
        assert_eq!(rule([0, 0], [10, 10]), Rule::BySignatures);
        assert_eq!(rule([0, 0], [10, 9]), Rule::TooFewTerms);
    }
}
