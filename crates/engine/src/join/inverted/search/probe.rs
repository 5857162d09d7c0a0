//! One set looking for the sets before it that it is similar to: the inner loop of the Jaccard join.
//!
//! See [`crate::join::jaccard`] for the idea.

use std::ops::Range;

use crate::join::inverted::floor;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::search::rank_set::{FrequentSet, RankSet, WeightedRankSet};
use crate::join::inverted::search::{SizeTiles, Tuning, weighted};
use crate::join::threshold::Threshold;

/// A set's tail is at most this share of the overlap that its pairs need. A shorter tail leaves long
/// lists to count, a longer one leaves candidates to verify.
const TAIL: (u64, u64) = (3, 4);

/// Counters that are looked at together: if the largest of them is too small, none is a candidate.
const BLOCK: usize = 32;

/// Sets ready for probing.
#[derive(Debug)]
pub(crate) struct ProbedSets<'i> {
    /// The sizes of all sets.
    pub(crate) sizes: &'i [u32],
    /// The smallest size of each set's class, ascending.
    pub(crate) floors: &'i [u32],
    pub(crate) postings: &'i Postings,
    /// The lowest rank of a frequent element, and of one whose list is not short.
    frequent: u32,
    long: u32,
    /// Of the sets to be found.
    pub(crate) tiles: &'i SizeTiles,
    pub(crate) threshold: Threshold,
    tuning: &'i Tuning,
}

impl<'i> ProbedSets<'i> {
    pub(crate) fn new(
        sizes: &'i [u32],
        floors: &'i [u32],
        postings: &'i Postings,
        tiles: &'i SizeTiles,
        threshold: Threshold,
        tuning: &'i Tuning,
    ) -> Self {
        Self {
            sizes,
            floors,
            postings,
            frequent: postings.first_of(tuning.frequent),
            long: postings.first_of(tuning.short),
            tiles,
            threshold,
            tuning,
        }
    }
}

/// Memory for a probe. All counters are zero between probes. Eight narrow ones fit a register of any x86-64; wide ones
/// are for sets of very many elements.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    narrow: Vec<i16>,
    wide: Vec<i32>,
    rest: Rest,
    /// The elements of a set whose pairs are known.
    pub(crate) whole: RankSet,
    /// For [`crate::join::weighted`].
    pub(crate) held: WeightedRankSet,
    pub(crate) weighted: weighted::Scratch,
}

/// Memory for a probe besides counters.
#[derive(Debug, Default)]
struct Rest {
    /// The first set of each list.
    firsts: Vec<u32>,
    /// The part of each list that is not counted yet.
    lists: Vec<Range<u32>>,
    /// Empty between probes.
    tail: FrequentSet,
    /// Whether `tail` holds the tail of the set that is probing.
    has_tail: bool,
}

/// A counter of either width.
trait Counter: Copy + Default + Ord {
    fn increment(&mut self);
    fn get(self) -> u32;
    /// The highest counter value up to a number.
    fn at_most(number: u32) -> Self;
}

macro_rules! counter {
    ($type:ty) => {
        impl Counter for $type {
            #[inline]
            fn increment(&mut self) {
                *self += 1;
            }

            #[inline]
            fn get(self) -> u32 {
                u32::try_from(self).expect("counters count up from 0")
            }

            #[inline]
            fn at_most(number: u32) -> Self {
                Self::try_from(number).unwrap_or(Self::MAX)
            }
        }
    };
}

counter!(i16);
counter!(i32);

/// The search of one set.
pub(crate) struct Probe<'p> {
    sets: &'p ProbedSets<'p>,
    size: u32,
    ranks: &'p [u32],
    /// The sets that are large enough, among those to be found.
    others: Range<u32>,
    /// How many frequent elements there are at the end of `ranks`: a tail can consist of these.
    frequent: usize,
    /// The first element of the longest tail that any tile asks for.
    least_head: usize,
}

impl<'p> Probe<'p> {
    /// Prepares the search of a set among the sets before `end`.
    pub(crate) fn new(sets: &'p ProbedSets<'p>, set: u32, end: u32) -> Self {
        let size = sets.sizes[set as usize];
        let least_size = sets.threshold.least_size(size);
        let floors = &sets.floors[..end as usize];
        let first = floors.partition_point(|&other| other < floor(least_size));
        let ranks = sets.postings.ranks(set);
        let mut probe = Self {
            sets,
            size,
            ranks,
            others: u32::try_from(first).expect("not more than sets")..end,
            frequent: ranks.len() - ranks.partition_point(|&rank| rank < sets.frequent),
            least_head: 0,
        };
        if let Some(&largest) = floors[first..].last() {
            probe.least_head = probe.head(largest);
        }
        probe
    }

