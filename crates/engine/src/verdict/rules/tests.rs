use super::*;
use crate::detect::SignatureMeasures;

/// As most runs judge.
const USUAL: Judging = Judging {
    is_scanned: false,
    least_contained: BRIEF,
};

fn relation(overlap: u32, (a, b): (u32, u32), weighted: (u16, u16)) -> Relation {
    let sets = shared(overlap, a + b - overlap, weighted.0, weighted.1).unwrap();
    let rule = rule_without_titles(sets, [a, b], USUAL);
    let expected = rule_without_titles(sets, [b, a], USUAL);
    assert_eq!(rule, expected);
    rule.relation()
}

/// What two documents share, with shares of weight.
fn shared(overlap: u32, union: u32, similarity: u16, containment: u16) -> Option<SetMeasures> {
    let weighted = Weighted {
        similarity,
        containment,
    };
    SetMeasures::new(overlap, union, weighted)
}

/// Two documents of so many shingles.
fn measured(shingles: [u32; 2], sets: Option<SetMeasures>, titles: Titles) -> PairMeasures {
    PairMeasures {
        repeat: false,
        are_stubs: false,
        same_text: SameText::No,
        shingles,
        terms: [0, 0],
        sets,
        signatures: SignatureMeasures::default(),
        titles,
        prose: None,
        closest: None,
    }
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
        // Borders of the Jaccard similarity: 0.96, and 0.9 of two that differ in at most 12 shingles.
        (960, (1_000, 960), (5, 5), Near),
        (9_599, (9_600, 9_999), (5, 5), Template),
        (108, (114, 114), (5, 5), Near),
        (107, (113, 113), (5, 5), Template),
        (114, (120, 120), (5, 5), Near),
        (117, (123, 124), (5, 5), Template),
        (89, (99, 89), (5, 5), Template),
        // Most of the shared text is common.
        (80, (100, 100), (3_333, 5_000), Near),
        (80, (100, 100), (3_332, 5_000), Template),
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
        (20, (79, 98), (1_125, 3_000), Related),
        // Brief texts.
        (12, (29, 29), (3_999, 5_000), Related),
        (12, (29, 29), (4_000, 5_000), Near),
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
        let found = relation(overlap, sizes, weighted);
        assert_eq!(found, expected, "{overlap} {sizes:?} {weighted:?}");
    }
}

#[test]
fn a_page_that_was_extended_does_not_contain_the_other_one() {
    for (overlap, larger, similarity, expected) in [
        (80, 200, 600, Rule::Contains),
        (95, 150, 1_000, Rule::Contains),
        (94, 199, 2_300, Rule::NearWeighted),
        (94, 199, 1_000, Rule::VariantTemplate),
        (94, 150, 4_700, Rule::NearWeighted),
    ] {
        let sets = shared(overlap, 100 + larger - overlap, similarity, 6_000);
        let found = rule(&measured([100, larger], sets, Titles::Missing), USUAL);
        assert_eq!(found, expected, "{overlap} {larger} {similarity}");
    }
}

#[test]
fn scanned_texts_are_near_from_a_lower_similarity() {
    let rule = |overlap, similarity, size, is_scanned| {
        let judging = Judging {
            is_scanned,
            ..USUAL
        };
        let sets = shared(overlap, 2 * size - overlap, similarity, 1_000);
        rule_without_titles(sets.unwrap(), [size; 2], judging)
    };
    for (overlap, similarity, size, expected) in [
        (10, 500, 80, Rule::NearScanned),
        (60, 500, 80, Rule::NearScanned),
        (0, 500, 80, Rule::NearScanned),
        (10, 499, 80, Rule::Related),
        (10, 500, 79, Rule::Related),
        (60, 499, 80, Rule::Template),
    ] {
        assert_eq!(rule(overlap, similarity, size, true), expected);
        assert_ne!(rule(overlap, similarity, size, false), Rule::NearScanned);
    }
    assert_eq!(rule(60, 7_000, 80, true), Rule::NearWeighted);
}

#[test]
fn pages_for_other_subjects_are_variants() {
    use Titles::{Differ, Distinct, Equal, Missing, Releases, Subjects, Versions};
    // The shared shingles of two sets of 100, the weighted similarity, the titles, and the closest of both.
    for (overlap, similarity, titles, closest, expected) in [
        (60, 3_214, Differ, None, Relation::Near),
        (60, 3_213, Differ, None, Relation::Variant),
        (60, 1_000, Versions, None, Relation::Near),
        (60, 999, Versions, None, Relation::Template),
        (97, 7_999, Differ, None, Relation::Near),
        (97, 7_999, Distinct, None, Relation::Variant),
        (97, 8_000, Distinct, None, Relation::Near),
        (60, 2_143, Equal, None, Relation::Near),
        (60, 2_142, Equal, None, Relation::Template),
        (97, 9_900, Subjects, None, Relation::Variant),
        (97, 9_900, Differ, None, Relation::Near),
        (98, 9_900, Subjects, None, Relation::Near),
        (99, 9_900, Releases, None, Relation::Variant),
        (40, 1_300, Releases, None, Relation::Related),
        (60, 2_143, Missing, None, Relation::Near),
        (60, 5_000, Equal, Some(6_499), Relation::Near),
        (60, 5_000, Equal, Some(6_500), Relation::Variant),
        // Common text is a variant if it is most of what they have.
        (75, 10, Equal, None, Relation::Variant),
        (74, 10, Equal, None, Relation::Template),
        (40, 1_300, Differ, Some(10_000), Relation::Related),
    ] {
        let sets = shared(overlap, 200 - overlap, similarity, 5_500);
        let measures = PairMeasures {
            closest,
            ..measured([100, 100], sets, titles)
        };
        let found = rule(&measures, USUAL).relation();
        assert_eq!(found, expected, "{overlap} {similarity} {titles:?}");
        let judging = Judging {
            is_scanned: true,
            ..USUAL
        };
        let scanned = rule(&measures, judging).relation();
        let is_less_alike = closest.is_some_and(|closest| closest >= 2 * similarity);
        assert_eq!(scanned == Relation::Variant, is_less_alike);
    }
}

