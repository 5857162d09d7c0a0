//! The measures of the signatures of two documents.

use crate::detect::Detector;

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
