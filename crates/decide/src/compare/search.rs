//! Finds the passages of two documents.
//!
//! Tiles are one passage if they follow each other in both documents with little between them. The text between them is
//! a difference. A passage is extended by equal units a few units before or behind its tiles. Everything else is in one
//! document only.

use std::ops::Range;

use crate::compare::passages::{Part, Passage, Shared};
use crate::compare::refine::{LEAST_EQUAL, difference, merge_parts};
use crate::compare::side::{LEAST, Side, window_hashes};
use crate::compare::tiling::{Tile, line_tiles, tiles};
use dupfind_engine::text::units::Unit;

/// The fewest equal units of a passage that was moved. Two long documents have many matches of [`LEAST`] units by
/// chance.
const LEAST_MOVED: usize = 12;

/// The most units that differ in a row within a passage, in either document.
const WIDEST_GAP: usize = 96;

/// Returns the passages that two documents share, and the text outside of them.
pub fn find_passages(a: &Side<'_>, b: &Side<'_>) -> Shared {
    find_passages_of(a, b, LEAST)
}

/// As [`find_passages`], of tiles of at least so many units, unless a document is shorter.
pub(crate) fn find_passages_of(a: &Side<'_>, b: &Side<'_>, least: usize) -> Shared {
    let least = least.min(a.units().len()).min(b.units().len()).max(1);
    let tiles = match least {
        LEAST => tiles(a.units(), b.units(), least, [a.windows(), b.windows()]),
        _ => {
            let [in_a, in_b] = [a, b].map(|side| window_hashes(side.units(), least));
            tiles(a.units(), b.units(), least, [&in_a, &in_b])
        }
    };
    let mut tiles = without_chance(&tiles);
    tiles.extend(line_tiles(a, b, &tiles));
    tiles.sort_unstable_by_key(|tile| tile.a);
    let mut passages: Vec<Passage> = groups(&tiles)
        .into_iter()
        .map(|group| passage_of(&tiles[group], a.units(), b.units()))
        .collect();
    extend(&mut passages, a.units(), b.units());
    trim(&mut passages, a, b);
    let spots: Vec<Spot> = passages
        .iter()
        .map(|passage| Spot {
            b: passage.b.start,
            weight: passage.same(),
        })
        .collect();
    for (passage, keeps_order) in passages.iter_mut().zip(heaviest_chain(&spots)) {
        passage.is_moved = !keeps_order;
    }
    Shared::new(passages, a, b)
}

/// Returns the tiles without chance matches: groups that have another order in the second document, and are too short
/// for moved passages. Tiles are in the order of the first document.
fn without_chance(tiles: &[Tile]) -> Vec<Tile> {
    let groups = groups(tiles);
    let spots: Vec<Spot> = groups
        .iter()
        .map(|group| Spot::of(&tiles[group.clone()]))
        .collect();
    let kept = groups.into_iter().zip(&spots).zip(heaviest_chain(&spots));
    kept.filter(|((_, spot), keeps_order)| *keeps_order || spot.weight >= LEAST_MOVED)
        .flat_map(|((group, _), _)| tiles[group].iter().copied())
        .collect()
}

/// Returns the ranges of tiles that make one passage. Tiles are in the order of the first document.
fn groups(tiles: &[Tile]) -> Vec<Range<usize>> {
    let ranks = ranks(tiles.iter().map(|tile| tile.b));
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, tile) in tiles.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if ranks[at] == ranks[at - 1] + 1 && is_near(&tiles[at - 1], tile) => {
                group.end = at + 1;
            }
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// Returns whether so little lies between two tiles that a reader sees one passage.
fn is_near(tile: &Tile, next: &Tile) -> bool {
    let gap_a = next.a - (tile.a + tile.len);
    let gap_b = next.b - (tile.b + tile.len);
    gap_a.max(gap_b) <= WIDEST_GAP.min(2 * (tile.len + next.len))
}

/// Returns the rank of each number. The numbers are all different.
fn ranks(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let numbers: Vec<usize> = numbers.collect();
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by_key(|&at| numbers[at]);
    let mut ranks = vec![0; numbers.len()];
    for (rank, &at) in order.iter().enumerate() {
        ranks[at] = rank;
    }
    ranks
}

/// Returns the passage of tiles that follow each other in both documents.
fn passage_of(tiles: &[Tile], a: &[Unit], b: &[Unit]) -> Passage {
    let mut parts = Vec::new();
    let (mut end_a, mut end_b) = (tiles[0].a, tiles[0].b);
    for tile in tiles {
        parts.extend(difference(a, end_a..tile.a, b, end_b..tile.b));
        (end_a, end_b) = (tile.a + tile.len, tile.b + tile.len);
        parts.push(Part {
            a: tile.a..end_a,
            b: tile.b..end_b,
            is_same: true,
        });
    }
    Passage {
        a: tiles[0].a..end_a,
        b: tiles[0].b..end_b,
        parts: merge_parts(parts),
        is_moved: false,
    }
}

