//! How many slots make a band, and how many bands there are: the cheapest that keep the recall.
//!
//! Longer bands bring fewer candidates and take many more of them: at a threshold of .2 and a recall of
//! .99 it is 22 bands of one, 116 of two, 587 of three, 2,942 of four. Which is cheapest depends on what
//! the sets have in common, so it is measured: some slots of all sets show how many pairs meet in a band
//! of each length, and a sample of those how many of them have sketches alike, and are answers. These are
//! no loss, and are verified once however often they meet.

use std::f64::consts::LN_2;
use std::ops::Range;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::join::approximate::MISSED_BY_SKETCH;
use crate::join::approximate::bands::{BATCH, Bands, by_key, extended, is_same_key, key, place};
use crate::join::approximate::recall::Recall;
use crate::join::cost::indexing;
use crate::join::held::Held;
use crate::join::threshold::Threshold;

/// More slots than this take longer than anything else that can be done.
const MOST_SLOTS: u32 = 1 << 15;

/// The longest band: even at a threshold of .9 longer ones save no candidates worth their slots.
const LONGEST: u32 = 16;

/// Bands of a length that are tried to see who meets in them.
const TRIED: u32 = 6;

/// Of how many pairs that meet it is seen whether they are alike.
const SAMPLE: u64 = 2000;

/// Nanoseconds for one element that falls into a slot.
const STEP: f64 = 2.5;

/// Nanoseconds for making one set's key of a band and sorting by it.
const KEY: f64 = 60.0;

/// Nanoseconds for coming across a pair in a band and comparing its sketches.
const MEET: f64 = 10.0;

/// Nanoseconds for bringing a candidate's two sets from memory, and for one element that is looked for.
const VERIFY: (f64, f64) = (150.0, 0.75);

/// About how similar pairs are, as a share of the threshold, that are alike and yet no answers.
const NEAR: f64 = 0.75;

/// Bands of slots that keep the recall, and what they are expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Slots in a band.
    pub rows: u32,
    /// How many bands there are.
    pub bands: u32,
    /// About how often two sets will meet in a band.
    pub meetings: f64,
    /// Time on one thread, making the index included, comparable with that of
    /// [`Estimate`](crate::join::cost::Estimate).
    pub time: Duration,
}

impl Plan {
    /// Takes what is to be joined and the recall, and returns the cheapest plan. None if none keeps the
    /// recall with a sensible number of slots.
    pub(super) fn cheapest(sets: &Bands<'_>, recall: Recall) -> Option<Self> {
        let trial = Trial::new(sets);
        let sizes = sets.sizes.iter().map(|&size| size as usize);
        let before = indexing(sizes.sum()) + trial.sketching(sets.sketches.slots(), 1);
        let t = sets.threshold.as_f64();
        let mut answers = 0.0;
        let mut best: Option<Self> = None;
        for rows in 1..=LONGEST {
            let Some(bands) = bands(sets.threshold, rows, recall) else {
                break;
            };
            let hashing = trial.hashing(bands, rows);
            let best_so_far = best.map_or(f64::INFINITY, |best| best.time.as_secs_f64() * 1e9);
            if hashing > best_so_far {
                break;
            }
            let Meetings {
                pairs,
                alike,
                similar,
            } = trial.meetings(rows);
            if rows == 1 {
                // A pair meets in a band of one as often as it is similar.
                answers = pairs * similar / t.max(0.5);
            }
            let meetings = pairs * f64::from(bands);
            let verified =
                pairs * (alike - similar) * verifications(NEAR * t, rows, bands) + answers;
            let size = trial.elements / sets.sets.len().max(1) as f64;
            let verify = VERIFY.0 + VERIFY.1 * size;
            let time = before + hashing + meetings * MEET + verified * verify;
            if time < best_so_far {
                best = Some(Self {
                    rows,
                    bands,
                    meetings,
                    time: Duration::from_secs_f64(time * 1e-9),
                });
            }
        }
        best
    }
}

/// Takes the threshold t, how many slots r a band has and the recall R; returns the least number b of
/// bands with (1 - t^r)^b <= .9 (1 - R), if that is sensible: the rest is what sketches may miss.
/// Multiplications only: logarithms differ by machine, and with the bands the pairs that are found.
fn bands(threshold: Threshold, rows: u32, recall: Recall) -> Option<u32> {
    let t = threshold.as_f64();
    let agree = (0..rows).fold(1.0, |product, _| product * t);
    let (mut missed, mut bands) = (1.0, 0);
    while missed > recall.missed() * (1.0 - MISSED_BY_SKETCH) {
        missed *= 1.0 - agree;
        bands += 1;
        if bands * rows > MOST_SLOTS {
            return None;
        }
    }
    Some(bands)
}

/// Takes a similarity, how many slots a band has and how many bands there are; returns how often a pair is
/// verified for each band it meets in: once in a batch.
fn verifications(similarity: f64, rows: u32, bands: u32) -> f64 {
    let agree = (0..rows).fold(1.0, |product, _| product * similarity);
    let width = BATCH.min(bands);
    let never = (0..width).fold(1.0, |product, _| product * (1.0 - agree));
    (1.0 - never) / agree * f64::from(bands) / f64::from(width)
}

