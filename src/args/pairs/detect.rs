//! The arguments about what makes a pair.

use std::sync::LazyLock;

use clap::Arg;
use clap::builder::TypedValueParser;
use dupfind_engine::Options;
use dupfind_engine::detect::weighted::MinWeighted;
use dupfind_engine::detect::{Detector, Require};
use dupfind_engine::fingerprint::simhash::Width;
use dupfind_engine::fingerprint::super_shingle::SuperShingles;
use dupfind_engine::join::hamming::{MAX_DISTANCE, MAX_DISTANCE_128};
use dupfind_engine::join::threshold::{Containment, Threshold};
use dupfind_engine::verdict::{Relation, Relations};

use crate::args::headings::DETECTION;
use crate::args::pairs::similarity::{SimhashArgs, SimilarityArgs};
use crate::args::values::choice::choice;

/// What makes a pair.
#[derive(Debug, clap::Args)]
#[command(mut_arg("max_hamming", of_either_width))]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    /// Also report pairs where one has this share of the other's shingles
    ///
    /// A short text inside a long one has a low Jaccard similarity and a high containment. Documents with
    /// fewer than 30 shingles are left out.
    #[arg(long, value_name = "C", help_heading = DETECTION)]
    pub(crate) min_containment: Option<Threshold>,

    /// Also report pairs that share enough rare shingles: from this weighted similarity on
    ///
    /// It finds rewritten or scanned texts with few of their shingles left. Documents with fewer than 80 shingles are
    /// left out, and it is off among fewer than 100 documents. 'off' reports only what --max-hamming and --min-jaccard ask
    /// for. 'auto' is 0.05, and 'off' beside a --min-jaccard above 0.2.
    #[arg(hide_short_help = true, long, value_name = "W", default_value_t, help_heading = DETECTION)]
    pub(crate) min_weighted: MinWeighted,

    /// Which detectors run, separated by commas
    ///
    /// A pair is reported if one of them finds it, or see --require. A detector that does not run costs
    /// nothing, and its measure is missing from the report.
    #[arg(long, value_parser = detectors(), value_name = "LIST", value_delimiter = ',', default_value = "simhash,shingle", help_heading = DETECTION)]
    pub(crate) detectors: Vec<Detector>,

    /// How many of the detectors must find a pair
    #[arg(hide_short_help = true, long, value_parser = choice(REQUIRED), value_name = "HOW", default_value = "any", help_heading = DETECTION)]
    pub(crate) require: Require,

    #[command(flatten)]
    pub(crate) simhash: SimhashArgs,

    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,

    /// Relations of pairs that make a cluster
    ///
    /// Each 'variant' of a page, 'related' documents and pages of one 'template' are no duplicates: connecting them
    /// would chain documents that have nothing to do with each other.
    #[arg(hide_short_help = true, long, value_parser = relations(), value_name = "LIST", value_delimiter = ',', default_value = "exact,near,contains", help_heading = DETECTION)]
    pub(crate) cluster_on: Vec<Relation>,
}

impl DetectArgs {
    /// Returns the options of the engine with these arguments.
    ///
    /// # Errors
    ///
    /// The numbers of super-shingles do not go together.
    pub(crate) fn added_to(&self, options: Options) -> Result<Options, String> {
        let signatures = &self.signatures;
        Ok(self.similarity.added_to(Options {
            simhash_width: self.simhash.simhash_bits,
            containment: self.min_containment.map(|least| Containment {
                least,
                min_size: Options::MIN_CONTAINED,
            }),
            min_weighted: self.min_weighted,
            detectors: self.detectors.iter().copied().collect(),
            require: self.require,
            super_shingles: SuperShingles::new(
                signatures.super_shingle_hashes,
                signatures.super_shingle_run,
                signatures.min_super_shingles,
            )?,
            ..options
        }))
    }

    /// Returns the relations of pairs that connect the documents of a cluster.
    pub(crate) fn cluster_on(&self) -> Relations {
        self.cluster_on.iter().copied().collect()
    }

    /// Returns why the arguments do not go together, if they do not.
    pub(crate) fn conflict(&self) -> Option<String> {
        let most = self.similarity.max_hamming;
        if self.simhash.simhash_bits == Width::Bits64 && most > MAX_DISTANCE {
            return Some(format!(
                "--max-hamming {most}: at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance; \
                 --simhash-bits 128 takes up to {MAX_DISTANCE_128}"
            ));
        }
        // The relations that fingerprints alone can show.
        let is_told = |relation: &Relation| {
            matches!(relation, Relation::Exact | Relation::Near | Relation::Short)
        };
        if self.detectors.contains(&Detector::Shingle) {
            None
        } else if self.min_containment.is_some() {
            Some("--min-containment compares shingles: it needs the shingle detector".into())
        } else if !self.cluster_on.iter().any(is_told) {
            Some(
                "--cluster-on: without the shingle detector there are exact, near and short pairs only"
                    .into(),
            )
        } else {
            None
        }
    }

