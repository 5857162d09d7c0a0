//! Two documents side by side: the rows in their order, with the changes in them, and the parts that are left out. The
//! terminal and the pages draw these rows. Lists name the places of the passages.
//!
//! The text of a row is cut into blocks that are shown at one height. A block ends where both documents begin a new line
//! within text that is the same. So paragraphs that belong together are beside each other, however long the texts before
//! them are.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

use dupfind_decide::Shared;
use dupfind_decide::compare::passages::{Part, Passage, uncovered};
use dupfind_decide::compare::side::Side;
use dupfind_read::Extent;

/// How many units of a long stretch that is the same are shown next to a change.
const CONTEXT: usize = 40;

/// How many units of a stretch that only one document has are shown.
const SHOWN: usize = 240;

/// A stretch is shortened only if at least this many units vanish.
const LEAST_HIDDEN: usize = 40;

/// Two documents and their shared passages, ready to be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout<'s, 't> {
    pub(crate) sides: [&'s Side<'t>; 2],
    pub(crate) shared: &'s Shared,
    /// Whether no units of a long stretch are left out.
    is_whole: bool,
}

/// A row of two documents that are read downwards.
#[derive(Debug)]
pub(crate) enum Row<'s> {
    /// A passage.
    Passage(&'s Passage),
    /// Units that only one document has, in the first document and in the second one.
    Only([Option<Range<usize>>; 2]),
    /// The number of a moved passage, which the second document has here.
    Elsewhere(usize),
}

/// Stretches of a document's text that follow each other, in bytes, each with whether it is a change.
pub(crate) type Stretches = Vec<(Range<usize>, bool)>;

/// A part of a row that is shown at one height.
#[derive(Debug)]
pub(crate) enum Block {
    /// The stretches of the first document, and those of the second one.
    Places([Stretches; 2]),
    /// Units that are left out.
    Hidden(usize),
}

/// An item of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// A passage, by number.
    Passage(usize),
    /// Units that are in no passage.
    Only(Range<usize>),
}

impl<'s, 't> Layout<'s, 't> {
    pub(crate) fn new(
        a: &'s Side<'t>,
        b: &'s Side<'t>,
        shared: &'s Shared,
        is_whole: bool,
    ) -> Self {
        let sides = [a, b];
        Self {
            sides,
            shared,
            is_whole,
        }
    }

