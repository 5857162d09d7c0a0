//! What is shown of a pair, from top to bottom: passages beside each other, and between them what only
//! one of the documents has.
//!
//! Both documents are read downwards. A passage that is at another place in the second document is shown where
//! the first one has it, and a row at its own place in the second one points there. What only one document has
//! is beside what only the other one has, if both have something there.

use std::collections::VecDeque;
use std::ops::Range;

use serde::Serialize;

use crate::compare::passages::{Passage, uncovered};
use crate::compare::search::find_passages;
use crate::compare::side::Side;
use crate::report::compare::aligned::{Aligned, Stretches, aligned};
use crate::report::html::offsets::Offsets;

/// A document of a pair.
#[derive(Debug)]
pub(super) struct PageDocument<'t> {
    pub(super) side: Side<'t>,
    pub(super) offsets: Offsets<'t>,
}

/// What is shown of a pair: units of the first document, of the second one, how many of them are the
/// same, and the rows.
#[derive(Debug, Serialize)]
pub(super) struct PairRows(usize, usize, usize, Vec<PageRow>);

/// One row; lists that begin with what it is. Places and lengths are in UTF-16 code units.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(untagged)]
pub(super) enum PageRow {
    /// A passage: 0, or 1 if it was moved; where it begins in both documents; how many units are the
    /// same; and its blocks.
    Passage(u8, usize, usize, usize, Vec<Block>),
    /// 2, and stretches that only one document has: place and length in the first, then in the second
    /// one. At most one of them is empty.
    Only(u8, usize, usize, usize, usize),
    /// 3, and the number of a passage that stands here in the second document.
    Elsewhere(u8, usize),
}

/// Lengths of stretches that follow each other in the first document, and in the second one: what is the
/// same and what was changed by turns.
type Block = [Vec<usize>; 2];

/// What stands next in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// A passage, by number.
    Passage(usize),
    /// Units that are in no passage.
    Only(Range<usize>),
}

/// Returns what is shown of two documents.
pub(super) fn rows(a: &PageDocument<'_>, b: &PageDocument<'_>) -> PairRows {
    let passages = find_passages(&a.side, &b.side);
    let in_a: Vec<_> = passages.iter().map(|passage| passage.a.clone()).collect();
    let in_b: Vec<_> = passages.iter().map(|passage| passage.b.clone()).collect();
    let mut left = items(&in_a, a.side.units().len());
    let mut right = items(&in_b, b.side.units().len());
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
                    passage(&passages[at], a, b)
                }
                (_, Some(&Item::Passage(at))) => {
                    before_right.pop_front();
                    PageRow::Elsewhere(3, at)
                }
                (units_a, units_b) => {
                    let row = only(units_a, a, units_b, b);
                    before_left.pop_front();
                    before_right.pop_front();
                    row
                }
            };
            rows.push(row);
        }
        let (next, other) = (left.pop_front(), right.pop_front());
        debug_assert_eq!(next, other, "passages that were not moved are in one order");
        match next {
            Some(Item::Passage(at)) => rows.push(passage(&passages[at], a, b)),
            _ => break,
        }
    }
    let same = passages.iter().map(Passage::same).sum();
    PairRows(a.side.units().len(), b.side.units().len(), same, rows)
}

/// Returns everything of a document in its own order.
fn items(passages: &[Range<usize>], units: usize) -> VecDeque<Item> {
    let mut order: Vec<usize> = (0..passages.len()).collect();
    order.sort_unstable_by_key(|&at| passages[at].start);
    let rest = uncovered(order.iter().map(|&at| passages[at].clone()), units);
    let mut items: Vec<(usize, Item)> = order
        .into_iter()
        .map(|at| (passages[at].start, Item::Passage(at)))
        .chain(
            rest.into_iter()
                .map(|units| (units.start, Item::Only(units))),
        )
        .collect();
    items.sort_by_key(|&(start, _)| start);
    items.into_iter().map(|(_, item)| item).collect()
}

/// Removes and returns the first items, up to one that stops.
fn until(items: &mut VecDeque<Item>, stops: impl Fn(&Item) -> bool) -> VecDeque<Item> {
    let count = items.iter().position(stops).unwrap_or(items.len());
    items.drain(..count).collect()
}

fn only(
    in_a: Option<&Item>,
    a: &PageDocument<'_>,
    in_b: Option<&Item>,
    b: &PageDocument<'_>,
) -> PageRow {
    let place = |item: Option<&Item>, shown: &PageDocument<'_>| {
        let Some(Item::Only(units)) = item else {
            return (0, 0);
        };
        let place = shown.side.stretch(units);
        let (start, end) = (shown.offsets.of(place.start), shown.offsets.of(place.end));
        (start, end - start)
    };
    let ((a, length_a), (b, length_b)) = (place(in_a, a), place(in_b, b));
    PageRow::Only(2, a, length_a, b, length_b)
}

