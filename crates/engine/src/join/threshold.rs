//! Thresholds as fractions of integers.
//!
//! A similarity is itself a fraction, so an exact comparison of the two needs one multiplication on each
//! side. With floating point, `0.2 * 35` is `7.000000000000001`, its ceiling 8, and a pair at exactly
//! the threshold is lost.

use std::fmt;
use std::str::FromStr;

use crate::join::weighted::Weighted;

/// A similarity threshold t, 0 < t <= 1, as it was written: `0.2` is 2/10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    numerator: u64,
    denominator: u64,
}

/// The largest number of decimals: beyond it nothing of a size that fits memory can differ.
const MAX_DECIMALS: usize = 9;

/// The largest denominator.
const MAX_DENOMINATOR: u64 = 1_000_000_000;

impl Threshold {
    /// Equality.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// Returns the fraction as a threshold, or `None` unless 0 < numerator <= denominator <= 10^9.
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if 0 < numerator && numerator <= denominator && denominator <= MAX_DENOMINATOR {
            Some(Self {
                numerator,
                denominator,
            })
        } else {
            None
        }
    }

    /// Returns the threshold that a floating-point number means: the decimals that it prints as, such as 2/10 for `0.2`. A number
    /// of more decimals means its first nine, so that no pair at the number is lost.
    ///
    /// # Errors
    ///
    /// A message, as for a text, if the number is not above 0 and at most 1.
    pub fn from_number(number: f64) -> Result<Self, String> {
        let as_written = number.to_string().parse::<Self>();
        if as_written.is_ok() || !(f64::MIN_POSITIVE..=1.0).contains(&number) {
            return as_written;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is above 0 and at most 1"
        )]
        let numerator = (number * 1e9) as u64;
        Self::new(numerator, MAX_DENOMINATOR).ok_or_else(|| TOO_SMALL.into())
    }

    /// Returns the numerator and the denominator.
    pub fn fraction(self) -> [u64; 2] {
        [self.numerator, self.denominator]
    }

    /// Whether sets with this overlap and this union are similar enough: overlap / union >= t.
    #[inline]
    pub fn admits(self, overlap: u32, union: u32) -> bool {
        u64::from(overlap) * self.denominator >= self.numerator * u64::from(union)
    }

    /// The smallest overlap with which sets of these sizes are similar enough, which is
    /// ceil(t / (1 + t) * (a + b)).
    #[inline]
    pub fn least_overlap(self, a: u32, b: u32) -> u32 {
        let sizes = u64::from(a) + u64::from(b);
        let least = (self.numerator * sizes).div_ceil(self.numerator + self.denominator);
        u32::try_from(least).expect("t / (1 + t) <= 1/2, so not more than the larger size")
    }

    /// A number m with m * (a + b) / 2^32 <= [`Self::least_overlap`] < m * (a + b) / 2^32 + 2, for
    /// quick tests that may let a few too many through: a multiplication instead of a division.
    pub(crate) fn overlap_factor(self) -> u64 {
        (self.numerator << 32) / (self.numerator + self.denominator)
    }

    /// The smallest size of a set that can be similar enough to a set of `size` >= its own:
    /// ceil(t * size).
    #[inline]
    pub fn least_size(self, size: u32) -> u32 {
        let least = (self.numerator * u64::from(size)).div_ceil(self.denominator);
        u32::try_from(least).expect("t <= 1, so not more than the size")
    }

    /// Whether the threshold is above another one.
    pub fn is_above(self, other: Self) -> bool {
        self.numerator * other.denominator > other.numerator * self.denominator
    }

    /// The threshold as a floating-point number, for printing.
    #[expect(clippy::cast_precision_loss, reason = "both are at most 10^9")]
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(f)
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a number above 0 and up to 1, such as 0.2";
        if let Some((numerator, denominator)) = text.split_once('/') {
            let parts = numerator.parse().ok().zip(denominator.parse().ok());
            let fraction =
                parts.and_then(|(numerator, denominator)| Self::new(numerator, denominator));
            return fraction.ok_or_else(|| expected.into());
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + decimals.len() == 0 || !digits(whole) || !digits(decimals) {
            return Err(expected.into());
        }
        let decimals = decimals.trim_end_matches('0');
        if decimals.len() > MAX_DECIMALS {
            return Err(format!("at most {MAX_DECIMALS} decimals are told apart"));
        }
        let too_large = || {
            // 90 was probably meant as a percentage, 1.0000001 was not.
            match text.parse::<f64>() {
                Ok(percent) if percent <= 100.0 && decimals.len() <= 2 => {
                    let share = (percent * 100.0).round() / 10_000.0;
                    format!("a similarity is at most 1: did you mean {share}?")
                }
                Ok(percent) if percent <= 100.0 => "a similarity is at most 1".into(),
                _ => expected.into(),
            }
        };
        if whole.trim_start_matches('0').len() > 3 {
            return Err(too_large());
        }
        let denominator = 10_u64.pow(u32::try_from(decimals.len()).expect("at most 9"));
        let number = |part: &str| match part {
            "" => 0,
            part => part.parse::<u64>().expect("a few digits"),
        };
        let numerator = number(whole) * denominator + number(decimals);
        if numerator > denominator {
            return Err(too_large());
        }
        Self::new(numerator, denominator).ok_or_else(|| TOO_SMALL.into())
    }
}

const TOO_SMALL: &str =
    "a threshold of 0 would report every pair: expected a number above 0 and up to 1";

/// When one set counts as contained in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Containment {
    /// The least share of the smaller set.
    pub least: Threshold,
    /// The least size of the smaller set: a title is contained in many a text.
    pub min_size: u32,
}

