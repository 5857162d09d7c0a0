//! A document of a collection, once its features are gathered.

use crate::detect::Detectors;
use crate::engine::features::Facts;

/// One compared document, as far as reports need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// Length of its normalised text in bytes, white space in a row counted as one: what was taken out of a
    /// file leaves its lines.
    pub length: usize,
    /// A hash of its normalised text in which all white space is the same.
    pub text_hash: u64,
    /// The same hash before Traditional characters were folded: two documents with one text may be in two scripts.
    pub unfolded_hash: u64,
    /// Its SimHash fingerprint; none if the detector is off.
    pub fingerprint: Option<u64>,
    /// The upper half of a fingerprint of 128 bits, of which that is the lower one.
    pub fingerprint_high: Option<u64>,
    /// How many tokens it has; 0 if the detector is off.
    pub tokens: u32,
    /// How many distinct terms; 0 if the detector is off.
    pub terms: u32,
    /// How many distinct shingles; 0 if the detector is off.
    pub shingles: u32,
}

impl Document {
    /// Of a document that no file stands for.
    pub(crate) fn new(name: String, facts: &Facts) -> Self {
        Self {
            name,
            length: usize::try_from(facts.length).unwrap_or(usize::MAX),
            text_hash: facts.text_hash,
            unfolded_hash: facts.unfolded_hash,
            fingerprint: None,
            fingerprint_high: None,
            tokens: facts.tokens,
            terms: facts.terms,
            shingles: facts.shingles,
        }
    }

    /// What its length is judged by: its shingles, or its terms if nothing looks at shingles.
    pub(crate) fn size(&self, running: Detectors) -> u32 {
        if running.need_shingles() {
            self.shingles
        } else {
            self.terms
        }
    }
}

#[cfg(test)]
impl Document {
    /// Takes a name and returns a document that no file stands for.
    pub(crate) fn sample(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            length: 100,
            text_hash: 0,
            unfolded_hash: 0,
            fingerprint: None,
            fingerprint_high: None,
            tokens: 20,
            terms: 15,
            shingles: 30,
        }
    }
}
