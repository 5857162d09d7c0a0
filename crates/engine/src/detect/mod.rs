//! Detectors: the ways of finding pairs. All are listed here.
//!
//! Three detectors compare *signatures*, which are a few numbers of each document (`signature::SignatureDetector`): each has a
//! file with its features of a document and its search for pairs. Three compare shingle sets: here are only their
//! limits, in [`options`]. All are served by the joins of [`crate::join`]. Which detectors find two documents is decided
//! in [`crate::verdict`].
//!
//! To add a detector of signatures, write its file, name it in this one, and add it to the options of the engine, to its
//! verdict and to the words of the option that turns detectors on.

pub mod i_match;
pub mod options;
pub mod simhash;
pub mod super_shingle;

use std::fmt::Debug;

use crate::join::groups::Similar;

/// One way of finding pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detector {
    /// Compares fingerprints by their Hamming distance (Charikar 2002).
    Simhash,
    /// Compares shingle sets by their Jaccard similarity (Broder 1997).
    Shingle,
    /// Finds pairs of shingle sets where one has most of the other (Broder 1997).
    Containment,
    /// Counts equal super-shingles (Fetterly et al. 2003).
    SuperShingle,
    /// Compares hashes of the most typical terms of a document (Chowdhury et al. 2002; Kołcz et al. 2004).
    IMatch,
    /// Finds shingle sets that share rare shingles (weighted resemblance, Ioffe 2010).
    Weighted,
}

impl Detector {
    /// All detectors, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::Simhash,
        Self::Shingle,
        Self::Containment,
        Self::SuperShingle,
        Self::IMatch,
        Self::Weighted,
    ];

    /// The detectors that count equal signatures: those with [`Self::of_counts`].
    pub const COUNTING: [Self; 2] = [Self::SuperShingle, Self::IMatch];

    /// Returns its name in options and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Simhash => "simhash",
            Self::Shingle => "shingle",
            Self::Containment => "containment",
            Self::SuperShingle => "super-shingle",
            Self::IMatch => "i-match",
            Self::Weighted => "weighted",
        }
    }

    /// Returns the words for how many signatures of two documents are equal: the key in JSON and the heading of the column in
    /// the table. `None` if it counts none.
    pub fn of_counts(self) -> Option<[&'static str; 2]> {
        match self {
            Self::SuperShingle => Some(["super_shingles", "super-shingles"]),
            Self::IMatch => Some(["i_match", "I-Match"]),
            _ => None,
        }
    }

    /// Returns the finding about two documents in words: the text for a measure of 1, and the one for others, with a hole `{}`
    /// for the measure. `None` if it compares shingle sets.
    pub fn of_findings(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Simhash => Some([
                "the fingerprints differ in 1 bit",
                "the fingerprints differ in {} bits",
            ]),
            Self::SuperShingle => Some(["1 super-shingle is equal", "{} super-shingles are equal"]),
            Self::IMatch => Some([
                "1 I-Match signature is equal",
                "{} I-Match signatures are equal",
            ]),
            Self::Shingle | Self::Containment | Self::Weighted => None,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of detectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detectors(u8);

impl Detectors {
    /// No detector.
    pub const NONE: Self = Self(0);

    /// The detectors that run by default. They find different pairs.
    pub const USUAL: Self = Self(Detector::Simhash.bit() | Detector::Shingle.bit());

    /// The detectors that look at shingles. What they find depends only on the shingle sets of two documents, and on
    /// how rare shingles are.
    pub const OF_SETS: Self = Self(
        Detector::Shingle.bit()
            | Detector::Containment.bit()
            | Detector::SuperShingle.bit()
            | Detector::Weighted.bit(),
    );

    /// The detectors that compare signatures.
    const OF_SIGNATURES: Self =
        Self(Detector::Simhash.bit() | Detector::SuperShingle.bit() | Detector::IMatch.bit());

    /// Returns whether a detector is in the set.
    pub fn have(self, detector: Detector) -> bool {
        self.0 & detector.bit() != 0
    }

    /// Returns whether there is no detector in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set, with one more detector if `is_added`.
    #[must_use]
    pub fn with(self, detector: Detector, is_added: bool) -> Self {
        Self(self.0 | if is_added { detector.bit() } else { 0 })
    }

    /// Returns the detectors that are in this set or in another one.
    #[must_use]
    pub fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the detectors that are in this set and in another one.
    #[must_use]
    pub fn intersection(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns the detectors of the set, in the order of reports.
    pub fn iter(self) -> impl Iterator<Item = Detector> {
        let all = Detector::ALL.into_iter();
        all.filter(move |&detector| self.have(detector))
    }

    /// Returns their names in options and reports.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(Detector::as_str)
    }

    /// Returns one bit for each detector, in the order of [`Detector::ALL`], the lowest first.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether any of them looks at shingles.
    pub fn need_shingles(self) -> bool {
        !self.intersection(Self::OF_SETS).is_empty()
    }

    /// Returns whether any of them compares signatures.
    pub fn compare_signatures(self) -> bool {
        !self.intersection(Self::OF_SIGNATURES).is_empty()
    }

    /// Returns whether any of them looks at terms.
    pub fn need_terms(self) -> bool {
        self.have(Detector::Simhash) || self.have(Detector::IMatch)
    }
}

impl From<Detector> for Detectors {
    fn from(detector: Detector) -> Self {
        Self(detector.bit())
    }
}

impl FromIterator<Detector> for Detectors {
    fn from_iter<I: IntoIterator<Item = Detector>>(detectors: I) -> Self {
        let bits = detectors.into_iter().map(Detector::bit);
        Self(bits.fold(0, |all, bit| all | bit))
    }
}

/// The measures of the signatures of two documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignatureMeasures {
    /// The Hamming distance of the fingerprints; `None` if the detector is off.
    pub hamming: Option<u8>,
    /// How many signatures are equal, by detector.
    pub agreeing: Agreeing,
}

