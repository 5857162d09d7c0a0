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
pub mod cli;
#[cfg(feature = "cli")]
pub mod compare;
pub mod document;
pub mod engine;
pub mod error;
pub mod fingerprint;
#[cfg(feature = "cli")]
pub mod gate;
pub mod join;
#[cfg(feature = "files")]
pub mod read;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "files")]
pub mod scan;
#[cfg(feature = "cli")]
pub mod stream;
pub mod text;
#[cfg(feature = "cli")]
pub mod tune;
