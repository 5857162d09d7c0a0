//! The limits of the rules are in docs/relations.md, and it has no other numbers.

use std::fs;

use dupfind_engine::detect::options::BRIEF;
use dupfind_engine::features::document::{ORDERS, REPEATED};
use dupfind_engine::fingerprint::i_match::LEXICONS;
use dupfind_engine::fingerprint::sketch::FEWEST_UNITS;
use dupfind_engine::fingerprint::super_shingle;
use dupfind_engine::join::weighted::COMMON;
use dupfind_engine::text::cutter::PART_OF_CODE;
use dupfind_engine::verdict::rules::*;
use dupfind_engine::verdict::versions::SHARED;
use dupfind_engine::{Containment, Options};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Numbers of the page that are no limits.
const EXAMPLES: [&str; 11] = [
    "only one of level 1,",
    "numbers 0 to 2 have",
    "A shingle is 3 words",
    "Japanese 3 characters",
    "about 0.65 to its original, with a fifth about 0.43.",
    "weighs 1 / n (1 / 2 if n is 1)",
    "--min-containment 0.8` also reports every pair in which one document has 80 %",
    "from 0 to 64. Documents with the same words in another order have the distance 0.",
    "of 64 bits of the fingerprints differ |",
    "documents: 8 bytes for each",
    "documents: 48 bytes for each",
];

/// Returns ten-thousandths as a number.
fn number(steps: impl Into<u64>) -> String {
    let steps: u64 = steps.into();
    let digits = format!("{}.{:04}", steps / 10_000, steps % 10_000);
    digits.trim_end_matches('0').trim_end_matches('.').into()
}