    /// Returns why an option of this name has no effect beside the others, if it has none.
    pub(crate) fn why_unused(&self, option: &str) -> Option<&'static str> {
        let runs = |detector| self.detectors.contains(&detector);
        match option {
            "max-hamming" | "simhash-bits" if !runs(Detector::Simhash) => {
                Some("the detector simhash does not run")
            }
            "min-jaccard" | "min-weighted" if !runs(Detector::Shingle) => {
                Some("the detector shingle does not run")
            }
            "super-shingle-hashes" | "super-shingle-run" | "min-super-shingles"
                if !runs(Detector::SuperShingle) =>
            {
                Some("the detector super-shingle does not run")
            }
            "require" if self.detectors.len() < 2 && self.min_containment.is_none() => {
                Some("only one detector runs")
            }
            "min-weighted" if self.require == Require::All => Some("--require all adds no pairs"),
            _ => None,
        }
    }
}

/// Hides the options that only decide which pairs are found, in a command that makes features for a later comparison.
pub(crate) fn before_pairs(arg: Arg) -> Arg {
    // Once for all arguments of all commands.
    static OF_PAIRS: LazyLock<Vec<(&str, String)>> =
        LazyLock::new(|| Options::default().values().of_pairs);
    let mut names = OF_PAIRS.iter().map(|&(name, _)| name);
    let is_of_pairs = arg.get_id() == "cluster_on" || names.any(|name| arg.get_id() == name);
    if is_of_pairs { arg.hide(true) } else { arg }
}

/// Allows the distances of 128 bits, too. Twice as many bits may differ in twice as many.
fn of_either_width(arg: Arg) -> Arg {
    arg.default_value_if("simhash_bits", "128", Options::MAX_HAMMING_128.to_string())
        .value_parser(clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE_128)))
        .long_help(
            "Report pairs whose fingerprints differ in at most K bits\n\n\
             With --simhash-bits 128 the default is 6, as large an angle, and up to 32 may differ.",
        )
}

/// The options of super-shingles.
#[derive(Debug, clap::Args)]
pub(crate) struct SignatureArgs {
    /// Super-shingles: how many min-hashes a document has
    ///
    /// Two documents have the same min-hash with a probability that is their Jaccard similarity J. A
    /// super-shingle is a hash of --super-shingle-run of them, so it is the same with probability J^14.
    #[arg(hide_short_help = true, long, value_name = "M", default_value_t = SuperShingles::default().hashes(), help_heading = DETECTION)]
    pub(crate) super_shingle_hashes: u32,

    /// Super-shingles: how many min-hashes make one
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = SuperShingles::default().run(), help_heading = DETECTION)]
    pub(crate) super_shingle_run: u32,

    /// Super-shingles: report pairs with at least so many equal ones
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = SuperShingles::default().least(), help_heading = DETECTION)]
    pub(crate) min_super_shingles: u32,
}

/// How many of the detectors must find a pair.
const REQUIRED: [(Require, &str, &str); 2] = [
    (
        Require::Any,
        "any",
        "One of them: each finds what others do not",
    ),
    (
        Require::All,
        "all",
        "All of them: fewer pairs, more of them right",
    ),
];

/// Returns the parser of a detector's name.
fn detectors() -> impl TypedValueParser<Value = Detector> {
    choice(Detector::ALL.into_iter().filter_map(|detector| {
        let help = match detector {
            Detector::Simhash => "Fingerprints within --max-hamming",
            Detector::Shingle => "Shingle sets with at least --min-jaccard",
            // --min-containment switches it on.
            Detector::Containment => return None,
            // --min-weighted switches it off.
            Detector::Weighted => return None,
            Detector::SuperShingle => "Enough equal super-shingles",
            Detector::IMatch => "A hash of the terms that are neither common nor rare",
        };
        Some((detector, detector.as_str(), help))
    }))
}

/// Returns the parser of a relation's name.
fn relations() -> impl TypedValueParser<Value = Relation> {
    choice(Relation::ALL.map(|relation| (relation, relation.as_str(), help(relation))))
}

/// Returns the parser of a relation's name, or `all`.
pub(crate) fn shown() -> impl TypedValueParser<Value = Relations> {
    let named = Relation::ALL.map(|relation| {
        let relations = std::iter::once(relation).collect();
        (relations, relation.as_str(), help(relation))
    });
    let all = (Relations::ALL, "all", "Every relation");
    choice(named.into_iter().chain([all]))
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
