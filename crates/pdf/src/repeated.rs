//! Lines at the same place of many pages: running heads and feet, numbers of pages.

use std::collections::HashMap;

use crate::line::Line;

/// How many lines at the top and at the bottom of a page may be heads and feet.
const LINES: usize = 3;

/// On how many pages the same line is a head or a foot. A number alone is one on fewer.
const PAGES: usize = 3;
const PAGES_OF_NUMBERS: usize = 2;

/// How far apart two lines may be that are at the same place, in points.
const SAME_PLACE: f64 = 3.0;

/// The words of a line without its numbers, and where it is.
type Key = (String, i64);

/// Removes lines at the same place of many pages.
pub(crate) fn remove(pages: &mut [Vec<Line>]) {
    let mut counts: HashMap<Key, usize> = HashMap::new();
    for page in pages.iter() {
        let mut keys: Vec<Key> = outermost(page)
            .into_iter()
            .map(|at| key(&page[at]))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
    }
    for page in pages {
        let is_repeated = |line: &Line| {
            let key = key(line);
            let most = if key.0 == "#" {
                PAGES_OF_NUMBERS
            } else {
                PAGES
            };
            counts.get(&key).is_some_and(|&count| count >= most)
        };
        let mut repeated: Vec<usize> = outermost(page);
        repeated.retain(|&at| is_repeated(&page[at]));
        for at in repeated.into_iter().rev() {
            let removed = page.remove(at);
            if let Some(next) = page.get_mut(at) {
                next.is_first |= removed.is_first;
            }
        }
    }
}

/// Returns the numbers of the lines at the top and at the bottom of a page, sorted.
fn outermost(page: &[Line]) -> Vec<usize> {
    let mut upright: Vec<usize> = (0..page.len()).filter(|&at| page[at].turns == 0).collect();
    upright.sort_by(|&a, &b| page[a].base.total_cmp(&page[b].base));
    let below = upright
        .len()
        .saturating_sub(LINES)
        .max(LINES.min(upright.len()));
    let mut outermost = upright[..LINES.min(upright.len())].to_vec();
    outermost.extend(&upright[below..]);
    outermost.sort_unstable();
    outermost
}

fn key(line: &Line) -> Key {
    #[expect(clippy::cast_possible_truncation, reason = "places on a page")]
    let place = (line.base / SAME_PLACE).round() as i64;
    let is_number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
        !digits.is_empty()
            && (digits.bytes().all(|b| b.is_ascii_digit())
                || digits.bytes().all(|b| b"ivxlc".contains(&b)))
    };
    let words = line.text.split_whitespace();
    let words = words.map(|word| if is_number(word) { "#" } else { word });
    (words.collect::<Vec<_>>().join(" "), place)
}
