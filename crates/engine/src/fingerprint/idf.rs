//! Term weights: how rare a term is (inverse document frequency).

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprint::dictionary;
use crate::fingerprint::dictionary::AT_A_TIME;
use crate::text::normalize::normalize;

/// Where term weights come from.
#[derive(Debug, Clone)]
pub enum Idf {
    /// The IDF table of jieba's dictionary: the same weights for every folder, so a document's
    /// fingerprint does not depend on its neighbours.
    Dictionary,
    /// Weights by term hash, and the weight of every other term.
    Table {
        /// Weight by the XXH3 hash of the term, in units of 1/4096.
        weights: HashMap<u64, u32>,
        /// The weight of a term that is not in the table.
        otherwise: u32,
    },
}

impl Idf {
    /// Weights are multiples of 2^-12.
    pub const SCALE_BITS: u32 = 12;

    /// The largest weight that a file may give a term.
    pub const MAX_WEIGHT: u32 = 50;

    /// Returns the weights in lines `term weight`. A term that is not in them gets the median of those that are. Empty lines
    /// and lines that begin with `#` are skipped. Terms are normalised as documents are.
    ///
    /// # Errors
    ///
    /// The number of a line, from 1, that is not a term and a number from 0 to [`Self::MAX_WEIGHT`], and what is wrong with it;
    /// line 1 if there is none with a weight.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let text = text.trim_start_matches('\u{feff}');
        let mut weights = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |reason: String| Err((number + 1, reason));
            let Some((term, weight)) = line.rsplit_once(char::is_whitespace) else {
                return fail("expected a term, white space and its weight".into());
            };
            let Ok(value) = weight.parse::<f64>() else {
                return fail(format!("'{weight}' is not a number"));
            };
            if !(0.0..=f64::from(Self::MAX_WEIGHT)).contains(&value) {
                return fail(format!(
                    "a weight is a number from 0 to {}, not {weight}",
                    Self::MAX_WEIGHT
                ));
            }
            weights.insert(xxh3_64(normalize(term.trim()).as_bytes()), in_units(value));
        }
        let mut sorted: Vec<u32> = weights.values().copied().collect();
        sorted.sort_unstable();
        match sorted.get(sorted.len() / 2) {
            Some(&otherwise) => Ok(Self::Table { weights, otherwise }),
            None => Err((1, "the file has no line 'term weight'".into())),
        }
    }

    /// Writes the weights of the first [`AT_A_TIME`] terms to `weights`, each as [`Self::weight`] returns it.
    pub(crate) fn weigh(&self, terms: &[(u64, u32)], weights: &mut [u32; AT_A_TIME]) {
        match self {
            Self::Dictionary => dictionary::weights(terms, weights),
            Self::Table { .. } => {
                for (weight, &(term, _)) in weights.iter_mut().zip(terms) {
                    *weight = self.weight(term);
                }
            }
        }
    }

    /// Returns the weight of a term in units of 2^-12. `term` is the XXH3 hash of its text.
    #[inline]
    #[must_use]
    pub fn weight(&self, term: u64) -> u32 {
        match self {
            Self::Dictionary => dictionary::weight(term),
            Self::Table { weights, otherwise } => weights.get(&term).copied().unwrap_or(*otherwise),
        }
    }
}

/// Returns a checked weight in the units of [`Idf::weight`]. Multiplying by a power of two is exact.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the caller has checked the range"
)]
pub(super) fn in_units(weight: f64) -> u32 {
    (weight * f64::from(1 << Idf::SCALE_BITS)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(term: &str) -> u64 {
        xxh3_64(term.as_bytes())
    }

    #[test]
    fn a_file_gives_weights_and_a_median() {
        let idf = Idf::parse("# weights\n\nThe 0.5\n中国 3\n\u{3000}rare 10.25\n").unwrap();
        assert_eq!(idf.weight(hash("the")), in_units(0.5));
        assert_eq!(idf.weight(hash("中国")), in_units(3.0));
        assert_eq!(idf.weight(hash("rare")), in_units(10.25));
        assert_eq!(idf.weight(hash("unknown")), in_units(3.0));
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line, part) in [
            ("a 1\nb", 2, "white space"),
            ("a one", 1, "not a number"),
            ("a 1\n\nb -1", 3, "from 0 to 50"),
            ("a NaN", 1, "from 0 to 50"),
            ("a 1e9", 1, "from 0 to 50"),
            ("", 1, "no line"),
            ("# only\n", 1, "no line"),
        ] {
            let (found, reason) = Idf::parse(text).unwrap_err();
            assert_eq!(found, line, "{text:?}");
            assert!(reason.contains(part), "{reason}");
        }
    }
}
