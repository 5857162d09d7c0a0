//! Features of documents in, verified pairs and clusters out.
//!
//! The engine knows no file, format, encoding or line: texts come with a name, and leave as [`Features`]. These
//! are gathered in a [`collection`], whose pairs are found by the joins that the detectors ask for.

pub mod because;
pub mod cluster;
pub mod collection;
pub mod detectors {
    //! The list of the detectors.
    pub use crate::detect::{Detector, Detectors, Require};
}
pub(crate) mod expand;
pub mod features;
pub mod features_file;
pub(crate) mod joined_sets;
pub mod judge;
pub mod observer;
pub mod options;
pub mod outcome;
pub(crate) mod pairs;
pub mod relation;
mod search;
pub mod signatures;
pub mod sink;
pub mod stats;
pub mod store;
pub mod threads;
mod tiled;
pub mod two_documents;

pub use features::{FeatureMaker, Features};
pub use features_file::{FeaturesReader, FeaturesWriter};
pub use options::{IdfSource, Options};
pub use outcome::Outcome;
