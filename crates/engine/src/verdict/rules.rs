//! The limits of the relations, and the rules that use them. The limits have no other place: docs/relations.md is checked
//! against them by a test.
//!
//! `rule` has the order: equal and short texts first, then the sets of shingles ([`rule_of_sets`]), and at last how alike other
//! documents are. docs/relations.md tells each rule in words. Why they are so:
//!
//! * The limits were chosen on some labelled sets and confirmed on others (`cargo bench --bench quality -- --sets`).
//! * The rarity of the shared text distinguishes versions of a text from pages of a template. A rewritten text has
//!   little of the old one left, but that is as rare as the rest. Two pages of a template share much, and most of it is
//!   common: the text that only one of them has is far rarer. So a document that is nothing but boilerplate is not
//!   contained in each page that has the boilerplate.
//! * By chance two short texts share more of their weight than two long ones.
//! * Two versions of a page are more like each other than like the pages for other subjects. So a pair of such pages
//!   has better ones beside it. Two revisions of one page have better ones too, but these connect the two.
//! * A page keeps its title in its next version. Pages for other subjects have other titles, and share common text.
//! * Pages for other subjects have names that differ as the subjects do. A copy seldom has such a name, and the next version
//!   of a page is seldom in the same folder.
//! * The limits of the Jaccard similarity are for pages with many copies: the text that all of them share is common,
//!   and weighs little.
//!
//! Texts that were read from scans (`ShingleUnit::Ocr`) are `near` from a weighted similarity of [`SCANNED_WEIGHTED`] on,
//! whatever their Jaccard similarity is. Their wrong letters make shingles that no other document has,
//! and other titles of the same page. So they are `variant` only if each of the two is [`CLOSER_SCAN`] times as similar to
//! another one.
//!
//! Without shingle sets only signatures are known. Then a pair is `exact`, `short` (fewer than [`JUDGEABLE`] shingles, or
//! terms if no detector looks at shingles) or `near`. Terms are counted and not tokens: a word that is repeated a thousand
//! times has no more meaning than once.

use crate::detect::options::{BRIEF, Judging};
use crate::join::weighted::Weighted;
use crate::verdict::pair::Resemblance;
use crate::verdict::{PairMeasures, Relation, Rule, SameText, SetMeasures, Titles};

/// The least weighted similarity of near-duplicates, in ten-thousandths as all similarities and shares here.
pub const NEAR_WEIGHTED: u16 = 1_500;

/// The least weighted similarity of near-duplicates whose remaining shared text is rare, as in rewritten texts, and of two
/// versions of a page.
pub const REWRITTEN_WEIGHTED: u16 = 1_000;

/// The least weighted similarity of near-duplicates that were read from scans.
pub const SCANNED_WEIGHTED: u16 = 500;

/// The share of the Jaccard similarity from which on the text that two documents share is rare.
pub const RARE_SHARE: u64 = 5_000;

/// The share of the Jaccard similarity from which on the remaining shared text of a rewritten text is rare.
pub const REWRITTEN_SHARE: u64 = 9_000;

/// The fewest shingles of a rewritten text.
pub const REWRITTEN: u32 = 80;

/// The least weighted similarity of near-duplicates if one has fewer than [`BRIEF`] shingles.
pub const BRIEF_WEIGHTED: u16 = 4_000;

/// The Jaccard similarity from which two documents are near-duplicates, however common their text is. It changes no set of
/// labelled pairs. Without it, forty copies of a page with one word changed in each are variants.
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

/// The containment from which on all of a document is in another one, whatever else the two are like, and whatever their titles
/// are.
pub const CONTAINED_WHOLE: u64 = 9_900;

/// How many times as large the other document is at least.
pub const CONTAINED_LARGER: u64 = 15_000;

/// How many times as large the other document is at least if less than [`PART`] of a document is in it.
pub const PART_LARGER: u64 = 20_000;

/// The least containment in a document that is not so large. With less, readers say that it is the same page, extended.
pub const PART: u64 = 9_500;

/// How many times as similar each of two documents is to another one if they are no duplicates.
pub const CLOSER: u64 = 13_000;

