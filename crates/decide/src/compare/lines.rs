//! Finds short lines that both documents have. Most are headings, which are shorter than any tile.

use std::cmp::Ordering;
use std::ops::Range;

use crate::compare::side::Side;
use crate::compare::tiling::Tile;
use xxhash_rust::xxh3::xxh3_64;

/// The fewest units of a heading.
const LEAST: usize = 2;

/// Returns the lines that both documents have, as further tiles. `tiles` are those found before, in any order; a line
/// overlaps none of them. Each document has the line only once, as lines such as `</td>` or `Return value` are
/// everywhere and mean nothing.
pub(super) fn line_tiles(a: &Side<'_>, b: &Side<'_>, tiles: &[Tile]) -> Vec<Tile> {
    let mut is_taken_a = vec![false; a.units().len()];
    let mut is_taken_b = vec![false; b.units().len()];
    for tile in tiles {
        is_taken_a[tile.a..tile.a + tile.len].fill(true);
        is_taken_b[tile.b..tile.b + tile.len].fill(true);
    }
    let mut found = Vec::new();
    let (mut of_a, mut of_b) = (a.lines_once(), b.lines_once());
    while let ([(hash_a, in_a), rest_a @ ..], [(hash_b, in_b), rest_b @ ..]) = (of_a, of_b) {
        match hash_a.cmp(hash_b) {
            Ordering::Less => of_a = rest_a,
            Ordering::Greater => of_b = rest_b,
            Ordering::Equal => {
                let is_same = a.units()[in_a.clone()] == b.units()[in_b.clone()];
                let is_free = !is_taken_a[in_a.clone()].contains(&true)
                    && !is_taken_b[in_b.clone()].contains(&true);
                if is_same && is_free {
                    found.push(Tile {
                        a: in_a.start,
                        b: in_b.start,
                        len: in_a.len(),
                    });
                }
                (of_a, of_b) = (rest_a, rest_b);
            }
        }
    }
    found.sort_unstable_by_key(|tile| tile.a);
    found
}

/// Returns the lines that a document has once, by the hashes of their units, ascending.
pub(super) fn lines_once(side: &Side<'_>) -> Vec<(u64, Range<usize>)> {
    let units = side.units();
    let mut lines = Vec::new();
    let (mut start, mut bytes) = (0, Vec::new());
    for end in 1..=units.len() {
        if end < units.len() && side.line_break(end).is_none() {
            continue;
        }
        if end - start >= LEAST {
            bytes.clear();
            bytes.extend(units[start..end].iter().flat_map(|unit| unit.to_le_bytes()));
            lines.push((xxh3_64(&bytes), start..end));
        }
        start = end;
    }
    lines.sort_unstable_by_key(|(hash, line)| (*hash, line.start));
    let once = lines
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|same| same.len() == 1);
    once.flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::Options;

    #[test]
    fn headings_are_found_and_boilerplate_is_not() {
        let text = "# 标题\n\n## Dead letter\nx y\n一\n<td a>\n<td a>\n";
        let other = "<td a>\n## dead LETTER：\n一\nx y z\n正文\n标题";
        let [a, b] = [text, other].map(|text| Side::new(text, &Options::default()));
        let found = |tiles: &[Tile]| -> Vec<(usize, usize, usize)> {
            let tiles = line_tiles(&a, &b, tiles);
            tiles
                .iter()
                .map(|tile| (tile.a, tile.b, tile.len))
                .collect()
        };
        assert_eq!(found(&[]), [(0, 10, 2), (2, 2, 2)]);
        let taken = Tile { a: 1, b: 0, len: 1 };
        assert_eq!(found(&[taken]), [(2, 2, 2)]);
    }
}
