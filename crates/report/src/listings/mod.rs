//! What is printed of documents without comparing them: fingerprints, and texts at each stage.

pub mod fingerprints;
pub mod query;
pub mod stages;
pub mod tune;
