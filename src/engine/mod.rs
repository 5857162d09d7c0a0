//! The engine makes features of texts, and finds the pairs and clusters of their documents.
//!
//! It knows no file, format, encoding or line.
//!
//! ```text
//! text ─> FeatureMaker ─> Features ─> collection ─> pairing ─> pairs ─> clusters
//!                            │  ^
//!                            v  │
//!                           a file
//! ```
//!
//! * [`options`]: which features are made, and which of them are similar
//! * [`features`]: makes the features of a text, and keeps features on disk
//! * [`collection`]: the features of all documents, in memory or in temporary files
//! * [`pairing`]: finds the pairs of a collection and hands them on
//! * [`pair`]: two documents: their measures, their relation, and the reason for it
//! * [`cluster`]: the connected components of pairs
//! * [`observer`], [`stats`], [`threads`]: the progress of a run, its cost, and its threads

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
