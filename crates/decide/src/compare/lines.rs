//! Finds short lines that both documents have. Most are headings, which are shorter than any tile.

use std::collections::HashMap;
use std::ops::Range;

use crate::compare::side::Side;
use crate::compare::tiling::Tile;
use dupfind_engine::text::units::Unit;

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
    let unique_b = unique_lines(b);
    let mut found: Vec<Tile> = unique_lines(a)
        .into_iter()
        .filter_map(|(units, a)| Some((a?, unique_b.get(units)?.clone()?)))
        .filter(|(a, b)| {
            let is_free =
                |is_taken: &[bool], line: &Range<usize>| !is_taken[line.clone()].contains(&true);
            is_free(&is_taken_a, a) && is_free(&is_taken_b, b)
        })
        .map(|(a, b)| Tile {
            a: a.start,
            b: b.start,
            len: a.len(),
        })
        .collect();
    found.sort_unstable_by_key(|tile| tile.a);
    found
}

/// Returns the lines of a document by their units, each with its place; `None` if the document has it twice.
fn unique_lines<'s>(side: &'s Side<'_>) -> HashMap<&'s [Unit], Option<Range<usize>>> {
    let units = side.units();
    let mut lines = HashMap::new();
    let mut start = 0;
    for end in 1..=units.len() {
        if end < units.len() && side.line_break(end).is_none() {
            continue;
        }
        if end - start >= LEAST {
            lines
                .entry(&units[start..end])
                .and_modify(|place| *place = None)
                .or_insert(Some(start..end));
        }
        start = end;
    }
    lines
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
