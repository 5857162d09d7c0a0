//! One set looking for those that contain it: the inner loop of the containment join.
//!
//! A short text inside a long one has a low Jaccard similarity, and the bounds by size that make that join fast do not
//! hold for it. But the *smaller* set y must share ceil(t |y|) elements with the larger one, however large that is. So
//! every set looks for larger ones, in the lists of its rarest elements (prefix filter, Chaudhuri et al. 2006): if d
//! elements are left out, whoever shares enough is in at least ceil(t |y|) - d of the other lists. The most frequent
//! elements, with by far the longest lists, are those left out. Candidates are verified exactly.

use rayon::prelude::*;

use crate::join::inverted::floor;
use crate::join::inverted::postings::Postings;
use crate::join::inverted::search::rank_set::RankSet;
use crate::join::threshold::{Containment, Threshold};

/// The share of the elements a pair needs that is left out of the search. A larger share leaves
/// shorter lists, and more candidates.
const LEFT_OUT: (u32, u32) = (3, 4);

/// Sets and their lists, ready for looking for larger ones.
pub(crate) struct ContainmentSearch<'c> {
    pub(crate) sizes: &'c [u32],
    pub(crate) postings: &'c Postings,
    pub(crate) containment: Containment,
    /// Pairs of this similarity are left out: another join finds them, and they may be very many.
    pub(crate) except: Option<Threshold>,
}

/// Memory for looking for larger sets.
#[derive(Default)]
struct Scratch {
    /// All zero between two sets.
    counters: Vec<u32>,
    candidates: Vec<u32>,
    held: RankSet,
}

impl ContainmentSearch<'_> {
    /// Returns the pairs (later, earlier) of a set before `indexed` and a later one in a range,
    /// ordered.
    pub(crate) fn pairs(&self, indexed: u32, range: std::ops::Range<u32>) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = (0..indexed)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, y| {
                let after = range.start.max(y + 1)..range.end;
                let larger = self.larger(y, after, scratch);
                larger.into_iter().map(move |x| (x, y))
            })
            .flatten_iter()
            .collect();
        pairs.par_sort_unstable();
        pairs
    }

    /// The sets in a range, all after `y`, that contain enough of it or are contained in it.
    fn larger(&self, y: u32, range: std::ops::Range<u32>, scratch: &mut Scratch) -> Vec<u32> {
        let size = self.sizes[y as usize];
        let class = floor(size);
        // The other one may be of the same class and smaller, but not below its floor.
        let need = self.containment.least.least_size(class).max(1);
        let ranks = self.postings.ranks(y);
        if size < self.containment.min_size || ranks.len() < need as usize || range.is_empty() {
            return Vec::new();
        }
        let left_out = (need - 1) / LEFT_OUT.1 * LEFT_OUT.0;
        let enough = need - left_out;
        let head = &ranks[..ranks.len() - left_out as usize];

        scratch.counters.resize(self.sizes.len(), 0);
        scratch.candidates.clear();
        let (all, counters) = (self.postings.all_lists(), &mut scratch.counters);
        let within = |rank: u32| {
            let list = self.postings.list(rank);
            let sets = &all[list.start as usize..list.end as usize];
            let first = sets.partition_point(|&set| set < range.start);
            sets[first..].iter().take_while(|&&set| set < range.end)
        };
        for &rank in head {
            for &set in within(rank) {
                let counter = &mut counters[set as usize];
                *counter += 1;
                if *counter == enough {
                    scratch.candidates.push(set);
                }
            }
        }
        for &rank in head {
            within(rank).for_each(|&set| counters[set as usize] = 0);
        }
        if scratch.candidates.is_empty() {
            return Vec::new();
        }
        scratch.held.fill(ranks);
        let candidates = scratch.candidates.iter().copied();
        candidates
            .filter(|&x| {
                let overlap = scratch.held.shared(self.postings.ranks(x));
                let other = self.sizes[x as usize];
                self.containment.admits(overlap, size, other)
                    && !self
                        .except
                        .is_some_and(|t| t.admits(overlap, size + other - overlap))
            })
            .collect()
    }
}
