//! Recall: the share of all similar pairs that is found; as asked for, and as measured.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

/// In what a recall is counted.
const WHOLE: u32 = 1_000_000;

/// The deviation within which 95 % of a normal distribution lie.
const DEVIATION: f64 = 1.959_963_985;

/// A recall that is asked for, above 0 and below 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recall {
    millionths: u32,
}

impl Recall {
    /// As a number from 0 to 1, for printing.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.millionths) / f64::from(WHOLE)
    }

    /// The probability with which a pair may be missed.
    pub(crate) fn missed(self) -> f64 {
        f64::from(WHOLE - self.millionths) / f64::from(WHOLE)
    }
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(f)
    }
}

impl FromStr for Recall {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a number above 0 and below 1, such as 0.99";
        let decimals = text.strip_prefix('0').unwrap_or(text).strip_prefix('.');
        let Some(decimals) = decimals else {
            let is_whole = text.parse::<f64>().is_ok_and(|number| number == 1.0);
            return Err(if is_whole {
                "a recall of 1 is what the exact join has: leave the option out".into()
            } else {
                expected.into()
            });
        };
        let decimals = decimals.trim_end_matches('0');
        if !decimals.bytes().all(|byte| byte.is_ascii_digit()) || decimals.is_empty() {
            return Err(expected.into());
        }
        if decimals.len() > 6 {
            return Err("at most 6 decimals are told apart".into());
        }
        let millionths = format!("{decimals:0<6}").parse().expect("six digits");
        Ok(Self { millionths })
    }
}

/// How many of the pairs of some random sets were found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// Those that were found.
    pub found: u64,
    /// All.
    pub all: u64,
}

impl Measured {
    /// The share that was found, and between what the recall lies with a probability of 95 % (Wilson
    /// 1927, which unlike the normal approximation holds near 1); none without any pair. The interval
    /// takes pairs for independent. It is computed by nothing but the four operations and a square
    /// root, which are the same on every machine.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn recall(self) -> Option<(f64, (f64, f64))> {
        if self.all == 0 {
            return None;
        }
        let all = self.all as f64;
        let share = self.found as f64 / all;
        let square = DEVIATION * DEVIATION;
        let middle = share + square / (2.0 * all);
        let spread = share * (1.0 - share) / all + square / (4.0 * all * all);
        let spread = DEVIATION * spread.sqrt();
        let whole = 1.0 + square / all;
        let low = ((middle - spread) / whole).max(0.0);
        let high = ((middle + spread) / whole).min(1.0);
        Some((share, (low, high)))
    }
}

impl Sum for Measured {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            found: sum.found + one.found,
            all: sum.all + one.all,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recalls_are_read_and_refused() {
        for (text, missed) in [
            ("0.99", 0.01),
            (".5", 0.5),
            ("0.999999", 1e-6),
            ("0.900000000", 0.1),
        ] {
            let recall: Recall = text.parse().unwrap();
            assert!((recall.missed() - missed).abs() < 1e-12, "{text}");
        }
        assert_eq!("0.990".parse::<Recall>().unwrap().to_string(), "0.99");
        for (text, part) in [
            ("1", "exact"),
            ("1.0", "exact"),
            ("0", "such as"),
            ("0.0", "such as"),
            ("2", "such as"),
            ("99", "such as"),
            ("", "such as"),
            (".", "such as"),
            ("-0.5", "such as"),
            ("0.5.5", "such as"),
            ("NaN", "such as"),
            ("0.9999999", "decimals"),
        ] {
            let error = text.parse::<Recall>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn intervals_are_wilsons() {
        for (found, all, low, high) in [
            (0, 10, 0.0, 0.2775),
            (5, 10, 0.2366, 0.7634),
            (10, 10, 0.7225, 1.0),
            (990, 1000, 0.9817, 0.9946),
        ] {
            let (share, interval) = Measured { found, all }.recall().unwrap();
            assert_eq!(share, found as f64 / all as f64);
            assert!((interval.0 - low).abs() < 1e-4, "{interval:?}");
            assert!((interval.1 - high).abs() < 1e-4, "{interval:?}");
        }
        assert_eq!(Measured::default().recall(), None);
    }
}
