//! What is printed of documents without comparing them: files, fingerprints, and texts at each stage.

pub mod files;
pub mod fingerprints;
pub mod query;
pub mod stages;
