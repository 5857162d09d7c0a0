//! Features of documents in, verified pairs and clusters out.

pub mod because;
pub mod cluster;
mod cohesion;
pub mod detectors;
pub(crate) mod expand;
pub mod judge;
mod near;
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
mod tiled;

pub use options::{IdfSource, Options};
pub use outcome::Outcome;
