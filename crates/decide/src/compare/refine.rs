//! Finds the units that were changed between two tiles, by Myers' difference algorithm, and removes coincidences.
//!
//! The shortest edit script is not the most readable one. Any two sentences share an article or a particle, and a text
//! with a mark at every other character cannot be read. So a few equal units count as changed if at least as many units
//! differ on both sides of them (after the "semantic clean-up" of Fraser's diff-match-patch).
//!
//! The compared stretches are short. So the work needs no time limit, which would make the result depend on the clock.

use std::ops::Range;

use dupfind_engine::text::units::Unit;
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag};

use crate::compare::passages::Part;

/// Returns the parts of a stretch of each document: equal and changed ones by turns, without gaps.
pub(super) fn difference(
    a: &[Unit],
    range_a: Range<usize>,
    b: &[Unit],
    range_b: Range<usize>,
) -> Vec<Part> {
    let (old, new) = (&a[range_a.clone()], &b[range_b.clone()]);
    let ops = edits(old, new);
    let parts = ops.iter().map(|op| {
        let (tag, old, new) = op.as_tag_tuple();
        Part {
            a: old.start + range_a.start..old.end + range_a.start,
            b: new.start + range_b.start..new.end + range_b.start,
            is_same: tag == DiffTag::Equal,
        }
    });
    without_coincidences(merge_parts(parts.collect()))
}

/// Joins neighbouring parts that are both equal or both changed.
pub(super) fn merge_parts(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match out.last_mut() {
            Some(last) if last.is_same == part.is_same => {
                last.a.end = part.a.end;
                last.b.end = part.b.end;
            }
            _ => out.push(part),
        }
    }
    out
}

/// The fewest equal units in a row that are no coincidence. Two short stretches hardly have four characters or words in
/// common by chance.
pub(crate) const LEAST_EQUAL: usize = 4;

/// Counts equal parts as changed if they are coincidences: shorter than [`LEAST_EQUAL`], and not longer than the
/// changes beside them.
fn without_coincidences(mut parts: Vec<Part>) -> Vec<Part> {
    let size = |part: &Part| part.a.len().max(part.b.len());
    loop {
        let weak = (1..parts.len().saturating_sub(1)).find(|&at| {
            let same = size(&parts[at]);
            parts[at].is_same
                && same < LEAST_EQUAL
                && same <= size(&parts[at - 1])
                && same <= size(&parts[at + 1])
        });
        match weak {
            Some(at) => {
                parts[at].is_same = false;
                parts = merge_parts(parts);
            }
            None => return parts,
        }
    }
}

/// Returns the parts of two sequences, equal and changed ones by turns, by Myers' difference algorithm.
pub(crate) fn edits(old: &[u64], new: &[u64]) -> Vec<DiffOp> {
    let mut captured = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut captured, old, 0..old.len(), new, 0..new.len());
    captured.into_inner().into_inner().into_ops()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the changes: `a[-b-]{+c+}`.
    fn marked(a: &str, b: &str) -> String {
        let units = |text: &str| text.chars().map(Unit::from).collect::<Vec<_>>();
        let (a, b) = (a, b);
        let parts = difference(
            &units(a),
            0..a.chars().count(),
            &units(b),
            0..b.chars().count(),
        );
        let text = |text: &str, range: Range<usize>| -> String {
            text.chars().skip(range.start).take(range.len()).collect()
        };
        parts
            .into_iter()
            .map(
                |part| match (part.is_same, text(a, part.a), text(b, part.b)) {
                    (true, same, other) => {
                        assert_eq!(same, other);
                        same
                    }
                    (false, old, new) => format!("[-{old}-]{{+{new}+}}"),
                },
            )
            .collect()
    }

    #[test]
    fn changes_are_marked_where_they_are() {
        let expected = "[-三-]{+四+}十年前开放";
        assert_eq!(marked("三十年前开放", "四十年前开放"), expected);
        assert_eq!(marked("春天的早晨", "春天早晨"), "春天[-的-]{++}早晨");
        assert_eq!(marked("", "新"), "[--]{+新+}");
        assert_eq!(marked("", ""), "");
    }

    #[test]
    fn coincidences_are_no_sameness() {
        let expected = "[-甲乙的丙丁-]{+戊己的庚辛+}";
        assert_eq!(marked("甲乙的丙丁", "戊己的庚辛"), expected);
        let expected = "[-甲乙-]{+戊己+}城市公园[-丙丁-]{+庚辛+}";
        assert_eq!(marked("甲乙城市公园丙丁", "戊己城市公园庚辛"), expected);
        assert_eq!(
            marked(
                "一二三四五城市公园六七八九十",
                "甲乙丙丁戊城市公园己庚辛壬癸"
            ),
            "[-一二三四五-]{+甲乙丙丁戊+}城市公园[-六七八九十-]{+己庚辛壬癸+}"
        );
    }
}
