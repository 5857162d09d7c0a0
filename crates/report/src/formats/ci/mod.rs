//! Reports for CI systems: the documents at fault, each at a line of its file.

pub(super) mod github;
pub(super) mod gitlab;
pub(super) mod sarif;
