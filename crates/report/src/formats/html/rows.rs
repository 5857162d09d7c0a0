//! The rows of a pair as the script of the page reads them.

use std::ops::Range;

use serde::Serialize;

use crate::layout::{self, Layout, Row, Stretches};
use dupfind_decide::compare::passages::Passage;
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;

/// A document of a pair.
#[derive(Debug)]
pub(super) struct PageDocument<'t> {
    pub(super) side: Side<'t>,
    pub(super) offsets: Offsets<'t>,
}

/// One row: a list that begins with its kind. Places and lengths are in UTF-16 code units.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(untagged)]
pub(super) enum PageRow {
    /// A passage: 0, or 1 if it was moved; where it begins in both documents; how many units are the
    /// same; and its blocks.
    Passage(u8, usize, usize, usize, Vec<Block>),
    /// 2, and stretches that only one document has: place and length in the first, then in the second
    /// one. At most one of them is empty.
    Only(u8, usize, usize, usize, usize),
    /// 3, and the number of a passage that is here in the second document.
    Elsewhere(u8, usize),
}

/// Lengths of stretches that follow each other in the first document, and in the second one: equal and changed ones by
/// turns.
type Block = [Vec<usize>; 2];

/// Returns the rows of two documents.
pub(super) fn rows(a: &PageDocument<'_>, b: &PageDocument<'_>) -> Vec<PageRow> {
    let shared = find_passages(&a.side, &b.side);
    let layout = Layout::new(&a.side, &b.side, &shared, true);
    let rows = layout.rows().into_iter().map(|row| match row {
        Row::Passage(found) => passage(found, &layout, a, b),
        Row::Only([in_a, in_b]) => {
            let [(start_a, length_a), (start_b, length_b)] = [place(in_a, a), place(in_b, b)];
            PageRow::Only(2, start_a, length_a, start_b, length_b)
        }
        Row::Elsewhere(number) => PageRow::Elsewhere(3, number),
    });
    rows.collect()
}

/// Returns where units are and how long their text is; both are 0 without units.
fn place(units: Option<Range<usize>>, shown: &PageDocument<'_>) -> (usize, usize) {
    let Some(units) = units else { return (0, 0) };
    let place = shown.side.stretch(&units);
    let (start, end) = (shown.offsets.of(place.start), shown.offsets.of(place.end));
    (start, end - start)
}

fn passage(
    passage: &Passage,
    layout: &Layout<'_, '_>,
    a: &PageDocument<'_>,
    b: &PageDocument<'_>,
) -> PageRow {
    let blocks = layout.passage(passage).into_iter();
    let blocks = blocks.filter_map(|block| match block {
        layout::Block::Places([in_a, in_b]) => Some([lengths(&in_a, a), lengths(&in_b, b)]),
        layout::Block::Hidden(_) => None,
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

/// The count is kept at every multiple of this many bytes.
const STEP: usize = 128;

/// A text with the data for turning places in bytes into UTF-16 code units.
#[derive(Debug)]
pub(super) struct Offsets<'t> {
    text: &'t str,
    /// A place at each multiple of [`STEP`] bytes, or as near behind it as a character begins: in bytes,
    /// and in code units.
    kept: Vec<(usize, usize)>,
}

impl<'t> Offsets<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut kept = Vec::with_capacity(text.len() / STEP + 1);
        let mut units = 0;
        let mut next = 0;
        for (at, c) in text.char_indices() {
            if at >= next {
                kept.push((at, units));
                next = at - at % STEP + STEP;
            }
            units += c.len_utf16();
        }
        Self { text, kept }
    }

    /// Returns a place between two characters, given in bytes, in code units.
    pub(super) fn of(&self, place: usize) -> usize {
        let before = self.kept.partition_point(|&(at, _)| at <= place);
        let (at, units) = match before {
            0 => (0, 0),
            _ => self.kept[before - 1],
        };
        let rest = self.text[at..place].chars().map(char::len_utf16);
        units + rest.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use dupfind_engine::Options;

    fn shown(text: &str) -> PageDocument<'_> {
        PageDocument {
            side: Side::new(text, &Options::default()),
            offsets: Offsets::new(text),
        }
    }

    fn of(a: &str, b: &str) -> Vec<PageRow> {
        rows(&shown(a), &shown(b))
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
    fn differences_are_beside_each_other() {
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

    proptest! {
        #[test]
        fn counts_as_the_browser_does(text in "[a中😀é]{0,400}") {
            let offsets = Offsets::new(&text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                prop_assert_eq!(offsets.of(at), text[..at].encode_utf16().count());
            }
        }
    }
}
