//! Parts of the passages that two documents share.

use std::ops::Range;

use crate::compare::passages::{Part, Passage as Shared};

/// Returns what two ranges have in common; an empty range if that is nothing.
pub(super) fn common(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// Returns the parts of a passage of which most is the same: it is cut where most differs.
pub(super) fn dense(passage: Shared) -> Vec<Shared> {
    let longer = passage.a.len().max(passage.b.len());
    if passage.same() * 2 >= longer {
        return vec![passage];
    }
    let gaps = passage.parts.iter().filter(|part| !part.is_same);
    let Some(gap) = gaps.max_by_key(|part| part.a.len().max(part.b.len())) else {
        return vec![passage];
    };
    let before = passage.a.start..gap.a.start;
    let behind = gap.a.end..passage.a.end;
    let sides = [before, behind].into_iter();
    let sides = sides.filter_map(|range| clipped(&passage, &range));
    sides.flat_map(dense).collect()
}

/// Returns the part of a passage that is in a range of the page, from its first equal unit there to its last one; `None` if there is
/// none.
pub(super) fn clipped(passage: &Shared, range: &Range<usize>) -> Option<Shared> {
    let parts = passage.parts.iter().filter_map(|part| {
        let a = common(&part.a, range);
        if a.start > a.end || (a.is_empty() && (part.is_same || !range.contains(&a.start))) {
            return None;
        }
        let b = match part.is_same {
            true => part.b.start + (a.start - part.a.start)..part.b.end - (part.a.end - a.end),
            false => part.b.clone(),
        };
        Some(Part {
            a,
            b,
            is_same: part.is_same,
        })
    });
    let parts: Vec<Part> = parts.collect();
    let first = parts.iter().position(|part| part.is_same)?;
    let last = parts.iter().rposition(|part| part.is_same)?;
    let parts = parts[first..=last].to_vec();
    Some(Shared {
        a: parts[0].a.start..parts[parts.len() - 1].a.end,
        b: parts[0].b.start..parts[parts.len() - 1].b.end,
        parts,
        is_moved: passage.is_moved,
    })
}
