//! What the commands do to reach their documents.

pub(crate) mod library;
mod list;
pub(crate) mod options;
pub(crate) mod refused;
pub(crate) mod stdin;
pub(crate) mod without_documents;
