//! Bands of min-hashes: sets that agree in one are candidates, and each candidate is verified.
//!
//! Keys are made for some bands at a time, side by side for each set. Each of these bands is one task: it
//! sorts the sets by their keys and goes through those with the same one. A pair is looked at in the
//! first of these bands in which it agrees and in no other, which the keys tell; and not at all if it has
//! been found in bands before these. So tasks need not know of each other, and what is remembered is the
//! pairs found and no candidates.

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::min_hash::MinHasher;
use crate::join::approximate::plan::Plan;
use crate::join::held::Held;
use crate::join::postings::Postings;
use crate::join::threshold::Threshold;

/// Bands of which keys are kept at a time: 128 bytes for each set.
const BATCH: u32 = 32;

/// Candidates of one task that are verified together: 8 MiB.
const FULL: usize = 1 << 20;

/// Elements of a candidate that are looked for before it is seen whether it can still be similar.
const LOOK: usize = 64;

/// Sets that are to be brought together by their min-hashes.
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
}

impl Bands<'_> {
    /// The sets that may be in a pair: others share nothing with any set.
    pub(super) fn sets(&self) -> Vec<u32> {
        let found = 0..self.indexed.min(self.probing.end);
        let others = self.probing.start.max(found.end)..self.probing.end;
        let all = found.chain(others);
        all.filter(|&set| !self.postings.ranks(set).is_empty())
            .collect()
    }

    /// Takes sets, which of the bands and how many min-hashes each has; returns the keys of each set, as
    /// many as bands.
    pub(super) fn keys(&self, sets: &[u32], bands: &Range<u32>, rows: u32) -> Vec<u32> {
        let width = bands.len();
        let hasher = MinHasher::new(bands.start * rows..bands.end * rows);
        let mut keys = vec![0; sets.len() * width];
        keys.par_chunks_exact_mut(width).zip(sets).for_each_init(
            || (hasher.clone(), Vec::new()),
            |(hasher, bytes), (keys, &set)| {
                let ranks = self.postings.ranks(set).iter();
                let values = hasher.values(ranks.map(|&rank| u64::from(rank)));
                for (key, band) in keys.iter_mut().zip(values.chunks_exact(rows as usize)) {
                    *key = self::key(band, bytes);
                }
            },
        );
        keys
    }

    /// Takes the plan and returns the pairs (later, earlier) that agree in a band and are similar enough,
    /// ordered.
    pub(super) fn pairs(&self, plan: &Plan) -> Vec<(u32, u32)> {
        let sets = self.sets();
        let mut found = Vec::new();
        for start in (0..plan.bands).step_by(BATCH as usize) {
            let bands = start..plan.bands.min(start + BATCH);
            let batch = Batch {
                bands: self,
                sets: &sets,
                width: bands.len(),
                keys: self.keys(&sets, &bands, plan.rows),
                found,
            };
            let tasks = (0..batch.width).into_par_iter();
            let mut more: Vec<(u32, u32)> = tasks.flat_map_iter(|band| batch.band(band)).collect();
            more.par_sort_unstable();
            found = batch.found;
            found.append(&mut more);
            // Two runs, which this sort merges.
            found.sort();
        }
        found
    }

    /// Whether two sets are of sizes that are near enough for their similarity.
    fn may_be_similar(&self, x: u32, y: u32) -> bool {
        let (x, y) = (self.sizes[x as usize], self.sizes[y as usize]);
        self.threshold.admits(x.min(y), x.max(y))
    }

    /// Whether the set that is held and another one are similar enough. The rarest elements are looked for
    /// first, and no more once too few are left: of sets that have nothing in common two thirds are
    /// looked at for a threshold of .2, a third for .5, a ninth for .8.
    pub(super) fn are_similar(&self, held: &Held, x: u32, y: u32) -> bool {
        let sizes = (self.sizes[x as usize], self.sizes[y as usize]);
        let need = self.threshold.least_overlap(sizes.0, sizes.1);
        let ranks = self.postings.ranks(y);
        let (mut overlap, mut seen) = (0, 0);
        for some in ranks.chunks(LOOK) {
            overlap += held.shared(some, 0);
            seen += some.len();
            if overlap as usize + (ranks.len() - seen) < need as usize {
                return false;
            }
        }
        overlap >= need
    }
}

