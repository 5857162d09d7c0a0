//! The files of an index: pages with checksums, sorted terms, the manifest and the lock.

pub(crate) mod folder;
pub(crate) mod lock;
pub(crate) mod manifest;
pub(crate) mod pages;
pub(crate) mod terms;