#[test]
fn pages_that_differ_in_little_more_than_a_name_are_near() {
    for (overlap, titles, expected) in [
        (9_600, Titles::Subjects, Rule::NearWeighted),
        (9_599, Titles::Subjects, Rule::VariantSubjects),
        (9_599, Titles::Equal, Rule::NearWeighted),
        (9_600, Titles::Releases, Rule::VariantReleases),
    ] {
        let sets = shared(overlap, 10_000, 9_900, 9_900);
        let found = rule(&measured([10_000, overlap], sets, titles), USUAL);
        assert_eq!(found, expected, "{overlap} {titles:?}");
    }
}

#[test]
fn a_page_within_a_page_is_whole_or_has_its_title() {
    let measures = |titles, closest| PairMeasures {
        closest,
        ..measured([100, 200], shared(80, 220, 2_000, 6_000), titles)
    };
    let relation = |titles, closest| rule(&measures(titles, closest), USUAL).relation();
    assert_eq!(relation(Titles::Equal, None), Relation::Contains);
    assert_eq!(relation(Titles::Differ, None), Relation::Variant);
    assert_eq!(relation(Titles::Subjects, None), Relation::Variant);
    assert_eq!(relation(Titles::Equal, Some(2_600)), Relation::Variant);
    // 80 of 100 are in the other one, and no title tells of two subjects.
    assert_eq!(relation(Titles::Missing, Some(2_600)), Relation::Contains);
    let whole = |overlap, titles| PairMeasures {
        sets: shared(overlap, 300 - overlap, 2_000, 10_000),
        ..measures(titles, Some(10_000))
    };
    assert_eq!(rule(&whole(99, Titles::Equal), USUAL), Rule::Contains);
    assert_eq!(rule(&whole(99, Titles::Differ), USUAL), Rule::Contains);
    let versions = whole(99, Titles::Versions);
    assert_eq!(rule(&versions, USUAL), Rule::NearVersions);
    assert_eq!(rule(&whole(98, Titles::Equal), USUAL), Rule::VariantCloser);
}

#[test]
fn each_relation_has_a_rule() {
    for relation in Relation::ALL {
        assert_eq!(Rule::of(relation).relation(), relation);
    }
}

#[test]
fn documents_that_share_code_alone_are_related() {
    let rule = |overlap, similarity, titles, prose| {
        let sets = shared(overlap, 200 - overlap, similarity, 5_500);
        let beside = Beside { titles, prose };
        rule_of_sets(sets.unwrap(), [100; 2], beside, USUAL)
    };
    let near = Rule::NearWeighted;
    for (overlap, similarity, titles, prose, expected) in [
        (50, 3_000, Titles::Equal, Some(1_000), near),
        (50, 3_000, Titles::Equal, Some(999), Rule::RelatedCode),
        (50, 3_000, Titles::Subjects, Some(0), Rule::RelatedCode),
        (50, 1_667, Titles::Differ, Some(0), Rule::RelatedCode),
        (50, 3_000, Titles::Equal, None, near),
        (50, 1_000, Titles::Equal, Some(0), Rule::Template),
        (50, 1_000, Titles::Versions, Some(0), Rule::RelatedCode),
        (19, 1_000, Titles::Equal, Some(314), Rule::RelatedCode),
        (19, 1_000, Titles::Equal, Some(315), near),
    ] {
        let found = rule(overlap, similarity, titles, prose);
        assert_eq!(
            found, expected,
            "{overlap} {similarity} {titles:?} {prose:?}"
        );
    }
}

#[test]
fn pages_of_a_family_that_share_much_of_a_form_are_variants() {
    for (overlap, titles, expected) in [
        (63, Titles::Subjects, Rule::VariantSubjects),
        (62, Titles::Subjects, Rule::Template),
        (63, Titles::Equal, Rule::Template),
    ] {
        let sets = shared(overlap, 200 - overlap, 1_000, 5_500);
        let found = rule(&measured([100; 2], sets, titles), USUAL);
        assert_eq!(found, expected, "{overlap} {titles:?}");
    }
}

#[test]
fn signatures_are_judged_by_shingles_or_else_by_terms() {
    let rule = |shingles, terms| {
        let measures = PairMeasures {
            terms,
            ..measured(shingles, None, Titles::Missing)
        };
        rule(&measures, USUAL)
    };
    assert_eq!(rule([10, 10], [0, 0]), Rule::BySignatures);
    assert_eq!(rule([10, 9], [99, 99]), Rule::TooFewShingles);
    assert_eq!(rule([0, 0], [10, 10]), Rule::BySignatures);
    assert_eq!(rule([0, 0], [10, 9]), Rule::TooFewTerms);
}
