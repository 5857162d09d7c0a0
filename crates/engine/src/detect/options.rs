//! The options of the engine: which detectors run, and which pairs they find.

use std::num::NonZeroUsize;
use std::ops::Range;

use crate::detect::i_match::IMatch;
use crate::detect::simhash::{MAX_HAMMING, Simhash};
use crate::detect::super_shingle::SuperShingles;
use crate::detect::{Detector, Detectors, SignatureDetector};
use crate::fingerprint::i_match::{IDF, LEXICONS};
use crate::fingerprint::super_shingle::{HASHES, RUN};
use crate::join::threshold::{Containment, Threshold, WeightedThreshold};
use crate::run::Budget;
use crate::text::cutter::CUT_VERSION;
use crate::text::units::ShingleUnit;

/// Documents with fewer shingles share much by chance.
pub const BRIEF: u32 = 30;

/// What the rules need to know of the options of a run.
#[derive(Debug, Clone, Copy)]
pub struct Judging {
    /// Whether the texts were read from scans.
    pub is_scanned: bool,
    /// How many shingles a document has at least that is contained in another one.
    pub least_contained: u32,
}

/// Everything that decides about the features of documents and their pairs.
#[derive(Debug, Clone)]
pub struct Options {
    /// Units in a shingle.
    pub shingle_size: NonZeroUsize,
    /// What a unit is.
    pub shingle_unit: ShingleUnit,
    /// The largest Hamming distance that makes a pair.
    pub max_hamming: u32,
    /// The least Jaccard similarity that makes a pair.
    pub min_jaccard: Threshold,
    /// When one document counts as contained in another; `None` if that detector is off. It needs the shingle
    /// detector.
    pub containment: Option<Containment>,
    /// The weighted similarity from which two documents are a pair too, such as [`Self::REWRITTEN`]; `None` if that detector is
    /// off. It needs the shingle detector and 100 documents.
    pub min_weighted: Option<Threshold>,
    /// The detectors that run, except those of [`Self::containment`] and [`Self::min_weighted`].
    pub detectors: Detectors,
    /// How many worker threads there are; 0 means one for each core. The result does not depend on it.
    pub threads: usize,
    /// How much memory shingle sets may use. The result does not depend on it.
    pub budget: Budget,
}

impl Options {
    /// The largest Hamming distance of a pair by default.
    pub const MAX_HAMMING: u32 = MAX_HAMMING;

    /// The least Jaccard similarity of a pair by default. Rewritten articles lie between 0.2 and 0.5.
    pub const MIN_JACCARD: Threshold = Threshold::new(2, 10).expect("a fraction below 1");

    /// The least weighted similarity with which texts that were rewritten in other words are found.
    pub const REWRITTEN: Threshold = Threshold::new(5, 100).expect("at most 1");

    /// The fewest shingles of a document that can be contained in another one. A heading and a sentence that many pages
    /// have are shorter.
    pub const MIN_CONTAINED: u32 = BRIEF;
    /// The fewest shingles of a document that the weighted detector looks at. By chance two shorter ones share as much.
    const MIN_WEIGHTED_SIZE: u32 = 80;
    /// The fewest documents among which the weighted detector looks. Among fewer nothing is common, and so everything is rare:
    /// of two unrelated Japanese pages alone, 29 % have a weighted similarity of 0.05.
    pub const MIN_WEIGHTED_DOCUMENTS: usize = 100;

    /// Units in a shingle by default.
    pub const SHINGLE_SIZE: NonZeroUsize = NonZeroUsize::new(3).expect("not zero");

    /// Units in a shingle of scanned text, with [`ShingleUnit::Ocr`].
    pub const OCR_SHINGLE_SIZE: NonZeroUsize = NonZeroUsize::new(5).expect("not zero");

    /// Returns the detectors that run and keep signatures: first those that make them of shingles, then those that
    /// make them of terms.
    pub fn signature_detectors(&self) -> Vec<Box<dyn SignatureDetector>> {
        let simhash = Simhash {
            max_hamming: self.max_hamming,
            shingle_size: self.shingle_size,
        };
        let all: [Box<dyn SignatureDetector>; 3] = [
            Box::<SuperShingles>::default(),
            Box::new(simhash),
            Box::new(IMatch),
        ];
        let all = all.into_iter();
        all.filter(|detector| self.detectors.have(detector.detector()))
            .collect()
    }

    /// Returns where the SimHash fingerprint is among the signatures of a text; an empty range if that detector is off.
    pub fn fingerprint_at(&self) -> Range<u8> {
        let mut start = 0;
        for detector in self.signature_detectors() {
            let end = start + u8::try_from(detector.width()).expect("a few numbers");
            if detector.detector() == Detector::Simhash {
                return start..end;
            }
            start = end;
        }
        0..0
    }

