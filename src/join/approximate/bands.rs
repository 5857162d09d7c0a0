//! Bands of slots: sets that agree in one are candidates, and each candidate is verified.
//!
//! Keys are made for some bands at a time, side by side for each set. What is remembered from one batch of
//! bands to the next is the pairs found and no candidates.

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::fingerprint::similarity_sketch::Sketcher;
use crate::join::approximate::batch::Batch;
use crate::join::approximate::plan::Plan;
use crate::join::approximate::sketches::Sketches;
use crate::join::held::Held;
use crate::join::index::Found;
use crate::join::postings::Postings;
use crate::join::threshold::Threshold;

/// Bands of which keys are kept at a time: 128 bytes for each set.
pub(super) const BATCH: u32 = 32;

/// Elements of a candidate that are looked for before it is seen whether it can still be similar.
const LOOK: usize = 64;

/// Sets that are to be brought together by their slots.
#[derive(Debug)]
pub(super) struct Bands<'i> {
    pub(super) postings: &'i Postings,
    /// Of all sets.
    pub(super) sizes: &'i [u32],
    /// The end of the sets to be found.
    pub(super) indexed: u32,
    /// The sets that look for others before them.
    pub(super) probing: Range<u32>,
    pub(super) threshold: Threshold,
    /// The sets that may be in a pair, ascending.
    pub(super) sets: Vec<u32>,
    /// The sketch of each of these.
    pub(super) sketches: Sketches,
}

impl Bands<'_> {
    /// Takes which of the bands and how many slots each has; returns the keys of each set, as many as
    /// bands. The slots of a band are of different seeds, so that all of them are equal as often as
    /// independent ones.
    pub(super) fn keys(&self, bands: &Range<u32>, rows: u32) -> Vec<u32> {
        let width = bands.len();
        let seeds = u64::from(bands.start) << 32..u64::from(bands.start) << 32 | u64::from(rows);
        let sketcher = Sketcher::new(bands.end - bands.start);
        let mut keys = vec![0; self.sets.len() * width];
        keys.par_chunks_exact_mut(width)
            .zip(&self.sets)
            .for_each_init(
                || (sketcher.clone(), vec![0; width]),
                |(sketcher, states), (keys, &set)| {
                    let ranks = self.postings.ranks(set).iter();
                    sketcher.take(ranks.map(|&rank| u64::from(rank)));
                    states.fill(0);
                    for seed in seeds.clone() {
                        let values = sketcher.values(seed);
                        for (state, &value) in states.iter_mut().zip(values) {
                            *state = extended(*state, value);
                        }
                    }
                    for (key, &state) in keys.iter_mut().zip(&*states) {
                        *key = self::key(state);
                    }
                },
            );
        keys
    }

    /// Takes the plan and returns the pairs that agree in a band and are similar enough, ordered.
    pub(super) fn pairs(&self, plan: &Plan) -> Vec<Found> {
        let mut found = Vec::new();
        for start in (0..plan.bands).step_by(BATCH as usize) {
            let bands = start..plan.bands.min(start + BATCH);
            let batch = Batch::new(self, bands.len(), self.keys(&bands, plan.rows), &found);
            let tasks = (0..bands.len()).into_par_iter();
            let mut more: Vec<Found> = tasks.flat_map_iter(|band| batch.band(band)).collect();
            more.par_sort_unstable();
            found.append(&mut more);
            // Two runs, which this sort merges.
            found.sort();
        }
        found
    }

    /// How many elements the set that is held and another one share, if they are similar enough. The rarest elements are looked for
    /// first, and no more once too few are left: of sets that have nothing in common two thirds are
    /// looked at for a threshold of .2, a third for .5, a ninth for .8.
    pub(super) fn overlap(&self, held: &Held, x: u32, y: u32) -> Option<u32> {
        let sizes = (self.sizes[x as usize], self.sizes[y as usize]);
        let need = self.threshold.least_overlap(sizes.0, sizes.1);
        let ranks = self.postings.ranks(y);
        let (mut overlap, mut seen) = (0, 0);
        for some in ranks.chunks(LOOK) {
            overlap += held.shared(some, 0);
            seen += some.len();
            if overlap as usize + (ranks.len() - seen) < need as usize {
                return None;
            }
        }
        (overlap >= need).then_some(overlap)
    }
}

/// Takes the state of a band's slots, of none 0, and the value of one more, and returns their state.
pub(super) fn extended(state: u64, value: u32) -> u64 {
    xxh3_64_with_seed(&value.to_le_bytes(), state)
}

/// The key of a band, of the state of its slots: sets that agree in all of them have the same. Two others that
/// have the same are candidates for nothing, one pair in four billion.
pub(super) fn key(state: u64) -> u32 {
    u32::try_from(state >> 32).expect("half of the bits")
}

/// Takes sets, ascending, and a key of each, and returns the places of the sets by key, as key and place in
/// one number: those with the same key stand together, and ascend.
pub(super) fn by_key(keys: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut order: Vec<u64> = (0_u64..)
        .zip(keys)
        .map(|(place, key)| u64::from(key) << 32 | place)
        .collect();
    order.sort_unstable();
    order
}

/// The place in what [`by_key`] returns.
pub(super) fn place(keyed: u64) -> u32 {
    u32::try_from(keyed & u64::from(u32::MAX)).expect("half of the bits")
}

/// Whether two entries of what [`by_key`] returns have the same key.
pub(super) fn is_same_key(a: &u64, b: &u64) -> bool {
    a >> 32 == b >> 32
}