    /// Returns how many elements are counted for sets of at least the size `smallest`. The others are the
    /// tail: they are frequent, and fewer than a pair must share.
    fn head(&self, smallest: u32) -> usize {
        let need = self.sets.threshold.least_overlap(self.size, smallest);
        let limit = u64::from(need.saturating_sub(1)) * TAIL.0 / TAIL.1;
        let limit = usize::try_from(limit).expect("less than a size");
        self.ranks.len() - limit.min(self.frequent)
    }

    /// Whether lists have so few entries together that it is cheaper to go through them once more than
    /// through all counters.
    fn are_few(&self, entries: usize) -> bool {
        entries * self.sets.tuning.few < self.others.len()
    }

    /// The floors of the sets that are large enough.
    fn floors(&self) -> &[u32] {
        &self.sets.floors[self.others.start as usize..self.others.end as usize]
    }

    /// Calls `similar` with each set that is similar enough, the overlap and the union.
    pub(crate) fn run(&self, scratch: &mut Scratch, similar: impl FnMut(u32, u32, u32)) {
        // No counter gets higher than the number of lists.
        if self.ranks.len() <= self.sets.tuning.narrow {
            self.count(&mut scratch.narrow, &mut scratch.rest, similar);
        } else {
            self.count(&mut scratch.wide, &mut scratch.rest, similar);
        }
        if std::mem::take(&mut scratch.rest.has_tail) {
            scratch.rest.tail.remove(&self.ranks[self.least_head..]);
        }
    }

    /// Counts in counters of one width, and looks for the sets that got enough.
    fn count<C: Counter>(
        &self,
        counters: &mut Vec<C>,
        rest: &mut Rest,
        mut similar: impl FnMut(u32, u32, u32),
    ) {
        let Some(&smallest) = self.floors().first() else {
            return;
        };
        let head = self.head(smallest);
        self.open_lists(head, rest);
        let entries: usize = rest.lists.iter().map(ExactSizeIterator::len).sum();
        if entries == 0 {
            return;
        }
        let end = self.others.end;
        if counters.len() < end as usize {
            counters.resize(self.sets.sizes.len(), C::default());
        }
        if self.are_few(entries) {
            self.count_few(counters, head, rest, &mut similar);
            return;
        }
        let all = self.sets.postings.all_lists();
        let short = self.ranks[..head].partition_point(|&rank| rank < self.sets.long);
        for list in &rest.lists[..short] {
            for &other in before(all, list, end) {
                counters[other as usize].increment();
            }
        }
        for tile in self.sets.tiles.within(self.others.clone()) {
            let head = self.head(self.sets.floors[tile.start as usize]).max(short);
            let counted = &mut counters[tile.start as usize..tile.end as usize];
            count_tile(all, &mut rest.lists[short..head], tile.start, counted);
            self.scan(counted, tile, head, rest, &mut similar);
        }
    }

    /// Notes where the first `count` lists are, without sets that are too small.
    fn open_lists(&self, count: usize, rest: &mut Rest) {
        let (postings, all) = (self.sets.postings, self.sets.postings.all_lists());
        // First the places of all lists, then the first set of each, and no step that depends on these: most of them
        // are in no cache, and so the processor waits for many of them at the same time.
        rest.lists.clear();
        let ranks = self.ranks[..count].iter();
        rest.lists.extend(ranks.map(|&rank| postings.list(rank)));
        rest.firsts.clear();
        let firsts = rest.lists.iter().map(|list| all[list.start as usize]);
        rest.firsts.extend(firsts);
        let first = self.others.start;
        for (list, &smallest) in rest.lists.iter_mut().zip(&rest.firsts) {
            if smallest < first {
                let sets = &all[list.start as usize..list.end as usize];
                let skipped = below(sets, first);
                list.start += u32::try_from(skipped).expect("not more than sets");
            }
        }
    }

    /// Counts, and goes through the lists once more for the sets that got enough.
    fn count_few<C: Counter>(
        &self,
        counters: &mut [C],
        head: usize,
        rest: &mut Rest,
        similar: &mut impl FnMut(u32, u32, u32),
    ) {
        let (all, end) = (self.sets.postings.all_lists(), self.others.end);
        for list in &rest.lists {
            for &other in before(all, list, end) {
                counters[other as usize].increment();
            }
        }
        for list in 0..head {
            for &other in before(all, &rest.lists[list].clone(), end) {
                let count = std::mem::take(&mut counters[other as usize]).get();
                if count > 0 {
                    self.verify(other, count, head, rest, similar);
                }
            }
        }
    }

