//! Finds the runs of units that two documents share, wherever they are: greedy string tiling by Karp-Rabin hashing
//! (Wise 1993).
//!
//! A tile is a run of equal units in both documents. Tiles do not overlap in either document. Long tiles are laid
//! first. So a paragraph that was moved is one tile, and no short coincidence cuts it. Wise searches for the longest
//! match again after every tile, which needs at least quadratic time. Here the documents are searched in a few rounds:
//! for matches of at least 1024, 256, ... times the least length, and at last for those of the least length. Each round
//! goes from the beginning to the end. So a tile is at least a quarter as long as the longest one that could be laid.
//!
//! Windows with equal hashes are candidates, and their units are compared. The hash of a window of 2n units is made of
//! the hashes of its halves. Unlike a rolling hash, it is safe with hostile texts.
//!
//! In every round each window is looked up once, and at most [`CANDIDATES`] places are tried for it. A try takes no
//! longer than the tile that is then laid. So the time grows linearly for all texts: a text of one character a million
//! times is one tile after 32 tries.
//!
//! The windows of the least length are indexed first. As many of them in a row as are in both documents limit the length of
//! a tile, and rounds for longer ones are left out.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use dupfind_engine::text::units::Unit;
use xxhash_rust::xxh3::xxh3_64;

use crate::compare::side::Side;

/// A run of equal units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tile {
    /// Where it begins in the first document.
    pub(crate) a: usize,
    /// Where it begins in the second document.
    pub(crate) b: usize,
    /// How many units it has.
    pub(crate) len: usize,
}

/// The most places of the second document that are tried for one window of the first one.
const CANDIDATES: usize = 32;

/// How many times as long the matches of one round are as those of the next.
const STEP: usize = 4;

/// The number of rounds before the last: they begin with windows of `least * 4^5` units.
const ROUNDS: u32 = 5;

/// Marks the end of a chain of places.
const END: u32 = u32::MAX;

/// Returns the tiles of two documents, in the order of the first one. `least` is the least length of a tile, and `hashes` are
/// those of the windows of as many units. Equal documents have one tile.
pub(crate) fn tiles(a: &[Unit], b: &[Unit], least: usize, hashes: [&[u64]; 2]) -> Vec<Tile> {
    let mut floor = Floor::new(a, b);
    floor.lay_ends(least);
    let mut index = Index::new(hashes[1], |_| true);
    let longest = floor.longest_row(hashes[0], &index) + least - 1;
    for window in (1..=ROUNDS).rev().map(|round| STEP.pow(round) * least) {
        if window <= longest {
            let [hashes_a, hashes_b] = hashes.map(|hashes| widened(hashes, least, window));
            let free = free_runs(&floor.is_taken_b);
            let mut index = Index::new(&hashes_b, |start| free[start] as usize >= window);
            floor.lay_round(&hashes_a, &mut index, window);
        }
    }
    // No tile is shorter than a window, so that a window with a taken unit has one at an end.
    floor.lay_round(hashes[0], &mut index, least);
    floor.tiles.sort_unstable_by_key(|tile| tile.a);
    floor.tiles
}

/// The documents and the tiles laid so far.
struct Floor<'u> {
    a: &'u [Unit],
    b: &'u [Unit],
    is_taken_a: Vec<bool>,
    is_taken_b: Vec<bool>,
    tiles: Vec<Tile>,
}

impl<'u> Floor<'u> {
    fn new(a: &'u [Unit], b: &'u [Unit]) -> Self {
        Self {
            a,
            b,
            is_taken_a: vec![false; a.len()],
            is_taken_b: vec![false; b.len()],
            tiles: Vec::new(),
        }
    }

    fn lay(&mut self, tile: Tile) {
        self.is_taken_a[tile.a..tile.a + tile.len].fill(true);
        self.is_taken_b[tile.b..tile.b + tile.len].fill(true);
        self.tiles.push(tile);
    }

    /// Lays tiles on the common beginning and end of both documents. Two versions of a document share these. Of several
    /// ways to lay tiles on a repetitive text, this is the one that a reader expects.
    fn lay_ends(&mut self, least: usize) {
        let equal = |(a, b): &(&Unit, &Unit)| a == b;
        let head = self.a.iter().zip(self.b).take_while(equal).count();
        let head = if head < least { 0 } else { head };
        let (a, b) = (&self.a[head..], &self.b[head..]);
        let tail = a.iter().rev().zip(b.iter().rev());
        let tail = tail.take_while(equal).count();
        if head > 0 {
            self.lay(Tile {
                a: 0,
                b: 0,
                len: head,
            });
        }
        if tail >= least {
            let (a, b) = (self.a.len() - tail, self.b.len() - tail);
            self.lay(Tile { a, b, len: tail });
        }
    }

    /// Returns how many windows of the first document in a row begin with a free unit and are in the second one, at most.
    fn longest_row(&self, hashes: &[u64], index: &Index<'_>) -> usize {
        let (mut row, mut longest) = (0, 0);
        for (hash, is_taken) in hashes.iter().zip(&self.is_taken_a) {
            let is_there = !is_taken && index.first.contains_key(hash);
            row = if is_there { row + 1 } else { 0 };
            longest = longest.max(row);
        }
        longest
    }