impl Containment {
    /// For records that must not be in another set: short questions count too.
    pub const OF_LEAKS: Self = Self {
        least: Threshold {
            numerator: 8,
            denominator: 10,
        },
        min_size: 10,
    };

    /// Returns whether one of two sets contains enough of the other: overlap / min(x, y) >= t, where x and y
    /// are their sizes.
    pub fn admits(self, overlap: u32, x: u32, y: u32) -> bool {
        let smaller = x.min(y);
        smaller >= self.min_size.max(1) && self.least.admits(overlap, smaller)
    }
}

/// When two sets share enough weight; see [`crate::join::weighted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeightedThreshold {
    /// The least weighted similarity in ten-thousandths, from 1 to 10,000.
    pub least: u16,
    /// The least size of the smaller set: chance makes short texts share as much.
    pub min_size: u32,
}

impl WeightedThreshold {
    /// Returns whether two sets share enough weight. `smaller` is the size of the smaller one.
    pub fn admits(self, weighted: Weighted, smaller: u32) -> bool {
        weighted.similarity >= self.least && smaller >= self.min_size
    }

    /// Returns the least weight that sets of the weights `x` and `y` share if they are similar enough, which is
    /// ceil(t / (1 + t) * (x + y)).
    pub(crate) fn least_shared(self, x: u64, y: u64) -> u64 {
        let least = u64::from(self.least);
        (least * (x + y)).div_ceil(u64::from(Weighted::EQUAL.similarity) + least)
    }

    /// Returns the least weight that a set of the weight `x` shares with any set that is similar enough, which is
    /// ceil(t * x).
    pub(crate) fn least_of(self, x: u64) -> u64 {
        (u64::from(self.least) * x).div_ceil(Weighted::EQUAL.similarity.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_decimals_exactly() {
        for (text, numerator, denominator) in [
            ("0.2", 2, 10),
            (".5", 5, 10),
            ("1", 1, 1),
            ("1.0", 1, 1),
            ("0.250", 25, 100),
            ("0.000000001", 1, 1_000_000_000),
            ("2/3", 2, 3),
        ] {
            let expected = Ok(Threshold::new(numerator, denominator).unwrap());
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_advice() {
        for (text, part) in [
            ("90", "0.9"),
            ("20", "0.2"),
            ("1.5", "0.015"),
            ("0", "every pair"),
            ("-1", "expected a number"),
            ("", "expected a number"),
            (".", "expected a number"),
            ("0,2", "expected a number"),
            ("3/2", "expected a number"),
            ("0/2", "expected a number"),
            ("1/2/3", "expected a number"),
            ("NaN", "expected a number"),
            ("1e-1", "expected a number"),
            ("99999999999999999999999", "expected a number"),
            ("0.1234567891", "decimals"),
        ] {
            let error = text.parse::<Threshold>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        for (text, message) in [
            ("1.1", "a similarity is at most 1: did you mean 0.011?"),
            ("1.0000001", "a similarity is at most 1"),
        ] {
            assert_eq!(text.parse::<Threshold>().unwrap_err(), message);
        }
    }

    #[test]
    fn a_number_means_the_fraction_that_it_is() {
        let of = |number: f64| Threshold::from_number(number).unwrap();
        let fraction = |numerator, denominator| Threshold::new(numerator, denominator).unwrap();
        assert_eq!(of(0.2), fraction(2, 10));
        assert_eq!(of(1.0), fraction(1, 1));
        // It is a little less than 0.8.
        assert!(of(0.7 + 0.1).admits(4, 5) && !of(0.7 + 0.1).admits(79, 100));
        assert_eq!(of(1e-9), fraction(1, 1_000_000_000));
        for refused in [
            0.0,
            -0.5,
            1.5,
            1e-10,
            1e-300,
            f64::MIN_POSITIVE,
            f64::NAN,
            f64::INFINITY,
        ] {
            assert!(Threshold::from_number(refused).is_err(), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn a_pair_at_a_number_is_not_lost(union in 1_u32..=1 << 26, share in 0.0..1.0) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not more than the union")]
            let overlap = (f64::from(union) * share) as u32 + 1;
            let number = f64::from(overlap.min(union)) / f64::from(union);
            let t = Threshold::from_number(number).unwrap();
            prop_assert!(t.admits(overlap.min(union), union), "{number} means {t:?}");
            prop_assert!(!t.admits(overlap.min(union) - 1, union), "{number} means {t:?}");
        }

        #[test]
        fn a_number_means_nothing_above_it(number in 1e-9..1.0) {
            let Threshold { numerator, denominator } = Threshold::from_number(number).unwrap();
            let meant = Threshold { numerator, denominator }.as_f64();
            prop_assert!(meant <= number && number - meant <= 1e-9);
        }

        #[test]
        fn least_overlap_and_least_size_are_the_least(
            numerator in 1_u64..=1000, a in 1_u32..3000, b in 1_u32..3000
        ) {
            let t = Threshold::new(numerator, 1000).unwrap();
            let least = t.least_overlap(a, b);
            if least <= a.min(b) {
                prop_assert!(t.admits(least, a + b - least));
            }
            if least > 0 {
                prop_assert!(!t.admits(least - 1, a + b - (least - 1)));
            }
            let quick = (t.overlap_factor() * u64::from(a + b)) >> 32;
            prop_assert!(quick <= u64::from(least) && u64::from(least) < quick + 2);
            let (small, large) = (a.min(b), a.max(b));
            prop_assert_eq!(t.admits(small, large), small >= t.least_size(large));
        }
    }
}
