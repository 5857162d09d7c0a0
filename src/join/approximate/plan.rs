//! How many min-hashes make a band, and how many bands there are: the cheapest that keep the recall.
//!
//! Longer bands bring fewer candidates and take many more of them: at a threshold of .2 and a recall of
//! .99 it is 21 bands of one, 113 of two, 574 of three, 2,876 of four. Which is cheapest depends on what
//! the sets have in common, so it is measured: a dozen min-hashes of all sets show how many pairs meet
//! in a band of each length, and a sample of those how many of them are answers. These are no loss, and
//! are verified once however often they meet.

use std::ops::Range;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::join::approximate::bands::{Bands, by_key, is_same_key, place};
use crate::join::approximate::recall::Recall;
use crate::join::cost::indexing;
use crate::join::held::Held;
use crate::join::threshold::Threshold;

/// More min-hashes than this take longer than anything else that can be done.
const MOST_HASHES: u32 = 1 << 15;

/// The longest band: even at a threshold of .9 longer ones save no candidates worth their min-hashes.
const LONGEST: u32 = 12;

/// Bands of a length that are tried to see who meets in them.
const TRIED: u32 = 2;

/// Of how many pairs that meet it is seen whether they are similar.
const SAMPLE: u64 = 400;

/// Nanoseconds for one min-hash step, as any x86-64 does it.
const HASH: f64 = 0.24;

/// Nanoseconds for making one set's key of a band and sorting by it.
const KEY: f64 = 60.0;

/// Nanoseconds for coming across a pair in a band.
const MEET: f64 = 6.0;

/// Nanoseconds for bringing a candidate's two sets from memory, and for one element that is looked for.
const VERIFY: (f64, f64) = (400.0, 4.5);

/// Bands of min-hashes that keep the recall, and what they are expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Min-hashes in a band.
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
    /// recall with a sensible number of min-hashes.
    pub(super) fn cheapest(sets: &Bands<'_>, recall: Recall) -> Option<Self> {
        let trial = Trial::new(sets);
        let sizes = sets.sizes.iter().map(|&size| size as usize);
        let index = indexing(sizes.sum());
        let mut answers = 0.0;
        let mut best: Option<Self> = None;
        for rows in 1..=LONGEST {
            let Some(bands) = bands(sets.threshold, rows, recall) else {
                break;
            };
            let hashing = trial.elements * f64::from(bands * rows) * HASH
                + trial.sets.len() as f64 * f64::from(bands) * KEY;
            let best_so_far = best.map_or(f64::INFINITY, |best| best.time.as_secs_f64() * 1e9);
            if hashing > best_so_far {
                break;
            }
            let Meetings { pairs, similar } = trial.meetings(sets, rows);
            if rows == 1 {
                // A pair meets in a band of one as often as it is similar.
                answers = pairs * similar / sets.threshold.as_f64().max(0.5);
            }
            let meetings = pairs * f64::from(bands);
            let verified = (meetings * (1.0 - similar) + answers).min(meetings);
            let size = trial.elements / trial.sets.len().max(1) as f64;
            // Of sets of one size with nothing in common, 2t / (1 + t) of the elements are not looked for.
            let t = sets.threshold.as_f64();
            let verify = VERIFY.0 + VERIFY.1 * size * (1.0 - t) / (1.0 + t);
            let time = hashing + meetings * MEET + verified * verify + index;
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

/// Takes the threshold t, how many min-hashes r a band has and the recall R; returns the least number b of
/// bands with 1 - (1 - t^r)^b >= R, if that is sensible. Multiplications only: logarithms differ by
/// machine, and with the bands the pairs that are found.
fn bands(threshold: Threshold, rows: u32, recall: Recall) -> Option<u32> {
    let t = threshold.as_f64();
    let agree = (0..rows).fold(1.0, |product, _| product * t);
    let (mut missed, mut bands) = (1.0, 0);
    while missed > recall.missed() {
        missed *= 1.0 - agree;
        bands += 1;
        if bands * rows > MOST_HASHES {
            return None;
        }
    }
    Some(bands)
}

/// Some min-hashes of all sets, to see who meets in bands of each length. They are not those of the bands
/// that are used in the end.
struct Trial {
    sets: Vec<u32>,
    /// How many elements all sets have together, in the index.
    elements: f64,
    values: Vec<u32>,
}

/// How many pairs meet in a band, and which share of them is similar enough.
struct Meetings {
    pairs: f64,
    similar: f64,
}

impl Trial {
    const FUNCTIONS: Range<u32> = MOST_HASHES..MOST_HASHES + LONGEST;

    fn new(bands: &Bands<'_>) -> Self {
        let sets = bands.sets();
        let elements: usize = sets
            .iter()
            .map(|&set| bands.postings.ranks(set).len())
            .sum();
        let values = bands.keys(&sets, &Self::FUNCTIONS, 1);
        Self {
            sets,
            elements: elements as f64,
            values,
        }
    }

    /// Takes how many min-hashes a band has.
    fn meetings(&self, bands: &Bands<'_>, rows: u32) -> Meetings {
        let tried = TRIED.min(LONGEST / rows);
        let (mut pairs, mut seen, mut similar) = (0, 0, 0);
        for band in 0..tried {
            let from = (band * rows) as usize;
            let keys = self.values.chunks_exact(LONGEST as usize).map(|values| {
                let values = values[from..from + rows as usize].iter();
                let bytes: Vec<u8> = values.flat_map(|value| value.to_le_bytes()).collect();
                u32::try_from(xxh3_64(&bytes) >> 32).expect("half of the bits")
            });
            let order = by_key(keys);
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
                    let [x, y] = [x, y].map(|at| self.sets[place(same[at])]);
                    held.fill(bands.postings.ranks(x));
                    seen += 1;
                    similar += u32::from(bands.are_similar(&held, x, y));
                }
                before = end;
            }
        }
        Meetings {
            pairs: pairs as f64 / f64::from(tried),
            similar: f64::from(similar) / f64::from(seen.max(1)),
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
        for (rows, expected) in [(1, 21), (2, 113), (3, 574), (4, 2876)] {
            assert_eq!(count("0.2", rows, "0.99"), Some(expected));
        }
        for (rows, expected) in [(2, 170), (3, 861), (4, 4314)] {
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
