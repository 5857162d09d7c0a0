//! The options about what makes a pair.

use clap::builder::PossibleValue;
use dupfind_engine::Options;
use dupfind_engine::detect::{Detector, Detectors};
use dupfind_engine::fingerprint::simhash::Width;
use dupfind_engine::join::hamming::{MAX_DISTANCE, MAX_DISTANCE_128};
use dupfind_engine::join::threshold::{Containment, Threshold};
use dupfind_engine::verdict::{Relation, Relations};

use crate::args::group::{Conflict, group};
use crate::args::values::choice::{Choice, choices, named};
use crate::args::values::size::Distance;

group! {
    /// What makes a pair.
    pub(crate) struct DetectArgs in DETECTION {
        /// Least Jaccard similarity of the shingles of a pair [default: 0.2]
        #[arg(long, value_name = "T")]
        min_jaccard: Option<Threshold>,

        /// Also report pairs where one has this share of the other's shingles
        ///
        /// A short text inside a long one has a low Jaccard similarity and a high containment. Documents with
        /// fewer than 30 shingles are left out.
        #[arg(hide_short_help = true, long, value_name = "C")]
        pub(crate) min_containment: Option<Threshold>,

        /// Report pairs whose fingerprints differ in at most K bits [default: 3]
        ///
        /// With the detector simhash128 the default is 6, as large an angle, and up to 32 may differ.
        #[arg(hide_short_help = true, long, value_name = "K")]
        max_hamming: Option<Distance>,

        /// Which detectors run, separated by commas [default: simhash,shingle]
        ///
        /// A pair is reported if one of them finds it. A detector that does not run costs nothing, and its measure is missing
        /// from the report.
        #[arg(hide_short_help = true, long, value_name = "LIST")]
        detectors: Vec<Finder>,

        /// Also find texts rewritten in other words (weighted similarity >= 0.05)
        ///
        /// Little of their text is the same, but hardly any other document has it. Documents with fewer than 80
        /// shingles are left out, and collections of fewer than 100 documents: these do not tell what is rare.
        #[arg(hide_short_help = true, long)]
        rewritten: bool,
    }
    own {
    fn conflict(&self) -> Option<Conflict> {
        let most = self.max_hamming();
        if self.detectors.contains(&Finder::Simhash) && self.width() == Width::Bits128 {
            return Some(Conflict {
                options: &["detectors"],
                reason: "--detectors: simhash128 takes the place of simhash: leave one of them out"
                    .into(),
            });
        }
        if self.width() == Width::Bits64 && most > MAX_DISTANCE {
            return Some(Conflict {
                options: &["max-hamming", "detectors"],
                reason: format!(
                    "--max-hamming {most}: at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance; \
                     --detectors simhash128,shingle takes up to {MAX_DISTANCE_128}"
                ),
            });
        }
        let has_shingles = self.detectors().have(Detector::Shingle);
        (self.min_containment.is_some() && !has_shingles).then(|| Conflict {
            options: &["min-containment", "detectors"],
            reason: "--min-containment compares shingles: it needs the shingle detector".into(),
        })
    }
    }
}

impl DetectArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        Options {
            simhash_width: self.width(),
            max_hamming: self.max_hamming(),
            min_jaccard: self.min_jaccard.unwrap_or(Options::MIN_JACCARD),
            containment: self.min_containment.map(|least| Containment {
                least,
                min_size: Options::MIN_CONTAINED,
            }),
            min_weighted: self.rewritten.then_some(Options::REWRITTEN),
            detectors: self.detectors(),
            ..options
        }
    }

    fn width(&self) -> Width {
        match self.detectors.contains(&Finder::Simhash128) {
            true => Width::Bits128,
            false => Width::Bits64,
        }
    }

    fn max_hamming(&self) -> u32 {
        let usual = match self.width() {
            Width::Bits64 => Options::MAX_HAMMING,
            Width::Bits128 => Options::MAX_HAMMING_128,
        };
        self.max_hamming.map_or(usual, |Distance(bits)| bits)
    }

    fn detectors(&self) -> Detectors {
        match self.detectors.as_slice() {
            [] => Detectors::USUAL,
            finders => finders.iter().map(|finder| finder.detector()).collect(),
        }
    }

    /// Returns why an option of this name has no effect beside the others, if it has none.
    pub(crate) fn why_unused(&self, option: &str) -> Option<&'static str> {
        let runs = |detector| self.detectors().have(detector);
        match option {
            "max-hamming" if !runs(Detector::Simhash) => Some("the detector simhash does not run"),
            "min-jaccard" | "rewritten" if !runs(Detector::Shingle) => {
                Some("the detector shingle does not run")
            }
            _ => None,
        }
    }
}

/// A detector, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Finder {
    /// Fingerprints of 64 bits within --max-hamming
    Simhash,
    /// Shingle sets with at least --min-jaccard
    Shingle,
    /// Fingerprints of 128 bits within --max-hamming
    Simhash128,
    /// At least 2 of 6 super-shingles, each of 14 min-hashes, are equal
    SuperShingle,
    /// A hash of the terms that are neither common nor rare
    IMatch,
}

impl Finder {
    fn detector(self) -> Detector {
        match self {
            Self::Simhash | Self::Simhash128 => Detector::Simhash,
            Self::Shingle => Detector::Shingle,
            Self::SuperShingle => Detector::SuperShingle,
            Self::IMatch => Detector::IMatch,
        }
    }
}

choices!(Finder by ',');

/// The relations of a word: one, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown(pub(crate) Relations);

impl Choice for Shown {
    const DELIMITER: Option<char> = Some(',');

    fn choices() -> Vec<(Self, PossibleValue)> {
        let each = Relation::ALL.map(|relation| {
            let relations = std::iter::once(relation).collect();
            named(Self(relations), relation.as_str(), help(relation))
        });
        let all = named(Self(Relations::ALL), "all", "Every relation");
        each.into_iter().chain([all]).collect()
    }
}

/// Returns the meaning of a relation, for the help of an option.
pub(super) fn help(relation: Relation) -> &'static str {
    match relation {
        Relation::Exact => "The same text, white space aside",
        Relation::Near => "Near-duplicates: copies, revisions, rewritten texts",
        Relation::Contains => "One contains most of the other, and much more",
        Relation::Variant => "The same page for another subject",
        Relation::Related => "They share something, and it is rare",
        Relation::Template => "What they share is common text",
        Relation::Short => "Too short to judge",
    }
}