    /// Goes through the counters of a tile, block by block, and sets them to zero.
    fn scan<C: Counter>(
        &self,
        counts: &mut [C],
        tile: Range<u32>,
        head: usize,
        rest: &mut Rest,
        similar: &mut impl FnMut(u32, u32, u32),
    ) {
        let factor = self.sets.threshold.overlap_factor();
        let left_out = self.left_out(head);
        let floors = &self.sets.floors[tile.start as usize..tile.end as usize];
        for ((start, counts), floors) in (tile.start..)
            .step_by(BLOCK)
            .zip(counts.chunks(BLOCK))
            .zip(floors.chunks(BLOCK))
        {
            // The first of the block is the smallest and needs the least.
            let sum = u64::from(self.size) + u64::from(floors[0]);
            let least = u32::try_from((factor * sum) >> 32).expect("at most half of the sum");
            let least = C::at_most(least.saturating_sub(left_out));
            let largest = counts
                .iter()
                .fold(C::default(), |largest, &count| count.max(largest));
            if largest < least {
                continue;
            }
            for (other, &count) in (start..).zip(counts) {
                if count >= least && count > C::default() {
                    self.verify(other, count.get(), head, rest, similar);
                }
            }
        }
        counts.fill(C::default());
    }

    /// How many elements were not counted.
    fn left_out(&self, head: usize) -> u32 {
        u32::try_from(self.ranks.len() - head).expect("less than the size")
    }

    /// Calls `similar` if a set shares enough. `count` is how many elements it shares in the first `head` lists; those
    /// that it shares with the tail are added here.
    fn verify(
        &self,
        other: u32,
        count: u32,
        head: usize,
        rest: &mut Rest,
        similar: &mut impl FnMut(u32, u32, u32),
    ) {
        let other_size = self.sets.sizes[other as usize];
        let need = self.sets.threshold.least_overlap(self.size, other_size);
        if count + self.left_out(head) < need {
            return;
        }
        let mut overlap = count;
        if let Some(&least) = self.ranks.get(head) {
            if !std::mem::replace(&mut rest.has_tail, true) {
                let ranks = self.sets.frequent..self.sets.postings.list_count();
                rest.tail.fill(&self.ranks[self.least_head..], ranks);
            }
            overlap += rest.tail.shared(self.sets.postings.ranks(other), least);
        }
        if overlap >= need {
            similar(other, overlap, self.size + other_size - overlap);
        }
    }
}

/// How many sets of a list are below a number. It is searched from the beginning, in steps twice as
/// long each time (Bentley and Yao 1976): mostly they are few, and their memory is there already.
fn below(list: &[u32], first: u32) -> usize {
    let (mut start, mut step) = (0, 4);
    while list.get(start + step).is_some_and(|&other| other < first) {
        start += step;
        step *= 2;
    }
    let end = list.len().min(start + step);
    start + list[start..end].partition_point(|&other| other < first)
}

/// Returns the sets of a list that come before `end`. `list` is its place in `all`.
fn before<'l>(all: &'l [u32], list: &Range<u32>, end: u32) -> impl Iterator<Item = &'l u32> {
    let sets = &all[list.start as usize..list.end as usize];
    sets.iter().take_while(move |&&other| other < end)
}

/// Counts the sets of some lists in a tile that begins at `start`. `lists` are the places in `all` of their parts that
/// are not counted yet: the sets of the tile come first, and are taken off.
fn count_tile<C: Counter>(all: &[u32], lists: &mut [Range<u32>], start: u32, counters: &mut [C]) {
    for left in lists {
        let list = &all[left.start as usize..left.end as usize];
        let mut counted = 0;
        for &other in list {
            let Some(counter) = counters.get_mut((other - start) as usize) else {
                break;
            };
            counter.increment();
            counted += 1;
        }
        left.start += counted;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_below_a_number_are_found_by_steps() {
        let list: Vec<u32> = (0..70).map(|at| at * 3).collect();
        for length in [0, 1, 4, 5, 70] {
            for first in 0..220 {
                let list = &list[..length];
                let expected = list.iter().filter(|&&other| other < first).count();
                assert_eq!(below(list, first), expected);
            }
        }
    }
}
