//! The options about what is compared, how text is cut, and what makes a pair.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use dupfind_engine::{Containment, Detector, Detectors, Options, ShingleUnit, Threshold};
use dupfind_scan::ScanOptions;

use crate::args::values::{self, choice, named};
use crate::args::{
    AcrossArgs, BaselineArgs, ConfigArgs, Conflict, DETECTION, InputArgs, MemoryArgs, ReadingArgs,
    RunningArgs, ScopeArgs, TEXT, WalkArgs, WithinArgs,
};

/// Which documents are compared with which, and how.
#[derive(Debug, Default, Args)]
pub(crate) struct ComparingArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
    #[command(flatten)]
    pub(crate) across: AcrossArgs,
}

impl ComparingArgs {
    /// Returns the options of a scan that may have two sides. `reports` and `kept` are the files that the command writes:
    /// reports, and a file that lasts.
    ///
    /// # Errors
    ///
    /// As for [`InputArgs::options`].
    pub(crate) fn options(
        &self,
        running: &RunningArgs,
        reports: &[&Path],
        kept: Option<&Path>,
    ) -> Result<ScanOptions> {
        let engine = running.engine(self.engine.options());
        let (scope, config) = (&self.scope, &running.config);
        let input = &self.input;
        let mut options = input.options(&scope.against, config, engine, reports, kept)?;
        options.walk.has_editions =
            scope.against.is_empty() && self.across.has_editions(&scope.within);
        Ok(options)
    }
}

/// How texts are compared.
#[derive(Debug, Default, Args)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) detect: DetectArgs,
}

impl EngineArgs {
    /// Returns the options of the engine.
    pub(crate) fn options(&self) -> Options {
        self.detect.added_to(self.text.added_to(Options::default()))
    }
}

/// How the documents below a folder are read and compared.
#[derive(Debug, Args)]
pub(crate) struct CollectionArgs {
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The documents below a folder, and which of their pairs count.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// The folder of the documents [default: the current folder]
    ///
    /// Nothing outside of it is read. The index of its documents is in '.dupfind' in this folder, which git ignores.
    #[arg(id = "own_paths", value_name = "FOLDER", num_args = 0..=1)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) collection: CollectionArgs,
    #[command(flatten)]
    pub(crate) within: WithinArgs,
    #[command(flatten)]
    pub(crate) across: AcrossArgs,
    #[command(flatten)]
    pub(crate) baseline: BaselineArgs,
}

/// How text is cut.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = TEXT)]
pub(crate) struct TextArgs {
    /// Units in a shingle [default: 3]
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = values::count::<NonZeroUsize>)]
    shingle_size: Option<NonZeroUsize>,

    /// What a unit is [default: auto]
    #[arg(hide_short_help = true, long, value_name = "UNIT", value_parser = choice(units()))]
    shingle_unit: Option<ShingleUnit>,

    /// Compare texts that were read from scans, with the wrong letters that are in them
    ///
    /// A shingle is then 5 letters, ideographs or digits, and letters that are mistaken for each other are the same
    /// (o and 0, long s and f, m and rn). So words may be cut at the ends of lines, and a wrong letter changes 5
    /// shingles of a page instead of all with that word.
    #[arg(hide_short_help = true, long)]
    ocr: bool,
}

fn units() -> [(ShingleUnit, clap::builder::PossibleValue); 3] {
    [
        named(
            ShingleUnit::Auto,
            "auto",
            "A character of Chinese and Japanese, a word of everything else",
        ),
        named(ShingleUnit::Char, "char", "A letter, ideograph or digit"),
        named(ShingleUnit::Word, "word", "A word, Chinese cut by jieba"),
    ]
}