fn passage(passage: &Passage, a: &PageDocument<'_>, b: &PageDocument<'_>) -> PageRow {
    let blocks = aligned(passage, &a.side, &b.side, true);
    let blocks = blocks.into_iter().filter_map(|block| match block {
        Aligned::Places([in_a, in_b]) => Some([lengths(&in_a, a), lengths(&in_b, b)]),
        Aligned::Hidden(_) => None,
    });
    let start = |shown: &PageDocument<'_>, units| shown.offsets.of(shown.side.stretch(units).start);
    PageRow::Passage(
        u8::from(passage.is_moved),
        start(a, &passage.a),
        start(b, &passage.b),
        passage.same(),
        blocks.collect(),
    )
}

/// Returns the lengths of stretches by turns: same, changed, same again.
fn lengths(stretches: &Stretches, shown: &PageDocument<'_>) -> Vec<usize> {
    let mut lengths = Vec::new();
    for (place, is_changed) in stretches {
        let length = shown.offsets.of(place.end) - shown.offsets.of(place.start);
        let is_turn = lengths.len() % 2 == usize::from(*is_changed);
        match lengths.last_mut() {
            Some(last) if !is_turn => *last += length,
            _ if !is_turn => lengths.extend([0, length]),
            _ => lengths.push(length),
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::han::Han;
    use crate::text::segmenter::Segmenter;
    use crate::text::units::ShingleUnit;
    use proptest::prelude::*;

    fn shown(text: &str) -> PageDocument<'_> {
        PageDocument {
            side: Side::new(text, ShingleUnit::Auto, Han::Kept, &Segmenter::new()),
            offsets: Offsets::new(text),
        }
    }

    fn of(a: &str, b: &str) -> Vec<PageRow> {
        let PairRows(_, _, _, rows) = rows(&shown(a), &shown(b));
        rows
    }

    /// Puts the texts together again from the rows, as the page does.
    fn again(rows: &[PageRow], texts: [&str; 2]) -> [String; 2] {
        let texts = texts.map(|text| text.encode_utf16().collect::<Vec<u16>>());
        let mut stretches = [Vec::new(), Vec::new()];
        for row in rows {
            match row {
                PageRow::Passage(_, a, b, _, blocks) => {
                    for (side, start) in [a, b].into_iter().enumerate() {
                        let lengths = blocks.iter().flat_map(|block| &block[side]);
                        stretches[side].push(*start..start + lengths.sum::<usize>());
                    }
                }
                PageRow::Only(_, a, length_a, b, length_b) => {
                    stretches[0].push(*a..a + length_a);
                    stretches[1].push(*b..b + length_b);
                }
                PageRow::Elsewhere(..) => {}
            }
        }
        [0, 1].map(|side| {
            stretches[side].sort_unstable_by_key(|place| (place.start, place.end));
            let units = stretches[side]
                .iter()
                .flat_map(|place| &texts[side][place.clone()]);
            String::from_utf16(&units.copied().collect::<Vec<u16>>()).unwrap()
        })
    }

    #[test]
    fn what_differs_stands_beside_each_other() {
        let (a, b) = (
            "甲乙丙丁戊己庚辛旧壬癸\n一二三四五六七八九十百千万亿兆",
            "甲乙丙丁戊己庚辛新壬癸\n",
        );
        assert_eq!(
            of(a, b),
            [
                PageRow::Passage(0, 0, 0, 10, vec![[vec![8, 1, 3], vec![8, 1, 3]]]),
                PageRow::Only(2, 12, 15, 0, 0),
            ]
        );
    }

    #[test]
    fn moved_passages_are_shown_once() {
        let one = "河边的老公园三十年前向市民开放。\n";
        let two = "去年城市沿着北边的小路种了四百棵枫树，并更换了所有的木头长椅。\n";
        let rows = of(&format!("{one}{two}"), &format!("{two}{one}"));
        let kinds: Vec<u8> = rows
            .iter()
            .map(|row| match row {
                PageRow::Passage(kind, ..)
                | PageRow::Only(kind, ..)
                | PageRow::Elsewhere(kind, _) => *kind,
            })
            .collect();
        assert_eq!(kinds, [1, 0, 3]);
        assert_eq!(rows[2], PageRow::Elsewhere(3, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn all_of_both_texts_is_there(
            words in prop::collection::vec("[a-e]{1,2}|[一-五😀]{1,3}|\n|。", 1..120),
            edits in prop::collection::vec((any::<prop::sample::Index>(), "[a-z一-十\n]{0,3}"), 0..12),
            turn in any::<prop::sample::Index>(),
        ) {
            let mut edited = words.clone();
            for (at, word) in &edits {
                let at = at.index(edited.len());
                edited[at].clone_from(word);
            }
            edited.rotate_left(turn.index(words.len()));
            // Without any unit there is nothing to show, and no such document in a report.
            let (a, b) = (format!("x {}", words.join(" ")), format!("x {}", edited.join(" ")));
            let [again_a, again_b] = again(&of(&a, &b), [&a, &b]);
            prop_assert_eq!(again_a, a);
            prop_assert_eq!(again_b, b);
        }
    }
}
