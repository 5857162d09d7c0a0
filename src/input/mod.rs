//! What the commands do to reach their documents.

pub(crate) mod library;
pub(crate) mod links;
pub(crate) mod options;
pub(crate) mod replaced;
pub(crate) mod stdin;
pub(crate) mod without_documents;
