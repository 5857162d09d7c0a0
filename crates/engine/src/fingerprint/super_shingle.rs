//! Super-shingles (Broder, Glassman, Manasse and Zweig 1997; Fetterly, Manasse and Najork 2003): the hash of a run of
//! min-hashes. Two documents of Jaccard similarity J have the same super-shingle of r min-hashes with probability J^r,
//! so that only near duplicates have even two of six in common, and those are found by sorting. At J = .8 these are 3 %
//! of the pairs, at .9 42 %, and at .95 88 % (a test has the formula).

use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::ABSENT;
use crate::fingerprint::min_hash::MinHasher;

/// More min-hashes than anybody needs: 16 KiB of them for a document at work.
const MAX_HASHES: u32 = 4096;

/// In how many ways the agreeing super-shingles may be chosen. At worst, [`crate::join::agreement`] compares two
/// documents that agree in nearly all of them as often as that.
const MAX_CHOICES: u64 = 1000;

/// How many super-shingles there are, of how many min-hashes, and how many must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuperShingles {
    hashes: u32,
    run: u32,
    least: u32,
}

impl Default for SuperShingles {
    /// Those of Fetterly et al.: 84 min-hashes in runs of 14, two of the six must agree.
    fn default() -> Self {
        Self {
            hashes: 84,
            run: 14,
            least: 2,
        }
    }
}

impl SuperShingles {
    /// Returns the settings for `hashes` min-hashes. Each run of `run` makes a super-shingle. Two near duplicates agree
    /// in at least `least` super-shingles.
    ///
    /// # Errors
    ///
    /// A message with the valid values, unless `run` divides `hashes` (1 to 4096), `least` is from 1 to the number of
    /// super-shingles, and there are not more than 1,000 ways to choose so many of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use dupfind_engine::fingerprint::super_shingle::SuperShingles;
    ///
    /// assert_eq!(SuperShingles::new(84, 14, 2), Ok(SuperShingles::default()));
    /// let error = SuperShingles::new(84, 13, 2).unwrap_err();
    /// assert_eq!(error, "84 min-hashes cannot be cut into runs of 13: 12 or 14 would do");
    /// ```
    pub fn new(hashes: u32, run: u32, least: u32) -> Result<Self, String> {
        if !(1..=MAX_HASHES).contains(&hashes) {
            return Err(format!(
                "{hashes} min-hashes: expected 1 to {MAX_HASHES}, such as 84"
            ));
        }
        let divides = |run: &u32| hashes.is_multiple_of(*run);
        if run == 0 || !divides(&run) {
            let shorter = (1..=run.min(hashes)).rfind(divides);
            let longer = (run..=hashes).find(divides);
            return Err(format!(
                "{hashes} min-hashes cannot be cut into runs of {run}: {} would do",
                either(shorter, longer)
            ));
        }
        let made = hashes / run;
        if !(1..=made).contains(&least) {
            return Err(format!(
                "{hashes} min-hashes in runs of {run} make {made} super-shingles: \
                 1 to {made} of them can agree, not {least}"
            ));
        }
        if !are_few(made, least) {
            let fewer = (1..least).rfind(|&least| are_few(made, least));
            let more = (least..=made).find(|&least| are_few(made, least));
            return Err(format!(
                "there are more than {MAX_CHOICES} ways in which {least} of {made} super-shingles can \
                 agree: {} of them, or longer runs, would do",
                either(fewer, more)
            ));
        }
        Ok(Self { hashes, run, least })
    }

    /// How many min-hashes there are.
    #[must_use]
    pub fn hashes(self) -> u32 {
        self.hashes
    }

    /// How many min-hashes make a super-shingle.
    #[must_use]
    pub fn run(self) -> u32 {
        self.run
    }

    /// In how many super-shingles near duplicates agree at least.
    #[must_use]
    pub fn least(self) -> u32 {
        self.least
    }

    /// How many super-shingles a document has: the values in its signature.
    #[must_use]
    pub fn width(self) -> NonZeroUsize {
        let width = (self.hashes / self.run) as usize;
        NonZeroUsize::new(width).expect("a run is not longer than all min-hashes")
    }
}

/// Returns one number or two in words.
fn either(one: Option<u32>, other: Option<u32>) -> String {
    let numbers = one
        .into_iter()
        .chain(other)
        .map(|number| number.to_string());
    numbers.collect::<Vec<_>>().join(" or ")
}

/// Whether so many of some things can be chosen in few ways.
fn are_few(of: u32, choose: u32) -> bool {
    let mut ways = 1;
    // Every step is a whole number of ways, and there are never fewer at the next one.
    for at in 0..choose.min(of - choose) {
        ways = ways * u64::from(of - at) / u64::from(at + 1);
        if ways > MAX_CHOICES {
            return false;
        }
    }
    true
}

/// Makes signatures, one document after the other, in the same memory.
#[derive(Debug, Clone)]
pub struct SuperShingler {
    run: usize,
    width: NonZeroUsize,
    hasher: MinHasher,
    bytes: Vec<u8>,
}

impl SuperShingler {
    /// Returns a maker of signatures with these settings.
    #[must_use]
    pub fn new(settings: SuperShingles) -> Self {
        Self {
            run: settings.run as usize,
            width: settings.width(),
            hasher: MinHasher::new(0..settings.hashes),
            bytes: Vec::with_capacity(settings.run as usize * size_of::<u32>()),
        }
    }