    /// Lays tiles of at least `window` units, from the beginning of the first document to its end. `hashes` are those of the
    /// windows of that length of the first document, and the index has those of the second one.
    fn lay_round(&mut self, hashes: &[u64], index: &mut Index<'_>, window: usize) {
        let free = free_runs(&self.is_taken_a);
        let mut at = 0;
        // Where the next tile would begin in the second document if nothing had changed or moved.
        let mut expected = 0;
        while let Some(&hash) = hashes.get(at) {
            if (free[at] as usize) < window {
                at += free[at].max(1) as usize;
                continue;
            }
            let Some(tile) = self.longest(index, hash, at, expected, window) else {
                at += 1;
                expected += 1;
                continue;
            };
            self.lay(tile);
            at = tile.a + tile.len;
            expected = tile.b + tile.len;
        }
    }

    /// Returns the longest tile that covers a window of the first document. Of equally long ones it is the one that
    /// goes on where the last tile ended.
    fn longest(
        &self,
        index: &mut Index<'_>,
        hash: u64,
        at: usize,
        expected: usize,
        window: usize,
    ) -> Option<Tile> {
        let mut best: Option<Tile> = None;
        let mut consider = |start: usize| {
            let tile = self.extended(at, start);
            if tile.len >= window && best.is_none_or(|best| tile.len > best.len) {
                best = Some(tile);
            }
        };
        if index.hashes.get(expected) == Some(&hash) && !self.is_covered(expected, window) {
            consider(expected);
        }
        for start in index.places(hash, |start| self.is_covered(start, window)) {
            consider(start);
        }
        best
    }

    /// Returns whether a tile has been laid on a window that was free when the round began. Tiles of this round are at
    /// least as long as the window. So a tile that touches the window covers one of its ends.
    fn is_covered(&self, start: usize, window: usize) -> bool {
        self.is_taken_b[start] || self.is_taken_b[start + window - 1]
    }

    /// Returns the longest run of equal free units around two places.
    fn extended(&self, a: usize, b: usize) -> Tile {
        let fits = |a: usize, b: usize| {
            self.a[a] == self.b[b] && !self.is_taken_a[a] && !self.is_taken_b[b]
        };
        let after = (a..self.a.len()).zip(b..self.b.len());
        let after = after.take_while(|&(a, b)| fits(a, b)).count();
        let before = (0..a).rev().zip((0..b).rev());
        let before = before.take_while(|&(a, b)| fits(a, b)).count();
        Tile {
            a: a - before,
            b: b - before,
            len: before + after,
        }
    }
}

/// The places of windows by their hashes, in ascending order.
struct Index<'h> {
    hashes: &'h [u64],
    first: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    next: Vec<u32>,
}

/// Takes a number that is a hash already for its hash.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl<'h> Index<'h> {
    /// Returns the index of some of the windows with these hashes.
    fn new(hashes: &'h [u64], is_wanted: impl Fn(usize) -> bool) -> Self {
        let mut first = HashMap::with_capacity_and_hasher(hashes.len(), Default::default());
        let mut next = vec![END; hashes.len()];
        for (start, &hash) in hashes.iter().enumerate().rev() {
            if is_wanted(start) {
                // Positions are 32 bits wide. Documents of more units are never read.
                let Ok(start) = u32::try_from(start) else {
                    continue;
                };
                if let Some(after) = first.insert(hash, start) {
                    next[start as usize] = after;
                }
            }
        }
        Self {
            hashes,
            first,
            next,
        }
    }

    /// Returns the first places with a hash, at most [`CANDIDATES`]. Covered places are removed for good, so that each
    /// of them costs time only once.
    fn places(&mut self, hash: u64, is_covered: impl Fn(usize) -> bool) -> Vec<usize> {
        let Some(first) = self.first.get_mut(&hash) else {
            return Vec::new();
        };
        let mut places = Vec::new();
        let mut link = *first;
        // The last place that is not covered. It has the link to the next one.
        let mut last: Option<u32> = None;
        while link != END && places.len() < CANDIDATES {
            let place = link as usize;
            link = self.next[place];
            if is_covered(place) {
                match last {
                    None => *first = link,
                    Some(last) => self.next[last as usize] = link,
                }
            } else {
                last = u32::try_from(place).ok();
                places.push(place);
            }
        }
        places
    }
}

/// Returns how many units in a row are free from each place on.
fn free_runs(is_taken: &[bool]) -> Vec<u32> {
    let mut runs = vec![0; is_taken.len()];
    let mut run = 0;
    for (place, &is_taken) in is_taken.iter().enumerate().rev() {
        run = if is_taken { 0 } else { run + 1 };
        runs[place] = run;
    }
    runs
}

