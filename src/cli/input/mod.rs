//! What the commands do to reach their documents.

pub(crate) mod options;
pub(crate) mod replaced;
pub(crate) mod stdin;
