//! Passages: places in one document, each with its counterpart in the other, as a reader sees them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::iter::once;
use std::ops::Range;

use crate::compare::side::Side;

/// A stretch of both documents that is the same, but for changes in it. Ranges are of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it is in the first document.
    pub a: Range<usize>,
    /// Where it is in the second document.
    pub b: Range<usize>,
    /// Its parts, in order and without gaps: equal and changed ones by turns. The first and the last part are equal,
    /// except at the beginning or end of both documents.
    pub parts: Vec<Part>,
    /// Whether its place in the order of passages is another one in the second document.
    pub is_moved: bool,
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Where it is in the first document; empty if it was inserted.
    pub a: Range<usize>,
    /// Where it is in the second document; empty if it was left out.
    pub b: Range<usize>,
    /// Whether both documents have the same units there.
    pub is_same: bool,
}

impl Passage {
    /// Returns how many of its units are the same in both documents.
    pub fn same(&self) -> usize {
        let same = self.parts.iter().filter(|part| part.is_same);
        same.map(|part| part.a.len()).sum()
    }

    /// Returns the stretches of both texts that the parts are shown as, in bytes.
    pub fn texts(&self, a: &Side<'_>, b: &Side<'_>) -> [Vec<Range<usize>>; 2] {
        let in_a = self.parts.iter().map(|part| (part.a.clone(), part.is_same));
        let in_b = self.parts.iter().map(|part| (part.b.clone(), part.is_same));
        [a.parts(&self.a, in_a), b.parts(&self.b, in_b)]
    }

    /// Returns how many of its parts differ.
    pub fn changes(&self) -> usize {
        self.parts.iter().filter(|part| !part.is_same).count()
    }

    /// Returns its parts of which most is the same: it is cut where most differs.
    pub(crate) fn dense(self) -> Vec<Self> {
        let longer = self.a.len().max(self.b.len());
        if self.same() * 2 >= longer {
            return vec![self];
        }
        let gaps = self.parts.iter().filter(|part| !part.is_same);
        let Some(gap) = gaps.max_by_key(|part| part.a.len().max(part.b.len())) else {
            return vec![self];
        };
        let before = self.a.start..gap.a.start;
        let behind = gap.a.end..self.a.end;
        let sides = [before, behind].into_iter();
        let sides = sides.filter_map(|range| self.clipped(&range));
        sides.flat_map(Self::dense).collect()
    }

    /// Returns the part of it that is in a range of the first document, from its first equal unit there to its last one; `None`
    /// if there is none.
    pub(crate) fn clipped(&self, range: &Range<usize>) -> Option<Self> {
        let parts = self.parts.iter().filter_map(|part| {
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
        Some(Self {
            a: parts[0].a.start..parts[parts.len() - 1].a.end,
            b: parts[0].b.start..parts[parts.len() - 1].b.end,
            parts,
            is_moved: self.is_moved,
        })
    }
}

/// Returns what two ranges have in common; an empty range if that is nothing.
pub(crate) fn common(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// The passages that two documents share, and the text outside of them.
#[derive(Debug)]
pub struct Shared {
    /// The passages, in the order of the first document.
    pub passages: Vec<Passage>,
    /// The ranges of the units of each document that are in no passage, in order.
    pub only: [Vec<Range<usize>>; 2],
}

impl Shared {
    /// Returns these passages with the text outside of them. They are in the order of the first document.
    pub(super) fn new(passages: Vec<Passage>, a: &Side<'_>, b: &Side<'_>) -> Self {
        let mut in_b: Vec<_> = passages.iter().map(|passage| passage.b.clone()).collect();
        in_b.sort_unstable_by_key(|place| place.start);
        let in_a = passages.iter().map(|passage| passage.a.clone());
        let only = [
            uncovered(in_a, a.units().len()),
            uncovered(in_b.into_iter(), b.units().len()),
        ];
        Self { passages, only }
    }

    /// Returns how many units of the passages are the same in both documents.
    pub fn same(&self) -> usize {
        self.passages.iter().map(Passage::same).sum()
    }
}

/// Returns the ranges of a document that lie between others. `taken` are these others, in order, `len` is the end of
/// the document.
pub fn uncovered(taken: impl Iterator<Item = Range<usize>>, len: usize) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut rest = Vec::new();
    for place in taken.chain(once(len..len)) {
        if end < place.start {
            rest.push(end..place.start);
        }
        end = place.end;
    }
    rest
}

/// Words that are replaced by others in the second document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap<'t> {
    /// The words of the first document.
    pub before: &'t str,
    /// The words of the second document.
    pub after: &'t str,
    /// In how many places.
    pub places: usize,
}

/// Returns the words that are swapped most often in the passages of two documents: up to three, those of most places first.
pub fn swaps<'t>(passages: &[Passage], a: &Side<'t>, b: &Side<'t>) -> Vec<Swap<'t>> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for passage in passages {
        let [in_a, in_b] = passage.texts(a, b);
        for ((part, in_a), in_b) in passage.parts.iter().zip(in_a).zip(in_b) {
            let units = 1..=8;
            if !part.is_same && units.contains(&part.a.len()) && units.contains(&part.b.len()) {
                let words = (a.text()[in_a].trim(), b.text()[in_b].trim());
                *places.entry(words).or_default() += 1;
            }
        }
    }
    let several = places.into_iter().filter(|(_, places)| *places > 1);
    let swaps = several.map(|((before, after), places)| Swap {
        before,
        after,
        places,
    });
    let mut swaps: Vec<Swap<'_>> = swaps.collect();
    swaps.sort_by_key(|swap| Reverse(swap.places));
    swaps.truncate(3);
    swaps
}
