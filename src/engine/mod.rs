//! Features of documents in, verified pairs and clusters out.
//!
//! The engine knows no file, format, encoding or line.
//!
//! ```text
//! text ─> FeatureMaker ─> Features ─> collection ─> pairing ─> pairs ─> clusters
//!                            │  ^
//!                            v  │
//!                           a file
//! ```
//!
//! * [`options`]: which features are made, and which of them are similar
//! * [`features`]: from a text to its features, and features on disk
//! * [`collection`]: the features of all documents, in memory or in temporary files
//! * [`pairing`]: finds the pairs of a collection and hands them on
//! * [`pair`]: two documents: their measures, their relation, and why
//! * [`cluster`]: pairs in, connected components out
//! * [`observer`], [`stats`], [`threads`]: how a run goes on, what it cost, and its threads

pub mod cluster;
pub mod collection;
pub mod document;
pub mod features;
pub mod observer;
pub mod options;
pub mod pair;
pub mod pairing;
pub mod stats;
pub mod threads;

pub use features::file::{FeaturesReader, FeaturesWriter};
pub use features::{FeatureMaker, Features};
pub use options::{IdfSource, Options};