/// Returns the limits as the page has them, each with words beside it.
fn limits() -> Vec<String> {
    assert_eq!(RARE_SHARE, 5_000, "the page says half");
    assert_eq!(FEW, 12, "the page says two changed words");
    assert_eq!(PART_LARGER, 20_000, "the page says twice");
    assert_eq!(
        (ORDERS, PART_OF_CODE),
        (10, 6),
        "the page has them in words"
    );
    let weighted = Options {
        min_weighted: Some(Options::REWRITTEN),
        ..Options::default()
    };
    let weighted = weighted.weighted().unwrap();
    let usual = Options::MIN_JACCARD;
    let units = Options::MIN_CONTAINED;
    let leak = Containment::OF_LEAKS.min_size;
    let signatures = LEXICONS + 1;
    let super_shingles = super_shingle::HASHES / super_shingle::RUN;
    let equal = super_shingle::LEAST;
    let documents = Options::MIN_WEIGHTED_DOCUMENTS;
    let [brief_weighted, near_weighted] = [BRIEF_WEIGHTED, NEAR_WEIGHTED].map(number);
    let [rewritten_weighted, scanned] = [REWRITTEN_WEIGHTED, SCANNED_WEIGHTED].map(number);
    let [contained_weighted, distinct] = [CONTAINED_WEIGHTED, DISTINCT_WEIGHTED].map(number);
    let [sketched, least_weighted] = [SKETCHED_WEIGHTED, weighted.least].map(number);
    let [contained, whole, larger] = [CONTAINED, CONTAINED_WHOLE, CONTAINED_LARGER].map(number);
    let [contained_share, part] = [CONTAINED_SHARE, PART].map(number);
    let [near, near_of_few] = [NEAR_JACCARD, NEAR_JACCARD_OF_FEW].map(number);
    let [rewritten_share, subject_share, prose] =
        [REWRITTEN_SHARE, SUBJECT_SHARE, PROSE_SHARE].map(number);
    let [one_form, moved] = [ONE_FORM_JACCARD, MOVED_JACCARD].map(number);
    let [variant, family] = [VARIANT_JACCARD, FAMILY_JACCARD].map(number);
    let [closer, closer_scan] = [CLOSER, CLOSER_SCAN].map(number);
    vec![
        format!("A similarity of {usual} finds"),
        // Short and whole texts.
        format!("fewer than {JUDGEABLE} shingles; or it has fewer than {BRIEF}, and"),
        format!(
            "at least {larger} times as many shingles; {contained} of the smaller one's shingles"
        ),
        format!("({whole} of fewer than {BRIEF}, of fewer than {leak} with `dedup --against`)"),
        format!("and {contained_weighted} of their weight"),
        format!("`weighted` is at least {contained_share} of `jaccard`."),
        format!("less than twice as many, and less than {part} of the smaller one"),
        // Near.
        format!(
            "`jaccard` >= {near}, or >= {near_of_few} and the two differ in at most {FEW} shingles"
        ),
        format!("fewer than {BRIEF} shingles | {brief_weighted} |"),
        format!(
            "both have {REWRITTEN} shingles or more, and `weighted` is at least {rewritten_share} of `jaccard` | \
             {rewritten_weighted} |"
        ),
        format!("[below](#versions) | {rewritten_weighted}, and"),
        format!("`weighted` is at least half of `jaccard` | {near_weighted} |"),
        "| `template` | `weighted` is less than half of `jaccard` |".into(),
        format!("A pair is `near` from `weighted` {scanned} on"),
        // Variants.
        format!("at least {closer} times as similar"),
        format!("whole in the other one ({whole} of its shingles, {BRIEF} or more"),
        format!("{contained} if a title is missing and `weighted` is {near_weighted} or more"),
        format!("`contains` if less than {whole} of the smaller one"),
        format!("`weighted` is less than {subject_share} of `jaccard`"),
        format!("and `weighted` is less than {distinct};"),
        format!("less than {contained_weighted} of the weight of the smaller one"),
        format!("`jaccard` is less than {one_form}, they are `related`"),
        format!("the same, and `jaccard` is less than {near} | the two are in one folder"),
        format!("count from {near} on, too"),
        format!("share {SHARED} file names or more"),
        format!(
            "`jaccard` is at least {variant}, or {family} if names or titles tell two subjects |"
        ),
        format!("rule of names `weighted` must be at least {sketched}."),
        format!("from {closer_scan} times as similar on"),
        format!("`jaccard` of at least {moved}:"),
        // Texts.
        format!("If it has {REPEATED} times as many tokens as shingles, a tenth"),
        format!("{COMMON} or more documents have"),
        format!("if the smaller one has {units} or more"),
        format!("less than {prose} times that of the whole"),
        format!("a sixth of a document must be code, and {FEWEST_UNITS} units of it prose"),
        // Detectors.
        format!("{equal} of {super_shingles} super-shingles"),
        format!("one of {signatures} signatures"),
        format!(
            "at least {least_weighted}, exactly, both have {} shingles or more, and there are {documents} documents or more",
            weighted.min_size
        ),
    ]
}

#[test]
fn the_documentation_has_the_limits_of_the_rules_and_no_other_numbers() {
    let text = fs::read_to_string("docs/relations.md").unwrap();
    let text = text.replace("\r\n", "\n");
    // Every byte is at the same place.
    let page = text.replace('\n', " ");
    let mut is_compared = vec![false; page.len()];
    for expected in limits().iter().map(String::as_str).chain(EXAMPLES) {
        let mut places = page.match_indices(expected).peekable();
        assert!(
            places.peek().is_some(),
            "docs/relations.md lacks: {expected}"
        );
        for (at, _) in places {
            is_compared[at..at + expected.len()].fill(true);
        }
    }
    let mut in_code = false;
    let mut numbers = 0;
    for (event, range) in
        Parser::new_ext(&text, pulldown_cmark::Options::ENABLE_TABLES).into_offset_iter()
    {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => {
                for at in range.filter(|&at| page.as_bytes()[at].is_ascii_digit()) {
                    let line = text[..at].lines().count();
                    assert!(
                        is_compared[at],
                        "docs/relations.md:{line}: no limit has this number"
                    );
                    numbers += 1;
                }
            }
            _ => {}
        }
    }
    assert!(numbers > 100, "{numbers}");
}