/// Extends every passage by equal units behind it and before it, as far as the next passage: by parts of
/// [`LEAST_EQUAL`] units, or by parts of any length at the ends of both documents.
fn extend(passages: &mut [Passage], a: &[Unit], b: &[Unit]) {
    let mut order_b: Vec<usize> = (0..passages.len()).collect();
    order_b.sort_unstable_by_key(|&at| passages[at].b.start);
    let rank_b = ranks(passages.iter().map(|passage| passage.b.start));
    let neighbour = |at: usize, step: isize| {
        let rank = rank_b[at].checked_add_signed(step)?;
        order_b.get(rank).copied()
    };
    for at in 0..passages.len() {
        let next_a = passages.get(at + 1).map_or(a.len(), |next| next.a.start);
        let next_b = neighbour(at, 1).map_or(b.len(), |next| passages[next].b.start);
        let passage = &mut passages[at];
        let (from_a, from_b) = (passage.a.end, passage.b.end);
        let to_a = next_a.min(from_a + WIDEST_GAP);
        let to_b = next_b.min(from_b + WIDEST_GAP);
        let is_end = to_a == a.len() && to_b == b.len();
        let mut found = extension(a, from_a..to_a, b, from_b..to_b, is_end);
        let kept = found.iter().rposition(|part| belongs(part, is_end));
        let kept = kept.map_or(0, |at| at + 1);
        if !(is_end && are_short(&found[kept..])) {
            found.truncate(kept);
        }
        if let Some(last) = found.last() {
            (passage.a.end, passage.b.end) = (last.a.end, last.b.end);
            passage.parts.append(&mut found);
        }

        let before_a = at.checked_sub(1).map_or(0, |before| passages[before].a.end);
        let before_b = neighbour(at, -1).map_or(0, |before| passages[before].b.end);
        let passage = &mut passages[at];
        let (to_a, to_b) = (passage.a.start, passage.b.start);
        let from_a = before_a.max(to_a.saturating_sub(WIDEST_GAP));
        let from_b = before_b.max(to_b.saturating_sub(WIDEST_GAP));
        let is_end = from_a == 0 && from_b == 0;
        let mut found = extension(a, from_a..to_a, b, from_b..to_b, is_end);
        let kept = found.iter().position(|part| belongs(part, is_end));
        let kept = kept.unwrap_or(found.len());
        if !(is_end && are_short(&found[..kept])) {
            found.drain(..kept);
        }
        if let Some(first) = found.first() {
            (passage.a.start, passage.b.start) = (first.a.start, first.b.start);
            passage.parts.splice(..0, found);
        }
        let parts = std::mem::take(&mut passage.parts);
        passage.parts = merge_parts(parts);
    }
}

/// Returns the parts of a stretch beside a passage; none if no part of it can belong to the passage ([`belongs`]).
fn extension(
    a: &[Unit],
    range_a: Range<usize>,
    b: &[Unit],
    range_b: Range<usize>,
    is_end: bool,
) -> Vec<Part> {
    let [mut in_a, in_b] =
        [&a[range_a.clone()], &b[range_b.clone()]].map(|units| units.windows(LEAST_EQUAL));
    let is_in_b = |run: &[Unit]| in_b.clone().any(|other| other[0] == run[0] && other == run);
    match is_end || in_a.any(is_in_b) {
        true => difference(a, range_a, b, range_b),
        false => Vec::new(),
    }
}

/// Returns whether a passage is extended up to this part, which lies beyond its tiles: the part is no coincidence, or
/// the stretch reaches the ends of both documents.
fn belongs(part: &Part, is_end: bool) -> bool {
    part.is_same && (is_end || part.a.len() >= LEAST_EQUAL)
}

/// Returns whether parts at the ends of both documents are so short that they count as a change in the passage beside
/// them, and not as something that only one document has.
fn are_short(parts: &[Part]) -> bool {
    let a: usize = parts.iter().map(|part| part.a.len()).sum();
    let b: usize = parts.iter().map(|part| part.b.len()).sum();
    a.max(b) < LEAST
}

/// Where a passage begins in the second document, and how many equal units it has.
struct Spot {
    b: usize,
    weight: usize,
}

