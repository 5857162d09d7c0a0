//! The options about what makes a pair.

use std::convert::Infallible;

use crate::engine::Options;
use crate::engine::detectors::{Detector, Require};
use crate::engine::relation::Relation;
use crate::fingerprint::i_match::{IMatch, IdfRange};
use crate::fingerprint::simhash::Width;
use crate::fingerprint::super_shingle::SuperShingles;
use crate::join::hamming::{MAX_DISTANCE, MAX_DISTANCE_128};
use crate::join::threshold::Threshold;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ValueEnum};

use crate::cli::args::DETECTION;

/// How similar a pair must be.
#[derive(Debug, clap::Args)]
pub(crate) struct SimilarityArgs {
    /// Report pairs whose fingerprints differ in at most K bits
    #[arg(long, value_name = "K", default_value_t = Options::MAX_HAMMING, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)), help_heading = DETECTION)]
    pub(crate) max_hamming: u32,

    /// Report pairs with at least this Jaccard similarity of shingles
    #[arg(long, value_name = "T", default_value_t = Options::MIN_JACCARD, help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,
}

/// What makes a pair.
#[derive(Debug, clap::Args)]
#[command(mut_arg("max_hamming", of_either_width))]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    /// Also report pairs of which one has this share of the other's shingles
    ///
    /// A short text inside a long one has a low Jaccard similarity and a high containment. Documents of
    /// fewer than 30 shingles are not looked for.
    #[arg(long, value_name = "C", help_heading = DETECTION)]
    pub(crate) min_containment: Option<Threshold>,

    /// Which detectors run, separated by commas
    ///
    /// A pair is reported if one of them finds it, or see --require. A detector that does not run costs
    /// nothing, and its measure is missing from the report.
    #[arg(long, value_parser = detectors(), value_name = "LIST", value_delimiter = ',', default_value = "simhash,shingle", help_heading = DETECTION)]
    pub(crate) detectors: Vec<Detector>,

    /// How many of the detectors must find a pair
    #[arg(hide_short_help = true, long, value_enum, value_name = "HOW", default_value = "any", help_heading = DETECTION)]
    pub(crate) require: Required,

    /// Refused: every similar pair is found
    #[arg(hide = true, long, value_name = "RECALL", value_parser = no_recall)]
    pub(crate) approximate: Option<Infallible>,

    #[command(flatten)]
    pub(crate) simhash: SimhashArgs,

    #[command(flatten)]
    pub(crate) signatures: SignatureArgs,

    /// Relations of pairs that make a cluster
    ///
    /// 'related' documents and pages of one 'template' are not duplicates: connecting them would chain
    /// what has nothing to do with each other.
    #[arg(hide_short_help = true, long, value_parser = relations(), value_name = "LIST", value_delimiter = ',', default_value = "exact,near,contains", help_heading = DETECTION)]
    pub(crate) cluster_on: Vec<Relation>,
}

/// What fingerprints are like.
#[derive(Debug, clap::Args)]
pub(crate) struct SimhashArgs {
    /// How many bits a fingerprint has
    ///
    /// The lower half of 128 bits is the fingerprint of 64. Twice the bits measure the angle between two
    /// documents more exactly, at twice the memory.
    #[arg(hide_short_help = true, long, value_enum, value_name = "BITS", default_value = "64", help_heading = DETECTION)]
    pub(crate) simhash_bits: SimhashBits,
}

/// The widths of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SimhashBits {
    /// As Manku et al. have it
    #[value(name = "64")]
    Bits64,
    /// Twice as wide
    #[value(name = "128")]
    Bits128,
}

impl From<SimhashBits> for Width {
    fn from(bits: SimhashBits) -> Self {
        match bits {
            SimhashBits::Bits64 => Self::Bits64,
            SimhashBits::Bits128 => Self::Bits128,
        }
    }
}

/// Returns why there is no approximate join.
fn no_recall(_: &str) -> Result<Infallible, &'static str> {
    Err(
        "version 0.2 removed the approximate join: all similar pairs are found, mostly faster; leave the option out",
    )
}

/// Of twice as many bits twice as many may differ.
fn of_either_width(arg: Arg) -> Arg {
    let wide = Options::MAX_HAMMING_128.to_string();
    arg.default_value_if("simhash_bits", "128", wide)
        .value_parser(clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE_128)))
        .long_help(
            "Report pairs whose fingerprints differ in at most K bits\n\n\
             With --simhash-bits 128 the default is 6, as large an angle, and up to 32 may differ.",
        )
}

