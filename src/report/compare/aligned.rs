//! Cuts passages into blocks that are shown at one height.
//!
//! A block ends where both documents begin a new line within text that is the same. So paragraphs that belong
//! together are beside each other, however long the texts before them are.

use std::ops::Range;

use crate::compare::passages::{Part, Passage};
use crate::compare::side::Side;

/// How many units of a long stretch that is the same are shown next to a change.
pub(super) const CONTEXT: usize = 40;

/// A stretch is shortened only if at least this many units vanish.
pub(super) const LEAST_HIDDEN: usize = 40;

/// Stretches of a document's text that follow each other, each with whether it is a change.
pub(in crate::report) type Stretches = Vec<(Range<usize>, bool)>;

/// A part of a passage that is shown at one height.
#[derive(Debug)]
pub(in crate::report) enum Aligned {
    /// The stretches of the first document, and those of the second one.
    Places([Stretches; 2]),
    /// Units that are left out.
    Hidden(usize),
}

/// Returns the blocks of a passage from top to bottom. If `is_whole`, no units are left out.
pub(in crate::report) fn aligned(
    passage: &Passage,
    a: &Side<'_>,
    b: &Side<'_>,
    is_whole: bool,
) -> Vec<Aligned> {
    let mut builder = Builder {
        sides: [a, b],
        open: [const { Vec::new() }; 2],
        blocks: Vec::new(),
    };
    let [in_a, in_b] = passage.texts(a, b);
    for ((part, in_a), in_b) in passage.parts.iter().zip(in_a).zip(in_b) {
        if part.is_same {
            builder.same(part, &[in_a, in_b], is_whole);
        } else {
            builder.add([in_a, in_b], true);
        }
    }
    builder.close();
    builder.blocks
}

struct Builder<'s, 't> {
    sides: [&'s Side<'t>; 2],
    /// The block that is being made.
    open: [Stretches; 2],
    blocks: Vec<Aligned>,
}

impl Builder<'_, '_> {
    fn add(&mut self, places: [Range<usize>; 2], is_changed: bool) {
        for (stretches, place) in self.open.iter_mut().zip(places) {
            if !place.is_empty() {
                stretches.push((place, is_changed));
            }
        }
    }

    fn close(&mut self) {
        let places = self.open.each_mut().map(std::mem::take);
        if places.iter().any(|stretches| !stretches.is_empty()) {
            self.blocks.push(Aligned::Places(places));
        }
    }

    /// Adds a part that is the same, in as many blocks as it has lines in common.
    fn same(&mut self, part: &Part, places: &[Range<usize>; 2], is_whole: bool) {
        let [a, b] = self.sides;
        let units = part.a.len();
        let breaks = |offset: usize| {
            let in_a = a.line_break(part.a.start + offset)?;
            let in_b = b.line_break(part.b.start + offset)?;
            Some([in_a, in_b])
        };
        let hidden = if is_whole {
            None
        } else {
            hidden(units, &breaks)
        };
        let mut from = places.each_ref().map(|place| place.start);
        let mut offset = 0;
        while offset <= units {
            if let Some(hidden) = hidden.clone().filter(|hidden| hidden.start == offset) {
                let cut = |offset: usize| {
                    let middle = [a.cut(part.a.start + offset), b.cut(part.b.start + offset)];
                    breaks(offset).unwrap_or(middle)
                };
                let (end, next) = (cut(hidden.start), cut(hidden.end));
                self.add([from[0]..end[0], from[1]..end[1]], false);
                self.close();
                self.blocks.push(Aligned::Hidden(hidden.len()));
                from = next;
                offset = hidden.end;
            } else if let Some(next) = breaks(offset)
                // The line of a change may begin before this part.
                && next[0] >= from[0]
                && next[1] >= from[1]
            {
                self.add([from[0]..next[0], from[1]..next[1]], false);
                self.close();
                from = next;
            }
            offset += 1;
        }
        self.add([from[0]..places[0].end, from[1]..places[1].end], false);
    }
}

/// Returns which units of a stretch that is the same are left out: all but some at both ends. The cut is at common
/// lines, if there are any near the ends.
fn hidden(units: usize, breaks: &impl Fn(usize) -> Option<[usize; 2]>) -> Option<Range<usize>> {
    if units < 2 * CONTEXT + LEAST_HIDDEN {
        return None;
    }
    let breaks = |offset: &usize| breaks(*offset).is_some();
    let distances = CONTEXT / 2..=CONTEXT * 3 / 2;
    let start = distances.clone().rev().find(|offset| breaks(offset));
    let end = distances
        .map(|back| units - back)
        .rev()
        .find(|offset| breaks(offset));
    let (start, end) = (start.unwrap_or(CONTEXT), end.unwrap_or(units - CONTEXT));
    (start + LEAST_HIDDEN <= end).then_some(start..end)
}
