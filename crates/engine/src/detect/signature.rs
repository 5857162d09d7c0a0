//! What the detectors of signatures have in common. A signature is a few numbers of a document.

use std::fmt::Debug;

use crate::detect::Detector;
use crate::join::groups::Similar;

/// A detector that keeps a few numbers of each document, and compares them.
pub trait SignatureDetector: Debug + Send + Sync {
    /// Returns which detector it is.
    fn detector(&self) -> Detector;

    /// Returns how many numbers it keeps of each document.
    fn width(&self) -> usize;

    /// Appends the signature of a shingle set to `out`, if it makes signatures of shingles.
    fn sign_shingles(&mut self, _set: &[u64], _out: &mut Vec<u64>) {}

    /// Appends the signature of terms and their weights to `out`, if it makes signatures of terms.
    fn sign_terms(&self, _document: TermCounts<'_>, _out: &mut Vec<u64>) {}

    /// Returns the measure of two signatures: their distance, or how many numbers are equal.
    fn measure(&self, a: &[u64], b: &[u64]) -> u8;

    /// Returns the groups of documents with equal signatures, and all pairs of groups that this detector finds.
    /// `signatures` are those of all documents, one after the other.
    fn similar(&self, signatures: &[u64]) -> Similar;
}

/// The terms of a document.
#[derive(Debug, Clone, Copy)]
pub struct TermCounts<'t> {
    /// The hash of each distinct term and how often it occurs.
    pub(crate) terms: &'t [(u64, u32)],
    /// How many tokens the document has.
    pub(crate) tokens: u32,
}
