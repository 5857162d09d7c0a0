//! Reports on documents without comparing them all: fingerprints, texts at each stage, and answers about one document.

pub mod elsewhere;
pub mod query;
pub mod stages;
pub mod work;