/// The same of texts that were read from scans: each has other wrong letters, so that two readings of a page are less alike.
pub const CLOSER_SCAN: u64 = 20_000;

/// The share of the Jaccard similarity that the weighted similarity of near-duplicates with different titles is at least.
pub const SUBJECT_SHARE: u64 = 7_500;

/// The weighted similarity of near-duplicates with distinct titles ([`Titles::Distinct`]).
pub const DISTINCT_WEIGHTED: u16 = 8_000;

/// The Jaccard similarity from which on two pages with distinct titles in folders for two subjects have one form.
pub const ONE_FORM_JACCARD: u64 = 3_000;

/// The Jaccard similarity from which on two pages of two versions are one that has moved, whatever their titles and names are.
pub const MOVED_JACCARD: u64 = 5_000;

/// The weighted similarity from which on the names and the prose of two documents can decide their relation.
pub const SKETCHED_WEIGHTED: u16 = 500;

/// The share of the Jaccard similarity that the similarity of the prose of two documents with code is at least, if they are
/// more than related.
pub const PROSE_SHARE: u64 = 3_000;

/// The Jaccard similarity from which on two pages of one template are variants.
pub const VARIANT_JACCARD: u64 = 6_000;

/// The same if their names or titles say that they are for two subjects or releases.
pub const FAMILY_JACCARD: u64 = 4_500;

/// The fewest shingles, or terms, of a document that can be judged.
pub const JUDGEABLE: u32 = 10;

/// Returns the first rule that applies to two documents.
pub(super) fn rule(measures: &PairMeasures, judging: Judging) -> Rule {
    match (measures.same_text, measures.sets) {
        (SameText::Yes, _) => Rule::SameText,
        (SameText::Folded, _) => Rule::SameTextFolded,
        (SameText::Words, _) => Rule::TooFewWords,
        (SameText::No, Some(sets)) => {
            let rule = rule_of_sets(sets, measures.shingles, measures.into(), judging);
            match (rule.relation(), measures.closest) {
                (Relation::Near | Relation::Contains, _) if measures.are_stubs => Rule::TooFewWords,
                (Relation::Near | Relation::Contains | Relation::Variant, _) if measures.repeat => {
                    Rule::RelatedRepeated
                }
                (Relation::Near | Relation::Contains, Some(closest))
                    if !measures.titles.are_versions()
                        && !contains_whole(rule, sets.jaccard, measures.shingles)
                        && !contains_most_untitled(measures, sets)
                        && is_less_alike(sets.weighted.similarity, closest, judging.is_scanned) =>
                {
                    Rule::VariantCloser
                }
                _ => rule,
            }
        }
        (SameText::No, None) => rule_of_signatures(measures),
    }
}

/// Returns whether a document contains all of another one.
fn contains_whole(rule: Rule, jaccard: Resemblance, [a, b]: [u32; 2]) -> bool {
    rule == Rule::Contains && a.min(b) >= BRIEF && jaccard.contained_steps(a, b) >= CONTAINED_WHOLE
}

/// Returns whether most of a document is in another one, with rare text in it, and no title tells of two subjects.
fn contains_most_untitled(
    measures: &PairMeasures,
    SetMeasures { jaccard, weighted }: SetMeasures,
) -> bool {
    let [a, b] = measures.shingles;
    let has_titles = measures.titles != Titles::Missing;
    let is_much = jaccard.contained_steps(a, b) >= CONTAINED;
    !has_titles && a.min(b) >= BRIEF && is_much && weighted.similarity >= NEAR_WEIGHTED
}

/// Returns whether two documents of a weighted similarity are no duplicates, as each of them is much more like another one.
/// `closest` is [`PairMeasures::closest`]. `is_scanned` means that their texts were read from scans.
pub fn is_less_alike(similarity: u16, closest: u16, is_scanned: bool) -> bool {
    let closer = if is_scanned { CLOSER_SCAN } else { CLOSER };
    u64::from(closest) * Resemblance::STEPS >= closer * u64::from(similarity)
}