/// The key of a band: sets that agree in all of its min-hashes have the same. Two others that have the
/// same are candidates for nothing, one pair in four billion.
fn key(band: &[u32], bytes: &mut Vec<u8>) -> u32 {
    if let [value] = *band {
        return value;
    }
    bytes.clear();
    bytes.extend(band.iter().flat_map(|value| value.to_le_bytes()));
    let [a, b, c, d, ..] = xxh3_64(bytes).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
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
pub(super) fn place(keyed: u64) -> usize {
    u32::try_from(keyed & u64::from(u32::MAX)).expect("half of the bits") as usize
}

/// Whether two entries of what [`by_key`] returns have the same key.
pub(super) fn is_same_key(a: &u64, b: &u64) -> bool {
    a >> 32 == b >> 32
}

/// Some bands, the keys of all sets in them, and the pairs that had been found before.
struct Batch<'b, 'i> {
    bands: &'b Bands<'i>,
    sets: &'b [u32],
    /// How many bands there are.
    width: usize,
    keys: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl Batch<'_, '_> {
    /// Returns the new pairs of a band.
    fn band(&self, band: usize) -> Vec<(u32, u32)> {
        let order = by_key(self.keys.iter().skip(band).step_by(self.width).copied());
        let (mut candidates, mut pairs, mut held) = (Vec::new(), Vec::new(), Held::default());
        for same in order.chunk_by(is_same_key) {
            for (at, &later) in same.iter().enumerate().skip(1) {
                self.candidates(band, place(later), &same[..at], &mut candidates);
                if candidates.len() >= FULL {
                    self.verify(&mut candidates, &mut held, &mut pairs);
                }
            }
        }
        self.verify(&mut candidates, &mut held, &mut pairs);
        pairs
    }

    /// Takes the place of a set and those before it that agree with it in a band, and appends those that
    /// do not in a band before.
    fn candidates(
        &self,
        band: usize,
        later: usize,
        earlier: &[u64],
        candidates: &mut Vec<(u32, u32)>,
    ) {
        let x = self.sets[later];
        if !self.bands.probing.contains(&x) {
            return;
        }
        let keys = |place: usize| &self.keys[place * self.width..][..band];
        let own = keys(later);
        for earlier in earlier.iter().copied().map(place) {
            let y = self.sets[earlier];
            if y >= self.bands.indexed {
                break;
            }
            let is_new = || {
                own.iter()
                    .zip(keys(earlier))
                    .all(|(own, other)| own != other)
            };
            if self.bands.may_be_similar(x, y) && is_new() {
                candidates.push((x, y));
            }
        }
    }

    /// Empties the candidates, and appends those that are similar enough and were not found before.
    fn verify(
        &self,
        candidates: &mut Vec<(u32, u32)>,
        held: &mut Held,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        candidates.sort_unstable();
        for of_one in candidates.chunk_by(|a, b| a.0 == b.0) {
            let x = of_one[0].0;
            let from = self.found.partition_point(|&(later, _)| later < x);
            let found = &self.found[from..];
            let found = &found[..found.partition_point(|&(later, _)| later == x)];
            let mut is_held = false;
            for pair in of_one {
                if found.binary_search(pair).is_ok() {
                    continue;
                }
                if !std::mem::replace(&mut is_held, true) {
                    held.fill(self.bands.postings.ranks(x));
                }
                if self.bands.are_similar(held, x, pair.1) {
                    pairs.push(*pair);
                }
            }
        }
        candidates.clear();
    }
}
