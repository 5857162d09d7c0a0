//! What is printed of documents without comparing them: files, fingerprints, and texts at each stage.

pub(crate) mod files;
pub(crate) mod fingerprints;
pub(crate) mod shingle_sets;
pub(crate) mod stages;
