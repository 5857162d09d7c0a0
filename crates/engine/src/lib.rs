//! Finds near-duplicate texts, exactly.
//!
//! The engine compares every text with every other and reports each pair whose SimHash fingerprints differ in at most 3
//! of 64 bits, or whose sets of 3-unit shingles have a Jaccard similarity of at least 0.2. Both joins are exact: no
//! pair is lost to sampling. Chinese, Japanese and languages written with spaces may be mixed; words are cut by jieba.
//!
//! Texts go in. Features, pairs, verdicts and clusters come out. This crate knows no format of documents, no command line
//! and no report. The program `dupfind` reads folders and writes reports with it; its guide is in `docs/`.
//!
//! # Overview
//!
//! * [`find_duplicates`] takes texts with names and returns [`Found`]: pairs and clusters. This is the front door.
//! * [`Options`] decides which detectors run and which pairs count.
//! * [`Pair`] has the ids of two texts and all measures of them. Its [`Relation`] is what the two are to each other:
//!   a copy, a revision, one within the other, or pages of one template.
//! * [`Reason`] is the [`Rule`] that decided the relation of two texts, with its figures ([`Explanation::reason`]).
//! * [`Cluster`] has the texts that are connected by pairs, and the one that a user would keep.
//! * [`compare`] looks at two texts alone. [`Found::explain`] looks at two texts among all the others.
//! * [`FeatureMaker`] makes [`Features`], which are all that is kept of a text.
//! * [`Observer`] follows a run and may stop it. [`PairSink`] receives pairs when there are more than memory holds.
//!
//! # Rooms
//!
//! Each room uses only those before it.
//!
//! * [`run`]: the run beside its data: threads, memory, progress, errors
//! * [`text`]: normal form, units and tokens of a text
//! * [`fingerprint`]: the values made of them: weights, `SimHash`, shingles, signatures
//! * [`join`]: the exact joins, which know numbers only
//! * [`detect`]: the detectors, a file each, and the options
//! * [`features`]: all that is kept of a document, and those of all documents of a run
//! * [`verdict`]: what two documents are to each other; the limits are in `verdict/rules.rs`
//! * [`pairing`]: runs the joins over a collection: pairs, clusters; the front door
//!
//! # Example: the pairs of some texts
//!
//! ```
//! use dupfind_engine::{Options, find_duplicates};
//!
//! let texts = [
//!     ("a", "The library opens tomorrow at nine in the morning, and tea is served."),
//!     ("b", "The library opens tomorrow at nine in the evening, and tea is served."),
//! ];
//! let found = find_duplicates(&Options::default(), texts)?;
//! for pair in &found.pairs {
//!     println!("{} {}: {}", found.name(pair.a), found.name(pair.b), pair.relation().as_str());
//! }
//! # assert_eq!(found.pairs.len(), 1);
//! # Ok::<(), dupfind_engine::Error>(())
//! ```
//!
//! # Example: clusters, and which text to keep
//!
//! A cluster is for reading: two of its members need not be alike. Its least similarity is the lowest similarity of a member to
//! the representative.
//!
//! ```
//! use dupfind_engine::{Options, find_duplicates};
//!
//! let page = "图书馆明天上午九点开放，请读者带好证件，在一楼大厅排队入馆，谢谢配合";
//! let texts = [
//!     ("draft", page.to_owned()),
//!     ("final", format!("{page}。咖啡厅照常营业")),
//!     ("other", "The old bridge was closed for repairs in the winter".to_owned()),
//! ];
//! let found = find_duplicates(&Options::default(), texts)?;
//! for cluster in &found.clusters {
//!     println!("keep {} of {}", found.name(cluster.representative), cluster.documents.len());
//! }
//! # assert_eq!(found.name(found.clusters[0].representative), "final");
//! # assert!(found.clusters[0].least_similarity.unwrap() > 0.5);
//! # Ok::<(), dupfind_engine::Error>(())
//! ```
//!
//! # Example: why two texts are a pair, or are none
//!
//! ```
//! use dupfind_engine::{Options, find_duplicates};
//!
//! let texts = [
//!     ("a", "one two three four five six seven eight nine ten eleven twelve"),
//!     ("b", "One two three four five six seven eight\n nine ten eleven TWELVE"),
//!     ("c", "something else that has nothing in common with the other two"),
//! ];
//! let found = find_duplicates(&Options::default(), texts)?;
//! let [a, b, c] = ["a", "b", "c"].map(|name| found.id(name).unwrap());
//! assert_eq!(
//!     found.explain(&Options::default(), a, b)?.to_string(),
//!     "exact: the same text but for case, width and white space"
//! );
//! assert!(!found.explain(&Options::default(), a, c)?.is_pair);
//! # Ok::<(), dupfind_engine::Error>(())
//! ```
//!
//! # Example: two texts alone
//!
//! ```
//! let before = "The ferry leaves at seven from the old harbour, and returns at nine in the evening.";
//! let after = "The ferry leaves at eight from the old harbour, and returns at nine in the evening.";
//! let why = dupfind_engine::compare(before, after);
//! assert!(why.is_pair);
//! println!("{why}");
//! ```
//!
//! # Example: other thresholds and detectors
//!
//! ```
//! use dupfind_engine::{Detector, Options, find_duplicates};
//!
//! let mut options = Options::default();
//! options.min_jaccard = "0.8".parse()?;
//! options.detectors = [Detector::Shingle].into_iter().collect();
//! let texts = [
//!     ("a", "one two three four five six seven"),
//!     ("b", "one two three four five six eight"),
//! ];
//! let found = find_duplicates(&options, texts)?;
//! assert_eq!(found.pairs.len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # When not to use it
//!
//! * To find *exact* copies only, a hash of each text is enough.
//! * To find texts of one *meaning* in other words, use embeddings: shingles compare what is written.
//! * Beyond some ten million long texts at a similarity of 0.2, an exact join takes days on one machine.
//!
//! # Determinism
//!
//! The same texts give the same pairs in the same order, on every machine and for any number of threads. Only integer
//! arithmetic decides. The library prints nothing, never exits and reads no environment, but for the folder for
//! temporary files if none is given.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

pub mod detect;
pub mod features;
pub mod fingerprint;
pub mod join;
pub mod pairing;
pub mod run;
pub mod text;
pub mod verdict;

pub use detect::options::Options;
pub use detect::{Detector, Detectors, SignatureMeasures};
pub use features::bytes::Identity;
pub use features::document::{DocId, Document};
pub use features::{FeatureMaker, Features};
pub use join::threshold::{Containment, Threshold};
pub use join::weighted::Weighted;
pub use pairing::Found;
pub use pairing::cluster::Cluster;
pub use pairing::explanation::{Explanation, compare};
pub use pairing::finder::find_duplicates;
pub use pairing::sink::{Judge, PairSink, TopPairs};
pub use run::{Budget, Error, Observer, Result, Silent, Stage, Stats, in_pool};
pub use text::units::ShingleUnit;
pub use verdict::pair::{Pair, Resemblance};
pub use verdict::reason::Reason;
pub use verdict::{Counts, PairMeasures, Relation, Relations, Rule};
#[cfg(test)]
#[path = "../../../tests/cli/table.rs"]
mod table;
