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
//! * [`error`], [`document`], [`format`](mod@format): values everybody shares
//! * [`contained`]: calls into parsers of others that may panic
//! * [`text`]: text in, pieces out
//! * [`fingerprint`]: pieces in, one compact value per document out
//! * [`join`]: all values in, verified pairs out
//! * [`cluster`]: pairs in, components out
//! * [`source`], [`decode`], [`extract`]: files, bytes to text, text to what counts of it
//! * [`ingest`]: how a file or record comes to its text through these three
//! * [`store`]: what waits to be joined, in memory or in temporary files
//! * [`seen`]: what was seen before, remembered in memory of a fixed size
//! * [`stream`]: records that come without end, as parts that may have been seen
//! * [`scan`]: the one room that knows the order of the stages
//! * [`gate`]: which pairs count, and which are new
//! * [`compare`]: two documents in every detail
//! * [`report`]: writes the result to any writer
//!
//! The library prints nothing, never exits and reads no environment (but for the folder for temporary
//! files, if none is given); the binary does.
//!
//! # Examples
//!
//! Scan a folder:
//!
//! ```
//! use dupfind::scan::{Settings, scan};
//! use dupfind::scan::observer::Silent;
//! use dupfind::scan::sink::Best;
//!
//! let mut best = Best::all();
//! let settings = Settings::for_paths(["fixtures/corpus/en"]);
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

pub mod cluster;
pub mod compare;
pub mod contained;
pub mod decode;
pub mod document;
pub mod error;
pub mod extract;
pub mod fingerprint;
pub mod format;
pub mod gate;
pub mod ingest;
pub mod join;
pub mod report;
pub mod scan;
pub mod seen;
pub mod source;
pub mod store;
pub mod stream;
pub mod text;