    /// Returns how many numbers [`Features`](crate::Features) have as signatures.
    pub fn kept_signatures(&self) -> usize {
        let detectors = self.signature_detectors();
        detectors.iter().map(|detector| detector.width()).sum()
    }

    /// Returns whether texts are compared as scanned pages, where letters may be misread.
    pub fn compares_scans(&self) -> bool {
        self.shingle_unit == ShingleUnit::Ocr
    }

    /// Returns what the rules of relations need to know. If containment is looked for in shorter
    /// documents, the limit is theirs.
    pub fn judging(&self) -> Judging {
        let least = self.containment.map(|containment| containment.min_size);
        Judging {
            is_scanned: self.compares_scans(),
            least_contained: least.unwrap_or(BRIEF).min(BRIEF),
        }
    }

    /// Returns all detectors that run.
    pub fn running(&self) -> Detectors {
        self.detectors
            .with(Detector::Containment, self.containment.is_some())
            .with(Detector::Weighted, self.weighted().is_some())
    }

    /// Returns the options for joining so many documents. Among few documents the rarity of shingles is unknown, so the
    /// weighted detector is off.
    pub fn among(&self, documents: usize) -> Self {
        let mut options = self.clone();
        if documents < Self::MIN_WEIGHTED_DOCUMENTS {
            options.min_weighted = None;
        }
        options
    }

    /// Returns the threshold of the weighted detector; `None` if it is off.
    pub fn weighted(&self) -> Option<WeightedThreshold> {
        let least = self
            .min_weighted
            .filter(|_| self.detectors.have(Detector::Shingle))?;
        // The measure is in ten-thousandths, rounded down.
        let least = u16::try_from(least.least_size(10_000)).expect("at most 10,000");
        Some(WeightedThreshold {
            least,
            min_size: Self::MIN_WEIGHTED_SIZE,
        })
    }
}

/// The options that a result depends on: their names and values.
#[derive(Debug)]
pub struct OptionValues {
    /// Those that change a feature.
    pub of_features: Vec<(&'static str, String)>,
    /// Those that only decide which pairs there are.
    pub of_pairs: Vec<(&'static str, String)>,
}

impl Options {
    /// Returns the options that a result depends on.
    pub fn values(&self) -> OptionValues {
        // Every option is named, so that none is forgotten.
        let Self {
            shingle_size,
            shingle_unit,
            max_hamming,
            min_jaccard,
            containment,
            // `weighted` has it: whether it counts depends on the detectors.
            min_weighted: _,
            detectors,
            // These change no result.
            threads: _,
            budget: _,
        } = self;
        let mut of_features = vec![
            ("cut_version", CUT_VERSION.to_string()),
            ("shingle_unit", shingle_unit.as_str().into()),
            ("shingle_size", shingle_size.to_string()),
            ("detectors", detectors.names().collect::<Vec<_>>().join(",")),
        ];
        if detectors.have(Detector::SuperShingle) {
            of_features.push(("super_shingle", format!("{HASHES}/{RUN}")));
        }
        if detectors.have(Detector::IMatch) {
            let (least, most) = IDF.into_inner();
            of_features.push(("i_match", format!("{least}..{most}/{LEXICONS}")));
        }
        // The document frequencies of shingles are those of the collection, and not of the file.
        of_features.push(("frequencies", "own".into()));
        let or_off = |value: Option<String>| value.unwrap_or_else(|| "off".into());
        let of_pairs = vec![
            ("max_hamming", max_hamming.to_string()),
            ("min_jaccard", min_jaccard.to_string()),
            (
                "min_weighted",
                or_off(self.weighted().map(|weighted| in_decimals(weighted.least))),
            ),
            (
                "min_containment",
                or_off(containment.map(|c| c.least.to_string())),
            ),
        ];
        OptionValues {
            of_features,
            of_pairs,
        }
    }
}

/// Returns ten-thousandths as a number with decimals.
fn in_decimals(steps: u16) -> String {
    (f64::from(steps) / 10_000.0).to_string()
}

impl Default for Options {
    fn default() -> Self {
        Self {
            shingle_size: Self::SHINGLE_SIZE,
            shingle_unit: ShingleUnit::Auto,
            max_hamming: Self::MAX_HAMMING,
            min_jaccard: Self::MIN_JACCARD,
            containment: None,
            min_weighted: None,
            detectors: Detectors::USUAL,
            threads: 0,
            budget: Budget {
                limit: None,
                temp_dir: None,
            },
        }
    }
}