/// How alike two documents are beside their shingle sets.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// What their titles, their names and their folders tell.
    pub titles: Titles,
    /// How similar their prose is.
    pub prose: Option<u64>,
}

impl From<&PairMeasures> for Beside {
    fn from(measures: &PairMeasures) -> Self {
        Self {
            titles: measures.titles,
            prose: measures.prose,
        }
    }
}

/// Returns the first rule that applies to two documents with different texts, from the measures and sizes of their
/// shingle sets, and from how alike they are beside these.
pub fn rule_of_sets(
    sets: SetMeasures,
    sizes: [u32; 2],
    Beside { titles, prose }: Beside,
    judging: Judging,
) -> Rule {
    let SetMeasures { jaccard, weighted } = sets;
    let rule = rule_without_titles(sets, sizes, judging);
    let rule = match rule {
        Rule::Contains if titles.are_versions() => Rule::NearVersions,
        Rule::Related | Rule::Template
            if titles == Titles::Versions
                && weighted.similarity >= REWRITTEN_WEIGHTED
                && sizes[0].min(sizes[1]) >= BRIEF =>
        {
            Rule::NearVersions
        }
        rule => rule,
    };
    match rule.relation() {
        _ if judging.is_scanned => rule,
        Relation::Near | Relation::Contains | Relation::Related
            if prose.is_some_and(|prose| has_other_prose(jaccard, prose)) =>
        {
            Rule::RelatedCode
        }
        Relation::Near | Relation::Contains if titles == Titles::Releases => Rule::VariantReleases,
        Relation::Near | Relation::Contains
            if (titles == Titles::RepeatedSubjects
                || titles == Titles::Subjects && jaccard.steps() < NEAR_JACCARD)
                && !contains_whole(rule, jaccard, sizes) =>
        {
            Rule::VariantSubjects
        }
        Relation::Near | Relation::Contains
            if !contains_whole(rule, jaccard, sizes)
                && (titles.differ()
                    && !reaches_share_of_jaccard(jaccard, weighted, SUBJECT_SHARE)
                    || matches!(titles, Titles::Distinct | Titles::FolderSubjects)
                        && weighted.similarity < DISTINCT_WEIGHTED) =>
        {
            match titles {
                Titles::FolderSubjects => Rule::Related,
                _ => Rule::VariantTitles,
            }
        }
        Relation::Related if titles.tell_subjects() => Rule::RelatedSubjects,
        Relation::Template if titles.tell_subjects() && jaccard.steps() >= FAMILY_JACCARD => {
            Rule::VariantSubjects
        }
        Relation::Template if jaccard.steps() >= VARIANT_JACCARD => Rule::VariantTemplate,
        Relation::Contains if is_extended(jaccard, sizes) => {
            match is_near_by_weighted(jaccard, weighted, sizes) {
                true => Rule::NearWeighted,
                false => Rule::VariantTemplate,
            }
        }
        _ => rule,
    }
}

/// Returns whether the larger of two documents is the smaller one, extended: it is not much larger, and lacks some of that one.
fn is_extended(jaccard: Resemblance, [a, b]: [u32; 2]) -> bool {
    !is_larger(a, b, PART_LARGER) && jaccard.contained_steps(a, b) < PART
}

/// Returns whether most of a document can be a part of another one, which is larger.
pub(super) fn may_be_part(jaccard: Resemblance, [a, b]: [u32; 2]) -> bool {
    is_larger(a, b, CONTAINED_LARGER) && jaccard.contained_steps(a, b) >= CONTAINED
}

/// Returns whether the larger set is at least so many times as large as the smaller one.
fn is_larger(a: u32, b: u32, times: u64) -> bool {
    u64::from(a.max(b)) * Resemblance::STEPS >= times * u64::from(a.min(b))
}

/// Returns whether two documents of this similarity have prose that is not alike.
fn has_other_prose(jaccard: Resemblance, prose: u64) -> bool {
    prose * Resemblance::STEPS < PROSE_SHARE * jaccard.steps()
}

