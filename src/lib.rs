//! Finds near-duplicate documents, exactly.
//!
//! A document's text is normalised, cut into tokens (jieba for Chinese) and into units, and reduced
//! to two values: a 64-bit SimHash fingerprint of its TF-IDF weighted terms, and its set of 3-unit
//! shingles. Every pair of documents with fingerprints at Hamming distance <= 3 or shingle sets of
//! Jaccard similarity >= 0.2 is reported. Nothing is sampled: both joins are exact.
//!
//! ```text
//! source ─> decode ─> extract ─> normalise ─┬─> tokenise ─> weight ─> fingerprint ─> Hamming join ─┐
//! (walk)    (bytes    (text of   (NFKC,     │                                                       ├─> pairs ─> gate ─> clusters ─> report
//!            to text)  the file)  case)     └─> units ─> shingle set ──────────────> Jaccard join ─┘
//! ```
//!
//! The rooms, each of which uses only rooms above it:
//!
//! * [`error`], [`document`]: values everybody shares
//! * [`text`]: text in, pieces out
//! * [`fingerprint`]: pieces in, one compact value per document out
//! * [`join`]: all values in, verified pairs out
//! * [`engine`]: features of documents in, pairs and clusters out
//! * [`read`]: paths in, named texts out
//! * [`scan`]: a folder in, everything about its pairs out
//! * [`gate`]: which pairs count, and which are new
//! * [`compare`]: two documents in every detail
//! * [`stream`]: records that come without end, as parts that may have been seen
//! * [`tune`]: how many pairs other thresholds would give
//! * [`report`]: writes the result to any writer
//! * [`cli`]: the command line
//!
//! All rooms but `cli` print nothing, never exit and read no environment (but for the folder for temporary
//! files, if none is given).
//!
//! # Examples
//!
//! Scan a folder:
//!
//! ```
//! use dupfind::scan::{ScanOptions, scan};
//! use dupfind::engine::observer::Silent;
//! use dupfind::engine::sink::Best;
//!
//! let mut best = Best::all();
//! let settings = ScanOptions::for_paths(["fixtures/corpus/en"]);
//! let outcome = scan(&settings, &Silent, Some(&mut best))?;
//! for pair in best.into_pairs() {
//!     println!("{} {}", outcome.name(pair.a), outcome.name(pair.b));
//! }
//! assert!(outcome.pair_counts.total() > 0);
//! # Ok::<(), dupfind::error::Error>(())
//! ```
//!
//! Or use the joins alone, on your own codes and sets: [`join::hamming::self_join`] and
//! [`join::jaccard::self_join`].

#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod compare;
mod dedup;
#[doc(hidden)]
pub mod detect;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod fingerprint;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod gate;
#[doc(hidden)]
pub mod join;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod read;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod report;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod scan;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod stream;
#[doc(hidden)]
pub mod text;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tune;

pub use dedup::{Dedup, Explanation, Found, compare};
pub use detect::{Detector, Detectors, Require};
pub use document::{DocId, SkipReason, Skipped};
pub use engine::cluster::Cluster;
pub use engine::features_file::Identity;
pub use engine::observer::{Observer, Stage};
pub use engine::outcome::{Document, Pair, Resemblance};
pub use engine::relation::{Counts, Relation, Relations};
pub use engine::sink::PairSink;
pub use engine::store::Budget;
pub use engine::{FeatureMaker, Features, FeaturesReader, FeaturesWriter, IdfSource, Options};
pub use error::{Error, Result};
pub use fingerprint::i_match::IMatch;
pub use fingerprint::idf::Idf;
pub use fingerprint::simhash::Width;
pub use fingerprint::super_shingle::SuperShingles;
pub use join::threshold::{Containment, Threshold};
pub use join::weighted::Weighted;
pub use text::han::Han;
pub use text::units::ShingleUnit;
