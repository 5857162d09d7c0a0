//! The weighted detector: shingle sets that share enough rare shingles, however few these are among all.
//!
//! A text that was rewritten, or read from a scan, has few of the shingles of its original, but hardly any other
//! document has them. Its Jaccard similarity is low and its weighted similarity ([`crate::join::weighted`]) is not.

use std::fmt;
use std::str::FromStr;

use crate::detect::Words;
use crate::join::threshold::{Threshold, WeightedThreshold};

/// The least weighted similarity of a pair by default, in ten-thousandths.
const USUAL: u16 = 500;

/// The fewest shingles of a document that this detector looks at. By chance two shorter ones share as much.
pub const MIN_WEIGHTED_SIZE: u32 = 80;

/// The fewest documents among which this detector looks. Among fewer nothing is common, and so everything is rare: of
/// two unrelated Japanese pages alone, 29 % have a weighted similarity of 0.05.
pub const MIN_WEIGHTED_DOCUMENTS: usize = 100;

pub(super) static WORDS: Words = Words {
    name: "weighted",
    count: None,
    found: None,
};

/// From which weighted similarity on two documents are a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MinWeighted {
    /// From 0.05 on, unless a higher Jaccard similarity than the usual one is requested: that asks for fewer pairs.
    #[default]
    Usual,
    /// The detector is off.
    Off,
    /// From this many ten-thousandths on, at least 1 and at most 10,000.
    From(u16),
}

impl MinWeighted {
    /// Returns the threshold of this detector beside this least Jaccard similarity; `None` if the detector is off.
    pub(crate) fn beside(
        self,
        min_jaccard: Threshold,
        usual: Threshold,
    ) -> Option<WeightedThreshold> {
        let least = match self {
            Self::Usual if min_jaccard.is_above(usual) => return None,
            Self::Usual => USUAL,
            Self::Off => return None,
            Self::From(least) => least,
        };
        Some(WeightedThreshold {
            least,
            min_size: MIN_WEIGHTED_SIZE,
        })
    }
}

impl fmt::Display for MinWeighted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => f.write_str("auto"),
            Self::Off => f.write_str("off"),
            Self::From(least) => (f64::from(*least) / 10_000.0).fmt(f),
        }
    }
}

impl FromStr for MinWeighted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Usual),
            "off" => Ok(Self::Off),
            number => {
                let threshold: Threshold = number.parse()?;
                let steps = threshold
                    .in_parts_of(10_000)
                    .and_then(|steps| u16::try_from(steps).ok());
                steps
                    .map(Self::From)
                    .ok_or_else(|| "at most 4 decimals are told apart".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::shingle::MIN_JACCARD;

    #[test]
    fn reads_what_it_writes() {
        for (text, expected) in [
            ("auto", MinWeighted::Usual),
            ("off", MinWeighted::Off),
            ("0.05", MinWeighted::From(500)),
            ("1", MinWeighted::From(10_000)),
            ("0.0001", MinWeighted::From(1)),
        ] {
            assert_eq!(text.parse(), Ok(expected));
            assert_eq!(expected.to_string(), text);
        }
        for (text, part) in [
            ("0.00001", "decimals"),
            ("0", "every pair"),
            ("none", "number"),
        ] {
            let error = text.parse::<MinWeighted>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_higher_jaccard_similarity_turns_the_usual_one_off() {
        let least = |gate: MinWeighted, jaccard: &str| {
            let threshold = gate.beside(jaccard.parse().unwrap(), MIN_JACCARD);
            threshold.map(|threshold| threshold.least)
        };
        assert_eq!(least(MinWeighted::Usual, "0.2"), Some(500));
        assert_eq!(least(MinWeighted::Usual, "0.1"), Some(500));
        assert_eq!(least(MinWeighted::Usual, "0.21"), None);
        assert_eq!(least(MinWeighted::From(300), "0.8"), Some(300));
        assert_eq!(least(MinWeighted::Off, "0.2"), None);
    }
}
