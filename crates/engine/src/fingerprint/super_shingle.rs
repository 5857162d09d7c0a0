//! Super-shingles (Broder, Glassman, Manasse and Zweig 1997; Fetterly, Manasse and Najork 2003): the hash of a run of
//! min-hashes. Two documents of Jaccard similarity J have the same super-shingle of r min-hashes with probability J^r,
//! so that only near duplicates have even two of six in common, and those are found by sorting. At J = .8 these are 3 %
//! of the pairs, at .9 42 %, and at .95 88 % (a test has the formula).

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::ABSENT;
use crate::fingerprint::min_hash::MinHasher;

/// How many min-hashes there are (Fetterly et al.).
pub const HASHES: u32 = 84;

/// How many min-hashes make a super-shingle.
pub const RUN: u32 = 14;

/// In how many super-shingles near duplicates agree at least.
pub const LEAST: u32 = 2;

/// How many super-shingles a document has: the values in its signature.
pub const WIDTH: usize = (HASHES / RUN) as usize;

/// Makes signatures, one document after the other, in the same memory.
#[derive(Debug, Clone)]
pub struct SuperShingler {
    hasher: MinHasher,
    bytes: Vec<u8>,
}

impl Default for SuperShingler {
    fn default() -> Self {
        Self {
            hasher: MinHasher::new(0..HASHES),
            bytes: Vec::with_capacity(RUN as usize * size_of::<u32>()),
        }
    }
}

impl SuperShingler {
    /// Appends the [`WIDTH`] super-shingles of a shingle set, whose order does not matter. Each
    /// is [`ABSENT`] if the set is empty.
    pub fn append(&mut self, set: &[u64], signature: &mut Vec<u64>) {
        if set.is_empty() {
            signature.extend(std::iter::repeat_n(ABSENT, WIDTH));
            return;
        }
        let values = self.hasher.values(set.iter().copied());
        signature.extend(values.chunks_exact(RUN as usize).map(|run| {
            self.bytes.clear();
            self.bytes
                .extend(run.iter().flat_map(|value| value.to_le_bytes()));
            match xxh3_64(&self.bytes) {
                ABSENT => ABSENT + 1,
                hash => hash,
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the probability that enough super-shingles of two sets of this Jaccard similarity agree: with p = J^14 that at
    /// least 2 of 6 trials succeed.
    fn probability(jaccard: f64) -> f64 {
        let p = jaccard.powi(14);
        1.0 - (1.0 - p).powi(6) - 6.0 * p * (1.0 - p).powi(5)
    }

    #[test]
    fn pairs_are_found_as_often_as_the_formula_says() {
        const TRIALS: u64 = 500;
        let mut shingler = SuperShingler::default();
        for (shared, own) in [(180, 5), (180, 10), (180, 20), (19, 1)] {
            let mut found = 0;
            for trial in 0..TRIALS {
                let set = |from, to| -> Vec<u64> {
                    (from..to).map(|number| trial * 1000 + number).collect()
                };
                let mut both = Vec::new();
                shingler.append(&set(0, shared + own), &mut both);
                shingler.append(&set(own, shared + 2 * own), &mut both);
                let (a, b) = both.split_at(WIDTH);
                let agreeing = a.iter().zip(b).filter(|(a, b)| a == b).count();
                found += u64::from(agreeing >= LEAST as usize);
            }
            let expected = probability(shared as f64 / (shared + 2 * own) as f64);
            let share = found as f64 / TRIALS as f64;
            let error = (expected * (1.0 - expected) / TRIALS as f64).sqrt();
            assert!(
                (share - expected).abs() < 4.0 * error,
                "{shared} shared, {own} own: {share}, not {expected}"
            );
        }
    }

    #[test]
    fn an_empty_set_has_no_value() {
        let mut shingler = SuperShingler::default();
        let mut signatures = Vec::new();
        shingler.append(&[], &mut signatures);
        assert_eq!(signatures, [ABSENT; 6]);
        shingler.append(&[7, 8, 9], &mut signatures);
        let expected = [
            401_616_431_106_073_622,
            13_727_280_645_476_726_194,
            11_195_125_054_474_541_250,
            4_786_391_217_703_699_143,
            13_294_619_454_197_394_294,
            2_950_004_938_701_768_037,
        ];
        assert_eq!(signatures[6..], expected);
    }
}
