//! One pass over the shingles of a collection: what each set weighs, how much that has changed, and the lists of the sets
//! that are searched.

use crate::files::terms::TermCursor;
use crate::segment::frequencies::KnownWeights;
use crate::segment::lists::{Lists, each_list};
use dupfind_engine::error::Result;
use dupfind_engine::join::weighted::{LARGEST_WEIGHT, weight};

/// Marks the number of a document whose set other documents have too.
pub(super) const SHARED_SET: u32 = 1 << 31;

/// How many entries the lists of the searched sets may have: they need 256 MiB.
const MAX_ENTRIES: usize = 1 << 26;

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
    /// searched sets need too much memory.
    pub(super) fn run(
        &self,
        lists: Vec<Lists<'_>>,
        known: TermCursor<'_>,
        shifts: &mut [Shift],
    ) -> Result<Option<Measured>> {
        let mut known = KnownWeights::new(known)?;
        let mut state = State::new(self);
        let mut distinct = Vec::new();
        let mut is_too_large = false;
        each_list(lists, |shingle, documents| {
            let mut sets = documents;
            if documents.iter().any(|document| document & SHARED_SET != 0) {
                state.distinct(documents, &mut distinct);
                sets = &distinct;
            }
            let before = known.weight(shingle)?;
            let today = match sets {
                [only] => {
                    state.sets[*only as usize].unshared += 1;
                    LARGEST_WEIGHT
                }
                _ => weight(u32::try_from(sets.len()).expect("ranks have 32 bits")),
            };
            let mut is_searched = false;
            for &set in sets {
                let own = &mut state.sets[set as usize];
                own.weight += u64::from(today);
                is_searched |= own.place != NOT_SEARCHED;
            }
            if before != today {
                state.change(sets, before, today);
                self.shift(&state, sets, i64::from(today) - i64::from(before), shifts);
            }
            if is_searched && !is_too_large {
                state.list(sets, [before, today]);
                is_too_large = state.lists.entries.len() > MAX_ENTRIES;
            }
            Ok(())
        })?;
        let is_other = |(own, &size): (&OneSet, &u32)| own.distinct > 0 && own.distinct != size;
        let is_wrong = state.sets.iter().zip(self.sizes).any(is_other);
        Ok((!is_wrong && !is_too_large).then(|| state.measured()))
    }

    /// Changes the weights that known pairs share of some sets that have just been met.
    fn shift(&self, state: &State, sets: &[u32], by: i64, shifts: &mut [Shift]) {
        for &x in sets {
            let own = self.starts[x as usize]..self.starts[x as usize + 1];
            for shift in &mut shifts[own] {
                if state.sets[shift.y as usize].met == state.now {
                    shift.by += by;
                }
            }
        }
    }
}

/// What is known of a set during a pass.
#[derive(Debug, Clone)]
struct OneSet {
    weight: u64,
    /// Its place among the searched sets.
    place: u32,
    unshared: u32,
    /// By how much it weighed more by the known frequencies.
    lost: i64,
    gain: u64,
    /// When it was met last.
    met: u64,
    /// How many shingles it has, if several documents have it.
    distinct: u32,
}

/// What is known during a pass.
struct State {
    sets: Vec<OneSet>,
    lists: SearchedLists,
    now: u64,
}

impl State {
    fn new(pass: &Pass<'_>) -> Self {
        let one = OneSet {
            weight: 0,
            place: NOT_SEARCHED,
            unshared: 0,
            lost: 0,
            gain: 0,
            met: 0,
            distinct: 0,
        };
        let mut sets = vec![one; pass.sets];
        for (&set, at) in pass.searched.iter().zip(0..) {
            sets[set as usize].place = at;
        }
        let lists = SearchedLists {
            of_searched: vec![Vec::new(); pass.searched.len()],
            ..SearchedLists::default()
        };
        Self {
            sets,
            lists,
            now: 0,
        }
    }

    /// Fills `distinct` with the sets of some documents, each once.
    fn distinct(&mut self, documents: &[u32], distinct: &mut Vec<u32>) {
        self.now += 1;
        distinct.clear();
        for &document in documents {
            let set = document & !SHARED_SET;
            let own = &mut self.sets[set as usize];
            if document & SHARED_SET != 0 {
                if own.met == self.now {
                    continue;
                }
                own.met = self.now;
                own.distinct += 1;
            }
            distinct.push(set);
        }
    }

    /// Notes that a shingle of some sets weighs something else than by the known frequencies.
    fn change(&mut self, sets: &[u32], before: u32, today: u32) {
        self.now += 1;
        for &set in sets {
            let own = &mut self.sets[set as usize];
            own.lost += i64::from(before) - i64::from(today);
            own.gain += u64::from(today.saturating_sub(before));
            own.met = self.now;
        }
    }

    /// Keeps the list of a shingle that a searched set has.
    fn list(&mut self, sets: &[u32], weights: [u32; 2]) {
        let lists = &mut self.lists;
        let number = u32::try_from(lists.shingles.len()).expect("fewer than entries");
        lists.entries.extend_from_slice(sets);
        lists.shingles.push((weights, lists.entries.len()));
        for &set in sets {
            let place = self.sets[set as usize].place;
            if place != NOT_SEARCHED {
                lists.of_searched[place as usize].push(number);
            }
        }
    }

    fn measured(self) -> Measured {
        let known = |own: &OneSet| own.weight.saturating_add_signed(own.lost);
        Measured {
            weights: self.sets.iter().map(|own| own.weight).collect(),
            known_weights: self.sets.iter().map(known).collect(),
            gains: self.sets.iter().map(|own| own.gain).collect(),
            unshared: self.sets.iter().map(|own| own.unshared).collect(),
            lists: self.lists,
        }
    }
}
