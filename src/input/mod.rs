//! What is read: documents that are named, standard input, and paths that are refused.

pub(crate) mod document;
pub(crate) mod refused;
pub(crate) mod stdin;
pub(crate) mod without_documents;
