//! The possible requests: a rate of false positives, an amount of memory, a number of documents.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A rate of false positives that can be requested.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Rate(f64);

/// The lowest and the highest rate. Below the lowest one, different parts with the same number would matter; a filter
/// with more than the highest one tells nothing.
const RATES: [f64; 2] = [0.0001, 0.5];

impl Rate {
    /// The rate by default: the share of a new document that is taken for seen, on average.
    pub(crate) const DEFAULT: Self = Self(0.01);

    /// Returns a rate, if it can be requested.
    pub(crate) fn new(rate: f64) -> Option<Self> {
        let [lowest, highest] = RATES;
        (lowest..=highest).contains(&rate).then_some(Self(rate))
    }

    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().unwrap_or(f64::NAN).try_into()
    }
}

impl TryFrom<f64> for Rate {
    type Error = String;

    fn try_from(rate: f64) -> Result<Self, String> {
        let [lowest, highest] = RATES;
        Self::new(rate).ok_or_else(|| {
            format!(
                "expected a rate from {lowest} to {highest}, such as 0.01: no filter is without false positives"
            )
        })
    }
}

impl From<Rate> for f64 {
    fn from(rate: Rate) -> Self {
        rate.get()
    }
}

/// The request. Empty by default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Asked {
    /// The memory in bytes: for the filter, and the window if there is one.
    pub memory: Option<u64>,
    /// How many documents are to be remembered.
    pub documents: Option<u64>,
    /// The highest rate of false positives.
    pub rate: Option<Rate>,
    /// How many distinct parts a document has.
    pub parts: Option<u64>,
    /// How many of the last documents are to be remembered, if not all.
    pub window: Option<u64>,
}

/// The fewest bytes that can be requested.
pub const LEAST_MEMORY: u64 = 64 << 10;

/// Returns a number of bytes as options take it, in the largest unit of which it is a multiple.
pub(crate) fn size(bytes: u64) -> String {
    in_unit(bytes, |unit| bytes.is_multiple_of(unit))
}

/// Returns an estimated number of bytes, rounded up, with at least two digits.
pub(crate) fn about(bytes: u64) -> String {
    in_unit(bytes, |unit| {
        bytes >= 10 * unit || bytes.is_multiple_of(unit)
    })
}

/// Returns a number of bytes, rounded up, in the largest unit that fits.
fn in_unit(bytes: u64, fits: impl Fn(u64) -> bool) -> String {
    let units = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
    let mut units = units.iter().filter(|_| bytes > 0);
    match units.find(|(unit, _)| fits(*unit)) {
        Some((unit, letter)) => format!("{}{letter}", bytes.div_ceil(*unit)),
        None => bytes.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_and_sizes() {
        assert_eq!("0.01".parse(), Ok(Rate::DEFAULT));
        for text in ["0", "1", "-0.1", "NaN", "inf", "", "1%", "0.00001"] {
            let error = text.parse::<Rate>().unwrap_err();
            assert!(error.contains("such as 0.01"), "{text}");
        }
        for (bytes, exact, rounded) in [
            (0, "0", "0"),
            (700, "700", "700"),
            (1 << 16, "64K", "64K"),
            (20_000 << 10, "20000K", "20M"),
            ((10 << 20) + 1, "10485761", "11M"),
            (3 << 30, "3G", "3G"),
            ((3 << 30) + 1, "3221225473", "3073M"),
        ] {
            assert_eq!((&*size(bytes), &*about(bytes)), (exact, rounded));
        }
    }
}