    /// Appends the [`SuperShingles::width`] super-shingles of a shingle set, whose order does not matter. Each
    /// is [`ABSENT`] if the set is empty.
    pub fn append(&mut self, set: &[u64], signature: &mut Vec<u64>) {
        if set.is_empty() {
            signature.extend(std::iter::repeat_n(ABSENT, self.width.get()));
            return;
        }
        let values = self.hasher.values(set.iter().copied());
        signature.extend(values.chunks_exact(self.run).map(|run| {
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
    use proptest::prelude::*;

    #[test]
    fn numbers_that_cannot_work_are_refused_with_some_that_can() {
        for (numbers, part) in [
            ((0, 14, 2), "expected 1 to 4096"),
            ((4097, 1, 1), "expected 1 to 4096"),
            ((84, 0, 2), "runs of 0: 1 would do"),
            ((84, 13, 2), "runs of 13: 12 or 14 would do"),
            ((84, 100, 1), "runs of 100: 84 would do"),
            ((u32::MAX, 1, 1), "expected 1 to 4096"),
            ((84, u32::MAX, 1), "84 would do"),
            ((84, 14, 0), "make 6 super-shingles: 1 to 6"),
            ((84, 14, 7), "1 to 6 of them can agree, not 7"),
            ((40, 1, 5), "5 of 40 super-shingles can agree: 2 or 38"),
        ] {
            let (hashes, run, least) = numbers;
            let error = SuperShingles::new(hashes, run, least).unwrap_err();
            assert!(error.contains(part), "{numbers:?}: {error}");
        }
        for (hashes, run, least) in [
            (1, 1, 1),
            (84, 84, 1),
            (84, 14, 6),
            (4096, 8, 1),
            (60, 5, 5),
        ] {
            let settings = SuperShingles::new(hashes, run, least).unwrap();
            assert_eq!((settings.hashes(), settings.run()), (hashes, run));
            assert_eq!(settings.least(), least);
            assert_eq!(settings.width().get(), (hashes / run) as usize);
        }
    }

    /// Returns the probability that enough super-shingles of two sets of this Jaccard similarity agree: with p = J^run that
    /// at least `least` of `width` trials succeed.
    fn probability(settings: SuperShingles, jaccard: f64) -> f64 {
        let exponent = |number: u32| i32::try_from(number).expect("at most 4096");
        let made = settings.hashes / settings.run;
        let p = jaccard.powi(exponent(settings.run));
        let exactly = |agreeing: u32| {
            let ways: f64 = (0..agreeing)
                .map(|at| f64::from(made - at) / f64::from(agreeing - at))
                .product();
            ways * p.powi(exponent(agreeing)) * (1.0 - p).powi(exponent(made - agreeing))
        };
        (settings.least..=made).map(exactly).sum()
    }

    #[test]
    fn probabilities_are_those_of_the_literature() {
        let settings = SuperShingles::default();
        for (jaccard, expected) in [
            (0.0, 0.0),
            (0.8, 0.026),
            (0.9, 0.42),
            (0.95, 0.88),
            (1.0, 1.0),
        ] {
            let found = probability(settings, jaccard);
            assert!((found - expected).abs() < 0.005, "{jaccard}: {found}");
        }
    }

    #[test]
    fn pairs_are_found_as_often_as_the_formula_says() {
        const TRIALS: u64 = 500;
        for (hashes, run, least) in [(84, 14, 2), (84, 14, 1), (60, 5, 3)] {
            let settings = SuperShingles::new(hashes, run, least).unwrap();
            let mut shingler = SuperShingler::new(settings);
            for (shared, own) in [(180, 5), (180, 10), (180, 20), (19, 1)] {
                let mut found = 0;
                for trial in 0..TRIALS {
                    let set = |from, to| -> Vec<u64> {
                        (from..to).map(|number| trial * 1000 + number).collect()
                    };
                    let mut both = Vec::new();
                    shingler.append(&set(0, shared + own), &mut both);
                    shingler.append(&set(own, shared + 2 * own), &mut both);
                    let (a, b) = both.split_at(settings.width().get());
                    let agreeing = a.iter().zip(b).filter(|(a, b)| a == b).count();
                    found += u64::from(agreeing >= least as usize);
                }
                let expected = probability(settings, shared as f64 / (shared + 2 * own) as f64);
                let share = found as f64 / TRIALS as f64;
                let error = (expected * (1.0 - expected) / TRIALS as f64).sqrt();
                assert!(
                    (share - expected).abs() < 4.0 * error,
                    "{settings:?}, {shared} shared, {own} own: {share}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn an_empty_set_has_no_value() {
        let mut shingler = SuperShingler::new(SuperShingles::default());
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

    proptest! {
        #[test]
        fn order_changes_nothing(
            set in prop::collection::vec(any::<u64>(), 1..200), turn in 0_usize..200,
        ) {
            let mut turned = set.clone();
            turned.rotate_left(turn.min(set.len()));
            let mut shingler = SuperShingler::new(SuperShingles::default());
            let mut signatures = Vec::new();
            shingler.append(&set, &mut signatures);
            shingler.append(&turned, &mut signatures);
            prop_assert_eq!(&signatures[..6], &signatures[6..]);
            prop_assert!(!signatures.contains(&ABSENT));
        }
    }
}