    /// Returns all rows from top to bottom. A moved passage is where the first document has it, and a row at its place
    /// in the second one points there. Text that only one document has is beside text that only the other one has, if
    /// both have some there.
    pub(crate) fn rows(&self) -> Vec<Row<'s>> {
        let passages = &self.shared.passages;
        let mut left = self.items(0, |passage| &passage.a);
        let mut right = self.items(1, |passage| &passage.b);
        let mut rows = Vec::with_capacity(left.len() + right.len());
        let is_anchor = |item: &Item| matches!(item, Item::Passage(at) if !passages[*at].is_moved);
        loop {
            let mut before_left = until(&mut left, is_anchor);
            let mut before_right = until(&mut right, is_anchor);
            loop {
                let row = match (before_left.front(), before_right.front()) {
                    (None, None) => break,
                    (Some(&Item::Passage(at)), _) => {
                        before_left.pop_front();
                        Row::Passage(&passages[at])
                    }
                    (_, Some(&Item::Passage(at))) => {
                        before_right.pop_front();
                        Row::Elsewhere(at)
                    }
                    _ => Row::Only([&mut before_left, &mut before_right].map(next_only)),
                };
                rows.push(row);
            }
            let (next, other) = (left.pop_front(), right.pop_front());
            debug_assert_eq!(next, other, "passages that were not moved are in one order");
            match next {
                Some(Item::Passage(at)) => rows.push(Row::Passage(&passages[at])),
                _ => break,
            }
        }
        rows
    }

    /// Returns all items of a document in its own order.
    fn items(&self, which: usize, place: fn(&Passage) -> &Range<usize>) -> VecDeque<Item> {
        let passages = self.shared.passages.iter().enumerate();
        let passages = passages.map(|(at, passage)| (place(passage).start, Item::Passage(at)));
        let only = self.shared.only[which].iter();
        let only = only.map(|units| (units.start, Item::Only(units.clone())));
        let mut items: Vec<(usize, Item)> = passages.chain(only).collect();
        items.sort_by_key(|&(start, _)| start);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Returns the blocks of a passage from top to bottom.
    pub(crate) fn passage(&self, passage: &Passage) -> Vec<Block> {
        let [a, b] = self.sides;
        let mut builder = Builder {
            sides: self.sides,
            open: [const { Vec::new() }; 2],
            blocks: Vec::new(),
        };
        let [in_a, in_b] = passage.texts(a, b);
        for ((part, in_a), in_b) in passage.parts.iter().zip(in_a).zip(in_b) {
            if part.is_same {
                builder.same(part, &[in_a, in_b], self.is_whole);
            } else {
                builder.add([in_a, in_b], true);
            }
        }
        builder.close();
        builder.blocks
    }

    /// Returns the blocks of units that only one document has. If the stretch is long, its beginning and its end are
    /// shown.
    pub(crate) fn only(&self, which: usize, units: &Range<usize>) -> Vec<Block> {
        let side = self.sides[which];
        let whole = side.stretch(units);
        let block = |place: Range<usize>| {
            let mut places = [const { Vec::new() }; 2];
            places[which].push((place, false));
            Block::Places(places)
        };
        if self.is_whole || units.len() < SHOWN + LEAST_HIDDEN {
            return vec![block(whole)];
        }
        let (head, tail) = (units.start + SHOWN - CONTEXT, units.end - CONTEXT);
        vec![
            block(whole.start..side.cut(head)),
            Block::Hidden(tail - head),
            block(side.cut(tail)..whole.end),
        ]
    }

    /// Returns where the longest passages are in both documents, at most so many, in the order of the first one.
    pub(crate) fn places(&self, most: usize) -> Vec<[Extent; 2]> {
        let [a, b] = self.sides;
        let longest = largest(&self.shared.passages, most, Passage::same);
        let places = longest.into_iter();
        places
            .map(|passage| [a.extent(&passage.a), b.extent(&passage.b)])
            .collect()
    }

    /// Returns where the passages are in the first document, from the first to the last, and whether most of the text there is
    /// shared.
    pub(crate) fn place(&self) -> Option<(Extent, bool)> {
        let passages = &self.shared.passages;
        let (first, last) = (passages.first()?, passages.last()?);
        let all = first.a.start..last.a.end.max(first.a.end);
        let shared: usize = passages.iter().map(|passage| passage.a.len()).sum();
        Some((self.sides[0].extent(&all), shared * 10 >= all.len() * 8))
    }

    /// Returns the stretches of a document's text that the other one does not have, in order, in bytes.
    pub(crate) fn own(&self, which: usize) -> Vec<Range<usize>> {
        let [a, b] = self.sides;
        let mut same: Vec<Range<usize>> = Vec::new();
        for passage in &self.shared.passages {
            let places = &passage.texts(a, b)[which];
            let parts = passage.parts.iter().zip(places);
            let parts = parts.filter(|(part, _)| part.is_same);
            same.extend(parts.map(|(_, place)| place.clone()));
        }
        same.sort_unstable_by_key(|place| place.start);
        uncovered(same.into_iter(), self.sides[which].text().len())
    }
}

/// Removes and returns the first items, up to one that stops.
fn until(items: &mut VecDeque<Item>, stops: impl Fn(&Item) -> bool) -> VecDeque<Item> {
    let count = items.iter().position(stops).unwrap_or(items.len());
    items.drain(..count).collect()
}

fn next_only(items: &mut VecDeque<Item>) -> Option<Range<usize>> {
    match items.pop_front()? {
        Item::Only(units) => Some(units),
        Item::Passage(_) => None,
    }
}

/// Returns the largest items, at most so many, in the order in which they were.
pub(crate) fn largest<T>(items: &[T], most: usize, size: impl Fn(&T) -> usize) -> Vec<&T> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&at| Reverse(size(&items[at])));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|at| &items[at]).collect()
}

struct Builder<'s, 't> {
    sides: [&'s Side<'t>; 2],
    /// The block that is being made.
    open: [Stretches; 2],
    blocks: Vec<Block>,
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
            self.blocks.push(Block::Places(places));
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
                self.blocks.push(Block::Hidden(hidden.len()));
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