/// Returns the hash of every window of `window` units, which is `least` times a power of two, from those of the windows
/// of `least` units.
fn widened(hashes: &[u64], least: usize, window: usize) -> Vec<u64> {
    let mut hashes = hashes.to_vec();
    let mut width = least;
    while width < window {
        let doubled = hashes.len().saturating_sub(width);
        for place in 0..doubled {
            hashes[place] = joined(hashes[place], hashes[place + width]);
        }
        hashes.truncate(doubled);
        width *= 2;
    }
    hashes
}

/// Returns the hash of two neighbouring windows together, from the hash of each: both halves of the product of the two.
#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
fn joined(left: u64, right: u64) -> u64 {
    let product =
        u128::from(left ^ 0x9e37_79b9_7f4a_7c15) * u128::from(right ^ 0xc2b2_ae3d_27d4_eb4f);
    (product ^ product >> 64) as u64
}

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

#[cfg(test)]
mod tests {
    use dupfind_engine::Options;
    use proptest::prelude::*;

    use super::*;
    use crate::compare::side::window_hashes;

    fn units(text: &str) -> Vec<Unit> {
        text.chars().map(Unit::from).collect()
    }

    fn tiles_of(a: &[Unit], b: &[Unit], least: usize) -> Vec<Tile> {
        let least = least.min(a.len()).min(b.len()).max(1);
        let [in_a, in_b] = [a, b].map(|units| window_hashes(units, least));
        tiles(a, b, least, [&in_a, &in_b])
    }

    fn found(a: &str, b: &str, least: usize) -> Vec<(usize, usize, usize)> {
        let tiles = tiles_of(&units(a), &units(b), least);
        tiles.iter().map(|t| (t.a, t.b, t.len)).collect()
    }

    #[test]
    fn shared_text_is_found_in_any_order() {
        assert_eq!(found("abcdefgh", "abcdefgh", 4), [(0, 0, 8)]);
        assert_eq!(found("abcd-efgh", "efgh+abcd", 4), [(0, 5, 4), (5, 0, 4)]);
        assert_eq!(found("abcdxefgh", "abcdefgh", 4), [(0, 0, 4), (5, 4, 4)]);
        assert_eq!(found("abc", "xyz", 2), []);
        assert_eq!(found("", "xyz", 2), []);
        // A document shorter than a tile is one if the other has all of it.
        assert_eq!(found("ab", "xxabxx", 4), [(0, 2, 2)]);
    }

    #[test]
    fn a_long_tile_is_not_torn_by_a_short_one_before_it() {
        let long = "0123456789abcdefghijklmnopqrstuvwxyz";
        let (a, b) = (format!("<ghijk>{long}!"), format!("#{long}%"));
        assert_eq!(found(&a, &b, 4), [(7, 1, 36)]);
    }

    #[test]
    fn repetitive_texts_need_no_more_time_than_others() {
        let many = "啊".repeat(60_000);
        assert_eq!(found(&many, &many, 8), [(0, 0, 60_000)]);
        let other = format!("b{}c", "啊".repeat(59_000));
        assert_eq!(found(&many, &other, 8), [(0, 1, 59_000)]);
        let (ab, ba) = ("ab".repeat(20_000), "ba".repeat(20_000));
        assert_eq!(found(&ab, &ba, 8), [(0, 1, 39_999)]);
        // Islands of one text in another: every window has very many places.
        let islands = format!("{}-", "啊".repeat(50)).repeat(800);
        let shared: usize = found(&many, &islands, 8).iter().map(|t| t.2).sum();
        assert_eq!(shared, 40_000);
    }

    proptest! {
        #[test]
        fn tiles_are_equal_runs_that_do_not_overlap(
            a in "[ab]{0,80}|[a-d]{0,200}", b in "[ab]{0,80}|[a-d]{0,200}", least in 1_usize..9,
        ) {
            let (a, b) = (units(&a), units(&b));
            let tiles = tiles_of(&a, &b, least);
            let (mut in_a, mut in_b) = (vec![0; a.len()], vec![0; b.len()]);
            for &Tile { a: x, b: y, len } in &tiles {
                prop_assert!(len >= least.min(a.len()).min(b.len()).max(1));
                prop_assert_eq!(&a[x..x + len], &b[y..y + len]);
                in_a[x..x + len].iter_mut().for_each(|count| *count += 1);
                in_b[y..y + len].iter_mut().for_each(|count| *count += 1);
            }
            prop_assert!(in_a.iter().chain(&in_b).all(|&count| count <= 1));
            prop_assert!(tiles.is_sorted_by_key(|tile| tile.a));
            // The units outside of the tiles share no further tile.
            let free = |taken: &[i32], at: usize, len: usize| taken[at..at + len].iter().all(|&count| count == 0);
            let len = least.min(a.len()).min(b.len()).max(1);
            for (x, left) in a.windows(len).enumerate().filter(|(x, _)| free(&in_a, *x, len)) {
                for (y, right) in b.windows(len).enumerate().filter(|(y, _)| free(&in_b, *y, len)) {
                    prop_assert!(left != right, "{x} {y}");
                }
            }
        }
    }

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
