//! The files of an index: pages with checksums, sorted terms, and the manifest.

pub(crate) mod manifest;
pub(crate) mod pages;
pub(crate) mod terms;