/// Some slots of all sets, to see who meets in bands of each length. They are not those of the bands that
/// are used in the end.
struct Trial<'b, 'i> {
    bands: &'b Bands<'i>,
    /// How many elements all sets have together, in the index.
    elements: f64,
    slots: Vec<u32>,
}

/// How many pairs meet in a band, which share of them has sketches alike, and which is similar enough.
struct Meetings {
    pairs: f64,
    alike: f64,
    similar: f64,
}

impl<'b, 'i> Trial<'b, 'i> {
    const SLOTS: Range<u32> = MOST_SLOTS..MOST_SLOTS + LONGEST;

    fn new(bands: &'b Bands<'i>) -> Self {
        let sets = bands.sets.iter();
        let elements: usize = sets.map(|&set| bands.postings.ranks(set).len()).sum();
        Self {
            bands,
            elements: elements as f64,
            slots: bands.keys(&Self::SLOTS, 1),
        }
    }

    /// Nanoseconds for so many sketches of each set, of so many slots.
    fn sketching(&self, slots: u32, sketches: u32) -> f64 {
        let sets = self.bands.sets.len() as f64;
        // All of t slots are met after t ln t steps. Logarithms differ by machine, whole ones do not.
        let steps = f64::from(slots) * f64::from(slots.ilog2() + 1) * LN_2;
        f64::from(sketches) * (self.elements + sets * steps) * STEP
    }

    /// Nanoseconds for the keys of so many bands, of so many slots each.
    fn hashing(&self, bands: u32, rows: u32) -> f64 {
        let keys = self.bands.sets.len() as f64 * f64::from(bands);
        self.sketching(BATCH.min(bands), bands.div_ceil(BATCH) * rows) + keys * KEY
    }

    /// Takes how many slots a band has.
    fn meetings(&self, rows: u32) -> Meetings {
        let Bands {
            sets,
            sketches,
            postings,
            ..
        } = self.bands;
        let tried = TRIED.min(LONGEST / rows);
        let (mut pairs, mut seen, mut alike, mut similar) = (0, 0, 0, 0);
        for band in 0..tried {
            let from = (band * rows) as usize;
            let slots = self.slots.chunks_exact(LONGEST as usize);
            let order = by_key(slots.map(|slots| {
                let slots = slots[from..][..rows as usize].iter();
                key(slots.fold(0, |state, &slot| extended(state, slot)))
            }));
            let groups = || order.chunk_by(is_same_key).filter(|same| same.len() > 1);
            let total: u64 = groups().map(pairs_of).sum();
            pairs += total;
            let step = (total / SAMPLE).max(1);
            let mut before = 0;
            let mut held = Held::default();
            for same in groups() {
                let end = before + pairs_of(same);
                for at in (before.next_multiple_of(step)..end).step_by(step as usize) {
                    let (x, y) = random_pair(at, same.len());
                    let [x, y] = [x, y].map(|at| place(same[at]));
                    seen += 1;
                    if sketches.may_be_similar(x, y) {
                        alike += 1;
                        let [x, y] = [x, y].map(|at| sets[at as usize]);
                        held.fill(postings.ranks(x));
                        let overlap = self.bands.overlap(&held, x, y);
                        similar += u32::from(overlap.is_some());
                    }
                }
                before = end;
            }
        }
        let share = |some: u32| f64::from(some) / f64::from(seen.max(1));
        Meetings {
            pairs: pairs as f64 / f64::from(tried),
            alike: share(alike),
            similar: share(similar),
        }
    }
}

/// How many pairs there are among some.
fn pairs_of(same: &[u64]) -> u64 {
    let count = same.len() as u64;
    count * (count - 1) / 2
}

/// Two of some, at least two, different ones for different numbers.
fn random_pair(number: u64, among: usize) -> (usize, usize) {
    let (hash, among) = (xxh3_64(&number.to_le_bytes()), among as u64);
    let x = hash % among;
    let y = (x + 1 + hash / among % (among - 1)) % among;
    let place = |at| usize::try_from(at).expect("less than their number");
    (place(x), place(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_the_fewest_that_keep_the_recall() {
        let count =
            |t: &str, rows, recall: &str| bands(t.parse().unwrap(), rows, recall.parse().unwrap());
        for (rows, expected) in [(1, 22), (2, 116), (3, 587), (4, 2942)] {
            assert_eq!(count("0.2", rows, "0.99"), Some(expected));
        }
        for (rows, expected) in [(2, 172), (3, 874), (4, 4380)] {
            assert_eq!(count("0.2", rows, "0.999"), Some(expected));
        }
        assert_eq!(count("1", 5, "0.999999"), Some(1));
        assert_eq!(count("0.000000001", 1, "0.5"), None);
        assert_eq!(count("0.2", 12, "0.99"), None);
    }

    #[test]
    fn random_pairs_are_pairs() {
        for among in 2..20 {
            for number in 0..200 {
                let (x, y) = random_pair(number, among);
                assert!(x < among && y < among && x != y);
            }
        }
    }
}