impl Spot {
    fn of(tiles: &[Tile]) -> Self {
        Self {
            b: tiles[0].b,
            weight: tiles.iter().map(|tile| tile.len).sum(),
        }
    }
}

/// Returns which spots keep their order: those of the heaviest choice that has the same order in both documents. All
/// others were moved. Spots are in the order of the first document.
///
/// It is the heaviest increasing subsequence, by a Fenwick tree of the best chain that ends up to each rank.
fn heaviest_chain(spots: &[Spot]) -> Vec<bool> {
    let ranks = ranks(spots.iter().map(|spot| spot.b));
    // The weight of the best chain and its last spot, for each rank from 1 on.
    let mut tree: Vec<(usize, Option<usize>)> = vec![(0, None); spots.len() + 1];
    let mut before = vec![None; spots.len()];
    for (at, spot) in spots.iter().enumerate() {
        let (mut best, mut node) = ((0, None), ranks[at]);
        while node > 0 {
            best = best.max(tree[node]);
            node &= node - 1;
        }
        before[at] = best.1;
        let chain = (best.0 + spot.weight, Some(at));
        let mut node = ranks[at] + 1;
        while node < tree.len() {
            tree[node] = tree[node].max(chain);
            node += node & node.wrapping_neg();
        }
    }
    let mut is_chosen = vec![false; spots.len()];
    let (mut best, mut node) = ((0, None), spots.len());
    while node > 0 {
        best = best.max(tree[node]);
        node &= node - 1;
    }
    let mut link = best.1;
    while let Some(at) = link {
        is_chosen[at] = true;
        link = before[at];
    }
    is_chosen
}

/// Cuts off fewer than [`LEAST`] units before the first common line break of each passage and behind the last one,
/// unless they are whole lines.
pub(super) fn trim(passages: &mut [Passage], a: &Side<'_>, b: &Side<'_>) {
    let breaks = |in_a: usize, in_b: usize| {
        let starts = |side: &Side<'_>, unit: usize| {
            unit == 0 || unit == side.units().len() || side.line_break(unit).is_some()
        };
        starts(a, in_a) && starts(b, in_b)
    };
    for passage in passages {
        let mut same = passage.same();
        // Returns how many units a part may lose.
        let spare = |len: usize, same: usize| {
            let most = len.saturating_sub(1).min(LEAST - 1);
            most.min(same.saturating_sub(LEAST))
        };
        if let Some(last) = passage.parts.last_mut()
            && !breaks(last.a.end, last.b.end)
            && let Some(cut) = (1..=spare(last.a.len(), same))
                .find(|cut| breaks(last.a.end - cut, last.b.end - cut))
        {
            same -= cut;
            last.a.end -= cut;
            last.b.end -= cut;
            (passage.a.end, passage.b.end) = (last.a.end, last.b.end);
        }
        if let Some(first) = passage.parts.first_mut()
            && !breaks(first.a.start, first.b.start)
            && let Some(cut) = (1..=spare(first.a.len(), same))
                .find(|cut| breaks(first.a.start + cut, first.b.start + cut))
        {
            first.a.start += cut;
            first.b.start += cut;
            (passage.a.start, passage.b.start) = (first.a.start, first.b.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::Options;

    fn shared(a: &str, b: &str) -> Vec<String> {
        let [a, b] = [a, b].map(|text| Side::new(text, &Options::default()));
        let passages = find_passages(&a, &b).passages;
        let text = |passage: &Passage| a.text()[a.stretch(&passage.a)].trim().to_owned();
        passages.iter().map(text).collect()
    }

    #[test]
    fn the_next_paragraph_is_not_begun() {
        let moved = "春天的早晨跑步的人绕着湖边。";
        let a = format!("旧城区的梧桐树安静\n{moved}\n当日下了一整夜的大雨\n");
        let b = format!("修鞋摊已经摆了三十年\n{moved}\n当然没有人知道是为什么\n");
        assert_eq!(shared(&a, &b), [moved]);
        let (a, b) = (
            format!("昨天和今天的天气都好得了。\n{moved}"),
            format!("窗外远处的风景十分美丽得了。\n{moved}"),
        );
        assert_eq!(shared(&a, &b), [moved]);
    }

    #[test]
    fn whole_lines_and_whole_documents_stay() {
        let text = "春天的早晨跑步的人绕着湖边。\n完\n";
        assert_eq!(shared(text, text), [text.trim()]);
        let (a, b) = (
            format!("天地玄黄宇宙洪荒\n{text}日月盈昃辰宿列张"),
            format!("寒来暑往秋收冬藏\n{text}闰余成岁律吕调阳"),
        );
        assert_eq!(shared(&a, &b), [text.trim()]);
    }
}
