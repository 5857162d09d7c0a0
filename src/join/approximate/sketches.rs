//! A small sketch of every set, by which nearly all candidates are seen to be none: comparing two takes
//! some nanoseconds, looking for the elements of one set in another hundreds of them.
//!
//! A sketch has some hundred slots (see [`Sketcher`]), of each of which one byte is kept (b-bit min-wise
//! hashing, Li and König, WWW 2010). Of two sets of similarity J each byte is equal with a probability of J
//! at least, so of two at the threshold t fewer are equal than the lower quantile of a binomial
//! distribution says only with the probability of that quantile, which is part of what the recall may
//! miss. (What slots say is spread no more than what is independent.) Bytes rather than more numerous bits,
//! as Christiani, Pagh and Sivertsen (CPSJoin, 2018) take: 1,024 bits of two sets with nothing in common
//! are half equal, and spread so much that of pairs with J = .03 four times as many would pass at t = .2.
//!
//! Of 234 million pairs that met in bands of two among 64,000 documents at a threshold of .2, 128 bytes left 24
//! million to be verified and 512 bytes 13 million; 4.5 million are similar. At higher thresholds fewer bytes do.

use rayon::prelude::*;

use crate::fingerprint::similarity_sketch::Sketcher;
use crate::join::postings::Postings;
use crate::join::threshold::Threshold;

/// How many bytes are compared at a time.
const BYTES: usize = 128;

/// The most that are compared, in parts.
const PARTS: usize = 4;

/// The share of the bytes that are expected to be equal at the threshold, that must be for a pair to pass
/// all parts: there are as many parts as that takes.
const SHARP: f64 = 0.7;

/// Another than those of the bands.
const SEED: u64 = u64::MAX;

pub(super) type Bytes = [u8; BYTES];

/// The sketches of some sets, by place.
#[derive(Debug)]
pub(super) struct Sketches {
    /// The parts of one after the other, and one sketch after the other.
    bytes: Vec<u8>,
    /// For each part how many bytes of it and those before it are equal in a pair that is looked at.
    least: Vec<u32>,
}

impl Sketches {
    /// Takes the index, its sets, the threshold and the probability with which a pair at the threshold may
    /// be missed.
    pub(super) fn new(
        postings: &Postings,
        sets: &[u32],
        threshold: Threshold,
        missed: f64,
    ) -> Self {
        let mut sketches = Self {
            bytes: Vec::new(),
            least: leasts(threshold.as_f64(), missed),
        };
        let sketcher = Sketcher::new(sketches.slots());
        let width = sketches.least.len() * BYTES;
        sketches.bytes.resize(sets.len() * width, 0);
        let of_one = |sketcher: &mut Sketcher, (sketch, set): (&mut [u8], &u32)| {
            let ranks = postings.ranks(*set).iter();
            sketcher.take(ranks.map(|&rank| u64::from(rank)));
            for (byte, value) in sketch.iter_mut().zip(sketcher.values(SEED)) {
                [*byte, ..] = value.to_le_bytes();
            }
        };
        let places = sketches.bytes.par_chunks_exact_mut(width);
        places.zip(sets).for_each_init(|| sketcher.clone(), of_one);
        sketches
    }

    /// How many slots each has.
    pub(super) fn slots(&self) -> u32 {
        u32::try_from(self.least.len() * BYTES).expect("some hundreds")
    }

    /// Takes the places of two sets and says whether they may be similar enough.
    pub(super) fn may_be_similar(&self, a: u32, b: u32) -> bool {
        let equal = equal(self.first(a), self.first(b));
        self.may_be_by_first(equal) && self.may_be_by_rest(equal, a, b)
    }

    /// The first part of the sketch of the set at a place.
    #[inline]
    pub(super) fn first(&self, place: u32) -> &Bytes {
        &self.parts(place)[0]
    }

    /// Takes how many bytes are equal in the first part, and says whether two sets may be similar enough.
    #[inline]
    pub(super) fn may_be_by_first(&self, equal: u32) -> bool {
        equal >= self.least[0]
    }

    /// The same by all other parts.
    pub(super) fn may_be_by_rest(&self, mut equal: u32, a: u32, b: u32) -> bool {
        let parts = self.parts(a).iter().zip(self.parts(b));
        let mut rest = parts.zip(&self.least).skip(1);
        rest.all(|((a, b), least)| {
            equal += self::equal(a, b);
            equal >= *least
        })
    }

    /// The sketch of the set at a place.
    fn parts(&self, place: u32) -> &[Bytes] {
        let (parts, _) = self.bytes.as_chunks();
        let count = self.least.len();
        &parts[place as usize * count..][..count]
    }
}

/// How many bytes are equal.
#[inline]
pub(super) fn equal(a: &Bytes, b: &Bytes) -> u32 {
    // Byte by byte, so that many are added at once.
    let equal = a.iter().zip(b);
    u32::from(equal.fold(0_u8, |sum, (a, b)| sum + u8::from(a == b)))
}

/// Takes the threshold and the probability with which a pair may be missed, and returns of how many bytes at
/// least how many are equal, for one part, two, and so on.
fn leasts(threshold: f64, missed: f64) -> Vec<u32> {
    let missed = missed / PARTS as f64;
    let mut leasts = Vec::new();
    for parts in 1..=PARTS {
        let least = quantile(parts * BYTES, threshold, missed);
        leasts.push(least);
        if f64::from(least) >= SHARP * threshold * (parts * BYTES) as f64 {
            break;
        }
    }
    leasts
}

/// Takes a number of independent trials, the probability of a success, and another one; returns the greatest
/// number below which successes stay with no more than that probability. By adding trial after trial:
/// products and sums alone, which are the same on every machine.
fn quantile(trials: usize, success: f64, missed: f64) -> u32 {
    let mut chances = vec![0.0; trials + 1];
    chances[0] = 1.0;
    for _ in 0..trials {
        for successes in (1..=trials).rev() {
            chances[successes] =
                chances[successes] * (1.0 - success) + chances[successes - 1] * success;
        }
        chances[0] *= 1.0 - success;
    }
    let mut below = 0.0;
    let fewer = chances.iter().take_while(|&&chance| {
        below += chance;
        below <= missed
    });
    u32::try_from(fewer.count().min(trials)).expect("some hundreds")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_binomial_distribution() {
        // By sums of binomial coefficients in Python.
        for (success, missed, expected) in [
            (0.2, 0.001, 13),
            (0.2, 0.05, 18),
            (0.5, 0.001, 47),
            (0.8, 0.001, 88),
            (0.999, 0.001, 126),
            (1.0, 0.001, 128),
            (0.001, 0.001, 0),
            (0.2, 1e-7, 5),
        ] {
            assert_eq!(
                quantile(BYTES, success, missed),
                expected,
                "{success} {missed}"
            );
        }
    }
}