/// Returns whether the names and the prose of two documents can decide their relation. Equal sets are of one text.
pub fn sketches_matter(SetMeasures { jaccard, weighted }: SetMeasures) -> bool {
    weighted.similarity >= SKETCHED_WEIGHTED && jaccard.overlap < jaccard.union.get()
}

/// Returns the first rule that applies to two documents, without the rules of variants.
fn rule_without_titles(
    SetMeasures { jaccard, weighted }: SetMeasures,
    [a, b]: [u32; 2],
    judging: Judging,
) -> Rule {
    let smaller = a.min(b);
    if smaller < JUDGEABLE {
        return Rule::TooFewShingles;
    }
    let least = if smaller < judging.least_contained {
        CONTAINED_WHOLE
    } else {
        CONTAINED
    };
    if is_larger(a, b, CONTAINED_LARGER)
        && jaccard.contained_steps(a, b) >= least
        && weighted.containment >= CONTAINED_WEIGHTED
        && reaches_share_of_jaccard(jaccard, weighted, CONTAINED_SHARE)
    {
        return Rule::Contains;
    }
    if is_near_by_weighted(jaccard, weighted, [a, b]) {
        return Rule::NearWeighted;
    }
    if jaccard.steps() >= near_jaccard_limit(jaccard) {
        return Rule::NearJaccard;
    }
    if judging.is_scanned && smaller >= REWRITTEN && weighted.similarity >= SCANNED_WEIGHTED {
        return Rule::NearScanned;
    }
    if jaccard.overlap == 0 {
        Rule::RelatedBySignatures
    } else if reaches_share_of_jaccard(jaccard, weighted, RARE_SHARE) {
        Rule::Related
    } else {
        Rule::Template
    }
}

/// Returns whether the weighted similarity of two documents of these sizes is that of near-duplicates.
fn is_near_by_weighted(jaccard: Resemblance, weighted: Weighted, [a, b]: [u32; 2]) -> bool {
    near_weighted_limit(jaccard, weighted, a, b).is_some_and(|least| weighted.similarity >= least)
}

/// Returns the rule for two documents with different texts if only their signatures are known. Shingles are counted
/// only if a detector looks at them.
fn rule_of_signatures(measures: &PairMeasures) -> Rule {
    let fewest = |counts: [u32; 2]| counts[0].min(counts[1]);
    match fewest(measures.shingles) {
        0 if fewest(measures.terms) < JUDGEABLE => Rule::TooFewTerms,
        1..JUDGEABLE => Rule::TooFewShingles,
        _ => Rule::BySignatures,
    }
}

/// Returns the weighted similarity from which on two documents are near-duplicates; `None` if none is enough, as the
/// shared text is common. `a` and `b` are the sizes of the sets.
pub fn near_weighted_limit(
    jaccard: Resemblance,
    weighted: Weighted,
    a: u32,
    b: u32,
) -> Option<u16> {
    let is_low = weighted.similarity < NEAR_WEIGHTED;
    if a.min(b) < BRIEF {
        Some(BRIEF_WEIGHTED)
    } else if is_low
        && a.min(b) >= REWRITTEN
        && reaches_share_of_jaccard(jaccard, weighted, REWRITTEN_SHARE)
    {
        Some(REWRITTEN_WEIGHTED)
    } else {
        reaches_share_of_jaccard(jaccard, weighted, RARE_SHARE).then_some(NEAR_WEIGHTED)
    }
}

/// Returns the Jaccard similarity from which on two documents are near-duplicates, however common their text is.
pub fn near_jaccard_limit(jaccard: Resemblance) -> u64 {
    if jaccard.union.get() - jaccard.overlap <= FEW {
        NEAR_JACCARD_OF_FEW
    } else {
        NEAR_JACCARD
    }
}

/// Returns whether the weighted similarity is at least a share of the Jaccard similarity.
fn reaches_share_of_jaccard(jaccard: Resemblance, weighted: Weighted, share: u64) -> bool {
    u64::from(weighted.similarity) * Resemblance::STEPS >= share * jaccard.steps()
}

#[cfg(test)]
mod tests;
