//! What is gained by fixing a pair.

use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;

/// The steps of a certainty of 1.
pub const STEPS: u64 = 10_000;

/// The divisor of the gain of two parts of a series.
const IN_SERIES: u64 = 8;

/// Returns the gain of fixing a pair: the shingles that the documents share, times the certainty that somebody
/// wrote them twice, in ten-thousandths of a shingle. A shingle is about a word, or a character of Chinese.
///
/// | relation | saved | certainty |
/// |---|---|---|
/// | `exact` | all of the smaller document | 1 |
/// | `short` | nothing | 0 |
/// | `related` | what both have | half of s² |
/// | all others | what both have | s² |
///
/// s is the share of the smaller document that is in the other one. Without shingle sets it is not known, and the
/// certainty is a quarter. Files of one folder whose names differ in nothing but numbers count an eighth, unless they are
/// copies: each part of a series is meant to be like the one before it.
#[must_use]
pub fn gain(documents: &[Document], pair: &Pair) -> u64 {
    let [a, b] = [pair.a, pair.b].map(|id| &documents[id.index()]);
    let smaller = |size: fn(&Document) -> u32| u64::from(size(a).min(size(b)));
    let saved = match (pair.relation, pair.jaccard) {
        (Relation::Short, _) => 0,
        (Relation::Exact, _) | (_, None) if a.shingles.min(b.shingles) > 0 => {
            smaller(|document| document.shingles)
        }
        (Relation::Exact, _) | (_, None) => smaller(|document| document.tokens),
        (_, Some(jaccard)) => jaccard.overlap.into(),
    };
    let certainty = match pair.smaller_first(documents) {
        _ if pair.relation == Relation::Exact => STEPS,
        Some([(_, share), _]) if pair.relation == Relation::Related => {
            share.steps().pow(2) / STEPS / 2
        }
        Some([(_, share), _]) => share.steps().pow(2) / STEPS,
        None => STEPS / 4,
    };
    let is_of_series = pair.relation != Relation::Exact && are_of_series(&a.name, &b.name);
    saved * certainty / if is_of_series { IN_SERIES } else { 1 }
}

/// Returns whether two documents are parts of a series, such as release notes: files of one folder whose names have letters
/// and differ in nothing but numbers. Records are not.
fn are_of_series(a: &str, b: &str) -> bool {
    let parts = |name| -> (&str, &str) { str::rsplit_once(name, '/').unwrap_or(("", name)) };
    let ((folder, file), (other_folder, other)) = (parts(a), parts(b));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    folder == other_folder
        && stem.contains(char::is_alphabetic)
        && !file.contains('#')
        && without_numbers(file).eq(without_numbers(other))
}

/// Returns the characters of a name, with a zero for each number: `release-0.md` for `release-7.1.6.md`.
fn without_numbers(name: &str) -> impl Iterator<Item = char> {
    let mut chars = name.chars().peekable();
    let mut is_in_number = false;
    std::iter::from_fn(move || {
        loop {
            let c = chars.next()?;
            let is_point = c == '.' && chars.peek().is_some_and(char::is_ascii_digit);
            let was_in_number = is_in_number;
            is_in_number = c.is_ascii_digit() || was_in_number && is_point;
            match (was_in_number, is_in_number) {
                (true, true) => {}
                (false, true) => return Some('0'),
                (_, false) => return Some(c),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_series_differ_in_numbers() {
        for (a, b, is_series) in [
            ("docs/release-7.1.6.md", "docs/release-8.1.md", true),
            ("v1beta3.md", "v1beta4.md", true),
            ("docs/2024-05 weekly.md", "docs/2024-06 weekly.md", true),
            ("docs/release-7.md", "docs/releases-7.md", false),
            ("docs/release.md", "docs/release-7.md", false),
            ("docs/2021/pods.md", "docs/2025/pods.md", false),
            ("docs/001.md", "docs/002.md", false),
            ("pages.jsonl#1", "pages.jsonl#2", false),
        ] {
            assert_eq!(are_of_series(a, b), is_series, "{a} {b}");
        }
    }
}