impl TextArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        let (shingle_size, shingle_unit) = match self.ocr {
            true => (Options::OCR_SHINGLE_SIZE, ShingleUnit::Ocr),
            false => (
                self.shingle_size.unwrap_or(options.shingle_size),
                self.shingle_unit.unwrap_or(ShingleUnit::Auto),
            ),
        };
        Options {
            shingle_size,
            shingle_unit,
            ..options
        }
    }

    pub(crate) fn conflict(&self) -> Option<Conflict> {
        let reason =
            |option| format!("{option} cannot be used with --ocr, which has its own shingles");
        Conflict::first([
            (
                self.ocr && self.shingle_size.is_some(),
                &["shingle-size", "ocr"],
                reason("--shingle-size"),
            ),
            (
                self.ocr && self.shingle_unit.is_some(),
                &["shingle-unit", "ocr"],
                reason("--shingle-unit"),
            ),
        ])
    }
}

/// What makes a pair.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = DETECTION)]
pub(crate) struct DetectArgs {
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
    #[arg(hide_short_help = true, long, value_name = "K", value_parser = values::distance)]
    max_hamming: Option<u32>,

    /// Which detectors run, separated by commas [default: simhash,shingle]
    ///
    /// A pair is reported if one of them finds it. A detector that does not run costs nothing, and its measure is missing
    /// from the report.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "LIST",
        value_delimiter = ','
    )]
    detectors: Vec<Finder>,

    /// Also find texts rewritten in other words (weighted similarity >= 0.05)
    ///
    /// Little of their text is the same, but hardly any other document has it. Documents with fewer than 80
    /// shingles are left out, and collections of fewer than 100 documents: these do not tell what is rare.
    #[arg(hide_short_help = true, long)]
    rewritten: bool,

    /// Least weighted similarity of a pair, in place of that of --rewritten
    #[arg(hide = true, long, value_name = "T")]
    min_weighted: Option<Threshold>,
}

/// A detector, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Finder {
    /// Fingerprints of 64 bits within --max-hamming
    Simhash,
    /// Shingle sets with at least --min-jaccard
    Shingle,
    /// At least 2 of 6 super-shingles, each of 14 min-hashes, are equal
    SuperShingle,
    /// A hash of the terms that are neither common nor rare
    IMatch,
}

impl Finder {
    fn detector(self) -> Detector {
        match self {
            Self::Simhash => Detector::Simhash,
            Self::Shingle => Detector::Shingle,
            Self::SuperShingle => Detector::SuperShingle,
            Self::IMatch => Detector::IMatch,
        }
    }
}

impl DetectArgs {
    /// Returns the options of the engine with these arguments.
    pub(crate) fn added_to(&self, options: Options) -> Options {
        Options {
            max_hamming: self.max_hamming.unwrap_or(Options::MAX_HAMMING),
            min_jaccard: self.min_jaccard.unwrap_or(Options::MIN_JACCARD),
            containment: self.min_containment.map(|least| Containment {
                least,
                min_size: Options::MIN_CONTAINED,
            }),
            min_weighted: (self.min_weighted).or(self.rewritten.then_some(Options::REWRITTEN)),
            detectors: self.detectors(),
            ..options
        }
    }

    fn detectors(&self) -> Detectors {
        match self.detectors.as_slice() {
            [] => Detectors::USUAL,
            finders => finders.iter().map(|finder| finder.detector()).collect(),
        }
    }

    pub(crate) fn conflict(&self) -> Option<Conflict> {
        let runs = |detector| self.detectors().have(detector);
        let has_shingles = runs(Detector::Shingle);
        let without = |option, detector: Detector| {
            let detector = detector.as_str();
            format!("{option} has no effect: the detector {detector} does not run")
        };
        Conflict::first([
            (
                self.min_containment.is_some() && !has_shingles,
                &["min-containment", "detectors"],
                without("--min-containment", Detector::Shingle),
            ),
            (
                self.min_jaccard.is_some() && !has_shingles,
                &["min-jaccard", "detectors"],
                without("--min-jaccard", Detector::Shingle),
            ),
            (
                (self.rewritten || self.min_weighted.is_some()) && !has_shingles,
                &["rewritten", "min-weighted", "detectors"],
                without("--rewritten", Detector::Shingle),
            ),
            (
                self.max_hamming.is_some() && !runs(Detector::Simhash),
                &["max-hamming", "detectors"],
                without("--max-hamming", Detector::Simhash),
            ),
        ])
    }
}