impl DetectArgs {
    /// What is wrong with the largest Hamming distance.
    pub(crate) fn conflict(&self) -> Option<String> {
        let most = self.similarity.max_hamming;
        let is_too_far = self.simhash.simhash_bits == SimhashBits::Bits64 && most > MAX_DISTANCE;
        is_too_far.then(|| {
            format!(
                "--max-hamming {most}: at most {MAX_DISTANCE} of 64 bits, beyond that most pairs are chance; \
                 --simhash-bits 128 takes up to {MAX_DISTANCE_128}"
            )
        })
    }
}

/// What the detectors that compare hashes of a document make them of.
#[derive(Debug, clap::Args)]
pub(crate) struct SignatureArgs {
    /// Super-shingles: how many min-hashes a document has
    ///
    /// Two documents have the same min-hash with a probability that is their Jaccard similarity J. A
    /// super-shingle is a hash of --super-shingle-run of them, so it is the same with probability J^14.
    #[arg(hide_short_help = true, long, value_name = "M", default_value_t = SuperShingles::default().hashes(), help_heading = DETECTION)]
    pub(crate) super_shingle_hashes: u32,

    /// Super-shingles: of how many min-hashes one is made
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = SuperShingles::default().run(), help_heading = DETECTION)]
    pub(crate) super_shingle_run: u32,

    /// Super-shingles: report pairs of which at least so many are equal
    #[arg(hide_short_help = true, long, value_name = "N", default_value_t = SuperShingles::default().least(), help_heading = DETECTION)]
    pub(crate) min_super_shingles: u32,

    /// I-Match: the IDF of the terms that are hashed
    ///
    /// More common terms say little of a document, rarer ones are slips and numbers. Weights are those of
    /// --idf; the dictionary's lie between 1 and 14.
    #[arg(hide_short_help = true, long, value_name = "LEAST..MOST", default_value_t = IMatch::USUAL.idf, help_heading = DETECTION)]
    pub(crate) i_match_idf: IdfRange,

    /// I-Match: how many more signatures a document has
    ///
    /// Each leaves out another third of all terms, and two documents match if one of their signatures is
    /// equal. With 0 a single changed term makes another document.
    #[arg(hide_short_help = true, long, value_name = "K", default_value_t = IMatch::USUAL.lexicons, value_parser = clap::value_parser!(u8).range(0..=i64::from(IMatch::MAX_LEXICONS)), help_heading = DETECTION)]
    pub(crate) i_match_lexicons: u8,
}

impl SignatureArgs {
    /// What super-shingles are made of, or why that cannot work.
    pub(crate) fn super_shingles(&self) -> Result<SuperShingles, String> {
        SuperShingles::new(
            self.super_shingle_hashes,
            self.super_shingle_run,
            self.min_super_shingles,
        )
    }
}

/// How many detectors must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Required {
    /// One of them: each finds what others do not
    Any,
    /// All of them: fewer pairs, more of them right
    All,
}

impl From<Required> for Require {
    fn from(required: Required) -> Self {
        match required {
            Required::Any => Self::Any,
            Required::All => Self::All,
        }
    }
}

/// Reads the name of a detector.
fn detectors() -> impl TypedValueParser<Value = Detector> {
    let offered = Detector::ALL.into_iter().filter_map(|detector| {
        let help = match detector {
            Detector::Simhash => "Fingerprints within --max-hamming",
            Detector::Shingle => "Shingle sets with at least --min-jaccard",
            // Asked for by --min-containment.
            Detector::Containment => return None,
            Detector::SuperShingle => "Super-shingles of which enough agree",
            Detector::IMatch => "A hash of the terms that tell",
        };
        Some(PossibleValue::new(detector.as_str()).help(help))
    });
    PossibleValuesParser::new(offered).map(|name| {
        let mut all = Detector::ALL.into_iter();
        let found = all.find(|detector| detector.as_str() == name);
        found.expect("the parser takes no other name")
    })
}

/// Reads the name of a relation; its help and its errors list them.
fn relations() -> impl TypedValueParser<Value = Relation> {
    let names = Relation::ALL.map(|relation| {
        let value = PossibleValue::new(relation.as_str());
        value.help(match relation {
            Relation::Exact => "The same text, white space aside",
            Relation::Near => "Near-duplicates: copies, revisions, rewritten texts",
            Relation::Contains => "One contains most of the other, and much more",
            Relation::Related => "They share something, and it is rare",
            Relation::Template => "What they share is common text",
            Relation::Short => "Too short to judge",
        })
    });
    PossibleValuesParser::new(names).map(|name| {
        let mut all = Relation::ALL.into_iter();
        let found = all.find(|relation| relation.as_str() == name);
        found.expect("the parser takes no other name")
    })
}
