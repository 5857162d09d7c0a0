//! What was changed between two tiles, to the unit: Myers' difference algorithm on the few units
//! between them, cleaned of coincidences.
//!
//! The shortest edit script is not the most readable one: any two sentences share an article or a
//! particle, and a text in which every other character is marked cannot be read. A few equal units that
//! are no more than what differs on both sides of them count as changed with it (after the "semantic
//! clean-up" of Fraser's diff-match-patch).
//!
//! The stretches compared are short, so the work is bounded without a deadline, which would make
//! the result depend on the clock.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::compare::passages::Part;
use crate::text::units::Unit;

/// Takes both documents and a stretch of each, and returns equal and changed parts by turns that make
/// up both stretches.
pub(super) fn between(
    a: &[Unit],
    range_a: Range<usize>,
    b: &[Unit],
    range_b: Range<usize>,
) -> Vec<Part> {
    let (old, new) = (&a[range_a.clone()], &b[range_b.clone()]);
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let parts = ops.iter().map(|op| {
        let (tag, old, new) = op.as_tag_tuple();
        Part {
            a: old.start + range_a.start..old.end + range_a.start,
            b: new.start + range_b.start..new.end + range_b.start,
            is_same: tag == DiffTag::Equal,
        }
    });
    cleaned(joined(parts.collect()))
}

/// Makes one part of neighbours of one kind.
pub(super) fn joined(parts: Vec<Part>) -> Vec<Part> {
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

/// As many equal units in a row are no coincidence, whatever surrounds them: of stretches as short as
/// these, two have hardly four characters or words in common by chance.
pub(super) const TELLING: usize = 4;

/// Counts equal parts between changes as changed if they are no longer than these and tell nothing.
fn cleaned(mut parts: Vec<Part>) -> Vec<Part> {
    let size = |part: &Part| part.a.len().max(part.b.len());
    loop {
        let weak = (1..parts.len().saturating_sub(1)).find(|&at| {
            let same = size(&parts[at]);
            parts[at].is_same
                && same < TELLING
                && same <= size(&parts[at - 1])
                && same <= size(&parts[at + 1])
        });
        match weak {
            Some(at) => {
                parts[at].is_same = false;
                parts = joined(parts);
            }
            None => return parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the changes: `a[-b-]{+c+}`.
    fn marked(a: &str, b: &str) -> String {
        let units = |text: &str| text.chars().map(Unit::from).collect::<Vec<_>>();
        let (a, b) = (a, b);
        let parts = between(
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
        assert_eq!(
            marked("三十年前开放", "四十年前开放"),
            "[-三-]{+四+}十年前开放"
        );
        assert_eq!(marked("春天的早晨", "春天早晨"), "春天[-的-]{++}早晨");
        assert_eq!(marked("", "新"), "[--]{+新+}");
        assert_eq!(marked("", ""), "");
    }

    #[test]
    fn coincidences_are_no_sameness() {
        assert_eq!(
            marked("甲乙的丙丁", "戊己的庚辛"),
            "[-甲乙的丙丁-]{+戊己的庚辛+}"
        );
        assert_eq!(
            marked("甲乙城市公园丙丁", "戊己城市公园庚辛"),
            "[-甲乙-]{+戊己+}城市公园[-丙丁-]{+庚辛+}"
        );
        assert_eq!(
            marked(
                "一二三四五城市公园六七八九十",
                "甲乙丙丁戊城市公园己庚辛壬癸"
            ),
            "[-一二三四五-]{+甲乙丙丁戊+}城市公园[-六七八九十-]{+己庚辛壬癸+}"
        );
    }
}