impl SignatureMeasures {
    /// Sets the measure of a detector.
    pub fn set(&mut self, detector: Detector, measure: u8) {
        match detector {
            Detector::Simhash => self.hamming = Some(measure),
            _ => self.agreeing.set(detector, measure),
        }
    }

    /// Returns the measure of a detector; `None` if it is off or compares no signatures.
    pub fn of(self, detector: Detector) -> Option<u8> {
        match detector {
            Detector::Simhash => self.hamming,
            _ => self.agreeing.of(detector),
        }
    }
}

/// How many signatures of two documents are equal, for each of [`Detector::COUNTING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreeing([u8; Detector::COUNTING.len()]);

impl Agreeing {
    /// The value of a detector that is off.
    const NONE: u8 = u8::MAX;

    /// The largest count. It represents all larger ones too.
    pub(crate) const MOST: u8 = Self::NONE - 1;

    /// Returns how many signatures of a detector are equal; 254 represents more. `None` if the detector is off or does
    /// not count them.
    pub fn of(self, detector: Detector) -> Option<u8> {
        self.iter()
            .find_map(|(counting, equal)| (counting == detector).then_some(equal))
    }

    /// Sets how many signatures of a detector are equal, if it counts them.
    pub(crate) fn set(&mut self, detector: Detector, equal: u8) {
        let mut counts = Detector::COUNTING.into_iter().zip(&mut self.0);
        if let Some((_, count)) = counts.find(|(counting, _)| *counting == detector) {
            *count = equal.min(Self::MOST);
        }
    }

    /// Returns the detectors that are on and count equal signatures, each with its count.
    pub fn iter(self) -> impl Iterator<Item = (Detector, u8)> {
        let counts = Detector::COUNTING.into_iter().zip(self.0);
        counts.filter(|&(_, equal)| equal != Self::NONE)
    }
}

impl Default for Agreeing {
    fn default() -> Self {
        Self([Self::NONE; Detector::COUNTING.len()])
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detectors_are_a_set() {
        let some: Detectors = [Detector::IMatch, Detector::Simhash].into_iter().collect();
        assert!(some.names().eq(["simhash", "i-match"]));
        assert!(some.need_terms() && !some.need_shingles() && some.compare_signatures());
        assert!(!Detectors::from(Detector::Shingle).compare_signatures());
        assert_eq!(some.intersection(Detectors::USUAL).bits(), 1);
        assert_eq!(Detectors::NONE.union(some), some);
        assert_eq!(some.with(Detector::Shingle, false), some);
        assert!(some.with(Detector::SuperShingle, true).need_shingles());
        assert!(Detectors::USUAL.names().eq(["simhash", "shingle"]));
    }

    #[test]
    fn those_that_count_have_words_for_it() {
        let counting = Detector::ALL.into_iter();
        assert!(
            counting
                .filter(|detector| detector.of_counts().is_some())
                .eq(Detector::COUNTING)
        );
    }
}
