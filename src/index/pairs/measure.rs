//! One pass over the shingles of a collection: what each set weighs, how much that has changed, and the lists of the sets
//! that are searched.

use crate::error::Result;
use crate::index::files::terms::TermCursor;
use crate::index::frequencies::KnownWeights;
use crate::index::segment::lists::{Lists, each_list};
use crate::join::weighted::{LARGEST_WEIGHT, weight};

/// Marks the number of a document whose set other documents have too.
pub(super) const SHARED_SET: u32 = 1 << 31;

/// How many entries the lists of the searched sets may have: they take 256 MiB.
const MOST_ENTRIES: usize = 1 << 26;

/// Two sets that were measured before, and by how much the weight has changed that they share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    pub(super) y: u32,
    pub(super) by: i64,
}

/// What a pass over all shingles finds out. Sets are known by rank.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// What each set weighs.
    pub(super) weights: Vec<u64>,
    /// What it weighed by the known frequencies.
    pub(super) known_weights: Vec<u64>,
    /// How much those of its shingles have gained that weigh more than by the known frequencies.
    pub(super) gains: Vec<u64>,
    /// How many shingles of each set no other set has.
    pub(super) unshared: Vec<u32>,
    /// The lists of the shingles of the searched sets.
    pub(super) lists: SearchedLists,
}

/// The lists of the shingles of some sets.
#[derive(Debug, Default)]
pub(super) struct SearchedLists {
    /// What each shingle weighs, by the known frequencies and today, and where its list ends.
    shingles: Vec<([u32; 2], usize)>,
    /// The lists, one after the other.
    entries: Vec<u32>,
    /// The shingles of each searched set, as positions in `shingles`.
    of_searched: Vec<Vec<u32>>,
}

impl SearchedLists {
    /// Calls `take` with the two weights and the list of each shingle of a searched set.
    pub(super) fn each(&self, searched: usize, mut take: impl FnMut([u32; 2], &[u32])) {
        for &at in &self.of_searched[searched] {
            let at = at as usize;
            let start = at
                .checked_sub(1)
                .map_or(0, |before| self.shingles[before].1);
            let (weights, end) = self.shingles[at];
            take(weights, &self.entries[start..end]);
        }
    }
}

/// A pass over all shingles.
pub(super) struct Pass<'p> {
    /// How many sets there are.
    pub(super) sets: usize,
    /// The size of each set.
    pub(super) sizes: &'p [u32],
    /// The sets whose lists are kept, ascending.
    pub(super) searched: &'p [u32],
    /// Where the pairs of each set with earlier ones begin; one longer than the sets.
    pub(super) starts: &'p [usize],
}

/// Stands for a set that is not searched.
const NOT_SEARCHED: u32 = u32::MAX;

impl Pass<'_> {
    /// Goes through all shingles. `lists` number the documents by the ranks of their sets; those of one set all are
    /// marked with [`SHARED_SET`]. Returns `None` if two documents of one rank have different sets, or if the lists of the
    /// searched sets take too much memory.
    pub(super) fn run(
        &self,
        lists: Vec<Lists<'_>>,
        known: TermCursor<'_>,
        shifts: &mut [Shift],
    ) -> Result<Option<Measured>> {
        let mut known = KnownWeights::new(known)?;
        let mut measured = Measured {
            weights: vec![0; self.sets],
            known_weights: vec![0; self.sets],
            gains: vec![0; self.sets],
            unshared: vec![0; self.sets],
            lists: SearchedLists {
                of_searched: vec![Vec::new(); self.searched.len()],
                ..SearchedLists::default()
            },
        };
        let mut place = vec![NOT_SEARCHED; self.sets];
        for (&set, at) in self.searched.iter().zip(0..) {
            place[set as usize] = at;
        }
        // When each set was met last, if several documents have it.
        let mut met = vec![0_u64; self.sets];
        let mut distinct = vec![0_u32; self.sets];
        let mut now = 0_u64;
        let mut sets = Vec::new();
        let mut is_too_large = false;
        each_list(lists, |shingle, documents| {
            now += 1;
            sets.clear();
            for &document in documents {
                let set = document & !SHARED_SET;
                if document & SHARED_SET != 0 {
                    if met[set as usize] == now {
                        continue;
                    }
                    met[set as usize] = now;
                    distinct[set as usize] += 1;
                }
                sets.push(set);
            }
            let before = known.weight(shingle)?;
            if let [only] = sets[..] {
                measured.unshared[only as usize] += 1;
            }
            let today = weight(u32::try_from(sets.len()).expect("ranks have 32 bits"));
            let mut is_searched = false;
            for &set in &sets {
                measured.weights[set as usize] += u64::from(today);
                is_searched |= place[set as usize] != NOT_SEARCHED;
            }
            if before == today {
                if before != 0 {
                    sets.iter().for_each(|&set| {
                        measured.known_weights[set as usize] += u64::from(before);
                    });
                }
            } else {
                for &set in &sets {
                    measured.known_weights[set as usize] += u64::from(before);
                    measured.gains[set as usize] += u64::from(today.saturating_sub(before));
                    met[set as usize] = now;
                }
                let by = i64::from(today) - i64::from(before);
                for &x in &sets {
                    let own = self.starts[x as usize]..self.starts[x as usize + 1];
                    for shift in &mut shifts[own] {
                        if met[shift.y as usize] == now {
                            shift.by += by;
                        }
                    }
                }
            }
            if is_searched && !is_too_large {
                let SearchedLists {
                    shingles,
                    entries,
                    of_searched,
                } = &mut measured.lists;
                let number = u32::try_from(shingles.len()).expect("fewer than entries");
                entries.extend_from_slice(&sets);
                shingles.push(([before, today], entries.len()));
                let places = sets.iter().map(|&set| place[set as usize]);
                for place in places.filter(|&place| place != NOT_SEARCHED) {
                    of_searched[place as usize].push(number);
                }
                is_too_large = entries.len() > MOST_ENTRIES;
            }
            Ok(())
        })?;
        let is_other = |(&distinct, &size): (&u32, &u32)| distinct > 0 && distinct != size;
        let is_wrong = distinct.iter().zip(self.sizes).any(is_other);
        debug_assert!(
            measured
                .weights
                .iter()
                .zip(self.sizes)
                .all(|(&weight, &size)| { weight <= u64::from(size) * u64::from(LARGEST_WEIGHT) })
        );
        Ok((!is_wrong && !is_too_large).then_some(measured))
    }
}
