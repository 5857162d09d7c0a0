//! The ways of finding pairs: one file for each detector, and the list of them here.
//!
//! A detector's file has what it asks for (its options), what it keeps of a document, how it finds pairs, and
//! its words in reports. Three of them compare *signatures*, a few numbers of each document
//! ([`signature::SignatureDetector`]); two compare shingle sets, which one join of [`crate::join`] serves.
//!
//! To add a detector of signatures, write its file, name it in [`Detector`], and give it a place in the options
//! of the engine.

pub mod containment;
pub mod i_match;
pub mod shingle;
pub(crate) mod signature;
pub mod simhash;
pub mod super_shingle;

/// One way of finding pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Detector {
    /// Fingerprints within a Hamming distance (Charikar 2002).
    Simhash,
    /// Shingle sets of a Jaccard similarity (Broder 1997).
    Shingle,
    /// Shingle sets of which one has most of the other (Broder 1997).
    Containment,
    /// Super-shingles that agree (Fetterly et al. 2003).
    SuperShingle,
    /// A hash of the terms that tell (Chowdhury et al. 2002; Kołcz et al. 2004).
    IMatch,
}

impl Detector {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 5] = [
        Self::Simhash,
        Self::Shingle,
        Self::Containment,
        Self::SuperShingle,
        Self::IMatch,
    ];

    /// Its name in options and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.words().name
    }

    /// Its words in options and reports.
    #[must_use]
    pub fn words(self) -> &'static Words {
        match self {
            Self::Simhash => &simhash::WORDS,
            Self::Shingle => &shingle::WORDS,
            Self::Containment => &containment::WORDS,
            Self::SuperShingle => &super_shingle::WORDS,
            Self::IMatch => &i_match::WORDS,
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a detector is called.
#[derive(Debug)]
pub struct Words {
    /// Its name in options and reports.
    pub name: &'static str,
    /// The key of its measure in JSON and the heading of its column in CSV.
    pub key: &'static str,
    /// The heading of its column in tables.
    pub heading: &'static str,
    /// What it found of two documents, from its measure; none if it compares shingle sets.
    pub found: Option<fn(u8) -> String>,
}

/// Some detectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Detectors(u8);

impl Detectors {
    /// None.
    pub const NONE: Self = Self(0);

    /// Those that run by default: they find different pairs, and each shows why the other did or did not.
    pub const USUAL: Self = Self(Detector::Simhash.bit() | Detector::Shingle.bit());

    /// Those that look at shingles: what they find follows from two shingle sets.
    pub const OF_SETS: Self =
        Self(Detector::Shingle.bit() | Detector::Containment.bit() | Detector::SuperShingle.bit());

    /// Those that compare signatures of documents.
    const OF_SIGNATURES: Self =
        Self(Detector::Simhash.bit() | Detector::SuperShingle.bit() | Detector::IMatch.bit());

    /// Those that count equal signatures.
    pub const COUNTING: Self = Self(Detector::SuperShingle.bit() | Detector::IMatch.bit());

    /// Whether a detector is one of these.
    #[must_use]
    pub fn have(self, detector: Detector) -> bool {
        self.0 & detector.bit() != 0
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and, if it is so, one more.
    #[must_use]
    pub fn with(self, detector: Detector, is_so: bool) -> Self {
        Self(self.0 | if is_so { detector.bit() } else { 0 })
    }

    /// These and others.
    #[must_use]
    pub fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those of these that are among others.
    #[must_use]
    pub fn intersection(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// These, in the order of reports.
    pub fn iter(self) -> impl Iterator<Item = Detector> {
        let all = Detector::ALL.into_iter();
        all.filter(move |&detector| self.have(detector))
    }

    /// Their names, as options and reports have them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(Detector::as_str)
    }

    /// One bit for each, in the order of [`Detector::ALL`].
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether any of these looks at shingles.
    #[must_use]
    pub fn need_shingles(self) -> bool {
        !self.intersection(Self::OF_SETS).is_empty()
    }

    /// Whether any of these compares signatures.
    #[must_use]
    pub fn compare_signatures(self) -> bool {
        !self.intersection(Self::OF_SIGNATURES).is_empty()
    }

    /// Whether any of these looks at terms.
    #[must_use]
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

/// How many of the detectors that run must find a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Require {
    /// One: each sees what others do not.
    #[default]
    Any,
    /// All of them: fewer pairs, more of them right. Of pages of 1.6 billion, .38 of the pairs of
    /// super-shingles and .50 of those of SimHash were right, and .79 of what both found (Henzinger 2006).
    All,
}

impl Require {
    /// Its name in options and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::All => "all",
        }
    }

    /// Takes which detectors found two documents, and which run; returns whether the documents are a pair.
    #[must_use]
    pub fn is_met(self, found: Detectors, running: Detectors) -> bool {
        match self {
            Self::Any => !found.is_empty(),
            Self::All => found == running && !found.is_empty(),
        }
    }
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
    fn all_is_all_that_run() {
        let one: Detectors = [Detector::Shingle].into_iter().collect();
        assert!(Require::Any.is_met(one, Detectors::USUAL));
        assert!(!Require::All.is_met(one, Detectors::USUAL));
        assert!(Require::All.is_met(one, one));
        assert!(!Require::All.is_met(Detectors::NONE, Detectors::NONE));
        assert!(!Require::Any.is_met(Detectors::NONE, one));
    }
}
