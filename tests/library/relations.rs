//! The limits of the rules are in docs/relations.md.

use std::fs;

use dupfind_engine::detect::options::BRIEF;
use dupfind_engine::features::document::REPEATED;
use dupfind_engine::verdict::rules;

/// Returns ten-thousandths as a number.
fn number(steps: impl Into<u64>) -> String {
    let steps: u64 = steps.into();
    let digits = format!("{}.{:04}", steps / 10_000, steps % 10_000);
    digits.trim_end_matches('0').trim_end_matches('.').into()
}

#[test]
fn the_documentation_has_the_limits_of_the_rules() {
    let page = fs::read_to_string("docs/relations.md").unwrap();
    let page = page.replace('\n', " ");
    assert_eq!(rules::RARE_SHARE, 5_000, "the page says half");
    for expected in [
        format!("fewer than {} shingles", rules::JUDGEABLE),
        format!(
            "fewer than {} shingles | {} |",
            BRIEF,
            number(rules::BRIEF_WEIGHTED)
        ),
        format!("both have {} shingles or more", rules::REWRITTEN),
        format!("differ in at most {} shingles", rules::FEW),
        format!("{} of the smaller one's shingles", number(rules::CONTAINED)),
        format!("and {} of their weight", number(rules::CONTAINED_WEIGHTED)),
        format!(
            "`weighted` is at least {} of `jaccard`.",
            number(rules::CONTAINED_SHARE)
        ),
        format!(
            "`jaccard` >= {}, or >= {}",
            number(rules::NEAR_JACCARD),
            number(rules::NEAR_JACCARD_OF_FEW)
        ),
        format!(
            "at least {} of `jaccard` | {} |",
            number(rules::REWRITTEN_SHARE),
            number(rules::REWRITTEN_WEIGHTED)
        ),
        format!(
            "`weighted` is at least half of `jaccard` | {} |",
            number(rules::NEAR_WEIGHTED)
        ),
        "| `template` | `weighted` is less than half of `jaccard` |".into(),
        format!(
            "is `near` from `weighted` {} on",
            number(rules::SCANNED_WEIGHTED)
        ),
        format!("at least {} times as similar", number(rules::CLOSER)),
        format!(
            "whole in the other one ({} of its shingles",
            number(rules::CONTAINED_WHOLE)
        ),
        format!(
            "`weighted` is less than {} of `jaccard`",
            number(rules::SUBJECT_SHARE)
        ),
        format!(
            "and `weighted` is less than {};",
            number(rules::DISTINCT_WEIGHTED)
        ),
        format!(
            "less than {} of the weight of the smaller one",
            number(rules::CONTAINED_WEIGHTED)
        ),
        format!(
            "`jaccard` is less than {}, they are `related`",
            number(rules::ONE_FORM_JACCARD)
        ),
        format!("`jaccard` is at least {} |", number(rules::VARIANT_JACCARD)),
        format!(
            "`jaccard` is less than {}, the titles differ",
            number(rules::SUBJECTS_JACCARD)
        ),
        format!(
            "less than {} times that of the whole",
            number(rules::PROSE_SHARE)
        ),
        format!("has {REPEATED} times as many tokens as shingles"),
    ] {
        assert!(
            page.contains(&expected),
            "docs/relations.md lacks: {expected}"
        );
    }
}
