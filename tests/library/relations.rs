//! The limits in docs/relations.md are those of the rules.

use std::fs;

use dupfind_engine::verdict::rules::{
    BRIEF, BRIEF_WEIGHTED, CLOSER, CONTAINED, CONTAINED_LARGER, CONTAINED_SHARE,
    CONTAINED_WEIGHTED, FEW, JUDGEABLE, LETTERS, LETTERS_SHARE, NEAR_CONTAINED, NEAR_JACCARD,
    NEAR_JACCARD_OF_FEW, NEAR_OWN, NEAR_SHARE, NEAR_WEIGHTED, PROSE_SHARE, RARE_SHARE, REWRITTEN,
    REWRITTEN_LARGER, REWRITTEN_SHARE, REWRITTEN_WEIGHTED, SCANNED_WEIGHTED, SUBJECT_SHARE,
    VARIANT_JACCARD,
};

/// Returns ten-thousandths as a number.
fn number(steps: impl Into<u64>) -> String {
    let steps: u64 = steps.into();
    let digits = format!("{}.{:04}", steps / 10_000, steps % 10_000);
    digits.trim_end_matches('0').trim_end_matches('.').into()
}

/// Returns ten-thousandths as a fraction with the smallest denominator.
fn fraction(steps: u64) -> String {
    let mut denominators = 1..=10_000;
    let denominator = denominators.find(|n| (steps * n).is_multiple_of(10_000));
    let denominator = denominator.unwrap();
    format!("{}/{denominator}", steps * denominator / 10_000)
}

#[test]
fn the_documentation_has_the_limits_of_the_rules() {
    assert_eq!(RARE_SHARE, 5_000, "the documentation has it in words: half");
    assert_eq!(NEAR_OWN, 10, "the documentation has it in words: a tenth");
    let page = fs::read_to_string("docs/relations.md").unwrap();
    let page = page.replace('\n', " ");
    for expected in [
        format!("| one of the two has fewer than {JUDGEABLE} shingles |"),
        format!(
            "| the larger one has at least {} times as many shingles; {} of the smaller one's shingles are in it, and {} \
             of their weight; `weighted` is at least {} of `jaccard` |",
            fraction(CONTAINED_LARGER),
            number(CONTAINED),
            number(CONTAINED_WEIGHTED),
            number(CONTAINED_SHARE)
        ),
        format!(
            "| `jaccard` >= {}, or >= {} and the two differ in at most {FEW} shingles (",
            number(NEAR_JACCARD),
            number(NEAR_JACCARD_OF_FEW)
        ),
        "| `weighted` is less than half of `jaccard` |".into(),
        format!(
            "| one has fewer than {BRIEF} shingles | {} |",
            number(BRIEF_WEIGHTED)
        ),
        format!(
            "| both have {REWRITTEN} shingles or more, one has at most {} times as many as the other, and `weighted` is at \
             least {} of `jaccard` | {} |",
            fraction(REWRITTEN_LARGER),
            number(REWRITTEN_SHARE),
            number(REWRITTEN_WEIGHTED)
        ),
        format!(
            "| `weighted` is at least {} of `jaccard`; and a shingle that both have weighs on average at least a tenth of a \
             shingle that only one has, or the two share {} of the smaller one's weight | {} |",
            number(NEAR_SHARE),
            number(NEAR_CONTAINED),
            number(NEAR_WEIGHTED)
        ),
        format!("`short` (fewer than {JUDGEABLE} distinct shingles, or terms"),
        format!("is `near` from `weighted` {} on", number(SCANNED_WEIGHTED)),
        format!(
            "at least {} alike and {} times as much as its words (`jaccard`), `weighted` is at least {}, and both have \
             {REWRITTEN} shingles",
            number(LETTERS),
            number(LETTERS_SHARE),
            number(SCANNED_WEIGHTED)
        ),
        format!(
            "each of the two is at least {} times as similar",
            number(CLOSER)
        ),
        format!(
            "`weighted` is less than {} of `jaccard`",
            number(SUBJECT_SHARE)
        ),
        format!("`jaccard` is at least {} |", number(VARIANT_JACCARD)),
        format!(
            "the two are in one folder, `jaccard` is less than {}, the titles differ",
            number(NEAR_JACCARD)
        ),
        format!("less than {} times that of the whole", number(PROSE_SHARE)),
    ] {
        assert!(
            page.contains(&expected),
            "docs/relations.md lacks: {expected}"
        );
    }
}
